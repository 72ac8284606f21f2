//! Lowers a resolved operator to constants of shape-core's types: this alone decides what the static tables hold.
//!
//! shape-codegen prints a [`Constant`] as Rust, and `shape --specs` makes the same values of it at run time. This crate
//! depends on neither of them, nor on shape-core: it names types and fields, which the printer and the reader look up.

mod constant;
mod example;
mod part;
mod rule;
mod schema;
mod terms;
mod value;

pub use constant::{Constant, Fields, Rest, Struct};
pub use example::example;
pub use schema::{attribute, release, schema};
pub use value::{kind_of, value};
