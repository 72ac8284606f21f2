//! The elements of a tensor of int64, as far as they are known before a model runs.

/// An integer, or a size that may be a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar<D = u64> {
    /// A number.
    Int(i64),
    /// The size of something: it is never negative.
    Size(D),
}

/// The elements of a tensor of int64 in row-major order, wherever they are kept.
#[derive(Debug)]
pub enum Elements<'a, D = u64> {
    /// Numbers.
    Ints(&'a [i64]),
    /// Numbers of eight bytes each, little-endian: a tensor's own bytes.
    Bytes(&'a [u8]),
    /// Numbers and sizes.
    Scalars(&'a [Scalar<D>]),
}

impl<D> Clone for Elements<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Elements<'_, D> {}

impl<'a, D: Clone> Elements<'a, D> {
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
