//! Element types, types with their sets, and tensors.

use shape_core::tensor::{TensorError, element_count};
use shape_core::types::TypeSet;
use shape_core::{DataType, Tensor, Type};

#[test]
fn numbers_and_names_lead_back() {
    assert_eq!(DataType::all().count(), 28);
    for data_type in DataType::all() {
        assert_eq!(DataType::from_number(data_type.number().into()), Some(data_type));
        assert_eq!(DataType::from_name(data_type.name()), Some(data_type));
    }
    assert_eq!([-1, 0, 29, i32::MIN, i32::MAX].map(DataType::from_number), [None; 5]);
}

#[test]
fn texts() {
    let float = Type::tensor(DataType::Float);
    let cases = [
        (Some(float), "tensor(float)"),
        (Some(Type::sparse_tensor(DataType::Int8)), "sparse_tensor(int8)"),
        (float.sequence(), "seq(tensor(float))"),
        (float.sequence().and_then(Type::optional), "optional(seq(tensor(float)))"),
        (float.map(DataType::Int64).and_then(Type::sequence), "seq(map(int64, float))"),
    ];
    for (ty, text) in cases {
        assert_eq!(ty.unwrap().to_string(), text);
    }
}

#[test]
fn nesting_ends() {
    let mut ty = Type::tensor(DataType::Float6e3m2);
    for _ in 0..7 {
        ty = ty.map(DataType::Float6e3m2).unwrap();
    }
    assert_eq!(ty.sequence(), None);
    assert_eq!(ty.element(), None);
}

#[test]
fn sets() {
    static OTHERS: [Type; 1] = [Type::sparse_tensor(DataType::Float)];
    let tensors = TypeSet::new(&[DataType::Int2, DataType::Float]);
    let set = tensors.without(&[DataType::Float]).with(&[DataType::Bool]).listing(&OTHERS);
    assert_eq!(set.to_string(), "tensor of bool, int2, sparse_tensor(float)");
    let forms = tensors.union(tensors.in_sequences()).union(tensors.in_sequences().in_optionals());
    let text = "tensor of float, int2, seq(tensor(float)), seq(tensor(int2)), \
                optional(seq(tensor(float))), optional(seq(tensor(int2)))";
    assert_eq!(forms.to_string(), text);
    for (set, others) in [(set, &OTHERS[..]), (forms, &[]), (tensors.in_optionals(), &[]), (TypeSet::new(&[]), &[])] {
        let types: Vec<Type> = set.iter().collect();
        assert_eq!((types.len(), types.is_empty()), (set.len(), set.is_empty()));
        for ty in set.iter().chain(forms.iter()).chain(OTHERS) {
            assert_eq!(set.contains(ty), types.contains(&ty), "{set}: {ty}");
        }
        let mut kept = types.iter().filter(|ty| **ty != OTHERS[0]);
        let again = kept.try_fold(TypeSet::new(&[]), |set, ty| set.and(*ty)).unwrap();
        assert_eq!(again.listing(others), set);
    }
    let deep = Type::tensor(DataType::Float).optional().and_then(Type::sequence).unwrap();
    assert_eq!((tensors.and(deep), tensors.and(OTHERS[0])), (None, None));
}

const BYTES: [u8; 400] = [0x5a; 400];

/// Every type, under every pair of these dimensions.
#[test]
fn a_reshaped_tensor_has_the_bytes_that_it_had() {
    let shapes: [&[u64]; 12] =
        [&[], &[1], &[1, 1, 1], &[0], &[3, 0], &[0, u64::MAX, u64::MAX], &[6], &[2, 3], &[3, 2, 1], &[7], &[23], &[4]];
    for data_type in DataType::all() {
        for (old, new) in shapes.iter().flat_map(|old| shapes.iter().map(move |new| (old, new))) {
            let (expected, found) = (element_count(old).unwrap(), element_count(new).unwrap());
            let len = data_type.bytes(expected).unwrap_or(0);
            let tensor = Tensor::new(data_type, old, &BYTES[..usize::try_from(len).unwrap()]).unwrap();
            match tensor.reshaped(new) {
                Ok(reshaped) => {
                    assert_eq!(expected, found, "{data_type} {old:?} {new:?}");
                    assert_eq!((reshaped.data_type(), reshaped.dims()), (data_type, *new));
                    assert!(core::ptr::eq(reshaped.bytes(), tensor.bytes()), "a view of the same bytes");
                    assert_eq!(reshaped.reshaped(old), Ok(tensor));
                }
                Err(error) => {
                    assert_ne!(expected, found, "{data_type} {old:?} {new:?}");
                    assert_eq!(error, TensorError::Elements { expected, found });
                }
            }
        }
    }
}

#[test]
fn dimensions_that_no_tensor_has() {
    let tensor = Tensor::new(DataType::Float, &[0], &[]).unwrap();
    assert_eq!(tensor.reshaped(&[1 << 32, 1 << 32]), Err(TensorError::TooLarge));
    assert_eq!(tensor.reshaped(&[1 << 32, 1 << 31]), Err(TensorError::Elements { expected: 0, found: 1 << 63 }));
    assert_eq!(Tensor::new(DataType::Float, &[1 << 63], &[]), Err(TensorError::TooLarge));
    assert_eq!(Tensor::new(DataType::Float, &[2], &[0; 9]), Err(TensorError::Length { expected: 8, found: 9 }));
}
