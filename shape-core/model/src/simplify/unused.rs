//! What nothing reads is removed: nodes, initializers, functions, and imports of opsets.
//!
//! Equal for every value of the symbols, since no output of the model depends on it.

use std::collections::{BTreeSet, HashSet};

use super::draft::Draft;
use super::pass::Pass;
use super::result::Change;
use crate::file::{Attribute, Function, FunctionEdit, Graph, GraphEdit, List, Model, ModelEdit, Node};
use crate::finding::NodeRef;
use crate::functions::{Functions, path};
use crate::graph::NodeAt;
use shape_core::opset::canonical_domain;

pub(super) const UNUSED: Pass = Pass {
    name: "unused",
    summary: "Nodes and initializers that nothing reads are removed, and functions and imports that no node needs",
    run,
};

fn run(draft: &mut Draft<'_, '_>) -> usize {
    // Of a model without outputs, which somebody keeps for its nodes, nothing would be left.
    if draft.model.graph().is_none_or(|graph| graph.outputs().is_empty()) {
        return 0;
    }
    let unread = draft.unpin();
    for node in &unread {
        draft.change(UNUSED.name, *node, "nothing reads its outputs".to_owned());
    }
    draft.remove_unread(unread)
}

/// Removes the functions that no node calls, the unread nodes in the other functions, and the imports of domains that
/// no node uses. Returns the numbers of functions and imports.
pub(super) fn parts(model: &Model, edit: &mut ModelEdit, changes: &mut Vec<Change>) -> (usize, usize) {
    // Training has nodes of its own.
    if !model.training_info().is_empty() {
        return (0, 0);
    }
    let functions = Functions::of(model);
    let mut called = BTreeSet::new();
    let mut domains = BTreeSet::from(["ai.onnx".to_owned()]);
    let mut open: Vec<List<'_, Node<'_>>> = model.graph().map(Graph::nodes).into_iter().collect();
    while let Some(nodes) = open.pop() {
        for node in nodes {
            domains.insert(canonical_domain(node.domain()).to_owned());
            open.extend(node.attributes().iter().flat_map(Attribute::subgraphs).map(Graph::nodes));
            if let Some(index) = functions.called(node)
                && called.insert(index)
                && let Some(function) = functions.get(index)
            {
                open.push(function.nodes());
                domains.extend(imported(function));
            }
        }
    }
    for (index, function) in model.functions().iter().enumerate().filter(|(index, _)| called.contains(index)) {
        let unread = unread(function);
        if unread.is_empty() {
            continue;
        }
        let what = "nothing in the function reads its outputs".to_owned();
        changes.extend(unread.iter().filter_map(|node| {
            let node = NodeAt { graph: 0, index: *node, node: function.nodes().get(*node)? };
            let (graph, node) = (path(function), NodeRef::from(node));
            Some(Change { pass: UNUSED.name, graph, node, what: what.clone(), follows: false })
        }));
        let replaced = unread.into_iter().map(|node| (node, Vec::new())).collect();
        let body = GraphEdit { replaced, ..GraphEdit::default() };
        edit.functions.insert(index, FunctionEdit { body, ..FunctionEdit::default() });
    }
    // A function may be named by a device or a tool; one that is called by no node is called by nothing.
    edit.removed_functions = (0..model.functions().len()).filter(|index| !called.contains(index)).collect();
    let imports = model.opset_import().iter().enumerate();
    let unused = imports.filter(|(_, import)| !domains.contains(canonical_domain(&import.domain)));
    edit.removed_imports = unused.map(|(index, _)| index).collect();
    (edit.removed_functions.len(), edit.removed_imports.len())
}

fn imported(function: Function<'_>) -> impl Iterator<Item = String> {
    function.opset_import().iter().map(|import| canonical_domain(&import.domain).to_owned())
}

/// The nodes of a function whose outputs nothing in it reads.
fn unread(function: Function<'_>) -> Vec<usize> {
    let mut needed: HashSet<&str> = function.outputs().iter().collect();
    let mut unread = Vec::new();
    for (index, node) in function.nodes().iter().enumerate().rev() {
        if !node.outputs().iter().any(|output| needed.contains(output)) {
            unread.push(index);
            continue;
        }
        needed.extend(node.inputs());
        let mut open: Vec<Graph<'_>> = node.attributes().iter().flat_map(Attribute::subgraphs).collect();
        while let Some(graph) = open.pop() {
            needed.extend(graph.outputs().iter().map(|output| &*output.name));
            for node in graph.nodes() {
                needed.extend(node.inputs());
                open.extend(node.attributes().iter().flat_map(Attribute::subgraphs));
            }
        }
    }
    unread
}
