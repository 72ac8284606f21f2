//! Operator versions as Rust types: the traits, and what generated structs share.

mod field;
#[doc(hidden)]
pub mod probe;
mod traits;
mod versioned;

pub use field::{for_each, optional, required};
pub use traits::{Infer, Operator};
#[doc(hidden)]
pub use versioned::{AttributeSource, Reader, Slot, Version, debug, for_each_field, read_as, same};
