#![doc = include_str!("../../README.md")]
//!
//! ---
//!
//! This crate holds the tests that cross the crates of the project; what one crate does is tested in that crate. The
//! README stands above so that its examples are compiled and run. Here is what several tests share.

pub mod page;

use std::path::Path;
use std::{fs, io};

/// The root of the repository.
#[must_use]
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Copies a folder with all that is in it but what was built there.
///
/// # Errors
/// What cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, target) = (entry.file_name(), to.join(entry.file_name()));
        if !entry.file_type()?.is_dir() {
            fs::copy(entry.path(), target)?;
        } else if name != "target" {
            copy(&entry.path(), &target)?;
        }
    }
    Ok(())
}
