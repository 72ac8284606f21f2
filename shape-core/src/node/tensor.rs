//! A tensor attribute, as a view of its storage.

use core::any::Any;
use core::fmt;

use crate::data_type::DataType;
use crate::tensor::Tensor;

/// TENSOR: a view of its type, dimensions and elements.
///
/// ```
/// use shape_core::node::TensorView;
/// use shape_core::{DataType, Tensor};
/// let view = TensorView::from(Tensor::new(DataType::Int8, &[2, 1], &[5, 6])?);
/// assert_eq!((view.data_type(), view.rank(), view.dim(0)), (Some(DataType::Int8), 2, Some(2)));
/// assert_eq!(view.bytes(), Some(&[5, 6][..]));
/// # Ok::<(), shape_core::tensor::TensorError>(())
/// ```
#[derive(Clone, Copy)]
pub struct TensorView<'a>(Kept<'a>);

#[derive(Clone, Copy)]
enum Kept<'a> {
    Tensor(Tensor<'a>),
    Stored(&'a dyn TensorStorage),
}

/// A tensor that is not stored as a [`Tensor`], such as a message of a model file.
pub trait TensorStorage: Any + Sync {
    /// See [`TensorView::data_type`].
    fn data_type(&self) -> Option<DataType>;

    /// See [`TensorView::rank`].
    fn rank(&self) -> usize;

    /// See [`TensorView::dim`].
    fn dim(&self, axis: usize) -> Option<u64>;

    /// See [`TensorView::bytes`].
    fn bytes(&self) -> Option<&[u8]>;

    /// Reads the elements in the format of [`Tensor::bytes`], decoded if necessary, unless there are more than `max`. Calls
    /// `read` at most once, and not if the elements cannot be read.
    fn read(&self, max: usize, read: &mut dyn FnMut(&[u8]));

    /// Whether another tensor has the same storage type and the same content.
    fn same_as(&self, other: &dyn Any) -> bool;
}

/// The maximum number of bytes of an element.
const MAX_ELEMENT_BYTES: usize = 16;

impl<'a> TensorView<'a> {
    /// A tensor without elements.
    pub(crate) const EMPTY: Self = Self(Kept::Tensor(Tensor::EMPTY));

    /// The element type; `None` if the file has an unknown number.
    #[must_use]
    pub fn data_type(&self) -> Option<DataType> {
        match self.0 {
            Kept::Tensor(tensor) => Some(tensor.data_type()),
            Kept::Stored(tensor) => tensor.data_type(),
        }
    }

    /// The number of dimensions.
    #[must_use]
    pub fn rank(&self) -> usize {
        match self.0 {
            Kept::Tensor(tensor) => tensor.dims().len(),
            Kept::Stored(tensor) => tensor.rank(),
        }
    }

    /// The dimension of an axis below the rank; `None` if a file has a negative one.
    #[must_use]
    pub fn dim(&self, axis: usize) -> Option<u64> {
        match self.0 {
            Kept::Tensor(tensor) => tensor.dims().get(axis).copied(),
            Kept::Stored(tensor) => tensor.dim(axis),
        }
    }

    /// The elements, if they are stored in the format of [`Tensor::bytes`]: `None` for strings, for data in another file, and
    /// for a list of numbers that would have to be decoded, which `TensorProto::elements` does.
    #[must_use]
    pub fn bytes(&self) -> Option<&'a [u8]> {
        match self.0 {
            Kept::Tensor(tensor) => tensor.data_type().bits().map(|_| tensor.bytes()),
            Kept::Stored(tensor) => tensor.bytes(),
        }
    }

    /// Reads the elements in the format of [`Tensor::bytes`], decoded if the file stores a list of numbers, unless there are
    /// more than `max`. `None` if they cannot be read.
    pub fn read<R>(&self, max: usize, read: impl FnOnce(&[u8]) -> R) -> Option<R> {
        match self.0 {
            Kept::Tensor(_) => {
                let few = |bytes: &&[u8]| bytes.len() <= max.saturating_mul(MAX_ELEMENT_BYTES);
                self.bytes().filter(few).map(read)
            }
            Kept::Stored(tensor) => {
                let (mut read, mut result) = (Some(read), None);
                tensor.read(max, &mut |bytes| result = read.take().map(|read| read(bytes)));
                result
            }
        }
    }

    /// The storage of the tensor, if it has this type: for one of a file, a `shape_model::file::proto::TensorProto`.
    #[must_use]
    pub fn get<T: Any>(&self) -> Option<&'a T> {
        match self.0 {
            Kept::Tensor(_) => None,
            Kept::Stored(tensor) => {
                let tensor: &dyn Any = tensor;
                tensor.downcast_ref()
            }
        }
    }

    /// A view of the storage of a tensor.
    #[must_use]
    pub const fn new<T: TensorStorage>(tensor: &'a T) -> Self {
        Self(Kept::Stored(tensor))
    }
}

/// Two views are equal if their tensors are stored in the same way and have the same content.
impl PartialEq for TensorView<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Kept::Tensor(this), Kept::Tensor(other)) => this == other,
            (Kept::Stored(this), Kept::Stored(other)) => this.same_as(other),
            _ => false,
        }
    }
}

impl<'a> From<Tensor<'a>> for TensorView<'a> {
    fn from(tensor: Tensor<'a>) -> Self {
        Self(Kept::Tensor(tensor))
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
