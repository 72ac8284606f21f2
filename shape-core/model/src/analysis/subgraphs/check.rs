//! Checks the inputs and outputs of subgraphs against their nodes.

use super::input::supplied;
use super::signature::{Role, Signature, signature};
use crate::analysis::result::Analysis;
use crate::analysis::scopes::Scopes;
use crate::file::Model;
use crate::file::proto::ValueInfoProto;
use crate::finding::{Finding, Findings};
use crate::functions::Functions;
use crate::graph::{GraphAt, GraphKind, NodeAt, graphs};
use crate::options::Options;
use shape_core::code::Code;
use shape_core::opset::canonical_domain;
use shape_core::problem::Side;
use shape_core::types::Type;

/// The findings about the subgraphs of an analysed model.
pub(in crate::analysis) fn check<'m>(
    analysis: &Analysis<'m>,
    model: &'m Model,
    functions: &Functions<'m>,
    options: &Options,
) -> Findings {
    let mut findings = Findings::default();
    // Each subgraph with its node; those of one node in the order of its attributes.
    let mut subgraphs: Vec<(usize, usize, usize)> = Vec::new();
    for (id, info) in analysis.graphs.iter().enumerate() {
        if let GraphKind::Subgraph { parent, position } = info.kind {
            subgraphs.push((parent, position.node, id));
        }
    }
    if subgraphs.is_empty() {
        return findings;
    }
    subgraphs.sort_unstable();
    let graphs: Vec<GraphAt<'_, '_>> = graphs(&analysis.graphs, model).collect();
    let scopes = Scopes::of(analysis);
    let ir_version = model.ir_version().unwrap_or(0);
    for inner in subgraphs.chunk_by(|(parent, node, _), (other, next, _)| (parent, node) == (other, next)) {
        let Some((parent, index, _)) = inner.first().copied() else { continue };
        let Some(outer) = graphs.get(parent) else { continue };
        let Some(node) = outer.nodes.get(index) else { continue };
        let domain = canonical_domain(node.domain());
        let opset = functions.imports(outer.function).get(domain);
        let schema = opset.and_then(|opset| options.registry.resolve(domain, node.op_type(), opset).ok());
        let Some(signature) = schema.and_then(|schema| signature(schema, node)) else { continue };
        let at = NodeAt { graph: parent, index, node };
        SubgraphCheck { scopes: &scopes, outer: *outer, at, ir_version, findings: &mut findings }
            .check(&inner.iter().filter_map(|(.., id)| graphs.get(*id).copied()).collect::<Vec<_>>(), &signature);
    }
    findings
}

/// The subgraphs of one node.
struct SubgraphCheck<'a, 'm> {
    scopes: &'a Scopes<'a, 'm>,
    /// The graph that contains the node.
    outer: GraphAt<'a, 'm>,
    at: NodeAt<'m>,
    ir_version: i64,
    findings: &'a mut Findings,
}

impl<'m> SubgraphCheck<'_, 'm> {
    fn check(&mut self, graphs: &[GraphAt<'_, 'm>], signature: &Signature) {
        // If two branches differ, either may be wrong; the first is assumed to be right.
        let mut outputs: Vec<Option<Type>> = vec![None; signature.outputs.len()];
        for graph in graphs {
            let Some(proto) = graph.proto else { continue };
            let [inputs_are, outputs_are] = signature.text;
            let is_supplied = supplied(proto, self.ir_version);
            let inputs: Vec<&ValueInfoProto> = proto.inputs().iter().filter(|input| is_supplied(input)).collect();
            let given_out: Vec<&ValueInfoProto> = proto.outputs().iter().collect();
            self.side(graph, Side::Input, (&inputs, &signature.inputs), inputs_are);
            self.side(graph, Side::Output, (&given_out, &signature.outputs), outputs_are);
            for (index, (output, settled)) in proto.outputs().iter().zip(&mut outputs).enumerate() {
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

    /// Checks the inputs or the outputs of a graph.
    fn side(&mut self, graph: &GraphAt<'_, 'm>, side: Side, (values, roles): (&[&ValueInfoProto], &[Role]), are: &str) {
        if values.len() != roles.len() {
            let message = format!("{} has {} {side}s; it must have {}", self.name(graph), values.len(), roles.len());
            let finding = self.finding(Code::SubgraphCount, message).expected(roles.len()).found(values.len());
            self.findings.push(finding.help(format!("the graph must have {are}")));
            return;
        }
        for (index, (value, role)) in values.iter().zip(roles).enumerate() {
            let Some(found) = self.ty(graph.id, &value.name) else { continue };
            let of_input = |index: usize| self.ty(self.outer.id, self.at.node.inputs().get(index)?);
            let expected = match *role {
                Role::Scalar { ty, .. } => Some(ty),
                Role::Carried(index) | Role::Scanned { input: index, .. } => of_input(index),
                Role::ElementOf(index) => of_input(index).map(|ty| ty.in_sequence().unwrap_or(ty)),
                Role::Stacked { .. } if found.element().is_none() => {
                    let message =
                        format!("{side} {index} (`{}`) of {} is {found}, not a tensor", value.name, self.name(graph));
                    let finding = self.finding(Code::SubgraphType, message).expected("a tensor").found(found);
                    self.findings.push(finding.help("its values are stacked, and only tensors can be stacked"));
                    continue;
                }
                Role::Stacked { .. } | Role::Output => None,
            };
            // An optional that is carried along may also be passed as its element.
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

    /// A graph in messages, by its attribute: `` `then_branch` ``.
    fn name(&self, graph: &GraphAt<'_, '_>) -> String {
        let GraphKind::Subgraph { position, .. } = graph.kind else { return String::new() };
        let attribute = self.at.node.attributes().get(position.attribute);
        format!("`{}`", attribute.map_or("", |attribute| attribute.name()))
    }

    fn finding(&self, code: Code, message: String) -> Finding {
        Finding::new(code, self.outer.path, message).at(self.at)
    }
}
