//! Constants that a conversion makes, as initializers.

use crate::file::proto::{
    Dimension, DimensionValue, TensorProto, TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use shape_core::convert::Constant;

/// A constant as an initializer, and as the graph input that it also is up to IR 3.
pub(super) fn tensor(name: &str, constant: &Constant) -> (TensorProto, ValueInfoProto) {
    let element = Some(constant.element.number().into());
    let length = i64::try_from(constant.numbers.len()).unwrap_or(i64::MAX);
    let dims = if constant.is_scalar { Vec::new() } else { vec![length] };
    let tensor = TensorProto {
        name: name.to_owned(),
        dims,
        data_type: element,
        raw_data: Some(constant.bytes().into()),
        ..TensorProto::default()
    };
    let input = input_of(&tensor);
    (tensor, input)
}

/// The graph input that an initializer is too, up to IR 3.
pub(super) fn input_of(tensor: &TensorProto) -> ValueInfoProto {
    let dim = |size: &i64| Dimension { value: Some(DimensionValue::DimValue(*size)), ..Dimension::default() };
    let shape = Some(TensorShapeProto { dim: tensor.dims.iter().map(dim).collect() });
    let ty = TypeValue::TensorType(TensorType { elem_type: tensor.data_type, shape });
    ValueInfoProto {
        name: tensor.name.clone(),
        r#type: Some(TypeProto { value: Some(ty), ..TypeProto::default() }),
        ..ValueInfoProto::default()
    }
}
