//! Converts constants between attributes and initializers.

use super::converter::Converter;
use crate::file::proto::{
    Dimension, DimensionValue, TensorProto, TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use crate::value::Value;
use shape_core::convert;
use shape_core::elements::Scalar;
use shape_core::node::AttributeValue;
use shape_core::symbolic::Dim;
use shape_core::types::Type;

/// The elements of a constant, kept alive while a node is converted.
pub(super) enum Constant {
    Int(i64),
    Ints(Vec<i64>),
    Float(f32),
    Floats(Vec<f32>),
}

impl Constant {
    fn of<T>(elements: Vec<T>, rank: usize, scalar: impl Fn(T) -> Self, list: impl Fn(Vec<T>) -> Self) -> Option<Self> {
        match rank {
            0 => elements.into_iter().next().map(scalar),
            1 => Some(list(elements)),
            _ => None,
        }
    }

    pub(super) fn value(&self) -> AttributeValue<'_> {
        match self {
            Self::Int(value) => AttributeValue::Int(*value),
            Self::Ints(values) => AttributeValue::Ints(values),
            Self::Float(value) => AttributeValue::Float(*value),
            Self::Floats(values) => AttributeValue::Floats(values),
        }
    }
}

impl<'m> Converter<'m, '_> {
    /// The elements of a value that is known before the model runs, in the form of an attribute.
    pub(super) fn constant(&self, value: &Value<'m>) -> Option<Constant> {
        let rank = value.dims.as_ref().ok()?.len();
        let ty = *value.ty.as_ref().ok()?;
        if Some(ty) == convert::constant_type(&AttributeValue::Int(0)) {
            let number = |element: &Scalar<Dim>| match element {
                Scalar::Int(number) => Some(*number),
                _ => None,
            };
            let elements: Option<Vec<i64>> = value.elements.as_ref().ok()?.iter().map(number).collect();
            return Constant::of(elements?, rank, Constant::Int, Constant::Ints);
        }
        if Some(ty) == convert::constant_type(&AttributeValue::Float(0.0)) && self.is_fixed(value) {
            let graph = self.analysis.graphs.get(value.graph)?.proto?;
            let tensor = graph.initializer.iter().find(|tensor| tensor.name == value.name)?;
            let bytes = self.options.external.elements(tensor).ok()?;
            let elements =
                bytes.chunks_exact(4).filter_map(|bytes| bytes.first_chunk().map(|four| f32::from_le_bytes(*four)));
            return Constant::of(elements.collect(), rank, Constant::Float, Constant::Floats);
        }
        None
    }
}

/// A constant as an initializer, and as the graph input that it also is up to IR 3.
pub(super) fn tensor(name: &str, value: &AttributeValue<'_>) -> (TensorProto, ValueInfoProto) {
    let (dims, bytes): (Vec<i64>, Vec<u8>) = match value {
        AttributeValue::Int(value) => (Vec::new(), value.to_le_bytes().to_vec()),
        AttributeValue::Float(value) => (Vec::new(), value.to_le_bytes().to_vec()),
        AttributeValue::Ints(values) => {
            (length(values.len()), values.iter().flat_map(|value| value.to_le_bytes()).collect())
        }
        AttributeValue::Floats(values) => {
            (length(values.len()), values.iter().flat_map(|value| value.to_le_bytes()).collect())
        }
        // No adapter turns values of these kinds into constants.
        _ => (Vec::new(), Vec::new()),
    };
    let element = convert::constant_type(value).and_then(Type::element).map(|element| element.number().into());
    let tensor = TensorProto {
        name: name.to_owned(),
        dims,
        data_type: element,
        raw_data: Some(bytes.into()),
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

fn length(len: usize) -> Vec<i64> {
    vec![i64::try_from(len).unwrap_or(i64::MAX)]
}
