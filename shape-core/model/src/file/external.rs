//! Reads element data from other files.
//!
//! A tensor may say that its elements are at some offset of a file next to the model. Models are untrusted, so each
//! file is checked before it is opened: it must be a regular file in the model's folder or below it. The elements are
//! views of a memory map, one for each file.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use super::external_data::{ExternalData, ExternalError, is_relative};
use super::proto::TensorProto;
use super::regular::{self, Opened};
use super::source;
use super::tensor::TensorError;

/// Reads the elements of a model's tensors, including those in other files of the model's folder.
///
/// The folder is that of the model's path. If the path is a link, the folder of its target is allowed too: a download
/// cache stores a model and its data side by side, and links to both under other names.
///
/// # What is opened
///
/// A location must be a relative path. Absolute paths, paths with `..`, and paths that begin with a drive letter are
/// refused on every system, without access to the disk. Links that lead out of the folder are refused too, and so is
/// everything but regular files: reading a pipe could block forever, and a device has no end.
///
/// # Files that change
///
/// A file is mapped when its first tensor is read, and stays mapped as long as this value or any bytes from it are
/// alive. Elements past the end that the file had then are an error, and are never accessed. Replacing the file by
/// another is harmless, since the old one stays mapped; a program that writes into it changes the elements seen here.
/// Truncating it removes pages of the map, and the system kills a process that reads them (SIGBUS): the file must not
/// be truncated while the bytes are in use, and neither must the model's own file.
///
/// A clone shares the open files.
#[derive(Clone, Default)]
pub struct External {
    model: Option<PathBuf>,
    /// The files of a model that is in memory, by their locations.
    given: Option<Arc<BTreeMap<String, Bytes>>>,
    open: Arc<Mutex<Open>>,
}

#[derive(Default)]
struct Open {
    /// The folders that a file may be in, with links resolved. Empty until the first use.
    folders: Vec<PathBuf>,
    /// The content of each file, by the path that its location leads to and by the path with links resolved.
    files: HashMap<PathBuf, Bytes>,
    /// The content of each file, by its location.
    locations: BTreeMap<String, Bytes>,
}

impl External {
    /// For the tensors of the model, or of the tensor file, at `path`. No file is opened before it is needed.
    #[must_use]
    pub fn beside(path: impl Into<PathBuf>) -> Self {
        Self { model: Some(path.into()), ..Self::default() }
    }

    /// For a model that is in memory, with the files that are beside it, by the locations that its tensors have for them.
    /// A file that is not among them is absent.
    ///
    /// ```
    /// use shape_model::ModelFile;
    /// use shape_model::file::External;
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let external = External::given([("weights.bin".to_owned(), vec![0; 4].into())]);
    /// let model = ModelFile::from_bytes(std::fs::read(path)?.into())?.with_external(external);
    /// assert_eq!(model.external().opened().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn given(files: impl IntoIterator<Item = (String, Bytes)>) -> Self {
        Self { given: Some(Arc::new(files.into_iter().collect())), ..Self::default() }
    }

    /// For a model that is in no folder. Only elements stored in the tensors themselves can be read.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The elements of a tensor, in its message or external, in the form of `raw_data`: fixed width, little-endian,
    /// sub-byte ones packed from the low bits up. They are a view of the file if it stores them in that form.
    ///
    /// A `length` must match the dims and the element type; without one, the length follows from these. The `checksum`
    /// is not verified: it covers the whole file, of which only parts may be read.
    ///
    /// # Errors
    ///
    /// The same as for [`TensorProto::elements`], and [`TensorError::External`] if the other file or the tensor's
    /// reference to it is invalid.
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

    /// Checks that the elements of a tensor are present, in its message or external, without reading them all: the
    /// checks of [`TensorProto::check`], and that an external file may be opened and is long enough.
    ///
    /// # Errors
    ///
    /// The same as for [`elements`](Self::elements), and for strings those of [`TensorProto::strings`].
    pub fn check(&self, tensor: &TensorProto) -> Result<(), TensorError> {
        if tensor.is_external() { self.elements(tensor).map(drop) } else { tensor.check() }
    }

    /// The files that were opened so far, by location, each with its facts, or all that were given. After
    /// [`check`](fn@crate::check) these are all files that the tensors name and that may be read.
    #[must_use]
    pub fn opened(&self) -> Vec<(String, Bytes)> {
        if let Some(given) = &self.given {
            return given.iter().map(|(location, content)| (location.clone(), content.clone())).collect();
        }
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.locations.iter().map(|(location, content)| (location.clone(), content.clone())).collect()
    }

    /// The file that a location leads to, with links resolved, if its elements may be read.
    pub(super) fn find(&self, location: &str) -> Result<PathBuf, ExternalError> {
        let (model, path) = self.path(location)?;
        self.open.lock().unwrap_or_else(PoisonError::into_inner).real(model, &path, location)
    }

    /// The path of the model, and that of a location beside it.
    fn path(&self, location: &str) -> Result<(&Path, PathBuf), ExternalError> {
        let model = self.model.as_ref().ok_or_else(|| ExternalError::NoFolder { location: location.to_owned() })?;
        if !is_relative(location) {
            return Err(ExternalError::NotRelative { location: location.to_owned() });
        }
        Ok((model, folder(model).join(location)))
    }

    fn read(&self, data: &ExternalData<'_>, needed: u64) -> Result<Bytes, ExternalError> {
        if let Some(length) = data.length.filter(|&length| length != needed) {
            return Err(ExternalError::Length { length, needed });
        }
        let location = data.location;
        let (path, content) = match &self.given {
            Some(given) => {
                let path = PathBuf::from(location);
                let content = given.get(location.strip_prefix("./").unwrap_or(location));
                let content = content.cloned().ok_or_else(|| ExternalError::Absent { path: path.clone() })?;
                (path, content)
            }
            None => {
                let (model, path) = self.path(location)?;
                let content = self.open.lock().unwrap_or_else(PoisonError::into_inner).file(model, &path, location)?;
                (path, content)
            }
        };
        let end = data.offset.checked_add(needed).and_then(|end| usize::try_from(end).ok());
        match (usize::try_from(data.offset), end) {
            (Ok(start), Some(end)) if end <= content.len() => Ok(content.slice(start..end)),
            _ => Err(ExternalError::Short { path, offset: data.offset, length: needed, found: content.len() as u64 }),
        }
    }
}

// A derived implementation would print every weight.
impl fmt::Debug for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("External").field("model", &self.model).finish_non_exhaustive()
    }
}

impl Open {
    /// The content of the file at `path`, which is what `location` leads to.
    fn file(&mut self, model: &Path, path: &Path, location: &str) -> Result<Bytes, ExternalError> {
        if let Some(content) = self.files.get(path) {
            return Ok(content.clone());
        }
        let real = self.real(model, path, location)?;
        let content = match self.files.get(&real) {
            Some(content) => content.clone(),
            None => match regular::open(&real).map_err(|error| failed(path, &error))? {
                Opened::Regular(file, metadata) => {
                    source::map(&file, metadata.len()).map_err(|error| failed(path, &error))?
                }
                Opened::Stream(_) => return Err(ExternalError::Irregular { path: path.to_owned() }),
            },
        };
        self.files.insert(real, content.clone());
        self.files.insert(path.to_owned(), content.clone());
        self.locations.insert(location.to_owned(), content.clone());
        Ok(content)
    }

    /// The regular file at `path`, which is what `location` leads to, with links resolved.
    fn real(&mut self, model: &Path, path: &Path, location: &str) -> Result<PathBuf, ExternalError> {
        let failed = |error: io::Error| failed(path, &error);
        if self.folders.is_empty() {
            self.folders = folders(model).map_err(failed)?;
        }
        let real = path.canonicalize().map_err(failed)?;
        if !self.folders.iter().any(|folder| real.starts_with(folder)) {
            return Err(ExternalError::Outside { location: location.to_owned(), real });
        }
        match fs::metadata(&real).map_err(failed)?.is_file() {
            true => Ok(real),
            false => Err(ExternalError::Irregular { path: path.to_owned() }),
        }
    }
}

/// The error for a file that cannot be read.
fn failed(path: &Path, error: &io::Error) -> ExternalError {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ExternalError::Absent { path },
        io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory => ExternalError::Irregular { path },
        reason => ExternalError::Read { path, reason },
    }
}

/// The folder of a file.
pub(super) fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The folder of the model's path, and the folder of the file that the path leads to.
fn folders(model: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = vec![folder(model).canonicalize()?];
    if let Some(folder) = model.canonicalize().ok().as_deref().and_then(Path::parent) {
        folders.push(folder.to_owned());
    }
    Ok(folders)
}
