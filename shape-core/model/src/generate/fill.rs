//! Makes random elements, by their type and by their use in a node.

use fastrand::Rng;
use shape_core::data_type::DataType;

use super::value::{Data, Tensor, count};
use crate::small_float::{Format, format};

/// What the elements of a tensor look like. A node often needs integers of one kind: places, permutations, sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Small numbers of both signs.
    Any,
    /// Numbers from 1 on.
    Positive,
    /// Numbers from 0 to 1.
    Unit,
    /// The numbers from 0 on, each once, in some order.
    Permutation,
    /// One number over and over.
    Same(i8),
}

impl Style {
    pub(super) fn draw(rng: &mut Rng) -> Self {
        match rng.u8(0..12) {
            0..5 => Self::Any,
            5..7 => Self::Positive,
            7 => Self::Unit,
            8 => Self::Permutation,
            _ => Self::Same(rng.i8(-1..4)),
        }
    }

    /// The element at an index, in eighths: floats of so few digits have exact sums, whoever adds them.
    fn eighths(self, rng: &mut Rng, whole: bool) -> i64 {
        let step = if whole { 8 } else { 1 };
        match self {
            Self::Any => rng.i64(-24 / step..=24 / step) * step,
            Self::Positive => rng.i64(1..=32 / step) * step,
            Self::Unit => rng.i64(0..=8 / step) * step,
            Self::Permutation => 0,
            Self::Same(number) => i64::from(number) * 8,
        }
    }
}

const WORDS: [&str; 6] = ["a", "b", "", "ab", "A", "ä"];

/// The bits of a number of eighths in a small float; digits that do not fit are cut off, and what is too small is 0.
fn small_float(Format { exponent: exponents, digits: mantissa, one }: Format, eighths: i64) -> u64 {
    let size = eighths.unsigned_abs();
    if size == 0 {
        return 0;
    }
    let top = size.ilog2();
    let exponent = i64::from(top) - 3 + i64::from(one);
    if exponent <= 0 {
        return 0;
    }
    let rest = size - (1 << top);
    let digits = if mantissa >= top { rest << (mantissa - top) } else { rest >> (top - mantissa) };
    let most = (1_i64 << exponents) - 2;
    let bits = (exponent.min(most).unsigned_abs() << mantissa) | digits;
    let sign = u64::from(eighths < 0) << (exponents + mantissa);
    sign | bits
}

/// The bits of an element.
fn bits(ty: DataType, eighths: i64) -> u128 {
    let number = eighths.div_euclid(8);
    let float = eighths as f64 / 8.0;
    let width = ty.bits().unwrap_or(8);
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    let signed = |number: i64| {
        let largest = i64::MAX.checked_shr(64 - u32::from(width.min(64))).unwrap_or(0);
        number.clamp(-largest - 1, largest).cast_unsigned() & mask
    };
    let bits = match ty {
        DataType::Float => u64::from((float as f32).to_bits()),
        DataType::Double => float.to_bits(),
        DataType::Complex64 => u64::from((float as f32).to_bits()) | (u64::from(0.5_f32.to_bits()) << 32),
        DataType::Complex128 => return u128::from(float.to_bits()) | (u128::from(0.5_f64.to_bits()) << 64),
        DataType::Bool => u64::from(number & 1 != 0),
        DataType::Float8e8m0 => 127 + (number.unsigned_abs() & 1),
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 | DataType::Int4 | DataType::Int2 => {
            signed(number)
        }
        _ => match format(ty) {
            Some(format) => small_float(format, eighths),
            None => number.unsigned_abs().min(mask),
        },
    };
    u128::from(bits)
}

/// Elements of a type from numbers of eighths.
pub(super) fn encode(ty: DataType, eighths: impl Iterator<Item = i64>) -> Vec<u8> {
    let width = usize::from(ty.bits().unwrap_or(8));
    let mut bytes = Vec::new();
    let (mut pending, mut filled) = (0_u128, 0);
    for number in eighths {
        pending |= bits(ty, number) << filled;
        filled += width;
        while filled >= 8 {
            bytes.push((pending & 0xff) as u8);
            pending = pending.checked_shr(8).unwrap_or(0);
            filled -= 8;
        }
    }
    if filled > 0 {
        bytes.push((pending & 0xff) as u8);
    }
    bytes
}

/// A tensor with random elements.
pub(super) fn tensor(rng: &mut Rng, ty: DataType, dims: Vec<u64>, style: Style) -> Tensor {
    let count = count(&dims).and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    let data = if ty == DataType::String {
        Data::Strings((0..count).map(|_| (*rng.choice(WORDS).get_or_insert("a")).to_owned()).collect())
    } else if style == Style::Permutation {
        let mut order: Vec<i64> = (0..count).map(|index| i64::try_from(index).unwrap_or(0) * 8).collect();
        rng.shuffle(&mut order);
        Data::Bytes(encode(ty, order.into_iter()))
    } else {
        // Integers are whole, and so are floats half of the time, which may stand for places or sizes.
        let whole = rng.bool();
        let numbers: Vec<i64> = (0..count).map(|_| style.eighths(rng, whole || is_whole(ty))).collect();
        Data::Bytes(encode(ty, numbers.into_iter()))
    };
    Tensor { ty, dims, data }
}

/// A list of whole numbers of a type.
pub(super) fn of_ints(ty: DataType, dims: Vec<u64>, ints: &[i64]) -> Tensor {
    Tensor { ty, dims, data: Data::Bytes(encode(ty, ints.iter().map(|number| number.saturating_mul(8)))) }
}

fn is_whole(ty: DataType) -> bool {
    format(ty).is_none()
        && !matches!(ty, DataType::Float | DataType::Double | DataType::Complex64 | DataType::Complex128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_small_floats() {
        let of = |ty, eighths| bits(ty, eighths);
        assert_eq!(
            [0, 8, 12, 16, -8].map(|eighths| of(DataType::Float16, eighths)),
            [0, 0x3c00, 0x3e00, 0x4000, 0xbc00]
        );
        assert_eq!(of(DataType::Bfloat16, 12), 0x3fc0);
        assert_eq!(of(DataType::Float8e4m3fn, 12), 0x3c);
        assert_eq!([8, 12, 16, -16].map(|eighths| of(DataType::Float4e2m1, eighths)), [2, 3, 4, 12]);
        assert_eq!([-1, 7, 200, -200].map(|number| of(DataType::Int4, 8 * number)), [15, 7, 7, 8]);
        assert_eq!(of(DataType::Int64, -8), u128::from(u64::MAX));
    }

    #[test]
    fn several_elements_to_a_byte() {
        assert_eq!(encode(DataType::Int4, [1, 2, 3].map(|number| 8 * number).into_iter()), [0x21, 3]);
        assert_eq!(encode(DataType::Uint2, [1, 2, 3, 1, 2].map(|number| 8 * number).into_iter()), [0b0111_1001, 2]);
        assert_eq!(encode(DataType::Int16, [1, -1].map(|number| 8 * number).into_iter()), [1, 0, 255, 255]);
    }
}
