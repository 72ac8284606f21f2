//! Removes what nothing reads any more.

use std::collections::{HashMap, HashSet};

use super::{Draft, NodeId, Reader, Source, ValueId};

impl Draft<'_, '_> {
    /// Whether nothing reads an output of a node.
    pub(super) fn is_unread(&self, node: NodeId) -> bool {
        let Some(node) = self.nodes.get(node) else { return true };
        node.outputs.iter().flatten().all(|output| {
            // A constant has the place of an output.
            !self.is_read(*output)
                || matches!(self.values.get(*output).map(|value| &value.source), Some(Source::Constant(..)))
        })
    }

    /// Removes a node if nothing reads its outputs, and the nodes that only it read from; returns how many.
    pub(in crate::simplify) fn remove_unread(&mut self, nodes: impl IntoIterator<Item = NodeId>) -> usize {
        let mut open: Vec<NodeId> = nodes.into_iter().collect();
        let mut count = 0;
        while let Some(node) = open.pop() {
            let is_kept = self.nodes.get(node).is_none_or(|node| node.removed || node.keep);
            if is_kept || !self.is_unread(node) {
                continue;
            }
            count += 1;
            if self.nodes.get(node).is_some_and(|node| node.file.is_some()) {
                self.follows(node);
            }
            open.extend(self.drop_node(node));
        }
        count
    }

    /// The nodes that would go with a node if nothing read its outputs.
    pub(in crate::simplify) fn would_go(&self, node: NodeId) -> HashSet<NodeId> {
        let mut gone = HashSet::from([node]);
        let mut lost: HashMap<ValueId, usize> = HashMap::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for input in self.nodes.get(node).into_iter().flat_map(|node| &node.inputs).flatten() {
                *lost.entry(*input).or_default() += 1;
                let Some((giver, _)) = self.giver(*input) else { continue };
                let unread = |value: &ValueId| self.readers(*value).len() == lost.get(value).copied().unwrap_or(0);
                let goes = self
                    .nodes
                    .get(giver)
                    .is_some_and(|giver| !giver.keep && giver.outputs.iter().flatten().all(unread));
                if goes && !self.has_graphs(giver) && gone.insert(giver) {
                    open.push(giver);
                }
            }
        }
        gone
    }

    /// Removes a node with the graphs in it; returns the nodes that computed what it read.
    pub(super) fn drop_node(&mut self, node: NodeId) -> Vec<NodeId> {
        let mut givers = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let Some(draft) = self.nodes.get_mut(node).filter(|draft| !draft.removed) else { continue };
            draft.removed = true;
            for (index, input) in draft.inputs.clone().into_iter().enumerate() {
                self.remove_reader(input, Reader::Node(node, index));
                givers.extend(input.and_then(|input| self.giver(input)).map(|(giver, _)| giver));
            }
            for graph in self.inside.get(&node).cloned().unwrap_or_default() {
                let Some(info) = self.analysis.graphs.get(graph) else { continue };
                for (index, output) in info.outputs.iter().enumerate() {
                    self.remove_reader(output.map(|output| output as usize), Reader::Output(graph, index));
                }
                if let Some(first) = self.first.get(graph).copied().flatten() {
                    open.extend(first..first + info.nodes.len());
                }
            }
        }
        givers
    }
}
