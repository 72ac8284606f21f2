//! Converts a model from one opset of ai.onnx to another.
//!
//! [`shape_core::convert`] decides how each node changes; this module collects the facts for it and turns the results
//! into an edit.

mod constant;
mod function;
mod node;

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::analysis::{Analysis, analyse};
use crate::file::proto::OperatorSetIdProto;
use crate::file::{GraphEdit, ModelEdit, ModelFile};
use crate::finding::{Finding, NodeRef};
use crate::graph::{GraphKind, NodeAt, edit_of};
use crate::imports::Imports;
use crate::options::Options;
use crate::value::{Origin, Value};
use shape_core::code::{Code, Severity};
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;

const DOMAIN: &str = "ai.onnx";

/// A model in another opset.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The opset that the model imports.
    pub from: u32,
    /// The nodes that change.
    pub nodes: Vec<ConvertedNode>,
    /// What to write, with [`ModelFile::rewrite`].
    pub edit: ModelEdit,
}

/// A node that the conversion changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedNode {
    /// The path of its graph.
    pub graph: String,
    /// The node.
    pub node: NodeRef,
    /// Its version before.
    pub from: u32,
    /// Its version after.
    pub to: u32,
}

/// Converts a model to another opset of ai.onnx, newer or older; nodes of other domains are left as they are.
///
/// A constant that a node needs as an input becomes an initializer. An initializer that became an attribute is removed
/// if nothing else reads it.
///
/// # Errors
/// Everything that prevents the conversion: errors in the model, each node that would lose something, each operator
/// that has no version at the opset or no descriptor. All findings are errors.
///
/// ```
/// use shape_core::Registry;
/// use shape_model::{ModelFile, convert};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let findings = convert(&ModelFile::open(path)?, 13, Registry::builtin()).unwrap_err();
/// assert_eq!(findings[0].code.name(), "conversion-attribute");
/// assert_eq!(findings[0].message, "Shape-13 has no attribute `end`");
/// # Ok::<(), shape_model::file::ModelError>(())
/// ```
pub fn convert(file: &ModelFile, opset: u32, registry: &Registry) -> Result<Conversion, Vec<Finding>> {
    let options = Options { registry: registry.clone(), ..Options::of(file) };
    // These options name nothing in the model, so there is no options error.
    let Ok(analysis) = analyse(file.proto(), &options) else { return Err(Vec::new()) };
    let model = file.proto();
    let ir_version = model.ir_version.unwrap_or(0);
    let imports = Imports::read(&model.opset_import, ir_version);
    let mut converter = Converter {
        registry,
        opset,
        functions: (model.functions.iter())
            .filter(|function| canonical_domain(&function.domain) == DOMAIN)
            .map(|function| (&*function.name, &*function.overload))
            .collect(),
        findings: analysis.findings.iter().filter(|found| prevents(found)).cloned().collect(),
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
            converter.findings.push(Finding::new(code, "", format!("the model does not import {DOMAIN}")));
        }
    }
    if model.opset_import.is_empty() && from.is_some() {
        let message = "a model with an IR version before 3 cannot import an opset";
        let found =
            Finding::new(Code::ConversionUnknown, "", message).expected("IR version 3 or later").found(ir_version);
        converter.findings.push(found);
    }
    if !model.training_info.is_empty() {
        converter.findings.push(Finding::new(Code::ConversionUnknown, "", "training graphs cannot be converted"));
    }
    converter.finish(from.unwrap_or_default())
}

/// Whether a finding about the original model prevents the conversion. A deprecated operator does not: another may
/// stand for
/// it at the other opset.
fn prevents(found: &Finding) -> bool {
    found.severity() == Severity::Error && found.code != Code::OperatorDeprecated
}

struct Converter<'m, 'a> {
    options: &'a Options,
    analysis: &'a Analysis<'m>,
    registry: &'a Registry,
    opset: u32,
    /// Functions of the model that define operators of ai.onnx.
    functions: HashSet<(&'a str, &'a str)>,
    findings: Vec<Finding>,
    /// For each operator without a descriptor: its finding, and the number of its nodes.
    undescribed: HashMap<&'a str, (usize, usize)>,
    ir_version: i64,
    /// All names of values, including new ones.
    names: HashSet<String>,
    /// Values by their graph and name, as indices in the analysis.
    scopes: HashMap<(usize, &'m str), usize>,
    /// The number of readers of each value, after the conversion.
    uses: HashMap<usize, usize>,
    /// Values that a node no longer reads.
    dropped: BTreeSet<usize>,
    nodes: Vec<ConvertedNode>,
    /// By graph.
    edits: HashMap<usize, GraphEdit>,
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
                let inputs = self.node(NodeAt { graph, index, node }, from);
                for name in inputs.as_ref().unwrap_or(&node.input) {
                    self.read(graph, name, 1);
                }
            }
            for output in &proto.output {
                self.read(graph, &output.name, 1);
            }
        }
    }

    /// Values in functions and their subgraphs are not tracked.
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

    /// Whether a value is an initializer that callers cannot replace.
    fn is_fixed(&self, value: &Value<'m>) -> bool {
        match value.origin {
            Origin::Initializer => true,
            // Up to IR 3 every initializer is an input.
            Origin::Input => self.ir_version < 4,
            Origin::Node { .. } => false,
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
            let Some(target) = edit_of(&mut edit.graph, &self.analysis.graphs, graph) else { continue };
            // The subgraphs of this node may have been edited before it.
            let subgraphs = std::mem::take(&mut target.subgraphs);
            *target = GraphEdit { subgraphs, ..graph_edit };
        }
        Ok(Conversion { from, nodes: self.nodes, edit })
    }

    /// Removes an initializer that is no longer read, and the graph input that it also is up to IR 3.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A custom registry may lack the operators of ONNX.
    #[test]
    fn an_operator_that_is_not_described_is_told_once() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
        let findings = convert(&ModelFile::open(path).unwrap(), 13, &Registry::of(&[])).unwrap_err();
        assert!(findings.iter().all(|found| found.code == Code::ConversionUnknown), "{findings:?}");
        let shape: Vec<_> = findings.iter().filter(|found| found.message == "Shape has no descriptor").collect();
        assert_eq!(shape.iter().map(|found| found.found.as_deref()).collect::<Vec<_>>(), [Some("8 nodes")]);
    }
}
