//! Which values a node sees: those of its graph that come before it, and those of the graphs around it.

use super::build::LAST;
use super::{Draft, NodeId, Source, ValueId};
use crate::graph::GraphKind;

impl Draft<'_, '_> {
    /// Whether a node may read a value, which is there and comes before it.
    pub(in crate::simplify) fn sees(&self, node: NodeId, value: ValueId) -> bool {
        let Some(found) = self.values.get(value) else { return false };
        if let Source::Node(giver, output) = found.source
            && (self.is_removed(giver) || self.output(giver, output) != Some(value))
        {
            return false;
        }
        let giver = match found.source {
            Source::Node(giver, _) => Some(giver),
            Source::Constant(_, of) if self.is_constant_node(value) => of,
            _ => None,
        };
        let mut at = node;
        loop {
            let Some(reader) = self.nodes.get(at) else { return false };
            if reader.graph == found.graph {
                return giver.is_none_or(|giver| giver != at && self.place(giver) < self.place(at));
            }
            match self.parents.get(reader.graph).copied().flatten() {
                Some(parent) => at = parent,
                None => return false,
            }
        }
    }

    /// The first node before which a reader of a value can be inserted: the one after the node that computes it, if
    /// that node is in the graph of `reader`.
    pub(in crate::simplify) fn behind(&self, value: ValueId, reader: NodeId) -> NodeId {
        let behind = self.giver(value).and_then(|(giver, _)| {
            let giver = self.nodes.get(giver).filter(|giver| giver.place == LAST)?;
            let graph = self.nodes.get(reader)?.graph;
            let first = self.first.get(graph).copied().flatten().filter(|_| graph == giver.graph)?;
            Some(first + giver.index + 1)
        });
        behind.unwrap_or(reader)
    }

    /// The place of a node in its graph.
    pub(super) fn place(&self, node: NodeId) -> (usize, u32) {
        self.nodes.get(node).map_or((0, LAST), |node| (node.index, node.place))
    }

    /// Whether a graph is the main graph.
    pub(in crate::simplify) fn is_main(&self, graph: usize) -> bool {
        self.analysis.graphs.get(graph).is_some_and(|info| info.kind == GraphKind::Main)
    }
}
