//! A graph of a model, as a view of its record.

use std::fmt;

use super::arrays::Model;
use super::list::{Item, List};
use super::node::Node;
use super::record::{GraphRecord, decode};
use crate::file::proto::{GraphProto, SparseTensorProto, TensorProto, ValueInfoProto};
use shape_core::node::GraphView;

/// Nodes in execution order, and the values between them.
#[derive(Clone, Copy)]
pub struct Graph<'m> {
    pub(super) model: &'m Model,
    pub(super) record: &'m GraphRecord,
}

impl Model {
    /// The graph that is executed.
    #[must_use]
    pub fn graph(&self) -> Option<Graph<'_>> {
        self.graph_at(self.graph?)
    }

    /// All graphs, those of training and those in attributes included.
    pub(crate) fn all_graphs(&self) -> impl Iterator<Item = Graph<'_>> {
        self.graphs.iter().map(|record| Graph { model: self, record })
    }

    pub(super) fn graph_at(&self, id: u32) -> Option<Graph<'_>> {
        self.graphs.get(id as usize).map(|record| Graph { model: self, record })
    }
}

impl<'m> Item<'m> for Graph<'m> {
    type Record = u32;

    fn view(model: &'m Model, id: &'m u32) -> Self {
        // Each number in the model is that of a graph.
        static NOTHING: GraphRecord = GraphRecord::EMPTY;
        model.graph_at(*id).unwrap_or(Self { model, record: &NOTHING })
    }
}

impl<'m> Graph<'m> {
    /// The graph of the model that a view of an attribute shows.
    #[must_use]
    pub fn of(model: &'m Model, view: GraphView<'_>) -> Option<Self> {
        model.graph_at(view.get::<GraphRecord>()?.id)
    }

    /// The model that the graph is in.
    #[must_use]
    pub fn model(self) -> &'m Model {
        self.model
    }

    /// The number of the graph, which is less than [`Model::graph_count`].
    #[must_use]
    pub fn index(self) -> usize {
        self.record.id as usize
    }

    /// The nodes.
    #[must_use]
    pub fn nodes(self) -> List<'m, Node<'m>> {
        List::new(self.model, self.record.nodes.of(&self.model.nodes))
    }

    /// The graph's name.
    #[must_use]
    pub fn name(self) -> &'m str {
        self.model.text(self.record.name)
    }

    /// Constants by name; up to IR 3 each is an input too.
    #[must_use]
    pub fn initializers(self) -> List<'m, &'m TensorProto> {
        List::new(self.model, self.record.initializers.of(&self.model.tensors))
    }

    /// The first constant with a name. It is found without decoding the others.
    #[must_use]
    pub fn initializer(self, name: &str) -> Option<&'m TensorProto> {
        let name = self.model.name(name)?;
        let index = self.initializers().names().position(|other| other == name)?;
        self.initializers().get(index)
    }

    /// Constants stored sparsely.
    #[must_use]
    pub fn sparse_initializers(self) -> List<'m, &'m SparseTensorProto> {
        List::new(self.model, self.record.sparse_initializers.of(&self.model.sparse_tensors))
    }

    /// The inputs.
    #[must_use]
    pub fn inputs(self) -> List<'m, &'m ValueInfoProto> {
        List::new(self.model, self.record.inputs.of(&self.model.infos))
    }

    /// The outputs.
    #[must_use]
    pub fn outputs(self) -> List<'m, &'m ValueInfoProto> {
        List::new(self.model, self.record.outputs.of(&self.model.infos))
    }

    /// Types of values that are neither input nor output.
    #[must_use]
    pub fn value_info(self) -> List<'m, &'m ValueInfoProto> {
        List::new(self.model, self.record.value_info.of(&self.model.infos))
    }

    /// The message without its nodes, its values and its constants: metadata, documentation and quantization.
    #[must_use]
    pub fn header(self) -> GraphProto {
        if !self.record.has_more {
            return GraphProto { name: self.name().to_owned(), ..GraphProto::default() };
        }
        let is_list = |tag| {
            matches!(
                tag,
                GraphProto::node
                    | GraphProto::initializer
                    | GraphProto::sparse_initializer
                    | GraphProto::input
                    | GraphProto::output
                    | GraphProto::value_info
            )
        };
        self.model.fields(self.record.span, is_list)
    }

    /// The message, decoded, with all fields that are known.
    #[must_use]
    pub fn proto(self) -> GraphProto {
        decode(&self.model.store, self.record.span)
    }

    pub(super) fn as_view(self) -> GraphView<'m> {
        GraphView::new(self.record)
    }
}

impl PartialEq for Graph<'_> {
    /// Two graphs are equal where their messages are.
    fn eq(&self, other: &Self) -> bool {
        self.proto() == other.proto()
    }
}

impl fmt::Debug for Graph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.proto().fmt(f)
    }
}
