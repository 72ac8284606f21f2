//! The derives `Operator`, `OperatorVersions` and `AttributeEnum`.
//!
//! A struct is read into the same tree and the same `Document` as a descriptor, with tokens instead of positions. So each
//! field of the language has one name, the checks and messages are those of a descriptor, and the same code generates its
//! tables.

mod attribute_enum;
mod errors;
mod expand;
mod field;
mod items;
mod operator;
mod parameters;
mod read;
mod tree;
mod versions;

pub use attribute_enum::derive_attribute_enum;
pub(crate) use items::split;
pub use operator::derive_operator;
pub use versions::derive_operator_versions;
