//! Folds constants: replaces computed values that are known by constants.
//!
//! Values that the analysis knows as numbers need not be computed when the model runs. A node whose outputs are all
//! known is removed, and each of its outputs that is still read becomes a constant. Nodes and initializers that are
//! unread as a result are removed too; a node that was unread before is kept.

mod numbers;

use std::collections::{BTreeSet, HashMap};

use crate::analysis::{Analysis, Scopes, analyse};
use crate::annotate::refined;
use crate::file::proto::{
    AttributeProto, DimensionValue, NodeProto, TensorProto, TypeProto, TypeValue, ValueInfoProto,
};
use crate::file::{Graph, Model, Node};
use crate::file::{GraphEdit, ModelEdit, ModelFile};
use crate::finding::Finding;
use crate::functions::Functions;
use crate::graph::{GraphKind, edit_of};
use crate::imports::Imports;
use crate::options::{Options, OptionsError};
use crate::value::Origin;
use numbers::{NodeIndex, bytes, exact, tensor};
use shape_core::node::AttributeKind;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;
use shape_core::rule::{DimsRule, OutputRule};
use shape_core::schema::Schema;

/// The result of folding the constants of a model.
#[derive(Clone, Debug)]
pub struct Folding<'m> {
    /// The analysis of the original model.
    pub analysis: Analysis<'m>,
    /// The values that became constants, by their indices in [`Analysis::values`].
    pub constants: Vec<u32>,
    /// The number of removed nodes, including those replaced by constants.
    pub nodes: usize,
    /// The number of removed initializers.
    pub initializers: usize,
    /// What to write, with [`ModelFile::rewrite`].
    pub edit: ModelEdit,
}

/// Why a model cannot be folded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotFolded {
    /// The options do not fit the model.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The options set a symbol that is not a dimension of any input, so the folded model could not declare the size it
    /// holds for.
    #[error("no input has the dimension `{0}`, so the folded model could not declare its size")]
    NotOfAnInput(String),
    /// The model has errors that are not of declarations alone; contains all findings.
    #[error("the model has errors")]
    Refused(Vec<Finding>),
}

/// Folds constants: replaces the computed values of a model that are known as numbers by constants.
///
/// Sizes in the options make more values known. The folded model is valid for these sizes only, and its inputs and
/// outputs declare them.
///
/// A constant is an initializer; in a subgraph, before IR 4 (where an initializer is an input too) and for an output of
/// the graph, it is a node. A value that such a node cannot hold is not folded: before opset 9 it holds floating-point
/// numbers only.
///
/// # Errors
/// The options do not fit the model, a symbol in them is not a dimension of any input, or the model has errors. An error
/// of a declaration alone does not count, since the declaration is not what is computed; it stays in the folded model.
///
/// ```
/// use shape_model::{ModelFile, Options, fold};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let file = ModelFile::open(path)?;
/// let options = Options { inputs: vec![("x".into(), vec![2, 10, 64])], ..Options::of(&file) };
/// let folding = fold(&file, &options)?;
/// let mut names = folding.constants.iter().map(|value| folding.analysis.values[*value as usize].name);
/// assert!(names.any(|name| name == "/attn/Concat_output_0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fold<'m>(file: &'m ModelFile, options: &Options) -> Result<Folding<'m>, NotFolded> {
    let model = file.model();
    // A constant is one in a run that fails too.
    let analysis = analyse(model, &Options { assume: false, ..options.clone() })?;
    if analysis.findings.iter().any(Finding::prevents_edits) {
        return Err(NotFolded::Refused(analysis.findings.into()));
    }
    let inputs = || model.graph().into_iter().flat_map(Graph::inputs);
    if let Some((name, _)) = options.symbols.iter().find(|(name, _)| !inputs().any(|input| mentions(input, name))) {
        return Err(NotFolded::NotOfAnInput(name.clone()));
    }
    let imports = Imports::read(model.opset_import(), model.ir_version().unwrap_or(0));
    let constant = constant_operator(&options.registry, &imports);
    let mut folder = Folder::new(&analysis, model.ir_version().unwrap_or(0), constant);
    // Training algorithms may read any value of the graph.
    if !model.training_info().is_empty() {
        folder.reads.iter_mut().for_each(|reads| *reads += 1);
    }
    folder.choose(model);
    folder.sweep();
    let constants = folder.constants();
    let mut edit = GraphEdit::default();
    let (nodes, initializers) = folder.write(&constants, &mut edit);
    if !options.symbols.is_empty() || !options.inputs.is_empty() {
        edit.declarations = declarations(&analysis);
    }
    let edit = ModelEdit { graph: edit, ..ModelEdit::default() };
    Ok(Folding { constants, nodes, initializers, edit, analysis })
}

/// The current version of the operator of ai.onnx whose output is the value of one of its attributes.
fn constant_operator(registry: &Registry, imports: &Imports) -> Option<&'static Schema> {
    let of_attribute = |schema: &&Schema| {
        let is_constant =
            |rule: &OutputRule| matches!(rule.dims, Some(DimsRule::Call(call)) if call.rule.name() == "constant");
        canonical_domain(schema.domain) == "ai.onnx" && schema.rules.iter().any(is_constant)
    };
    let name = registry.operators().flatten().copied().find(of_attribute)?.name;
    registry.resolve("", name, imports.get("")?).ok()
}

/// Whether the declaration of an input contains a symbol, possibly within an expression.
fn mentions(input: &ValueInfoProto, name: &str) -> bool {
    let Some(TypeValue::TensorType(tensor)) = input.r#type.as_ref().and_then(|ty: &TypeProto| ty.value.as_ref()) else {
        return false;
    };
    let mut dims = tensor.shape.iter().flat_map(|shape| &shape.dim);
    dims.any(|dim| match &dim.value {
        Some(DimensionValue::DimParam(text)) => {
            text == name
                || text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name)
        }
        _ => false,
    })
}

/// The inputs and outputs of the graph whose declarations the sizes in the options complete.
fn declarations(analysis: &Analysis<'_>) -> Vec<(String, TypeProto)> {
    let Some(graph) = analysis.graphs.first().and_then(|graph| graph.proto) else { return Vec::new() };
    let scopes = Scopes::of(analysis);
    let declared = graph.inputs().iter().chain(graph.outputs()).filter_map(|entry| {
        let old = entry.r#type.as_ref()?;
        let new = refined(scopes.value(0, &entry.name)?, Some(old), &analysis.symbols, false)?;
        (new != *old).then(|| (entry.name.clone(), new))
    });
    declared.collect()
}

struct Folder<'a, 'm> {
    analysis: &'a Analysis<'m>,
    ir_version: i64,
    /// The version of the node that holds a constant, in the opset of the model.
    constant: Option<&'static Schema>,
    scopes: Scopes<'a, 'm>,
    /// The number of readers of each value: nodes, wherever they are, and outputs of graphs.
    reads: Vec<usize>,
    /// Whether the value is an output of the main graph.
    given_out: Vec<bool>,
    /// The subgraphs of each node.
    inside: HashMap<NodeIndex, Vec<usize>>,
    /// The removed nodes, and whether each is removed because all of its outputs are known.
    gone: HashMap<NodeIndex, bool>,
    initializers: BTreeSet<u32>,
}

impl<'a, 'm> Folder<'a, 'm> {
    fn new(analysis: &'a Analysis<'m>, ir_version: i64, constant: Option<&'static Schema>) -> Self {
        let count = analysis.values.len();
        let mut folder = Self {
            analysis,
            ir_version,
            constant,
            scopes: Scopes::of(analysis),
            reads: vec![0; count],
            given_out: vec![false; count],
            inside: HashMap::new(),
            gone: HashMap::new(),
            initializers: BTreeSet::new(),
        };
        for (id, info) in analysis.graphs.iter().enumerate() {
            if let GraphKind::Subgraph { parent, position } = info.kind {
                folder.inside.entry((parent, position.node)).or_default().push(id);
            }
            let Some(proto) = info.proto else { continue };
            for node in proto.nodes() {
                folder.read(id, node.inputs(), 1);
            }
            for output in info.outputs.iter().flatten() {
                folder.count(*output, 1);
                if let Some(given_out) = folder.given_out.get_mut(*output as usize) {
                    *given_out |= info.kind == GraphKind::Main;
                }
            }
            for annotation in proto.header().quantization_annotation {
                let parameters = annotation.quant_parameter_tensor_names.iter().map(|entry| &*entry.value);
                folder.read(id, parameters.chain([&*annotation.tensor_name]), 1);
            }
        }
        folder
    }

    fn read<'n>(&mut self, graph: usize, names: impl IntoIterator<Item = &'n str>, times: isize) -> Vec<u32> {
        let named = names.into_iter().filter(|name| !name.is_empty());
        let values: Vec<u32> = named.filter_map(|name| self.scopes.index(graph, name)).collect();
        values.iter().for_each(|value| self.count(*value, times));
        values
    }

    fn count(&mut self, value: u32, times: isize) {
        if let Some(reads) = self.reads.get_mut(value as usize) {
            *reads = reads.saturating_add_signed(times);
        }
    }

    fn is_read(&self, value: u32) -> bool {
        self.reads.get(value as usize).is_some_and(|reads| *reads > 0)
    }

    fn node(&self, (graph, index): NodeIndex) -> Option<Node<'m>> {
        self.analysis.graphs.get(graph)?.proto?.nodes().get(index)
    }

    fn outputs(&self, at: NodeIndex) -> Vec<u32> {
        let names = self.node(at).into_iter().flat_map(Node::outputs);
        names.filter(|name| !name.is_empty()).filter_map(|name| self.scopes.index(at.0, name)).collect()
    }

    /// Marks the nodes whose outputs are all known as numbers.
    fn choose(&mut self, model: &Model) {
        // In early opsets the node of a constant holds floating-point numbers only.
        let allow = self.constant.and_then(|schema| schema.types.first()).map(|constraint| constraint.allow);
        let exact = exact(self.analysis, &self.scopes, &self.inside, &Functions::of(model));
        let outside = self.analysis.outside_functions();
        let mut chosen = Vec::new();
        for (graph, info) in self.analysis.graphs.iter().enumerate() {
            let (Some(proto), Some(true)) = (info.proto, outside.get(graph)) else { continue };
            for (index, node) in proto.nodes().iter().enumerate() {
                let outputs = self.outputs((graph, index));
                let constant = |output: &u32| {
                    let Some(value) = self.analysis.values.get(*output as usize) else { return false };
                    let allowed = || value.ty.as_ref().is_ok_and(|ty| allow.is_some_and(|allow| allow.contains(*ty)));
                    exact.get(*output as usize) == Some(&true)
                        && bytes(value).is_some()
                        && (!self.is_node(*output, graph) || allowed())
                };
                let is_constant = self.constant.is_some_and(|schema| schema.name == node.op_type())
                    && canonical_domain(node.domain()) == "ai.onnx";
                let is_read = outputs.iter().any(|output| self.is_read(*output));
                let has_graphs = self.inside.contains_key(&(graph, index));
                if is_read && !is_constant && !has_graphs && outputs.iter().all(constant) {
                    chosen.push((graph, index));
                }
            }
        }
        self.gone.extend(chosen.into_iter().map(|at| (at, true)));
    }

    /// Removes what only the chosen nodes read.
    fn sweep(&mut self) {
        let mut open: Vec<NodeIndex> = self.gone.keys().copied().collect();
        while let Some(at) = open.pop() {
            for value in self.no_longer_reads(at) {
                if self.is_read(value) {
                    continue;
                }
                match self.analysis.values.get(value as usize).map(|value| (value.graph, value.origin)) {
                    Some((graph, Origin::Node { index })) => {
                        let at = (graph, index);
                        let unread = self.outputs(at).iter().all(|output| !self.is_read(*output));
                        if unread && !self.gone.contains_key(&at) {
                            self.gone.insert(at, false);
                            open.push(at);
                        }
                    }
                    Some((_, Origin::Initializer)) => {
                        self.initializers.insert(value);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Subtracts the reads of a node and its subgraphs; returns the values that became unread.
    fn no_longer_reads(&mut self, at: NodeIndex) -> Vec<u32> {
        let Some(node) = self.node(at) else { return Vec::new() };
        let mut values = self.read(at.0, node.inputs(), -1);
        let mut open: Vec<usize> = self.inside.get(&at).cloned().unwrap_or_default();
        while let Some(graph) = open.pop() {
            let Some(proto) = self.analysis.graphs.get(graph).and_then(|info| info.proto) else { continue };
            for (index, node) in proto.nodes().iter().enumerate() {
                // The reads of a removed node are already subtracted.
                if self.gone.contains_key(&(graph, index)) {
                    continue;
                }
                self.gone.insert((graph, index), false);
                values.extend(self.read(graph, node.inputs(), -1));
                open.extend(self.inside.get(&(graph, index)).into_iter().flatten());
            }
        }
        values
    }

    /// The outputs of removed nodes that are still read.
    fn constants(&self) -> Vec<u32> {
        let folded = self.gone.iter().filter(|(at, folded)| **folded && !self.is_inside(at.0));
        let mut constants: Vec<u32> =
            folded.flat_map(|(at, _)| self.outputs(*at)).filter(|output| self.is_read(*output)).collect();
        constants.sort_unstable();
        constants
    }

    /// Whether the constant for a value is a node.
    fn is_node(&self, value: u32, graph: usize) -> bool {
        let main = self.analysis.graphs.get(graph).is_some_and(|info| info.kind == GraphKind::Main);
        !main || self.ir_version < 4 || self.given_out.get(value as usize).copied().unwrap_or(true)
    }

    /// Whether a graph is inside of a removed node.
    fn is_inside(&self, mut graph: usize) -> bool {
        while let Some(GraphKind::Subgraph { parent, position }) =
            self.analysis.graphs.get(graph).map(|info| info.kind).filter(|_| !self.gone.is_empty())
        {
            if self.gone.contains_key(&(parent, position.node)) {
                return true;
            }
            graph = parent;
        }
        false
    }

    /// Writes removed nodes and new constants into the edit.
    fn write(&self, constants: &[u32], edit: &mut GraphEdit) -> (usize, usize) {
        let mut comes: HashMap<NodeIndex, Vec<NodeProto>> = HashMap::new();
        for constant in constants {
            let Some(value) = self.analysis.values.get(*constant as usize) else { continue };
            let (Some(tensor), Some(at)) = (tensor(value), self.analysis.node_of(value.graph, value.origin)) else {
                continue;
            };
            if !self.is_node(*constant, value.graph) {
                if let Some(edit) = edit_of(edit, &self.analysis.graphs, value.graph) {
                    edit.initializers.add.push(tensor);
                }
            } else if let Some(Schema { name: op_type, .. }) = self.constant {
                let nodes = comes.entry((value.graph, at.index)).or_default();
                let name = if nodes.is_empty() { at.node.name() } else { "" };
                nodes.push(constant_node(op_type, &tensor, name));
            }
        }
        let (mut nodes, mut vanished) = (0, BTreeSet::new());
        for at in self.gone.keys() {
            if self.is_inside(at.0) {
                continue;
            }
            nodes += 1;
            if let Some(edit) = edit_of(edit, &self.analysis.graphs, at.0) {
                edit.replaced.insert(at.1, comes.remove(at).unwrap_or_default());
            }
            vanished.extend(self.outputs(*at));
        }
        for constant in constants {
            vanished.remove(constant);
        }
        let initializers: Vec<u32> = self.initializers.iter().copied().filter(|value| !self.is_read(*value)).collect();
        vanished.extend(&initializers);
        let mut removed = 0;
        for (graph, info) in self.analysis.graphs.iter().enumerate() {
            let Some(proto) = info.proto else { continue };
            let goes = |name: &str| self.scopes.index(graph, name).is_some_and(|value| vanished.contains(&value));
            let gone: BTreeSet<usize> = positions(proto.initializers().iter().map(|tensor| &*tensor.name), &goes);
            let forgotten = positions(proto.value_info().iter().map(|entry| &*entry.name), &goes);
            if (gone.is_empty() && forgotten.is_empty()) || self.is_inside(graph) {
                continue;
            }
            removed += gone.len();
            if let Some(edit) = edit_of(edit, &self.analysis.graphs, graph) {
                edit.initializers.remove = gone;
                edit.forgotten = forgotten;
            }
        }
        (nodes, removed)
    }
}

fn positions<'n>(names: impl Iterator<Item = &'n str>, goes: &dyn Fn(&str) -> bool) -> BTreeSet<usize> {
    names.enumerate().filter(|(_, name)| !name.is_empty() && goes(name)).map(|(index, _)| index).collect()
}

fn constant_node(op_type: &str, tensor: &TensorProto, name: &str) -> NodeProto {
    let output = vec![tensor.name.clone()];
    let value = AttributeProto {
        name: "value".to_owned(),
        r#type: Some(AttributeKind::Tensor.number()),
        t: Some(Box::new(tensor.clone())),
        ..AttributeProto::default()
    };
    NodeProto {
        name: name.to_owned(),
        op_type: op_type.to_owned(),
        output,
        attribute: vec![value],
        ..NodeProto::default()
    }
}
