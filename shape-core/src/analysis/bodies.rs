//! Graphs inside of nodes, held against what the node gives them and takes from them.

mod flow;
mod signature;

use std::collections::BTreeMap;

use super::functions::Functions;
use super::graphs::{Graph, Scopes, graphs};
use super::report::{At, finding};
use super::{Analysis, GraphKind, Options};
use crate::check::Side;
use crate::code::Code;
use crate::finding::Finding;
use crate::model::proto::{ModelProto, ValueInfoProto};
use crate::opset::canonical_domain;
use crate::types::Type;

pub(super) use flow::Fed;
use signature::scanned;
pub(super) use signature::{Role, Signature, signature};

/// What is wrong with the graphs inside of nodes, after the walk.
pub(super) fn check(
    analysis: &Analysis<'_>,
    model: &ModelProto,
    functions: &Functions<'_>,
    options: &Options,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let graphs = graphs(analysis, model);
    // By node: the graphs inside of it, in the order of its attributes.
    let mut bodies: BTreeMap<(usize, usize), Vec<Graph<'_, '_>>> = BTreeMap::new();
    for graph in &graphs {
        if let GraphKind::Subgraph { parent, place } = graph.kind {
            bodies.entry((parent, place.node)).or_default().push(*graph);
        }
    }
    if bodies.is_empty() {
        return findings;
    }
    let scopes = Scopes::of(analysis);
    for ((parent, index), inner) in bodies {
        let Some(outer) = graphs.get(parent) else { continue };
        let Some(node) = outer.nodes.get(index) else { continue };
        let domain = canonical_domain(&node.domain);
        let opset = functions.imports(outer.function).get(domain);
        let schema = opset.and_then(|opset| options.registry.resolve(domain, &node.op_type, opset).ok());
        let Some(signature) = schema.and_then(|schema| signature(schema, node)) else { continue };
        let at = At { graph: parent, index, node };
        Bodies { scopes: &scopes, outer: *outer, at, findings: &mut findings }.check(&inner, &signature);
    }
    findings
}

/// The graphs inside of one node.
struct Bodies<'a, 'm> {
    scopes: &'a Scopes<'a, 'm>,
    /// The graph of the node.
    outer: Graph<'a, 'm>,
    at: At<'m>,
    findings: &'a mut Vec<Finding>,
}

impl<'m> Bodies<'_, 'm> {
    fn check(&mut self, graphs: &[Graph<'_, 'm>], signature: &Signature) {
        if let Some(scanned) = scanned(self.at.node).filter(|scanned| *scanned > self.at.node.input.len())
            && self.at.node.op_type == "Scan"
        {
            let finding =
                self.finding(Code::SubgraphCount, "num_scan_inputs is greater than the number of inputs".to_owned());
            let finding = finding.expected(format!("at most {}", self.at.node.input.len())).found(scanned);
            self.findings.push(finding.help("correct num_scan_inputs, or add the inputs"));
        }
        // Which of two branches is wrong nobody knows; the first is taken for right.
        let mut outputs: Vec<Option<Type>> = vec![None; signature.outputs.len()];
        for graph in graphs {
            let Some(proto) = graph.proto else { continue };
            let [inputs_are, outputs_are] = signature.words;
            self.side(graph, Side::Input, (&proto.input, &signature.inputs), inputs_are);
            self.side(graph, Side::Output, (&proto.output, &signature.outputs), outputs_are);
            for (index, (output, settled)) in proto.output.iter().zip(&mut outputs).enumerate() {
                let Some(found) = self.ty(graph.id, &output.name) else { continue };
                let other = settled.get_or_insert(found);
                if *other != found {
                    let message = format!(
                        "output {index} of {} is {found}, but that of the other graph is {other}",
                        self.name(graph)
                    );
                    let finding = self.finding(Code::SubgraphType, message).expected(*other).found(found);
                    self.findings
                        .push(finding.help("return the same type from both graphs; insert a Cast into one of them"));
                }
            }
        }
    }

    /// The inputs or the outputs of a graph.
    fn side(&mut self, graph: &Graph<'_, 'm>, side: Side, (values, roles): (&[ValueInfoProto], &[Role]), are: &str) {
        if values.len() != roles.len() {
            let message = format!("{} has {} {side}s; it must have {}", self.name(graph), values.len(), roles.len());
            let finding = self.finding(Code::SubgraphCount, message).expected(roles.len()).found(values.len());
            self.findings.push(finding.help(format!("the graph must have {are}")));
            return;
        }
        for (index, (value, role)) in values.iter().zip(roles).enumerate() {
            let Some(found) = self.ty(graph.id, &value.name) else { continue };
            let of_input = |place: usize| self.ty(self.outer.id, self.at.node.input.get(place)?);
            let expected = match *role {
                Role::Fixed(ty) => Some(ty),
                Role::Carried(place) | Role::Scanned { input: place, .. } => of_input(place),
                Role::ElementOf(place) => of_input(place).map(|ty| ty.in_sequence().unwrap_or(ty)),
                Role::Stacked { .. } if found.element().is_none() => {
                    let message =
                        format!("{side} {index} (`{}`) of {} is {found}, not a tensor", value.name, self.name(graph));
                    let finding = self.finding(Code::SubgraphType, message).expected("a tensor").found(found);
                    self.findings.push(finding.help("its values are stacked, and only tensors can be stacked"));
                    continue;
                }
                Role::Stacked { .. } | Role::Output => None,
            };
            // What is carried on as an optional may be what it holds.
            let fits =
                |expected: Type| expected == found || (side == Side::Output && found.optional() == Some(expected));
            if let Some(expected) = expected.filter(|expected| !fits(*expected)) {
                let message = format!(
                    "{side} {index} (`{}`) of {} is {found}; the node requires {expected}",
                    value.name,
                    self.name(graph)
                );
                let finding = self.finding(Code::SubgraphType, message).expected(expected).found(found);
                self.findings.push(finding.help(format!("the graph must have {are}, with the same types")));
            }
        }
    }

    fn ty(&self, graph: usize, name: &str) -> Option<Type> {
        self.scopes.value(graph, name)?.ty.as_ref().ok().copied()
    }

    /// A graph by its attribute: `` `then_branch` ``.
    fn name(&self, graph: &Graph<'_, '_>) -> String {
        let GraphKind::Subgraph { place, .. } = graph.kind else { return String::new() };
        let attribute = self.at.node.attribute.get(place.attribute);
        format!("`{}`", attribute.map_or("", |attribute| &attribute.name))
    }

    fn finding(&self, code: Code, message: String) -> Finding {
        finding(code, self.outer.path, message).at(self.at)
    }
}
