//! The result of an analysis: the graphs, values and findings of a model.

use std::collections::HashSet;

use super::assumptions::Assumption;
use crate::file::Node;
use crate::finding::Findings;
use crate::graph::{GraphInfo, GraphKind, NodeAt};
use crate::value::{Origin, Value};
use shape_core::symbolic::{Reason, Symbol, Symbols};

/// What is known about a model.
#[derive(Clone, Debug)]
pub struct Analysis<'m> {
    /// The graphs: the main graph first, then subgraphs and function bodies in the order of the analysis.
    pub graphs: Vec<GraphInfo<'m>>,
    /// The values of all graphs, in the order in which they are defined.
    pub values: Vec<Value<'m>>,
    /// The findings, in the order of the analysis.
    pub findings: Findings,
    /// The symbols of the model, and the fresh symbols for sizes that it does not name.
    pub symbols: Symbols,
    /// Where the fresh symbols come from, by their index.
    pub(crate) origins: Vec<Reason>,
    pub(super) assumptions: Vec<Assumption>,
    /// The symbols that stand for sizes of inputs.
    pub(super) given: HashSet<Symbol>,
}

impl<'m> Analysis<'m> {
    /// For each graph, whether it belongs to the main graph (or is that graph) and not to the body of a function.
    #[must_use]
    pub fn outside_functions(&self) -> Vec<bool> {
        let mut outside: Vec<bool> = Vec::with_capacity(self.graphs.len());
        for info in &self.graphs {
            outside.push(match info.kind {
                GraphKind::Main => true,
                GraphKind::Subgraph { parent, .. } => outside.get(parent).copied().unwrap_or(false),
                GraphKind::Function => false,
            });
        }
        outside
    }

    /// Explains a reason in words: the value at which the unknown began, where it comes from, and what happened.
    #[must_use]
    pub fn explain(&self, reason: &Reason) -> String {
        let cause = &reason.cause;
        let Some(value) = self.values.get(reason.value as usize) else { return cause.to_string() };
        let origin = match (value.origin, self.node_of(value.graph, value.origin).map(|at| at.node)) {
            (Origin::Input, _) => String::from("an input"),
            (Origin::Initializer, _) => String::from("an initializer"),
            (Origin::Node { index }, None) => format!("node {index}"),
            (Origin::Node { index }, Some(node)) if node.name().is_empty() => {
                format!("node {index}, {}", node.op_type())
            }
            (Origin::Node { index }, Some(node)) => format!("node {index} `{}`, {}", node.name(), node.op_type()),
        };
        format!("`{}` ({origin}): {cause}", value.name)
    }

    /// The node that computes a value; `None` for an input or an initializer.
    #[must_use]
    pub fn node(&self, value: &Value<'_>) -> Option<Node<'m>> {
        Some(self.node_of(value.graph, value.origin)?.node)
    }

    /// The node of a graph that computes a value.
    pub(crate) fn node_of(&self, graph: usize, origin: Origin) -> Option<NodeAt<'m>> {
        let Origin::Node { index } = origin else { return None };
        Some(NodeAt { graph, index, node: self.graphs.get(graph)?.nodes.get(index)? })
    }
}
