//! The folder that the site is written into. A list of its files is kept in it, so that the next run knows what is its own.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::frame::File;
use crate::json::SCHEMA_VERSION;
use crate::output::Inputs;

/// The list of the files of the site.
const LIST: &str = "shape-docs.json";

#[derive(Deserialize, Serialize)]
struct List {
    schema_version: u32,
    /// So that a file with the same name and another meaning is not taken for the list.
    written_by: String,
    files: Vec<String>,
}

const WRITTEN_BY: &str = "shape docs";

/// A folder that is new, empty, or has a site.
pub(super) struct Folder {
    path: PathBuf,
    /// The files that an earlier run wrote.
    old: Vec<String>,
}

/// How many files were changed.
pub(super) struct Written {
    pub(super) written: usize,
    pub(super) deleted: usize,
}

impl Folder {
    /// Fails if the folder has files that nothing says are of a site.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Self { path: path.to_owned(), old: Vec::new() });
            }
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return Err(format!("{shown} is a file; `-o` takes a folder"));
            }
            Err(error) => return Err(format!("cannot read {shown}: {error}")),
        };
        let mut names: Vec<String> = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| format!("cannot read {shown}: {error}"))?;
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
        names.sort_unstable();
        if names.iter().any(|name| name == LIST) {
            return Ok(Self { path: path.to_owned(), old: read(&path.join(LIST))? });
        }
        match names.first() {
            None => Ok(Self { path: path.to_owned(), old: Vec::new() }),
            Some(name) => Err(format!(
                "{shown} has files that `shape docs` did not write, such as `{name}`; give a folder that is new or empty"
            )),
        }
    }

    /// Writes what is new or differs, each file under a temporary name until it is complete, and deletes what an earlier
    /// run wrote and this one does not. `inputs` are files that it may not replace.
    pub(super) fn write(&self, files: &[File], inputs: &Inputs) -> Result<Written, String> {
        let new: BTreeSet<&str> = files.iter().map(|file| &*file.path).collect();
        let stale: Vec<&str> = self.old.iter().map(|path| &**path).filter(|path| !new.contains(path)).collect();
        self.make_folders(files)?;
        // Until the end, what is of either run is known to be of a site.
        self.list(new.iter().copied().chain(stale.iter().copied()), inputs)?;
        let written = AtomicUsize::new(0);
        files.par_iter().try_for_each(|file| {
            let target = self.path.join(&file.path);
            if fs::read(&target).is_ok_and(|old| old == file.bytes) {
                return Ok(());
            }
            written.fetch_add(1, Ordering::Relaxed);
            inputs.replace(&target, &file.bytes)
        })?;
        let mut deleted = 0;
        for path in stale {
            deleted += usize::from(self.delete(path)?);
        }
        self.list(new.iter().copied(), inputs)?;
        Ok(Written { written: written.into_inner(), deleted })
    }

    /// Makes the folders of files. None may lead out of the site, as a link could.
    fn make_folders(&self, files: &[File]) -> Result<(), String> {
        let cannot = |path: &Path, error: std::io::Error| format!("cannot create {}: {error}", path.display());
        fs::create_dir_all(&self.path).map_err(|error| cannot(&self.path, error))?;
        let root = fs::canonicalize(&self.path).map_err(|error| cannot(&self.path, error))?;
        let folders: HashSet<&Path> = files.iter().filter_map(|file| Path::new(&file.path).parent()).collect();
        folders.into_par_iter().try_for_each(|folder| {
            let path = self.path.join(folder);
            fs::create_dir_all(&path).map_err(|error| cannot(&path, error))?;
            let real = fs::canonicalize(&path).map_err(|error| cannot(&path, error))?;
            if real == root.join(folder) {
                return Ok(());
            }
            let (path, real) = (path.display(), real.display());
            Err(format!("{path} is not in the folder of the site but leads to {real}; remove that link"))
        })
    }

    /// Deletes a file of an earlier run, and the folders that it leaves empty. Returns whether it was still there.
    fn delete(&self, path: &str) -> Result<bool, String> {
        let target = self.path.join(path);
        let root = fs::canonicalize(&self.path).unwrap_or_default();
        let parent = target.parent().and_then(|parent| fs::canonicalize(parent).ok());
        if !parent.is_some_and(|parent| parent.starts_with(&root)) {
            return Ok(false);
        }
        match fs::remove_file(&target) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(format!("cannot delete {}: {error}", target.display())),
        }
        let above = Path::new(path).ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        // One that is not empty stays, and so do those above it.
        above.map(|folder| fs::remove_dir(self.path.join(folder))).take_while(Result::is_ok).for_each(drop);
        Ok(true)
    }

    fn list<'f>(&self, files: impl Iterator<Item = &'f str>, inputs: &Inputs) -> Result<(), String> {
        let mut files: Vec<String> = files.map(str::to_owned).collect();
        files.sort_unstable();
        let list = List { schema_version: SCHEMA_VERSION, written_by: WRITTEN_BY.to_owned(), files };
        let mut bytes = Vec::new();
        crate::json::write(&mut bytes, &list).map_err(|error| format!("cannot write {LIST}: {error}"))?;
        inputs.replace(&self.path.join(LIST), &bytes)
    }
}

/// The files that a list names.
fn read(list: &Path) -> Result<Vec<String>, String> {
    let shown = list.display();
    let refused =
        |why: &str| format!("{shown} is no list of the files of a site: {why}; give a folder that is new or empty");
    let bytes = fs::read(list).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let List { written_by, files, .. } = serde_json::from_slice(&bytes).map_err(|error| refused(&error.to_string()))?;
    if written_by != WRITTEN_BY {
        return Err(refused(&format!("it was written by `{written_by}`")));
    }
    // Files are deleted by it.
    let is_inside = |path: &String| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    match files.iter().find(|path| !is_inside(path)) {
        Some(outside) => Err(refused(&format!("`{outside}` is not below it"))),
        None => Ok(files),
    }
}
