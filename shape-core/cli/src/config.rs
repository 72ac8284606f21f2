//! The settings for findings from `shape.toml` and the command line: which are reported, and with which severity.
//!
//! The command line is a layer above that of the file. Of one layer, the selector that says most about a code decides:
//! the code itself before a prefix, a long prefix before a short one, and any of them before `ALL`.

mod args;
mod error;
mod file;
mod folders;
mod full;
mod glob;
mod layer;
mod level;
mod selector;
mod settings;

pub(crate) use args::ConfigArgs;
pub(crate) use error::ConfigError;
pub(crate) use file::Deny;
pub(crate) use folders::{Folders, candidates};
pub(crate) use full::full;
pub(crate) use settings::Settings;

#[cfg(test)]
mod tests;
