//! The derives `Operator` and `AttributeEnum`.
//!
//! A struct is read into the same `Document` as a descriptor, with tokens instead of positions. So it gets the same
//! checks and messages as a descriptor, and the same code generates its tables.

mod attribute_enum;
mod errors;
mod expand;
mod field;
mod items;
mod operator;
mod parameters;
mod read;

pub use attribute_enum::derive_attribute_enum;
pub(crate) use items::split;
pub use operator::derive_operator;
