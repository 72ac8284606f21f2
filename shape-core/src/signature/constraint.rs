//! The type variables of a version.

use crate::types::TypeSet;

/// A type variable of an operator version.
#[derive(Clone, Copy, Debug)]
pub struct TypeConstraint {
    /// Its name: `T`.
    pub name: &'static str,
    /// The types that it may be bound to.
    pub allow: TypeSet,
    /// One sentence.
    pub doc: &'static str,
}

impl TypeConstraint {
    /// A variable of this name that may be bound to these types.
    #[must_use]
    pub const fn new(name: &'static str, allow: TypeSet, doc: &'static str) -> Self {
        Self { name, allow, doc }
    }
}
