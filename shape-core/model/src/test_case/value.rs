//! The values of a run: tensors with their elements.

use std::fmt;
use std::rc::Rc;

use super::element;
use crate::file::proto::TensorProto;
use crate::file::{self, Bytes, External};
use shape_core::data_type::DataType;
use shape_core::tensor::{self, element_count};

/// A tensor with shared or owned elements; a clone copies no elements.
#[derive(Clone, Debug)]
pub(super) struct Value {
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

    /// The first difference between two tensors of the same type and dimensions.
    pub(super) fn difference(&self, other: &Self) -> Option<Difference> {
        match (&self.data, &other.data) {
            (Data::Bytes(found), Data::Bytes(expected)) if found != expected => {
                let index = element::difference(self.data_type, element_count(&self.dims)?, found, expected)?;
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

/// Two elements that should be equal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    at: Vec<u64>,
    found: String,
    expected: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at {:?}, expected {}", self.found, self.at, self.expected)
    }
}
