//! The `external_data` field of a tensor, and its errors.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::proto::{StringStringEntryProto, TensorProto};
use shape_core::code::Code;

/// Why elements in another file could not be read. [`External`](super::External) reads them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExternalError {
    /// The folder of the other file is unknown.
    #[error("the elements lie in the file `{location}`, and the model is in no folder to look for it")]
    NoFolder {
        /// The location that the tensor names.
        location: String,
    },

    /// The tensor names no file.
    #[error("the tensor's elements lie in another file, and `external_data` has no `location` that names it")]
    NoLocation,

    /// A key occurs twice.
    #[error("`external_data` has two entries `{key}`; one must")]
    Duplicate {
        /// The key.
        key: &'static str,
    },

    /// The value of a key is not a number.
    #[error("the `{key}` in `external_data` is `{value}`, which is no whole number from 0 on")]
    NotANumber {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
    },

    /// The value of a key is larger than `u64::MAX`.
    #[error("the `{key}` in `external_data` is {value}, more than any file has")]
    TooLarge {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
    },

    /// The tensor contains elements although they are also in another file.
    #[error("{field} has elements, and `external_data` names a file for them; one of them must")]
    Both {
        /// The field.
        field: &'static str,
    },

    /// The elements are strings, which can only be stored in the tensor itself.
    #[error("strings cannot lie in another file, since their bytes have no fixed width")]
    Strings,

    /// The declared length does not match the elements.
    #[error("the dims ask for {needed} bytes, and `external_data` says a `length` of {length}")]
    Length {
        /// The declared length, in bytes.
        length: u64,
        /// The length according to the dims and the element type, in bytes.
        needed: u64,
    },

    /// The location is not a plain relative path.
    #[error("the location `{location}` is refused: it must be a path below the model's folder, without `..`")]
    NotRelative {
        /// The location that the tensor names.
        location: String,
    },

    /// A link leads out of the model's folder.
    #[error("the location `{location}` is refused: it leads out of the model's folder, to {}", .real.display())]
    Outside {
        /// The location that the tensor names.
        location: String,
        /// The path that it leads to.
        real: PathBuf,
    },

    /// The file does not exist.
    #[error("there is no file {}", .path.display())]
    Absent {
        /// The file.
        path: PathBuf,
    },

    /// The path is a directory, a pipe or a device.
    #[error("{} is no regular file", .path.display())]
    Irregular {
        /// The path.
        path: PathBuf,
    },

    /// The file cannot be read.
    #[error("cannot read {}: {reason}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        reason: io::ErrorKind,
    },

    /// The file ends before the elements do.
    #[error("{} has {found} bytes, and {length} are needed from byte {offset} on", .path.display())]
    Short {
        /// The file.
        path: PathBuf,
        /// The offset of the elements, in bytes.
        offset: u64,
        /// The length of the elements, in bytes.
        length: u64,
        /// The length of the file, in bytes.
        found: u64,
    },
}

impl ExternalError {
    /// The code of its finding.
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

    /// What was expected.
    pub(crate) fn expected(&self) -> &'static str {
        match self {
            Self::NoFolder { .. } => "a model file in a folder",
            Self::NotRelative { .. } | Self::Outside { .. } => "a file in the folder of the model, or below it",
            Self::Absent { .. } | Self::Irregular { .. } => "the file that the tensor names",
            Self::Read { .. } => "a file that may be read",
            Self::Short { .. } | Self::Length { .. } => "as many bytes as the dimensions and the element type require",
            _ => "a location, an offset and a length, each once, and no other elements",
        }
    }

    /// How to fix it.
    pub(crate) fn help(&self) -> &'static str {
        match self {
            Self::NoFolder { .. } => "open the model by its path, so that the data can be read",
            Self::NotRelative { .. } | Self::Outside { .. } => "put the data beside the model, and use a relative path",
            Self::Absent { .. } | Self::Irregular { .. } => "put the data file beside the model",
            Self::Read { .. } => "make the file readable",
            Self::Short { .. } | Self::Length { .. } => "download or export the model and its data again, together",
            _ => "write the tensor again",
        }
    }

    /// Whether the error affects every tensor that names the file.
    pub(crate) fn is_of_file(&self) -> bool {
        matches!(
            self,
            Self::NoFolder { .. }
                | Self::NotRelative { .. }
                | Self::Outside { .. }
                | Self::Absent { .. }
                | Self::Irregular { .. }
                | Self::Read { .. }
        )
    }
}

/// The `external_data` field of a tensor: the location of its elements.
pub(super) struct ExternalData<'a> {
    pub(super) location: &'a str,
    pub(super) offset: u64,
    pub(super) length: Option<u64>,
}

impl<'a> ExternalData<'a> {
    pub(super) fn of(tensor: &'a TensorProto) -> Result<Self, ExternalError> {
        let number = |key| match entry(&tensor.external_data, key)? {
            // `parse` alone would accept a sign.
            Some(value) if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                value.parse().map(Some).map_err(|_| ExternalError::TooLarge { key, value: value.to_owned() })
            }
            Some(value) => Err(ExternalError::NotANumber { key, value: value.to_owned() }),
            None => Ok(None),
        };
        let location = entry(&tensor.external_data, "location")?.filter(|location| !location.is_empty());
        Ok(Self {
            location: location.ok_or(ExternalError::NoLocation)?,
            offset: number("offset")?.unwrap_or(0),
            length: number("length")?,
        })
    }
}

/// The location of the file that has the elements of a tensor, if it names one file.
pub(super) fn location(tensor: &TensorProto) -> Option<&str> {
    entry(&tensor.external_data, "location").ok()?.filter(|location| !location.is_empty())
}

/// The value of a key. Duplicate keys are an error, since readers disagree about which one counts.
fn entry<'a>(entries: &'a [StringStringEntryProto], key: &'static str) -> Result<Option<&'a str>, ExternalError> {
    let mut values = entries.iter().filter(|entry| entry.key == key).map(|entry| &*entry.value);
    match (values.next(), values.next()) {
        (_, Some(_)) => Err(ExternalError::Duplicate { key }),
        (value, None) => Ok(value),
    }
}

/// Whether a location consists of names only, on any operating system.
pub(super) fn is_relative(location: &str) -> bool {
    let drive = matches!(location.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    // A backslash is part of a name on some systems and a separator on others: `..` is rejected on both sides of it.
    let mut parts = location.split(['/', '\\']);
    !drive
        && !location.starts_with(['/', '\\'])
        && !location.contains('\0')
        && parts.all(|part| part != "..")
        && Path::new(location).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}
