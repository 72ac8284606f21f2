//! Reads the descriptors of a folder, and the tables that they share.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use shape_specs::{SpecError, Tables};

use crate::input::{self, is_irregular};
use crate::terminal::Terminal;

/// A file, with the name that errors in it show.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The files that were read.
#[derive(Default)]
pub(crate) struct Files {
    /// The requested files, with the tables among them.
    pub(crate) files: Vec<File>,
    /// The tables that belong to a requested descriptor but were not requested themselves.
    beside: Vec<File>,
    /// What could not be read, and why.
    pub(crate) errors: Vec<String>,
    /// What a folder has that is not a file, such as a pipe with the name of a descriptor.
    skipped: Vec<PathBuf>,
}

impl Files {
    /// Reports what could not be read, and notes what was skipped.
    pub(crate) fn report(&self, terminal: &mut Terminal) {
        self.errors.iter().for_each(|error| terminal.error(format_args!("{error}")));
        self.skipped.iter().for_each(|path| terminal.skipped(path));
    }

    /// The descriptors, each with its name.
    pub(crate) fn descriptors(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.files.iter().map(|file| (&*file.name, &*file.bytes));
        files.filter(|(name, _)| Tables::file(name).is_none())
    }

    /// The tables that the descriptors use, and all errors in the table files.
    pub(crate) fn tables(&self) -> (Tables, Vec<SpecError>) {
        Tables::of_folder(self.all().map(|file| (&*file.name, &*file.bytes)))
    }

    /// All files, with the tables that were not requested themselves.
    pub(crate) fn all(&self) -> impl Iterator<Item = &File> {
        self.files.iter().chain(&self.beside)
    }
}

/// Reads files and folders: of a folder, each `*.yaml` in it and in its subfolders, which are domains. A file that two
/// paths lead to is read once. If one file cannot be read, the others still are.
pub(crate) fn read(paths: &[PathBuf]) -> Files {
    let mut read = Files::default();
    let mut seen = HashSet::new();
    let mut is_new = |path: &Path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
    for path in paths {
        let of_path = match named(path, &mut read.skipped) {
            Ok(of_path) => of_path,
            Err(error) => {
                read.errors.push(format!("cannot read {}: {error}", path.display()));
                continue;
            }
        };
        if of_path.is_empty() {
            read.errors.push(format!("there is no descriptor (`*.yaml`) in {}", path.display()));
        }
        for path in of_path {
            match file(&path) {
                Ok(_) if !is_new(&path) => {}
                Ok(file) => read.files.push(file),
                Err(error) => read.errors.push(error),
            }
        }
    }
    for path in paths.iter().filter(|path| path.is_file()) {
        let Files { beside, errors, .. } = beside(path);
        read.beside.extend(beside.into_iter().filter(|table| is_new(Path::new(&table.name))));
        read.errors.extend(errors);
    }
    read
}

/// The files that [`read`] reads, as far as they can be listed.
pub(crate) fn paths(paths: &[PathBuf]) -> Vec<PathBuf> {
    let named = paths.iter().flat_map(|path| named(path, &mut Vec::new()).unwrap_or_default());
    let tables = paths.iter().filter(|path| path.is_file()).flat_map(|path| tables_beside(path));
    named.chain(tables).collect()
}

/// Reads the tables that belong to a descriptor.
pub(crate) fn beside(descriptor: &Path) -> Files {
    let mut read = Files::default();
    for table in tables_beside(descriptor) {
        match file(&table) {
            Ok(file) => read.beside.push(file),
            Err(error) => read.errors.push(error),
        }
    }
    read
}

/// The tables that belong to a descriptor. It is in the folder of its domain; the tables are beside that folder.
fn tables_beside(descriptor: &Path) -> Vec<PathBuf> {
    let folder = std::path::absolute(descriptor).ok().and_then(|path| Some(path.parent()?.parent()?.to_owned()));
    let tables = folder.iter().flat_map(|folder| Tables::FILES.map(|(name, _)| folder.join(name)));
    tables.filter(|path| path.is_file()).collect()
}

/// Reads a file; fails with a message that names it.
fn file(path: &Path) -> Result<File, String> {
    input::text(path).map(|bytes| File { name: path.display().to_string(), bytes })
}

/// The path of a file, or the YAML files of a folder and of its subfolders, sorted by name.
fn named(path: &Path, skipped: &mut Vec<PathBuf>) -> io::Result<Vec<PathBuf>> {
    if path.is_dir() { yaml_files(path, 2, skipped) } else { Ok(vec![path.to_owned()]) }
}

/// The YAML files of a folder, sorted by name; `depth` levels of folders are searched. Pipes, devices and sockets are
/// skipped.
fn yaml_files(folder: &Path, depth: usize, skipped: &mut Vec<PathBuf>) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        if entry.is_dir() {
            if depth > 1 {
                files.extend(yaml_files(&entry, depth - 1, skipped)?);
            }
        } else if entry.extension().is_some_and(|extension| extension == "yaml") {
            if is_irregular(&entry) { skipped.push(entry) } else { files.push(entry) }
        }
    }
    Ok(files)
}
