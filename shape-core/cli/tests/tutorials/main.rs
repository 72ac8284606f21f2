//! The tutorials of `shape-core/README.md` and `specs/README.md`, followed with the commands and the code of the pages.

#![expect(clippy::unwrap_used, clippy::panic, reason = "clippy takes for tests only the functions with `#[test]`")]

mod custom_operators;
mod new_opset;

use std::path::Path;
use std::process::Command;

use shape_tests::{ending, output};

/// Runs the command in a folder; what it writes to standard output.
fn shape(folder: &Path, arguments: &[&str]) -> String {
    output(ending(&mut Command::new(env!("CARGO_BIN_EXE_shape"))).current_dir(folder).args(arguments)).unwrap()
}
