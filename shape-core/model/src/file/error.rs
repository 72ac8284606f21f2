//! Errors of model files: which file, at which offset, and how to fix it.

use std::io;
use std::path::PathBuf;

use super::cursor::DecodeError;
use super::subgraph::SubgraphPosition;
use super::text::TextKind;

/// Why a model file could not be read or written.
///
/// `path` is the file with the error, or `<memory>` for bytes that came from no file. Offsets count bytes from the
/// beginning of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file does not exist or cannot be read.
    #[error("cannot read {}: {reason}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        reason: io::Error,
    },

    /// The path is a directory.
    #[error("{} is a directory; name the model file in it", .path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },

    /// The file is empty.
    #[error("{} is empty, where a model should be; fetch it or export it again", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },

    /// The file is text.
    #[error("{} is {kind}, not an ONNX model; {}", .path.display(), .kind.advice())]
    Text {
        /// The file.
        path: PathBuf,
        /// The kind of text.
        kind: TextKind,
    },

    /// The file ends within a field of the model.
    #[error(
        "{} is cut short: its field `{field}` at byte {offset} needs {declared} bytes, and {left} are left; fetch it or \
         export it again",
        .path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The offset of the field.
        offset: usize,
        /// The field of `ModelProto`.
        field: &'static str,
        /// The number of bytes according to its length prefix.
        declared: u64,
        /// The number of bytes left in the file.
        left: u64,
    },

    /// The bytes are not a valid `ModelProto`. `reason` names the field, innermost message first.
    #[error("{} is not a valid ONNX model, as seen at byte {offset}: {reason}", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where the decoder stopped; the error is there or shortly before.
        offset: usize,
        /// The error of the decoder.
        reason: DecodeError,
    },

    /// Messages are nested more than `levels` deep.
    #[error(
        "{} nests messages more than {levels} deep at byte {offset}, which no tool writes; the file is damaged or hostile",
        .path.display()
    )]
    TooDeep {
        /// The file.
        path: PathBuf,
        /// Where the decoder stopped.
        offset: usize,
        /// The maximum nesting depth.
        levels: u32,
    },

    /// Decoding the file would take more memory than a valid file of its length can need.
    #[error(
        "{} would take more than {allowance} bytes of memory, reached at byte {offset}; it is made of empty messages, \
         which no tool writes",
        .path.display()
    )]
    OverBudget {
        /// The file.
        path: PathBuf,
        /// Where the decoder stopped.
        offset: usize,
        /// The allowed memory, in bytes.
        allowance: usize,
    },

    /// The bytes are a message, but none of its fields belongs to an ONNX model.
    #[error("{} is not an ONNX model: none of a model's fields is in it", .path.display())]
    NotOnnx {
        /// The file.
        path: PathBuf,
    },

    /// The model has neither a graph nor functions.
    #[error("{} has no graph; it may be cut short: fetch it or export it again", .path.display())]
    NoGraph {
        /// The file.
        path: PathBuf,
    },

    /// An edited graph is stored in several pieces. Protobuf allows that, but no known tool writes it.
    #[error(
        "{} stores a graph in several pieces, of which the second is at byte {offset}; load it with the onnx package \
         and save it again",
        .path.display()
    )]
    SplitGraph {
        /// The file.
        path: PathBuf,
        /// The offset of the second piece.
        offset: usize,
    },

    /// An edited graph does not exist in the model.
    #[error("{} has no graph at {at}", .path.display())]
    NoSuchGraph {
        /// The file.
        path: PathBuf,
        /// The position of the graph.
        at: SubgraphPosition,
    },

    /// The file changed after it was opened, so its original bytes are lost.
    #[error("{} changed while it was in use; run again", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },

    /// The model could not be written. The target keeps its previous content.
    #[error("cannot write {}: {reason}", .path.display())]
    Write {
        /// The target.
        path: PathBuf,
        /// The error of the operating system.
        reason: io::Error,
    },
}
