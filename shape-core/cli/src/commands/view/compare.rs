//! What changed between two models: a node is known by its first output, a value by its name, each with its graph.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use shape_core::opset::canonical_domain;
use shape_model::{Analysis, Attribute, GraphKind, Node, Origin};

use crate::values::text::summary;

/// What changed.
#[derive(Serialize)]
pub(super) struct Comparison<'a> {
    operators: Vec<Operator<'a>>,
    nodes: Vec<ChangedNode<'a>>,
    values: Vec<ChangedValue<'a>>,
}

#[derive(Serialize)]
struct Operator<'a> {
    domain: &'a str,
    name: &'a str,
    before: usize,
    after: usize,
}

#[derive(Serialize)]
struct ChangedNode<'a> {
    change: &'static str,
    graph: &'a str,
    op_type: &'a str,
    name: &'a str,
    what: String,
}

#[derive(Serialize)]
struct ChangedValue<'a> {
    change: &'static str,
    graph: &'a str,
    name: &'a str,
    before: Option<String>,
    after: Option<String>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(before: &'a Analysis<'a>, after: &'a Analysis<'a>) -> Self {
        let (old, new) = (nodes(before), nodes(after));
        let old_by_key: HashMap<_, _> = old.iter().map(|(key, node)| (*key, *node)).collect();
        let new_by_key: HashMap<_, _> = new.iter().map(|(key, node)| (*key, *node)).collect();
        let mut changed = Vec::new();
        for ((graph, output), node) in &old {
            let (change, what) = match new_by_key.get(&(*graph, *output)) {
                None => ("removed", signature(*node)),
                Some(after) => match difference(*node, *after) {
                    what if what.is_empty() => continue,
                    what => ("changed", what),
                },
            };
            changed.push(ChangedNode { change, graph, op_type: node.op_type(), name: node.name(), what });
        }
        let added = new.iter().filter(|(key, _)| !old_by_key.contains_key(key));
        changed.extend(added.map(|((graph, _), node)| ChangedNode {
            change: "added",
            graph,
            op_type: node.op_type(),
            name: node.name(),
            what: signature(*node),
        }));
        Self { operators: operators(&old, &new), nodes: changed, values: values(before, after) }
    }
}

/// A node's graph and first output.
type Key<'a> = (&'a str, &'a str);

/// The nodes of all graphs but those of functions, in their order.
fn nodes<'a>(analysis: &'a Analysis<'a>) -> Vec<(Key<'a>, Node<'a>)> {
    let outside = analysis.outside_functions();
    let graphs = analysis.graphs.iter().zip(outside).filter(|(_, outside)| *outside).map(|(graph, _)| graph);
    let node = |graph: &'a str, node: Node<'a>| {
        let output = node.outputs().iter().find(|output| !output.is_empty()).unwrap_or("");
        ((graph, output), node)
    };
    graphs.flat_map(|graph| graph.nodes.iter().map(|of| node(&graph.path, of))).collect()
}

fn operators<'a>(before: &[(Key<'a>, Node<'a>)], after: &[(Key<'a>, Node<'a>)]) -> Vec<Operator<'a>> {
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    let key = |node: &Node<'a>| (canonical_domain(node.domain()), node.op_type());
    before.iter().for_each(|(_, node)| counts.entry(key(node)).or_default().0 += 1);
    after.iter().for_each(|(_, node)| counts.entry(key(node)).or_default().1 += 1);
    let changed = counts.into_iter().filter(|(_, (before, after))| before != after);
    changed.map(|((domain, name), (before, after))| Operator { domain, name, before, after }).collect()
}

fn signature(node: Node<'_>) -> String {
    format!("{}({})", node.op_type(), list(node.inputs().iter()))
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// What of a node differs, as text; empty if nothing does.
fn difference(before: Node<'_>, after: Node<'_>) -> String {
    let mut parts = Vec::new();
    let operator = |node: Node<'_>| (canonical_domain(node.domain()).to_owned(), node.op_type().to_owned());
    if operator(before) != operator(after) {
        parts.push(format!("operator {} -> {}", before.op_type(), after.op_type()));
    }
    let lists = [
        ("inputs", list(before.inputs().iter()), list(after.inputs().iter())),
        ("outputs", list(before.outputs().iter()), list(after.outputs().iter())),
    ];
    parts.extend(lists.iter().filter(|(_, a, b)| a != b).map(|(what, a, b)| format!("{what} {a} -> {b}")));
    let is_same = |name: &str| before.attribute(name) == after.attribute(name);
    let names = before.attributes().iter().chain(after.attributes().iter()).map(Attribute::name);
    let mut names: Vec<&str> = names.filter(|name| !is_same(name)).collect();
    names.sort_unstable();
    names.dedup();
    if !names.is_empty() {
        parts.push(format!("attributes {}", names.join(", ")));
    }
    parts.join("; ")
}

/// The values of which another thing is known, but those of functions.
fn values<'a>(before: &'a Analysis<'a>, after: &'a Analysis<'a>) -> Vec<ChangedValue<'a>> {
    let (old, new) = (known(before), known(after));
    let mut changed = Vec::new();
    for ((graph, name), text) in &old {
        match new.get(&(*graph, *name)) {
            Some(after) if after == text => {}
            after => changed.push(ChangedValue {
                change: if after.is_some() { "changed" } else { "removed" },
                graph,
                name,
                before: Some(text.clone()),
                after: after.cloned(),
            }),
        }
    }
    let added = new.iter().filter(|(key, _)| !old.contains_key(*key));
    changed.extend(added.map(|((graph, name), text)| ChangedValue {
        change: "added",
        graph,
        name,
        before: None,
        after: Some(text.clone()),
    }));
    changed
}

/// What is known of each value, as text.
fn known<'a>(analysis: &'a Analysis<'a>) -> BTreeMap<(&'a str, &'a str), String> {
    let values = analysis.values.iter().filter_map(|value| {
        let graph = analysis.graphs.get(value.graph)?;
        let is_shown = value.origin != Origin::Initializer && graph.kind != GraphKind::Function;
        is_shown.then(|| ((&*graph.path, value.name), summary(value, &analysis.symbols)))
    });
    values.collect()
}
