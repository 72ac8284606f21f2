//! A model while it is rewritten: its nodes and values by number, and the readers of each value.
//!
//! A rewrite never changes what a value is, only where a node reads it from, so that what the analysis found stays true
//! while passes run, and one analysis serves all of them.

mod build;
mod edit;
mod facts;
mod reader;
mod readers;
mod remove;
mod visible;
mod write;

use std::collections::{HashMap, HashSet};

use super::result::{Change, Refusal};
use crate::analysis::Analysis;
use crate::file::proto::{AttributeProto, TensorProto};
use crate::file::{Model, Node};
use crate::finding::NodeRef;
use crate::functions::Functions;
use crate::options::Options;
use shape_core::elements::Scalar;
use shape_core::opset::canonical_domain;
use shape_core::schema::Schema;
use shape_core::symbolic::Dim;
use shape_core::types::Type;

pub(super) use reader::Reader;

/// A value by its number. Those of the analysis come first, with their indices there.
pub(super) type ValueId = usize;

/// A node by its number.
pub(super) type NodeId = usize;

/// Constants by their element type, dimensions and bytes.
type Constants = HashMap<(i32, Vec<i64>, Vec<u8>), ValueId>;

/// Where a value comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// It is an input of its graph.
    Input,
    /// It is an initializer of the model.
    Initializer,
    /// It is an output of a node: the node, and the index of the output.
    Node(NodeId, usize),
    /// It is a constant that a pass made, in place of an output of a node if one is named.
    Constant(Box<TensorProto>, Option<NodeId>),
}

/// A value.
#[derive(Clone, Debug)]
pub(super) struct Value<'m> {
    pub(super) name: std::borrow::Cow<'m, str>,
    /// Its graph, by its index in [`Analysis::graphs`].
    pub(super) graph: usize,
    pub(super) source: Source,
    /// What is known of it, if a pass made it.
    made: Option<Box<Made>>,
    readers: Vec<Reader>,
    /// Whether nothing read it in the original model, so that no rewrite may remove it.
    keep: bool,
}

/// What is known of a value that a pass made.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) ty: Type,
    pub(super) dims: Vec<Dim>,
    pub(super) elements: Vec<Scalar<Dim>>,
}

/// A node of a draft: its operator version, and its node in the file, if there is one.
#[derive(Clone, Debug)]
pub(super) struct DraftNode<'m> {
    /// Its graph, by its index in [`Analysis::graphs`].
    pub(super) graph: usize,
    /// The index of the node in the file that it is, or before which it comes.
    pub(super) index: usize,
    /// Its place among those before the same node; the node itself comes last.
    place: u32,
    /// The node in the file; `None` for a new one.
    pub(super) file: Option<Node<'m>>,
    /// Its version; `None` if it has no descriptor, or calls a function of the model.
    pub(super) schema: Option<&'static Schema>,
    pub(super) inputs: Vec<Option<ValueId>>,
    pub(super) outputs: Vec<Option<ValueId>>,
    /// All its attributes, if a pass set them.
    pub(super) attributes: Option<Vec<AttributeProto>>,
    pub(super) removed: bool,
    /// Whether it changed, other than by its removal.
    changed: bool,
    /// Whether nothing read its outputs in the model as it was.
    keep: bool,
}

/// A model while it is rewritten.
pub(super) struct Draft<'a, 'm> {
    pub(super) model: &'m Model,
    pub(super) analysis: &'a Analysis<'m>,
    pub(super) options: &'a Options,
    pub(super) functions: Functions<'m>,
    pub(super) ir_version: i64,
    pub(super) nodes: Vec<DraftNode<'m>>,
    pub(super) values: Vec<Value<'m>>,
    /// For each graph, the number of its first node; `None` for graphs that are not rewritten.
    first: Vec<Option<NodeId>>,
    /// For each graph, the node that has it as an attribute.
    parents: Vec<Option<NodeId>>,
    /// The graphs of each node that has any.
    inside: HashMap<NodeId, Vec<usize>>,
    /// Constants of the main graph by their type, dimensions and bytes; made when they are first asked for.
    constants: Option<Constants>,
    /// For each value of the analysis, whether it is computed from whole numbers alone.
    whole: Vec<bool>,
    /// The largest constant that takes the place of a value, in bytes.
    max_constant: usize,
    /// The names of all values, in all graphs; made when a new one is first asked for.
    names: Option<HashSet<String>>,
    pub(super) changes: Vec<Change>,
    /// How many initializers are removed that nothing read in the original model.
    pub(super) unread_initializers: usize,
    /// Why passes left nodes as they are, if that is asked for.
    pub(super) refusals: Option<HashMap<NodeId, Vec<(&'static str, String)>>>,
}

impl<'a, 'm> Draft<'a, 'm> {
    /// The nodes that are there.
    pub(super) fn live(&self) -> impl Iterator<Item = NodeId> + use<> {
        let live: Vec<NodeId> = (0..self.nodes.len()).filter(|node| !self.is_removed(*node)).collect();
        live.into_iter()
    }

    pub(super) fn node(&self, node: NodeId) -> Option<&DraftNode<'m>> {
        self.nodes.get(node)
    }

    pub(super) fn is_removed(&self, node: NodeId) -> bool {
        self.nodes.get(node).is_none_or(|node| node.removed)
    }

    pub(super) fn value(&self, value: ValueId) -> Option<&Value<'m>> {
        self.values.get(value)
    }

    pub(super) fn name(&self, value: ValueId) -> &str {
        self.values.get(value).map_or("", |value| &value.name)
    }

    /// The node that computes a value, and which of its outputs it is.
    pub(super) fn giver(&self, value: ValueId) -> Option<(NodeId, usize)> {
        match self.values.get(value)?.source {
            Source::Node(node, output) => Some((node, output)),
            _ => None,
        }
    }

    pub(super) fn input(&self, node: NodeId, index: usize) -> Option<ValueId> {
        self.nodes.get(node)?.inputs.get(index).copied().flatten()
    }

    pub(super) fn output(&self, node: NodeId, index: usize) -> Option<ValueId> {
        self.nodes.get(node)?.outputs.get(index).copied().flatten()
    }

    /// The reference to a node in messages.
    pub(super) fn reference(&self, node: NodeId) -> Option<(String, NodeRef)> {
        let DraftNode { graph, index, file, schema, .. } = self.nodes.get(node)?;
        let path = self.analysis.graphs.get(*graph)?.path.clone();
        let of_file =
            |node: &Node<'_>| NodeRef::new(*index, node.name(), node.op_type(), canonical_domain(node.domain()));
        let new = || schema.map(|schema| NodeRef::new(*index, "", schema.name, schema.domain));
        Some((path, file.as_ref().map(of_file).or_else(new)?))
    }

    /// Records that a pass changed a node.
    pub(super) fn change(&mut self, pass: &'static str, node: NodeId, what: String) {
        if let Some(reference) = self.reference(node) {
            self.change_of(pass, reference, what);
        }
    }

    /// The same for a node that may be gone already.
    pub(super) fn change_of(&mut self, pass: &'static str, (graph, node): (String, NodeRef), what: String) {
        self.changes.push(Change { pass, graph, node, what, follows: false });
    }

    /// Records that a node is gone, since nothing reads it any more.
    fn follows(&mut self, node: NodeId) {
        let Some((graph, node)) = self.reference(node) else { return };
        let last = self.changes.iter().rfind(|change| !change.follows);
        let (Some(pass), false) =
            (last.map(|change| change.pass), last.is_some_and(|change| change.node == node && change.graph == graph))
        else {
            return;
        };
        let what = "nothing reads it any more".to_owned();
        self.changes.push(Change { pass, graph, node, what, follows: true });
    }

    /// Records why a pass left a node as it is.
    pub(super) fn refuse(&mut self, pass: &'static str, node: NodeId, why: impl FnOnce(&Self) -> String) {
        if self.refusals.is_none() {
            return;
        }
        let why = why(self);
        let of_node = self.refusals.get_or_insert_default().entry(node).or_default();
        if !of_node.iter().any(|(other, _)| *other == pass) {
            of_node.push((pass, why));
        }
    }

    /// Why nodes that are left are as they are.
    pub(super) fn take_refusals(&mut self) -> Vec<Refusal> {
        let refusals = self.refusals.take().unwrap_or_default();
        let mut nodes: Vec<_> = refusals.into_iter().filter(|(node, _)| !self.is_removed(*node)).collect();
        nodes.sort_by_key(|(node, _)| *node);
        let of_node = |(node, refused): (NodeId, Vec<(&'static str, String)>)| {
            let (graph, node) = self.reference(node)?;
            let refusal = move |(pass, why)| Refusal { pass, graph: graph.clone(), node: node.clone(), why };
            Some(refused.into_iter().map(refusal).collect::<Vec<_>>())
        };
        nodes.into_iter().filter_map(of_node).flatten().collect()
    }

    /// The values of the analysis that became constants and are read.
    pub(super) fn read_constants(&self) -> Vec<u32> {
        let constants = self
            .values
            .iter()
            .enumerate()
            .filter(|(value, found)| matches!(found.source, Source::Constant(_, Some(_))) && self.is_read(*value));
        constants.filter_map(|(value, _)| u32::try_from(value).ok()).collect()
    }
}
