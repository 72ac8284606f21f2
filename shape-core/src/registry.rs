//! Which version of an operator holds at an opset.

use core::cmp::Ordering;

use crate::opset::{canonical_domain, newest};
use crate::schema::Schema;

/// Operator versions by domain, name and opset.
///
/// A lookup is a binary search over a static table: it allocates nothing and works without `std`.
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    /// The versions of each operator, oldest first; the operators sorted by domain and name.
    operators: &'static [&'static [&'static Schema]],
}

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
    pub const fn builtin() -> Self {
        Self { operators: crate::OPERATORS }
    }

    /// All operators by domain and name, each with its versions, oldest first.
    #[must_use]
    pub fn operators(&self) -> &'static [&'static [&'static Schema]] {
        self.operators
    }

    /// The versions of one operator, oldest first; none for an operator that is not known.
    #[must_use]
    pub fn operator(&self, domain: &str, name: &str) -> &'static [&'static Schema] {
        let domain = canonical_domain(domain);
        let found = self.operators.binary_search_by(|versions| {
            let order = |first: &&Schema| first.domain.cmp(domain).then_with(|| first.name.cmp(name));
            versions.first().map_or(Ordering::Less, order)
        });
        found.ok().and_then(|at| self.operators.get(at).copied()).unwrap_or_default()
    }

    /// The version that is in force at an opset: the latest one that is not newer.
    ///
    /// # Errors
    /// The opset is newer than what is known of the domain, the operator is newer than the opset, or it is not known at
    /// all; asked in this order.
    ///
    /// ```
    /// use shape_core::{Registry, registry::Missing};
    /// let registry = Registry::builtin();
    /// assert_eq!(registry.resolve("", "Shape", 17).unwrap().since_version, 15);
    /// assert_eq!(registry.resolve("", "Shape", 999).unwrap_err(), Missing::OpsetTooNew { newest: 28 });
    /// assert_eq!(registry.resolve("com.acme", "Shape", 1).unwrap_err(), Missing::NoDescriptor);
    /// ```
    pub fn resolve(&self, domain: &str, name: &str, opset: u32) -> Result<&'static Schema, Missing> {
        if let Some(newest) = newest(domain).filter(|newest| opset > *newest) {
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
