// Only rustdoc reads the page, so that an edit of it builds nothing anew.
#![cfg_attr(doc, doc = include_str!("../README.md"))]
#![cfg_attr(not(doc), doc = env!("CARGO_PKG_DESCRIPTION"))]

pub mod adapter;
pub mod de;
pub mod document;
pub mod lower;
pub mod manifest;
pub mod names;
pub mod operator;
pub mod profile;
pub mod relation;
pub mod rules;
pub mod signature;
pub mod tables;
pub mod terms;

mod adapter_check;
mod context;
mod descriptors;
mod error;
mod examples;
mod release;
mod resolve;
mod rule_check;
#[cfg(test)]
mod schema;
mod scope;
mod tokens;
mod validate;
mod versions;

pub use shape_yaml as yaml;

pub use descriptors::{DESCRIPTOR_SCHEMA, DESCRIPTORS, RUNTIME_DESCRIPTORS, builtin};
pub use error::{CODES, DocumentError, NOWHERE, SpecError, SpecErrors};
pub use operator::{Operator, arity};
pub use resolve::{Draft, resolve, resolve_all, resolve_scope};
pub use scope::Scope;
pub use tables::Tables;
