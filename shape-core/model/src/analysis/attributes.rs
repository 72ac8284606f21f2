//! `AttributeProto` to the views that checks and rules read.

use crate::file::Bytes;
use crate::file::proto::{AttributeProto, GraphProto, SparseTensorProto, TensorProto, TypeProto};
use shape_core::node::{
    AttributeKind, AttributeValue, GraphView, GraphsView, NodeAttribute, SparseTensorView, SparseTensorsView,
    TensorView, TensorsView, TypeProtoView, TypeProtosView,
};

/// The view of an attribute; `None` where the file says neither its kind nor a value.
pub(crate) fn view(attribute: &AttributeProto) -> Option<NodeAttribute<'_>> {
    let stated = attribute.r#type.and_then(AttributeKind::from_number);
    // The first files had no `type`: there the field that is set tells.
    let kind = stated.or_else(|| set_fields(attribute).next())?;
    let name = &*attribute.name;
    if !attribute.ref_attr_name.is_empty() {
        return Some(NodeAttribute::new(name, AttributeValue::Other(kind)));
    }
    let value = match kind {
        AttributeKind::Int => attribute.i.map(AttributeValue::Int),
        AttributeKind::Float => attribute.f.map(AttributeValue::Float),
        AttributeKind::String => attribute.s.as_deref().map(AttributeValue::String),
        // An empty list and no list are the same bytes.
        AttributeKind::Ints => Some(AttributeValue::Ints(&attribute.ints)),
        AttributeKind::Floats => Some(AttributeValue::Floats(&attribute.floats)),
        AttributeKind::Strings => Some(AttributeValue::Strings((&attribute.strings).into())),
        AttributeKind::Tensors => Some(AttributeValue::Tensors(TensorsView::new(&attribute.tensors))),
        AttributeKind::Graphs => Some(AttributeValue::Graphs(GraphsView::new(&attribute.graphs))),
        AttributeKind::SparseTensors => {
            Some(AttributeValue::SparseTensors(SparseTensorsView::new(&attribute.sparse_tensors)))
        }
        AttributeKind::TypeProtos => Some(AttributeValue::TypeProtos(TypeProtosView::new(&attribute.type_protos))),
        AttributeKind::Tensor => attribute.t.as_deref().map(|value| AttributeValue::Tensor(TensorView::new(value))),
        AttributeKind::Graph => attribute.g.as_deref().map(|value| AttributeValue::Graph(GraphView::new(value))),
        AttributeKind::SparseTensor => {
            let value = attribute.sparse_tensor.as_deref();
            value.map(|value| AttributeValue::SparseTensor(SparseTensorView::new(value)))
        }
        AttributeKind::TypeProto => {
            attribute.tp.as_deref().map(|value| AttributeValue::TypeProto(TypeProtoView::new(value)))
        }
    };
    let has_value = value.is_some();
    let value = value.unwrap_or(match kind {
        AttributeKind::Int => AttributeValue::Int(0),
        AttributeKind::Float => AttributeValue::Float(0.0),
        AttributeKind::String => AttributeValue::String(&[]),
        _ => AttributeValue::Other(kind),
    });
    Some(NodeAttribute { name, value, has_value })
}

/// An attribute as a file has it; one without a value where the view is of nothing that a file can have.
pub(crate) fn proto(attribute: &NodeAttribute<'_>) -> AttributeProto {
    let kind = attribute.value.kind().number();
    let mut proto = AttributeProto { name: attribute.name.into(), r#type: Some(kind), ..AttributeProto::default() };
    match attribute.value {
        AttributeValue::Int(value) => proto.i = Some(value),
        AttributeValue::Float(value) => proto.f = Some(value),
        AttributeValue::String(value) => proto.s = Some(Bytes::copy_from_slice(value)),
        AttributeValue::Ints(values) => proto.ints = values.to_vec(),
        AttributeValue::Floats(values) => proto.floats = values.to_vec(),
        AttributeValue::Strings(values) => proto.strings = values.iter().map(Bytes::copy_from_slice).collect(),
        AttributeValue::Tensor(value) => proto.t = tensor(value).map(Box::new),
        AttributeValue::Graph(value) => proto.g = value.get::<GraphProto>().cloned().map(Box::new),
        AttributeValue::SparseTensor(value) => {
            proto.sparse_tensor = value.get::<SparseTensorProto>().cloned().map(Box::new);
        }
        AttributeValue::TypeProto(value) => proto.tp = value.get::<TypeProto>().cloned().map(Box::new),
        AttributeValue::Tensors(values) => proto.tensors = values.get().cloned().unwrap_or_default(),
        AttributeValue::Graphs(values) => proto.graphs = values.get().cloned().unwrap_or_default(),
        AttributeValue::SparseTensors(values) => proto.sparse_tensors = values.get().cloned().unwrap_or_default(),
        AttributeValue::TypeProtos(values) => proto.type_protos = values.get().cloned().unwrap_or_default(),
        AttributeValue::Other(_) => {}
    }
    proto
}

/// A tensor as a file has it; `None` for strings that are in no file.
fn tensor(view: TensorView<'_>) -> Option<TensorProto> {
    if let Some(proto) = view.get::<TensorProto>() {
        return Some(proto.clone());
    }
    Some(TensorProto {
        data_type: Some(view.data_type()?.number().into()),
        dims: (0..view.rank()).map(|axis| view.dim(axis)?.try_into().ok()).collect::<Option<_>>()?,
        raw_data: Some(Bytes::copy_from_slice(view.bytes()?)),
        ..TensorProto::default()
    })
}

/// The kinds of the values that an attribute has, of which there should be one.
pub(super) fn set_fields(attribute: &AttributeProto) -> impl Iterator<Item = AttributeKind> {
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
    fields.into_iter().filter_map(|(set, kind)| set.then_some(kind))
}

#[cfg(test)]
mod tests {
    use super::proto as back;
    use super::*;

    /// Of every kind: the view shows what the file has, and the file has again what the view shows.
    #[test]
    fn there_and_back() {
        let tensor = TensorProto { data_type: Some(7), dims: vec![0], ..TensorProto::default() };
        let graph = GraphProto { name: "body".to_owned(), ..GraphProto::default() };
        let sparse = SparseTensorProto { dims: vec![3], ..SparseTensorProto::default() };
        let ty = TypeProto { denotation: "IMAGE".to_owned(), ..TypeProto::default() };
        let of = |kind: AttributeKind, fill: &dyn Fn(&mut AttributeProto)| {
            let mut proto =
                AttributeProto { name: "a".into(), r#type: Some(kind.number()), ..AttributeProto::default() };
            let empty = view(&proto).unwrap();
            let list = kind.name().ends_with('S');
            assert_eq!((empty.value.kind(), empty.has_value), (kind, list), "{kind} without a value");
            fill(&mut proto);
            let full = view(&proto).unwrap();
            assert_eq!((full.value.kind(), full.has_value), (kind, true));
            assert!(!matches!(full.value, AttributeValue::Other(_)), "{kind}");
            assert_eq!(back(&full), proto, "{kind}");
        };
        of(AttributeKind::Float, &|proto| proto.f = Some(0.5));
        of(AttributeKind::Int, &|proto| proto.i = Some(-3));
        of(AttributeKind::String, &|proto| proto.s = Some("text".into()));
        of(AttributeKind::Tensor, &|proto| proto.t = Some(Box::new(tensor.clone())));
        of(AttributeKind::Graph, &|proto| proto.g = Some(Box::new(graph.clone())));
        of(AttributeKind::Floats, &|proto| proto.floats = vec![0.5, 1.0]);
        of(AttributeKind::Ints, &|proto| proto.ints = vec![1, 2]);
        of(AttributeKind::Strings, &|proto| proto.strings = vec!["a".into(), "".into()]);
        of(AttributeKind::Tensors, &|proto| proto.tensors = vec![tensor.clone()]);
        of(AttributeKind::Graphs, &|proto| proto.graphs = vec![graph.clone()]);
        of(AttributeKind::SparseTensor, &|proto| proto.sparse_tensor = Some(Box::new(sparse.clone())));
        of(AttributeKind::SparseTensors, &|proto| proto.sparse_tensors = vec![sparse.clone()]);
        of(AttributeKind::TypeProto, &|proto| proto.tp = Some(Box::new(ty.clone())));
        of(AttributeKind::TypeProtos, &|proto| proto.type_protos = vec![ty.clone()]);
        let view = shape_core::Tensor::new(shape_core::DataType::Int8, &[1], &[5]).unwrap();
        let made = back(&NodeAttribute::new("a", AttributeValue::Tensor(view.into())));
        assert_eq!(made.t.unwrap().raw_data.as_deref(), Some(&[5][..]));
    }
}
