//! A graph, or the body of a function: its names and what it declares.

use std::collections::{HashMap, HashSet};

use super::value::Side;
use super::{Form, Place};
use crate::analysis::GraphKind;
use crate::analysis::graphs::Graph;
use crate::analysis::report::At;
use crate::code::Code;
use crate::model::proto::{GraphProto, NodeProto};

impl<'m> Form<'m, '_> {
    pub(super) fn graph(&mut self, graph: Graph<'_, 'm>) {
        let place = Place::graph(graph.path);
        if let Some(proto) = graph.proto {
            self.proto(proto, graph.kind, place);
        } else if let Some(function) = graph.function {
            self.function(function, place);
        }
        self.node_names(graph);
    }

    fn proto(&mut self, graph: &'m GraphProto, kind: GraphKind, place: Place<'_>) {
        if graph.name.is_empty() {
            let found = place.finding(Code::FieldMissing, "the graph has no name");
            self.push(found.expected("a name").found("an empty one").help("give it a name, which the format requires"));
        }
        self.metadata(&graph.metadata_props, "the graph", place);
        let (input, output) = match kind {
            GraphKind::Main => (Side::Input, Side::Output),
            GraphKind::Subgraph { .. } | GraphKind::Function => (Side::Inner, Side::Inner),
        };
        let initialized: HashSet<&str> = graph.initializer.iter().map(|tensor| &*tensor.name).collect();
        for info in &graph.input {
            // Up to IR 3 an initializer is an input too, and the caller need not give it.
            let is_optional = initialized.contains(&*info.name) && (1..4).contains(&self.ir_version);
            self.value(info, if is_optional { Side::Inner } else { input }, place);
        }
        graph.output.iter().for_each(|info| self.value(info, output, place));
        graph.value_info.iter().for_each(|info| self.value(info, Side::Inner, place));
        self.initializers(graph, &initialized, kind, place);
        if !graph.quantization_annotation.is_empty() {
            self.needs(5, "a quantization annotation", place);
            self.quantization(graph, place);
        }
    }

    fn initializers(&mut self, graph: &'m GraphProto, initialized: &HashSet<&str>, kind: GraphKind, place: Place<'_>) {
        for tensor in &graph.initializer {
            self.initializer(tensor, place);
        }
        for sparse in &graph.sparse_initializer {
            self.sparse_initializer(sparse, place);
        }
        if (1..4).contains(&self.ir_version) {
            let inputs: HashSet<&str> = graph.input.iter().map(|input| &*input.name).collect();
            for tensor in graph.initializer.iter().filter(|tensor| !inputs.contains(&*tensor.name)) {
                let message = format!("the initializer `{}` is not an input of the graph", tensor.name);
                let found = place.finding(Code::InitializerNotInput, message);
                let found = found.expected("an input of the same name, up to IR version 3");
                let found = found.found(format!("none, and IR version {}", self.ir_version));
                self.push(found.help("set ir_version to 4, or add the input"));
            }
        } else if let GraphKind::Subgraph { .. } = kind {
            for input in graph.input.iter().filter(|input| initialized.contains(&*input.name)) {
                let message = format!("`{}` is both an input and an initializer of a subgraph", input.name);
                let found = place.finding(Code::InitializerInput, message);
                let found = found.expected("one of the two, because the node supplies each input").found("both");
                self.push(
                    found.help("remove the initializer, or remove the input if the node supplies no value for it"),
                );
            }
        }
    }

    /// Nodes that share a name; those without one do not.
    fn node_names(&mut self, graph: Graph<'_, 'm>) {
        let mut first: HashMap<&str, usize> = HashMap::with_capacity(graph.nodes.len());
        // By name: the second node, and all of them.
        let mut shared: Vec<(At<'_>, Vec<usize>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (index, node) in graph.nodes.iter().enumerate().filter(|(_, node)| !node.name.is_empty()) {
            let NodeProto { name, .. } = node;
            let Some(one) = first.get(&**name).copied() else {
                first.insert(name, index);
                continue;
            };
            let place = *places.entry(name).or_insert_with(|| {
                shared.push((At { graph: graph.id, index, node }, vec![one]));
                shared.len() - 1
            });
            if let Some((_, nodes)) = shared.get_mut(place) {
                nodes.push(index);
            }
        }
        for (at, nodes) in shared {
            let place = Place { graph: graph.path, at: Some(at) };
            let message = format!("{} nodes are called `{}`", nodes.len(), at.node.name);
            let found = place.finding(Code::NodeNameDuplicate, message).expected("a unique name for each, or none");
            self.push(found.found(numbers(&nodes)).help("rename all but one, or leave their names empty"));
        }
    }
}

/// The first few places: `nodes 0, 4 and 7 more`.
fn numbers(nodes: &[usize]) -> String {
    const MOST: usize = 8;
    let some = nodes.get(..MOST).unwrap_or(nodes).iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    match nodes.len() - MOST.min(nodes.len()) {
        0 => format!("nodes {some}"),
        more => format!("nodes {some} and {more} more"),
    }
}
