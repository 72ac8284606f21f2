//! Finds the model files that the arguments name: files, folders, and patterns that the shell did not replace.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::input::is_irregular;

/// The model files in the order of the arguments: of a folder, every `*.onnx` below it, sorted by path; of a pattern, what
/// it matches. A folder that cannot be read gives an error at its position; what a folder has that is not a file is added
/// to `skipped`.
pub(crate) fn named(arguments: &[PathBuf], skipped: &mut Vec<PathBuf>) -> Vec<Result<PathBuf, String>> {
    let mut named = Vec::new();
    for path in arguments.iter().flat_map(|argument| matched(argument)) {
        match path {
            Ok(path) if path.is_dir() => named.extend(below(&path, skipped)),
            path => named.push(path),
        }
    }
    named
}

/// The files and folders that an argument names, sorted by path: those that it matches, if it is a pattern such as
/// `models/*.onnx` or `**/model.onnx`, and otherwise itself. What exists is never a pattern.
pub(crate) fn matched(argument: &Path) -> Vec<Result<PathBuf, String>> {
    let pattern = argument.to_str().filter(|text| text.contains(['*', '?', '[']));
    let Some(pattern) = pattern.filter(|_| fs::symlink_metadata(argument).is_err()) else {
        return vec![Ok(argument.to_owned())];
    };
    let paths = match glob::glob(pattern) {
        Ok(paths) => paths,
        Err(error) => return vec![Err(format!("`{pattern}` is neither a file nor a pattern: {error}"))],
    };
    let mut matched: Vec<Result<PathBuf, String>> = paths.map(|path| path.map_err(|error| error.to_string())).collect();
    if matched.is_empty() {
        matched.push(Err(format!("no file matches `{pattern}`")));
    }
    matched
}

fn below(folder: &Path, skipped: &mut Vec<PathBuf>) -> Vec<Result<PathBuf, String>> {
    let mut entries = Vec::new();
    let mut folders = vec![folder.to_owned()];
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
        return vec![Err(format!("there is no model (`*.onnx`) in {}", folder.display()))];
    }
    entries.sort_by(|(left, _), (right, _)| left.cmp(right));
    let models = entries.into_iter().map(|(path, error)| match error {
        None => Ok(path),
        Some(error) => Err(format!("cannot read {}: {error}", path.display())),
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
