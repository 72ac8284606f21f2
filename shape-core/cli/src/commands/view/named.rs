//! Opens a session with the descriptors of `--specs`, and gives each model the name that the page shows.

use std::path::{Path, PathBuf};

use super::session::Session;
use crate::descriptors::Specs;
use crate::input;

/// A session with the descriptors of `--specs`.
pub(super) fn session(specs: &[PathBuf]) -> Result<Session, String> {
    let specs = if specs.is_empty() { None } else { Some(Specs::read(specs)?) };
    Session::new(specs)
}

/// The name of a model on the page.
pub(super) fn name(path: &Path) -> String {
    let path = input::label(path);
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
