//! Converts constants between what the core converts and initializers.

use super::converter::Converter;
use crate::file::proto::{
    Dimension, DimensionValue, TensorProto, TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use crate::value::Value;
use shape_core::convert::{Constant, Numbers};
use shape_core::symbolic::Dim;

/// The largest number of elements that are read for a conversion: attributes hold sizes and scales, not weights.
const MOST: usize = 4096;

impl<'m> Converter<'m, '_> {
    /// The elements of a value of at most one axis that is known before the model runs; one without elements always is.
    pub(super) fn constant(&self, value: &Value<'m>) -> Option<Constant> {
        let dims = value.dims.as_ref().ok()?;
        let is_scalar = match dims.len() {
            0 => true,
            1 => false,
            _ => return None,
        };
        let element = value.ty.as_ref().ok()?.element()?;
        if **dims == [Dim::Known(0)] {
            return Constant::of(element, is_scalar, &Numbers::Ints(Vec::new()));
        }
        if let Ok(elements) = &value.elements {
            return Constant::of_scalars(element, is_scalar, elements.iter().cloned());
        }
        let fixed = self.is_fixed(value).then(|| self.analysis.graphs.get(value.graph)?.proto).flatten()?;
        let tensor = fixed.initializer(value.name)?;
        let count: i64 = tensor.dims.iter().product();
        if !usize::try_from(count).is_ok_and(|count| count <= MOST) {
            return None;
        }
        let bytes = self.options.external.elements(tensor).ok()?;
        Constant::from_bytes(element, is_scalar, &bytes)
    }
}

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
