//! The descriptors of a folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use shape_specs::Tables;

/// A file with the name that its mistakes are told under.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl File {
    /// The place in [`Tables::FILES`] of the shared table that it is called as.
    pub(crate) fn table(&self) -> Option<usize> {
        let name = Path::new(&self.name).file_name()?;
        Tables::FILES.iter().position(|(table, _)| name == *table)
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
pub(crate) fn read(paths: &[PathBuf]) -> (Vec<File>, Vec<String>) {
    let (mut files, mut troubles) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    for path in paths {
        let found = if path.is_dir() { yaml_files(path, 2) } else { Ok(vec![path.clone()]) };
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                troubles.push(format!("cannot read {}: {error}", path.display()));
                continue;
            }
        };
        if found.is_empty() {
            troubles.push(format!("there is no descriptor (`*.yaml`) in {}", path.display()));
        }
        for path in found {
            match fs::read(&path) {
                Ok(_) if !seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) => {}
                Ok(bytes) => files.push(File { name: path.display().to_string(), bytes }),
                Err(error) => troubles.push(format!("cannot read {}: {error}", path.display())),
            }
        }
    }
    (files, troubles)
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
