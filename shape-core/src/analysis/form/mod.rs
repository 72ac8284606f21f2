//! The form of a file: what is wrong with it that no value depends on.
//!
//! The walk reads what it infers from, and tells what keeps it from that. What is here goes over everything else: the
//! elements of every tensor, the fields of every attribute, functions and their calls, and what stands beside the graph.
//! It comes after the walk, over the graphs that this has met.

mod attribute;
mod function;
mod graph;
mod model;
mod reference;
mod tensor;
mod value;

use std::collections::{HashMap, HashSet};

use super::functions::Functions;
use super::graphs::{Graph, graphs};
use super::report::{At, finding};
use super::{Analysis, Options};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::proto::{ModelProto, NodeProto, StringStringEntryProto};
use crate::opset::canonical_domain;
use function::Facts;

pub(super) use tensor::{advice, is_of_elements};

/// What is wrong with the form of a model that was walked.
pub(super) fn check<'m>(model: &'m ModelProto, analysis: &Analysis<'m>, options: &Options) -> Vec<Finding> {
    let functions = Functions::of(model);
    let mut form = Form {
        model,
        options,
        ir_version: model.ir_version.unwrap_or(0),
        facts: Facts::of(model, &functions, &options.registry),
        functions,
        configurations: model.configuration.iter().map(|configuration| &*configuration.name).collect(),
        findings: Vec::new(),
        newer: HashSet::new(),
        files: HashMap::new(),
    };
    form.model();
    for graph in graphs(analysis, model) {
        form.graph(graph);
        for (index, node) in graph.nodes.iter().enumerate() {
            form.node(graph, At { graph: graph.id, index, node });
        }
    }
    form.recursion();
    form.count_files();
    form.findings
}

/// What is carried along.
struct Form<'m, 'o> {
    model: &'m ModelProto,
    options: &'o Options,
    ir_version: i64,
    functions: Functions<'m>,
    facts: Facts<'m>,
    /// The names of the configurations of devices.
    configurations: HashSet<&'m str>,
    findings: Vec<Finding>,
    /// What was told to be newer than the IR version.
    newer: HashSet<&'static str>,
    /// For each file that cannot be read, by what is wrong with it: its finding, and how many tensors lie there.
    files: HashMap<String, (usize, usize)>,
}

/// Where a finding is.
#[derive(Clone, Copy)]
struct Place<'a> {
    graph: &'a str,
    at: Option<At<'a>>,
}

impl<'a> Place<'a> {
    /// The model as a whole.
    const MODEL: Place<'static> = Place { graph: "", at: None };

    fn graph(graph: &'a str) -> Self {
        Self { graph, at: None }
    }

    fn finding(self, code: Code, message: impl Into<String>) -> Finding {
        let found = finding(code, self.graph, message);
        match self.at {
            Some(at) => found.at(at),
            None => found,
        }
    }
}

impl<'m> Form<'m, '_> {
    fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    fn node(&mut self, graph: Graph<'_, 'm>, at: At<'m>) {
        let place = Place { graph: graph.path, at: Some(at) };
        let NodeProto { input, output, overload, attribute, metadata_props, device_configurations, .. } = at.node;
        if input.is_empty() && output.is_empty() {
            let found = place.finding(Code::NodeUnconnected, "the node has no inputs and no outputs");
            self.push(found.expected("at least one").found("none").help("remove the node, which computes nothing"));
        }
        if !overload.is_empty() {
            self.needs(10, "the overload of a function", place);
        }
        self.metadata(metadata_props, "the node", place);
        for attribute in attribute {
            self.attribute(attribute, graph.function, place);
        }
        for configuration in device_configurations {
            self.devices(configuration, place);
        }
        if attribute.len() > 1 {
            self.attribute_names(graph, place, at.node);
        }
        if !self.model.functions.is_empty() {
            self.call(graph, place, at.node);
        }
    }

    /// Attributes that share a name, of a node that the walk has no schema for.
    fn attribute_names(&mut self, graph: Graph<'_, 'm>, place: Place<'_>, node: &NodeProto) {
        let mut seen = HashSet::new();
        let twice: Vec<&str> =
            node.attribute.iter().map(|attribute| &*attribute.name).filter(|name| !seen.insert(*name)).collect();
        let domain = canonical_domain(&node.domain);
        let schema = |opset| self.options.registry.resolve(domain, &node.op_type, opset).ok();
        let has_schema = || self.functions.imports(graph.function).get(domain).and_then(schema).is_some();
        if twice.is_empty() || (self.functions.called(node).is_none() && has_schema()) {
            return;
        }
        for name in twice {
            let found = place.finding(Code::AttributeDuplicate, format!("the attribute `{name}` appears twice"));
            self.push(found.expected("one").found("two").help("keep one of the two"));
        }
    }

    /// Whether the model's IR version has something that the model has.
    fn needs(&mut self, since: i64, what: &'static str, place: Place<'_>) {
        if (1..since).contains(&self.ir_version) && self.newer.insert(what) {
            let found = place.finding(
                Code::IrVersionTooOld,
                format!("{what} needs IR version {since}; the model has IR version {}", self.ir_version),
            );
            let found = found.expected(format!("IR version {since} or later")).found(self.ir_version);
            self.push(found.help(format!("set ir_version to {since}; readers of older versions ignore it")));
        }
    }

    /// The `metadata_props` of something inside of the model.
    fn metadata(&mut self, entries: &[StringStringEntryProto], of: &str, place: Place<'_>) {
        if !entries.is_empty() {
            self.needs(10, "metadata of a part of the model", place);
            self.keys(entries, &format!("the metadata of {of}"), place);
        }
    }

    /// Keys, of which each stands once.
    fn keys<'e>(&mut self, entries: impl IntoIterator<Item = &'e StringStringEntryProto>, of: &str, place: Place<'_>) {
        let mut seen = HashMap::new();
        for StringStringEntryProto { key, value } in entries {
            let Some(first) = seen.insert(key, value) else { continue };
            let found = place.finding(Code::KeyDuplicate, format!("the key `{key}` appears twice in {of}"));
            let found = found.expected("one value").found(format!("`{first}` and `{value}`"));
            self.push(found.help("keep one of the two"));
        }
    }
}
