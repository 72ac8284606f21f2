//! Converts the nodes of a model, and collects what to write.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::result::ConvertedNode;
use super::target::Target;
use crate::analysis::{Analysis, Scopes};
use crate::constant::{constant, is_fixed};
use crate::file::proto::{AttributeProto, NodeProto, TensorProto, ValueInfoProto};
use crate::file::{FunctionEdit, GraphEdit};
use crate::file::{Model, Node};
use crate::finding::Finding;
use crate::functions::Functions;
use crate::graph::{GraphAt, GraphKind, NodeAt, edit_within, graphs};
use crate::options::Options;
use crate::value::{Origin, Value};
use shape_core::Schema;
use shape_core::code::Code;
use shape_core::convert::Constant;
use shape_core::node::AttributeKind;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;

/// The opsets that a node is converted between.
#[derive(Clone, Copy)]
pub(super) struct OpsetChange<'a> {
    /// The domain of the node, `ai.onnx` for the default one.
    pub(super) domain: &'a str,
    /// The opset that the graph or the function of the node imports.
    pub(super) from: u32,
    pub(super) to: u32,
}

/// The errors that the analysis has already reported.
#[derive(Default)]
pub(super) struct Reported<'a> {
    /// The nodes with an error, by the path of their graph and their index.
    pub(super) nodes: HashSet<(&'a str, usize)>,
    /// The domains with an operator that they do not have.
    pub(super) unknown: HashSet<&'a str>,
    pub(super) opset_too_new: bool,
}

impl<'a> Reported<'a> {
    /// What prevents a conversion.
    pub(super) fn of(analysis: &'a Analysis<'_>, prevents: impl Fn(&Finding) -> bool) -> Self {
        let mut reported = Self::default();
        for (graph, index, found) in analysis.findings.of_nodes().filter(|(.., found)| prevents(found)) {
            reported.nodes.insert((graph, index));
            if found.code == Code::OperatorUnknown {
                reported.unknown.extend(found.node.as_ref().map(|node| &*node.domain));
            }
        }
        reported.opset_too_new = analysis.findings.iter().any(|found| found.code == Code::OpsetTooNew);
        reported
    }
}

/// Converts the nodes of a model, and collects what to write.
pub(super) struct Converter<'m, 'a> {
    pub(super) options: &'a Options,
    pub(super) analysis: &'a Analysis<'m>,
    pub(super) registry: &'a Registry,
    pub(super) functions: &'a Functions<'m>,
    graphs: Vec<GraphAt<'a, 'm>>,
    target: &'a Target,
    pub(super) findings: Vec<Finding>,
    pub(super) reported: Reported<'a>,
    /// For each operator without a descriptor, by domain and name: its finding, and the number of its nodes.
    pub(super) undescribed: HashMap<(&'a str, &'a str), (usize, usize)>,
    /// The IR version before and after.
    ir_versions: (i64, i64),
    /// All names of values, including new ones.
    pub(super) names: HashSet<String>,
    scopes: Scopes<'a, 'm>,
    /// The number of readers of each value, after the conversion.
    uses: HashMap<usize, usize>,
    /// Values that a node no longer reads.
    pub(super) dropped: BTreeSet<usize>,
    pub(super) nodes: Vec<ConvertedNode>,
    /// By graph.
    pub(super) edits: HashMap<usize, GraphEdit>,
}

impl<'m: 'a, 'a> Converter<'m, 'a> {
    /// `ir_versions` are the IR version before and after.
    pub(super) fn new(
        model: &'m Model,
        analysis: &'a Analysis<'m>,
        functions: &'a Functions<'m>,
        options: &'a Options,
        target: &'a Target,
        ir_versions: (i64, i64),
    ) -> Self {
        Self {
            options,
            analysis,
            registry: &options.registry,
            functions,
            graphs: graphs(&analysis.graphs, model).collect(),
            target,
            findings: Vec::new(),
            reported: Reported::default(),
            undescribed: HashMap::new(),
            ir_versions,
            names: HashSet::new(),
            scopes: analysis.scopes(),
            uses: HashMap::new(),
            dropped: BTreeSet::new(),
            nodes: Vec::new(),
            edits: HashMap::new(),
        }
    }

    /// Converts the nodes of the graphs, and those of the functions if `functions` says so.
    pub(super) fn convert(&mut self, functions: bool) {
        for graph in self.graphs.clone() {
            if graph.function.is_some() && !functions {
                continue;
            }
            for (index, node) in graph.nodes.iter().enumerate() {
                let at = NodeAt { graph: graph.id, index, node };
                let change = self.change(graph, node).filter(|change| self.keeps_references(at, *change));
                let inputs = change.and_then(|change| self.node(at, change));
                match &inputs {
                    Some(inputs) => inputs.iter().for_each(|name| self.read(graph.id, name)),
                    None => node.inputs().iter().for_each(|name| self.read(graph.id, name)),
                }
            }
            let of_graph = graph.proto.iter().flat_map(|proto| proto.outputs()).map(|output| &*output.name);
            let function = graph.function.filter(|_| graph.kind == GraphKind::Function);
            let of_function = function.and_then(|function| self.functions.get(function));
            for output in of_graph.chain(of_function.iter().flat_map(|function| function.outputs())) {
                self.read(graph.id, output);
            }
        }
        for (index, nodes) in std::mem::take(&mut self.undescribed).into_values() {
            if let Some(finding) = self.findings.get_mut(index) {
                finding.found = Some(if nodes == 1 { "1 node".to_owned() } else { format!("{nodes} nodes") });
            }
        }
    }

    /// Keeps the values of the main graph with these names, which other parts of the model read.
    pub(super) fn keep<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        let main = self.graphs.iter().find(|graph| graph.kind == GraphKind::Main).map(|graph| graph.id);
        for name in names {
            main.into_iter().for_each(|main| self.read(main, name));
        }
    }

    /// The nodes that changed, the findings, and all names.
    pub(super) fn take(&mut self) -> (Vec<ConvertedNode>, Vec<Finding>, HashSet<String>) {
        (std::mem::take(&mut self.nodes), std::mem::take(&mut self.findings), std::mem::take(&mut self.names))
    }

    /// The opsets that a node is converted between; none for a call of a function, whatever its domain.
    fn change(&self, graph: GraphAt<'a, 'm>, node: Node<'m>) -> Option<OpsetChange<'a>> {
        let domain: &'a str = canonical_domain(node.domain());
        let to = self.target.opset_of(domain)?;
        let from = self.functions.imports(graph.function).get(domain)?;
        let is_call = self.functions.called(node).is_some();
        (!is_call && !node.op_type().is_empty()).then_some(OpsetChange { domain, from, to })
    }

    /// The index of the value with this name, in a graph or one around it.
    pub(super) fn lookup(&self, graph: usize, name: &str) -> Option<usize> {
        self.scopes.index(graph, name).map(|index| index as usize)
    }

    /// Counts a reader of a value.
    pub(super) fn read(&mut self, graph: usize, name: &str) {
        if let Some(value) = self.lookup(graph, name) {
            *self.uses.entry(value).or_default() += 1;
        }
    }

    pub(super) fn path(&self, graph: usize) -> &'a str {
        self.analysis.graphs.get(graph).map_or("", |info| &info.path)
    }

    /// Whether a value is an initializer that callers cannot replace.
    pub(super) fn is_fixed(&self, value: &Value<'m>) -> bool {
        is_fixed(value, self.ir_versions.0)
    }

    /// The elements of a value, if they are known before the model runs.
    pub(super) fn constant(&self, value: &Value<'m>) -> Option<Constant> {
        constant(self.analysis, value, &self.options.external, self.ir_versions.0)
    }

    /// Adds a constant for a node: an initializer, or in the body of a function a node.
    pub(super) fn add_constant(&mut self, at: NodeAt<'a>, tensor: TensorProto, input: ValueInfoProto) {
        // Up to IR 3 an initializer is an input of its graph, and the inputs of a subgraph are fixed by its node.
        let below_4 = self.ir_versions.1 < 4;
        let graph = if below_4 { self.outermost(at.graph) } else { at.graph };
        if let Some(of) = self.function_of(graph).filter(|_| self.outermost(graph) == graph) {
            match self.constant_node(of, tensor) {
                Some(node) => self.edits.entry(graph).or_default().first.push(node),
                None => {
                    let message = "the function has no room for a constant, which the node needs as an input";
                    let found = Finding::new(Code::ConversionUnknown, self.path(at.graph), message).at(at);
                    self.findings.push(found.help("import ai.onnx in the function, or inline it first"));
                }
            }
            return;
        }
        let edit = self.edits.entry(graph).or_default();
        edit.initializers.add.push(tensor);
        if below_4 {
            edit.inputs.add.push(input);
        }
    }

    /// A node of a function that gives a constant: the operator without inputs that has a tensor as an attribute.
    fn constant_node(&self, function: usize, mut tensor: TensorProto) -> Option<NodeProto> {
        let from = self.functions.imports(Some(function)).get("")?;
        let opset = self.target.opset_of("").unwrap_or(from);
        let value = |schema: &Schema| {
            let is_constant = schema.inputs.is_empty() && schema.outputs.len() == 1 && schema.deterministic;
            schema.attributes.iter().find(|attribute| attribute.kind == AttributeKind::Tensor && is_constant)
        };
        let in_force = |versions: &[&'static Schema]| {
            let name = versions.first().filter(|schema| canonical_domain(schema.domain) == canonical_domain(""))?.name;
            self.registry.resolve("", name, opset).ok()
        };
        let (schema, attribute) =
            (self.registry.operators()).filter_map(in_force).find_map(|schema| Some((schema, value(schema)?)))?;
        let output = vec![std::mem::take(&mut tensor.name)];
        let attribute = AttributeProto {
            name: attribute.name.to_owned(),
            r#type: Some(attribute.kind.number()),
            t: Some(Box::new(tensor)),
            ..AttributeProto::default()
        };
        Some(NodeProto { output, op_type: schema.name.to_owned(), attribute: vec![attribute], ..NodeProto::default() })
    }

    /// The function that a graph belongs to, by its index in the model.
    pub(super) fn function_of(&self, graph: usize) -> Option<usize> {
        self.graphs.get(graph)?.function
    }

    /// The graph or function body that a graph lies in.
    fn outermost(&self, graph: usize) -> usize {
        match self.analysis.graphs.get(graph).map(|info| info.kind) {
            Some(GraphKind::Subgraph { parent, .. }) => self.outermost(parent),
            Some(GraphKind::Main | GraphKind::Function) | None => graph,
        }
    }

    /// Removes the initializers, and the nodes that give a constant, that are no longer read.
    pub(super) fn remove_unread(&mut self) {
        let mut nodes: HashSet<(&'a str, usize)> = HashSet::new();
        let mut initializers: HashMap<usize, HashSet<&'m str>> = HashMap::new();
        for index in std::mem::take(&mut self.dropped) {
            let read = self.uses.get(&index).is_some_and(|uses| *uses > 0);
            let Some(value) = self.analysis.values.get(index).filter(|_| !read) else { continue };
            match value.origin {
                Origin::Node { index } if self.remove_constant(value.graph, index) => {
                    nodes.insert((self.path(value.graph), index));
                }
                Origin::Initializer | Origin::Input if self.is_fixed(value) => {
                    initializers.entry(value.graph).or_default().insert(value.name);
                }
                Origin::Node { .. } | Origin::Initializer | Origin::Input => {}
            }
        }
        self.nodes.retain(|converted| !nodes.contains(&(&*converted.graph, converted.node.index)));
        // They need not be converted.
        self.findings.retain(|found| {
            let removed = found.node.as_ref().is_some_and(|node| nodes.contains(&(&*found.graph, node.index)));
            !(removed && is_refusal(found.code))
        });
        for (graph, names) in initializers {
            self.remove_initializers(graph, &names);
        }
    }

    /// Removes a node that is no longer read if all that it does is to give a constant. Returns whether it does.
    fn remove_constant(&mut self, graph: usize, index: usize) -> bool {
        let Some(of) = self.graphs.get(graph) else { return false };
        let Some(node) = of.nodes.get(index).filter(|node| node.inputs().is_empty() && node.outputs().len() == 1)
        else {
            return false;
        };
        let opset =
            self.functions.imports(of.function).get(node.domain()).filter(|_| self.functions.called(node).is_none());
        let schema = opset.and_then(|opset| self.registry.resolve(node.domain(), node.op_type(), opset).ok());
        let is_constant = schema.is_some_and(|schema| schema.deterministic && schema.subgraphs.is_none());
        if is_constant {
            let edit = self.edits.entry(graph).or_default();
            edit.nodes.remove(&index);
            edit.replaced.insert(index, Vec::new());
        }
        is_constant
    }

    /// Removes initializers, and the graph inputs that they also are up to IR 3.
    fn remove_initializers(&mut self, graph: usize, names: &HashSet<&'m str>) {
        let Some(proto) = self.analysis.graphs.get(graph).and_then(|info| info.proto) else { return };
        let edit = self.edits.entry(graph).or_default();
        let named = |index: usize, name: &str| names.contains(name).then_some(index);
        let all = proto.initializers().iter().enumerate();
        let initialized: HashSet<&str> = all.clone().map(|(_, tensor)| &*tensor.name).collect();
        edit.initializers.remove.extend(all.filter_map(|(index, tensor)| named(index, &tensor.name)));
        let inputs = proto.inputs().iter().enumerate().filter(|(_, input)| initialized.contains(&*input.name));
        edit.inputs.remove.extend(inputs.filter_map(|(index, input)| named(index, &input.name)));
    }

    /// Puts what changes into the edits of the main graph and of the functions.
    pub(super) fn write(self, main: &mut GraphEdit, functions: &mut BTreeMap<usize, FunctionEdit>) {
        for (graph, edit) in self.edits {
            let Some(target) = edit_within(main, functions, &self.graphs, graph) else { continue };
            // The subgraphs of this graph may have been edited before it.
            let subgraphs = std::mem::take(&mut target.subgraphs);
            *target = GraphEdit { subgraphs, ..edit };
        }
    }
}

/// Whether a finding says what a node would lose.
fn is_refusal(code: Code) -> bool {
    use Code::{ConversionAttribute, ConversionInput, ConversionMeaning, ConversionOutput, ConversionType};
    matches!(code, ConversionAttribute | ConversionInput | ConversionMeaning | ConversionOutput | ConversionType)
}
