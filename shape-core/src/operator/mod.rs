//! Operator versions as Rust types: the traits, and what generated structs share.

mod connections;
mod field;
mod gather;
#[doc(hidden)]
pub mod names;
#[doc(hidden)]
pub mod probe;
mod read;
mod succession;
mod traits;
mod versioned;

#[doc(hidden)]
pub use connections::{misfit, rest, values};
pub use field::{for_each, optional, required};
pub use read::{AnyVersion, ReadError, ReadNode, becomes};
#[doc(hidden)]
pub use read::{ReadFields, expect_domain, read_fields, read_in_force, read_named};
#[doc(hidden)]
pub use succession::misfit_of_versions;
pub use traits::{Infer, Operator};
#[doc(hidden)]
pub use versioned::{Fields, Held, Lister, Reader, Slot, Version, debug, default, read, same};
