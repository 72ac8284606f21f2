//! The manifest of a runtime, and whether the runtime supports a node.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use shape_core::Schema;
use shape_core::types::Type;
use shape_model::{NodeUse, UsedOperator, UsedTypes};
use shape_specs::manifest::{self, Entry};
use shape_specs::tables;

use crate::descriptors::Descriptors;
use crate::descriptors::tables::ty;
use crate::input;
use crate::terminal::{Exit, Terminal};

/// What a runtime supports: the entries of its manifest, by domain and operator.
pub(super) struct Support(HashMap<(String, String), Vec<Kernel>>);

/// An entry of the manifest.
struct Kernel {
    versions: Option<Vec<u32>>,
    types: Option<HashSet<Type>>,
    variables: HashMap<String, HashSet<Type>>,
}

/// Why a runtime does not support a node, or may not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unsupported {
    /// The manifest has no entry for the operator.
    Operator,
    /// No entry has the version, or the version is unknown and all entries list versions.
    Version {
        /// The versions that the entries list.
        supported: Vec<u32>,
    },
    /// The best entry does not have the type.
    Type {
        /// The type variable; `None` if the version is unknown.
        variable: Option<&'static str>,
        /// The type, or `None` if it is unknown.
        found: Option<Type>,
        /// The types that the entry lists.
        supported: Vec<Type>,
    },
}

impl Support {
    /// Reads a manifest. Reports all errors in it.
    pub(super) fn read(path: &Path, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        let bytes = input::text(path).map_err(|error| terminal.fail(&error))?;
        let descriptors = Descriptors::read(specs, terminal)?;
        let name = path.to_string_lossy();
        match manifest::read(&name, &bytes, descriptors.operators(), descriptors.tables) {
            Ok(manifest) => {
                let mut support = Self(HashMap::new());
                for entry in manifest.entries {
                    let key = (entry.domain.clone(), entry.operator.clone());
                    support.0.entry(key).or_default().push(Kernel::new(entry));
                }
                Ok(support)
            }
            Err(errors) => Err(terminal.fail_on_specs(&errors)),
        }
    }

    /// What the runtime lacks for a node. A call of a model-local function lacks nothing itself: the nodes of the
    /// function are checked.
    pub(super) fn unsupported(&self, node: &NodeUse<'_>) -> Vec<Unsupported> {
        let schema = match node.operator {
            UsedOperator::Function => return Vec::new(),
            UsedOperator::Version(schema) => Some(schema),
            UsedOperator::NotImported | UsedOperator::Missing(_) => None,
        };
        let Some(kernels) = self.0.get(&(node.domain.to_owned(), node.op_type.to_owned())) else {
            return vec![Unsupported::Operator];
        };
        let nearest = (kernels.iter().filter(|kernel| kernel.has_version(schema)))
            .map(|kernel| node.types.iter().flat_map(|types| kernel.types(schema, types)).collect::<Vec<_>>())
            // An entry with fewer types that are certainly missing is better; then one with fewer unknown types.
            .min_by_key(|unsupported| {
                let open = |trouble: &&Unsupported| matches!(trouble, Unsupported::Type { found: None, .. });
                let open = unsupported.iter().filter(open).count();
                (unsupported.len() - open, open)
            });
        nearest.unwrap_or_else(|| {
            let mut supported: Vec<u32> =
                kernels.iter().flat_map(|kernel| &kernel.versions).flatten().copied().collect();
            supported.sort_unstable();
            supported.dedup();
            vec![Unsupported::Version { supported }]
        })
    }
}

impl Kernel {
    fn new(Entry { versions, types, variables, .. }: Entry) -> Self {
        // No model has a type that `shape-core` cannot represent.
        let set = |types: Vec<tables::Type>| types.iter().filter_map(ty).collect::<HashSet<_>>();
        Self {
            versions,
            types: types.map(set),
            variables: variables.into_iter().map(|(name, types)| (name, set(types))).collect(),
        }
    }

    fn has_version(&self, schema: Option<&Schema>) -> bool {
        match (&self.versions, schema) {
            (None, _) => true,
            (Some(versions), Some(schema)) => versions.contains(&schema.since_version),
            (Some(_), None) => false,
        }
    }

    fn types(&self, schema: Option<&'static Schema>, used: &UsedTypes) -> Vec<Unsupported> {
        let constraint = used.variable.and_then(|variable| schema?.types.get(variable));
        // A constraint with one type leaves no choice: the version implies the type.
        if constraint.is_some_and(|constraint| constraint.allow.len() == 1) {
            return Vec::new();
        }
        let variable = constraint.map(|constraint| constraint.name);
        let for_variable = variable.and_then(|variable| self.variables.get(variable));
        let Some(types) = for_variable.or(self.types.as_ref()) else { return Vec::new() };
        let mut supported: Vec<Type> = types.iter().copied().collect();
        supported.sort_unstable();
        let lacking = used.known.iter().filter(|ty| !types.contains(ty)).copied().map(Some);
        lacking
            .chain(used.open.then_some(None))
            .map(|found| Unsupported::Type { variable, found, supported: supported.clone() })
            .collect()
    }
}
