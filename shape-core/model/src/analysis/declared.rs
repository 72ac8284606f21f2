//! What is known of a value that is declared.
//!
//! A declaration is read once for all values that have the same one and of which the same is inferred.

use std::sync::Arc;

use super::analyzer::Analyzer;
use super::repeats::names;
use crate::declaration::Declared;
use crate::file::Undecoded;
use crate::file::proto::ValueInfoProto;
use crate::graph::NodeAt;
use crate::value::{Facts, Shared};
use shape_core::symbolic::{Cause, Reason};

impl<'m> Analyzer<'m, '_> {
    /// What is known of the value with this index: what is inferred, which an input of a graph has not, and what the
    /// declaration adds.
    pub(super) fn declared(
        &mut self,
        info: Undecoded<'m, ValueInfoProto>,
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
        // Where the declaration says what is inferred, and all is known, merging changes nothing.
        if let Some((shared, (bytes, _))) = inferred.zip(key)
            && let Some(read) = self.declarations_read.get(&(bytes, None))
            && (&read.ty, &read.dims) == (&shared.facts.ty, &shared.facts.dims)
            && shared.facts.has_no_hole()
        {
            return shared.clone();
        }
        let (findings, fresh) = (self.analysis.findings.added(), self.analysis.origins.len());
        let name = self.model.text(info.name());
        let (known, elements) = match inferred.map(|shared| &*shared.facts) {
            Some(Facts { ty, dims, elements, .. }) => {
                let inferred = Declared { ty: ty.clone(), dims: dims.clone() };
                (self.merge(name, inferred, info.message(), value, graph, at), elements.clone())
            }
            None => {
                let known = self.read(name, info.message().r#type.as_ref(), value, graph);
                (known, Err(Reason::here(Cause::GivenAtRun)))
            }
        };
        let Shared { facts, .. } = self.share(value, known, elements);
        if let Some(key) = key
            && self.analysis.findings.added() == findings
            && self.analysis.origins.len() == fresh
            && !names(&facts, |named| named >= value)
        {
            self.declarations_read.insert(key, Arc::clone(&facts));
        }
        Shared { facts, elements_from }
    }
}
