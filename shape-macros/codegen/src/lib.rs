// Only rustdoc reads the page, so that an edit of it builds nothing anew.
#![cfg_attr(doc, doc = include_str!("../README.md"))]
#![cfg_attr(not(doc), doc = env!("CARGO_PKG_DESCRIPTION"))]

mod builtin;
mod constant;
mod derive;
mod docs;
mod element;
mod errors;
mod examples;
mod field_type;
mod files;
mod names;
mod operator;
mod operators;
mod opsets;
mod packed;
mod paths;
mod profile;
mod rules;
mod tables;
mod types;

pub use builtin::{profile, tables};
pub use derive::{derive_attribute_enum, derive_operator, derive_operator_versions};
pub use examples::examples;
pub use operator::{operator, version};
pub use operators::operators;
pub use paths::with_core;

#[cfg(test)]
mod tests;
