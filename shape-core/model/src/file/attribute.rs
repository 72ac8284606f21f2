//! Converts attributes between their form in files and the views that checks and rules read.

use bytes::Bytes;

use super::proto::{
    AttributeProto, DimensionValue, GraphProto, SparseTensorProto, TensorProto, TensorShapeProto, TypeProto, TypeValue,
};
use shape_core::node::{
    AttributeKind, AttributeValue, DimsStorage, GraphView, GraphsView, NodeAttribute, SparseTensorView,
    SparseTensorsView, TensorView, TensorsView, TypeProtoView, TypeProtosView,
};

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

impl AttributeProto {
    /// The view that checks and rules read; `None` if the file has neither a kind nor a value.
    #[must_use]
    pub fn view(&self) -> Option<NodeAttribute<'_>> {
        let stated = self.r#type.and_then(AttributeKind::from_number);
        // Early files had no `type`: there the field that is set determines the kind.
        let kind = stated.or_else(|| self.set_kinds().next())?;
        let name = &*self.name;
        if !self.ref_attr_name.is_empty() {
            return Some(NodeAttribute::new(name, AttributeValue::Other(kind)));
        }
        let value = match kind {
            AttributeKind::Int => self.i.map(AttributeValue::Int),
            AttributeKind::Float => self.f.map(AttributeValue::Float),
            AttributeKind::String => self.s.as_deref().map(AttributeValue::String),
            // In a file, an empty list and an absent one are the same.
            AttributeKind::Ints => Some(AttributeValue::Ints(&self.ints)),
            AttributeKind::Floats => Some(AttributeValue::Floats(&self.floats)),
            AttributeKind::Strings => Some(AttributeValue::Strings((&self.strings).into())),
            AttributeKind::Tensors => Some(AttributeValue::Tensors(TensorsView::new(&self.tensors))),
            AttributeKind::Graphs => Some(AttributeValue::Graphs(GraphsView::new(&self.graphs))),
            AttributeKind::SparseTensors => {
                Some(AttributeValue::SparseTensors(SparseTensorsView::new(&self.sparse_tensors)))
            }
            AttributeKind::TypeProtos => Some(AttributeValue::TypeProtos(TypeProtosView::new(&self.type_protos))),
            AttributeKind::Tensor => self.t.as_deref().map(|value| AttributeValue::Tensor(TensorView::new(value))),
            AttributeKind::Graph => self.g.as_deref().map(|value| AttributeValue::Graph(GraphView::new(value))),
            AttributeKind::SparseTensor => {
                let value = self.sparse_tensor.as_deref();
                value.map(|value| AttributeValue::SparseTensor(SparseTensorView::new(value)))
            }
            AttributeKind::TypeProto => {
                self.tp.as_deref().map(|value| AttributeValue::TypeProto(TypeProtoView::new(value)))
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

    /// The attribute of a view; it has no value if files cannot store such a value.
    #[must_use]
    pub fn from_view(attribute: &NodeAttribute<'_>) -> Self {
        let kind = attribute.value.kind().number();
        let mut proto = Self { name: attribute.name.into(), r#type: Some(kind), ..Self::default() };
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

    /// The kinds of the values that are set; there should be exactly one.
    pub(crate) fn set_kinds(&self) -> impl Iterator<Item = AttributeKind> {
        let fields = [
            (self.f.is_some(), AttributeKind::Float),
            (self.i.is_some(), AttributeKind::Int),
            (self.s.is_some(), AttributeKind::String),
            (self.t.is_some(), AttributeKind::Tensor),
            (self.g.is_some(), AttributeKind::Graph),
            (self.sparse_tensor.is_some(), AttributeKind::SparseTensor),
            (self.tp.is_some(), AttributeKind::TypeProto),
            (!self.floats.is_empty(), AttributeKind::Floats),
            (!self.ints.is_empty(), AttributeKind::Ints),
            (!self.strings.is_empty(), AttributeKind::Strings),
            (!self.tensors.is_empty(), AttributeKind::Tensors),
            (!self.graphs.is_empty(), AttributeKind::Graphs),
            (!self.sparse_tensors.is_empty(), AttributeKind::SparseTensors),
            (!self.type_protos.is_empty(), AttributeKind::TypeProtos),
        ];
        fields.into_iter().filter_map(|(set, kind)| set.then_some(kind))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// For every kind: the view has the value of the file, and the attribute of the view equals the original.
    #[test]
    fn there_and_back() {
        let tensor = TensorProto { data_type: Some(7), dims: vec![0], ..TensorProto::default() };
        let graph = GraphProto { name: "body".to_owned(), ..GraphProto::default() };
        let sparse = SparseTensorProto { dims: vec![3], ..SparseTensorProto::default() };
        let ty = TypeProto { denotation: "IMAGE".to_owned(), ..TypeProto::default() };
        let of = |kind: AttributeKind, fill: &dyn Fn(&mut AttributeProto)| {
            let mut proto =
                AttributeProto { name: "a".into(), r#type: Some(kind.number()), ..AttributeProto::default() };
            let empty = proto.view().unwrap();
            let list = kind.name().ends_with('S');
            assert_eq!((empty.value.kind(), empty.has_value), (kind, list), "{kind} without a value");
            fill(&mut proto);
            let full = proto.view().unwrap();
            assert_eq!((full.value.kind(), full.has_value), (kind, true));
            assert!(!matches!(full.value, AttributeValue::Other(_)), "{kind}");
            assert_eq!(AttributeProto::from_view(&full), proto, "{kind}");
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
        let made = AttributeProto::from_view(&NodeAttribute::new("a", AttributeValue::Tensor(view.into())));
        assert_eq!(made.t.unwrap().raw_data.as_deref(), Some(&[5][..]));
    }
}
