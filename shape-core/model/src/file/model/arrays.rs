//! A model: arrays of nodes, attributes, graphs and values, which refer to one another by number.

use std::fmt;
use std::ops::Range;

use super::names::{Name, Names};
use super::record::{
    AttributeRecord, FunctionRecord, GraphRecord, Lazy, NodeRecord, OperatorNames, Payload, Slice, Strings,
    TrainingRecord, decode, fields,
};
use crate::file::cursor::Cursor;
use crate::file::proto::{ModelProto, OperatorSetIdProto, SparseTensorProto, TensorProto, TypeProto, ValueInfoProto};
use crate::file::store::{Span, Store};
use crate::file::wire::Message;

/// A model.
///
/// Most programs get it from [`ModelFile::open`](crate::ModelFile::open).
///
/// It is flat arrays of small records over the bytes of its file. Nothing is copied out of the file but its names, each of
/// them once. A record says what a part has by numbers; tensors, declared types and whatever else is large or rarely read
/// are ranges of bytes, decoded when they are asked for. [`Graph`](crate::Graph), [`Node`](crate::Node) and
/// [`Attribute`](crate::Attribute) are views of the records: small, and `Copy`.
///
/// ```
/// use shape_model::Model;
/// use shape_model::file::proto::{GraphProto, ModelProto, NodeProto};
/// let relu = NodeProto { op_type: "Relu".to_owned(), input: vec!["x".to_owned()], ..NodeProto::default() };
/// let graph = GraphProto { node: vec![relu], ..GraphProto::default() };
/// let model = Model::of(&ModelProto { graph: Some(graph), ..ModelProto::default() })?;
/// let node = model.graph().unwrap().nodes().get(0).unwrap();
/// assert_eq!((node.op_type(), node.inputs().get(0)), ("Relu", Some("x")));
/// # Ok::<(), shape_model::file::DecodeError>(())
/// ```
#[derive(Clone, Default)]
pub struct Model {
    pub(super) store: Store,
    /// The number of bytes of the model; messages that were joined from pieces are stored after them.
    pub(super) len: usize,
    pub(super) names: Names,
    pub(super) ir_version: Option<i64>,
    /// The main graph.
    pub(super) graph: Option<u32>,
    pub(super) opset_import: Slice,
    pub(super) functions: Vec<FunctionRecord>,
    pub(super) training: Vec<TrainingRecord>,
    pub(super) graphs: Vec<GraphRecord>,
    pub(super) nodes: Vec<NodeRecord>,
    /// The operators of the nodes, each once.
    pub(super) operators: Vec<OperatorNames>,
    pub(super) attributes: Vec<AttributeRecord>,
    pub(super) payloads: Vec<Payload>,
    /// The inputs and outputs of nodes and functions.
    pub(super) value_names: Vec<Name>,
    pub(super) infos: Vec<Lazy<ValueInfoProto>>,
    pub(super) tensors: Vec<Lazy<TensorProto>>,
    pub(super) sparse_tensors: Vec<Lazy<SparseTensorProto>>,
    pub(super) types: Vec<Lazy<TypeProto>>,
    pub(super) opset_imports: Vec<OperatorSetIdProto>,
    pub(super) ints: Vec<i64>,
    pub(super) floats: Vec<f32>,
    pub(super) strings: Vec<Strings>,
    pub(super) spans: Vec<Span>,
    /// The graphs of attributes that are lists of them.
    pub(super) graph_lists: Vec<u32>,
}

impl Model {
    /// The version of the format, `ir_version`.
    #[must_use]
    pub fn ir_version(&self) -> Option<i64> {
        self.ir_version
    }

    /// The operator sets that the nodes use.
    #[must_use]
    pub fn opset_import(&self) -> &[OperatorSetIdProto] {
        self.opset_import.of(&self.opset_imports)
    }

    /// The message of the model without its graph, its training information and its functions.
    #[must_use]
    pub fn header(&self) -> ModelProto {
        let whole = Span { start: 0, len: self.len };
        self.fields(whole, |tag| matches!(tag, ModelProto::graph | ModelProto::training_info | ModelProto::functions))
    }

    /// The whole message, decoded. This takes many times the memory of the model.
    #[must_use]
    pub fn proto(&self) -> ModelProto {
        decode(&self.store, Span { start: 0, len: self.len })
    }

    /// The number of bytes that the model was read from.
    pub(in crate::file) fn len(&self) -> usize {
        self.len
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The name with a text; `None` if no part of the model has it.
    #[must_use]
    pub fn name(&self, text: &str) -> Option<Name> {
        self.names.find(text)
    }

    /// The number of different names, the empty one included. Those of nodes, which are kept by their places, do not count.
    #[must_use]
    pub fn name_count(&self) -> usize {
        self.names.len()
    }

    /// The number of different operators that the nodes have.
    #[must_use]
    pub fn operator_count(&self) -> usize {
        self.operators.len()
    }

    /// The number of graphs, those of training and those in attributes included.
    #[must_use]
    pub fn graph_count(&self) -> usize {
        self.graphs.len()
    }

    /// A cursor over a range of the bytes.
    pub(in crate::file) fn cursor(&self, range: Range<usize>) -> Cursor<'_> {
        Cursor::new(&self.store, range.start, range.end, usize::MAX)
    }

    /// All tensors, wherever in the model they are.
    pub(in crate::file) fn all_tensors(&self) -> impl Iterator<Item = &TensorProto> {
        let of_sparse = |tensor| {
            let SparseTensorProto { values, indices, .. } = Lazy::get(tensor, &self.store);
            values.iter().chain(indices)
        };
        let tensors = self.tensors.iter().map(|tensor| tensor.get(&self.store));
        tensors.chain(self.sparse_tensors.iter().flat_map(of_sparse))
    }

    /// Decodes a message without some of its fields.
    pub(super) fn fields<T: Message>(&self, span: Span, without: impl Fn(u32) -> bool) -> T {
        let mut message = T::default();
        drop(fields(&self.store, span, |tag, wire_type, cursor| {
            if without(tag) { cursor.skip_field(tag, wire_type) } else { message.merge_field(tag, wire_type, cursor) }
        }));
        message
    }

    /// The bytes of a value of an attribute that is a message.
    pub(super) fn span_of(&self, value: &Payload) -> Span {
        let span = match *value {
            Payload::Tensor(index) => self.tensors.get(index as usize).map(|tensor| tensor.span),
            Payload::Graph(index) => self.graphs.get(index as usize).map(|graph| graph.span),
            Payload::SparseTensor(index) => self.sparse_tensors.get(index as usize).map(|tensor| tensor.span),
            Payload::Type(index) => self.types.get(index as usize).map(|ty| ty.span),
            _ => None,
        };
        span.unwrap_or_default()
    }
}

// A derived implementation would print every weight.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, functions) = (self.nodes.len(), self.functions.len());
        f.debug_struct("Model").field("nodes", &nodes).field("functions", &functions).finish_non_exhaustive()
    }
}
