//! Maps the graphs and nodes of a repaired model to their locations in the original.

use std::collections::HashMap;

use crate::file::{GraphEdit, ModelEdit, SubgraphPosition};
use crate::graph::{GraphAt, GraphKind};

/// The places of all graphs, by their indices in the analysis of the changed model.
pub(super) struct Places<'e>(Vec<Place<'e>>);

struct Place<'e> {
    /// The path of the graph in findings about the original model.
    path: String,
    /// The edit that changed the graph.
    edit: Option<&'e GraphEdit>,
}

impl<'e> Places<'e> {
    /// `edit` made the model whose graphs these are.
    pub(super) fn of(graphs: &[GraphAt<'_, '_>], edit: &'e ModelEdit) -> Self {
        let mut places = Self(Vec::with_capacity(graphs.len()));
        for graph in graphs {
            let place = match graph.kind {
                GraphKind::Main => Place { path: graph.path.to_owned(), edit: Some(&edit.graph) },
                GraphKind::Function => {
                    let edit = graph.function.and_then(|function| edit.functions.get(&function));
                    Place { path: graph.path.to_owned(), edit: edit.map(|edit| &edit.body) }
                }
                GraphKind::Subgraph { parent, position } => places.subgraph(graphs, graph.path, parent, position),
            };
            places.0.push(place);
        }
        places
    }

    fn subgraph(&self, graphs: &[GraphAt<'_, '_>], path: &str, parent: usize, at: SubgraphPosition) -> Place<'e> {
        let node = self.node(parent, at.node);
        let outer = self.0.get(parent);
        let edit = outer.and_then(|outer| outer.edit?.subgraphs.get(&SubgraphPosition { node, ..at }));
        // The path of a graph is that of the graph around it, the index of the node, and a name.
        let inner = graphs.get(parent).and_then(|parent| path.strip_prefix(parent.path)?.strip_prefix('/'));
        let name = inner.map(|inner| inner.trim_start_matches(|letter: char| letter.is_ascii_digit()));
        let path = match (outer, name) {
            (Some(outer), Some(name)) => format!("{}/{node}{name}", outer.path),
            _ => path.to_owned(),
        };
        Place { path, edit }
    }

    /// The path of a graph in the original model.
    pub(super) fn path(&self, graph: usize) -> &str {
        self.0.get(graph).map_or("", |place| &place.path)
    }

    /// The index of a node in the original model.
    pub(super) fn node(&self, graph: usize, node: usize) -> usize {
        let order = self.0.get(graph).and_then(|place| place.edit?.order.as_ref());
        order.and_then(|order| order.get(node)).copied().unwrap_or(node)
    }

    /// The paths that differ in the original model, each with its original path.
    pub(super) fn changed(&self, graphs: &[GraphAt<'_, '_>]) -> HashMap<String, String> {
        let all = graphs.iter().zip(&self.0).filter(|(graph, place)| graph.path != place.path);
        all.map(|(graph, place)| (graph.path.to_owned(), place.path.clone())).collect()
    }
}
