//! What to change in a model.

use std::collections::{BTreeMap, BTreeSet};

use super::proto::{AttributeProto, NodeProto, OperatorSetIdProto, TensorProto, TypeProto, ValueInfoProto};
use super::subgraph::SubgraphPosition;

/// What to write into a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelEdit {
    /// Opset imports. One of a domain that the model imports takes its place, any other is added.
    pub opset_import: Vec<OperatorSetIdProto>,
    /// What to write into the model's graph.
    pub graph: GraphEdit,
}

/// What to write into a graph, and into the graphs in its nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphEdit {
    /// Types for values by name, of which the last counts if a name occurs twice.
    ///
    /// A value that has an entry in `value_info` keeps it, with a new type; the others get a new entry each, in this
    /// order.
    pub value_info: Vec<(String, TypeProto)>,
    /// The indices of the entries of `value_info` that go.
    pub forgotten: BTreeSet<usize>,
    /// Types for inputs and outputs of the graph, by name: each keeps its place and whatever else is said of it.
    pub declarations: Vec<(String, TypeProto)>,
    /// Edits of nodes, by the index of each.
    pub nodes: BTreeMap<usize, NodeEdit>,
    /// What takes the place of nodes, by the index of each: nothing, or any number of others. No other edit may be about
    /// such a node.
    pub replaced: BTreeMap<usize, Vec<NodeProto>>,
    /// Initializers.
    pub initializers: ListEdit<TensorProto>,
    /// Inputs of the graph.
    pub inputs: ListEdit<ValueInfoProto>,
    /// Edits of the graphs in this graph's nodes.
    pub subgraphs: BTreeMap<SubgraphPosition, GraphEdit>,
}

/// What to write into a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeEdit {
    /// The names of all its inputs, where they change.
    pub inputs: Option<Vec<String>>,
    /// Its attributes. A graph inside of one that is removed cannot be edited.
    pub attributes: ListEdit<AttributeProto>,
}

/// What goes from a list, and what comes to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct ListEdit<T> {
    /// The indices of what goes; one that is not there removes nothing.
    pub remove: BTreeSet<usize>,
    /// What comes.
    pub add: Vec<T>,
}

impl<T> ListEdit<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.remove.is_empty() && self.add.is_empty()
    }
}

impl<T> Default for ListEdit<T> {
    fn default() -> Self {
        Self { remove: BTreeSet::new(), add: Vec::new() }
    }
}
