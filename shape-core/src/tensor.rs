//! Tensors as views: a data type, dimensions, bytes.

use core::fmt;

use crate::data_type::DataType;
use crate::element::Element;

/// A tensor whose elements are somewhere else: row-major, little-endian, packed types packed.
///
/// Strings have no width, so a view of a string tensor has no bytes, only dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tensor<'a> {
    data_type: DataType,
    dims: &'a [u64],
    bytes: &'a [u8],
}

/// Why bytes are not a tensor of some type and dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TensorError {
    /// The dimensions hold more elements, or more bytes of them, than 2^64.
    TooLarge,
    /// The number of bytes is not that of the elements.
    Length {
        /// The bytes that the elements take.
        expected: u64,
        /// The bytes that there are.
        found: u64,
    },
    /// The new dimensions of a tensor do not hold the elements that it has.
    Elements {
        /// The elements of the tensor.
        expected: u64,
        /// The elements that the dimensions hold.
        found: u64,
    },
}

impl fmt::Display for TensorError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => formatter.write_str("the dimensions hold more than 2^64 bytes"),
            Self::Length { expected, found } => {
                write!(formatter, "the dimensions ask for {expected} bytes, and there are {found}")
            }
            Self::Elements { expected, found } => {
                write!(formatter, "the dimensions hold {found} elements, and the tensor has {expected}")
            }
        }
    }
}

impl core::error::Error for TensorError {}

/// The number of elements of a tensor; `None` past `u64::MAX`. A dimension of zero makes it zero, even if the rest overflows.
#[must_use]
pub fn element_count(dims: &[u64]) -> Option<u64> {
    if dims.contains(&0) {
        return Some(0);
    }
    dims.iter().try_fold(1_u64, |count, &dim| count.checked_mul(dim))
}

impl<'a> Tensor<'a> {
    /// Floats, none of them.
    pub(crate) const EMPTY: Self = Self { data_type: DataType::Float, dims: &[0], bytes: &[] };

    /// A view of bytes as a tensor.
    ///
    /// # Errors
    /// The number of bytes is not what the dimensions and the width of the type ask for.
    ///
    /// ```
    /// use shape_core::{DataType, Tensor};
    /// let tensor = Tensor::new(DataType::Int64, &[2], &[2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0])?;
    /// assert!(tensor.elements::<i64>().unwrap().eq([2, 3]));
    /// assert!(tensor.elements::<f64>().is_none());
    /// # Ok::<(), shape_core::tensor::TensorError>(())
    /// ```
    pub fn new(data_type: DataType, dims: &'a [u64], bytes: &'a [u8]) -> Result<Self, TensorError> {
        let elements = element_count(dims).ok_or(TensorError::TooLarge)?;
        let expected = match data_type.bits() {
            Some(_) => data_type.bytes(elements).ok_or(TensorError::TooLarge)?,
            None => 0,
        };
        let found = bytes.len() as u64;
        if expected == found {
            Ok(Self { data_type, dims, bytes })
        } else {
            Err(TensorError::Length { expected, found })
        }
    }

    /// The same elements, in their order, under other dimensions. Nothing is copied, and nothing read: the bytes are
    /// those that they were, padding of packed types included.
    ///
    /// # Errors
    /// The dimensions hold another number of elements.
    ///
    /// ```
    /// use shape_core::tensor::TensorError;
    /// use shape_core::{DataType, Tensor};
    /// let list = Tensor::new(DataType::Int4, &[6], &[0x10, 0x32, 0x54])?;
    /// let table = list.reshaped(&[2, 3])?;
    /// assert_eq!((table.dims(), table.bytes()), (&[2, 3][..], list.bytes()));
    /// // Three bytes have room for five elements too, and the tensor has six.
    /// assert_eq!(list.reshaped(&[5]), Err(TensorError::Elements { expected: 6, found: 5 }));
    /// # Ok::<(), TensorError>(())
    /// ```
    pub fn reshaped(self, dims: &'a [u64]) -> Result<Self, TensorError> {
        let count = |dims| element_count(dims).ok_or(TensorError::TooLarge);
        let (expected, found) = (count(self.dims)?, count(dims)?);
        if expected == found { Ok(Self { dims, ..self }) } else { Err(TensorError::Elements { expected, found }) }
    }

    /// The element type.
    #[must_use]
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// The dimensions, outermost first.
    #[must_use]
    pub fn dims(&self) -> &'a [u64] {
        self.dims
    }

    /// The elements as they are kept.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The elements as Rust values, in row-major order; `None` if the tensor is of another type, or the type is
    /// packed and has no value of its own.
    pub fn elements<E: Element>(&self) -> Option<impl Iterator<Item = E> + 'a> {
        if E::DATA_TYPE != self.data_type || size_of::<E>() == 0 {
            return None;
        }
        Some(self.bytes.chunks_exact(size_of::<E>()).filter_map(E::from_le_bytes))
    }
}
