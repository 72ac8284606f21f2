//! Pages whose commands and code a test takes as they stand.

use std::path::Path;
use std::process::Command;
use std::{env, io};

use crate::root;

/// A part of a page, between two lines of three backticks or outside of them.
#[derive(Clone, Copy, Debug)]
pub enum Part<'p> {
    /// What is read.
    Prose(&'p str),
    /// What is run, written or compared.
    Block {
        /// What stands behind the backticks that begin it.
        language: &'p str,
        /// Its lines.
        text: &'p str,
    },
}

/// The parts of a section of a page, which begins with this heading and ends before the next of its level; what stands
/// before, and what behind it.
#[must_use]
pub fn section<'p>(page: &'p str, heading: &str) -> Option<(&'p str, Vec<Part<'p>>, &'p str)> {
    let begin = page.find(&format!("\n{heading}\n"))? + heading.len() + 2;
    let (before, rest) = page.split_at_checked(begin)?;
    let (section, after) = rest.split_at_checked(rest.find("\n## ").unwrap_or(rest.len()))?;
    let parts = section.split("```").enumerate().map(|(index, part)| match part.split_once('\n') {
        Some((language, text)) if index % 2 == 1 => Part::Block { language, text },
        _ => Part::Prose(part),
    });
    Some((before, parts.collect(), after))
}

/// Runs cargo in a folder; what it writes to standard output.
///
/// # Errors
/// It cannot be run, or fails: then what it writes to standard error.
pub fn cargo(folder: &Path, change: impl FnOnce(&mut Command)) -> io::Result<String> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).env_remove("RUSTFLAGS").env_remove("INSTA_WORKSPACE_ROOT");
    change(&mut command);
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(io::Error::other(text(&output.stdout) + &text(&output.stderr)))
    }
}

/// Runs the command `shape` of this tree in a folder; what it writes to standard output.
///
/// # Errors
/// It cannot be built, or fails: then what it writes.
pub fn shape(folder: &Path, arguments: &[&str]) -> io::Result<String> {
    cargo(folder, |command| {
        command.args(["run", "--quiet", "--offline", "--package", "shape-cli", "--manifest-path"]);
        command.arg(root().join("Cargo.toml")).arg("--").args(arguments);
    })
}
