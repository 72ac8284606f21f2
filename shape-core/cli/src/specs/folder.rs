//! The descriptors of a folder, and the tables that they share.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use shape_specs::{SpecError, Tables};

/// A file with the name that its errors are told under.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// What was read of files and folders.
#[derive(Default)]
pub(crate) struct Files {
    /// The files that were asked for, tables among them.
    pub(crate) files: Vec<File>,
    /// The tables of the folders that single files lie in, where those were not asked for.
    beside: Vec<File>,
    /// What could not be read.
    pub(crate) troubles: Vec<String>,
}

impl Files {
    /// The descriptors, each with its name.
    pub(crate) fn descriptors(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.files.iter().map(|file| (&*file.name, &*file.bytes));
        files.filter(|(name, _)| Tables::file(name).is_none())
    }

    /// The tables that the descriptors are read with, and all that is wrong with those of the folders.
    pub(crate) fn tables(&self) -> (Tables, Vec<SpecError>) {
        Tables::of_folder(self.files.iter().chain(&self.beside).map(|file| (&*file.name, &*file.bytes)))
    }
}

/// The folder that `--specs` names, where something is written: `specs` if it names none.
pub(crate) fn one(specs: &[PathBuf]) -> Result<&Path, &'static str> {
    match specs {
        [] => Ok(Path::new("specs")),
        [one] => Ok(one),
        [..] => Err("--specs must name one folder here"),
    }
}

/// Reads files, and of a folder each `*.yaml` in it and in the folders in it, which are the domains; a file that is
/// reached on two ways once. What cannot be read does not keep the others from being read.
pub(crate) fn read(paths: &[PathBuf]) -> Files {
    let mut read = Files::default();
    let mut seen = HashSet::new();
    let mut is_new = |path: &Path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
    for path in paths {
        let found = if path.is_dir() { yaml_files(path, 2) } else { Ok(vec![path.clone()]) };
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                read.troubles.push(format!("cannot read {}: {error}", path.display()));
                continue;
            }
        };
        if found.is_empty() {
            read.troubles.push(format!("there is no descriptor (`*.yaml`) in {}", path.display()));
        }
        for path in found {
            match file(&path) {
                Ok(_) if !is_new(&path) => {}
                Ok(file) => read.files.push(file),
                Err(trouble) => read.troubles.push(trouble),
            }
        }
    }
    for path in paths.iter().filter(|path| path.is_file()) {
        let Files { beside, troubles, .. } = beside(path);
        read.beside.extend(beside.into_iter().filter(|table| is_new(Path::new(&table.name))));
        read.troubles.extend(troubles);
    }
    read
}

/// Reads the tables that belong to a descriptor: it lies in the folder of its domain, and they beside that.
pub(crate) fn beside(descriptor: &Path) -> Files {
    let mut read = Files::default();
    let folder = std::path::absolute(descriptor).ok().and_then(|path| Some(path.parent()?.parent()?.to_owned()));
    let tables = folder.iter().flat_map(|folder| Tables::FILES.map(|(name, _)| folder.join(name)));
    for table in tables.filter(|path| path.is_file()) {
        match file(&table) {
            Ok(file) => read.beside.push(file),
            Err(trouble) => read.troubles.push(trouble),
        }
    }
    read
}

/// Reads a file; otherwise what keeps it from being read.
fn file(path: &Path) -> Result<File, String> {
    let name = path.display().to_string();
    fs::read(path).map(|bytes| File { name, bytes }).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The files of a folder and of those in it, in the order of their names; as deep as `depth` folders.
fn yaml_files(folder: &Path, depth: usize) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        if entry.is_dir() {
            if depth > 1 {
                files.extend(yaml_files(&entry, depth - 1)?);
            }
        } else if entry.extension().is_some_and(|extension| extension == "yaml") {
            files.push(entry);
        }
    }
    Ok(files)
}
