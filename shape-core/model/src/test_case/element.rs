//! Single elements: their bits, their comparison, and their text in reports.

use shape_core::data_type::DataType;

/// The bits of an element, by its index in row-major order. Sub-byte ones are packed from the low bits up.
pub(super) fn bits(data_type: DataType, bytes: &[u8], index: u64) -> u128 {
    let width = data_type.bits().map_or(0, u32::from);
    let first = u128::from(index) * u128::from(width);
    let Ok(from) = usize::try_from(first / 8) else { return 0 };
    let mut word = [0; 16];
    for (to, byte) in word.iter_mut().zip(bytes.get(from..).unwrap_or_default()) {
        *to = *byte;
    }
    // A narrow element may begin within a byte, a wide one never does.
    let word = u128::from_le_bytes(word) >> (first % 8);
    match width {
        128.. => word,
        width => word & ((1 << width) - 1),
    }
}

/// Whether two elements are the same: in each bit, unless both are NaN.
pub(super) fn same(data_type: DataType, left: u128, right: u128) -> bool {
    let parts = |of: DataType, width: u32| {
        let low = (1_u128 << width) - 1;
        same(of, left & low, right & low) && same(of, left >> width, right >> width)
    };
    left == right
        || match data_type {
            DataType::Complex64 => parts(DataType::Float, 32),
            DataType::Complex128 => parts(DataType::Double, 64),
            _ => is_nan(data_type, left) && is_nan(data_type, right),
        }
}

pub(super) fn is_nan(data_type: DataType, bits: u128) -> bool {
    match data_type {
        // The bits are above those of infinity, ignoring the sign.
        DataType::Float => bits & 0x7fff_ffff > 0x7f80_0000,
        DataType::Double => bits & 0x7fff_ffff_ffff_ffff > 0x7ff0_0000_0000_0000,
        DataType::Float16 => bits & 0x7fff > 0x7c00,
        DataType::Bfloat16 => bits & 0x7fff > 0x7f80,
        DataType::Float8e5m2 => bits & 0x7f > 0x7c,
        // No infinity; the largest bit pattern of each sign is NaN.
        DataType::Float8e4m3fn => bits & 0x7f == 0x7f,
        // No negative zero; its bit pattern is NaN.
        DataType::Float8e4m3fnuz | DataType::Float8e5m2fnuz => bits == 0x80,
        DataType::Float8e8m0 => bits == 0xff,
        _ => false,
    }
}

/// An element as text: a number if Rust has the type, its bits otherwise.
pub(super) fn show(data_type: DataType, bits: u128) -> String {
    let signed = || {
        let spare = 128 - data_type.bits().map_or(0, u32::from);
        bits.cast_signed().checked_shl(spare).unwrap_or(0) >> spare.min(127)
    };
    let low = |width: u32| (bits >> width & ((1 << 64) - 1)) as u64;
    let float = |from: u32| f32::from_bits((bits >> from & 0xffff_ffff) as u32);
    match data_type {
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 | DataType::Int4 | DataType::Int2 => {
            signed().to_string()
        }
        DataType::Uint8
        | DataType::Uint16
        | DataType::Uint32
        | DataType::Uint64
        | DataType::Uint4
        | DataType::Uint2
        | DataType::Bool => bits.to_string(),
        DataType::Float => float(0).to_string(),
        DataType::Double => f64::from_bits(low(0)).to_string(),
        DataType::Complex64 => format!("{}{:+}i", float(0), float(32)),
        DataType::Complex128 => format!("{}{:+}i", f64::from_bits(low(0)), f64::from_bits(low(64))),
        _ => format!("{bits:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_cut_out_of_their_bytes() {
        for (data_type, bytes, expected) in [
            (DataType::Uint2, &[0b1110_0100, 0b01][..], &[0, 1, 2, 3, 1][..]),
            (DataType::Int4, &[0x21, 0x43, 0x05], &[1, 2, 3, 4, 5]),
            (DataType::Float6e2m3, &[0x81, 0x30, 0xfc, 0x21], &[1, 2, 3, 0x3f, 0x21]),
            (DataType::Float8e8m0, &[0xff, 0], &[0xff, 0]),
            (DataType::Float16, &[1, 2, 3, 4], &[0x0201, 0x0403]),
            (DataType::Int64, &[1, 0, 0, 0, 0, 0, 0, 0x80], &[0x8000_0000_0000_0001]),
            (DataType::Complex128, &[7; 16], &[0x0707_0707_0707_0707_0707_0707_0707_0707]),
        ] {
            let cut: Vec<u128> = (0..).take(expected.len()).map(|index| bits(data_type, bytes, index)).collect();
            assert_eq!(cut, expected, "{data_type}");
        }
    }

    #[test]
    fn the_same_is_the_same_bits_or_nan() {
        use DataType::*;
        const NAN64: u128 = 0x7ff8 << 48;
        for (data_type, left, right, expected) in [
            (Float, 0x7fc0_0000, 0xff80_0001, true),
            (Float, 0x7f80_0000, 0x7fc0_0000, false),
            (Float, 0, 0x8000_0000, false),
            (Double, NAN64, 0xfff0_0000_0000_0001, true),
            (Double, 0x7ff0 << 48, NAN64, false),
            (Float16, 0x7e00, 0xfc01, true),
            (Float16, 0x7c00, 0xfc00, false),
            (Bfloat16, 0x7fc0, 0xff81, true),
            (Bfloat16, 0x7f80, 0x7fc0, false),
            (Float8e4m3fn, 0x7f, 0xff, true),
            (Float8e4m3fn, 0x7e, 0x7f, false),
            (Float8e5m2, 0x7d, 0xff, true),
            (Float8e5m2, 0x7c, 0x7d, false),
            (Float8e4m3fnuz, 0x80, 0, false),
            (Float8e5m2fnuz, 0x7f, 0xff, false),
            (Float8e8m0, 0xff, 0xfe, false),
            (Float4e2m1, 0xf, 0x7, false),
            (Float6e3m2, 0x3f, 0x1f, false),
            (Int32, 0x7fc0_0000, 0x7fc0_0001, false),
            (Complex64, 0x7fc0_0000_0000_0001, 0x7f80_0001_0000_0001, true),
            (Complex64, 0x7fc0_0000_0000_0001, 0x7fc0_0000_0000_0002, false),
            (Complex128, NAN64 << 64 | NAN64, (NAN64 + 1) << 64 | (NAN64 + 2), true),
            (Complex128, NAN64 << 64, NAN64 << 64 | 1, false),
            (Bool, 1, 2, false),
        ] {
            assert_eq!(same(data_type, left, right), expected, "{data_type} {left:#x} {right:#x}");
            assert!(same(data_type, left, left) && same(data_type, right, right));
        }
    }

    #[test]
    fn elements_as_text() {
        for (data_type, bits, text) in [
            (DataType::Int64, u128::from(u64::MAX), "-1"),
            (DataType::Int64, 7, "7"),
            (DataType::Int4, 0xf, "-1"),
            (DataType::Int2, 2, "-2"),
            (DataType::Int8, 0x7f, "127"),
            (DataType::Uint4, 0xf, "15"),
            (DataType::Bool, 1, "1"),
            (DataType::Float, 0x3fc0_0000, "1.5"),
            (DataType::Float, 0x8000_0000, "-0"),
            (DataType::Float, 0x7fc0_0000, "NaN"),
            (DataType::Double, 0xbff8 << 48, "-1.5"),
            (DataType::Complex64, 0xbf80_0000_3fc0_0000, "1.5-1i"),
            (DataType::Complex128, 0x3ff0 << 112, "0+1i"),
            (DataType::Float16, 0x3c00, "0x3c00"),
            (DataType::Float4e2m1, 0xb, "0xb"),
        ] {
            assert_eq!(show(data_type, bits), text, "{data_type} {bits:#x}");
        }
    }
}
