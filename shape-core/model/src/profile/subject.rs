//! What a rule of a profile judges: the model, a graph or a node, with the facts about it.

use std::collections::HashMap;

use super::outcome::{MAX_NAMED, Outcome, open};
use super::overlay::Overlay;
use crate::analysis::Analysis;
use crate::file::proto::{TypeProto, ValueInfoProto};
use crate::file::{Attribute, Model, Node};
use crate::finding::{Finding, NodeRef};
use crate::graph::{GraphAt, GraphKind, NodeAt, graphs};
use crate::usage::{NodeUse, Usage, UsedOperator};
use crate::value::Value;
use shape_core::code::Severity;
use shape_core::node::AttributeValue;
use shape_core::registry::Registry;
use shape_core::schema::Schema;
use shape_core::symbolic::{Dim, Reason};

/// The facts about a model.
pub(super) struct Facts<'a, 'm> {
    pub(super) model: &'m Model,
    pub(super) analysis: &'a Analysis<'m>,
    /// The operators of the profile.
    pub(super) operators: &'static [&'static str],
    /// The operators that the profile has rules for.
    overlays: &'static [Overlay],
    registry: &'a Registry,
    graphs: Vec<GraphAt<'a, 'm>>,
    usage: Usage<'a, 'm>,
    /// The declarations of values, by graph and name.
    declared: HashMap<(usize, &'m str), &'m TypeProto>,
    /// The findings at nodes, each with the path of the graph and the index of the node, sorted by these.
    findings: Vec<(&'a str, usize, &'a Finding)>,
}

impl<'a, 'm> Facts<'a, 'm> {
    pub(super) fn of(
        model: &'m Model,
        analysis: &'a Analysis<'m>,
        registry: &'a Registry,
        (operators, overlays): (&'static [&'static str], &'static [Overlay]),
    ) -> Self {
        let graphs: Vec<_> = graphs(&analysis.graphs, model).collect();
        let mut declared = HashMap::new();
        for graph in &graphs {
            let function = graph.function.filter(|_| graph.kind == GraphKind::Function);
            let function = function.and_then(|index| model.functions().get(index));
            let of_graph = graph
                .proto
                .iter()
                .flat_map(|graph| graph.value_info().iter().chain(graph.inputs()).chain(graph.outputs()));
            let infos = of_graph.chain(function.iter().flat_map(|function| function.value_info()));
            declared.extend(infos.filter_map(|info| Some(((graph.id, &*info.name), info.r#type.as_ref()?))));
        }
        let mut findings: Vec<_> = analysis.findings.of_nodes().collect();
        findings.sort_by_key(|(graph, index, _)| (*graph, *index));
        let usage = Usage::of(analysis, model, registry);
        Self { model, analysis, operators, overlays, registry, graphs, usage, declared, findings }
    }

    pub(super) fn nodes(&self) -> usize {
        self.graphs.iter().map(|graph| graph.nodes.len()).sum()
    }

    /// All subjects: the model, its graphs, and the nodes in them.
    pub(super) fn subjects(&self) -> impl Iterator<Item = Subject<'_, 'm>> {
        let subject = |graph, node, used| Subject { facts: self, graph, node, used };
        let graphs = self.graphs.iter().map(move |graph| subject(Some(graph), None, None));
        let nodes = self.graphs.iter().flat_map(move |graph| {
            let nodes = graph.nodes.iter().enumerate();
            nodes.map(move |(index, node)| {
                let used = self.usage.node(graph, index, node);
                subject(Some(graph), Some((index, node)), Some(used))
            })
        });
        std::iter::once(subject(None, None, None)).chain(graphs).chain(nodes)
    }

    /// A reason in words.
    pub(super) fn explain(&self, reason: &Reason) -> String {
        self.analysis.explain(reason)
    }

    /// Why a dimension is not known in the symbols of the model.
    pub(super) fn unknown_dim<'d>(&'d self, dim: &'d Dim) -> Option<&'d Reason> {
        self.analysis.unknown_dim(dim)
    }

    pub(super) fn dims(&self, dims: &[Dim]) -> String {
        let texts: Vec<String> = dims.iter().take(MAX_NAMED).map(|dim| self.dim(dim)).collect();
        let more = if dims.len() > MAX_NAMED { ", ..." } else { "" };
        format!("[{}{more}]", texts.join(", "))
    }

    pub(super) fn dim(&self, dim: &Dim) -> String {
        dim.display(&self.analysis.symbols).to_string()
    }
}

/// The subject of a rule: the model as a whole, a graph, or a node.
pub(super) struct Subject<'f, 'm> {
    pub(super) facts: &'f Facts<'f, 'm>,
    pub(super) graph: Option<&'f GraphAt<'f, 'm>>,
    node: Option<(usize, Node<'m>)>,
    used: Option<NodeUse<'m>>,
}

impl<'f, 'm> Subject<'f, 'm> {
    pub(super) fn path(&self) -> &str {
        self.graph.map_or("", |graph| graph.path)
    }

    pub(super) fn node_ref(&self) -> Option<NodeRef> {
        let (index, node) = self.node?;
        Some(NodeAt { graph: self.graph?.id, index, node }.into())
    }

    pub(super) fn node(&self) -> Option<Node<'m>> {
        self.node.map(|(_, node)| node)
    }

    /// What the operator name of the node refers to.
    pub(super) fn operator(&self) -> Option<&NodeUse<'m>> {
        self.used.as_ref()
    }

    /// The version of the operator.
    pub(super) fn schema(&self) -> Option<&'static Schema> {
        match self.operator()?.operator {
            UsedOperator::Version(schema) => Some(schema),
            _ => None,
        }
    }

    /// The operator as the profile specifies it.
    pub(super) fn overlay(&self) -> Option<&'static Overlay> {
        let operator = self.operator()?.op_type;
        self.facts.overlays.iter().find(|overlay| overlay.operator == operator)
    }

    /// The findings at the node; for one that is not listed, one that is like it.
    pub(super) fn findings(&self) -> impl Iterator<Item = &'f Finding> {
        let at = self.graph.zip(self.node).map(|(graph, (index, _))| (graph.path, index));
        let all = &*self.facts.findings;
        let from = at.map_or(all.len(), |at| all.partition_point(|(graph, index, _)| (*graph, *index) < at));
        let found = all.get(from..).unwrap_or_default().iter();
        found.take_while(move |(graph, index, _)| at == Some((*graph, *index))).map(|(.., finding)| *finding)
    }

    /// The first error at the node.
    pub(super) fn error(&self) -> Option<&'f Finding> {
        self.findings().find(|finding| finding.severity() == Severity::Error)
    }

    /// The name of the value that the node passes for an input or output of its operator; empty if it is left out.
    pub(super) fn name(&self, parameter: &str) -> Result<&'m str, Outcome> {
        let (Some(schema), Some(node)) = (self.schema(), self.node()) else {
            return Err(open("the version of the operator is unknown"));
        };
        let input = schema.inputs.iter().position(|input| input.name == parameter);
        let output = schema.outputs.iter().position(|output| output.name == parameter);
        let name =
            input.map(|index| node.inputs().get(index)).or_else(|| output.map(|index| node.outputs().get(index)));
        let Some(name) = name else {
            return Err(open(format!("{}-{} has no input or output `{parameter}`", schema.name, schema.since_version)));
        };
        Ok(name.unwrap_or_default())
    }

    /// The value that the node has for an input or output of its operator.
    pub(super) fn value(&self, parameter: &str) -> Result<&'f Value<'m>, Outcome> {
        let name = self.name(parameter)?;
        if name.is_empty() {
            return Err(open(format!("the node does not give `{parameter}`")));
        }
        self.value_called(name).ok_or_else(|| open(format!("nothing computes the value `{name}`")))
    }

    pub(super) fn value_called(&self, name: &str) -> Option<&'f Value<'m>> {
        self.facts.usage.scopes.value(self.graph?.id, name)
    }

    /// The dimensions of a value that the node has for an input or output of its operator.
    pub(super) fn dims(&self, parameter: &str) -> Result<&'f [Dim], Outcome> {
        match &self.value(parameter)?.dims {
            Ok(dims) => Ok(dims),
            Err(reason) => {
                Err(open(format!("the dimensions of `{parameter}` are unknown: {}", self.facts.explain(reason))))
            }
        }
    }

    /// The declaration of a value of the subject's graph.
    pub(super) fn declared(&self, name: &str) -> Option<&'m TypeProto> {
        self.facts.declared.get(&(self.graph?.id, name)).copied()
    }

    /// The values that the subject defines and must declare, each with its declaration: the outputs of a node, or the
    /// inputs and outputs of a graph.
    pub(super) fn defined(&self) -> Vec<(&'m str, Option<&'m TypeProto>)> {
        if let Some(node) = self.node() {
            let names = node.outputs().iter().filter(|name| !name.is_empty());
            return names.map(|name| (name, self.declared(name))).collect();
        }
        let proto = self.graph.and_then(|graph| graph.proto);
        let values = proto.iter().flat_map(|graph| graph.inputs().iter().chain(graph.outputs()));
        values.map(|ValueInfoProto { name, r#type, .. }| (&**name, r#type.as_ref())).collect()
    }

    /// The attributes that the node sets.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&'m str, AttributeValue<'m>)> {
        let attributes = self.node().into_iter().flat_map(Node::attributes).filter_map(Attribute::view);
        attributes.map(|attribute| (attribute.name, attribute.value))
    }

    /// The value of an INT attribute: the one that the node sets, or the default; `None` without either.
    pub(super) fn int(&self, name: &str) -> Result<Option<i64>, Outcome> {
        if let Some((_, value)) = self.attributes().find(|(present, _)| *present == name) {
            return match value {
                AttributeValue::Int(value) => Ok(Some(value)),
                AttributeValue::Other(_) => Err(open(format!("the caller of the function sets `{name}`"))),
                _ => Err(open(format!("the attribute `{name}` is not an INT"))),
            };
        }
        // A version without the attribute behaves like the default of the later version.
        let profiled = self
            .overlay()
            .and_then(|overlay| self.facts.registry.resolve("ai.onnx", overlay.operator, overlay.since).ok());
        let attribute = [self.schema(), profiled].into_iter().flatten().find_map(|schema| schema.attribute(name));
        Ok(attribute.and_then(|attribute| match attribute.default {
            Some(AttributeValue::Int(value)) => Some(value),
            _ => None,
        }))
    }
}
