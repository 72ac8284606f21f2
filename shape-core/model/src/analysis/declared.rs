//! What the declaration of a value, such as a graph input, tells of it: its type, and its dimensions as numbers or symbols.
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

/// What is known of a declared value before its declaration is read.
#[derive(Clone, Copy)]
pub(super) enum Before<'a> {
    /// Nothing: the caller of the model gives it.
    Nothing,
    /// Nothing here: the value is an initializer, whose elements are read separately.
    Initializer,
    /// What is inferred.
    Inferred(&'a Shared),
}

impl<'a> Before<'a> {
    const fn inferred(self) -> Option<&'a Shared> {
        if let Self::Inferred(shared) = self { Some(shared) } else { None }
    }

    /// A number for it, beside those of shared facts.
    fn number(self) -> u64 {
        match self {
            Self::Nothing => u64::MAX,
            Self::Initializer => u64::MAX - 1,
            Self::Inferred(shared) => shared.facts.number,
        }
    }
}

impl<'m> Analyzer<'m, '_> {
    /// What is known of the value with this index: what is known before, and what the declaration adds.
    pub(super) fn declared(
        &mut self,
        info: Undecoded<'m, ValueInfoProto>,
        before: Before<'_>,
        value: u32,
        graph: usize,
        at: Option<NodeAt<'m>>,
    ) -> Shared {
        let inferred = before.inferred();
        let elements_from = inferred.map_or(Reason::HERE, |shared| shared.elements_from);
        let key = info.type_bytes().map(|bytes| (bytes, before.number()));
        if let Some(known) = key.and_then(|key| self.declarations_read.get(&key)) {
            return Shared { facts: Arc::clone(known), elements_from };
        }
        // Where the declaration says what is inferred, and all is known, merging changes nothing.
        if let Some((shared, (bytes, _))) = inferred.zip(key)
            && let Some(read) = self.declarations_read.get(&(bytes, Before::Nothing.number()))
            && (&read.ty, &read.dims) == (&shared.facts.ty, &shared.facts.dims)
            && shared.facts.has_no_hole()
        {
            return shared.clone();
        }
        let (findings, fresh) = (self.analysis.findings.added(), self.analysis.origins.len());
        let claims = (self.claims.len(), self.claimed.len());
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
        let Shared { facts, .. } = match before {
            // What the initializer leaves unknown gets symbols then.
            Before::Initializer => self.shared.share(value, known.ty, known.dims, elements, &self.memory).0,
            _ => self.share(value, known, elements),
        };
        if let Some(key) = key
            && self.analysis.findings.added() == findings
            && self.analysis.origins.len() == fresh
            && (self.claims.len(), self.claimed.len()) == claims
            && !names(&facts, |named| named >= value)
        {
            self.declarations_read.insert(key, Arc::clone(&facts));
        }
        Shared { facts, elements_from }
    }
}
