//! Writes what changed as an edit of the model.

use std::collections::{BTreeSet, HashMap};

use super::build::LAST;
use super::{Draft, DraftNode, NodeId, Source, ValueId};
use crate::file::proto::{AttributeProto, NodeProto, TensorProto};
use crate::file::{Attribute, GraphEdit, ListEdit, ModelEdit, NodeEdit};
use crate::graph::edit_of;
use shape_core::node::{AttributeValue, TensorView};

/// How many nodes and initializers an edit removes, and adds.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::simplify) struct Written {
    pub(in crate::simplify) nodes: usize,
    pub(in crate::simplify) initializers: usize,
}

impl Draft<'_, '_> {
    /// The edit that turns the model into the draft.
    pub(in crate::simplify) fn write(&self) -> (ModelEdit, Written) {
        let (mut edit, mut written) = (GraphEdit::default(), Written::default());
        let mut new: HashMap<(usize, usize), Vec<NodeId>> = HashMap::new();
        for (id, node) in self.nodes.iter().enumerate() {
            if node.file.is_none() && !node.removed {
                new.entry((node.graph, node.index)).or_default().push(id);
            }
        }
        let mut constants: HashMap<NodeId, Vec<ValueId>> = HashMap::new();
        for (id, value) in self.values.iter().enumerate() {
            let Source::Constant(tensor, of) = &value.source else { continue };
            if !self.is_read(id) || self.is_gone(value.graph) {
                continue;
            }
            match of.filter(|_| self.is_constant_node(id)) {
                Some(of) => constants.entry(of).or_default().push(id),
                None => {
                    if let Some(edit) = edit_of(&mut edit, &self.analysis.graphs, value.graph) {
                        edit.initializers.add.push(TensorProto::clone(tensor));
                    }
                }
            }
        }
        for (id, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.place == LAST) {
            if self.is_gone(node.graph) {
                continue;
            }
            let before = new.remove(&(node.graph, node.index)).unwrap_or_default();
            let before: Vec<NodeProto> = before.into_iter().filter_map(|node| self.new_node(node)).collect();
            // Only what changes is in the edit, so that one without changes is empty.
            if !node.removed && !node.changed && before.is_empty() {
                continue;
            }
            let Some(edit) = edit_of(&mut edit, &self.analysis.graphs, node.graph) else { continue };
            if node.removed {
                written.nodes += 1;
                let mut place = before;
                for value in constants.remove(&id).unwrap_or_default() {
                    place.extend(self.constant_node(value, node));
                }
                edit.replaced.insert(node.index, place);
            } else {
                edit.nodes.insert(node.index, self.node_edit(node, before));
            }
        }
        self.lists(&mut edit, &mut written);
        (ModelEdit { graph: edit, ..ModelEdit::default() }, written)
    }

    /// Whether a graph is inside of a removed node.
    fn is_gone(&self, mut graph: usize) -> bool {
        while let Some(parent) = self.parents.get(graph).copied().flatten() {
            let Some(node) = self.nodes.get(parent) else { return false };
            if node.removed {
                return true;
            }
            graph = node.graph;
        }
        false
    }

    fn names(&self, values: &[Option<ValueId>]) -> Vec<String> {
        values.iter().map(|value| value.map_or_else(String::new, |value| self.name(value).to_owned())).collect()
    }

    fn new_node(&self, node: NodeId) -> Option<NodeProto> {
        let DraftNode { schema, inputs, outputs, attributes, .. } = self.nodes.get(node)?;
        Some(NodeProto {
            op_type: (*schema)?.name.to_owned(),
            input: self.names(inputs),
            output: self.names(outputs),
            attribute: attributes.clone().unwrap_or_default(),
            ..NodeProto::default()
        })
    }

    /// The node of a constant that takes the place of a value; the node that is removed for it gives it its name.
    fn constant_node(&self, value: ValueId, removed: &DraftNode<'_>) -> Option<NodeProto> {
        let Source::Constant(tensor, _) = &self.values.get(value)?.source else { return None };
        let attribute = self.attribute("value", AttributeValue::Tensor(TensorView::new(&**tensor)));
        let is_first = removed.outputs.iter().flatten().next() == Some(&value);
        Some(NodeProto {
            name: removed.file.filter(|_| is_first).map_or("", |file| file.name()).to_owned(),
            op_type: self.operator("constant")?.name.to_owned(),
            output: vec![self.name(value).to_owned()],
            attribute: vec![attribute],
            ..NodeProto::default()
        })
    }

    fn node_edit(&self, node: &DraftNode<'_>, before: Vec<NodeProto>) -> NodeEdit {
        let mut edit = NodeEdit { before, ..NodeEdit::default() };
        let Some(file) = node.file.filter(|_| node.changed) else { return edit };
        let (inputs, outputs) = (self.names(&node.inputs), self.names(&node.outputs));
        edit.inputs = Some(inputs).filter(|inputs| !file.inputs().iter().eq(inputs.iter().map(String::as_str)));
        edit.outputs = Some(outputs).filter(|outputs| !file.outputs().iter().eq(outputs.iter().map(String::as_str)));
        if let Some(attributes) = &node.attributes {
            let set = |name: &str| attributes.iter().find(|attribute| attribute.name == name);
            let changed = |attribute: Attribute<'_>| set(attribute.name()).is_none_or(|set| *set != attribute.proto());
            let old = file.attributes().iter().enumerate().filter(|(_, attribute)| changed(*attribute));
            let is_new =
                |set: &&AttributeProto| file.attribute(&set.name).is_none_or(|attribute| attribute.proto() != **set);
            edit.attributes = ListEdit {
                remove: old.map(|(index, _)| index).collect(),
                add: attributes.iter().filter(is_new).cloned().collect(),
            };
        }
        edit
    }

    /// Removes the initializers that nothing reads, and the declarations of values that are gone.
    fn lists(&self, edit: &mut GraphEdit, written: &mut Written) {
        let scopes = self.analysis.scopes();
        for (graph, info) in self.analysis.graphs.iter().enumerate() {
            let Some(proto) = info.proto.filter(|_| self.first.get(graph).copied().flatten().is_some()) else {
                continue;
            };
            if self.is_gone(graph) {
                continue;
            }
            let value = |name: &str| {
                let index = scopes.index(graph, name).filter(|_| !name.is_empty())?;
                self.values.get(index as usize).filter(|value| value.graph == graph)
            };
            let is_unread = |name: &str| {
                value(name)
                    .is_some_and(|value| matches!(value.source, Source::Initializer) && !value.is_read() && !value.keep)
            };
            let is_gone = |name: &str| {
                value(name).is_some_and(|value| match value.source {
                    Source::Input => false,
                    Source::Initializer => !value.is_read() && !value.keep,
                    Source::Node(node, _) => self.is_removed(node),
                    Source::Constant(..) => !value.is_read(),
                })
            };
            let gone: BTreeSet<usize> = positions(proto.initializers().iter().map(|tensor| &*tensor.name), &is_unread);
            let forgotten = positions(proto.value_info().iter().map(|entry| &*entry.name), &is_gone);
            let annotated = proto.header().quantization_annotation;
            let annotations = positions(annotated.iter().map(|annotation| &*annotation.tensor_name), &is_gone);
            if gone.is_empty() && forgotten.is_empty() && annotations.is_empty() {
                continue;
            }
            written.initializers += gone.len();
            if let Some(edit) = edit_of(edit, &self.analysis.graphs, graph) {
                edit.initializers.remove = gone;
                edit.forgotten = forgotten;
                edit.annotations = annotations;
            }
        }
    }
}

fn positions<'n>(names: impl Iterator<Item = &'n str>, goes: &dyn Fn(&str) -> bool) -> BTreeSet<usize> {
    names.enumerate().filter(|(_, name)| !name.is_empty() && goes(name)).map(|(index, _)| index).collect()
}
