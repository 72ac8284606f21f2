//! Opens model files.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::cursor::{Cursor, DecodeError, LEVELS, Read as _, Refusal};
use super::error::ModelError;
use super::external::External;
use super::model::{self, Model};
use super::proto::{ModelProto, TensorProto};
use super::scan::{self, Cut};
use super::source::Source;
use super::store::Store;
use super::text::TextKind;
use super::wire::{Message as _, check};

/// An ONNX model and the bytes that it was read from.
pub struct ModelFile {
    model: Model,
    source: Source,
    /// Where the bytes came from, for messages.
    label: PathBuf,
    path: Option<PathBuf>,
    external: External,
}

impl ModelFile {
    /// Opens the model at `path`.
    ///
    /// The file is mapped into memory, and only the parts between tensor elements are read. The file must not be
    /// written or truncated while it is open; replacing it by another is harmless. What is read of a file that was
    /// written is wrong ([`check_unchanged`](Self::check_unchanged) tells); a process that reads behind the new end of one
    /// that was truncated is ended by the system (SIGBUS).
    ///
    /// A stream that this process was started with, such as `/dev/stdin` or `/dev/fd/3`, is read into memory. Other
    /// pipes, devices and sockets are refused: reading them could wait for ever, or have no end.
    ///
    /// # Errors
    ///
    /// If the file is not a regular one, does not exist, cannot be read, is empty, is not an ONNX model, is damaged, or was
    /// made to exhaust memory.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        let path = path.as_ref();
        let source = Source::open(path).map_err(|reason| {
            let path = path.to_owned();
            if reason.kind() == io::ErrorKind::IsADirectory {
                ModelError::Directory { path }
            } else {
                ModelError::Read { path, reason }
            }
        })?;
        // A pipe has no folder.
        let external = if source.is_file() { External::beside(path) } else { External::none() };
        let path = path.to_owned();
        Ok(Self { model: decode(&path, &source)?, source, label: path.clone(), path: Some(path), external })
    }

    /// Reads a model to the end of a stream, such as standard input. `name` stands for it in messages. The model has no
    /// folder, so that elements in other files cannot be read.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read or has more than 2 GiB - 1, which is the most that a Protobuf message may have; and
    /// the errors of [`from_bytes`](Self::from_bytes).
    ///
    /// ```
    /// use shape_model::ModelFile;
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// # let stream = std::fs::File::open(path)?;
    /// let model = ModelFile::from_reader(stream, "<stdin>")?;
    /// assert!(model.path().is_none());
    /// let error = ModelFile::from_reader(&b"hello"[..], "<stdin>").unwrap_err();
    /// assert!(error.to_string().starts_with("<stdin> is text"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_reader(stream: impl Read, name: impl Into<PathBuf>) -> Result<Self, ModelError> {
        let label = name.into();
        let source = Source::read(stream).map_err(|reason| ModelError::Read { path: label.clone(), reason })?;
        Ok(Self { model: decode(&label, &source)?, source, label, path: None, external: External::none() })
    }

    /// Decodes a model from memory. `raw_data` and other bytes in the messages are views of `bytes`.
    ///
    /// # Errors
    ///
    /// If the bytes are not an ONNX model, are damaged, or were made to exhaust memory.
    pub fn from_bytes(bytes: Bytes) -> Result<Self, ModelError> {
        Self::from_named_bytes(bytes, MEMORY)
    }

    /// The same for bytes of which `name` stands in messages, such as those of a file that another program has read.
    ///
    /// # Errors
    ///
    /// As [`from_bytes`](Self::from_bytes).
    ///
    /// ```
    /// use shape_model::ModelFile;
    /// let error = ModelFile::from_named_bytes("hello".into(), "model.onnx").unwrap_err();
    /// assert!(error.to_string().starts_with("model.onnx is text"));
    /// ```
    pub fn from_named_bytes(bytes: Bytes, name: impl Into<PathBuf>) -> Result<Self, ModelError> {
        let (source, label) = (Source::from(bytes), name.into());
        Ok(Self { model: decode(&label, &source)?, source, label, path: None, external: External::none() })
    }

    /// The same model, with other files beside it; see [`External::given`].
    #[must_use]
    pub fn with_external(self, external: External) -> Self {
        Self { external, ..self }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Reads the elements of the model's tensors, including those in other files of its folder.
    #[must_use]
    pub fn external(&self) -> &External {
        &self.external
    }

    /// Checks that the file is still the one that was opened. What is decoded later is read from it, so a program that
    /// shows what it found should ask this first.
    ///
    /// # Errors
    ///
    /// If the file was written since it was opened, or the system cannot say.
    ///
    /// ```
    /// use shape_model::ModelFile;
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// model.check_unchanged()?;
    /// # Ok::<(), shape_model::file::ModelError>(())
    /// ```
    pub fn check_unchanged(&self) -> Result<(), ModelError> {
        match self.source.changed() {
            Ok(false) => Ok(()),
            Ok(true) => Err(ModelError::Changed { path: self.label() }),
            Err(reason) => Err(ModelError::Read { path: self.label(), reason }),
        }
    }

    /// The path that the model was opened with, if it came from a file.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The whole file.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        self.source.bytes()
    }

    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    /// The path in error messages.
    pub(super) fn label(&self) -> PathBuf {
        self.label.clone()
    }
}

// A derived implementation would print every weight.
impl fmt::Debug for ModelFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = self.source.len();
        f.debug_struct("ModelFile").field("path", &self.path).field("len", &len).finish_non_exhaustive()
    }
}

/// Reads a file that contains a single tensor. Also returns the reader for its elements, which are views of a map of
/// the file like those of [`ModelFile::open`].
pub(crate) fn read_tensor(path: &Path) -> io::Result<(TensorProto, External)> {
    let source = Source::open(path)?;
    let store = Store::from(source.bytes().clone());
    let mut cursor = Cursor::new(&store, 0, store.len(), allowance(store.len()));
    let checked = cursor.fields(|cursor, tag, wire_type| check(cursor, TensorProto::field(tag), tag, wire_type));
    let decoded = checked.and_then(|()| TensorProto::decode(source.bytes().clone()));
    let tensor = decoded.map_err(|error| {
        let offset = cursor.position();
        let reason = match error.refusal() {
            Refusal::TooDeep | Refusal::OverBudget => format!("no tensor, but made to exhaust memory, at {offset}"),
            _ => format!("no tensor, as seen at byte {offset}: {error}"),
        };
        io::Error::new(io::ErrorKind::InvalidData, reason)
    })?;
    Ok((tensor, External::beside(path)))
}

const MEMORY: &str = "<memory>";

/// The memory that the model of a file of `len` bytes may take, in bytes.
///
/// Two bytes are an empty node, and an empty node takes many times as much memory, so a small hostile file could require
/// a hundred times its own size.
fn allowance(len: usize) -> usize {
    const BASE: usize = 32 << 20;
    const PER_BYTE: usize = 24;
    len.saturating_mul(PER_BYTE).saturating_add(BASE)
}

fn decode(path: &Path, source: &Source) -> Result<Model, ModelError> {
    let path = || path.to_owned();
    if source.len() == 0 {
        return Err(ModelError::Empty { path: path() });
    }
    let checked = match read(source.bytes().clone().into()) {
        Err((offset, error)) => Err(explain(path(), source, offset, error)),
        Ok(model) if model.graph().is_some() || !model.functions().is_empty() || !model.training_info().is_empty() => {
            return Ok(model);
        }
        Ok(model) if model.header() == ModelProto::default() => Err(ModelError::NotOnnx { path: path() }),
        Ok(_) => Err(ModelError::NoGraph { path: path() }),
    };
    // Checked only after decoding failed, so that no model is ever refused for looking like text.
    checked.map_err(|error| match TextKind::of(source.bytes()) {
        Some(kind) => ModelError::Text { path: path(), kind },
        None => error,
    })
}

/// Reads a model within the memory that it may take.
pub(super) fn read(store: Store) -> Result<Model, (usize, DecodeError)> {
    let allowance = allowance(store.len());
    model::read(store, allowance)
}

pub(super) fn explain(path: PathBuf, source: &Source, offset: usize, reason: DecodeError) -> ModelError {
    match reason.refusal() {
        Refusal::TooDeep => ModelError::TooDeep { path, offset, levels: LEVELS },
        Refusal::OverBudget => ModelError::OverBudget { path, offset, allowance: allowance(source.len()) },
        _ => match cut_short(source) {
            Some((offset, field, Cut { declared, left, .. })) => {
                ModelError::Truncated { path, offset, field, declared, left }
            }
            None => ModelError::Malformed { path, offset, reason },
        },
    }
}

/// For a truncated model: the offset and the field at which it ends. `None` if the part before is not valid.
fn cut_short(source: &Source) -> Option<(usize, &'static str, Cut)> {
    // The fields with a length prefix; with any other number, the bytes were never a model.
    const FIELDS: [(u32, &str); 10] = [
        (2, "producer_name"),
        (3, "producer_version"),
        (4, "domain"),
        (6, "doc_string"),
        (7, "graph"),
        (8, "opset_import"),
        (14, "metadata_props"),
        (20, "training_info"),
        (25, "functions"),
        (26, "configuration"),
    ];
    let stop = scan::fields(Cursor::over(source.bytes())).find_map(Result::err)?;
    let cut = stop.cut?;
    let (_, field) = FIELDS.iter().find(|(number, _)| *number == cut.number)?;
    Some((stop.offset, field, cut))
}
