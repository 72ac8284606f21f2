//! What can be wrong with a model file: which file, where in it, and what to do.

use std::io;
use std::path::PathBuf;

use prost::DecodeError;

use super::subgraph::SubgraphPosition;
use super::text::TextKind;

/// Why a model file could not be read or written.
///
/// `path` is the file that is at fault, or `<memory>` for bytes that came from no file. Offsets count bytes from the
/// beginning of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file is not there or may not be read.
    #[error("cannot read {}: {reason}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },

    /// A directory stands where a file should.
    #[error("{} is a directory; name the model file in it", .path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },

    /// The file has no bytes.
    #[error("{} is empty, where a model should be; fetch it or export it again", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },

    /// The file holds text.
    #[error("{} is {kind}, not an ONNX model; {}", .path.display(), .kind.advice())]
    Text {
        /// The file.
        path: PathBuf,
        /// What kind of text.
        kind: TextKind,
    },

    /// The file ends before a field of the model does.
    #[error(
        "{} is cut short: its field `{field}` at byte {offset} needs {declared} bytes, and {left} are left; fetch it or \
         export it again",
        .path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Where the field begins.
        offset: usize,
        /// The field of `ModelProto`.
        field: &'static str,
        /// How many bytes its length prefix counts.
        declared: u64,
        /// How many there are.
        left: u64,
    },

    /// The bytes are not those of a `ModelProto`. `reason` names the field, innermost message first.
    #[error("{} is not a valid ONNX model, as seen at byte {offset}: {reason}", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where the decoder stopped; the mistake lies there or a little before.
        offset: usize,
        /// What the decoder says.
        reason: DecodeError,
    },

    /// Messages lie in one another more than `levels` deep.
    #[error(
        "{} nests messages more than {levels} deep at byte {offset}, which no tool writes; the file is damaged or hostile",
        .path.display()
    )]
    TooDeep {
        /// The file.
        path: PathBuf,
        /// Where the decoder stopped.
        offset: usize,
        /// How deep messages may nest.
        levels: u32,
    },

    /// Decoded, the file would take more memory than a file of its length can need.
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
        /// How much memory decoding may take, in bytes.
        allowance: usize,
    },

    /// The bytes are a message, and nothing in it belongs to ONNX.
    #[error("{} is not an ONNX model: none of a model's fields is in it", .path.display())]
    NotOnnx {
        /// The file.
        path: PathBuf,
    },

    /// A model that has neither a graph nor functions.
    #[error("{} has no graph; it may be cut short: fetch it or export it again", .path.display())]
    NoGraph {
        /// The file.
        path: PathBuf,
    },

    /// An edit of a graph that is stored in pieces. Protobuf allows that, and no tool writes it.
    #[error(
        "{} stores a graph in several pieces, of which the second is at byte {offset}; load it with the onnx package \
         and save it again",
        .path.display()
    )]
    SplitGraph {
        /// The file.
        path: PathBuf,
        /// Where the second piece begins.
        offset: usize,
    },

    /// An edit of a graph that the model does not have.
    #[error("{} has no graph at {at}", .path.display())]
    NoSuchGraph {
        /// The file.
        path: PathBuf,
        /// Where the edit looks for it.
        at: SubgraphPosition,
    },

    /// The file changed after it was opened, so that its old bytes are gone.
    #[error("{} changed while it was in use; run again", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },

    /// The model could not be written. What stood in the target before is still there.
    #[error("cannot write {}: {reason}", .path.display())]
    Write {
        /// The target.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
}
