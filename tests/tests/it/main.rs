//! The tests that cross crates. They are one program, since each further one costs a link.

#![expect(clippy::unwrap_used, clippy::panic, reason = "clippy takes for tests only the functions with `#[test]`")]

mod conversion;
pub mod custom;
pub mod derive;
mod derive_in_full;
mod derive_table;
mod everything;
mod floors;
pub mod generated;
mod hand_written;
mod hygiene;
mod operator_names;
mod rebuild;
mod schema;

/// The rules that descriptors and structs name by their paths.
mod rules {
    pub(crate) use crate::custom::rules::stack;
    pub(crate) use crate::derive::rules::turned;
    pub(crate) use crate::everything::{pair, spread};
}
