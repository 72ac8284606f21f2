//! Reports initializers and declared types that nothing uses.

use super::checker::{Checker, Location};
use crate::file::proto::TrainingInfoProto;
use crate::file::{Function, Graph, List, Model, Name, Node};
use crate::graph::GraphAt;
use crate::text::first_few;
use shape_core::code::Code;

/// How a model uses each name of a value, in all of its graphs together: a name that is not used in any graph is
/// unused.
pub(crate) struct Mentioned {
    /// By name: whether a node, the outputs of a graph, quantization or training read it.
    read: Vec<bool>,
    /// By name: whether something reads or computes it.
    any: Vec<bool>,
}

impl Mentioned {
    pub(crate) fn of(model: &Model) -> Self {
        let mut mentioned = Self { read: vec![false; model.name_count()], any: vec![false; model.name_count()] };
        for graph in model.all_graphs() {
            mentioned.graph(graph);
        }
        for function in model.functions() {
            mentioned.function(function);
        }
        for training in model.training_info() {
            let TrainingInfoProto { initialization_binding, update_binding, .. } = training.header();
            let names = initialization_binding.iter().chain(&update_binding).flat_map(|pair| [&pair.key, &pair.value]);
            names.filter_map(|name| model.name(name)).for_each(|name| mentioned.read(name));
        }
        mentioned
    }

    fn graph(&mut self, graph: Graph<'_>) {
        graph.nodes().iter().for_each(|node| self.node(node));
        graph.outputs().names().for_each(|name| self.read(name));
        let given = graph.initializers().names().chain(graph.sparse_initializers().names());
        given.chain(graph.inputs().names()).for_each(|name| self.given(name));
        for annotation in graph.header().quantization_annotation {
            let parameters = annotation.quant_parameter_tensor_names.iter().map(|entry| &entry.value);
            let names = parameters.chain([&annotation.tensor_name]).filter_map(|name| graph.model().name(name));
            names.for_each(|name| self.read(name));
        }
    }

    fn function(&mut self, function: Function<'_>) {
        function.nodes().iter().for_each(|node| self.node(node));
        function.outputs().names().iter().for_each(|name| self.read(*name));
        function.inputs().names().iter().for_each(|name| self.given(*name));
    }

    fn node(&mut self, node: Node<'_>) {
        node.inputs().names().iter().for_each(|name| self.read(*name));
        node.outputs().names().iter().for_each(|name| self.given(*name));
    }

    fn read(&mut self, name: Name) {
        set(&mut self.read, name);
        self.given(name);
    }

    fn given(&mut self, name: Name) {
        set(&mut self.any, name);
    }

    /// The initializers of a graph that nothing reads and that are no inputs, by their indices.
    pub(crate) fn unread_initializers(&self, graph: Graph<'_>) -> Vec<(usize, Name)> {
        let mut is_input = vec![false; self.any.len()];
        graph.inputs().names().for_each(|name| set(&mut is_input, name));
        let unread = |name: Name| !name.is_empty() && !has(&self.read, name) && !has(&is_input, name);
        graph.initializers().names().enumerate().filter(|(_, name)| unread(*name)).collect()
    }

    /// The entries of `value_info` whose names occur nowhere else, by their indices.
    pub(crate) fn unused_declarations(&self, names: impl Iterator<Item = Name>) -> Vec<(usize, Name)> {
        names.enumerate().filter(|(_, name)| !name.is_empty() && !has(&self.any, *name)).collect()
    }
}

fn set(names: &mut [bool], name: Name) {
    if let Some(slot) = names.get_mut(name.index()) {
        *slot = true;
    }
}

fn has(names: &[bool], name: Name) -> bool {
    names.get(name.index()).copied().unwrap_or(true)
}

impl<'m> Checker<'m, '_> {
    /// Reports what nothing uses, once for each graph.
    pub(super) fn unused<'a>(&mut self, graphs: impl Iterator<Item = GraphAt<'a, 'm>>)
    where
        'm: 'a,
    {
        let mut mentioned = None;
        for at in graphs {
            let function = at.function.filter(|_| at.proto.is_none());
            let function = function.and_then(|function| self.model.functions().get(function));
            let declarations = at.proto.map(Graph::value_info).or(function.map(Function::value_info));
            let has_initializers = at.proto.is_some_and(|graph| !graph.initializers().is_empty());
            if !has_initializers && declarations.is_none_or(List::is_empty) {
                continue;
            }
            let mentioned = mentioned.get_or_insert_with(|| Mentioned::of(self.model));
            let location = Location::graph(at.path);
            let unread = at.proto.map(|graph| mentioned.unread_initializers(graph)).unwrap_or_default();
            if !unread.is_empty() {
                let message = match &*unread {
                    [_] => "nothing reads an initializer of the graph".to_owned(),
                    more => format!("nothing reads {} initializers of the graph", more.len()),
                };
                let found = location.finding(Code::InitializerUnused, message).expected("none that nothing reads");
                self.push(found.found(listed(self.model, &unread)).help("remove what nothing reads"));
            }
            let unused = declarations.map(|list| mentioned.unused_declarations(list.names())).unwrap_or_default();
            if !unused.is_empty() {
                let message = match &*unused {
                    [_] => "`value_info` declares a value that the model does not have".to_owned(),
                    more => format!("`value_info` declares {} values that the model does not have", more.len()),
                };
                let found = location.finding(Code::ValueInfoUnused, message).expected("values of the model");
                self.push(found.found(listed(self.model, &unused)).help("remove these entries"));
            }
        }
    }
}

/// The first few names as text.
pub(crate) fn listed(model: &Model, named: &[(usize, Name)]) -> String {
    first_few(named.iter().map(|(_, name)| model.text(*name)))
}
