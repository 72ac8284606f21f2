//! The elements of a tensor, as far as they are known before a model runs.

pub mod arithmetic;

use crate::dims::Dimension;

/// An element of a tensor: a number, an expression over sizes, or unknown for a reason.
///
/// An integer that is a number is an `Int`, whatever it came from: [`Scalar::size`] sees to it.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<D: Dimension = u64> {
    /// An integer.
    Int(i64),
    /// The size of something: it is never negative, even where it is not known.
    Size(D),
    /// An integer that may be negative, such as `N - 5`. The dimension is its expression, without being a size.
    Expression(D),
    /// A truth value.
    Bool(bool),
    /// A floating-point number. One of a narrower type is among those of this one.
    Float(f64),
    /// Nothing is known, for this reason.
    Unknown(D::Reason),
}

/// The elements of a tensor in row-major order, wherever they are kept.
#[derive(Debug)]
pub enum Elements<'a, D: Dimension = u64> {
    /// Integers.
    Ints(&'a [i64]),
    /// Integers of eight bytes each, little-endian: a tensor's own bytes.
    Bytes(&'a [u8]),
    /// Whatever there is, each by itself.
    Scalars(&'a [Scalar<D>]),
}

impl<D: Dimension> Clone for Elements<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Dimension> Copy for Elements<'_, D> {}

impl<'a, D: Dimension> Elements<'a, D> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Ints(ints) => ints.len(),
            Self::Bytes(bytes) => bytes.len() / size_of::<i64>(),
            Self::Scalars(scalars) => scalars.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at a place below [`Elements::len`].
    ///
    /// ```
    /// use shape_core::elements::{Elements, Scalar};
    /// let elements: Elements<'_> = Elements::Bytes(&[255, 255, 255, 255, 255, 255, 255, 255]);
    /// assert_eq!(elements.get(0), Some(Scalar::Int(-1)));
    /// assert_eq!(elements.get(1), None);
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Scalar<D>> {
        match self {
            Self::Ints(ints) => ints.get(index).copied().map(Scalar::Int),
            Self::Bytes(bytes) => {
                let rest = bytes.get(index.checked_mul(size_of::<i64>())?..)?;
                rest.first_chunk().map(|bytes| Scalar::Int(i64::from_le_bytes(*bytes)))
            }
            Self::Scalars(scalars) => scalars.get(index).cloned(),
        }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Scalar<D>> + Clone + use<'a, D> {
        let elements = *self;
        (0..elements.len()).filter_map(move |index| elements.get(index))
    }
}
