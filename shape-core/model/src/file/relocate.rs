//! Keeps external data reachable when a model is written into another folder.
//!
//! A tensor names its data file relative to the model's folder, so that a model in another folder finds other files, or
//! none.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::external::folder;
use super::external_data::{ExternalError, is_relative, location};
use super::identity::FileId;
use super::model::Model;
use super::open::ModelFile;
use super::regular::{self, Opened};
use super::temporary::Temporary;

/// Why a model would not find its data files at its new location.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RelocateError {
    /// A data file cannot be read, even from the model's present location.
    #[error("{0}")]
    Unread(#[from] ExternalError),

    /// The new location has no folder.
    #[error("the data in `{location}` has no place beside standard output, a pipe or a device")]
    NoFolder {
        /// The location that a tensor names.
        location: String,
    },

    /// The data file is not beside the model's new location.
    #[error("the data in `{location}` would not be beside {}", .target.display())]
    Left {
        /// The location that a tensor names.
        location: String,
        /// The model's new location.
        target: PathBuf,
    },

    /// There is another file where the data file must be.
    #[error("{} exists, and has other contents than the data file of this name", .path.display())]
    Taken {
        /// The file.
        path: PathBuf,
    },

    /// A link leads out of the folder where the data file must be.
    #[error("{} leads out of the folder of the new model", .path.display())]
    Outside {
        /// The path of the data file.
        path: PathBuf,
    },

    /// A file cannot be copied.
    #[error("cannot write {}: {reason}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
}

impl ModelFile {
    /// The files that the model's tensors name and that can be read, each once, with links resolved.
    #[must_use]
    pub fn data_files(&self) -> Vec<PathBuf> {
        let files = locations(self.model()).into_iter().filter_map(|location| self.external().find(location).ok());
        files.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Checks that the tensors of the model find the same data, or equal data, if it is written to `target`; `None` for
    /// what has no folder, such as standard output. Data that is missing now may be missing there too.
    ///
    /// # Errors
    ///
    /// The first data file that the new model would not find, or that is another one.
    ///
    /// ```
    /// use shape_model::ModelFile;
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// // All data of this model is in the model itself.
    /// ModelFile::open(path)?.check_relocated(None)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_relocated(&self, target: Option<&Path>) -> Result<(), RelocateError> {
        for file in self.moved(target)? {
            let MovedFile { location, from, to } = file?;
            let target = || target.map(Path::to_owned).unwrap_or_default();
            match from {
                Ok(from) if is_equal(&from, &to) => {}
                Ok(_) => return Err(RelocateError::Left { location: location.to_owned(), target: target() }),
                Err(ExternalError::Absent { .. }) if fs::symlink_metadata(&to).is_err() => {}
                Err(ExternalError::Absent { .. }) => return Err(RelocateError::Taken { path: to }),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Copies the data files of the model so that it finds them if it is written to `target`. Returns the copies. On
    /// failure there are none.
    ///
    /// A file that is there already stays, if its contents are equal. Locations that the reader refuses, such as
    /// absolute paths and paths with `..`, are refused here too.
    ///
    /// # Errors
    ///
    /// If a data file cannot be read or written, or another file has its place.
    ///
    /// ```
    /// use shape_model::ModelFile;
    /// # let folder = tempfile::tempdir()?;
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let copies = ModelFile::open(path)?.copy_data(folder.path().join("model.onnx"))?;
    /// assert!(copies.is_empty(), "all data of this model is in the model itself");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn copy_data(&self, target: impl AsRef<Path>) -> Result<Vec<PathBuf>, RelocateError> {
        let target = target.as_ref();
        let mut copies = Vec::new();
        for file in self.moved(Some(target))? {
            let MovedFile { from, to, .. } = file?;
            let from = from?;
            if is_equal(&from, &to) || copies.iter().any(|(_, other)| *other == to) {
                continue;
            }
            if fs::symlink_metadata(&to).is_ok() {
                return Err(RelocateError::Taken { path: to });
            }
            let copied = copy(&from, &to, folder(target));
            copies.push((copied?, to));
        }
        // All are complete before the first gets its name.
        let mut made: Vec<PathBuf> = Vec::new();
        for (copy, to) in copies {
            if let Err(reason) = copy.create(&to) {
                // What this call made is nobody else's yet.
                made.iter().for_each(|path| drop(fs::remove_file(path)));
                return Err(RelocateError::Write { path: to, reason });
            }
            made.push(to);
        }
        Ok(made)
    }

    /// The data files whose place changes if the model is written to `target`.
    fn moved(
        &self,
        target: Option<&Path>,
    ) -> Result<impl Iterator<Item = Result<MovedFile<'_>, RelocateError>>, RelocateError> {
        let locations = locations(self.model());
        let Some(target) = target else {
            return match locations.first() {
                Some(location) => Err(RelocateError::NoFolder { location: (*location).to_owned() }),
                None => Ok(Vec::new().into_iter()),
            };
        };
        let stays = self.path().is_some_and(|path| {
            let folders = (folder(path).canonicalize(), folder(target).canonicalize());
            matches!(folders, (Ok(old), Ok(new)) if old == new)
        });
        let locations = if stays { BTreeSet::new() } else { locations };
        let moved = locations.into_iter().map(|location| {
            if !is_relative(location) {
                return Err(ExternalError::NotRelative { location: location.to_owned() }.into());
            }
            let to = folder(target).join(location);
            // The model itself will be there.
            if target.file_name().is_some_and(|name| folder(target).join(name) == to) {
                return Err(RelocateError::Taken { path: to });
            }
            Ok(MovedFile { location, from: self.external().find(location), to })
        });
        Ok(moved.collect::<Vec<_>>().into_iter())
    }
}

/// A data file that must be at another place.
struct MovedFile<'a> {
    location: &'a str,
    /// The file, with links resolved, or why the reader does not find it.
    from: Result<PathBuf, ExternalError>,
    to: PathBuf,
}

/// Copies a file for the place `to`, which must lie in `root` or below it; the permissions are those of the old file.
fn copy(from: &Path, to: &Path, root: &Path) -> Result<Temporary, RelocateError> {
    let failed = |reason| RelocateError::Write { path: to.to_owned(), reason };
    fs::create_dir_all(folder(to)).map_err(failed)?;
    let (parent, root) = (folder(to).canonicalize().map_err(failed)?, root.canonicalize().map_err(failed)?);
    if !parent.starts_with(root) {
        return Err(RelocateError::Outside { path: to.to_owned() });
    }
    let unread = |error: io::Error| ExternalError::Read { path: from.to_owned(), reason: error.kind() };
    let (mut source, old): (File, Metadata) = match regular::open(from).map_err(unread)? {
        Opened::Regular(file, metadata) => (file, metadata),
        Opened::Stream(_) => return Err(ExternalError::Irregular { path: from.to_owned() }.into()),
    };
    let mut copy = Temporary::beside(to, Some(&old)).map_err(failed)?;
    // The system shares the blocks of both files where it can.
    io::copy(&mut source, copy.file().map_err(failed)?).map_err(failed)?;
    copy.file().and_then(|file| file.set_permissions(old.permissions())).map_err(failed)?;
    Ok(copy)
}

/// Whether two paths lead to the same regular file, or to files with the same contents.
fn is_equal(left: &Path, right: &Path) -> bool {
    matches!((FileId::of(left), FileId::of(right)), (Ok(left), Ok(right)) if left == right)
        || compare(left, right).unwrap_or(false)
}

fn compare(left: &Path, right: &Path) -> io::Result<bool> {
    const BLOCK: u64 = 1 << 16;
    let (Opened::Regular(left, old), Opened::Regular(right, new)) = (regular::open(left)?, regular::open(right)?)
    else {
        return Ok(false);
    };
    if old.len() != new.len() {
        return Ok(false);
    }
    let (mut left, mut right) = (BufReader::new(left), BufReader::new(right));
    let (mut one, mut other) = (Vec::new(), Vec::new());
    loop {
        one.clear();
        other.clear();
        (&mut left).take(BLOCK).read_to_end(&mut one)?;
        (&mut right).take(BLOCK).read_to_end(&mut other)?;
        if one != other {
            return Ok(false);
        }
        if one.is_empty() {
            return Ok(true);
        }
    }
}

/// The locations of all tensors whose elements are in other files, wherever in the model they are.
fn locations(model: &Model) -> BTreeSet<&str> {
    model.all_tensors().filter(|tensor| tensor.is_external()).filter_map(location).collect()
}
