//! What a manifest says: its head and its entries.

use std::collections::HashSet;

use crate::tables::{Element, Type};

/// What a runtime supports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    /// The runtime's name, with the device where it has several: `onnxruntime-cpu`.
    pub runtime: Option<String>,
    /// Its release.
    pub release: Option<String>,
    /// What the entries were read from, and what that leaves out.
    pub sources: Vec<String>,
    /// The newest IR version of a file that it reads; `None` if nothing is known of a limit.
    pub ir_version: Option<u32>,
    /// The newest opsets that it reads; a domain that is not in it has no known limit.
    pub opsets: Vec<NewestOpset>,
    /// The element types that it casts where a node is not supported as it is.
    pub casts: Vec<Cast>,
    /// The versions that it does not know, and takes for an older one where a node has nothing that this one lacks.
    pub taken_as: Vec<TakenAs>,
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
}

/// The newest opset of a domain that a runtime reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewestOpset {
    /// The domain, `ai.onnx` for the default one.
    pub domain: String,
    /// The opset.
    pub newest: u32,
}

/// A cast that a runtime makes for a node that it does not support: if an input has the type `from`, all of the node's
/// tensors of that type are cast to `to` before it, and back after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    /// The element type of the node's tensors.
    pub from: Element,
    /// The one that they are cast to.
    pub to: Element,
    /// The first opset of `ai.onnx` in which the runtime makes the cast.
    pub since: u32,
}

/// A version of an operator that a runtime takes for an older one: an opset got it after the runtime had learned the opset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenAs {
    /// The domain, `ai.onnx` for the default one.
    pub domain: String,
    /// The operator.
    pub operator: String,
    /// The version.
    pub version: u32,
    /// The one that it is taken for.
    pub older: u32,
}

/// An operator that a runtime supports, with limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its domain, `ai.onnx` for the default one.
    pub domain: String,
    /// Its name.
    pub operator: String,
    /// The supported versions, by the opsets that introduced them; `None` for all.
    pub versions: Option<Vec<u32>>,
    /// Whether the runtime has no kernel for it, and runs the body that ONNX defines it by.
    pub function: bool,
    /// The opsets of its domain in which it is supported; `None` for all that select one of the versions.
    pub opsets: Option<Vec<u32>>,
    /// The supported types of type variables that are not in `variables`; `None` for all.
    pub types: Option<Vec<Type>>,
    /// The supported types of individual type variables, by name.
    pub variables: Vec<(String, Vec<Type>)>,
}

impl Manifest {
    /// Goes on from the manifest of an older release: what is not said here is as it stands there, but for the operators of
    /// which nothing holds any more.
    pub(super) fn extend(&mut self, base: Self, without: &[&str]) {
        // What the older release takes for something else, this one may know.
        let Self { runtime: _, release: _, sources, ir_version, opsets, casts, taken_as: _, entries } = base;
        self.ir_version = self.ir_version.or(ir_version);
        let own = |domain: &str| self.opsets.iter().any(|row| row.domain == domain);
        let others: Vec<NewestOpset> = opsets.into_iter().filter(|row| !own(&row.domain)).collect();
        self.opsets.splice(0..0, others);
        if self.casts.is_empty() {
            self.casts = casts;
        }
        if self.sources.is_empty() {
            self.sources = sources;
        }
        let names: HashSet<(&str, &str)> =
            self.entries.iter().map(|entry| (&*entry.domain, &*entry.operator)).collect();
        let holds = |entry: &Entry| {
            !names.contains(&(&*entry.domain, &*entry.operator)) && !without.iter().any(|name| entry.is_of(name))
        };
        let others: Vec<Entry> = entries.into_iter().filter(holds).collect();
        self.entries.extend(others);
        self.entries.sort_by(|left, right| (&left.domain, &left.operator).cmp(&(&right.domain, &right.operator)));
    }
}

impl Entry {
    /// Whether it is of an operator: `Gelu`, or `com.acme::Gelu` for one of another domain than ONNX's.
    pub(super) fn is_of(&self, path: &str) -> bool {
        let (domain, name) = path.rsplit_once("::").unwrap_or(("ai.onnx", path));
        self.domain == domain && self.operator == name
    }

    /// Whether the entry includes a version.
    #[must_use]
    pub fn has_version(&self, since: u32) -> bool {
        self.versions.as_ref().is_none_or(|versions| versions.contains(&since))
    }

    /// Whether the entry holds in an opset.
    #[must_use]
    pub fn has_opset(&self, opset: u32) -> bool {
        self.opsets.as_ref().is_none_or(|opsets| opsets.contains(&opset))
    }

    /// The supported types of a type variable; `None` for all.
    #[must_use]
    pub fn types_of(&self, variable: &str) -> Option<&[Type]> {
        let of_variable = self.variables.iter().find(|(name, _)| name == variable).map(|(_, types)| types);
        of_variable.or(self.types.as_ref()).map(Vec::as_slice)
    }
}
