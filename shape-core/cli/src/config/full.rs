//! Absolute paths with links to folders resolved, by which files are compared.

use std::fs;
use std::path::{Path, PathBuf};

/// A path from the root, with links to folders resolved; a link to a file keeps its name, since caches of models have
/// such links.
pub(crate) fn full(path: &Path) -> PathBuf {
    let (folder, name) = match path.file_name() {
        Some(name) => (path.parent().filter(|parent| !parent.as_os_str().is_empty()), Some(name)),
        None => (Some(path), None),
    };
    let folder = folder.unwrap_or(Path::new("."));
    let folder =
        fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.to_owned());
    name.map_or_else(|| folder.clone(), |name| folder.join(name))
}
