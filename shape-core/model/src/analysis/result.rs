//! What is known of a model, and what is wrong with it.

use crate::finding::Finding;
use crate::graph::{GraphInfo, GraphKind};
use crate::value::{Origin, Value};
use shape_core::symbolic::{Reason, Symbols};

/// What is known of a model.
#[derive(Clone, Debug)]
pub struct Analysis<'m> {
    /// The graphs: the model's own first, then those inside of nodes and the bodies of functions, as they are met.
    pub graphs: Vec<GraphInfo<'m>>,
    /// The values of all graphs, in the order in which they are defined.
    pub values: Vec<Value<'m>>,
    /// What was found, in the order of the walk.
    pub findings: Vec<Finding>,
    /// The symbols of the model.
    pub symbols: Symbols,
}

impl Analysis<'_> {
    /// For each graph, whether it is the model's own or inside of that, and not in the body of a function.
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

    /// A reason in words: the value that it began with, what gives that value, and what happened.
    #[must_use]
    pub fn explain(&self, reason: &Reason) -> String {
        let cause = reason.cause.display(&self.symbols);
        let Some(value) = self.values.get(reason.value as usize) else { return cause.to_string() };
        let origin = match value.origin {
            Origin::Input => String::from("an input"),
            Origin::Initializer => String::from("an initializer"),
            Origin::Node { index, name: "", op_type, .. } => format!("node {index}, {op_type}"),
            Origin::Node { index, name, op_type, .. } => format!("node {index} `{name}`, {op_type}"),
        };
        format!("`{}` ({origin}): {cause}", value.name)
    }
}
