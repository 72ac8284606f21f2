//! Checks the names and declarations of a graph or of the body of a function.

use std::collections::{HashMap, HashSet};

use super::checker::{Checker, Location, Side};
use crate::file::proto::GraphProto;
use crate::file::{Graph, Name};
use crate::graph::{GraphAt, GraphKind, NodeAt};
use crate::names::{Names, RandomState};
use crate::text::first_few;
use shape_core::code::Code;

impl<'m> Checker<'m, '_> {
    pub(super) fn graph(&mut self, graph: GraphAt<'_, 'm>) {
        let location = Location::graph(graph.path);
        if let Some(proto) = graph.proto {
            self.proto(proto, graph.kind, location);
        } else if let Some(function) = graph.function {
            self.function(function, location);
        }
        self.node_names(graph);
    }

    fn proto(&mut self, graph: Graph<'m>, kind: GraphKind, location: Location<'_>) {
        if graph.name().is_empty() {
            let found = location.finding(Code::FieldMissing, "the graph has no name");
            self.push(found.expected("a name").found("an empty one").help("give it a name, which the format requires"));
        }
        let GraphProto { metadata_props, quantization_annotation, .. } = graph.header();
        self.metadata(&metadata_props, &"the graph", location);
        let (input, output) = match kind {
            GraphKind::Main => (Side::Input, Side::Output),
            GraphKind::Subgraph { .. } | GraphKind::Function => (Side::Inner, Side::Inner),
        };
        let initialized: HashSet<Name, RandomState> = graph.initializers().names().collect();
        for info in graph.inputs().undecoded() {
            // Up to IR 3 an initializer is an input too, and callers may leave it out.
            let is_optional = initialized.contains(&info.name()) && (1..4).contains(&self.ir_version);
            self.declaration(info, if is_optional { Side::Inner } else { input }, location);
        }
        graph.outputs().undecoded().for_each(|info| self.declaration(info, output, location));
        graph.value_info().undecoded().for_each(|info| self.declaration(info, Side::Inner, location));
        self.initializers(graph, &initialized, kind, location);
        if !quantization_annotation.is_empty() {
            self.needs(5, "a quantization annotation", location);
            self.quantization(graph, &quantization_annotation, location);
        }
    }

    fn initializers(
        &mut self,
        graph: Graph<'m>,
        initialized: &HashSet<Name, RandomState>,
        kind: GraphKind,
        location: Location<'_>,
    ) {
        for tensor in graph.initializers().undecoded() {
            self.initializer(tensor, location);
        }
        for sparse in graph.sparse_initializers() {
            self.sparse_initializer(sparse, location);
        }
        if (1..4).contains(&self.ir_version) {
            let inputs: HashSet<Name, RandomState> = graph.inputs().names().collect();
            for name in graph.initializers().names().filter(|name| !inputs.contains(name)) {
                let message = format!("the initializer `{}` is not an input of the graph", self.model.text(name));
                let found = location.finding(Code::InitializerNotInput, message);
                let found = found.expected("an input of the same name, up to IR version 3");
                self.needed_ir_version = self.needed_ir_version.max(4);
                let found = found.found(format!("none, and IR version {}", self.ir_version));
                self.push(found.help("set ir_version to 4, or add the input"));
            }
        } else if let GraphKind::Subgraph { .. } = kind {
            for name in graph.inputs().names().filter(|name| initialized.contains(name)) {
                let name = self.model.text(name);
                let message = format!("`{name}` is both an input and an initializer of a subgraph");
                let found = location.finding(Code::InitializerInput, message);
                let found = found.expected("one of the two, because the node supplies each input").found("both");
                self.push(
                    found.help("remove the initializer, or remove the input if the node supplies no value for it"),
                );
            }
        }
    }

    /// Reports nodes with the same name; unnamed nodes do not count.
    fn node_names(&mut self, graph: GraphAt<'_, 'm>) {
        let mut first: Names<'_, usize> = HashMap::with_capacity_and_hasher(graph.nodes.len(), RandomState::default());
        // By name: the second node with it, and the indices of all of them.
        let mut shared: Vec<(NodeAt<'_>, Vec<usize>)> = Vec::new();
        let mut indices: HashMap<&str, usize> = HashMap::new();
        for (index, node) in graph.nodes.iter().enumerate().filter(|(_, node)| !node.name().is_empty()) {
            let name = node.name();
            let Some(one) = first.get(name).copied() else {
                first.insert(name, index);
                continue;
            };
            let index_of_shared = *indices.entry(name).or_insert_with(|| {
                shared.push((NodeAt { graph: graph.id, index, node }, vec![one]));
                shared.len() - 1
            });
            if let Some((_, nodes)) = shared.get_mut(index_of_shared) {
                nodes.push(index);
            }
        }
        for (at, nodes) in shared {
            let location = Location { graph: graph.path, at: Some(at) };
            let message = format!("{} nodes are called `{}`", nodes.len(), at.node.name());
            let found = location.finding(Code::NodeNameDuplicate, message).expected("a unique name for each, or none");
            self.push(
                found
                    .found(format!("nodes {}", first_few(nodes.iter().map(usize::to_string))))
                    .help("rename all but one, or leave their names empty"),
            );
        }
    }
}
