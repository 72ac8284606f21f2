//! By how much an output element may differ from the expected one.

use super::element::{bits, is_nan, same};
use crate::small_float;
use shape_core::data_type::DataType;

/// The largest difference from an expected element: `absolute` plus `relative` times the magnitude of that element.
///
/// ```
/// use shape_core::data_type::DataType;
/// use shape_model::test_case::Tolerance;
/// assert_eq!(Tolerance::of(DataType::Int64), Tolerance::EXACT);
/// assert!(Tolerance::of(DataType::Double).relative < Tolerance::of(DataType::Float).relative);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The part of the difference that is proportional to the expected element.
    pub relative: f64,
    /// The part of the difference that is the same for all elements.
    pub absolute: f64,
}

impl Tolerance {
    /// None: each bit is the same, unless both elements are NaN.
    pub const EXACT: Self = Self { relative: 0.0, absolute: 0.0 };

    /// The difference that two correct implementations may have; it depends on how many digits the type has. Types of
    /// eight bits and less, integers, truth values and strings are the same.
    #[must_use]
    pub const fn of(data_type: DataType) -> Self {
        let (relative, absolute) = match data_type {
            DataType::Double | DataType::Complex128 => (1e-7, 1e-9),
            DataType::Float | DataType::Complex64 => (1e-4, 1e-5),
            DataType::Float16 => (5e-3, 1e-3),
            DataType::Bfloat16 => (2e-2, 1e-2),
            _ => (0.0, 0.0),
        };
        Self { relative, absolute }
    }

    /// Whether it accepts an element of some bits for another one.
    pub(super) fn accepts(self, data_type: DataType, found: u128, expected: u128) -> bool {
        let part = |of: DataType, from: u32| {
            let cut = |bits: u128| bits >> from & ((1 << 64) - 1);
            self.accepts(of, cut(found), cut(expected))
        };
        match data_type {
            _ if self == Self::EXACT => false,
            DataType::Complex64 => part(DataType::Float, 0) && part(DataType::Float, 32),
            DataType::Complex128 => part(DataType::Double, 0) && part(DataType::Double, 64),
            _ if is_nan(data_type, found) && is_nan(data_type, expected) => true,
            _ => match (number(data_type, found), number(data_type, expected)) {
                (Some(found), Some(expected)) => {
                    (found - expected).abs() <= self.absolute + self.relative * expected.abs()
                }
                _ => false,
            },
        }
    }
}

/// The index of the first of `count` elements that differ: in any bit, unless both are NaN or a tolerance accepts one for
/// the other. Padding bits do not count.
pub(super) fn difference(
    data_type: DataType,
    count: u64,
    (found, expected): (&[u8], &[u8]),
    tolerance: Tolerance,
) -> Option<u64> {
    (0..count).find(|&index| {
        let (found, expected) = (bits(data_type, found, index), bits(data_type, expected, index));
        !same(data_type, found, expected) && !tolerance.accepts(data_type, found, expected)
    })
}

/// A float as a number; `None` for what is no number, or has no digits.
fn number(data_type: DataType, bits: u128) -> Option<f64> {
    let number = match data_type {
        DataType::Float => f32::from_bits(u32::try_from(bits & 0xffff_ffff).ok()?).into(),
        DataType::Double => f64::from_bits(u64::try_from(bits).ok()?),
        _ => small_float::number(data_type, u16::try_from(bits).ok()?)?,
    };
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_accepted() {
        let float = |number: f32| u128::from(number.to_bits());
        let of = |data_type, found, expected| Tolerance::of(data_type).accepts(data_type, found, expected);
        for (found, expected, accepted) in [
            (1.0, 1.000_05, true),
            (1.0, 1.001, false),
            (1e6, 1.000_05e6, true),
            (0.0, 1e-6, true),
            (-0.0, 0.0, true),
            (f32::INFINITY, f32::INFINITY, false),
            (f32::NAN, 1.0, false),
            (f32::NAN, -f32::NAN, true),
        ] {
            assert_eq!(of(DataType::Float, float(found), float(expected)), accepted, "{found} {expected}");
        }
        // 1 and the next number, and a number beyond; then a complex number whose second part differs.
        assert!(of(DataType::Float16, 0x3c00, 0x3c01) && !of(DataType::Float16, 0x3c00, 0x3c20));
        assert!(of(DataType::Bfloat16, 0x3f80, 0x3f81) && !of(DataType::Bfloat16, 0x3f80, 0x3f90));
        assert!(!of(DataType::Complex64, float(1.0), float(1.0) | float(2.0) << 32));
        assert!(of(DataType::Complex64, float(1.0) | float(2.0) << 32, float(1.0) | float(2.000_01) << 32));
        assert!(!of(DataType::Int8, 1, 2) && !of(DataType::Float8e5m2, 0x3c, 0x3d));
    }

    #[test]
    fn padding_is_no_element() {
        for (data_type, count, left, right, expected) in [
            (DataType::Int4, 3, &[0x21, 0x03][..], &[0x21, 0xf3][..], None),
            (DataType::Int4, 4, &[0x21, 0x03], &[0x21, 0xf3], Some(3)),
            (DataType::Uint2, 5, &[0xff, 0x01], &[0xff, 0xfd], None),
            (DataType::Uint2, 5, &[0xff, 0x01], &[0xff, 0x02], Some(4)),
            (DataType::Float6e3m2, 2, &[0xff, 0x0f], &[0xff, 0xff], None),
            (DataType::Float6e3m2, 3, &[0xff, 0xff, 0x03], &[0xff, 0xff, 0xff], None),
            (DataType::Float6e3m2, 3, &[0xff, 0xff, 0x03], &[0xff, 0xff, 0xfe], Some(2)),
            (DataType::Float, 0, &[], &[], None),
        ] {
            let found = difference(data_type, count, (left, right), Tolerance::EXACT);
            assert_eq!(found, expected, "{data_type} {left:?} {right:?}");
        }
    }
}
