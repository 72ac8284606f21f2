//! An attribute of a node, and its form in files and as the view that checks and rules read.

use std::fmt;

use bytes::Bytes;

use super::arrays::Model;
use super::graph::Graph;
use super::list::{Item, List};
use super::record::{AttributeRecord, Lazy, Payload};
use crate::file::proto::{
    AttributeProto, DimensionValue, SparseTensorProto, TensorProto, TensorShapeProto, TypeProto, TypeValue,
};
use crate::file::store::Store;
use crate::file::wire::Message;
use shape_core::node::{
    AttributeKind, AttributeValue, DimsStorage, GraphsView, NodeAttribute, SparseTensorView, SparseTensorsView,
    TensorView, TensorsView, TypeProtoView, TypeProtosView,
};

/// A named attribute, which has exactly one value: the one of its kind.
#[derive(Clone, Copy)]
pub struct Attribute<'m> {
    pub(super) model: &'m Model,
    pub(super) record: &'m AttributeRecord,
}

impl<'m> Item<'m> for Attribute<'m> {
    type Record = AttributeRecord;

    fn view(model: &'m Model, record: &'m AttributeRecord) -> Self {
        Self { model, record }
    }
}

impl Payload {
    pub(super) fn kind(&self) -> AttributeKind {
        match self {
            Self::Float(_) => AttributeKind::Float,
            Self::Int(_) => AttributeKind::Int,
            Self::String(_) => AttributeKind::String,
            Self::Tensor(_) => AttributeKind::Tensor,
            Self::Graph(_) => AttributeKind::Graph,
            Self::SparseTensor(_) => AttributeKind::SparseTensor,
            Self::Type(_) => AttributeKind::TypeProto,
            Self::Floats(_) => AttributeKind::Floats,
            Self::Ints(_) => AttributeKind::Ints,
            Self::Strings(_) => AttributeKind::Strings,
            Self::Tensors(_) => AttributeKind::Tensors,
            Self::Graphs(_) => AttributeKind::Graphs,
            Self::SparseTensors(_) => AttributeKind::SparseTensors,
            Self::Types(_) => AttributeKind::TypeProtos,
        }
    }
}

/// The kinds in the order of their fields in messages.
const FIELDS: [AttributeKind; 14] = [
    AttributeKind::Float,
    AttributeKind::Int,
    AttributeKind::String,
    AttributeKind::Tensor,
    AttributeKind::Graph,
    AttributeKind::SparseTensor,
    AttributeKind::TypeProto,
    AttributeKind::Floats,
    AttributeKind::Ints,
    AttributeKind::Strings,
    AttributeKind::Tensors,
    AttributeKind::Graphs,
    AttributeKind::SparseTensors,
    AttributeKind::TypeProtos,
];

/// The message at an index of an array.
fn at<'m, T: Message>(array: &'m [Lazy<T>], index: u32, store: &Store) -> Option<&'m T> {
    array.get(index as usize).map(|message| message.get(store))
}

impl<'m> Attribute<'m> {
    /// The attribute's name.
    #[must_use]
    pub fn name(self) -> &'m str {
        self.model.text(self.record.name)
    }

    /// `ref_attr_name`: in a function's body, the function's attribute that this one takes its value from; else empty.
    #[must_use]
    pub fn reference(self) -> &'m str {
        self.model.text(self.record.reference)
    }

    /// `type`: the number of the kind, as the file has it.
    #[must_use]
    pub fn kind_number(self) -> Option<i32> {
        self.record.kind
    }

    pub(super) fn payloads(self) -> &'m [Payload] {
        self.record.values.of(&self.model.payloads)
    }

    fn payload(self, kind: AttributeKind) -> Option<&'m Payload> {
        self.payloads().iter().find(|payload| payload.kind() == kind)
    }

    /// The kinds of the values that are set; there should be exactly one.
    pub fn set_kinds(self) -> impl Iterator<Item = AttributeKind> + use<'m> {
        FIELDS.into_iter().filter(move |kind| self.payload(*kind).is_some())
    }

    /// The kind of its value, if it has exactly one.
    pub(crate) fn only_kind(self) -> Option<AttributeKind> {
        match self.payloads() {
            [one] => Some(one.kind()),
            _ => None,
        }
    }

    /// The graph in `g`.
    #[must_use]
    pub fn graph(self) -> Option<Graph<'m>> {
        match self.payload(AttributeKind::Graph)? {
            Payload::Graph(id) => self.model.graph_at(*id),
            _ => None,
        }
    }

    /// The graphs in `graphs`.
    #[must_use]
    pub fn graphs(self) -> List<'m, Graph<'m>> {
        match self.payload(AttributeKind::Graphs) {
            Some(Payload::Graphs(graphs)) => List::new(self.model, graphs.of(&self.model.graph_lists)),
            _ => List::new(self.model, &[]),
        }
    }

    /// All graphs in the attribute; it should have either `g` or `graphs`.
    pub fn subgraphs(self) -> impl Iterator<Item = Graph<'m>> + use<'m> {
        self.graph().into_iter().chain(self.graphs())
    }

    /// The integer in `i`.
    #[must_use]
    pub fn int(self) -> Option<i64> {
        match self.payload(AttributeKind::Int)? {
            Payload::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The integers in `ints`.
    #[must_use]
    pub fn ints(self) -> &'m [i64] {
        match self.payload(AttributeKind::Ints) {
            Some(Payload::Ints(values)) => values.of(&self.model.ints),
            _ => &[],
        }
    }

    /// The tensor in `t`.
    #[must_use]
    pub fn tensor(self) -> Option<&'m TensorProto> {
        match self.payload(AttributeKind::Tensor)? {
            Payload::Tensor(index) => at(&self.model.tensors, *index, &self.model.store),
            _ => None,
        }
    }

    /// The tensors in `tensors`.
    #[must_use]
    pub fn tensors(self) -> List<'m, &'m TensorProto> {
        match self.payload(AttributeKind::Tensors) {
            Some(Payload::Tensors(tensors)) => List::new(self.model, tensors.of(&self.model.tensors)),
            _ => List::new(self.model, &[]),
        }
    }

    /// The sparse tensor in `sparse_tensor`.
    #[must_use]
    pub fn sparse_tensor(self) -> Option<&'m SparseTensorProto> {
        match self.payload(AttributeKind::SparseTensor)? {
            Payload::SparseTensor(index) => at(&self.model.sparse_tensors, *index, &self.model.store),
            _ => None,
        }
    }

    /// The sparse tensors in `sparse_tensors`.
    #[must_use]
    pub fn sparse_tensors(self) -> List<'m, &'m SparseTensorProto> {
        match self.payload(AttributeKind::SparseTensors) {
            Some(Payload::SparseTensors(tensors)) => List::new(self.model, tensors.of(&self.model.sparse_tensors)),
            _ => List::new(self.model, &[]),
        }
    }

    /// The type in `tp`.
    #[must_use]
    pub fn type_proto(self) -> Option<&'m TypeProto> {
        match self.payload(AttributeKind::TypeProto)? {
            Payload::Type(index) => at(&self.model.types, *index, &self.model.store),
            _ => None,
        }
    }

    /// The types in `type_protos`.
    #[must_use]
    pub fn type_protos(self) -> List<'m, &'m TypeProto> {
        match self.payload(AttributeKind::TypeProtos) {
            Some(Payload::Types(types)) => List::new(self.model, types.of(&self.model.types)),
            _ => List::new(self.model, &[]),
        }
    }

    /// The view that checks and rules read; `None` if the file has neither a kind nor a value.
    #[must_use]
    pub fn view(self) -> Option<NodeAttribute<'m>> {
        let stated = self.record.kind.and_then(AttributeKind::from_number);
        // Early files had no `type`: there the field that is set determines the kind.
        let kind = stated.or_else(|| self.set_kinds().next())?;
        let name = self.name();
        if !self.record.reference.is_empty() {
            return Some(NodeAttribute::new(name, AttributeValue::Other(kind)));
        }
        let value = self.payload(kind).and_then(|payload| self.value(payload));
        let (value, has_value) = match (value, kind) {
            (Some(value), _) => (value, true),
            // In a file, an empty list and an absent one are the same.
            (None, AttributeKind::Ints) => (AttributeValue::Ints(&[]), true),
            (None, AttributeKind::Floats) => (AttributeValue::Floats(&[]), true),
            (None, AttributeKind::Strings) => (AttributeValue::Strings(shape_core::node::StringsView::new(&[])), true),
            (None, AttributeKind::Tensors) => (AttributeValue::Tensors(TensorsView::new(self.record)), true),
            (None, AttributeKind::Graphs) => (AttributeValue::Graphs(GraphsView::new(self.record)), true),
            (None, AttributeKind::SparseTensors) => {
                (AttributeValue::SparseTensors(SparseTensorsView::new(self.record)), true)
            }
            (None, AttributeKind::TypeProtos) => (AttributeValue::TypeProtos(TypeProtosView::new(self.record)), true),
            (None, AttributeKind::Int) => (AttributeValue::Int(0), false),
            (None, AttributeKind::Float) => (AttributeValue::Float(0.0), false),
            (None, AttributeKind::String) => (AttributeValue::String(&[]), false),
            (None, _) => (AttributeValue::Other(kind), false),
        };
        Some(NodeAttribute { name, value, has_value })
    }

    fn value(self, payload: &'m Payload) -> Option<AttributeValue<'m>> {
        let Model { store, ints, floats, strings, spans, tensors, sparse_tensors, types, .. } = self.model;
        Some(match payload {
            Payload::Float(value) => AttributeValue::Float(*value),
            Payload::Int(value) => AttributeValue::Int(*value),
            Payload::String(index) => AttributeValue::String(store.bytes(*spans.get(*index as usize)?)),
            Payload::Ints(values) => AttributeValue::Ints(values.of(ints)),
            Payload::Floats(values) => AttributeValue::Floats(values.of(floats)),
            Payload::Strings(index) => AttributeValue::Strings(strings.get(*index as usize)?.into()),
            Payload::Tensor(index) => AttributeValue::Tensor(TensorView::new(at(tensors, *index, store)?)),
            Payload::Graph(id) => AttributeValue::Graph(self.model.graph_at(*id)?.as_view()),
            Payload::SparseTensor(index) => {
                AttributeValue::SparseTensor(SparseTensorView::new(at(sparse_tensors, *index, store)?))
            }
            Payload::Type(index) => AttributeValue::TypeProto(TypeProtoView::new(at(types, *index, store)?)),
            Payload::Tensors(_) => AttributeValue::Tensors(TensorsView::new(self.record)),
            Payload::Graphs(_) => AttributeValue::Graphs(GraphsView::new(self.record)),
            Payload::SparseTensors(_) => AttributeValue::SparseTensors(SparseTensorsView::new(self.record)),
            Payload::Types(_) => AttributeValue::TypeProtos(TypeProtosView::new(self.record)),
        })
    }

    /// The message, with all fields but its documentation.
    #[must_use]
    pub fn proto(self) -> AttributeProto {
        let mut proto = AttributeProto {
            name: self.name().to_owned(),
            ref_attr_name: self.reference().to_owned(),
            r#type: self.record.kind,
            ..AttributeProto::default()
        };
        for payload in self.payloads() {
            if let Some(value) = self.value(payload) {
                set(&mut proto, &value, self.model);
            }
        }
        proto
    }
}

impl fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.proto().fmt(f)
    }
}

impl PartialEq for Attribute<'_> {
    /// Two attributes are equal where their messages are.
    fn eq(&self, other: &Self) -> bool {
        self.proto() == other.proto()
    }
}

impl AttributeProto {
    /// The attribute of a view; it has no value if files cannot store such a value. `model` is the model that the graphs
    /// in it are of, if there are any.
    #[must_use]
    pub fn from_view(attribute: &NodeAttribute<'_>, model: &Model) -> Self {
        let kind = attribute.value.kind().number();
        let mut proto = Self { name: attribute.name.into(), r#type: Some(kind), ..Self::default() };
        set(&mut proto, &attribute.value, model);
        proto
    }
}

fn set(proto: &mut AttributeProto, value: &AttributeValue<'_>, model: &Model) {
    /// The attribute whose list a view is of.
    fn of<'m>(model: &'m Model, record: Option<&'m AttributeRecord>) -> Option<Attribute<'m>> {
        record.map(|record| Attribute { model, record })
    }
    match *value {
        AttributeValue::Int(value) => proto.i = Some(value),
        AttributeValue::Float(value) => proto.f = Some(value),
        AttributeValue::String(value) => proto.s = Some(Bytes::copy_from_slice(value)),
        AttributeValue::Ints(values) => proto.ints = values.to_vec(),
        AttributeValue::Floats(values) => proto.floats = values.to_vec(),
        AttributeValue::Strings(values) => proto.strings = values.iter().map(Bytes::copy_from_slice).collect(),
        AttributeValue::Tensor(value) => proto.t = tensor(value).map(Box::new),
        AttributeValue::Graph(value) => proto.g = Graph::of(model, value).map(|graph| Box::new(graph.proto())),
        AttributeValue::SparseTensor(value) => {
            proto.sparse_tensor = value.get::<SparseTensorProto>().cloned().map(Box::new);
        }
        AttributeValue::TypeProto(value) => proto.tp = value.get::<TypeProto>().cloned().map(Box::new),
        AttributeValue::Tensors(values) => {
            proto.tensors = of(model, values.get()).into_iter().flat_map(Attribute::tensors).cloned().collect();
        }
        AttributeValue::Graphs(values) => {
            let graphs = of(model, values.get()).into_iter().flat_map(Attribute::graphs);
            proto.graphs = graphs.map(Graph::proto).collect();
        }
        AttributeValue::SparseTensors(values) => {
            let tensors = of(model, values.get()).into_iter().flat_map(Attribute::sparse_tensors);
            proto.sparse_tensors = tensors.cloned().collect();
        }
        AttributeValue::TypeProtos(values) => {
            proto.type_protos = of(model, values.get()).into_iter().flat_map(Attribute::type_protos).cloned().collect();
        }
        AttributeValue::Other(_) => {}
    }
}

/// The tensor of a view; `None` for strings that do not come from a file.
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

impl DimsStorage for SparseTensorProto {
    fn rank(&self) -> Option<usize> {
        Some(self.dims.len())
    }

    fn dim(&self, axis: usize) -> Option<u64> {
        self.dims.get(axis).and_then(|size| u64::try_from(*size).ok())
    }
}

impl TypeValue {
    /// The dimensions of a tensor, or of each tensor in a sequence or an optional.
    pub(crate) fn shape(&self) -> Option<&TensorShapeProto> {
        let element = match self {
            Self::TensorType(tensor) => return tensor.shape.as_ref(),
            Self::SequenceType(sequence) => &sequence.elem_type,
            Self::OptionalType(optional) => &optional.elem_type,
            Self::SparseTensorType(_) | Self::MapType(_) | Self::OpaqueType(_) => return None,
        };
        element.as_deref()?.value.as_ref()?.shape()
    }
}

impl DimsStorage for TypeProto {
    fn rank(&self) -> Option<usize> {
        Some(self.value.as_ref()?.shape()?.dim.len())
    }

    fn dim(&self, axis: usize) -> Option<u64> {
        match self.value.as_ref()?.shape()?.dim.get(axis)?.value {
            Some(DimensionValue::DimValue(size)) => u64::try_from(size).ok(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::proto::{GraphProto, ModelProto, NodeProto};

    /// For every kind: the view has the value of the file, and the attribute of the view equals the original.
    #[test]
    fn there_and_back() {
        let tensor = TensorProto { data_type: Some(7), dims: vec![0], ..TensorProto::default() };
        let graph = GraphProto { name: "body".to_owned(), ..GraphProto::default() };
        let sparse = SparseTensorProto { dims: vec![3], ..SparseTensorProto::default() };
        let ty = TypeProto { denotation: "IMAGE".to_owned(), ..TypeProto::default() };
        let model = |attribute: &AttributeProto| {
            let node = NodeProto { attribute: vec![attribute.clone()], ..NodeProto::default() };
            let graph = GraphProto { node: vec![node], ..GraphProto::default() };
            // The closure below cannot be generic over a lifetime.
            &*Box::leak(Box::new(Model::of(&ModelProto { graph: Some(graph), ..ModelProto::default() }).unwrap()))
        };
        let attribute =
            |model: &'static Model| Model::graph(model).unwrap().nodes().get(0).unwrap().attributes().get(0).unwrap();
        let of = |kind: AttributeKind, fill: &dyn Fn(&mut AttributeProto)| {
            let mut proto =
                AttributeProto { name: "a".into(), r#type: Some(kind.number()), ..AttributeProto::default() };
            let read = model(&proto);
            let empty = attribute(read).view().unwrap();
            let list = kind.name().ends_with('S');
            assert_eq!((empty.value.kind(), empty.has_value), (kind, list), "{kind} without a value");
            fill(&mut proto);
            let read = model(&proto);
            let full = attribute(read).view().unwrap();
            assert_eq!((full.value.kind(), full.has_value), (kind, true));
            assert!(!matches!(full.value, AttributeValue::Other(_)), "{kind}");
            assert_eq!(AttributeProto::from_view(&full, read), proto, "{kind}");
            assert_eq!(attribute(read).proto(), proto, "{kind}");
            assert_eq!(attribute(read).set_kinds().collect::<Vec<_>>(), [kind]);
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
        let attribute = NodeAttribute::new("a", AttributeValue::Tensor(view.into()));
        let made = AttributeProto::from_view(&attribute, &Model::default());
        assert_eq!(made.t.unwrap().raw_data.as_deref(), Some(&[5][..]));
    }
}
