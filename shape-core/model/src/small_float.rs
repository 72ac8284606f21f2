//! Floats of 16 bits and less, of which Rust has none.

use shape_core::data_type::DataType;

/// How many bits the exponent and the digits of a float have, and the exponent of 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    pub(crate) exponent: u32,
    pub(crate) digits: u32,
    pub(crate) one: i32,
}

/// The format of a float of 16 bits or less.
pub(crate) fn format(ty: DataType) -> Option<Format> {
    let (exponent, digits, one) = match ty {
        DataType::Float16 => (5, 10, 15),
        DataType::Bfloat16 => (8, 7, 127),
        DataType::Float8e4m3fn => (4, 3, 7),
        DataType::Float8e4m3fnuz => (4, 3, 8),
        DataType::Float8e5m2 => (5, 2, 15),
        DataType::Float8e5m2fnuz => (5, 2, 16),
        DataType::Float4e2m1 => (2, 1, 1),
        DataType::Float6e2m3 => (2, 3, 1),
        DataType::Float6e3m2 => (3, 2, 3),
        _ => return None,
    };
    Some(Format { exponent, digits, one })
}

/// The number of a float of 16 bits; `None` for other types, infinities and NaN.
pub(crate) fn number(ty: DataType, bits: u16) -> Option<f64> {
    let Format { exponent, digits, one } = format(ty)?;
    if !matches!(ty, DataType::Float16 | DataType::Bfloat16) {
        return None;
    }
    let power = i32::from((bits >> digits) & ((1 << exponent) - 1));
    let rest = f64::from(bits & ((1 << digits) - 1)) / f64::from(1_u32 << digits);
    let size = match power {
        0 => 2_f64.powi(1 - one) * rest,
        power if power == (1 << exponent) - 1 => return None,
        power => 2_f64.powi(power - one) * (1.0 + rest),
    };
    Some(if bits >> 15 == 1 { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_sixteen_bits() {
        for (ty, bits, expected) in [
            (DataType::Float16, 0x3c00, Some(1.0)),
            (DataType::Float16, 0xc248, Some(-3.140_625)),
            (DataType::Float16, 0x0001, Some(2_f64.powi(-24))),
            (DataType::Float16, 0x7bff, Some(65504.0)),
            (DataType::Float16, 0x7c00, None),
            (DataType::Float16, 0x7e00, None),
            (DataType::Bfloat16, 0x3f80, Some(1.0)),
            (DataType::Bfloat16, 0xc049, Some(-3.140_625)),
            (DataType::Bfloat16, 0x0080, Some(f64::from(f32::MIN_POSITIVE))),
            (DataType::Bfloat16, 0xff80, None),
            (DataType::Float8e5m2, 0x3c, None),
        ] {
            assert_eq!(number(ty, bits), expected, "{ty} {bits:#x}");
        }
    }
}
