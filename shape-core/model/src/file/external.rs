//! Element data in other files.
//!
//! A tensor may say that its elements lie at some offset of a file beside the model. The model is somebody else's, so
//! that what it says is held against one rule before anything is opened: the file lies in the model's own folder or
//! below it, and is a plain file. What is read is a view of a memory map, one for each file.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use super::external_data::{ExternalData, ExternalError, is_relative};
use super::proto::TensorProto;
use super::source;
use super::tensor::TensorError;

/// Reads the elements of a model's tensors, also of those that lie in other files of the model's folder.
///
/// The folder is the one in which the model's path stands. Where that path is a link, the folder of the file that it
/// leads to counts too: a download cache keeps a model and its data side by side, and shows both under other names.
///
/// # What is opened
///
/// A location is a relative path of names. One that is absolute, has `..` in it or begins with a drive letter is refused
/// on every system without a look at the disk; so is, after one, what leads out of the folder by a link, and what is no
/// regular file: a pipe would wait forever and a device has no end.
///
/// # Files that change
///
/// A file is mapped when its first tensor is read, and stays mapped as long as this value or any bytes that came from it.
/// What lies past the end that it had then is an error, never touched. Replacing the file by another is harmless, since
/// the old one is kept; a program that writes into it changes the elements that are seen here. One that cuts it shorter
/// takes pages away from under the map, and the system ends a process that reads them (SIGBUS): nobody may do so while
/// the bytes are in use, as with the model's own file.
///
/// A clone shares what is open.
#[derive(Clone, Default)]
pub struct External {
    model: Option<PathBuf>,
    open: Arc<Mutex<Open>>,
}

#[derive(Default)]
struct Open {
    /// The folders that a file may lie in, free of links. Empty until asked for.
    folders: Vec<PathBuf>,
    /// The content of each file, under the path that a location makes and under the one without links.
    files: HashMap<PathBuf, Bytes>,
    /// The same by what tensors call them.
    locations: BTreeMap<String, Bytes>,
}

impl External {
    /// For tensors of the model, or of the tensor file, at `path`. Nothing is opened before it is asked for.
    #[must_use]
    pub fn beside(path: impl Into<PathBuf>) -> Self {
        Self { model: Some(path.into()), open: Arc::default() }
    }

    /// For a model that is in no folder. Only elements that lie in the tensors themselves can be read.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The elements of a tensor, wherever they lie, in the form of `raw_data`: fixed width, little-endian, sub-byte ones
    /// packed from the low bits up. They are a view of the file that holds them in that form.
    ///
    /// A `length` must be what the dims and the element type ask for; without one, that many bytes are taken. The
    /// `checksum` covers the whole file, of which only parts may ever be read, and is not verified.
    ///
    /// # Errors
    ///
    /// As [`TensorProto::elements`]; and [`TensorError::External`] where the other file, or what the tensor says of it,
    /// is at fault.
    ///
    /// ```
    /// use shape_model::file::External;
    /// use shape_model::file::proto::{DataLocation, StringStringEntryProto, TensorProto};
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// std::fs::write(folder.join("weights.bin"), [1, 2, 3, 4])?;
    /// let entry = |key: &str, value: &str| StringStringEntryProto { key: key.into(), value: value.into() };
    /// let mut tensor = TensorProto {
    ///     dims: vec![2],
    ///     data_type: Some(2), // uint8
    ///     data_location: Some(DataLocation::External.number()),
    ///     external_data: vec![entry("location", "weights.bin"), entry("offset", "1")],
    ///     ..TensorProto::default()
    /// };
    /// let external = External::beside(folder.join("model.onnx"));
    /// assert_eq!(*external.elements(&tensor)?, [2, 3]);
    ///
    /// tensor.external_data = vec![entry("location", "../weights.bin")];
    /// assert!(external.elements(&tensor).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn elements(&self, tensor: &TensorProto) -> Result<Bytes, TensorError> {
        if !tensor.is_external() {
            return tensor.element_bytes();
        }
        let needed = tensor.external_len()?;
        Ok(self.read(&ExternalData::of(tensor)?, needed)?)
    }

    /// Whether the elements of a tensor are there, wherever they lie, without reading them all: what
    /// [`TensorProto::check`] asks; of a file, whether it may be opened and is long enough.
    ///
    /// # Errors
    ///
    /// As [`elements`](Self::elements), and for strings those of [`TensorProto::strings`].
    pub fn check(&self, tensor: &TensorProto) -> Result<(), TensorError> {
        if tensor.is_external() { self.elements(tensor).map(drop) } else { tensor.check() }
    }

    /// The files that were opened so far, by what tensors call them, each with what was seen of it: all that tensors name
    /// and that may be read, after [`check`](fn@crate::check) has looked at the model.
    #[must_use]
    pub fn opened(&self) -> Vec<(String, Bytes)> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.locations.iter().map(|(location, content)| (location.clone(), content.clone())).collect()
    }

    fn read(&self, data: &ExternalData<'_>, needed: u64) -> Result<Bytes, ExternalError> {
        if let Some(length) = data.length.filter(|&length| length != needed) {
            return Err(ExternalError::Length { length, needed });
        }
        let location = data.location;
        let model = self.model.as_ref().ok_or_else(|| ExternalError::NoFolder { location: location.to_owned() })?;
        if !is_relative(location) {
            return Err(ExternalError::NotRelative { location: location.to_owned() });
        }
        let path = folder(model).join(location);
        let content = self.open.lock().unwrap_or_else(PoisonError::into_inner).file(model, &path, location)?;
        let end = data.offset.checked_add(needed).and_then(|end| usize::try_from(end).ok());
        match (usize::try_from(data.offset), end) {
            (Ok(start), Some(end)) if end <= content.len() => Ok(content.slice(start..end)),
            _ => Err(ExternalError::Short { path, offset: data.offset, length: needed, found: content.len() as u64 }),
        }
    }
}

// A derived one would print every weight.
impl fmt::Debug for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("External").field("model", &self.model).finish_non_exhaustive()
    }
}

impl Open {
    /// The content of the file at `path`, which `location` made.
    fn file(&mut self, model: &Path, path: &Path, location: &str) -> Result<Bytes, ExternalError> {
        if let Some(content) = self.files.get(path) {
            return Ok(content.clone());
        }
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ExternalError::Absent { path: path.to_owned() },
            reason => ExternalError::Read { path: path.to_owned(), reason },
        };
        if self.folders.is_empty() {
            self.folders = folders(model).map_err(failed)?;
        }
        let real = path.canonicalize().map_err(failed)?;
        if !self.folders.iter().any(|folder| real.starts_with(folder)) {
            return Err(ExternalError::Outside { location: location.to_owned(), real });
        }
        let content = match self.files.get(&real) {
            Some(content) => content.clone(),
            None => {
                let irregular = || ExternalError::Irregular { path: path.to_owned() };
                // Asked before opening, which waits forever for a pipe that nobody writes to, and again of what was
                // opened.
                if !fs::metadata(&real).map_err(failed)?.is_file() {
                    return Err(irregular());
                }
                let file = File::open(&real).map_err(failed)?;
                let metadata = file.metadata().map_err(failed)?;
                if !metadata.is_file() {
                    return Err(irregular());
                }
                source::map(&file, metadata.len()).map_err(failed)?
            }
        };
        self.files.insert(real, content.clone());
        self.files.insert(path.to_owned(), content.clone());
        self.locations.insert(location.to_owned(), content.clone());
        Ok(content)
    }
}

fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The folder of the model's path, and that of the file which the path leads to.
fn folders(model: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = vec![folder(model).canonicalize()?];
    if let Some(folder) = model.canonicalize().ok().as_deref().and_then(Path::parent) {
        folders.push(folder.to_owned());
    }
    Ok(folders)
}
