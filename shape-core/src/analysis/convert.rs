//! A model from one opset of ai.onnx to another.
//!
//! What a node needs is decided by [`crate::convert`]; here its facts are gathered and what comes of it is made an edit.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::imports::Imports;
use super::report::{At, finding};
use super::{Analysis, GraphKind, Options, Origin, Value, analyse, attributes};
use crate::code::{Code, Severity};
use crate::convert::{self, Input, Loss, Node};
use crate::elements::Scalar;
use crate::finding::{Finding, NodeRef};
use crate::model::proto::{
    Dimension, DimensionValue, FunctionProto, GraphProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use crate::model::{GraphEdit, ListEdit, ModelEdit, ModelFile, NodeEdit};
use crate::node::{AttributeValue, NodeAttribute};
use crate::opset::canonical_domain;
use crate::registry::{Missing, Registry};
use crate::symbolic::Dim;
use crate::types::Type;

const DOMAIN: &str = "ai.onnx";

/// A model in another opset.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The opset that the model imports.
    pub from: u32,
    /// The nodes that are not written as they were.
    pub nodes: Vec<ConvertedNode>,
    /// What to write, with [`ModelFile::rewrite`].
    pub edit: ModelEdit,
}

/// A node that is written in another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedNode {
    /// The path of its graph.
    pub graph: String,
    /// The node.
    pub node: NodeRef,
    /// The version that it had.
    pub from: u32,
    /// The version that it has.
    pub to: u32,
}

/// Converts a model to another opset of ai.onnx, newer or older; nodes of other domains stay as they are.
///
/// A constant that a node needs as an input becomes an initializer. One that became an attribute is removed where nothing
/// else reads it.
///
/// # Errors
/// Everything that keeps the model from being converted: what is wrong with it before, each node that would lose
/// something, each operator that has no version at the opset or no descriptor. Nothing but errors is among the findings.
///
/// ```
/// use shape_core::analysis::convert;
/// use shape_core::model::ModelFile;
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/models/attention.onnx");
/// let findings = convert(&ModelFile::open(path)?, 13).unwrap_err();
/// assert_eq!(findings[0].code.name(), "conversion-unknown");
/// assert_eq!(findings[0].message, "no descriptor for MatMul yet");
/// # Ok::<(), shape_core::model::ModelError>(())
/// ```
pub fn convert(file: &ModelFile, opset: u32) -> Result<Conversion, Vec<Finding>> {
    let options = Options::of(file);
    // No option names anything of the model.
    let Ok(analysis) = analyse(file.proto(), &options) else { return Err(Vec::new()) };
    let model = file.proto();
    let ir_version = model.ir_version.unwrap_or(0);
    let imports = Imports::read(&model.opset_import, ir_version, "", &mut Vec::new());
    let mut converter = Converter {
        registry: options.registry,
        opset,
        functions: (model.functions.iter())
            .filter(|function| canonical_domain(&function.domain) == DOMAIN)
            .map(|function| (&*function.name, &*function.overload))
            .collect(),
        findings: analysis.findings.iter().filter(|found| found.severity() == Severity::Error).cloned().collect(),
        undescribed: HashMap::new(),
        ir_version,
        names: analysis.values.iter().map(|value| value.name.to_owned()).collect(),
        scopes: HashMap::new(),
        uses: HashMap::new(),
        dropped: BTreeSet::new(),
        nodes: Vec::new(),
        edits: HashMap::new(),
        options: &options,
        analysis: &analysis,
    };
    let from = imports.get(DOMAIN);
    if let Some(from) = from {
        converter.model(from);
        model.functions.iter().for_each(|function| converter.function(function));
    } else {
        let code = if model.opset_import.is_empty() { Code::OpsetMissing } else { Code::DomainNotImported };
        if !converter.findings.iter().any(|found| found.code == code) {
            converter.findings.push(finding(code, "", format!("the model does not import {DOMAIN}")));
        }
    }
    if model.opset_import.is_empty() && from.is_some() {
        let message = "a model of so old an IR version imports no opset, and cannot";
        let found = finding(Code::ConversionUnknown, "", message).expected("IR version 3 or later").found(ir_version);
        converter.findings.push(found);
    }
    if !model.training_info.is_empty() {
        converter.findings.push(finding(Code::ConversionUnknown, "", "the graphs of training are not converted"));
    }
    converter.finish(from.unwrap_or_default())
}

struct Converter<'m, 'a> {
    options: &'a Options,
    analysis: &'a Analysis<'m>,
    registry: Registry,
    opset: u32,
    /// Functions by which the model defines operators of ai.onnx for itself.
    functions: HashSet<(&'a str, &'a str)>,
    findings: Vec<Finding>,
    /// For each operator without a descriptor: its finding, and the number of its nodes.
    undescribed: HashMap<&'a str, (usize, usize)>,
    ir_version: i64,
    /// All names of values, those that are new included.
    names: HashSet<String>,
    /// Values by their graph and name, as places in the analysis.
    scopes: HashMap<(usize, &'m str), usize>,
    /// How often each value is read, after the conversion.
    uses: HashMap<usize, usize>,
    /// Values that a node no longer reads.
    dropped: BTreeSet<usize>,
    nodes: Vec<ConvertedNode>,
    /// By graph.
    edits: HashMap<usize, GraphEdit>,
}

/// The elements of a constant, kept while a node is converted.
enum Constant {
    Int(i64),
    Ints(Vec<i64>),
    Float(f32),
    Floats(Vec<f32>),
}

impl Constant {
    fn of<T>(elements: Vec<T>, rank: usize, scalar: impl Fn(T) -> Self, list: impl Fn(Vec<T>) -> Self) -> Option<Self> {
        match rank {
            0 => elements.into_iter().next().map(scalar),
            1 => Some(list(elements)),
            _ => None,
        }
    }

    fn value(&self) -> AttributeValue<'_> {
        match self {
            Self::Int(value) => AttributeValue::Int(*value),
            Self::Ints(values) => AttributeValue::Ints(values),
            Self::Float(value) => AttributeValue::Float(*value),
            Self::Floats(values) => AttributeValue::Floats(values),
        }
    }
}

impl<'m: 'a, 'a> Converter<'m, 'a> {
    fn model(&mut self, from: u32) {
        for (index, value) in self.analysis.values.iter().enumerate() {
            self.scopes.entry((value.graph, value.name)).or_insert(index);
        }
        for (graph, info) in self.analysis.graphs.iter().enumerate() {
            if self.in_function(graph) {
                continue;
            }
            let Some(proto) = info.proto else { continue };
            for (index, node) in proto.node.iter().enumerate() {
                let inputs = self.node(At { graph, index, node }, from);
                for name in inputs.as_ref().unwrap_or(&node.input) {
                    self.read(graph, name, 1);
                }
            }
            for output in &proto.output {
                self.read(graph, &output.name, 1);
            }
        }
    }

    /// The values of functions are not followed, nor are those of the graphs in them.
    fn in_function(&self, graph: usize) -> bool {
        match self.analysis.graphs.get(graph).map(|info| info.kind) {
            Some(GraphKind::Subgraph { parent, .. }) => self.in_function(parent),
            Some(GraphKind::Function) => true,
            Some(GraphKind::Main) | None => false,
        }
    }

    fn lookup(&self, graph: usize, name: &str) -> Option<usize> {
        if let Some(value) = self.scopes.get(&(graph, name)) {
            return Some(*value);
        }
        match self.analysis.graphs.get(graph)?.kind {
            GraphKind::Subgraph { parent, .. } => self.lookup(parent, name),
            GraphKind::Main | GraphKind::Function => None,
        }
    }

    fn read(&mut self, graph: usize, name: &str, times: usize) {
        if let Some(value) = self.lookup(graph, name) {
            *self.uses.entry(value).or_default() += times;
        }
    }

    fn path(&self, graph: usize) -> &'a str {
        self.analysis.graphs.get(graph).map_or("", |info| &info.path)
    }

    /// Converts a node, and gives the names of its inputs where they are others.
    fn node(&mut self, at: At<'a>, from: u32) -> Option<Vec<String>> {
        let node = at.node;
        let own = self.functions.contains(&(&*node.op_type, &*node.overload));
        if canonical_domain(&node.domain) != DOMAIN || node.op_type.is_empty() || own {
            return None;
        }
        let (old, new) = match (self.resolve(&node.op_type, from), self.resolve(&node.op_type, self.opset)) {
            (Ok(old), Ok(new)) => (old, new),
            (Err(Missing::NoDescriptor), _) | (_, Err(Missing::NoDescriptor)) => {
                self.undescribed(at);
                return None;
            }
            // Told of the model as it is.
            (Err(_), _) => return None,
            (_, Err(Missing::OperatorTooNew { since })) => {
                let message = format!("{} is newer than opset {}", node.op_type, self.opset);
                let found = finding(Code::OperatorTooNew, self.path(at.graph), message).at(at);
                let found = found.expected(format!("opset {since} of {DOMAIN} or later"));
                self.findings.push(found.found(format!("opset {}", self.opset)));
                return None;
            }
            (_, Err(Missing::OpsetTooNew { newest })) => {
                let known = self.findings.iter().any(|found| found.code == Code::OpsetTooNew);
                if !known {
                    let message = format!("opset {} of {DOMAIN} is not known", self.opset);
                    let found = finding(Code::OpsetTooNew, "", message);
                    self.findings.push(found.expected(format!("at most {newest}")).found(self.opset));
                }
                return None;
            }
        };
        if old.since_version == new.since_version {
            return None;
        }
        let values: Vec<Option<&Value<'m>>> =
            node.input.iter().map(|name| self.analysis.values.get(self.lookup(at.graph, name)?)).collect();
        let constants: Vec<Option<Constant>> =
            values.iter().map(|value| value.and_then(|value| self.constant(value))).collect();
        let inputs = node.input.iter().zip(&values).zip(&constants).enumerate();
        let inputs = inputs.map(|(index, ((name, value), constant))| match name.is_empty() {
            true => Input::Absent,
            false => Input::Given {
                index,
                ty: value.and_then(|value| value.ty.as_ref().ok().copied()),
                constant: constant.as_ref().map(Constant::value),
            },
        });
        let used = node.output.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let outputs = node.output.iter().take(used).map(|name| self.ty(at.graph, name));
        let attributes = node.attribute.iter().filter_map(attributes::view);
        let draft = Node { attributes: attributes.collect(), inputs: inputs.collect(), outputs: outputs.collect() };
        let versions = self.registry.operator(DOMAIN, &node.op_type);
        match convert::convert(versions, old, new, draft) {
            Ok(converted) => {
                let (edit, inputs) = self.edit(at, &converted);
                if edit != NodeEdit::default() {
                    self.nodes.push(ConvertedNode {
                        graph: self.path(at.graph).to_owned(),
                        node: at.reference(),
                        from: old.since_version,
                        to: new.since_version,
                    });
                    self.edits.entry(at.graph).or_default().nodes.insert(at.index, edit);
                }
                inputs
            }
            Err(refusals) => {
                for refusal in refusals {
                    // What is wrong with the node as it is was told by the analysis.
                    if matches!(refusal.loss, Loss::Wrong(_)) {
                        continue;
                    }
                    let mut found = finding(refusal.code(), self.path(at.graph), refusal.to_string()).at(at);
                    found = found.expected(refusal.expected()).found(refusal.found());
                    self.findings.push(found.help(refusal.help().to_string()));
                }
                None
            }
        }
    }

    fn resolve(&self, op_type: &str, opset: u32) -> Result<&'static crate::Schema, Missing> {
        self.registry.resolve(DOMAIN, op_type, opset)
    }

    fn undescribed(&mut self, at: At<'a>) {
        let op_type = &*at.node.op_type;
        if let Some((_, nodes)) = self.undescribed.get_mut(op_type) {
            *nodes += 1;
            return;
        }
        let message = format!("no descriptor for {op_type} yet");
        let found = finding(Code::ConversionUnknown, self.path(at.graph), message).at(at);
        self.undescribed.insert(op_type, (self.findings.len(), 1));
        self.findings.push(found.help("what its versions changed is not known here, so that it cannot be converted"));
    }

    fn ty(&self, graph: usize, name: &str) -> Option<Type> {
        self.analysis.values.get(self.lookup(graph, name)?)?.ty.as_ref().ok().copied()
    }

    /// The elements of a value that is known before the model runs, as an attribute can have them.
    fn constant(&self, value: &Value<'m>) -> Option<Constant> {
        let rank = value.dims.as_ref().ok()?.len();
        let ty = *value.ty.as_ref().ok()?;
        if Some(ty) == convert::constant_type(&AttributeValue::Int(0)) {
            let number = |element: &Scalar<Dim>| match element {
                Scalar::Int(number) => Some(*number),
                Scalar::Size(Dim::Known(size)) => i64::try_from(*size).ok(),
                Scalar::Size(_) => None,
            };
            let elements: Option<Vec<i64>> = value.elements.as_ref().ok()?.iter().map(number).collect();
            return Constant::of(elements?, rank, Constant::Int, Constant::Ints);
        }
        if Some(ty) == convert::constant_type(&AttributeValue::Float(0.0)) && self.is_fixed(value) {
            let graph = self.analysis.graphs.get(value.graph)?.proto?;
            let tensor = graph.initializer.iter().find(|tensor| tensor.name == value.name)?;
            let bytes = self.options.external.elements(tensor).ok()?;
            let elements =
                bytes.chunks_exact(4).filter_map(|bytes| bytes.first_chunk().map(|four| f32::from_le_bytes(*four)));
            return Constant::of(elements.collect(), rank, Constant::Float, Constant::Floats);
        }
        None
    }

    /// Whether a value is an initializer that no caller can replace.
    fn is_fixed(&self, value: &Value<'m>) -> bool {
        match value.origin {
            Origin::Initializer => true,
            // Up to IR 3 every initializer is an input.
            Origin::Input => self.ir_version < 4,
            Origin::Node { .. } => false,
        }
    }

    /// What to write into a node, and the names of its inputs where they are others.
    fn edit(&mut self, at: At<'a>, converted: &Node<'_>) -> (NodeEdit, Option<Vec<String>>) {
        let node = at.node;
        let kept = |name: &str| converted.attributes.iter().any(|attribute| attribute.name == name);
        let remove = (0..).zip(&node.attribute).filter(|(_, old)| !kept(&old.name)).map(|(index, _)| index);
        let new = |attribute: &&NodeAttribute<'_>| !node.attribute.iter().any(|old| old.name == attribute.name);
        let add = converted.attributes.iter().filter(new).map(attributes::proto);
        let attributes = ListEdit { remove: remove.collect(), add: add.collect() };

        let mut inputs = Vec::with_capacity(converted.inputs.len());
        for input in &converted.inputs {
            inputs.push(match input {
                Input::Absent => String::new(),
                Input::Given { index, .. } => node.input.get(*index).cloned().unwrap_or_default(),
                Input::Constant { name, value } => self.initializer(at, name, value),
            });
        }
        let read: HashSet<&String> = inputs.iter().collect();
        for name in node.input.iter().filter(|name| !read.contains(name)) {
            self.dropped.extend(self.lookup(at.graph, name));
        }
        // Trailing inputs that are not given may be written or not.
        let used = node.input.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let same = node.input.get(..used).is_some_and(|old| old == inputs);
        let inputs = (!same).then_some(inputs);
        (NodeEdit { inputs: inputs.clone(), attributes }, inputs)
    }

    /// Adds a constant, and gives its name.
    fn initializer(&mut self, at: At<'a>, formal: &str, value: &AttributeValue<'_>) -> String {
        let first = at.node.output.iter().find(|name| !name.is_empty());
        let base = if at.node.name.is_empty() { first.unwrap_or(&at.node.op_type) } else { &at.node.name };
        let mut name = format!("{base}_{formal}");
        let mut count = 1;
        while !self.names.insert(name.clone()) {
            name = format!("{base}_{formal}_{count}");
            count += 1;
        }
        // Up to IR 3 an initializer is an input of its graph, and a graph inside of a node has its inputs fixed.
        let graph = if self.ir_version < 4 { 0 } else { at.graph };
        let (tensor, input) = constant(&name, value);
        let edit = self.edits.entry(graph).or_default();
        edit.initializers.add.push(tensor);
        if self.ir_version < 4 {
            edit.inputs.add.push(input);
        }
        name
    }

    /// The body of a function has opset imports of its own, which hold on; it must mean the same under the new one.
    fn function(&mut self, function: &'a FunctionProto) {
        let path = format!("function {}::{}", canonical_domain(&function.domain), function.name);
        let imports = Imports::read(&function.opset_import, self.ir_version, &path, &mut Vec::new());
        if let Some(from) = imports.get(DOMAIN) {
            self.function_nodes(&function.node, from, &path);
        }
    }

    fn function_nodes(&mut self, nodes: &'a [NodeProto], from: u32, path: &str) {
        for (index, node) in nodes.iter().enumerate() {
            let graphs =
                node.attribute.iter().flat_map(|attribute| attribute.g.as_deref().into_iter().chain(&attribute.graphs));
            for graph in graphs {
                let graph: &'a GraphProto = graph;
                self.function_nodes(&graph.node, from, path);
            }
            let own = self.functions.contains(&(&*node.op_type, &*node.overload));
            if canonical_domain(&node.domain) != DOMAIN || own {
                continue;
            }
            let since = |opset| self.resolve(&node.op_type, opset).map(|schema| schema.since_version).ok();
            let (old, new) = (since(from), since(self.opset));
            if old.is_none() || old != new {
                let message = format!("{} may not be what it is at opset {}", node.op_type, self.opset);
                let found = finding(Code::ConversionUnknown, path, message).at(At { graph: 0, index, node });
                let found = found.help("the bodies of functions are not converted: expand the function first");
                self.findings.push(found.found(format!("opset {from}, which the function imports")));
            }
        }
    }

    fn finish(mut self, from: u32) -> Result<Conversion, Vec<Finding>> {
        for (index, nodes) in self.undescribed.values() {
            if let Some(finding) = self.findings.get_mut(*index) {
                finding.found = Some(if *nodes == 1 { "1 node".to_owned() } else { format!("{nodes} nodes") });
            }
        }
        if !self.findings.is_empty() {
            return Err(self.findings);
        }
        for value in std::mem::take(&mut self.dropped) {
            self.remove_unread(value);
        }
        let mut edit = ModelEdit::default();
        if from != self.opset {
            let import = OperatorSetIdProto { domain: String::new(), version: Some(self.opset.into()) };
            edit.opset_import.push(import);
        }
        for (graph, graph_edit) in self.edits {
            let Some(place) = super::annotate::place(&mut edit.graph, self.analysis, graph) else { continue };
            // The graphs inside of this one may have come first.
            let subgraphs = std::mem::take(&mut place.subgraphs);
            *place = GraphEdit { subgraphs, ..graph_edit };
        }
        Ok(Conversion { from, nodes: self.nodes, edit })
    }

    /// Removes an initializer that nothing reads any more, and with it the input that it is up to IR 3.
    fn remove_unread(&mut self, value: usize) {
        let Some(known) = self.analysis.values.get(value).filter(|known| self.is_fixed(known)) else { return };
        let read = self.uses.get(&value).is_some_and(|uses| *uses > 0);
        let Some(graph) = self.analysis.graphs.get(known.graph).and_then(|info| info.proto).filter(|_| !read) else {
            return;
        };
        let edit = self.edits.entry(known.graph).or_default();
        let named = |index: usize, name: &str| (name == known.name).then_some(index);
        let initializers = graph.initializer.iter().enumerate();
        let remove: Vec<usize> = initializers.filter_map(|(index, tensor)| named(index, &tensor.name)).collect();
        if !remove.is_empty() {
            edit.initializers.remove.extend(remove);
            let inputs = graph.input.iter().enumerate();
            edit.inputs.remove.extend(inputs.filter_map(|(index, input)| named(index, &input.name)));
        }
    }
}

/// A constant as an initializer, and as the input that it is up to IR 3.
fn constant(name: &str, value: &AttributeValue<'_>) -> (TensorProto, ValueInfoProto) {
    let (dims, bytes): (Vec<i64>, Vec<u8>) = match value {
        AttributeValue::Int(value) => (Vec::new(), value.to_le_bytes().to_vec()),
        AttributeValue::Float(value) => (Vec::new(), value.to_le_bytes().to_vec()),
        AttributeValue::Ints(values) => {
            (length(values.len()), values.iter().flat_map(|value| value.to_le_bytes()).collect())
        }
        AttributeValue::Floats(values) => {
            (length(values.len()), values.iter().flat_map(|value| value.to_le_bytes()).collect())
        }
        // No adapter makes a constant of these.
        AttributeValue::String(_) | AttributeValue::Other(_) => (Vec::new(), Vec::new()),
    };
    let element = convert::constant_type(value).and_then(Type::element).map(|element| element.number().into());
    let dim = |size: &i64| Dimension { value: Some(DimensionValue::DimValue(*size)), ..Dimension::default() };
    let shape = Some(TensorShapeProto { dim: dims.iter().map(dim).collect() });
    let ty = TypeValue::TensorType(TensorType { elem_type: element, shape });
    let input = ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto { value: Some(ty), ..TypeProto::default() }),
        ..ValueInfoProto::default()
    };
    let tensor = TensorProto {
        name: name.to_owned(),
        dims,
        data_type: element,
        raw_data: Some(bytes.into()),
        ..TensorProto::default()
    };
    (tensor, input)
}

fn length(len: usize) -> Vec<i64> {
    vec![i64::try_from(len).unwrap_or(i64::MAX)]
}
