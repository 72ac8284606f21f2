//! Operator versions as Rust types: the traits, and what generated structs share.

mod connections;
mod field;
mod gather;
#[doc(hidden)]
pub mod names;
#[doc(hidden)]
pub mod probe;
mod read;
mod traits;
mod versioned;

#[doc(hidden)]
pub use connections::{misfit, rest, values};
pub use field::{for_each, optional, required};
pub use read::{AnyVersion, ReadError, ReadNode, becomes};
#[doc(hidden)]
pub use read::{expect_domain, read_in_force, read_named};
pub use traits::{Infer, Operator};
#[doc(hidden)]
pub use versioned::{Fields, Held, Lister, Reader, Slot, Version, debug, default, read, same};
