//! Walks a graph or the body of a function: its values in order.

use std::collections::{HashMap, HashSet};

use super::analyzer::{Analyzer, Declarations};
use super::declared::Before;
use super::initial::LAST_CONSTANT_IR;
use super::subgraphs::input::{SubgraphInput, supplied};
use crate::file::{Function, Graph, List, Name, Node, Undecoded};
use crate::finding::Finding;
use crate::functions::path;
use crate::graph::{GraphInfo, GraphKind, NodeAt};
use crate::imports::Imports;
use crate::names::RandomState;
use crate::value::Origin;
use shape_core::code::Code;
use shape_core::symbolic::{Cause, Reason};

impl<'m> Analyzer<'m, '_> {
    /// Walks a graph; `inputs` is what its node passes to it.
    pub(super) fn graph(&mut self, graph: Graph<'m>, path: String, kind: GraphKind, inputs: &[SubgraphInput]) {
        let id = self.analysis.graphs.len();
        if let Some(walked) = self.walked.get_mut(graph.index()) {
            *walked = id;
        }
        self.analysis.graphs.push(GraphInfo {
            path,
            kind,
            proto: Some(graph),
            nodes: graph.nodes(),
            outputs: Vec::new(),
        });
        let outputs = graph.nodes().iter().map(|node| node.outputs().len()).sum::<usize>();
        let count = graph.inputs().len() + graph.initializers().len() + outputs;
        self.analysis.values.reserve(count);
        self.bindings.open();
        let is_supplied = (!inputs.is_empty()).then(|| supplied(graph, self.ir_version));
        let mut inputs = inputs.iter();
        let initializers =
            if self.ir_version > LAST_CONSTANT_IR { None } else { Some(graph.initializers().undecoded()) };
        let constants: HashSet<Name, RandomState> = initializers.into_iter().flatten().map(Undecoded::name).collect();
        for input in graph.inputs().undecoded() {
            let is_supplied = is_supplied.as_ref().is_some_and(|supplied| supplied(input.message()));
            let passed = if is_supplied { inputs.next() } else { None };
            let before = if constants.contains(&input.name()) { Before::Initializer } else { Before::Nothing };
            self.input(input, id, kind, passed, before);
        }
        let mut defaults = HashSet::default();
        for tensor in graph.initializers().undecoded() {
            if self.has_name(tensor.name(), id) {
                self.initializer(tensor, id, &mut defaults);
            }
        }
        for (name, sparse) in graph.sparse_initializers().names().zip(graph.sparse_initializers()) {
            if sparse.values.is_some() && self.has_name(name, id) {
                self.sparse_initializer(name, sparse, id, &mut defaults);
            }
        }
        let count = graph.value_info().len() + graph.outputs().len();
        let mut declarations: Declarations<'m> = HashMap::with_capacity_and_hasher(count, RandomState::default());
        for list in [graph.value_info(), graph.outputs()] {
            declarations.extend(list.undecoded().map(|info| (info.name(), info)));
        }
        self.nodes(graph.nodes(), id, &declarations);
        for output in graph.outputs().names() {
            self.output(output, id);
        }
        self.check_declared(graph, id, &declarations);
        let outputs = graph.outputs().names().map(|output| self.bindings.here(output)).collect();
        if let Some(info) = self.analysis.graphs.get_mut(id) {
            info.outputs = outputs;
        }
        self.bindings.close();
    }

    /// Whether an initializer has a name; one without is a finding.
    fn has_name(&mut self, name: Name, graph: usize) -> bool {
        if name.is_empty() {
            let found = Finding::new(Code::FieldMissing, self.path(graph), "an initializer has no name");
            let found = found.expected("a name").found("an empty one");
            self.analysis.findings.push(found.help("give it the name that its readers use, or remove it"));
        }
        !name.is_empty()
    }

    /// Checks an output of a graph, which must be a value of that graph itself.
    fn output(&mut self, output: Name, graph: usize) {
        if self.bindings.here(output).is_some() {
            return;
        }
        let (path, name) = (self.path(graph), self.model.text(output));
        let (code, message, found, help) = if name.is_empty() {
            let message = "a graph output has no name".to_owned();
            (Code::FieldMissing, message, "an empty name", "give it the name of a value")
        } else if self.lookup(output).is_some() {
            let message = format!("the graph output `{name}` is a value of an outer graph");
            (
                Code::OutputUndefined,
                message,
                name,
                "add an Identity node to this graph, and make its output the graph output",
            )
        } else {
            let message = format!("nothing computes the graph output `{name}`");
            (Code::OutputUndefined, message, name, "add the node that computes it, or remove it from the outputs")
        };
        let found = Finding::new(code, path, message).expected("a value of this graph").found(found).help(help);
        self.analysis.findings.push(found);
    }

    pub(super) fn function(&mut self, index: usize, function: Function<'m>) {
        let id = self.analysis.graphs.len();
        let path = path(function);
        let imports = self.functions.imports(Some(index)).clone();
        if self.imports_in_order != Some(imports.id()) {
            let (findings, registry) = (&mut self.analysis.findings, &self.options.registry);
            let before = findings.added();
            Imports::check(function.opset_import(), self.ir_version, &path, registry, findings);
            self.imports_in_order = (findings.added() == before).then(|| imports.id());
        }
        let outer = std::mem::replace(&mut self.imports, imports);
        let unimported = std::mem::take(&mut self.unimported);
        self.bindings.open();
        self.function_body(function, path, &[]);
        for output in function.outputs().names() {
            if self.lookup(*output).is_none() {
                let name = self.model.text(*output);
                let message = format!("nothing computes the function output `{name}`");
                let found = Finding::new(Code::OutputUndefined, self.path(id), message);
                let found = found.expected("an input of the function, or an output of one of its nodes").found(name);
                self.analysis.findings.push(found.help("add the node that computes it, or remove it from the outputs"));
            }
        }
        self.bindings.close();
        self.unimported = unimported;
        self.imports = outer;
    }

    /// Walks a function body in a new scope that is already open. Of an input without a value is known what the function
    /// declares.
    pub(super) fn function_body(&mut self, function: Function<'m>, path: String, inputs: &[Option<u32>]) {
        let id = self.analysis.graphs.len();
        let (kind, nodes) = (GraphKind::Function, function.nodes());
        self.analysis.graphs.push(GraphInfo { path, kind, proto: None, nodes, outputs: Vec::new() });
        let declarations: Declarations<'m> =
            function.value_info().undecoded().map(|info| (info.name(), info)).collect();
        for (index, name) in function.inputs().names().iter().enumerate() {
            if self.calls.absent.contains(name) {
                continue;
            }
            let value = self.next_value();
            let passed = inputs.get(index).copied().flatten();
            let known = match passed.and_then(|passed| self.analysis.values.get(passed as usize)) {
                Some(passed) => passed.shared.clone(),
                None => {
                    let elements = Err(Reason { cause: Cause::GivenAtRun, value });
                    let declared = declarations.get(name).and_then(|info| info.message().r#type.as_ref());
                    let declared = self.read(self.model.text(*name), declared, value, id);
                    self.trust(declared.dims.as_deref().unwrap_or_default());
                    self.share(value, declared, elements)
                }
            };
            self.define(*name, id, Origin::Input, known);
        }
        self.nodes(function.nodes(), id, &declarations);
    }

    pub(super) fn nodes(&mut self, nodes: List<'m, Node<'m>>, graph: usize, declarations: &Declarations<'m>) {
        // Built at the first undefined name, to distinguish a name that is used too early from one that is never
        // defined.
        let mut later: Option<HashMap<Name, usize>> = None;
        let mut inputs: Vec<Option<u32>> = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let at = NodeAt { graph, index, node };
            inputs.clear();
            let names = node.inputs().names();
            inputs.extend(names.iter().map(|name| if name.is_empty() { None } else { self.lookup(*name) }));
            for (input, id) in names.iter().zip(&inputs) {
                if id.is_some() || self.is_absent(*input) {
                    continue;
                }
                let later = later.get_or_insert_with(|| {
                    let outputs = |(index, node): (usize, Node<'m>)| {
                        node.outputs().names().iter().map(move |name| (*name, index))
                    };
                    nodes.iter().enumerate().flat_map(outputs).collect()
                });
                let name = self.model.text(*input);
                let (message, help) = match later.get(input) {
                    Some(giver) => (
                        format!("`{name}` is read before node {giver} computes it"),
                        "sort the nodes so that each one comes after the nodes that it reads; a cycle cannot be sorted",
                    ),
                    None => {
                        (format!("nothing computes `{name}`"), "correct the name, or add the node that computes it")
                    }
                };
                let found = Finding::new(Code::ValueUndefined, self.path(graph), message).at(at);
                let found = found.expected("an input, an initializer, or an output of an earlier node").found(name);
                self.analysis.findings.push(found.help(help));
            }
            self.node(at, &inputs, declarations);
        }
    }
}
