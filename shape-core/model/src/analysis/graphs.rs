//! The graphs of a model after the walk, each with what stands around it.

use std::collections::HashMap;

use super::names::Keyed;
use super::{Analysis, GraphKind, Value};
use crate::file::proto::{GraphProto, ModelProto, NodeProto};

/// A graph, or the body of a function.
#[derive(Clone, Copy)]
pub(crate) struct Graph<'a, 'm> {
    /// Its place in [`Analysis::graphs`].
    pub(crate) id: usize,
    pub(crate) path: &'a str,
    pub(crate) kind: GraphKind,
    /// The graph in the file; `None` for the body of a function.
    pub(crate) proto: Option<&'m GraphProto>,
    pub(crate) nodes: &'m [NodeProto],
    /// The function whose body it is, or in whose body it stands, by its place in the model.
    pub(crate) function: Option<usize>,
}

/// All of them, in the order of [`Analysis::graphs`].
pub(crate) fn graphs<'a, 'm>(analysis: &'a Analysis<'m>, model: &'m ModelProto) -> Vec<Graph<'a, 'm>> {
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
#[derive(Debug)]
pub struct Scopes<'a, 'm> {
    analysis: &'a Analysis<'m>,
    values: HashMap<(usize, &'m str), u32, Keyed>,
}

impl<'a, 'm> Scopes<'a, 'm> {
    pub(crate) fn of(analysis: &'a Analysis<'m>) -> Self {
        let values = (0..).zip(&analysis.values).map(|(place, value)| ((value.graph, value.name), place)).collect();
        Self { analysis, values }
    }

    /// The value behind a name, in a graph or one around it; both by their places in the [`Analysis`].
    #[must_use]
    pub fn place(&self, mut graph: usize, name: &str) -> Option<u32> {
        loop {
            if let Some(place) = self.values.get(&(graph, name)) {
                return Some(*place);
            }
            // A graph is met after those around it, so that this ends.
            match self.analysis.graphs.get(graph)?.kind {
                GraphKind::Subgraph { parent, .. } if parent < graph => graph = parent,
                _ => return None,
            }
        }
    }
    /// The value behind a name, in a graph or one around it.
    #[must_use]
    pub fn value(&self, graph: usize, name: &str) -> Option<&'a Value<'m>> {
        self.analysis.values.get(self.place(graph, name)? as usize)
    }
}
