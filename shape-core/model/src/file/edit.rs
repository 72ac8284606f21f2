//! Edits of a model: which of its parts are replaced, added or removed.

use std::collections::{BTreeMap, BTreeSet};

use super::proto::{AttributeProto, NodeProto, OperatorSetIdProto, TensorProto, TypeProto, ValueInfoProto};
use super::subgraph::SubgraphPosition;

/// An edit of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelEdit {
    /// The IR version, if it changes.
    pub ir_version: Option<i64>,
    /// Opset imports. Each replaces all of the model's imports of the same domain, or is added if there is none.
    pub opset_import: Vec<OperatorSetIdProto>,
    /// The edit of the model's graph.
    pub graph: GraphEdit,
    /// Edits of the functions, by the index of each.
    pub functions: BTreeMap<usize, FunctionEdit>,
    /// Edits of the training information, by the index of each entry.
    pub training: BTreeMap<usize, TrainingEdit>,
    /// The indices of the opset imports to remove; none of them may be of a domain in `opset_import`.
    pub removed_imports: BTreeSet<usize>,
    /// The indices of the functions to remove; none of them may have an edit.
    pub removed_functions: BTreeSet<usize>,
}

/// An edit of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionEdit {
    /// Opset imports, with the same meaning as in [`ModelEdit`].
    pub opset_import: Vec<OperatorSetIdProto>,
    /// The edit of the body: its nodes and its `value_info`. The parts of a graph that a function does not have are
    /// ignored.
    pub body: GraphEdit,
}

/// An edit of an entry of the training information.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainingEdit {
    /// The edit of the graph that computes the initial values.
    pub initialization: GraphEdit,
    /// The edit of the graph that computes one training step.
    pub algorithm: GraphEdit,
}

/// An edit of a graph and of its subgraphs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphEdit {
    /// The name of the graph, if it changes.
    pub name: Option<String>,
    /// The order of its nodes, if it changes: the index of each node, once. All other indices of nodes in the edit are those
    /// before the change, and what stands before or after a node goes with it.
    pub order: Option<Vec<usize>>,
    /// Types for values by name; if a name occurs twice, the last type counts.
    ///
    /// A value that has an entry in `value_info` keeps the entry with a new type; the others get a new entry each, in
    /// this order.
    pub value_info: Vec<(String, TypeProto)>,
    /// The indices of the entries of `value_info` to remove.
    pub forgotten: BTreeSet<usize>,
    /// Types for inputs and outputs of the graph, by name. Their order and other fields are kept.
    pub declarations: Vec<(String, TypeProto)>,
    /// Edits of nodes, by the index of each.
    pub nodes: BTreeMap<usize, NodeEdit>,
    /// Replacements for nodes, by the index of each: any number of other nodes, or none. A replaced node must have no
    /// other edit.
    pub replaced: BTreeMap<usize, Vec<NodeProto>>,
    /// Nodes to insert before all others.
    pub first: Vec<NodeProto>,
    /// The edit of the initializers.
    pub initializers: ListEdit<TensorProto>,
    /// The edit of the graph inputs.
    pub inputs: ListEdit<ValueInfoProto>,
    /// The indices of the quantization annotations to remove.
    pub annotations: BTreeSet<usize>,
    /// Edits of the subgraphs.
    pub subgraphs: BTreeMap<SubgraphPosition, GraphEdit>,
}

/// An edit of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeEdit {
    /// Its name, if it changes.
    pub name: Option<String>,
    /// The names of all its inputs, if they change.
    pub inputs: Option<Vec<String>>,
    /// The names of all its outputs, if they change.
    pub outputs: Option<Vec<String>>,
    /// Its attributes. A graph in a removed attribute cannot be edited.
    pub attributes: ListEdit<AttributeProto>,
    /// Nodes to insert before it.
    pub before: Vec<NodeProto>,
    /// Nodes to insert after it.
    pub after: Vec<NodeProto>,
}

/// An edit of a list: entries to remove, and entries to append.
#[derive(Clone, Debug, PartialEq)]
pub struct ListEdit<T> {
    /// The indices of the entries to remove; one that does not exist is ignored.
    pub remove: BTreeSet<usize>,
    /// The entries to append.
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
