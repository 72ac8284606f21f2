//! The graphs of a model after the walk, each with what stands around it.

use std::collections::HashMap;

use super::names::Keyed;
use super::{Analysis, GraphKind, Value};
use crate::model::proto::{GraphProto, ModelProto, NodeProto};

/// A graph, or the body of a function.
#[derive(Clone, Copy)]
pub(super) struct Graph<'a, 'm> {
    /// Its place in [`Analysis::graphs`].
    pub(super) id: usize,
    pub(super) path: &'a str,
    pub(super) kind: GraphKind,
    /// The graph in the file; `None` for the body of a function.
    pub(super) proto: Option<&'m GraphProto>,
    pub(super) nodes: &'m [NodeProto],
    /// The function whose body it is, or in whose body it stands, by its place in the model.
    pub(super) function: Option<usize>,
}

/// All of them, in the order of [`Analysis::graphs`].
pub(super) fn graphs<'a, 'm>(analysis: &'a Analysis<'m>, model: &'m ModelProto) -> Vec<Graph<'a, 'm>> {
    // Functions are walked in their order, after the model's own graph; what is inside of one comes behind it.
    let mut functions = 0..model.functions.len();
    let mut function = None;
    let mut graphs = Vec::with_capacity(analysis.graphs.len());
    for (id, info) in analysis.graphs.iter().enumerate() {
        let nodes = match (info.kind, info.proto) {
            (GraphKind::Function, _) => {
                function = functions.next();
                function.and_then(|function| model.functions.get(function)).map(|function| &function.node)
            }
            (GraphKind::Main | GraphKind::Subgraph { .. }, proto) => proto.map(|proto| &proto.node),
        };
        let nodes = nodes.map_or(&[][..], Vec::as_slice);
        graphs.push(Graph { id, path: &info.path, kind: info.kind, proto: info.proto, nodes, function });
    }
    graphs
}

/// The values behind names.
pub(super) struct Scopes<'a, 'm> {
    analysis: &'a Analysis<'m>,
    values: HashMap<(usize, &'m str), &'a Value<'m>, Keyed>,
}

impl<'a, 'm> Scopes<'a, 'm> {
    pub(super) fn of(analysis: &'a Analysis<'m>) -> Self {
        let values = analysis.values.iter().map(|value| ((value.graph, value.name), value)).collect();
        Self { analysis, values }
    }

    /// The value behind a name, in a graph or one around it.
    pub(super) fn value(&self, mut graph: usize, name: &str) -> Option<&'a Value<'m>> {
        loop {
            if let Some(value) = self.values.get(&(graph, name)) {
                return Some(value);
            }
            // A graph is met after those around it, so that this ends.
            match self.analysis.graphs.get(graph)?.kind {
                GraphKind::Subgraph { parent, .. } if parent < graph => graph = parent,
                _ => return None,
            }
        }
    }
}
