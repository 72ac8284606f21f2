//! A tensor that is an attribute, wherever it is kept.

use core::fmt;

use crate::data_type::DataType;
use crate::tensor::Tensor;

/// TENSOR: what is known of it without making a copy.
///
/// ```
/// use shape_core::node::TensorView;
/// use shape_core::{DataType, Tensor};
/// let view = TensorView::from(Tensor::new(DataType::Int8, &[2, 1], &[5, 6])?);
/// assert_eq!((view.data_type(), view.rank(), view.dim(0)), (Some(DataType::Int8), 2, Some(2)));
/// assert_eq!(view.bytes(), Some(&[5, 6][..]));
/// # Ok::<(), shape_core::tensor::TensorError>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct TensorView<'a>(Kept<'a>);

#[derive(Clone, Copy, PartialEq)]
enum Kept<'a> {
    Tensor(Tensor<'a>),
    #[cfg(feature = "model")]
    Proto(&'a crate::model::proto::TensorProto),
}

/// The bytes that an element takes at most, as itself or in a list of a file.
const LONGEST: usize = 16;

impl<'a> TensorView<'a> {
    /// A tensor without elements.
    pub(crate) const EMPTY: Self = Self(Kept::Tensor(Tensor::EMPTY));

    /// The element type; `None` where a file has a number that stands for none.
    #[must_use]
    pub fn data_type(&self) -> Option<DataType> {
        match self.0 {
            Kept::Tensor(tensor) => Some(tensor.data_type()),
            #[cfg(feature = "model")]
            Kept::Proto(tensor) => tensor.element_type().ok(),
        }
    }

    /// The number of dimensions.
    #[must_use]
    pub fn rank(&self) -> usize {
        match self.0 {
            Kept::Tensor(tensor) => tensor.dims().len(),
            #[cfg(feature = "model")]
            Kept::Proto(tensor) => tensor.dims.len(),
        }
    }

    /// The dimension of an axis below the rank; `None` where a file has a negative one.
    #[must_use]
    pub fn dim(&self, axis: usize) -> Option<u64> {
        match self.0 {
            Kept::Tensor(tensor) => tensor.dims().get(axis).copied(),
            #[cfg(feature = "model")]
            Kept::Proto(tensor) => tensor.dims.get(axis).and_then(|size| u64::try_from(*size).ok()),
        }
    }

    /// The elements as [`Tensor::bytes`] has them, where they are kept so: `None` for strings, for what lies in another
    /// file, and for a list of numbers that would have to be decoded, which `TensorProto::elements` does.
    #[must_use]
    pub fn bytes(&self) -> Option<&'a [u8]> {
        match self.0 {
            Kept::Tensor(tensor) => tensor.data_type().bits().map(|_| tensor.bytes()),
            #[cfg(feature = "model")]
            Kept::Proto(tensor) => match tensor.elements() {
                Ok(alloc::borrow::Cow::Borrowed(bytes)) => Some(bytes),
                _ => None,
            },
        }
    }

    /// Reads the elements as [`Tensor::bytes`] has them, decoded first where a file keeps a list of numbers, unless there
    /// are more than `most` of these. `None` where they cannot be read.
    pub(crate) fn read<R>(&self, most: usize, read: impl FnOnce(&[u8]) -> R) -> Option<R> {
        match self.0 {
            Kept::Tensor(_) => self.bytes().filter(|bytes| bytes.len() <= most.saturating_mul(LONGEST)).map(read),
            #[cfg(feature = "model")]
            Kept::Proto(tensor) => {
                let lists = [tensor.int32_data.as_bytes(), tensor.int64_data.as_bytes(), tensor.uint64_data.as_bytes()];
                let few = lists.iter().all(|list| list.len() <= most.saturating_mul(LONGEST));
                let elements = few.then(|| tensor.elements().ok()).flatten();
                elements.map(|elements| read(&elements))
            }
        }
    }

    /// The message of the file; `None` for a tensor that is kept otherwise.
    #[cfg(feature = "model")]
    #[must_use]
    pub fn proto(&self) -> Option<&'a crate::model::proto::TensorProto> {
        match self.0 {
            Kept::Tensor(_) => None,
            Kept::Proto(tensor) => Some(tensor),
        }
    }
}

impl<'a> From<Tensor<'a>> for TensorView<'a> {
    fn from(tensor: Tensor<'a>) -> Self {
        Self(Kept::Tensor(tensor))
    }
}

#[cfg(feature = "model")]
impl<'a> From<&'a crate::model::proto::TensorProto> for TensorView<'a> {
    fn from(tensor: &'a crate::model::proto::TensorProto) -> Self {
        Self(Kept::Proto(tensor))
    }
}

impl fmt::Debug for TensorView<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// The type and the dimensions: `float[2, 3]`.
impl fmt::Display for TensorView<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}[", self.data_type().map_or("?", DataType::name))?;
        for axis in 0..self.rank() {
            let comma = if axis == 0 { "" } else { ", " };
            match self.dim(axis) {
                Some(size) => write!(formatter, "{comma}{size}")?,
                None => write!(formatter, "{comma}?")?,
            }
        }
        formatter.write_str("]")
    }
}

#[cfg(all(test, feature = "model"))]
mod tests {
    use super::*;
    use crate::model::Bytes;
    use crate::model::proto::TensorProto;

    #[test]
    fn of_a_file() {
        let proto = TensorProto {
            data_type: Some(3),
            dims: vec![2, -1],
            raw_data: Some(Bytes::from_static(&[5, 6])),
            ..TensorProto::default()
        };
        let view = TensorView::from(&proto);
        assert_eq!((view.data_type(), view.rank(), view.dim(1), view.bytes()), (Some(DataType::Int8), 2, None, None));
        assert_eq!(view.to_string(), "int8[2, ?]");
        let proto = TensorProto { dims: vec![2], ..proto };
        let view = TensorView::from(&proto);
        assert_eq!(view.bytes(), Some(&[5, 6][..]));
        assert_eq!(view.proto(), Some(&proto));
        // A list of numbers is no view of bytes, and a string has none.
        let proto = TensorProto { raw_data: None, int32_data: [5, 6].into_iter().collect(), ..proto };
        assert_eq!(TensorView::from(&proto).bytes(), None);
        let strings = Tensor::new(DataType::String, &[2], &[]).unwrap();
        assert_eq!(TensorView::from(strings).bytes(), None);
    }
}
