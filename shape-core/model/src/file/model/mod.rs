//! A model in memory: flat arrays of small records over the bytes of its file.
//!
//! Nothing is copied out of the file but its names, each of them once. A record says what a part has by numbers: the
//! operator and the inputs of a node are names ([`Name`]), its attributes a range of the array of attributes. Tensors,
//! declared types and whatever else is large or rarely read is a range of bytes, decoded when it is asked for. All bytes
//! were checked when the model was read, so that decoding cannot fail later.
//!
//! [`Graph`], [`Node`], [`Attribute`] and [`Function`] are views of the records. They are small and `Copy`. What a view
//! does not show is in the message that its `proto` decodes.

mod attribute;
mod function;
mod graph;
mod list;
mod names;
mod node;
mod read;
mod record;

use std::fmt;
use std::ops::Range;

use super::cursor::{Cursor, DecodeError};
use super::proto::{
    ModelProto, OperatorSetIdProto, SparseTensorProto, StringStringEntryProto, TensorProto, TrainingInfoProto,
    TypeProto, ValueInfoProto,
};
use super::store::{Span, Store};
use super::wire::Message;
use bytes::Bytes;

pub use attribute::Attribute;
pub use function::Function;
pub use graph::Graph;
pub use list::{Item, Iter, List};
pub use names::Name;
pub use node::Node;
pub(super) use read::read;
pub use record::Lazy;

use names::Names;
use record::{
    AttributeRecord, FunctionRecord, GraphRecord, NodeRecord, Payload, Slice, Strings, TrainingRecord, decode, fields,
};

/// A model.
///
/// Most programs get it from [`ModelFile::open`](super::ModelFile::open). See the [module](self) for how it is kept.
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
    store: Store,
    /// The number of bytes of the model; what was put together of pieces lies behind them.
    len: usize,
    names: Names,
    ir_version: Option<i64>,
    /// The main graph.
    graph: Option<u32>,
    opset_import: Slice,
    functions: Vec<FunctionRecord>,
    training: Vec<TrainingRecord>,
    graphs: Vec<GraphRecord>,
    nodes: Vec<NodeRecord>,
    attributes: Vec<AttributeRecord>,
    payloads: Vec<Payload>,
    /// The inputs and outputs of nodes and functions.
    value_names: Vec<Name>,
    infos: Vec<Lazy<ValueInfoProto>>,
    tensors: Vec<Lazy<TensorProto>>,
    sparse_tensors: Vec<Lazy<SparseTensorProto>>,
    types: Vec<Lazy<TypeProto>>,
    opset_imports: Vec<OperatorSetIdProto>,
    ints: Vec<i64>,
    floats: Vec<f32>,
    strings: Vec<Strings>,
    spans: Vec<Span>,
    /// The graphs of attributes that are lists of them.
    graph_lists: Vec<u32>,
}

impl Model {
    /// The model of a message.
    ///
    /// # Errors
    ///
    /// If messages are nested more than a hundred deep.
    pub fn of(proto: &ModelProto) -> Result<Self, DecodeError> {
        let store = Store::from(Bytes::from(proto.encode_to_vec()));
        read(store, usize::MAX).map_err(|(_, error)| error)
    }

    /// The version of the format; 14 is the newest one known here.
    #[must_use]
    pub fn ir_version(&self) -> Option<i64> {
        self.ir_version
    }

    /// The operator sets that the nodes use.
    #[must_use]
    pub fn opset_import(&self) -> &[OperatorSetIdProto] {
        self.opset_import.of(&self.opset_imports)
    }

    /// The graph that is executed.
    #[must_use]
    pub fn graph(&self) -> Option<Graph<'_>> {
        self.graph_at(self.graph?)
    }

    /// The functions that nodes of the model call.
    #[must_use]
    pub fn functions(&self) -> List<'_, Function<'_>> {
        List::new(self, &self.functions)
    }

    /// The training information.
    #[must_use]
    pub fn training_info(&self) -> List<'_, Training<'_>> {
        List::new(self, &self.training)
    }

    /// The pairs that tools attached to the model.
    #[must_use]
    pub fn metadata_props(&self) -> Vec<StringStringEntryProto> {
        self.header().metadata_props
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

    /// The number of different names.
    #[must_use]
    pub fn name_count(&self) -> usize {
        self.names.len()
    }

    /// The number of graphs, those of training and those in attributes included.
    #[must_use]
    pub fn graph_count(&self) -> usize {
        self.graphs.len()
    }

    /// A cursor over a range of the bytes.
    pub(super) fn cursor(&self, range: Range<usize>) -> Cursor<'_> {
        Cursor::new(&self.store, range.start, range.end, usize::MAX)
    }

    /// All tensors, wherever in the model they are.
    pub(super) fn all_tensors(&self) -> impl Iterator<Item = &TensorProto> {
        let of_sparse = |tensor| {
            let SparseTensorProto { values, indices, .. } = Lazy::get(tensor, &self.store);
            values.iter().chain(indices)
        };
        let tensors = self.tensors.iter().map(|tensor| tensor.get(&self.store));
        tensors.chain(self.sparse_tensors.iter().flat_map(of_sparse))
    }

    fn graph_at(&self, id: u32) -> Option<Graph<'_>> {
        self.graphs.get(id as usize).map(|record| Graph { model: self, record })
    }

    /// Decodes a message without some of its fields.
    fn fields<T: Message>(&self, span: Span, without: impl Fn(u32) -> bool) -> T {
        let mut message = T::default();
        drop(fields(&self.store, span, |tag, wire_type, cursor| {
            if without(tag) { cursor.skip_field(tag, wire_type) } else { message.merge_field(tag, wire_type, cursor) }
        }));
        message
    }

    /// The bytes of a value of an attribute that is a message.
    fn span_of(&self, value: &Payload) -> Span {
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

/// How a model is trained.
#[derive(Clone, Copy, Debug)]
pub struct Training<'m> {
    model: &'m Model,
    record: &'m TrainingRecord,
}

impl<'m> Item<'m> for Training<'m> {
    type Record = TrainingRecord;

    fn view(model: &'m Model, record: &'m TrainingRecord) -> Self {
        Self { model, record }
    }
}

impl<'m> Training<'m> {
    /// The graph that computes the initial values.
    #[must_use]
    pub fn initialization(self) -> Option<Graph<'m>> {
        self.model.graph_at(self.record.initialization?)
    }

    /// The graph that computes one training step.
    #[must_use]
    pub fn algorithm(self) -> Option<Graph<'m>> {
        self.model.graph_at(self.record.algorithm?)
    }

    /// The message without its graphs.
    #[must_use]
    pub fn header(self) -> TrainingInfoProto {
        let is_graph = |tag| matches!(tag, TrainingInfoProto::initialization | TrainingInfoProto::algorithm);
        self.model.fields(self.record.span, is_graph)
    }
}

macro_rules! lazy_items {
    ($($message:ident),*) => {$(
        impl<'m> Item<'m> for &'m $message {
            type Record = Lazy<$message>;

            fn view(model: &'m Model, record: &'m Lazy<$message>) -> Self {
                record.get(&model.store)
            }
        }

        impl<'m> List<'m, &'m $message> {
            /// The names of the entries. They are not decoded for this.
            pub fn names(self) -> impl ExactSizeIterator<Item = Name> + DoubleEndedIterator + Clone + use<'m> {
                self.records.iter().map(|record| record.name)
            }
        }
    )*};
}

lazy_items!(ValueInfoProto, TensorProto, SparseTensorProto, TypeProto);

impl<'m> Item<'m> for &'m str {
    type Record = Name;

    fn view(model: &'m Model, name: &'m Name) -> Self {
        model.text(*name)
    }
}

impl<'m> List<'m, &'m str> {
    /// The names as numbers.
    #[must_use]
    pub fn names(self) -> &'m [Name] {
        self.records
    }
}
