//! Which version of an operator holds at an opset.

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, collections::BTreeMap, sync::Arc};
use core::cmp::Ordering;
use core::fmt;

use crate::operators;
use crate::opset::{Release, canonical_domain, releases};
use crate::schema::Schema;

/// The versions of each operator, oldest first; the operators sorted by domain and name.
type Table = [&'static [&'static Schema]];

/// Operator versions by domain, name and opset.
///
/// A lookup is a binary search over a static table: it allocates nothing and works without `std`. Operators of one's own
/// come beside those of the table with [`Registry::with`]; a clone shares them.
#[derive(Clone, Debug)]
pub struct Registry {
    table: &'static Table,
    /// Oldest first.
    releases: &'static [Release],
    /// For the table of this crate.
    index: Option<&'static Index>,
    /// Sorted as the table. An operator that is here has its versions of the table here too.
    #[cfg(feature = "alloc")]
    own: Option<Arc<[Box<[&'static Schema]>]>>,
}

/// What is searched instead of a table: numbers that lie side by side, where each name of the table would be another
/// place in memory.
#[derive(Debug)]
struct Index {
    /// The parts of the table that are of one domain each.
    domains: &'static [&'static Table],
    /// One an operator, in the order of the table.
    prefixes: &'static [Prefix],
}

/// The first sixteen bytes of a name, which sort as names do: few of those of a domain share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Prefix(u128);

impl Prefix {
    pub(crate) const fn of(name: &str) -> Self {
        let (bytes, mut prefix, mut index) = (name.as_bytes(), [0; 16], 0);
        while index < prefix.len() && index < bytes.len() {
            prefix[index] = bytes[index];
            index += 1;
        }
        Self(u128::from_be_bytes(prefix))
    }
}

impl Index {
    /// The versions of an operator.
    fn find(&self, domain: &str, name: &str) -> Option<&'static [&'static Schema]> {
        let first = |versions: &&'static [&'static Schema]| versions.first().copied();
        let mut begin = 0;
        for table in self.domains {
            let end = begin + table.len();
            if table.first().and_then(first).is_some_and(|first| first.domain == domain) {
                let (prefixes, prefix) = (self.prefixes.get(begin..end)?, Prefix::of(name));
                let at = prefixes.partition_point(|other| *other < prefix);
                let same = prefixes.get(at..)?.iter().take_while(|other| **other == prefix).count();
                let mut same = table.get(at..at + same)?.iter();
                return same.find(|versions| first(versions).is_some_and(|first| first.name == name)).copied();
            }
            begin = end;
        }
        None
    }
}

/// Two schemas of one operator that came with the same opset.
#[derive(Clone, Copy, Debug)]
pub struct Duplicate {
    /// The one that was there.
    pub first: &'static Schema,
    /// The one that came to it.
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

/// Why no version of an operator holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The opset is newer than the newest one known of the domain, which stands here.
    OpsetTooNew {
        /// The newest opset known.
        newest: u32,
    },
    /// The operator came with a later opset, which stands here.
    OperatorTooNew {
        /// The opset of the operator's first version.
        since: u32,
    },
    /// The registry does not have the operator in the domain.
    NoDescriptor,
}

impl Registry {
    /// The operators of this crate.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static INDEX: Index = Index { domains: operators::DOMAINS, prefixes: &operators::PREFIXES };
        static BUILTIN: Registry = Registry::new(&operators::OPERATORS, Some(&INDEX));
        &BUILTIN
    }

    /// The operators of a table, as [`operators!`](macro@crate::operators) writes it: the versions of each operator, oldest
    /// first, the operators sorted by domain and name. In a table that is not, some are not found.
    #[must_use]
    pub const fn of(table: &'static [&'static [&'static Schema]]) -> Self {
        Self::new(table, None)
    }

    const fn new(table: &'static Table, index: Option<&'static Index>) -> Self {
        Self {
            table,
            releases: releases(),
            index,
            #[cfg(feature = "alloc")]
            own: None,
        }
    }

    /// The same operators and further ones, in any order. Schemas of one operator are its versions, those of an operator
    /// that is there already further ones.
    ///
    /// # Errors
    /// Two versions of an operator came with the same opset.
    #[cfg(feature = "alloc")]
    pub fn with(&self, schemas: impl IntoIterator<Item = &'static Schema>) -> Result<Self, Duplicate> {
        self.beside(schemas, |domain, name| self.operator(domain, name))
    }

    /// The same operators and further ones, in any order. Schemas of one operator are its versions; an operator that is
    /// there already has these versions, and no longer those that it had.
    ///
    /// # Errors
    /// Two of the schemas are of one operator and came with the same opset.
    #[cfg(feature = "alloc")]
    pub fn replacing(&self, schemas: impl IntoIterator<Item = &'static Schema>) -> Result<Self, Duplicate> {
        self.beside(schemas, |_, _| &[])
    }

    /// The operators with others, which begin with the versions that `begin` gives them.
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
        for versions in self.own.iter().flat_map(|own| own.iter()) {
            let Some(first) = versions.first() else { continue };
            let others = others.entry((canonical_domain(first.domain), first.name));
            others.or_insert_with(|| versions.iter().map(|schema| (schema.since_version, *schema)).collect());
        }
        let own = others.into_values().map(|versions| versions.into_values().collect()).collect();
        Ok(Self { own: Some(own), ..*self })
    }

    /// The same operators, with other releases of ONNX, oldest first: the last one says what opsets and IR versions are
    /// known.
    #[must_use]
    pub fn with_releases(self, releases: &'static [Release]) -> Self {
        Self { releases, ..self }
    }

    /// The releases of ONNX, oldest first.
    #[must_use]
    pub fn releases(&self) -> &'static [Release] {
        self.releases
    }

    /// The newest opset known of a domain; `None` for a domain that ONNX does not define.
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

    /// All operators, each with its versions, oldest first: those of the table by domain and name, then one's own.
    pub fn operators(&self) -> impl Iterator<Item = &[&'static Schema]> {
        #[cfg(feature = "alloc")]
        let own = self.own.as_deref().unwrap_or_default();
        #[cfg(not(feature = "alloc"))]
        let own: &[&[&'static Schema]] = &[];
        let hidden = |first: &Schema| find(own, first.domain, first.name).is_some();
        let table = self.table.iter().map(|versions| -> &[&'static Schema] { versions });
        let table = table.filter(move |versions| !versions.first().is_some_and(|first| hidden(first)));
        table.chain(own.iter().map(|versions| -> &[&'static Schema] { versions }))
    }

    /// The versions of one operator, oldest first; none for an operator that is not known.
    #[must_use]
    pub fn operator(&self, domain: &str, name: &str) -> &[&'static Schema] {
        let domain = canonical_domain(domain);
        #[cfg(feature = "alloc")]
        if let Some(versions) = self.own.as_deref().and_then(|own| find(own, domain, name)) {
            return versions;
        }
        let found = match self.index {
            Some(index) => index.find(domain, name),
            None => find(self.table, domain, name).copied(),
        };
        found.unwrap_or_default()
    }

    /// The version that is in force at an opset: the latest one that is not newer.
    ///
    /// # Errors
    /// The opset is newer than what is known of the domain, the operator is newer than the opset, or it is not known at
    /// all; asked in this order.
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
        if let Some(newest) = self.newest_opset(domain).filter(|newest| opset > *newest) {
            return Err(Missing::OpsetTooNew { newest });
        }
        let versions = self.operator(domain, name);
        let first = versions.first().ok_or(Missing::NoDescriptor)?;
        let in_force = versions.partition_point(|schema| schema.since_version <= opset);
        in_force
            .checked_sub(1)
            .and_then(|at| versions.get(at).copied())
            .ok_or(Missing::OperatorTooNew { since: first.since_version })
    }
}

/// The versions of an operator, in a list that is sorted by domain and name.
fn find<'r, V: AsRef<[&'static Schema]>>(operators: &'r [V], domain: &str, name: &str) -> Option<&'r V> {
    let order = |versions: &V| {
        let order = |first: &&Schema| first.domain.cmp(domain).then_with(|| first.name.cmp(name));
        versions.as_ref().first().map_or(Ordering::Less, order)
    };
    operators.get(operators.binary_search_by(order).ok()?)
}

#[cfg(all(test, feature = "alloc", feature = "ai-onnx"))]
mod tests {
    use super::*;

    static FIRST: Schema = Schema { domain: "com.acme", name: "Gelu", since_version: 1, ..*operators::OPERATORS[0][0] };
    static SECOND: Schema = Schema { since_version: 3, ..FIRST };
    static OTHER: Schema = Schema { name: "Blur", ..FIRST };
    static NEWER: Schema = Schema { since_version: 27, ..*operators::OPERATORS[0][0] };

    #[test]
    fn own_beside_built_in() {
        let registry = Registry::builtin().with([&SECOND, &OTHER]).unwrap().with([&FIRST, &NEWER]).unwrap();
        let since = |domain, name, opset| registry.resolve(domain, name, opset).map(|schema| schema.since_version);
        assert_eq!(since("com.acme", "Gelu", 2), Ok(1));
        assert_eq!(since("com.acme", "Gelu", 99), Ok(3));
        assert_eq!(since("com.acme", "Blur", 1), Ok(1));
        assert_eq!(since("", "Gelu", 20), Ok(20));
        assert_eq!(since("", "Blur", 20), Err(Missing::NoDescriptor));
        assert_eq!(since("", "Shape", 17), Ok(15));
        // A version of one's own goes among those that are there.
        let newest = registry.operator("", NEWER.name).iter().map(|schema| schema.since_version).max();
        assert_eq!(newest, Some(27));
        let names = registry.operators().map(|versions| versions[0].name);
        assert_eq!(names.filter(|name| *name == NEWER.name).count(), 1, "each operator once");
        // The one it was made of has nothing of it.
        assert!(Registry::builtin().operator("com.acme", "Gelu").is_empty());
    }

    #[test]
    fn duplicates() {
        for schemas in [[&FIRST, &FIRST], [&SECOND, Registry::builtin().operator("", "Shape")[0]]] {
            let duplicate = Registry::builtin().with(schemas).unwrap_err();
            assert_eq!(duplicate.second.since_version, 1);
        }
        let twice = Registry::builtin().with([&FIRST]).unwrap().with([&FIRST]).unwrap_err();
        assert_eq!(
            alloc::format!("{twice}"),
            "com.acme::Gelu has two versions since opset 1; one of them must have another"
        );
    }
}
