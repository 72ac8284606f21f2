//! The graphs of training, each as a model that can be analysed by itself.
//!
//! The graph of a training step continues the main graph: it reads its values, and may read its initializers. In the
//! model of such a graph these are inputs and initializers after its own.

use std::collections::HashSet;

use super::result::ConvertedNode;
use crate::analysis::Analysis;
use crate::annotate::refined;
use crate::file::proto::{GraphProto, ModelProto, StringStringEntryProto, TrainingInfoProto, ValueInfoProto};
use crate::file::{Attribute, Function, Graph, GraphEdit, Model, ModelEdit};
use crate::finding::Finding;
use crate::graph::GraphKind;

/// A graph of training.
pub(super) struct Part {
    /// A model whose main graph is this graph.
    pub(super) model: Model,
    /// The index of its entry in the training information.
    index: usize,
    role: Role,
    /// The number of its own initializers and inputs.
    own: (usize, usize),
}

#[derive(Clone, Copy)]
enum Role {
    Initialization,
    Algorithm,
}

impl Part {
    fn new(of: &Model, graph: GraphProto, own: (usize, usize), index: usize, role: Role) -> Option<Self> {
        let proto = ModelProto {
            ir_version: of.ir_version(),
            opset_import: of.opset_import().to_vec(),
            functions: of.functions().iter().map(Function::proto).collect(),
            graph: Some(graph),
            ..ModelProto::default()
        };
        // What comes of a model that was read can be read again.
        Some(Self { model: Model::of(&proto).ok()?, index, role, own })
    }

    /// The path of a graph of this part in findings about the whole model.
    pub(super) fn path(&self, path: &str) -> String {
        let role = match self.role {
            Role::Initialization => "initialization",
            Role::Algorithm => "algorithm",
        };
        match path.strip_prefix("graph") {
            Some(rest) => format!("training_info/{}.{role}{rest}", self.index),
            None => path.to_owned(),
        }
    }

    pub(super) fn found(&self, found: Finding) -> Finding {
        Finding { graph: self.path(&found.graph), ..found }
    }

    pub(super) fn converted(&self, node: ConvertedNode) -> ConvertedNode {
        ConvertedNode { graph: self.path(&node.graph), ..node }
    }

    /// Adds the edit of the graph to that of the model.
    pub(super) fn put(&self, mut graph: GraphEdit, edit: &mut ModelEdit) {
        let (initializers, inputs) = self.own;
        graph.initializers.remove.retain(|index| *index < initializers);
        graph.inputs.remove.retain(|index| *index < inputs);
        if graph != GraphEdit::default() {
            let training = edit.training.entry(self.index).or_default();
            match self.role {
                Role::Initialization => training.initialization = graph,
                Role::Algorithm => training.algorithm = graph,
            }
        }
    }
}

/// The graphs of training; in `analysis`, initializers that training sets are not constants.
pub(super) fn parts(model: &Model, analysis: &Analysis<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    for (index, training) in model.training_info().iter().enumerate() {
        let graphs = [(training.initialization(), Role::Initialization), (training.algorithm(), Role::Algorithm)];
        for (graph, role) in graphs {
            let Some(graph) = graph else { continue };
            let mut graph = graph.proto();
            let own = (graph.initializer.len(), graph.input.len());
            if let Role::Algorithm = role {
                extend(&mut graph, model, analysis);
            }
            parts.extend(Part::new(model, graph, own, index, role));
        }
    }
    parts
}

/// Adds the values of the main graph, which the graph of a training step may read.
fn extend(graph: &mut GraphProto, model: &Model, analysis: &Analysis<'_>) {
    let set = variables(model);
    let mut known: HashSet<String> = graph.input.iter().map(|input| input.name.clone()).collect();
    known.extend(graph.initializer.iter().map(|tensor| tensor.name.clone()));
    for tensor in model.graph().iter().flat_map(|main| main.initializers()) {
        if !set.contains(&*tensor.name) && known.insert(tensor.name.clone()) {
            graph.initializer.push(tensor.clone());
        }
    }
    let is_main = |graph: usize| analysis.graphs.get(graph).is_some_and(|info| info.kind == GraphKind::Main);
    for value in analysis.values.iter().filter(|value| is_main(value.graph)) {
        if known.insert(value.name.to_owned()) {
            let ty = refined(value, None, &analysis.symbols, false);
            graph.input.push(ValueInfoProto { name: value.name.to_owned(), r#type: ty, ..ValueInfoProto::default() });
        }
    }
}

/// The initializers that training sets, by name.
pub(super) fn variables(model: &Model) -> HashSet<String> {
    bindings(model).map(|binding| binding.key).collect()
}

fn bindings(model: &Model) -> impl Iterator<Item = StringStringEntryProto> {
    model.training_info().iter().flat_map(|training| {
        let TrainingInfoProto { initialization_binding, update_binding, .. } = training.header();
        initialization_binding.into_iter().chain(update_binding)
    })
}

/// An input for each initializer that training sets, so that its elements do not count as constant.
pub(super) fn inputs_of_variables(model: &Model) -> Vec<ValueInfoProto> {
    let set = variables(model);
    let Some(graph) = model.graph().filter(|_| !set.is_empty()) else { return Vec::new() };
    let inputs: HashSet<&str> = graph.inputs().names().map(|input| model.text(input)).collect();
    let is_added = |name: &str| set.contains(name) && !inputs.contains(name);
    graph.initializers().iter().filter(|tensor| is_added(&tensor.name)).map(super::constant::input_of).collect()
}

/// The names of values that training reads, computes or sets.
pub(super) fn names(model: &Model) -> Vec<String> {
    fn of_graph(graph: Graph<'_>, names: &mut Vec<String>) {
        let model = graph.model();
        let of_values = graph.inputs().names().chain(graph.outputs().names()).chain(graph.initializers().names());
        names.extend(of_values.map(|name| model.text(name).to_owned()));
        for node in graph.nodes() {
            names.extend(node.inputs().iter().chain(node.outputs()).map(str::to_owned));
            node.attributes().iter().flat_map(Attribute::subgraphs).for_each(|graph| of_graph(graph, names));
        }
    }
    let mut names = Vec::new();
    for training in model.training_info() {
        training.initialization().into_iter().chain(training.algorithm()).for_each(|graph| of_graph(graph, &mut names));
    }
    names.extend(bindings(model).flat_map(|binding| [binding.key, binding.value]));
    names
}
