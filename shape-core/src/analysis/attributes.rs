//! `AttributeProto` to the views that checks and rules read.

use crate::model::Bytes;
use crate::model::proto::AttributeProto;
use crate::node::{AttributeKind, AttributeValue, NodeAttribute};

/// The view of an attribute; `None` where the file says neither its kind nor a value.
pub(crate) fn view(attribute: &AttributeProto) -> Option<NodeAttribute<'_>> {
    let stated = attribute.r#type.and_then(AttributeKind::from_number);
    // The first files had no `type`: there the field that is set tells.
    let kind = stated.or_else(|| set_field(attribute))?;
    let name = &*attribute.name;
    if !attribute.ref_attr_name.is_empty() {
        return Some(NodeAttribute::new(name, AttributeValue::Other(kind)));
    }
    let (value, has_value) = match kind {
        AttributeKind::Int => (AttributeValue::Int(attribute.i.unwrap_or_default()), attribute.i.is_some()),
        AttributeKind::Float => (AttributeValue::Float(attribute.f.unwrap_or_default()), attribute.f.is_some()),
        AttributeKind::String => {
            (AttributeValue::String(attribute.s.as_deref().unwrap_or_default()), attribute.s.is_some())
        }
        // An empty list and no list are the same bytes.
        AttributeKind::Ints => (AttributeValue::Ints(&attribute.ints), true),
        AttributeKind::Floats => (AttributeValue::Floats(&attribute.floats), true),
        AttributeKind::Tensor => (AttributeValue::Other(kind), attribute.t.is_some()),
        AttributeKind::Graph => (AttributeValue::Other(kind), attribute.g.is_some()),
        AttributeKind::SparseTensor => (AttributeValue::Other(kind), attribute.sparse_tensor.is_some()),
        AttributeKind::TypeProto => (AttributeValue::Other(kind), attribute.tp.is_some()),
        _ => (AttributeValue::Other(kind), true),
    };
    Some(NodeAttribute { name, value, has_value })
}

/// An attribute as a file has it; one without a value where it is a view of nothing but a kind.
pub(crate) fn proto(attribute: &NodeAttribute<'_>) -> AttributeProto {
    let kind = attribute.value.kind().number();
    let mut proto = AttributeProto { name: attribute.name.into(), r#type: Some(kind), ..AttributeProto::default() };
    match attribute.value {
        AttributeValue::Int(value) => proto.i = Some(value),
        AttributeValue::Float(value) => proto.f = Some(value),
        AttributeValue::String(value) => proto.s = Some(Bytes::copy_from_slice(value)),
        AttributeValue::Ints(values) => proto.ints = values.to_vec(),
        AttributeValue::Floats(values) => proto.floats = values.to_vec(),
        AttributeValue::Other(_) => {}
    }
    proto
}

fn set_field(attribute: &AttributeProto) -> Option<AttributeKind> {
    let fields = [
        (attribute.f.is_some(), AttributeKind::Float),
        (attribute.i.is_some(), AttributeKind::Int),
        (attribute.s.is_some(), AttributeKind::String),
        (attribute.t.is_some(), AttributeKind::Tensor),
        (attribute.g.is_some(), AttributeKind::Graph),
        (attribute.sparse_tensor.is_some(), AttributeKind::SparseTensor),
        (attribute.tp.is_some(), AttributeKind::TypeProto),
        (!attribute.floats.is_empty(), AttributeKind::Floats),
        (!attribute.ints.is_empty(), AttributeKind::Ints),
        (!attribute.strings.is_empty(), AttributeKind::Strings),
        (!attribute.tensors.is_empty(), AttributeKind::Tensors),
        (!attribute.graphs.is_empty(), AttributeKind::Graphs),
        (!attribute.sparse_tensors.is_empty(), AttributeKind::SparseTensors),
        (!attribute.type_protos.is_empty(), AttributeKind::TypeProtos),
    ];
    fields.into_iter().find_map(|(set, kind)| set.then_some(kind))
}
