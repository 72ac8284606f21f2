//! The manifest of a runtime, and whether the runtime supports a node.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use shape_core::opset::canonical_domain;
use shape_core::runtime::ReleaseNumber;
use shape_core::types::Type;
use shape_core::{DataType, Registry, Schema};
use shape_model::file::Model;
use shape_model::{Analysis, NodeUse, UsedOperator, UsedTypes};
use shape_specs::manifest::{self, Builtin, Entry, Manifest, TakenAs};
use shape_specs::{Scope, Tables, tables};

use super::used;
use crate::descriptors::tables::ty;
use crate::descriptors::{Descriptors, invalid};
use crate::input;
use crate::terminal::{Exit, Terminal};

/// What a runtime supports.
pub(crate) struct Support {
    /// The file, or the runtime and its release.
    pub(super) label: String,
    /// The manifest without its entries.
    pub(super) head: Manifest,
    /// The entries, by domain and operator.
    kernels: HashMap<(String, String), Vec<Kernel>>,
    casts: Vec<(Type, Type, u32)>,
}

/// An entry of the manifest.
struct Kernel {
    versions: Option<Vec<u32>>,
    function: bool,
    opsets: Option<Vec<u32>>,
    types: Option<HashSet<Type>>,
    variables: HashMap<String, HashSet<Type>>,
}

/// How a runtime runs a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// By a kernel.
    Kernel,
    /// By a kernel for another type, which the tensors of the node are cast to.
    Cast,
    /// By the body that ONNX defines the operator by.
    Function,
    /// The nodes of a function of the model take its place.
    Call,
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
    /// The entries that have the version hold in other opsets only.
    Opset {
        /// The opsets that the entries list.
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
        /// A type that has all values of `found`, and with which the node is supported.
        wider: Option<Type>,
    },
}

/// The element types that have all values of another one, the nearest first.
const WIDER: [(DataType, &[DataType]); 9] = {
    use DataType::{Bfloat16, Bool, Double, Float, Float16, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64};
    [
        (Float16, &[Float, Double]),
        (Bfloat16, &[Float, Double]),
        (Float, &[Double]),
        (Int8, &[Int16, Int32, Int64]),
        (Int16, &[Int32, Int64]),
        (Int32, &[Int64]),
        (Uint8, &[Uint16, Int16, Int32, Uint32, Int64, Uint64]),
        (Uint16, &[Int32, Uint32, Int64, Uint64]),
        (Bool, &[Uint8, Int32, Int64]),
    ]
};

impl Support {
    /// Reads the manifest in a file. Reports all errors in it.
    pub(super) fn read(path: &Path, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        let bytes = input::text(path).map_err(|error| terminal.fail(&error))?;
        let descriptors = Descriptors::read(Scope::Facts, specs, terminal)?;
        let name = path.to_string_lossy();
        let read = manifest::read(&name, &bytes, descriptors.operators(), descriptors.tables);
        Ok(Self::new(name.into_owned(), read.map_err(|errors| terminal.fail_on_specs(&errors))?))
    }

    /// A manifest of this build, as in `onnxruntime-cpu@1.31.1`.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let builtin = manifest::named(name)?;
        // A release may have the manifest of a later one.
        let release = name.split_once('@').map_or(builtin.release, |(_, release)| release);
        let read = builtin.trusted(Tables::builtin().map_err(invalid)?);
        Ok(Self::new(format!("{} {release}", builtin.runtime), read.map_err(|errors| invalid(&errors))?))
    }

    /// The manifests of all releases of a runtime, the oldest first.
    pub(super) fn all(runtime: &str) -> Result<Vec<(ReleaseNumber, Self)>, String> {
        let read = Builtin::read_all(|of| of.runtime == runtime, Tables::builtin().map_err(invalid)?);
        let read = read.map_err(|errors| invalid(&errors))?.into_iter();
        let numbered = read.filter_map(|(builtin, manifest)| Some((builtin.release.parse().ok()?, manifest)));
        Ok(numbered.map(|(number, manifest)| (number, Self::new(String::new(), manifest))).collect())
    }

    fn new(label: String, mut head: Manifest) -> Self {
        let mut kernels: HashMap<_, Vec<Kernel>> = HashMap::new();
        for entry in std::mem::take(&mut head.entries) {
            let key = (entry.domain.clone(), entry.operator.clone());
            kernels.entry(key).or_default().push(Kernel::new(entry));
        }
        let tensor = |element: &tables::Element| ty(&tables::Type::Tensor(element.clone()));
        let casts = head.casts.iter().filter_map(|cast| Some((tensor(&cast.from)?, tensor(&cast.to)?, cast.since)));
        let casts = casts.collect();
        Self { label, head, kernels, casts }
    }

    /// The newest opset of a domain that the runtime reads, if there is a limit.
    pub(crate) fn newest_opset(&self, domain: &str) -> Option<u32> {
        self.head.opsets.iter().find(|row| row.domain == domain).map(|row| row.newest)
    }

    /// The opsets in which an entry may support the operator instead: those that entries list, and the nearest one of
    /// each other version that an entry has.
    pub(super) fn other_opsets(&self, versions: &[&'static Schema], since: u32) -> Vec<u32> {
        let Some(first) = versions.first() else { return Vec::new() };
        let kernels = self.kernels.get(&(first.domain.to_owned(), first.name.to_owned()));
        let mut opsets = Vec::new();
        for kernel in kernels.into_iter().flatten() {
            opsets.extend(kernel.opsets.iter().flatten());
            if kernel.opsets.is_none() {
                for (index, schema) in versions.iter().enumerate() {
                    if schema.since_version != since && kernel.has_version(Some(schema.since_version)) {
                        let next = versions.get(index + 1).map_or(u32::MAX, |next| next.since_version);
                        // The opset that is nearest to those of the version.
                        opsets.push(if schema.since_version > since { schema.since_version } else { next - 1 });
                    }
                }
            }
        }
        let newest = self.newest_opset(first.domain).unwrap_or(u32::MAX);
        opsets.retain(|opset| *opset <= newest);
        opsets.sort_unstable();
        opsets.dedup();
        opsets
    }

    /// Whether some entry takes the types of a node at another opset, where its operator has the same type variables.
    pub(super) fn takes_at(&self, node: &NodeUse<'_>, versions: &[&'static Schema], opset: u32) -> bool {
        let UsedOperator::Version(now) = node.operator else { return false };
        let Some(then) = versions.iter().copied().rfind(|schema| schema.since_version <= opset) else { return false };
        let renumbered = |used: &UsedTypes| {
            let name = now.types.get(used.variable?)?.name;
            let variable = then.types.iter().position(|constraint| constraint.name == name)?;
            let is_allowed = |ty: &Type| then.types.get(variable).is_some_and(|of| of.allow.contains(*ty));
            let fits = !used.open && used.known.iter().all(is_allowed);
            fits.then(|| UsedTypes { variable: Some(variable), ..used.clone() })
        };
        let Some(types) = node.types.iter().map(renumbered).collect::<Option<Vec<_>>>() else { return false };
        self.has(then, opset, &types)
    }

    /// The use of the nodes of a model as the runtime sees them: some with older versions, which it takes theirs for.
    pub(super) fn usage<'m>(&self, analysis: &Analysis<'m>, model: &'m Model, registry: &Registry) -> Vec<NodeUse<'m>> {
        let taken_as = |schema: &'static Schema| {
            let is_it = |row: &&TakenAs| {
                (&*row.domain, &*row.operator, row.version) == (schema.domain, schema.name, schema.since_version)
            };
            self.head.taken_as.iter().find(is_it).map(|row| row.older)
        };
        analysis.usage_as(model, registry, &taken_as)
    }

    /// Whether the runtime has a kernel, or runs a body, for a version with these types at an opset.
    pub(crate) fn has(&self, schema: &'static Schema, opset: u32, types: &[UsedTypes]) -> bool {
        let kernels = self.kernels.get(&(canonical_domain(schema.domain).to_owned(), schema.name.to_owned()));
        kernels.into_iter().flatten().any(|kernel| {
            kernel.has_version(Some(schema.since_version))
                && kernel.has_opset(Some(opset))
                && kernel.takes(Some(schema), types)
        })
    }

    /// How the runtime runs a node, or what it lacks for it. A call of a model-local function lacks nothing itself: the
    /// nodes of the function are checked.
    pub(super) fn of(&self, node: &NodeUse<'_>) -> Result<Way, Vec<Unsupported>> {
        let schema = match node.operator {
            UsedOperator::Function => return Ok(Way::Call),
            UsedOperator::Version(schema) => Some(schema),
            UsedOperator::NotImported | UsedOperator::Missing(_) => None,
        };
        let Some(kernels) = self.kernels.get(&(node.domain.to_owned(), node.op_type.to_owned())) else {
            return Err(vec![Unsupported::Operator]);
        };
        let since = used::version(node);
        let of_version: Vec<&Kernel> = kernels.iter().filter(|kernel| kernel.has_version(since)).collect();
        if of_version.is_empty() {
            let supported = numbers(kernels.iter().flat_map(|kernel| &kernel.versions));
            return Err(vec![Unsupported::Version { supported }]);
        }
        let here: Vec<&Kernel> = of_version.iter().filter(|kernel| kernel.has_opset(node.opset)).copied().collect();
        if here.is_empty() {
            let supported = numbers(of_version.iter().flat_map(|kernel| &kernel.opsets));
            return Err(vec![Unsupported::Opset { supported }]);
        }
        if let Some(kernel) = here.iter().find(|kernel| kernel.takes(schema, &node.types)) {
            return Ok(if kernel.function { Way::Function } else { Way::Kernel });
        }
        let has_body = here.iter().any(|kernel| kernel.function);
        for (from, to, first) in &self.casts {
            // A body takes the place of its node before anything is cast, and its nodes then get both types.
            let gives = |ty| node.types.iter().any(|used| used.of_input && used.known.contains(ty));
            if has_body && gives(from) && gives(to) {
                continue;
            }
            // Of other domains, nothing is known here of the opset of ai.onnx beside them.
            let is_cast = node.domain != "ai.onnx" || node.opset.is_some_and(|opset| opset >= *first);
            let is_cast = is_cast && gives(from);
            let cast = || with(&node.types, |ty| if ty == *from { *to } else { ty });
            if is_cast && here.iter().any(|kernel| !kernel.function && kernel.takes(schema, &cast())) {
                return Ok(Way::Cast);
            }
        }
        let lacking = here.iter().map(|kernel| node.types.iter().flat_map(|types| kernel.lacks(schema, types)));
        // An entry with fewer types that are certainly missing is better; then one with fewer unknown types.
        let mut nearest = lacking.map(Iterator::collect::<Vec<_>>).min_by_key(|unsupported| {
            let open = |trouble: &&Unsupported| matches!(trouble, Unsupported::Type { found: None, .. });
            let open = unsupported.iter().filter(open).count();
            (unsupported.len() - open, open)
        });
        for unsupported in nearest.iter_mut().flatten() {
            self.widen(unsupported, node, schema, &here);
        }
        Err(nearest.unwrap_or_default())
    }

    /// Finds a wider type of an input that makes the node supported.
    fn widen(
        &self,
        unsupported: &mut Unsupported,
        node: &NodeUse<'_>,
        schema: Option<&'static Schema>,
        kernels: &[&Kernel],
    ) {
        let Unsupported::Type { found: Some(found), wider, variable, .. } = unsupported else { return };
        let name = |used: &UsedTypes| used.variable.and_then(|variable| schema?.types.get(variable)).map(|of| of.name);
        if !node.types.iter().any(|used| used.of_input && name(used) == *variable && used.known.contains(found)) {
            return;
        }
        let is_found = |from: &DataType| Type::tensor(*from) == *found;
        let of_found = WIDER.iter().find(|(from, _)| is_found(from)).map_or(&[][..], |(_, to)| to);
        *wider = of_found.iter().copied().map(Type::tensor).find(|to| {
            let types = node.types.iter().flat_map(|used| {
                let is_of_variable = name(used) == *variable;
                with(std::slice::from_ref(used), |ty| if is_of_variable && ty == *found { *to } else { ty })
            });
            let types: Vec<UsedTypes> = types.collect();
            let is_allowed = types.iter().all(|used| {
                let constraint = used.variable.and_then(|variable| schema?.types.get(variable));
                constraint.is_none_or(|constraint| used.known.iter().all(|ty| constraint.allow.contains(*ty)))
            });
            is_allowed && kernels.iter().any(|kernel| kernel.takes(schema, &types))
        });
    }
}

/// The same with other known types.
fn with(types: &[UsedTypes], change: impl Fn(Type) -> Type) -> Vec<UsedTypes> {
    let known = |used: &UsedTypes| used.known.iter().copied().map(&change).collect();
    types.iter().map(|used| UsedTypes { known: known(used), ..used.clone() }).collect()
}

/// The numbers of lists, sorted, each once.
fn numbers<'l>(lists: impl Iterator<Item = &'l Vec<u32>>) -> Vec<u32> {
    let mut numbers: Vec<u32> = lists.flatten().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

impl Kernel {
    fn new(Entry { versions, function, opsets, types, variables, .. }: Entry) -> Self {
        // No model has a type that `onnxspec-core` cannot represent.
        let set = |types: Vec<tables::Type>| types.iter().filter_map(ty).collect::<HashSet<_>>();
        Self {
            versions,
            function,
            opsets,
            types: types.map(set),
            variables: variables.into_iter().map(|(name, types)| (name, set(types))).collect(),
        }
    }

    fn has_version(&self, since: Option<u32>) -> bool {
        self.versions.as_ref().is_none_or(|versions| since.is_some_and(|since| versions.contains(&since)))
    }

    fn has_opset(&self, opset: Option<u32>) -> bool {
        self.opsets.as_ref().is_none_or(|opsets| opset.is_some_and(|opset| opsets.contains(&opset)))
    }

    fn takes(&self, schema: Option<&'static Schema>, types: &[UsedTypes]) -> bool {
        types.iter().all(|types| self.lacks(schema, types).is_empty())
    }

    fn lacks(&self, schema: Option<&'static Schema>, used: &UsedTypes) -> Vec<Unsupported> {
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
            .map(|found| Unsupported::Type { variable, found, supported: supported.clone(), wider: None })
            .collect()
    }
}
