//! Finds the model files that the arguments name: files, folders, and patterns that the shell did not replace.

use std::path::{Path, PathBuf};
use std::{fs, io};

use glob::GlobError;

use crate::input::is_irregular;

/// A model file.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) path: PathBuf,
    /// Whether it was found in a folder, and not named itself.
    pub(crate) is_found: bool,
}

/// A model that could not be read or checked, a folder that could not be read, or a pattern without a match.
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    pub(crate) path: PathBuf,
    pub(crate) error: String,
}

/// The model files in the order of the arguments: of a folder, every `*.onnx` below it, sorted by path; of a pattern, what
/// it matches. A folder that cannot be read gives an error at its position; what a folder has that is not a file is added
/// to `skipped`.
pub(crate) fn named(arguments: &[PathBuf], skipped: &mut Vec<PathBuf>) -> Vec<Result<Named, Unread>> {
    found(arguments.iter().flat_map(|argument| matched(argument)), skipped)
}

/// The same as [`named`] for paths from elsewhere than the command line: none of them is a pattern.
pub(crate) fn listed(paths: Vec<PathBuf>, skipped: &mut Vec<PathBuf>) -> Vec<Result<Named, Unread>> {
    found(paths.into_iter().map(Ok), skipped)
}

fn found(
    paths: impl Iterator<Item = Result<PathBuf, Unread>>,
    skipped: &mut Vec<PathBuf>,
) -> Vec<Result<Named, Unread>> {
    let mut named = Vec::new();
    for path in paths {
        match path {
            Ok(path) if path.is_dir() => named.extend(below(&path, skipped)),
            path => named.push(path.map(|path| Named { path, is_found: false })),
        }
    }
    named
}

/// The files and folders that an argument names, sorted by path: those that it matches, if it is a pattern such as
/// `models/*.onnx` or `**/model.onnx`, and otherwise itself. What exists is never a pattern.
pub(crate) fn matched(argument: &Path) -> Vec<Result<PathBuf, Unread>> {
    let pattern = argument.to_str().filter(|text| text.contains(['*', '?', '[']));
    let Some(pattern) = pattern.filter(|_| fs::symlink_metadata(argument).is_err()) else {
        return vec![Ok(argument.to_owned())];
    };
    let unread = |error| vec![Err(Unread { path: argument.to_owned(), error })];
    let paths = match glob::glob(pattern) {
        Ok(paths) => paths,
        Err(error) => return unread(format!("`{pattern}` is neither a file nor a pattern: {error}")),
    };
    let unreadable = |error: GlobError| Unread { path: error.path().to_owned(), error: error.to_string() };
    let matched: Vec<_> = paths.map(|path| path.map_err(unreadable)).collect();
    if matched.is_empty() { unread(format!("no file matches `{pattern}`")) } else { matched }
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
