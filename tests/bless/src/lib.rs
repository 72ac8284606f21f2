//! Files of the repository that a test makes anew and compares with.
//!
//! A test calls [`expect`] with what it found. Under `cargo bless`, which sets the variable `BLESS`, that writes the file;
//! otherwise it fails with the lines that differ and with the command that writes them. [`targets`] lists all such files,
//! each with the test that holds it.

use std::path::{Path, PathBuf};
use std::{env, fs};

use similar::{ChangeTag, TextDiff};

pub mod snapshot;
pub mod targets;

/// What a message shows of a difference at most, in lines; more is seen by `cargo bless --show` or in Git.
const MOST_LINES: usize = 20;
/// And of a line, in characters.
const MOST_CHARACTERS: usize = 160;

/// Whether files are to be written instead of compared: `cargo bless` runs the tests so.
///
/// A test asks for it itself only where there is more to do than [`expect`] does.
pub fn blessing() -> bool {
    env::var_os("BLESS").is_some()
}

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Holds a file to what a test found, or writes it under `cargo bless`.
///
/// # Panics
///
/// If the file says something else, with the lines that differ and the command that writes it; or if it cannot be written.
///
/// ```should_panic
/// # // Under `cargo bless` it would be written.
/// # assert!(!shape_bless::blessing());
/// shape_bless::expect(&shape_bless::root().join("specs/codes.schema.json"), "{}\n");
/// ```
#[track_caller]
#[expect(clippy::panic, reason = "a test fails by panicking")]
pub fn expect(path: &Path, found: &str) {
    if let Some(difference) = difference(path, found) {
        panic!("{difference}");
    }
}

/// How a file differs from what a test found, and the command that writes it: nothing if they are the same, and nothing
/// under `cargo bless`, which writes the file. For a test that tells of several files at once.
///
/// # Panics
///
/// If the file cannot be written.
pub fn difference(path: &Path, found: &str) -> Option<String> {
    // A file that is not there is one without a line.
    let committed = fs::read_to_string(path).unwrap_or_default();
    if committed == found {
        return None;
    }
    if blessing() {
        let written = fs::write(path, found);
        assert!(written.is_ok(), "{}: {written:?}", path.display());
        return None;
    }
    let file = targets::name_in_repository(path);
    let names: Vec<&str> = targets::of_file(&file).map(|target| target.name).collect();
    let command = match names[..] {
        [] => "no target of `cargo bless` writes it: add it to tests/bless/src/targets.rs".to_owned(),
        _ => format!("`cargo bless {}` writes it", names.join(" ")),
    };
    Some(format!("{file} is out of date; {command}:\n{}", lines_that_differ(&committed, found)))
}

/// The first lines that are only in one of two texts, each with its number in that text: `-12: old`, `+12: new`.
pub fn lines_that_differ(old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let changed = diff.iter_all_changes().filter_map(|change| {
        let (sign, at) = match change.tag() {
            ChangeTag::Equal => return None,
            ChangeTag::Delete => ('-', change.old_index()),
            ChangeTag::Insert => ('+', change.new_index()),
        };
        let line = change.value().trim_end_matches('\n');
        let cut: String = line.chars().take(MOST_CHARACTERS).collect();
        let more = if cut.len() < line.len() { " ..." } else { "" };
        Some(format!("{sign}{}: {cut}{more}\n", at.unwrap_or_default() + 1))
    });
    let mut lines: Vec<String> = changed.collect();
    if lines.is_empty() && old != new {
        return "only the end of the last line\n".to_owned();
    }
    if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        lines.truncate(MOST_LINES);
        lines.push(format!("and {more} lines more\n"));
    }
    lines.concat()
}

/// The lines that a diff replaces, and those that take their place, with the lines that stay: `-old`, `+new`, ` both`.
pub fn sides(diff: &str) -> (String, String) {
    let without = |other: char| {
        let lines = diff.lines().filter(|line| !line.starts_with(other));
        lines.map(|line| line.get(1..).unwrap_or_default().to_owned() + "\n").collect()
    };
    (without('+'), without('-'))
}
