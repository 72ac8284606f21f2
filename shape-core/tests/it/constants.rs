//! Numbers as elements of a type.

use shape_core::DataType;
use shape_core::convert::{Constant, Numbers};

#[test]
fn numbers_of_16_bits() {
    for element in [DataType::Float16, DataType::Bfloat16] {
        for bits in 0..=u16::MAX {
            let bytes = bits.to_le_bytes();
            let constant = Constant::from_bytes(element, true, &bytes).unwrap();
            let Numbers::Floats(numbers) = &constant.numbers else { unreachable!() };
            if !numbers[0].is_nan() {
                assert_eq!(constant.bytes(), bytes, "{element} {bits:#x}");
                assert!(constant.numbers.exactly(element).is_some(), "{element} {bits:#x}");
            }
        }
    }
}

#[test]
fn a_number_is_an_element_of_a_type_exactly_or_not() {
    let fits = |number: f64, element| Numbers::Floats([number].into()).exactly(element).is_some();
    for (number, element, expected) in [
        (0.1_f32.into(), DataType::Float, true),
        (0.1, DataType::Float, false),
        (0.1, DataType::Double, true),
        (65504.0, DataType::Float16, true),
        (65505.0, DataType::Float16, false),
        (65536.0, DataType::Float16, false),
        (f64::from_bits(0x3e70_0000_0000_0000), DataType::Float16, true),
        (f64::from_bits(0x3e60_0000_0000_0000), DataType::Float16, false),
        (f32::MAX.into(), DataType::Bfloat16, false),
        (f64::INFINITY, DataType::Float16, true),
        (3.0, DataType::Int8, true),
        (128.0, DataType::Int8, false),
        (0.5, DataType::Int64, false),
        (9_223_372_036_854_775_808.0, DataType::Int64, false),
        (1.0, DataType::Bool, true),
        (2.0, DataType::Bool, false),
        (1.0, DataType::String, false),
    ] {
        assert_eq!(fits(number, element), expected, "{number} as {element}");
    }
    assert_eq!(Numbers::Ints([(1 << 53) + 1].into()).exactly(DataType::Double), None);
    assert_eq!(Numbers::Ints([-2].into()).exactly(DataType::Double), Some(Numbers::Floats([-2.0].into())));
}
