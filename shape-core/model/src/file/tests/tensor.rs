//! Elements of tensors.

use shape_core::node::TensorView;
use shape_core::{DataType, Tensor};

use super::super::TensorError;
use super::*;

fn raw(data_type: i32, dims: &[i64], bytes: &[u8]) -> TensorProto {
    TensorProto { raw_data: Some(Bytes::copy_from_slice(bytes)), ..tensor(data_type, dims) }
}

fn int32(data_type: i32, dims: &[i64], values: &[i32]) -> TensorProto {
    TensorProto { int32_data: values.iter().copied().collect(), ..tensor(data_type, dims) }
}

#[test]
fn raw_data_have_the_width_of_their_type() {
    for (bits, types) in [
        (2_usize, &[25, 26][..]),
        (4, &[21, 22, 23]),
        (6, &[27, 28]),
        (8, &[2, 3, 9, 17, 18, 19, 20, 24]),
        (16, &[4, 5, 10, 16]),
        (32, &[1, 6, 12]),
        (64, &[7, 11, 13, 14]),
        (128, &[15]),
    ] {
        for &data_type in types {
            for count in 0..=9 {
                let len = (count * bits).div_ceil(8);
                let good = raw(data_type, &[i64::try_from(count).unwrap()], &[1; 200][..len]);
                assert_eq!(good.elements().as_deref(), Ok(&[1; 200][..len]), "{data_type}");
                let kept = good.element_bytes().unwrap();
                assert!(count == 0 || lies_in(&kept, good.raw_data.as_ref().unwrap()));
                assert_eq!(good.check(), Ok(()));
                let bad = TensorProto { raw_data: Some(vec![1; len + 1].into()), ..good };
                let found = len as u64 + 1;
                match bad.elements() {
                    Err(TensorError::WrongLength { field: "raw_data", expected, found: f, .. }) => {
                        assert_eq!((expected, f), (len as u64, found));
                    }
                    other => panic!("{data_type}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn lists_come_in_raw_form() {
    let le = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let float = TensorProto { float_data: [1.0, -2.0].into_iter().collect(), ..tensor(1, &[2]) };
    let double = TensorProto { double_data: [1.0, -2.0].into_iter().collect(), ..tensor(11, &[2]) };
    let int64 = TensorProto { int64_data: [-1, 1 << 40].into_iter().collect(), ..tensor(7, &[2]) };
    let uint64 = TensorProto { uint64_data: [1, u64::MAX].into_iter().collect(), ..tensor(13, &[2]) };
    let uint32 = TensorProto { uint64_data: [1, u64::from(u32::MAX)].into_iter().collect(), ..tensor(12, &[2]) };
    let cases = [
        (float.clone(), le(&[0x3f80_0000, 0xc000_0000])),
        (TensorProto { data_type: Some(14), dims: vec![1], ..float }, le(&[0x3f80_0000, 0xc000_0000])),
        (double.clone(), le(&[0, 0x3ff0_0000, 0, 0xc000_0000])),
        (TensorProto { data_type: Some(15), dims: vec![], ..double }, le(&[0, 0x3ff0_0000, 0, 0xc000_0000])),
        (int64, le(&[u32::MAX, u32::MAX, 0, 1 << 8])),
        (uint64, le(&[1, 0, u32::MAX, u32::MAX])),
        (uint32, le(&[1, u32::MAX])),
        (int32(6, &[2], &[-2, i32::MAX]), le(&[0xffff_fffe, 0x7fff_ffff])),
        (int32(5, &[2], &[-2, 1]), vec![0xfe, 0xff, 1, 0]),
        (int32(10, &[2], &[0x3c00, 0xc000]), vec![0, 0x3c, 0, 0xc0]),
        (int32(16, &[1], &[0x3f80]), vec![0x80, 0x3f]),
        (int32(4, &[1], &[0xffff]), vec![0xff, 0xff]),
        (int32(2, &[2], &[0, 255]), vec![0, 255]),
        (int32(3, &[2], &[-1, 127]), vec![255, 127]),
        (int32(9, &[3], &[1, 0, 1]), vec![1, 0, 1]),
        (int32(19, &[1], &[0x80]), vec![0x80]),
        (int32(22, &[3], &[0x21, 0x0f]), vec![0x21, 0x0f]),
        (int32(25, &[5], &[0b1110_0100, 0b11]), vec![0b1110_0100, 0b11]),
        (int32(27, &[5], &[1, 2, 3, 0x3f, 0x21]), vec![0x81, 0x30, 0xfc, 0x21]),
        (int32(28, &[2], &[0x3f, 0x3f]), vec![0xff, 0x0f]),
        (tensor(1, &[0, 5]), vec![]),
    ];
    for (tensor, expected) in cases {
        assert_eq!(tensor.elements().as_deref(), Ok(&expected[..]), "{tensor:?}");
        // An empty raw_data beside a list says nothing.
        let tensor = TensorProto { raw_data: Some(Bytes::new()), ..tensor };
        assert_eq!(tensor.element_bytes().as_deref(), Ok(&expected[..]), "{tensor:?}");
        assert_eq!(tensor.check(), Ok(()), "{tensor:?}");
    }
}

#[test]
fn contradictions_are_refused() {
    let external = external(1, &[1], &[("location", "weights.bin")]);
    let segment = TensorProto { segment: Some(Segment::default()), ..tensor(1, &[]) };
    let both = TensorProto { float_data: [1.0].into_iter().collect(), ..raw(1, &[1], &[0; 4]) };
    let misplaced = TensorProto { float_data: [1.0].into_iter().collect(), ..tensor(7, &[1]) };
    let uint32 = TensorProto { uint64_data: [1 << 32].into_iter().collect(), ..tensor(12, &[1]) };
    let strings = TensorProto { string_data: vec![Bytes::new()], ..tensor(1, &[1]) };
    let broken = TensorProto::decode([tensor(7, &[2]).encode_to_vec(), field(7, [1, 0x80])].concat()).unwrap();
    let torn = TensorProto::decode([tensor(1, &[1]).encode_to_vec(), field(4, [0; 5])].concat()).unwrap();
    for (tensor, says) in [
        (external, "the elements lie in the file `weights.bin`, and the model is in no folder to look for it"),
        (segment, "the tensor is a segment of a larger one, which nothing can read; store it whole"),
        (both, "both raw_data and float_data have elements; one of them must"),
        (misplaced, "data_type 7 keeps its elements in raw_data or int64_data, not in float_data"),
        (strings, "data_type 1 keeps its elements in raw_data or float_data, not in string_data"),
        (uint32, "element 0 of uint64_data is 4294967296, which does not fit data_type 12"),
        (broken, "entry 1 of int64_data is no number; the tensor is damaged"),
        (torn, "the dims ask for 4 bytes and float_data has 5"),
        (TensorProto::default(), "data_type 0 is no element type; 1 (float) to 28 (float6e3m2) are"),
        (tensor(29, &[]), "data_type 29 is no element type; 1 (float) to 28 (float6e3m2) are"),
        (tensor(1, &[]), "the dims ask for 4 bytes and raw_data has 0"),
        (tensor(1, &[1 << 40]), "the dims ask for 4398046511104 bytes and raw_data has 0"),
        (tensor(1, &[2, -1]), "dimension 1 is -1; a constant's dims must be 0 or more"),
        (tensor(1, &[0, -1]), "dimension 1 is -1; a constant's dims must be 0 or more"),
        (tensor(1, &[i64::MAX, 4]), "the product of the dims is too large for any memory"),
        (tensor(1, &[1 << 62]), "the product of the dims is too large for any memory"),
        (int32(3, &[1], &[256]), "element 0 of int32_data is 256, which does not fit data_type 3"),
        (int32(9, &[2], &[0, 2]), "element 1 of int32_data is 2, which does not fit data_type 9"),
        (int32(27, &[1], &[64]), "element 0 of int32_data is 64, which does not fit data_type 27"),
        (int32(2, &[3], &[1, 2]), "the dims ask for 3 bytes and int32_data has 2"),
        (int32(27, &[3], &[1, 2]), "the dims ask for 3 bytes and int32_data has 2"),
        (raw(27, &[1], &[0x40]), "the last byte of raw_data has bits behind the last element, and they are not zero"),
        (
            raw(28, &[2], &[0, 0x10]),
            "the last byte of raw_data has bits behind the last element, and they are not zero",
        ),
        (
            raw(28, &[7], &[0, 0, 0, 0, 0, 4]),
            "the last byte of raw_data has bits behind the last element, and they are not zero",
        ),
        (int32(2, &[1], &[7; 1000]), "the dims ask for 1 bytes and int32_data has 2"),
    ] {
        assert_eq!(tensor.elements().unwrap_err().to_string(), says);
        assert_eq!(tensor.check().unwrap_err().to_string(), says);
    }
}

#[test]
fn strings_stay_strings() {
    let text = vec![Bytes::from_static(b"a"), Bytes::from_static(&[0xff])];
    let good = TensorProto { string_data: text.clone(), ..tensor(8, &[2, 1]) };
    assert!(good.strings().unwrap().eq(&text));
    assert_eq!(good.check(), Ok(()));
    assert_eq!(good.elements(), Err(TensorError::WrongKind { data_type: 8 }));
    for (bad, says) in [
        (tensor(1, &[]), "data_type 1 has the wrong kind of elements: string (8) has strings, all others have bytes"),
        (tensor(8, &[1]), "the dims ask for 1 strings and string_data has 0"),
        (raw(8, &[1], b"a"), "data_type 8 keeps its elements in string_data, not in raw_data"),
        (
            TensorProto { data_location: Some(1), ..good },
            "strings cannot lie in another file, since their bytes have no fixed width",
        ),
    ] {
        assert_eq!(bad.strings().err().unwrap().to_string(), says);
    }
}

#[test]
fn as_a_view() {
    let tensor = TensorProto {
        data_type: Some(3),
        dims: vec![2, -1],
        raw_data: Some(Bytes::from_static(&[5, 6])),
        ..TensorProto::default()
    };
    let view = TensorView::new(&tensor);
    assert_eq!((view.data_type(), view.rank(), view.dim(1), view.bytes()), (Some(DataType::Int8), 2, None, None));
    assert_eq!(view.to_string(), "int8[2, ?]");
    let tensor = TensorProto { dims: vec![2], ..tensor };
    let view = TensorView::new(&tensor);
    assert_eq!(view.bytes(), Some(&[5, 6][..]));
    assert_eq!(view.get(), Some(&tensor));
    // A list of numbers is no view of bytes, and a string has none.
    let tensor = TensorProto { raw_data: None, int32_data: [5, 6].into_iter().collect(), ..tensor };
    assert_eq!(TensorView::new(&tensor).bytes(), None);
    let strings = TensorView::from(Tensor::new(DataType::String, &[2], &[]).unwrap());
    assert_eq!(strings.bytes(), None);
    // Views are equal by the content of their tensors, also where it is no view of bytes.
    let again = tensor.clone();
    assert_eq!(TensorView::new(&tensor), TensorView::new(&again));
    assert_ne!(TensorView::new(&tensor), TensorView::new(&TensorProto { dims: vec![1, 2], ..again }));
    assert_eq!(strings, TensorView::from(Tensor::new(DataType::String, &[2], &[]).unwrap()));
    assert_ne!(strings, TensorView::new(&tensor));
}

#[test]
fn every_type_has_a_field() {
    for data_type in DataType::all().filter(|data_type| *data_type != DataType::String) {
        // A tensor without elements needs no field, but its type one that might store them.
        assert_eq!(tensor(data_type.number().into(), &[0]).elements().as_deref(), Ok(&[][..]), "{data_type}");
    }
}
