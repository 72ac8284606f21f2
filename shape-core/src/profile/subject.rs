//! What is judged, and what is known of it.

use std::collections::HashMap;

use super::table::{Overlay, Profile, Rule};
use super::{Outcome, open, pass};
use crate::analysis::attributes::view;
use crate::analysis::graphs::{Graph, Scopes, graphs};
use crate::analysis::{Analysis, GraphKind, NodeUse, UsedOperator, Value};
use crate::code::Severity;
use crate::finding::{Finding, NodeRef};
use crate::model::proto::{ModelProto, NodeProto, TypeProto, ValueInfoProto};
use crate::node::AttributeValue;
use crate::opset::canonical_domain;
use crate::registry::Registry;
use crate::schema::Schema;
use crate::symbolic::{Dim, Reason};

/// What is known of a model.
pub(super) struct Facts<'a, 'm> {
    pub(super) model: &'m ModelProto,
    pub(super) analysis: &'a Analysis<'m>,
    pub(super) profile: &'static Profile,
    registry: &'a Registry,
    graphs: Vec<Graph<'a, 'm>>,
    scopes: Scopes<'a, 'm>,
    /// By graph and place.
    uses: HashMap<(usize, usize), NodeUse<'m>>,
    /// The declarations of values, by graph and name.
    declared: HashMap<(usize, &'m str), &'m TypeProto>,
    /// What was found at nodes, by graph and place.
    findings: HashMap<(&'a str, usize), Vec<&'a Finding>>,
}

impl<'a, 'm> Facts<'a, 'm> {
    pub(super) fn of(
        model: &'m ModelProto,
        analysis: &'a Analysis<'m>,
        registry: &'a Registry,
        profile: &'static Profile,
    ) -> Self {
        let graphs = graphs(analysis, model);
        let uses = analysis.usage(model, registry).into_iter().map(|used| ((used.graph, used.index), used)).collect();
        let mut declared = HashMap::new();
        for graph in &graphs {
            let function = graph.function.filter(|_| graph.kind == GraphKind::Function);
            let function = function.and_then(|place| model.functions.get(place));
            let of_graph =
                graph.proto.iter().flat_map(|graph| graph.value_info.iter().chain(&graph.input).chain(&graph.output));
            let infos = of_graph.chain(function.iter().flat_map(|function| &function.value_info));
            declared.extend(infos.filter_map(|info| Some(((graph.id, &*info.name), info.r#type.as_ref()?))));
        }
        let mut findings: HashMap<_, Vec<&Finding>> = HashMap::new();
        for finding in &analysis.findings {
            if let Some(node) = &finding.node {
                findings.entry((&*finding.graph, node.index)).or_default().push(finding);
            }
        }
        let scopes = Scopes::of(analysis);
        Self { model, analysis, profile, registry, graphs, scopes, uses, declared, findings }
    }

    pub(super) fn nodes(&self) -> usize {
        self.graphs.iter().map(|graph| graph.nodes.len()).sum()
    }

    /// The model, its graphs, and the nodes in them.
    pub(super) fn subjects(&self) -> impl Iterator<Item = Subject<'_, 'm>> {
        let graphs = self.graphs.iter().map(|graph| Subject { facts: self, graph: Some(graph), node: None });
        let nodes = self.graphs.iter().flat_map(move |graph| {
            graph.nodes.iter().enumerate().map(move |node| Subject {
                facts: self,
                graph: Some(graph),
                node: Some(node),
            })
        });
        std::iter::once(Subject { facts: self, graph: None, node: None }).chain(graphs).chain(nodes)
    }

    /// A reason in words.
    pub(super) fn explain(&self, reason: &Reason) -> String {
        self.analysis.explain(reason)
    }

    pub(super) fn dims(&self, dims: &[Dim]) -> String {
        let texts: Vec<String> = dims.iter().take(super::MOST_NAMED).map(|dim| self.dim(dim)).collect();
        let more = if dims.len() > super::MOST_NAMED { ", ..." } else { "" };
        format!("[{}{more}]", texts.join(", "))
    }

    pub(super) fn dim(&self, dim: &Dim) -> String {
        dim.display(&self.analysis.symbols).to_string()
    }
}

/// What a rule is about: the model as a whole, a graph of it, or a node.
pub(super) struct Subject<'f, 'm> {
    pub(super) facts: &'f Facts<'f, 'm>,
    pub(super) graph: Option<&'f Graph<'f, 'm>>,
    node: Option<(usize, &'m NodeProto)>,
}

impl<'f, 'm> Subject<'f, 'm> {
    /// Whether a rule is about it.
    pub(super) fn is_of(&self, rule: &Rule) -> bool {
        let [model, graph, node] = rule.check.judges();
        let judged = match (self.graph, self.node) {
            (None, _) => model,
            (Some(_), None) => graph,
            (Some(_), Some(_)) => node,
        };
        let operator = rule.operator.is_none_or(|operator| {
            self.operator().is_some_and(|used| {
                used.domain == "ai.onnx" && used.op_type == operator && !matches!(used.operator, UsedOperator::Function)
            })
        });
        judged && operator
    }

    /// What the rule's check says, where the rule holds.
    pub(super) fn judge(&self, rule: &Rule) -> Outcome {
        let Some(when) = rule.when else { return rule.check.judge(self, rule) };
        match self.int(when.attribute) {
            Ok(Some(value)) if value == when.is => rule.check.judge(self, rule),
            Ok(Some(value)) => {
                pass(format!("the rule applies only if `{}` is {}; it is {value}", when.attribute, when.is))
            }
            Ok(None) => {
                pass(format!("the rule applies only if `{}` is {}; the node does not give it", when.attribute, when.is))
            }
            Err(outcome) => outcome,
        }
    }

    pub(super) fn path(&self) -> &str {
        self.graph.map_or("", |graph| graph.path)
    }

    pub(super) fn node_ref(&self) -> Option<NodeRef> {
        let (index, node) = self.node?;
        let domain = canonical_domain(&node.domain).to_owned();
        Some(NodeRef { index, name: node.name.clone(), op_type: node.op_type.clone(), domain })
    }

    pub(super) fn node(&self) -> Option<&'m NodeProto> {
        self.node.map(|(_, node)| node)
    }

    /// What stands behind the operator of the node.
    pub(super) fn operator(&self) -> Option<&'f NodeUse<'m>> {
        self.facts.uses.get(&(self.graph?.id, self.node?.0))
    }

    /// The version of the operator that is in force.
    pub(super) fn schema(&self) -> Option<&'static Schema> {
        match self.operator()?.operator {
            UsedOperator::Version(schema) => Some(schema),
            _ => None,
        }
    }

    /// The operator as the profile has it.
    pub(super) fn overlay(&self) -> Option<&'static Overlay> {
        let operator = self.operator()?.op_type;
        self.facts.profile.overlays.iter().find(|overlay| overlay.operator == operator)
    }

    /// What was found at the node.
    pub(super) fn findings(&self) -> impl Iterator<Item = &'f Finding> {
        let at = self.graph.zip(self.node).map(|(graph, (index, _))| (graph.path, index));
        at.and_then(|at| self.facts.findings.get(&at)).into_iter().flatten().copied()
    }

    /// The first error at the node.
    pub(super) fn error(&self) -> Option<&'f Finding> {
        self.findings().find(|finding| finding.severity() == Severity::Error)
    }

    /// The name of the value that the node has for an input or output of its operator; empty where it leaves it out.
    pub(super) fn name(&self, parameter: &str) -> Result<&'m str, Outcome> {
        let (Some(schema), Some(node)) = (self.schema(), self.node()) else {
            return Err(open("the version of the operator is unknown"));
        };
        let input = schema.inputs.iter().position(|input| input.name == parameter);
        let output = schema.outputs.iter().position(|output| output.name == parameter);
        let name = input.map(|place| node.input.get(place)).or_else(|| output.map(|place| node.output.get(place)));
        let Some(name) = name else {
            return Err(open(format!("{}-{} has no input or output `{parameter}`", schema.name, schema.since_version)));
        };
        Ok(name.map_or("", String::as_str))
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
        self.facts.scopes.value(self.graph?.id, name)
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

    /// What the subject defines and has to declare, each with its declaration: the outputs of a node, and the inputs and
    /// outputs of a graph.
    pub(super) fn defined(&self) -> Vec<(&'m str, Option<&'m TypeProto>)> {
        if let Some(node) = self.node() {
            let names = node.output.iter().filter(|name| !name.is_empty());
            return names.map(|name| (&**name, self.declared(name))).collect();
        }
        let proto = self.graph.and_then(|graph| graph.proto);
        let values = proto.iter().flat_map(|graph| graph.input.iter().chain(&graph.output));
        values.map(|ValueInfoProto { name, r#type, .. }| (&**name, r#type.as_ref())).collect()
    }

    /// The attributes that the node gives.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&'m str, AttributeValue<'m>)> {
        let attributes = self.node().into_iter().flat_map(|node| &node.attribute).filter_map(view);
        attributes.map(|attribute| (attribute.name, attribute.value))
    }

    /// The value of an INT attribute: what the node gives, or the default; `None` where there is neither.
    pub(super) fn int(&self, name: &str) -> Result<Option<i64>, Outcome> {
        if let Some((_, value)) = self.attributes().find(|(given, _)| *given == name) {
            return match value {
                AttributeValue::Int(value) => Ok(Some(value)),
                AttributeValue::Other(_) => Err(open(format!("the caller of the function sets `{name}`"))),
                _ => Err(open(format!("the attribute `{name}` is not an INT"))),
            };
        }
        // A version without the attribute does what the later default says.
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
