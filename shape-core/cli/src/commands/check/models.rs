//! Finds the model files that the arguments name.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::report::Unread;
use crate::input::is_irregular;

/// A model file.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) path: PathBuf,
    /// Whether it was found in a folder, and not named itself.
    pub(super) is_found: bool,
}

/// The model files in the order of the arguments: of a folder, every `*.onnx` below it, sorted by path. A folder that
/// cannot be read gives an error at its position; what a folder has that is not a file is added to `skipped`.
pub(super) fn named(arguments: &[PathBuf], skipped: &mut Vec<PathBuf>) -> Vec<Result<Named, Unread>> {
    let mut named = Vec::new();
    for path in arguments {
        if path.is_dir() {
            named.extend(below(path, skipped));
        } else {
            named.push(Ok(Named { path: path.clone(), is_found: false }));
        }
    }
    named
}

fn below(top: &Path, skipped: &mut Vec<PathBuf>) -> Vec<Result<Named, Unread>> {
    let mut entries = Vec::new();
    let mut folders = vec![top.to_owned()];
    while let Some(folder) = folders.pop() {
        if let Err(error) = search(&folder, &mut folders, &mut entries) {
            entries.push((folder, Some(error)));
        }
    }
    entries.retain(|(path, _)| {
        let irregular = is_irregular(path);
        skipped.extend(irregular.then(|| path.clone()));
        !irregular
    });
    if entries.is_empty() {
        let error = format!("there is no model (`*.onnx`) in {}", top.display());
        return vec![Err(Unread { path: top.to_owned(), error })];
    }
    entries.sort_by(|(left, _), (right, _)| left.cmp(right));
    let models = entries.into_iter().map(|(path, error)| match error {
        None => Ok(Named { path, is_found: true }),
        Some(error) => {
            let error = format!("cannot read {}: {error}", path.display());
            Err(Unread { path, error })
        }
    });
    models.collect()
}

/// Adds the models and folders of one folder. A link to a file counts as a file, because model caches use such links; a
/// link to a folder is ignored, because it may lead back up.
fn search(
    folder: &Path,
    folders: &mut Vec<PathBuf>,
    entries: &mut Vec<(PathBuf, Option<io::Error>)>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            folders.push(path);
        } else if path.extension().is_some_and(|extension| extension == "onnx") && !path.is_dir() {
            entries.push((path, None));
        }
    }
    Ok(())
}
