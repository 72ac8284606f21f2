//! Finds the version of an operator that is in force at an opset.

mod index;

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, collections::BTreeMap, sync::Arc};
use core::cmp::Ordering;
use core::fmt;

use crate::operators;
use crate::opset::{Release, canonical_domain, releases};
use crate::runtime::RuntimeRelease;
use crate::schema::{Schema, in_force};

pub use crate::schema::Missing;
use index::Index;

/// The versions of each operator, oldest first; the operators sorted by domain and name.
type Table = [&'static [&'static Schema]];

/// Operator versions by domain, name and opset.
///
/// A lookup of a built-in operator reads one slot of a perfect hash that the compiler made: it allocates nothing and works
/// without `std`. [`Registry::with`] adds custom operators, which are found by a binary search; a clone shares them.
#[derive(Clone, Debug)]
pub struct Registry {
    tables: Tables,
    /// Oldest first.
    releases: &'static [Release],
    /// The release of a runtime whose operators are meant.
    runtime: Option<RuntimeRelease>,
    /// Sorted like a table. An operator in this list has its versions from the tables here too.
    #[cfg(feature = "alloc")]
    custom: Option<Arc<[Box<[&'static Schema]>]>>,
}

/// The static tables of a registry.
#[derive(Clone, Copy, Debug)]
enum Tables {
    One(&'static Table),
    Builtin,
}

const SLOTS: usize = index::slots(operators::DOMAINS);
static INDEX: Index<{ index::buckets(SLOTS) }, SLOTS> = Index::new(operators::DOMAINS);

impl Tables {
    fn iter(&self) -> impl Iterator<Item = &'static Table> + use<> {
        let (one, domains) = match *self {
            Self::One(table) => (Some(table), &[][..]),
            Self::Builtin => (None, operators::DOMAINS),
        };
        one.into_iter().chain(domains.iter().copied())
    }

    /// The versions of an operator.
    fn find(&self, domain: &str, name: &str) -> Option<&'static [&'static Schema]> {
        match *self {
            Self::One(table) => find(table, domain, name).copied(),
            Self::Builtin => INDEX.find(domain, name),
        }
    }
}

/// Two schemas of one operator with the same opset.
#[derive(Clone, Copy, Debug)]
pub struct Duplicate {
    /// The existing one.
    pub first: &'static Schema,
    /// The added one.
    pub second: &'static Schema,
}

impl fmt::Display for Duplicate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Schema { domain, name, since_version, .. } = self.second;
        write!(
            formatter,
            "{domain}::{name} has two versions since opset {since_version}; one of them must have another"
        )
    }
}

impl core::error::Error for Duplicate {}

impl Registry {
    /// The operators of this crate.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static BUILTIN: Registry = Registry::new(Tables::Builtin);
        &BUILTIN
    }

    /// The operators of a table that [`operators!`](macro@crate::operators) generated: the versions of each operator, oldest
    /// first, the operators sorted by domain and name. In a table that is not sorted, lookups miss operators.
    #[must_use]
    pub const fn of(table: &'static [&'static [&'static Schema]]) -> Self {
        Self::new(Tables::One(table))
    }

    const fn new(tables: Tables) -> Self {
        Self {
            tables,
            releases: releases(),
            runtime: None,
            #[cfg(feature = "alloc")]
            custom: None,
        }
    }

    /// Adds operators, in any order. Several schemas of one operator are its versions; they are added to those that the
    /// registry already has.
    ///
    /// # Errors
    /// Two versions of an operator have the same opset.
    #[cfg(feature = "alloc")]
    pub fn with(&self, schemas: impl IntoIterator<Item = &'static Schema>) -> Result<Self, Duplicate> {
        self.beside(schemas, |domain, name| self.operator(domain, name))
    }

    /// Adds operators, in any order. Several schemas of one operator are its versions; they replace those that the registry
    /// already has.
    ///
    /// # Errors
    /// Two of the schemas are of one operator and have the same opset.
    #[cfg(feature = "alloc")]
    pub fn replacing(&self, schemas: impl IntoIterator<Item = &'static Schema>) -> Result<Self, Duplicate> {
        self.beside(schemas, |_, _| &[])
    }

    /// Adds operators; an added operator starts with the versions that `begin` returns for it.
    #[cfg(feature = "alloc")]
    fn beside<'s>(
        &'s self,
        schemas: impl IntoIterator<Item = &'static Schema>,
        begin: impl Fn(&str, &str) -> &'s [&'static Schema],
    ) -> Result<Self, Duplicate> {
        type Operators = BTreeMap<(&'static str, &'static str), BTreeMap<u32, &'static Schema>>;
        let mut others = Operators::new();
        for second in schemas {
            let (domain, name) = (canonical_domain(second.domain), second.name);
            let versions = others
                .entry((domain, name))
                .or_insert_with(|| begin(domain, name).iter().map(|schema| (schema.since_version, *schema)).collect());
            if let Some(first) = versions.insert(second.since_version, second) {
                return Err(Duplicate { first, second });
            }
        }
        for versions in self.custom.iter().flat_map(|custom| custom.iter()) {
            let Some(first) = versions.first() else { continue };
            let others = others.entry((canonical_domain(first.domain), first.name));
            others.or_insert_with(|| versions.iter().map(|schema| (schema.since_version, *schema)).collect());
        }
        let custom = others.into_values().map(|versions| versions.into_values().collect()).collect();
        Ok(Self { custom: Some(custom), ..*self })
    }

    /// Replaces the releases of ONNX, oldest first; the last one has the newest known opsets and IR version.
    #[must_use]
    pub fn with_releases(self, releases: &'static [Release]) -> Self {
        Self { releases, ..self }
    }

    /// The releases of ONNX, oldest first.
    #[must_use]
    pub fn releases(&self) -> &'static [Release] {
        self.releases
    }

    /// The same registry with the operators of a runtime as one of its releases has them: what that release does not have is
    /// not found. Without a release the newest one is meant.
    ///
    /// ```
    /// # #[cfg(feature = "com-microsoft")] {
    /// use shape_core::{Registry, registry::Missing, runtime};
    /// let registry = Registry::builtin().clone().of_release(runtime::release("onnxruntime@1.24.4").unwrap());
    /// let missing = registry.resolve("com.microsoft", "LinearAttention", 1).unwrap_err();
    /// assert_eq!(missing.to_string(), "the operator came with onnxruntime 1.25.1");
    /// # }
    /// ```
    #[must_use]
    pub fn of_release(self, release: RuntimeRelease) -> Self {
        Self { runtime: Some(release), ..self }
    }

    /// The release of a runtime that is meant, if one was chosen.
    #[must_use]
    pub fn release(&self) -> Option<RuntimeRelease> {
        self.runtime
    }

    /// The newest known opset of a domain; `None` for a domain that ONNX does not define.
    ///
    /// ```
    /// use shape_core::Registry;
    /// assert!(Registry::builtin().newest_opset("") >= Some(28));
    /// assert_eq!(Registry::builtin().newest_opset("com.acme"), None);
    /// ```
    #[must_use]
    pub fn newest_opset(&self, domain: &str) -> Option<u32> {
        self.releases.last()?.newest(domain)
    }

    /// The versions of each operator, oldest first: first the operators of the tables by domain and name, then custom ones.
    pub fn operators(&self) -> impl Iterator<Item = &[&'static Schema]> {
        #[cfg(feature = "alloc")]
        let custom = self.custom.as_deref().unwrap_or_default();
        #[cfg(not(feature = "alloc"))]
        let custom: &[&[&'static Schema]] = &[];
        let hidden = |first: &Schema| find(custom, first.domain, first.name).is_some();
        let table = self.tables.iter().flatten().map(|versions| -> &[&'static Schema] { versions });
        let table = table.filter(move |versions| !versions.first().is_some_and(|first| hidden(first)));
        table.chain(custom.iter().map(|versions| -> &[&'static Schema] { versions }))
    }

    /// The versions of one operator, oldest first; none for an operator that is not known.
    #[must_use]
    pub fn operator(&self, domain: &str, name: &str) -> &[&'static Schema] {
        let domain = canonical_domain(domain);
        #[cfg(feature = "alloc")]
        if let Some(versions) = self.custom.as_deref().and_then(|custom| find(custom, domain, name)) {
            return versions;
        }
        self.tables.find(domain, name).unwrap_or_default()
    }

    /// The version that is in force at an opset: the latest one that is not newer.
    ///
    /// # Errors
    /// The opset is newer than the newest known one of the domain, the operator is newer than the opset, the operator is
    /// unknown, or the chosen release does not have it; checked in this order.
    ///
    /// ```
    /// # #[cfg(feature = "ai-onnx")] {
    /// use shape_core::{Registry, registry::Missing};
    /// let registry = Registry::builtin();
    /// assert_eq!(registry.resolve("", "Shape", 17).unwrap().since_version, 15);
    /// assert!(matches!(registry.resolve("", "Shape", 999), Err(Missing::OpsetTooNew { .. })));
    /// assert_eq!(registry.resolve("com.acme", "Shape", 1).unwrap_err(), Missing::NoDescriptor);
    /// # }
    /// ```
    pub fn resolve(&self, domain: &str, name: &str, opset: u32) -> Result<&'static Schema, Missing> {
        let versions = self.operator(domain, name);
        let (_, schema) = in_force(versions, self.newest_opset(domain), opset)?;
        self.as_released(schema)
    }

    /// A version as the chosen release of its runtime has it.
    fn as_released(&self, schema: &'static Schema) -> Result<&'static Schema, Missing> {
        let Some(release) = self.runtime else { return Ok(schema) };
        schema.in_release(release).ok_or_else(|| {
            let first = schema.by_release().next().and_then(|first| first.release);
            Missing::ReleaseTooOld { first: first.unwrap_or(release) }
        })
    }

    /// The version in force, or the one that a runtime has on its own ([`of_runtime`]) where there is none.
    ///
    /// # Errors
    /// There is neither, or the opset is newer than the newest known one: what it means is not known.
    pub fn resolve_or_of_runtime(&self, domain: &str, name: &str, opset: u32) -> Result<&'static Schema, Missing> {
        self.resolve(domain, name, opset).or_else(|missing| match missing {
            Missing::OpsetTooNew { .. } | Missing::ReleaseTooOld { .. } => Err(missing),
            Missing::OperatorTooNew { .. } | Missing::NoDescriptor => {
                self.as_released(of_runtime(domain, name, opset).ok_or(missing)?)
            }
        })
    }
}

/// The version of an operator that a runtime registers on its own in a domain of ONNX, and selects at an opset; `None` if no
/// runtime has one, or refuses the operator there.
///
/// A node of it is no node of ONNX: [`Registry::resolve`] does not find it.
///
/// ```
/// # #[cfg(feature = "onnxruntime-in-onnx")] {
/// use shape_core::registry::of_runtime;
/// let since = |opset| of_runtime("", "Affine", opset).map(|schema| schema.since_version);
/// assert_eq!((since(9), since(10)), (Some(1), None));
/// # }
/// ```
#[must_use]
pub fn of_runtime(domain: &str, name: &str, opset: u32) -> Option<&'static Schema> {
    let domain = canonical_domain(domain);
    let versions = operators::RUNTIMES.iter().find_map(|table| find(table, domain, name))?;
    let (_, schema) = in_force(versions, None, opset).ok()?;
    (!schema.deprecated).then_some(schema)
}

/// The versions of an operator, in a list that is sorted by domain and name.
fn find<'r, V: AsRef<[&'static Schema]>>(operators: &'r [V], domain: &str, name: &str) -> Option<&'r V> {
    let order = |versions: &V| {
        let order = |first: &&Schema| first.domain.cmp(domain).then_with(|| first.name.cmp(name));
        versions.as_ref().first().map_or(Ordering::Less, order)
    };
    operators.get(operators.binary_search_by(order).ok()?)
}
