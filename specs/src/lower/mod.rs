//! Lowers a resolved operator to constants of onnxspec-core's types: this module alone decides what static tables
//! contain.
//!
//! onnxspec-codegen prints a [`Constant`] as Rust, and `shape --specs` builds the same values at run time. This crate
//! depends on neither of them, nor on onnxspec-core: it refers to types and fields by name, and the printer and the
//! reader look them up. Examples become a text, which onnxspec-core reads.

mod adapter;
mod constant;
mod example;
mod part;
mod requirement;
mod rule;
mod schema;
mod terms;
mod value;

pub use constant::{Constant, Fields, Rest, SchemaName, Struct};
pub use example::examples;
pub use schema::{attribute, earlier_schemas, release, runtime, schema};
pub use value::{kind_of, value};
