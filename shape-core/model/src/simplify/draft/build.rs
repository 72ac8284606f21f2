//! Makes the draft of a model.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Draft, DraftNode, NodeId, Reader, Source, Value};
use crate::analysis::Analysis;
use crate::file::Model;
use crate::functions::Functions;
use crate::graph::GraphKind;
use crate::options::Options;
use crate::value::Origin;

/// The place of a node of the file, which comes after all new nodes that were inserted before it.
pub(super) const LAST: u32 = u32::MAX;

impl<'a, 'm> Draft<'a, 'm> {
    /// The draft of a model as it is. Bodies of functions are not in it.
    pub(in crate::simplify) fn of(
        model: &'m Model,
        analysis: &'a Analysis<'m>,
        options: &'a Options,
        max_constant: usize,
    ) -> Self {
        let mut draft = Self {
            model,
            analysis,
            options,
            functions: Functions::of(model),
            ir_version: model.ir_version().unwrap_or(0),
            nodes: Vec::new(),
            values: Vec::with_capacity(analysis.values.len()),
            first: Vec::with_capacity(analysis.graphs.len()),
            parents: vec![None; analysis.graphs.len()],
            inside: HashMap::new(),
            constants: None,
            names: None,
            whole: Vec::new(),
            max_constant,
            changes: Vec::new(),
            unread_initializers: 0,
            refusals: None,
        };
        draft.graphs();
        draft.connect();
        draft.pin();
        draft.find_whole();
        draft
    }

    /// Adds the nodes and the values, without connections.
    fn graphs(&mut self) {
        let (analysis, outside) = (self.analysis, self.analysis.outside_functions());
        for (graph, info) in analysis.graphs.iter().enumerate() {
            let is_here = outside.get(graph).copied().unwrap_or(false) && info.proto.is_some();
            self.first.push(is_here.then_some(self.nodes.len()));
            if !is_here {
                continue;
            }
            let imports = self.functions.imports(None);
            for (index, node) in info.nodes.iter().enumerate() {
                let opset = imports.get(node.domain()).filter(|_| self.functions.called(node).is_none());
                let registry = &self.options.registry;
                let schema =
                    opset.and_then(|opset| registry.resolve_or_of_runtime(node.domain(), node.op_type(), opset).ok());
                self.nodes.push(DraftNode {
                    graph,
                    index,
                    place: LAST,
                    file: Some(node),
                    schema,
                    inputs: Vec::new(),
                    outputs: Vec::new(),
                    attributes: None,
                    removed: false,
                    changed: false,
                    keep: false,
                });
            }
        }
        for value in &analysis.values {
            let source = match value.origin {
                Origin::Input => Source::Input,
                Origin::Initializer => Source::Initializer,
                Origin::Node { index } => {
                    let first = self.first.get(value.graph).copied().flatten();
                    first.map_or(Source::Input, |first| Source::Node(first + index, 0))
                }
            };
            let (name, graph) = (Cow::Borrowed(value.name), value.graph);
            self.values.push(Value { name, graph, source, made: None, readers: Vec::new(), keep: false });
        }
        for (graph, info) in analysis.graphs.iter().enumerate() {
            if let GraphKind::Subgraph { parent, position } = info.kind
                && let Some(first) = self.first.get(parent).copied().flatten()
                && let Some(of_graph) = self.parents.get_mut(graph)
            {
                *of_graph = Some(first + position.node);
                self.inside.entry(first + position.node).or_default().push(graph);
            }
        }
    }

    /// Connects nodes and values.
    fn connect(&mut self) {
        let scopes = self.analysis.scopes();
        for node in 0..self.nodes.len() {
            let Some(DraftNode { graph, file: Some(file), .. }) = self.nodes.get(node) else { continue };
            let graph = *graph;
            let find = |name: &str| if name.is_empty() { None } else { scopes.index(graph, name) };
            let ids = |names: &mut dyn Iterator<Item = &str>| -> Vec<Option<usize>> {
                names.map(|name| find(name).map(|value| value as usize)).collect()
            };
            let (inputs, outputs) = (ids(&mut file.inputs().iter()), ids(&mut file.outputs().iter()));
            for (index, input) in inputs.iter().enumerate() {
                self.add_reader(*input, Reader::Node(node, index));
            }
            for (index, output) in outputs.iter().enumerate() {
                if let Some(value) = output.and_then(|output| self.values.get_mut(output)) {
                    value.source = Source::Node(node, index);
                }
            }
            if let Some(draft) = self.nodes.get_mut(node) {
                (draft.inputs, draft.outputs) = (inputs, outputs);
            }
        }
        for (graph, info) in self.analysis.graphs.iter().enumerate() {
            let Some(proto) = info.proto.filter(|_| self.first.get(graph).copied().flatten().is_some()) else {
                continue;
            };
            for (index, output) in info.outputs.iter().enumerate() {
                self.add_reader(output.map(|output| output as usize), Reader::Output(graph, index));
            }
            for annotation in proto.header().quantization_annotation {
                let find = |name: &str| scopes.index(graph, name).map(|value| value as usize);
                for parameter in annotation.quant_parameter_tensor_names.iter().map(|entry| find(&entry.value)) {
                    self.add_reader(parameter, Reader::Pinned);
                }
                self.add_reader(find(&annotation.tensor_name), Reader::Annotation);
            }
        }
        // Training algorithms may read any value of the graph.
        if !self.model.training_info().is_empty() {
            for value in &mut self.values {
                value.readers.push(Reader::Pinned);
            }
        }
    }

    /// Marks what nothing reads.
    fn pin(&mut self) {
        for value in &mut self.values {
            value.keep = value.readers.iter().all(|reader| *reader == Reader::Annotation);
        }
        for node in 0..self.nodes.len() {
            let unread = self.is_unread(node);
            if let Some(node) = self.nodes.get_mut(node) {
                node.keep = unread;
            }
        }
    }

    /// Lets passes remove what nothing read in the original model.
    pub(in crate::simplify) fn unpin(&mut self) -> Vec<NodeId> {
        for value in &mut self.values {
            self.unread_initializers += usize::from(value.keep && matches!(value.source, Source::Initializer));
            value.keep = false;
        }
        let mut unread = Vec::new();
        for node in 0..self.nodes.len() {
            if self.nodes.get(node).is_some_and(|node| node.keep && !node.removed) {
                unread.push(node);
            }
            if let Some(node) = self.nodes.get_mut(node) {
                node.keep = false;
            }
        }
        unread
    }
}
