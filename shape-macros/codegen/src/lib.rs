#![doc = include_str!("../README.md")]

mod builtin;
mod constant;
mod custom;
mod derive;
mod docs;
mod element;
mod errors;
mod examples;
mod field_type;
mod files;
mod line;
mod names;
mod operator;
mod opsets;
mod packed;
mod paths;
mod profile;
mod rules;
mod tables;
mod types;

pub use builtin::{builtin, checks, profile};
pub use custom::custom_operators;
pub use derive::{derive_attribute_enum, derive_operator};
pub use examples::{builtin_examples, custom_examples};
pub use line::schema_line;
pub use operator::{operator, version};
pub use opsets::{opset_modules, table};
pub use paths::with_core;

#[cfg(test)]
mod tests;
