//! The models that the arguments name.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The models in the order of the arguments, of a folder each `*.onnx` below it in the order of their paths; in place of
/// what cannot be looked into stands why.
pub(super) fn named(arguments: &[PathBuf]) -> Vec<Result<PathBuf, String>> {
    let mut named = Vec::new();
    for path in arguments {
        if path.is_dir() {
            named.extend(below(path));
        } else {
            named.push(Ok(path.clone()));
        }
    }
    named
}

fn below(folder: &Path) -> Vec<Result<PathBuf, String>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if let Err(error) = look_into(&folder, &mut folders, &mut found) {
            found.push((folder, Some(error)));
        }
    }
    if found.is_empty() {
        return vec![Err(format!("there is no model (`*.onnx`) in {}", folder.display()))];
    }
    found.sort_by(|(left, _), (right, _)| left.cmp(right));
    let told = found.into_iter().map(|(path, error)| match error {
        None => Ok(path),
        Some(error) => Err(format!("cannot read {}: {error}", path.display())),
    });
    told.collect()
}

/// A link to a file is a file, as caches of models have them; one to a folder is passed by, since it may lead back up.
fn look_into(
    folder: &Path,
    folders: &mut Vec<PathBuf>,
    found: &mut Vec<(PathBuf, Option<io::Error>)>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            folders.push(path);
        } else if path.extension().is_some_and(|extension| extension == "onnx") && !path.is_dir() {
            found.push((path, None));
        }
    }
    Ok(())
}
