//! The values of a run: tensors with their elements.

use std::fmt;
use std::path::Path;
use std::rc::Rc;

use super::element;
use super::tolerance::{Tolerance, difference};
use crate::file::proto::TensorProto;
use crate::file::{self, Bytes, External, Message as _};
use shape_core::data_type::DataType;
use shape_core::tensor::{self, element_count};

/// A tensor with shared or owned elements; a clone copies no elements.
#[derive(Clone, Debug)]
pub struct Value {
    pub(super) data_type: DataType,
    pub(super) dims: Vec<u64>,
    pub(super) data: Data,
}

/// The elements of a tensor.
#[derive(Clone, Debug)]
pub(super) enum Data {
    /// Elements of any type except string, in the form of `raw_data`.
    Bytes(Bytes),
    /// Strings, which have no fixed width.
    Strings(Rc<[Bytes]>),
    /// The elements are unknown.
    Unknown,
}

impl Value {
    /// Reads a file with one `TensorProto`, such as `input_0.pb` of a test case.
    ///
    /// # Errors
    /// The path, and why it is no tensor or cannot be read.
    ///
    /// ```
    /// use shape_core::data_type::DataType;
    /// use shape_model::test_case::{Tolerance, Value};
    /// use shape_model::file::{Message as _, proto::TensorProto};
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("output_0.pb");
    /// let tensor = TensorProto { data_type: Some(7), dims: vec![0], ..TensorProto::default() };
    /// std::fs::write(&path, tensor.encode_to_vec())?;
    /// let value = Value::open(&path)?;
    /// assert_eq!((value.data_type(), value.dims()), (DataType::Int64, &[0][..]));
    /// assert_eq!(value.difference(&value, Tolerance::EXACT), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, String> {
        let path = path.as_ref();
        let at_fault = |error: String| format!("{}: {error}", path.display());
        let (tensor, external) = file::read_tensor(path).map_err(|error| at_fault(error.to_string()))?;
        Self::read(&tensor, &external).map_err(|error| at_fault(error.to_string()))
    }

    /// The bytes of a file with this tensor, under a name.
    #[must_use]
    pub fn to_file(&self, name: &str) -> Bytes {
        let mut proto = TensorProto {
            name: name.to_owned(),
            dims: self.dims.iter().map(|dim| i64::try_from(*dim).unwrap_or(i64::MAX)).collect(),
            data_type: Some(self.data_type.number().into()),
            ..TensorProto::default()
        };
        match &self.data {
            Data::Bytes(bytes) => proto.raw_data = Some(bytes.clone()),
            Data::Strings(strings) => proto.string_data = strings.to_vec(),
            Data::Unknown => {}
        }
        Bytes::from(proto.encode_to_vec())
    }

    /// The element type.
    #[must_use]
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// The sizes of the axes, outermost first.
    #[must_use]
    pub fn dims(&self) -> &[u64] {
        &self.dims
    }

    /// Reads the tensor of a file.
    pub(super) fn read(tensor: &TensorProto, external: &External) -> Result<Self, file::TensorError> {
        let data_type = tensor.element_type()?;
        let data = match data_type {
            DataType::String => Data::Strings(tensor.strings()?.cloned().collect()),
            _ => Data::Bytes(external.elements(tensor)?),
        };
        Ok(Self { data_type, dims: tensor.sizes()?, data })
    }

    /// The same elements with other dimensions.
    pub(super) fn reshaped(&self, dims: Vec<u64>) -> Result<Self, tensor::TensorError> {
        let count = |dims: &[u64]| element_count(dims).ok_or(tensor::TensorError::TooLarge);
        let (expected, found) = (count(&self.dims)?, count(&dims)?);
        if expected != found {
            return Err(tensor::TensorError::Elements { expected, found });
        }
        Ok(Self { data_type: self.data_type, dims, data: self.data.clone() })
    }

    /// The first element that differs from the one of a tensor of the same type and dimensions, by more than a tolerance.
    #[must_use]
    pub fn difference(&self, expected: &Self, tolerance: Tolerance) -> Option<Difference> {
        match (&self.data, &expected.data) {
            (Data::Bytes(found), Data::Bytes(expected)) if found != expected => {
                let count = element_count(&self.dims)?;
                let index = difference(self.data_type, count, (found, expected), tolerance)?;
                let show = |bytes: &Bytes| element::show(self.data_type, element::bits(self.data_type, bytes, index));
                Some(self.differs_at(index, show(found), show(expected)))
            }
            (Data::Strings(found), Data::Strings(expected)) => {
                let pairs = (0..).zip(found.iter().zip(&**expected));
                let (index, (found, expected)) = pairs.into_iter().find(|(_, (found, expected))| found != expected)?;
                Some(self.differs_at(index, format!("{found:?}"), format!("{expected:?}")))
            }
            _ => None,
        }
    }

    fn differs_at(&self, index: u64, found: String, expected: String) -> Difference {
        let mut rest = index;
        let mut at: Vec<u64> = (self.dims.iter().rev())
            .map(|dim| {
                let at = rest.checked_rem(*dim).unwrap_or(0);
                rest = rest.checked_div(*dim).unwrap_or(0);
                at
            })
            .collect();
        at.reverse();
        Difference { at, found, expected }
    }
}

/// Type and dimensions.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {:?}", self.data_type, self.dims)
    }
}

/// Two elements that should be equal; as text, `3.5 at [0, 1], expected 4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    at: Vec<u64>,
    found: String,
    expected: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at {:?}, expected {}", self.found, self.at, self.expected)
    }
}
