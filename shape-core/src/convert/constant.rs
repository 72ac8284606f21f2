//! Constants: tensors of at most one axis whose elements are known before a model runs.

use alloc::vec::Vec;
use core::fmt;

use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::elements::{Elements, Scalar};

/// A tensor of at most one axis whose elements are known before the model runs.
///
/// ```
/// use shape_core::DataType;
/// use shape_core::convert::{Constant, Numbers};
/// let axes = Constant { element: DataType::Int64, is_scalar: false, numbers: Numbers::Ints(vec![0, -1]) };
/// assert_eq!(axes.to_string(), "[0, -1]");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The element type.
    pub element: DataType,
    /// Whether it has no axis; otherwise it has one.
    pub is_scalar: bool,
    /// The elements.
    pub numbers: Numbers,
}

/// The elements of a [`Constant`].
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Integers, and booleans as 0 and 1.
    Ints(Vec<i64>),
    /// Floating-point numbers, of any width.
    Floats(Vec<f64>),
}

impl Numbers {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Ints(numbers) => numbers.len(),
            Self::Floats(numbers) => numbers.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers as elements of a type; `None` if the type does not represent one of them exactly.
    #[must_use]
    pub fn exactly(&self, element: DataType) -> Option<Self> {
        match (self, Kind::of(element)?) {
            (Self::Ints(numbers), Kind::Int { min, max }) => {
                numbers.iter().all(|number| (min..=max).contains(&i128::from(*number))).then(|| self.clone())
            }
            (Self::Floats(numbers), Kind::Int { .. }) => {
                numbers.iter().map(|number| whole(*number)).collect::<Option<_>>().map(Self::Ints)?.exactly(element)
            }
            (Self::Ints(numbers), Kind::Float { .. }) => {
                let float = |number: &i64| Some(*number as f64).filter(|float| whole(*float) == Some(*number));
                numbers.iter().map(float).collect::<Option<_>>().map(Self::Floats)?.exactly(element)
            }
            (Self::Floats(numbers), Kind::Float { digits, largest, smallest }) => {
                let fits = |number: &f64| !number.is_finite() || is_float(*number, digits, largest, smallest);
                numbers.iter().all(fits).then(|| self.clone())
            }
        }
    }
}

/// An integer that a float is; `None` if it is none, or past 64 bits.
fn whole(number: f64) -> Option<i64> {
    let int = number as i64;
    // `i64::MAX as f64` is one more than the largest integer.
    (int as f64 == number && int != i64::MAX).then_some(int)
}

/// The numbers that an element type has.
enum Kind {
    Int { min: i128, max: i128 },
    Float { digits: i32, largest: f64, smallest: i32 },
}

impl Kind {
    fn of(element: DataType) -> Option<Self> {
        let int = |bits: u32| Self::Int { min: -(1 << (bits - 1)), max: (1 << (bits - 1)) - 1 };
        let unsigned = |bits: u32| Self::Int { min: 0, max: (1 << bits) - 1 };
        Some(match element {
            DataType::Bool => unsigned(1),
            DataType::Int8 => int(8),
            DataType::Int16 => int(16),
            DataType::Int32 => int(32),
            DataType::Int64 => int(64),
            DataType::Uint8 => unsigned(8),
            DataType::Uint16 => unsigned(16),
            DataType::Uint32 => unsigned(32),
            DataType::Uint64 => unsigned(64),
            DataType::Float16 => Self::Float { digits: 11, largest: 65504.0, smallest: -24 },
            DataType::Bfloat16 => Self::Float { digits: 8, largest: 3.389_531_389_251_535_5e38, smallest: -133 },
            DataType::Float => Self::Float { digits: 24, largest: f32::MAX.into(), smallest: -149 },
            DataType::Double => Self::Float { digits: 53, largest: f64::MAX, smallest: -1074 },
            _ => return None,
        })
    }
}

/// Whether a number is one with so many binary digits, none worth less than a power of two.
fn is_float(number: f64, digits: i32, largest: f64, smallest: i32) -> bool {
    let bits = number.to_bits();
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let (significand, unit) = match exponent {
        0 => (fraction, -1074),
        exponent => (fraction | 1 << 52, i32::try_from(exponent).unwrap_or(i32::MAX) - 1075),
    };
    if significand == 0 {
        return true;
    }
    let zeros = i32::try_from(significand.trailing_zeros()).unwrap_or(0);
    let used = 64 - i32::try_from(significand.leading_zeros()).unwrap_or(0) - zeros;
    used <= digits && unit + zeros >= smallest && number.abs() <= largest
}

impl Constant {
    /// A constant of a type; `None` if one of the numbers is not exactly an element of the type.
    #[must_use]
    pub fn of(element: DataType, is_scalar: bool, numbers: &Numbers) -> Option<Self> {
        numbers.exactly(element).map(|numbers| Self { element, is_scalar, numbers })
    }
}

/// The two formats of 16 bits: the digits of a fraction, and what is added to an exponent.
fn half(element: DataType) -> Option<(u32, i32)> {
    match element {
        DataType::Float16 => Some((10, 15)),
        DataType::Bfloat16 => Some((7, 127)),
        _ => None,
    }
}

/// The number of such bits.
fn from_half(bits: u16, (digits, bias): (u32, i32)) -> f64 {
    let (fraction, exponent) = (bits & ((1 << digits) - 1), i32::from((bits & 0x7fff) >> digits));
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let scale = |power: i32| f64::from_bits(u64::from((power + 1023).unsigned_abs()) << 52);
    let digits_of_one = i32::from(1_u16) << digits;
    let last = (1 << (15 - digits)) - 1;
    sign * match exponent {
        0 => f64::from(fraction) * scale(1 - bias) / f64::from(digits_of_one),
        exponent if exponent == last => {
            if fraction == 0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        exponent => f64::from(i32::from(fraction) + digits_of_one) * scale(exponent - bias) / f64::from(digits_of_one),
    }
}

impl Constant {
    /// A constant of the bytes of a tensor, little-endian; `None` for a type whose elements are no numbers of whole
    /// bytes.
    ///
    /// ```
    /// use shape_core::DataType;
    /// use shape_core::convert::Constant;
    /// let half = Constant::from_bytes(DataType::Float16, true, &[0, 0x3c]).unwrap();
    /// assert_eq!((half.to_string(), half.bytes()), ("1.0".to_owned(), vec![0, 0x3c]));
    /// ```
    #[must_use]
    pub fn from_bytes(element: DataType, is_scalar: bool, bytes: &[u8]) -> Option<Self> {
        if let Some(format) = half(element) {
            let halves =
                bytes.chunks_exact(2).map(|two| two.iter().rev().fold(0, |bits, byte| bits << 8 | u16::from(*byte)));
            let numbers = Numbers::Floats(halves.map(|bits| from_half(bits, format)).collect());
            return Some(Self { element, is_scalar, numbers });
        }
        Elements::<'_, u64>::width(element)?;
        Self::of_scalars(element, is_scalar, Elements::<'_, u64>::Bytes(element, bytes).iter())
    }

    /// A constant of known elements; `None` if one of them is not known, or not an element of the type.
    #[must_use]
    pub fn of_scalars<D: Dimension>(
        element: DataType,
        is_scalar: bool,
        scalars: impl Iterator<Item = Scalar<D>> + Clone,
    ) -> Option<Self> {
        let int = |scalar: Scalar<D>| match scalar {
            Scalar::Int(number) => Some(number),
            Scalar::Bool(value) => Some(value.into()),
            _ => None,
        };
        let float = |scalar: Scalar<D>| if let Scalar::Float(number) = scalar { Some(number) } else { None };
        let ints: Option<Vec<i64>> = scalars.clone().map(int).collect();
        let numbers =
            ints.map(Numbers::Ints).or_else(|| scalars.map(float).collect::<Option<_>>().map(Numbers::Floats))?;
        Self::of(element, is_scalar, &numbers)
    }

    /// The elements as the bytes of a tensor, little-endian.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let width = self.element.bits().map_or(0, |bits| usize::from(bits) / 8);
        match &self.numbers {
            Numbers::Ints(numbers) => {
                numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)).collect()
            }
            Numbers::Floats(numbers) => numbers.iter().flat_map(|number| self.float_bytes(*number)).collect(),
        }
    }

    fn float_bytes(&self, number: f64) -> Vec<u8> {
        match (self.element, half(self.element)) {
            (_, Some(format)) => {
                // The numbers are ordered as their bits are.
                let (mut low, mut high) = (0_u16, 0x7fff);
                while low < high {
                    let middle = low + (high - low) / 2;
                    let below = from_half(middle, format) < number.abs();
                    (low, high) = if below { (middle + 1, high) } else { (low, middle) };
                }
                let sign = if number.is_sign_negative() { 0x8000 } else { 0 };
                (low | sign).to_le_bytes().to_vec()
            }
            (DataType::Double, _) => number.to_le_bytes().to_vec(),
            _ => (number as f32).to_le_bytes().to_vec(),
        }
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.numbers, self.is_scalar) {
            (Numbers::Ints(numbers), false) => write!(formatter, "{numbers:?}"),
            (Numbers::Floats(numbers), false) => write!(formatter, "{numbers:?}"),
            (Numbers::Ints(numbers), true) => numbers.first().map_or(Ok(()), |number| write!(formatter, "{number}")),
            (Numbers::Floats(numbers), true) => {
                numbers.first().map_or(Ok(()), |number| write!(formatter, "{number:?}"))
            }
        }
    }
}
