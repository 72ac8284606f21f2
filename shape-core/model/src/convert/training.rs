//! The graphs of training, each as a model that can be analysed by itself.
//!
//! The graph of a training step continues the main graph: it reads its values, and may read its initializers. In the
//! model of such a graph these are inputs and initializers after its own.

use std::borrow::Cow;
use std::collections::HashSet;

use super::result::ConvertedNode;
use crate::analysis::Analysis;
use crate::annotate::refined;
use crate::file::proto::{GraphProto, ModelProto, ValueInfoProto};
use crate::file::{GraphEdit, ModelEdit};
use crate::finding::Finding;
use crate::graph::GraphKind;

/// A graph of training.
pub(super) struct Part {
    /// The graph as a model.
    pub(super) model: ModelProto,
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
    fn new(of: &ModelProto, graph: GraphProto, index: usize, role: Role) -> Self {
        let own = (graph.initializer.len(), graph.input.len());
        let model = ModelProto {
            ir_version: of.ir_version,
            opset_import: of.opset_import.clone(),
            functions: of.functions.clone(),
            graph: Some(graph),
            ..ModelProto::default()
        };
        Self { model, index, role, own }
    }

    /// The path of a graph in findings, where the main graph is the one of training.
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

/// The graphs of training; `analysis` is that of the model without variables.
pub(super) fn parts(model: &ModelProto, analysis: &Analysis<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    for (index, training) in model.training_info.iter().enumerate() {
        let graphs = [(&training.initialization, Role::Initialization), (&training.algorithm, Role::Algorithm)];
        for (graph, role) in graphs {
            let Some(graph) = graph else { continue };
            let mut part = Part::new(model, graph.clone(), index, role);
            if let (Role::Algorithm, Some(graph)) = (role, &mut part.model.graph) {
                extend(graph, model, analysis);
            }
            parts.push(part);
        }
    }
    parts
}

/// Adds the values of the main graph, which the graph of a training step may read.
fn extend(graph: &mut GraphProto, model: &ModelProto, analysis: &Analysis<'_>) {
    let set = variables(model);
    let mut known: HashSet<String> = graph.input.iter().map(|input| input.name.clone()).collect();
    known.extend(graph.initializer.iter().map(|tensor| tensor.name.clone()));
    for tensor in model.graph.iter().flat_map(|main| &main.initializer) {
        if !set.contains(&*tensor.name) && known.insert(tensor.name.clone()) {
            graph.initializer.push(tensor.clone());
        }
    }
    let is_main = |graph: usize| analysis.graphs.get(graph).is_some_and(|info| info.kind == GraphKind::Main);
    for value in analysis.values.iter().filter(|value| is_main(value.graph)) {
        if known.insert(value.name.to_owned()) {
            let ty = refined(value, None, &analysis.symbols);
            graph.input.push(ValueInfoProto { name: value.name.to_owned(), r#type: ty, ..ValueInfoProto::default() });
        }
    }
}

/// The initializers that training sets, by name.
pub(super) fn variables(model: &ModelProto) -> HashSet<&str> {
    let bindings = model
        .training_info
        .iter()
        .flat_map(|training| training.initialization_binding.iter().chain(&training.update_binding));
    bindings.map(|binding| &*binding.key).collect()
}

/// The model, with each initializer that training sets as an input too, so that nobody takes its elements as fixed.
pub(super) fn without_variables(model: &ModelProto) -> Cow<'_, ModelProto> {
    let set = variables(model);
    let Some(graph) = model.graph.as_ref().filter(|_| !set.is_empty()) else { return Cow::Borrowed(model) };
    let inputs: HashSet<&str> = graph.input.iter().map(|input| &*input.name).collect();
    let is_added = |name: &str| set.contains(name) && !inputs.contains(name);
    let added = graph.initializer.iter().filter(|tensor| is_added(&tensor.name)).map(super::constant::input_of);
    let mut model = model.clone();
    if let Some(graph) = &mut model.graph {
        graph.input.extend(added);
    }
    Cow::Owned(model)
}

/// The names of values that training reads, computes or sets.
pub(super) fn names(model: &ModelProto) -> Vec<String> {
    fn of_graph(graph: &GraphProto, names: &mut Vec<String>) {
        names.extend(graph.input.iter().chain(&graph.output).map(|value| value.name.clone()));
        names.extend(graph.initializer.iter().map(|tensor| tensor.name.clone()));
        for node in &graph.node {
            names.extend(node.input.iter().chain(&node.output).cloned());
            for attribute in &node.attribute {
                attribute.g.as_deref().into_iter().chain(&attribute.graphs).for_each(|graph| of_graph(graph, names));
            }
        }
    }
    let mut names = Vec::new();
    for training in &model.training_info {
        training.initialization.iter().chain(&training.algorithm).for_each(|graph| of_graph(graph, &mut names));
        let bindings = training.initialization_binding.iter().chain(&training.update_binding);
        names.extend(bindings.flat_map(|binding| [binding.key.clone(), binding.value.clone()]));
    }
    names
}
