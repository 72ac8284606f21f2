//! The branch of an If whose condition is known takes the place of the node.
//!
//! Equal for every value of the symbols, since the condition is the same number in every run, so that the other branch never
//! runs. The values of the branch keep their names, but for those that another value of the model has.

use std::collections::{HashMap, HashSet};

use super::operator::of_rule;
use super::pass::Pass;
use super::result::Change;
use crate::analysis::Analysis;
use crate::file::proto::{AttributeProto, GraphProto, NodeProto, TensorProto};
use crate::file::{Attribute, Graph, ModelEdit, Node};
use crate::finding::NodeRef;
use crate::graph::{GraphKind, NodeAt, edit_of};
use crate::imports::Imports;
use shape_core::elements::Scalar;
use shape_core::registry::Registry;
use shape_core::rule::{Argument, Call, DimsRule};

/// The pass that runs before all others: a branch that always runs takes the place of its If.
pub(super) const BRANCHES: Pass = Pass {
    name: "branches",
    summary: "The branch of an If whose condition is known takes the place of the node",
    run: |_| 0,
};

/// The edit that puts the branches of all Ifs with a known condition in their places, and what it changes. An If inside of
/// such a branch is left for the next time.
pub(super) fn inline(
    analysis: &Analysis<'_>,
    imports: &Imports,
    registry: &Registry,
    ir_version: i64,
) -> (ModelEdit, Vec<Change>) {
    let (mut edit, mut changes) = (ModelEdit::default(), Vec::new());
    let Some(identity) = of_rule(registry, imports, "identity") else { return (edit, changes) };
    let scopes = analysis.scopes();
    let mut names = Counted::of(analysis);
    let outside = analysis.outside_functions();
    let mut replaced: HashSet<(usize, usize)> = HashSet::new();
    for (id, info) in analysis.graphs.iter().enumerate() {
        let inside = |kind: GraphKind| match kind {
            GraphKind::Subgraph { parent, position } => replaced.contains(&(parent, position.node)),
            _ => false,
        };
        // What is in a branch that moves is not edited at once.
        let mut around = info.kind;
        let mut is_inside = inside(around);
        while let GraphKind::Subgraph { parent, .. } = around {
            around = analysis.graphs.get(parent).map_or(GraphKind::Main, |graph| graph.kind);
            is_inside |= inside(around);
        }
        if is_inside || outside.get(id) != Some(&true) || (ir_version < 4 && id != 0) {
            continue;
        }
        for (index, node) in info.nodes.iter().enumerate() {
            let Some((condition, branch)) = known_branch(node, imports, registry, |name| {
                let value = scopes.value(id, name)?;
                match value.elements.as_deref() {
                    Ok([Scalar::Bool(condition)]) => Some(*condition),
                    _ => None,
                }
            }) else {
                continue;
            };
            let Some((nodes, initializers)) = moved(node, branch, identity.name, &mut names) else { continue };
            if !initializers.is_empty() && (ir_version < 4) {
                continue;
            }
            let Some(of_graph) = edit_of(&mut edit.graph, &analysis.graphs, id) else { continue };
            of_graph.replaced.insert(index, nodes);
            of_graph.initializers.add.extend(initializers);
            replaced.insert((id, index));
            let what = format!("its condition is {condition}, so that one branch always runs");
            let node = NodeRef::from(NodeAt { graph: id, index, node });
            changes.push(Change { pass: BRANCHES.name, graph: info.path.clone(), node, what, follows: false });
        }
    }
    (edit, changes)
}

/// The condition of an If, and the branch that it selects.
fn known_branch<'m>(
    node: Node<'m>,
    imports: &Imports,
    registry: &Registry,
    condition: impl Fn(&str) -> Option<bool>,
) -> Option<(bool, Graph<'m>)> {
    node.attributes().iter().find_map(Attribute::graph)?;
    let schema = registry.resolve(node.domain(), node.op_type(), imports.get(node.domain())?).ok()?;
    let call: Call = schema.rules.iter().find_map(|rule| match rule.dims {
        Some(DimsRule::Call(call)) if call.rule.name() == "if" => Some(call),
        _ => None,
    })?;
    let input = call.arguments.first()?.input()?;
    let condition = condition(node.inputs().get(input)?)?;
    let Argument::Attribute(attribute) = call.arguments.get(if condition { 1 } else { 2 })? else { return None };
    Some((condition, node.attribute(schema.attributes.get(*attribute)?.name)?.graph()?))
}

/// How often each name is given to a value, in all graphs.
struct Counted<'m>(HashMap<&'m str, usize>, HashSet<String>);

impl<'m> Counted<'m> {
    fn of(analysis: &Analysis<'m>) -> Self {
        let mut counted: HashMap<&str, usize> = HashMap::new();
        for value in &analysis.values {
            *counted.entry(value.name).or_default() += 1;
        }
        Self(counted, HashSet::new())
    }

    /// The name that a value of a branch gets outside of it.
    fn outside(&mut self, name: &str) -> String {
        let mut new = name.to_owned();
        let mut number = 0;
        // Its own name is given once.
        while self.0.get(&*new).is_some_and(|count| *count > usize::from(number == 0)) || self.1.contains(&new) {
            number += 1;
            new = format!("{name}_{number}");
        }
        self.1.insert(new.clone());
        new
    }
}

/// The nodes and the constants of a branch, as they are outside of it.
fn moved(
    node: Node<'_>,
    branch: Graph<'_>,
    identity: &str,
    names: &mut Counted<'_>,
) -> Option<(Vec<NodeProto>, Vec<TensorProto>)> {
    if !branch.sparse_initializers().is_empty() || !branch.header().quantization_annotation.is_empty() {
        return None;
    }
    let mut new: HashMap<String, String> = HashMap::new();
    let outputs: Vec<(&str, &str)> =
        branch.outputs().iter().map(|output| &*output.name).zip(node.outputs().iter()).collect();
    let given: Vec<&str> = branch.nodes().iter().flat_map(Node::outputs).filter(|name| !name.is_empty()).collect();
    // The node's output is the branch's output itself where a node of the branch computes it, and only there.
    for (inner, outer) in &outputs {
        if given.contains(inner) && !outer.is_empty() && !new.contains_key(*inner) {
            new.insert((*inner).to_owned(), (*outer).to_owned());
        }
    }
    for name in given.iter().copied().chain(branch.initializers().iter().map(|tensor| &*tensor.name)) {
        if !new.contains_key(name) {
            let outside = names.outside(name);
            new.insert(name.to_owned(), outside);
        }
    }
    let mut nodes: Vec<NodeProto> = branch.nodes().iter().map(Node::proto).collect();
    nodes.iter_mut().for_each(|node| rename(node, &new));
    for (inner, outer) in outputs {
        let name = new.get(inner).map_or(inner, String::as_str);
        if name != outer && !outer.is_empty() {
            nodes.push(NodeProto {
                op_type: identity.to_owned(),
                input: vec![name.to_owned()],
                output: vec![outer.to_owned()],
                ..NodeProto::default()
            });
        }
    }
    let constants = branch.initializers().iter().map(|tensor| {
        let name = new.get(&tensor.name).cloned().unwrap_or_default();
        TensorProto { name, ..tensor.clone() }
    });
    Some((nodes, constants.collect()))
}

/// Gives the values of a node, and of the graphs in it, their new names.
fn rename(node: &mut NodeProto, names: &HashMap<String, String>) {
    for name in node.input.iter_mut().chain(&mut node.output) {
        if let Some(new) = names.get(name) {
            name.clone_from(new);
        }
    }
    for graph in node.attribute.iter_mut().flat_map(graphs) {
        // A graph may have values of the same names, which hide those of the branch.
        let own =
            graph.input.iter().map(|input| &input.name).chain(graph.initializer.iter().map(|tensor| &tensor.name));
        let own = own.chain(graph.node.iter().flat_map(|node| &node.output));
        let hidden: HashSet<&String> = own.collect();
        let seen: HashMap<String, String> = names
            .iter()
            .filter(|(name, _)| !hidden.contains(name))
            .map(|(name, new)| (name.clone(), new.clone()))
            .collect();
        graph.node.iter_mut().for_each(|node| rename(node, &seen));
    }
}

fn graphs(attribute: &mut AttributeProto) -> impl Iterator<Item = &mut GraphProto> {
    attribute.g.as_deref_mut().into_iter().chain(&mut attribute.graphs)
}
