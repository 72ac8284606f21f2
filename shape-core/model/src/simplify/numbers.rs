//! The known numbers of a value as tensor data, and whether they equal what the model computes at run time.

use std::collections::HashMap;

use crate::analysis::{Analysis, Scopes};
use crate::file::Bytes;
use crate::file::Node;
use crate::file::proto::TensorProto;
use crate::functions::Functions;
use crate::graph::GraphKind;
use crate::value::{MAX_ELEMENTS, Origin, Value};
use shape_core::data_type::DataType;
use shape_core::elements::Scalar;
use shape_core::symbolic::Dim;
use shape_core::tensor::element_count;
use shape_core::types::Type;

/// For each value, whether its numbers, and those that it was computed from, are representable in its type: otherwise
/// the model may compute other numbers at run time. A value without known numbers is no obstacle.
pub(super) fn exact(analysis: &Analysis<'_>, scopes: &Scopes<'_, '_>, functions: &Functions<'_>) -> Vec<bool> {
    let mut inside: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    for (graph, info) in analysis.graphs.iter().enumerate() {
        if let GraphKind::Subgraph { parent, position } = info.kind {
            inside.entry((parent, position.node)).or_default().push(graph);
        }
    }
    let node =
        |graph: usize, index: usize| -> Option<Node<'_>> { analysis.graphs.get(graph)?.proto?.nodes().get(index) };
    let mut exact: Vec<bool> = Vec::with_capacity(analysis.values.len());
    // A value comes after those that it depends on.
    for value in &analysis.values {
        let of = |value: u32| exact.get(value as usize).copied().unwrap_or(true);
        let read = |graph: usize, node: Node<'_>| -> Vec<u32> {
            let named = node.inputs().iter().filter(|name| !name.is_empty());
            named.filter_map(|name| scopes.index(graph, name)).collect()
        };
        let is = match (value.origin, analysis.graphs.get(value.graph).map(|info| info.kind)) {
            _ if value.elements.is_err() => true,
            (Origin::Node { index }, _) => node(value.graph, index).is_some_and(|node| {
                let inputs = read(value.graph, node);
                let graphs = inside.get(&(value.graph, index)).into_iter().flatten();
                let mut outputs = graphs.filter_map(|graph| analysis.graphs.get(*graph)).flat_map(|info| &info.outputs);
                // The values inside of a called function are not kept.
                functions.called(node).is_none()
                    && inputs.iter().all(|input| of(*input) && in_any_order(analysis, *input, value))
                    && outputs.all(|output| output.is_none_or(of))
                    && fits(value)
            }),
            (Origin::Input, Some(GraphKind::Subgraph { parent, position })) => {
                node(parent, position.node).is_some_and(|node| read(parent, node).into_iter().all(of))
            }
            _ => true,
        };
        exact.push(is);
    }
    exact
}

/// Whether the sum of an input's elements, if it is computed, does not depend on their order: sums of floating-point
/// numbers that are not whole do.
fn in_any_order(analysis: &Analysis<'_>, input: u32, output: &Value<'_>) -> bool {
    /// Sums of up to `MAX_ELEMENTS` numbers below this are exact in a float.
    const SMALL: f64 = (1_u32 << 23) as f64 / MAX_ELEMENTS as f64;
    let elements = analysis.values.get(input as usize).and_then(|input| input.elements.as_deref().ok());
    let Some(elements) = elements else { return true };
    let fewer = output.elements.as_ref().is_ok_and(|left| left.len() < elements.len());
    let small = |element: &Scalar<Dim>| match element {
        Scalar::Float(number) => number.fract() == 0.0 && number.abs() < SMALL,
        _ => true,
    };
    !fewer || elements.iter().all(small)
}

/// A value as a constant; `None` unless all of its elements are known as numbers.
pub(super) fn tensor(value: &Value<'_>) -> Option<TensorProto> {
    let dims = value.dims.as_ref().ok()?;
    let size = |dim: &Dim| if let Dim::Known(size) = dim { i64::try_from(*size).ok() } else { None };
    let (data_type, data) = (value.ty.as_ref().ok()?.element()?, Bytes::from(bytes(value)?));
    Some(TensorProto {
        name: value.name.to_owned(),
        dims: dims.iter().map(size).collect::<Option<_>>()?,
        data_type: Some(data_type.number().into()),
        // Strings have a field of their own, and raw data is not allowed for them, even if there are none.
        raw_data: (data_type != DataType::String).then_some(data),
        ..TensorProto::default()
    })
}

/// Whether each known number is representable in the type of the value.
fn fits(value: &Value<'_>) -> bool {
    let (Ok(Some(data_type)), Ok(elements)) = (value.ty.as_ref().map(|ty| ty.element()), &value.elements) else {
        return false;
    };
    let open = |element: &Scalar<Dim>| match element {
        Scalar::Size(dim) | Scalar::Expression(dim) => !matches!(dim, Dim::Known(_)),
        Scalar::Ratio(_) | Scalar::Unknown(_) => true,
        Scalar::Int(_) | Scalar::Bool(_) | Scalar::Float(_) => false,
    };
    elements.iter().all(|element| open(element) || element_bytes(data_type, element).is_some())
}

/// The elements of a value as tensor data; `None` unless all are known numbers, and of a type that sizes and values
/// computed from them have.
pub(super) fn bytes(value: &Value<'_>) -> Option<Vec<u8>> {
    let ty = value.ty.as_ref().ok()?;
    let data_type = ty.element().filter(|element| Type::tensor(*element) == *ty)?;
    let (dims, elements) = (value.dims.as_ref().ok()?, value.elements.as_ref().ok()?);
    let known = |dim: &Dim| if let Dim::Known(size) = dim { Some(*size) } else { None };
    let sizes: Vec<u64> = dims.iter().map(known).collect::<Option<_>>()?;
    if element_count(&sizes)? != u64::try_from(elements.len()).ok()? {
        return None;
    }
    let mut bytes = Vec::new();
    for element in elements {
        bytes.extend(element_bytes(data_type, element)?);
    }
    Some(bytes)
}

#[expect(clippy::cast_possible_truncation, clippy::float_cmp, reason = "what a narrower number changes is refused")]
fn element_bytes(data_type: DataType, element: &Scalar<Dim>) -> Option<Vec<u8>> {
    let integer = match element {
        Scalar::Int(number) => Some(*number),
        Scalar::Size(Dim::Known(size)) | Scalar::Expression(Dim::Known(size)) => i64::try_from(*size).ok(),
        _ => None,
    };
    Some(match (data_type, integer, element) {
        (DataType::Int64, Some(number), _) => number.to_le_bytes().to_vec(),
        (DataType::Int32, Some(number), _) => i32::try_from(number).ok()?.to_le_bytes().to_vec(),
        (DataType::Int16, Some(number), _) => i16::try_from(number).ok()?.to_le_bytes().to_vec(),
        (DataType::Int8, Some(number), _) => i8::try_from(number).ok()?.to_le_bytes().to_vec(),
        (DataType::Uint64, Some(number), _) => u64::try_from(number).ok()?.to_le_bytes().to_vec(),
        (DataType::Uint32, Some(number), _) => u32::try_from(number).ok()?.to_le_bytes().to_vec(),
        (DataType::Uint16, Some(number), _) => u16::try_from(number).ok()?.to_le_bytes().to_vec(),
        (DataType::Uint8, Some(number), _) => vec![u8::try_from(number).ok()?],
        (DataType::Bool, None, Scalar::Bool(value)) => vec![u8::from(*value)],
        (DataType::Double, None, Scalar::Float(number)) => number.to_le_bytes().to_vec(),
        (DataType::Float, None, Scalar::Float(number)) => {
            let narrow = *number as f32;
            (f64::from(narrow) == *number).then(|| narrow.to_le_bytes().to_vec())?
        }
        _ => return None,
    })
}
