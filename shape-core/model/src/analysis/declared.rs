//! What is known of a value that is declared.
//!
//! A declaration is read once for all values that have the same one and of which the same is inferred.

use std::collections::HashMap;
use std::sync::Arc;

use super::analyzer::Analyzer;
use super::repeats::names;
use crate::declaration::Declared;
use crate::file::Info;
use crate::graph::NodeAt;
use crate::names::RandomState;
use crate::value::{Facts, Shared};
use shape_core::symbolic::{Cause, Reason};

/// What was read of declarations without a finding: by the bytes of the type, and the number of what is inferred, if
/// anything is.
pub(super) type Read<'m> = HashMap<(&'m [u8], Option<u64>), Arc<Facts>, RandomState>;

impl<'m> Analyzer<'m, '_> {
    /// What is known of the value with this index: what is inferred, which an input of a graph has not, and what the
    /// declaration adds.
    pub(super) fn declared(
        &mut self,
        info: Info<'m>,
        inferred: Option<&Shared>,
        value: u32,
        graph: usize,
        at: Option<NodeAt<'m>>,
    ) -> Shared {
        let elements_from = inferred.map_or(Reason::HERE, |shared| shared.elements_from);
        let key = info.type_bytes().map(|bytes| (bytes, inferred.map(|shared| shared.facts.number)));
        if let Some(known) = key.and_then(|key| self.declarations_read.get(&key)) {
            return Shared { facts: Arc::clone(known), elements_from };
        }
        let findings = self.analysis.findings.added();
        let name = self.model.text(info.name());
        let (known, elements) = match inferred.map(|shared| &*shared.facts) {
            Some(Facts { ty, dims, elements, .. }) => {
                let inferred = Declared { ty: ty.clone(), dims: dims.clone() };
                (self.merge(name, inferred, info.proto(), value, graph, at), elements.clone())
            }
            None => {
                let known = self.read(name, info.proto().r#type.as_ref(), value, graph);
                (known, Err(Reason::here(Cause::GivenAtRun)))
            }
        };
        let Shared { facts, .. } = self.share(value, known, elements);
        if let Some(key) = key
            && self.analysis.findings.added() == findings
            && !names(&facts, |named| named >= value)
        {
            self.declarations_read.insert(key, Arc::clone(&facts));
        }
        Shared { facts, elements_from }
    }
}
