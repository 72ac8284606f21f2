//! A list of elements, as a view of its storage.

use super::scalar::Scalar;
use crate::data_type::DataType;
use crate::dimension::{Dimension, Undecided};

/// The elements of a tensor in row-major order, as a view of their storage.
#[derive(Debug)]
pub enum Elements<'a, D: Dimension = u64> {
    /// Integers.
    Ints(&'a [i64]),
    /// Floating-point numbers.
    Floats(&'a [f32]),
    /// The bytes of a tensor, little-endian, of a type with [`Elements::width`].
    Bytes(DataType, &'a [u8]),
    /// Any elements, one by one.
    Scalars(&'a [Scalar<D>]),
    /// The same, for a reader that gives some integers a special meaning, such as -1: an element that may be any
    /// integer is unknown.
    Target(&'a [Scalar<D>]),
    /// This many elements, none of which is known, for this reason. Beside known ones, each keeps its place.
    Unknown(usize, &'a D::Reason),
}

impl<D: Dimension> Clone for Elements<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Dimension> Copy for Elements<'_, D> {}

impl<'a, D: Dimension> Elements<'a, D> {
    /// The number of bytes of an element, for types whose elements are computed: integers, floats and booleans of whole bytes
    /// that Rust has a type for; `None` for other types.
    #[must_use]
    pub const fn width(ty: DataType) -> Option<usize> {
        match ty {
            DataType::Bool | DataType::Int8 | DataType::Uint8 => Some(1),
            DataType::Int16 | DataType::Uint16 => Some(2),
            DataType::Int32 | DataType::Uint32 | DataType::Float => Some(4),
            DataType::Int64 | DataType::Uint64 | DataType::Double => Some(8),
            _ => None,
        }
    }

    pub(crate) fn as_target(self) -> Self {
        if let Self::Scalars(scalars) = self { Self::Target(scalars) } else { self }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Ints(ints) => ints.len(),
            Self::Floats(floats) => floats.len(),
            Self::Bytes(ty, bytes) => Self::width(*ty).map_or(0, |width| bytes.len() / width),
            Self::Scalars(scalars) | Self::Target(scalars) => scalars.len(),
            Self::Unknown(count, _) => *count,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at an index below [`Elements::len`].
    ///
    /// ```
    /// use shape_core::elements::{Elements, Scalar};
    /// use shape_core::DataType;
    /// let elements: Elements<'_> = Elements::Bytes(DataType::Int16, &[255, 255, 7, 0]);
    /// assert_eq!([0, 1, 2].map(|index| elements.get(index)), [Some(Scalar::Int(-1)), Some(Scalar::Int(7)), None]);
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Scalar<D>> {
        match self {
            Self::Ints(ints) => ints.get(index).copied().map(Scalar::Int),
            Self::Floats(floats) => floats.get(index).map(|float| Scalar::Float((*float).into())),
            Self::Bytes(ty, bytes) => {
                let width = Self::width(*ty)?;
                let from = index.checked_mul(width)?;
                decode(*ty, bytes.get(from..from.checked_add(width)?)?)
            }
            Self::Scalars(scalars) => scalars.get(index).cloned(),
            Self::Target(scalars) => scalars.get(index).map(|scalar| match scalar {
                Scalar::Expression(of) if !of.of_sizes() => Scalar::undecided(Undecided::AnyInteger),
                scalar => scalar.clone(),
            }),
            Self::Unknown(count, reason) => (index < *count).then(|| Scalar::Unknown((*reason).clone())),
        }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Scalar<D>> + Clone + use<'a, D> {
        let elements = *self;
        (0..elements.len()).filter_map(move |index| elements.get(index))
    }
}

/// Decodes an element; one past int64 is unknown.
fn decode<D: Dimension>(ty: DataType, bytes: &[u8]) -> Option<Scalar<D>> {
    macro_rules! number {
        ($number:ty) => {
            <$number>::from_le_bytes(*bytes.first_chunk()?)
        };
    }
    Some(match ty {
        DataType::Bool => Scalar::Bool(number!(u8) != 0),
        DataType::Int8 => Scalar::Int(number!(i8).into()),
        DataType::Uint8 => Scalar::Int(number!(u8).into()),
        DataType::Int16 => Scalar::Int(number!(i16).into()),
        DataType::Uint16 => Scalar::Int(number!(u16).into()),
        DataType::Int32 => Scalar::Int(number!(i32).into()),
        DataType::Uint32 => Scalar::Int(number!(u32).into()),
        DataType::Int64 => Scalar::Int(number!(i64)),
        DataType::Uint64 => match i64::try_from(number!(u64)) {
            Ok(number) => Scalar::Int(number),
            Err(_) => Scalar::undecided(Undecided::Overflow),
        },
        DataType::Float => Scalar::Float(number!(f32).into()),
        DataType::Double => Scalar::Float(number!(f64)),
        _ => return None,
    })
}
