//! Finds out which nodes and graphs read a value.

use super::reader::Reader;
use super::{Draft, NodeId, Source, Value, ValueId};
use crate::graph::GraphKind;

impl Value<'_> {
    /// Whether something needs the value.
    pub(in crate::simplify) fn is_read(&self) -> bool {
        self.readers.iter().any(|reader| *reader != Reader::Annotation)
    }
}

impl Draft<'_, '_> {
    pub(in crate::simplify) fn readers(&self, value: ValueId) -> &[Reader] {
        self.values.get(value).map_or(&[], |value| &value.readers)
    }

    pub(in crate::simplify) fn is_read(&self, value: ValueId) -> bool {
        self.values.get(value).is_some_and(Value::is_read)
    }

    /// Whether one node reads a value, once, and nothing else does.
    pub(in crate::simplify) fn only_reader(&self, value: ValueId) -> Option<NodeId> {
        match self.readers(value) {
            [Reader::Node(node, _)] => Some(*node),
            _ => None,
        }
    }

    /// Whether a value is an output of its graph.
    pub(in crate::simplify) fn is_output(&self, value: ValueId) -> bool {
        self.readers(value).iter().any(|reader| matches!(reader, Reader::Output(..)))
    }

    /// Whether nothing but nodes reads a value.
    pub(in crate::simplify) fn has_no_fixed_reader(&self, value: ValueId) -> bool {
        self.readers(value).iter().all(|reader| matches!(reader, Reader::Node(..)))
    }

    /// Whether a node has graphs.
    pub(in crate::simplify) fn has_graphs(&self, node: NodeId) -> bool {
        self.inside.contains_key(&node)
    }

    /// Whether a value is an output of the main graph.
    pub(in crate::simplify) fn is_model_output(&self, value: ValueId) -> bool {
        let is_main = |graph: usize| self.analysis.graphs.get(graph).is_some_and(|info| info.kind == GraphKind::Main);
        self.readers(value).iter().any(|reader| matches!(reader, Reader::Output(graph, _) if is_main(*graph)))
    }

    pub(super) fn add_reader(&mut self, value: Option<ValueId>, reader: Reader) {
        if let Some(value) = value.and_then(|value| self.values.get_mut(value)) {
            value.readers.push(reader);
        }
    }

    pub(super) fn remove_reader(&mut self, value: Option<ValueId>, reader: Reader) {
        if let Some(value) = value.and_then(|value| self.values.get_mut(value))
            && let Some(at) = value.readers.iter().position(|other| *other == reader)
        {
            value.readers.swap_remove(at);
        }
    }

    /// Makes a node read another value as one of its inputs. The caller knows that the two are the same, and that the
    /// node sees it.
    pub(in crate::simplify) fn set_input(&mut self, node: NodeId, index: usize, value: ValueId) {
        let old = self.input(node, index);
        self.remove_reader(old, Reader::Node(node, index));
        self.add_reader(Some(value), Reader::Node(node, index));
        if let Some(draft) = self.nodes.get_mut(node)
            && let Some(input) = draft.inputs.get_mut(index)
        {
            *input = Some(value);
            draft.changed = true;
        }
    }

    /// Makes the readers of a value read another, equal value wherever they can see it; returns how many change.
    pub(in crate::simplify) fn replace(&mut self, value: ValueId, by: ValueId) -> usize {
        let mut count = 0;
        let readers = self.readers(value).to_vec();
        if readers.contains(&Reader::Annotation) {
            return 0;
        }
        for reader in readers {
            if let Reader::Node(node, index) = reader
                && self.sees(node, by)
            {
                self.set_input(node, index, by);
                count += 1;
            }
        }
        count
    }

    /// Makes the node that computes a value name it as an output of its graph, which is the same value. The node that
    /// computed the output is gone then; returns the nodes that it read from. `None` if that cannot be.
    pub(in crate::simplify) fn rename_to_output(&mut self, value: ValueId, output: ValueId) -> Option<Vec<NodeId>> {
        let ((giver, at), (old, _)) = (self.giver(value)?, self.giver(output)?);
        let same_graph = self.nodes.get(giver).map(|node| node.graph) == self.nodes.get(old).map(|node| node.graph);
        let movable = self.readers(value).iter().all(|reader| matches!(reader, Reader::Node(..)));
        let has_graphs = |node: NodeId| self.inside.contains_key(&node);
        let pinned = self.readers(output).iter().any(|reader| matches!(reader, Reader::Pinned | Reader::Annotation));
        let single = self.nodes.get(old).is_some_and(|node| node.outputs.iter().flatten().count() == 1);
        if giver == old || !same_graph || !movable || has_graphs(old) || pinned || !single {
            return None;
        }
        // The old node reads the value itself, which goes.
        let givers = self.drop_node(old);
        if let Some(node) = self.nodes.get_mut(giver) {
            node.changed = true;
            if let Some(name) = node.outputs.get_mut(at) {
                *name = Some(output);
            }
        }
        if let Some(moved) = self.values.get_mut(output) {
            moved.source = Source::Node(giver, at);
        }
        if let Some(gone) = self.values.get_mut(value) {
            gone.source = Source::Node(old, 0);
        }
        for reader in self.readers(value).to_vec() {
            if let Reader::Node(node, index) = reader {
                self.set_input(node, index, output);
            }
        }
        Some(givers)
    }
}
