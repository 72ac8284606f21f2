//! Operator versions as Rust types: the traits, and what generated structs share.

mod field;
mod operator;
#[doc(hidden)]
pub mod probe;
mod versioned;

pub use field::{for_each, optional, required};
#[doc(hidden)]
pub use operator::infer_whole;
pub use operator::{Infer, Operator};
#[doc(hidden)]
pub use versioned::{AttributeSource, Reader, Slot, Version, debug, for_each_field, read_as, same};
