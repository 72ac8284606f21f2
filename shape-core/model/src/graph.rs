//! The graphs of a model, and the nodes in them.

use std::collections::BTreeMap;

use crate::file::{FunctionEdit, GraphEdit, SubgraphPosition};
use crate::file::{Graph, List, Model, Node};
use crate::finding::NodeRef;
use shape_core::opset::canonical_domain;

/// A graph of a model.
#[derive(Clone, Debug)]
pub struct GraphInfo<'m> {
    /// Its path in findings.
    pub path: String,
    /// What kind of graph it is.
    pub kind: GraphKind,
    /// The graph in the file; `None` for the body of a function.
    pub proto: Option<Graph<'m>>,
    /// Its nodes.
    pub nodes: List<'m, Node<'m>>,
    /// Its outputs, by their indices in [`Analysis::values`](crate::Analysis::values); `None` for an output that the
    /// graph does not define.
    pub outputs: Vec<Option<u32>>,
}

/// The kinds of graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphKind {
    /// The main graph of the model.
    Main,
    /// A subgraph: a graph in an attribute of a node.
    Subgraph {
        /// The graph that contains the node, by its index in [`Analysis::graphs`](crate::Analysis::graphs).
        parent: usize,
        /// The position of the subgraph in its parent.
        position: SubgraphPosition,
    },
    /// The body of a function of the model.
    Function,
}

/// A graph, or the body of a function.
#[derive(Clone, Copy)]
pub(crate) struct GraphAt<'a, 'm> {
    /// Its index in [`Analysis::graphs`](crate::Analysis::graphs).
    pub(crate) id: usize,
    pub(crate) path: &'a str,
    pub(crate) kind: GraphKind,
    /// The graph in the file; `None` for the body of a function.
    pub(crate) proto: Option<Graph<'m>>,
    pub(crate) nodes: List<'m, Node<'m>>,
    /// The function that the graph belongs to, by its index in the model.
    pub(crate) function: Option<usize>,
}

/// All graphs of an analysed model, each with its context.
pub(crate) fn graphs<'a, 'm>(infos: &'a [GraphInfo<'m>], model: &'m Model) -> impl Iterator<Item = GraphAt<'a, 'm>> {
    // Functions are walked in order, after the main graph; the subgraphs in a function follow it.
    let mut functions = 0..model.functions().len();
    let mut function = None;
    infos.iter().enumerate().map(move |(id, info)| {
        let GraphInfo { path, kind, proto, nodes, outputs: _ } = info;
        if *kind == GraphKind::Function {
            function = functions.next();
        }
        GraphAt { id, path, kind: *kind, proto: *proto, nodes: *nodes, function }
    })
}

/// A node and its location.
#[derive(Clone, Copy)]
pub(crate) struct NodeAt<'m> {
    /// Its graph, by its index in [`Analysis::graphs`](crate::Analysis::graphs).
    pub(crate) graph: usize,
    /// Its index in the graph.
    pub(crate) index: usize,
    pub(crate) node: Node<'m>,
}

impl From<NodeAt<'_>> for NodeRef {
    fn from(NodeAt { index, node, .. }: NodeAt<'_>) -> Self {
        Self::new(index, node.name(), node.op_type(), canonical_domain(node.domain()))
    }
}

/// The edit of a graph within that of the model; `None` for function bodies and the subgraphs in them.
pub(crate) fn edit_of<'e>(
    edit: &'e mut GraphEdit,
    graphs: &[GraphInfo<'_>],
    graph: usize,
) -> Option<&'e mut GraphEdit> {
    match graphs.get(graph)?.kind {
        GraphKind::Main => Some(edit),
        GraphKind::Subgraph { parent, position } => {
            Some(edit_of(edit, graphs, parent)?.subgraphs.entry(position).or_default())
        }
        GraphKind::Function => None,
    }
}

/// The edit of a graph, which may be the body of a function or in it; `main` is the edit of the main graph.
pub(crate) fn edit_within<'e>(
    main: &'e mut GraphEdit,
    functions: &'e mut BTreeMap<usize, FunctionEdit>,
    graphs: &[GraphAt<'_, '_>],
    graph: usize,
) -> Option<&'e mut GraphEdit> {
    let graph = graphs.get(graph)?;
    Some(match graph.kind {
        GraphKind::Main => main,
        GraphKind::Function => &mut functions.entry(graph.function?).or_default().body,
        GraphKind::Subgraph { parent, position } => {
            edit_within(main, functions, graphs, parent)?.subgraphs.entry(position).or_default()
        }
    })
}
