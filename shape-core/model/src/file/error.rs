//! What can be wrong with a model file and with the files beside it, each with the file, the place in it and what to
//! do.

use std::fmt;
use std::io;
use std::path::PathBuf;

use prost::DecodeError;

use super::edit::Subgraph;
use shape_core::code::Code;

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
        at: Subgraph,
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

/// Why elements that lie in another file could not be read. [`External`](super::External) reads them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExternalError {
    /// Nobody said which folder the other file lies in.
    #[error("the elements lie in the file `{location}`, and the model is in no folder to look for it")]
    NoFolder {
        /// What the tensor names.
        location: String,
    },

    /// The tensor names no file.
    #[error("the tensor's elements lie in another file, and `external_data` has no `location` that names it")]
    NoLocation,

    /// A key stands there twice.
    #[error("`external_data` has two entries `{key}`; one must")]
    Duplicate {
        /// The key.
        key: &'static str,
    },

    /// The value of a key is no number.
    #[error("the `{key}` in `external_data` is `{value}`, which is no whole number from 0 on")]
    NotANumber {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
    },

    /// The value of a key is a number past `u64::MAX`.
    #[error("the `{key}` in `external_data` is {value}, more than any file has")]
    TooLarge {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
    },

    /// The tensor has elements of its own beside those in the other file.
    #[error("{field} has elements, and `external_data` names a file for them; one of them must")]
    Both {
        /// The field.
        field: &'static str,
    },

    /// Strings, which only the tensor itself can hold.
    #[error("strings cannot lie in another file, since their bytes have no fixed width")]
    Strings,

    /// The declared length is not that of the elements.
    #[error("the dims ask for {needed} bytes, and `external_data` says a `length` of {length}")]
    Length {
        /// What is declared.
        length: u64,
        /// What dims and element type ask for.
        needed: u64,
    },

    /// The location is no relative path of names.
    #[error("the location `{location}` is refused: it must be a path below the model's folder, without `..`")]
    NotRelative {
        /// What the tensor names.
        location: String,
    },

    /// A link leads out of the model's folder.
    #[error("the location `{location}` is refused: it leads out of the model's folder, to {}", .real.display())]
    Outside {
        /// What the tensor names.
        location: String,
        /// Where it leads.
        real: PathBuf,
    },

    /// There is no such file.
    #[error("there is no file {}", .path.display())]
    Absent {
        /// The file.
        path: PathBuf,
    },

    /// A directory, a pipe or a device stands where a file should.
    #[error("{} is no regular file", .path.display())]
    Irregular {
        /// What is there.
        path: PathBuf,
    },

    /// The file may not be read.
    #[error("cannot read {}: {reason}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::ErrorKind,
    },

    /// The file ends before the elements do.
    #[error("{} has {found} bytes, and {length} are needed from byte {offset} on", .path.display())]
    Short {
        /// The file.
        path: PathBuf,
        /// Where the elements begin.
        offset: u64,
        /// How many bytes they take.
        length: u64,
        /// How many the file has.
        found: u64,
    },
}

impl ExternalError {
    /// What kind of finding it makes.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::NoFolder { .. } => Code::ExternalDataUnread,
            Self::NoLocation
            | Self::Duplicate { .. }
            | Self::NotANumber { .. }
            | Self::TooLarge { .. }
            | Self::Both { .. }
            | Self::Strings => Code::ExternalDataMalformed,
            Self::Length { .. } => Code::ExternalDataLength,
            Self::NotRelative { .. } | Self::Outside { .. } => Code::ExternalDataOutside,
            Self::Absent { .. } | Self::Irregular { .. } | Self::Read { .. } => Code::ExternalDataAbsent,
            Self::Short { .. } => Code::ExternalDataShort,
        }
    }
}

/// Kinds of text that are found in place of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextKind {
    /// What git keeps in place of a large file.
    LfsPointer,
    /// A web page, such as a server's error message.
    Html,
    /// Any other text.
    Plain,
}

impl TextKind {
    /// What kind of text `bytes` are, or `None` if they are none.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let head = bytes.get(..512).unwrap_or(bytes);
        if head.starts_with(b"version https://git-lfs") {
            return Some(Self::LfsPointer);
        }
        let text = head.trim_ascii_start();
        let begins = |tag: &[u8]| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        if begins(b"<!doctype html") || begins(b"<html") {
            return Some(Self::Html);
        }
        let plain = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
        // The head may end within a character.
        let utf8 = match std::str::from_utf8(head) {
            Ok(_) => true,
            Err(error) => error.error_len().is_none(),
        };
        (utf8 && !head.is_empty() && head.iter().all(plain)).then_some(Self::Plain)
    }

    fn advice(self) -> &'static str {
        match self {
            Self::LfsPointer => "fetch the model itself with `git lfs pull`",
            Self::Html => "the download failed: look at the page and fetch the model again",
            Self::Plain => "a model is a binary file, as `onnx.save` writes it",
        }
    }
}

impl fmt::Display for TextKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LfsPointer => "a git-LFS pointer",
            Self::Html => "a web page",
            Self::Plain => "text",
        })
    }
}
