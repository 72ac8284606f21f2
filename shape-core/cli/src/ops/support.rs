//! What a runtime supports, by its manifest: a node of a model held against it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use shape_core::Schema;
use shape_core::types::Type;
use shape_model::{NodeUse, UsedOperator, UsedTypes};
use shape_specs::manifest::{self, Entry};
use shape_specs::tables;

use crate::described::Described;
use crate::described::tables::ty;
use crate::terminal::{Exit, Terminal};

/// What a runtime supports.
pub(super) struct Support(HashMap<(String, String), Vec<Kernel>>);

/// An entry of the manifest.
struct Kernel {
    versions: Option<Vec<u32>>,
    types: Option<HashSet<Type>>,
    variables: HashMap<String, HashSet<Type>>,
}

/// Why a node is not supported, or may not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// There is no entry of its operator.
    Operator,
    /// No entry has the version, which is unknown where none holds.
    Version {
        /// The versions that entries have.
        supported: Vec<u32>,
    },
    /// A type that the nearest entry does not have.
    Type {
        /// The type variable; `None` where no version is known.
        variable: Option<&'static str>,
        /// The type; `None` for one that is not known.
        found: Option<Type>,
        /// The types that the entry has.
        supported: Vec<Type>,
    },
}

impl Support {
    /// Reads a manifest; otherwise all that is wrong with it has been told.
    pub(super) fn read(path: &Path, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        let bytes =
            std::fs::read(path).map_err(|error| terminal.fail(&format!("cannot read {}: {error}", path.display())))?;
        let described = Described::read(specs, terminal)?;
        let name = path.to_string_lossy();
        match manifest::read(&name, &bytes, described.operators(), described.tables) {
            Ok(manifest) => {
                let mut support = Self(HashMap::new());
                for entry in manifest.entries {
                    let key = (entry.domain.clone(), entry.operator.clone());
                    support.0.entry(key).or_default().push(Kernel::new(entry));
                }
                Ok(support)
            }
            Err(mistakes) => Err(terminal.refuse(&mistakes)),
        }
    }

    /// What stands against a node; nothing where an entry has all of it, and for a call, since the nodes of the
    /// function are looked at.
    pub(super) fn troubles(&self, node: &NodeUse<'_>) -> Vec<Trouble> {
        let schema = match node.operator {
            UsedOperator::Function => return Vec::new(),
            UsedOperator::Version(schema) => Some(schema),
            UsedOperator::NotImported | UsedOperator::Missing(_) => None,
        };
        let Some(kernels) = self.0.get(&(node.domain.to_owned(), node.op_type.to_owned())) else {
            return vec![Trouble::Operator];
        };
        let nearest = (kernels.iter().filter(|kernel| kernel.has_version(schema)))
            .map(|kernel| node.types.iter().flat_map(|types| kernel.types(schema, types)).collect::<Vec<_>>())
            // A type that is known and lacks weighs more than any number of those that may be there.
            .min_by_key(|troubles| {
                let open = |trouble: &&Trouble| matches!(trouble, Trouble::Type { found: None, .. });
                let open = troubles.iter().filter(open).count();
                (troubles.len() - open, open)
            });
        nearest.unwrap_or_else(|| {
            let mut supported: Vec<u32> =
                kernels.iter().flat_map(|kernel| &kernel.versions).flatten().copied().collect();
            supported.sort_unstable();
            supported.dedup();
            vec![Trouble::Version { supported }]
        })
    }
}

impl Kernel {
    fn new(Entry { versions, types, variables, .. }: Entry) -> Self {
        // A type that the core cannot hold is none that a model has.
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

    fn types(&self, schema: Option<&'static Schema>, used: &UsedTypes) -> Vec<Trouble> {
        let constraint = used.variable.and_then(|variable| schema?.types.get(variable));
        // Where there is nothing to choose, whoever has the version has the type.
        if constraint.is_some_and(|constraint| constraint.allow.len() == 1) {
            return Vec::new();
        }
        let variable = constraint.map(|constraint| constraint.name);
        let own = variable.and_then(|variable| self.variables.get(variable));
        let Some(types) = own.or(self.types.as_ref()) else { return Vec::new() };
        let mut supported: Vec<Type> = types.iter().copied().collect();
        supported.sort_unstable();
        let lacking = used.known.iter().filter(|ty| !types.contains(ty)).copied().map(Some);
        lacking
            .chain(used.open.then_some(None))
            .map(|found| Trouble::Type { variable, found, supported: supported.clone() })
            .collect()
    }
}
