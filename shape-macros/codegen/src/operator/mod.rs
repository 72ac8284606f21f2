//! Generates the module of one operator.
//!
//! **Architecture Invariant.** Every path is absolute and no item of a prelude is named, so that the code compiles
//! wherever it is put. What can be written once is written in onnxspec-core; generated are only tables and thin
//! structs.
//!
//! Neighbouring versions with the same attributes share a struct, which has the opset of the version as a
//! parameter. Most versions only allow more types, and cost a table and a few lines each.

mod connections;
mod enums;
mod module;
mod schema;
mod structs;

pub(crate) use module::{any_lifetime, patterns};
pub use module::{operator, version};
pub(crate) use schema::schema_of;
pub(crate) use structs::operator_impl;
