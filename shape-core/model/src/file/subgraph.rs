//! The position of a subgraph in its graph.

use std::fmt;

/// The position of a subgraph in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubgraphPosition {
    /// The index of the node in the graph.
    pub node: usize,
    /// The index of the attribute in the node.
    pub attribute: usize,
    /// The index of the graph in the attribute's `graphs`; 0 for its `g`.
    pub index: usize,
}

impl fmt::Display for SubgraphPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, attribute, index } = self;
        write!(f, "node {node}, attribute {attribute}, graph {index}")
    }
}
