//! Functions of the model, and calls of them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::iter;

use super::{Form, Place};
use crate::analysis::functions::{Functions, name};
use crate::analysis::graphs::Graph;
use crate::code::Code;
use crate::model::proto::{AttributeProto, FunctionProto, ModelProto, NodeProto};
use crate::node::AttributeKind;
use crate::opset::canonical_domain;
use crate::registry::Registry;
use crate::schema::{FormalParameter, ParameterOption};

/// What is known of the functions of a model before its nodes are looked at.
pub(super) struct Facts<'m> {
    attributes: Vec<Attributes<'m>>,
    /// The opset of each domain that the others have to agree with: that of the model, and where it imports none, that of
    /// the first function that does; with who says so.
    common: HashMap<String, (u32, String)>,
    /// For each function the attributes that a call must give, since its body needs them, in its own order.
    needed: Vec<Vec<&'m str>>,
    /// For each function the inputs that a call must give, by their places.
    inputs: Vec<BTreeSet<usize>>,
}

/// The attributes of a function.
pub(super) struct Attributes<'m> {
    /// By name; the kind where a default tells.
    pub(super) kinds: HashMap<&'m str, Option<AttributeKind>>,
    /// Their names, for messages.
    pub(super) names: String,
}

impl<'m> Attributes<'m> {
    fn of(function: &'m FunctionProto) -> Self {
        const MOST: usize = 16;
        let without = function.attribute.iter().map(|name| (&**name, None));
        let with = function.attribute_proto.iter().map(|default| (&*default.name, kind(default)));
        let all: Vec<_> = without.chain(with).collect();
        let some = all.iter().take(MOST).map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let names = match all.len() {
            0 => "no attributes".to_owned(),
            count if count > MOST => format!("{some} and {} more", count - MOST),
            _ => some,
        };
        Self { kinds: all.into_iter().collect(), names }
    }
}

fn kind(attribute: &AttributeProto) -> Option<AttributeKind> {
    attribute.r#type.and_then(AttributeKind::from_number)
}

impl<'m> Facts<'m> {
    pub(super) fn of(model: &'m ModelProto, functions: &Functions<'m>, registry: &Registry) -> Self {
        let mut facts = Self {
            attributes: model.functions.iter().map(Attributes::of).collect(),
            common: HashMap::new(),
            needed: Vec::new(),
            inputs: Vec::new(),
        };
        for place in iter::once(None).chain((0..model.functions.len()).map(Some)) {
            let function = place.and_then(|place| functions.get(place));
            let who = || function.map_or("the model".to_owned(), |function| format!("the function {}", name(function)));
            for (domain, opset) in functions.imports(place).iter() {
                if !facts.common.contains_key(domain) {
                    facts.common.insert(domain.to_owned(), (opset, who()));
                }
            }
        }
        for (place, (function, attributes)) in model.functions.iter().zip(&facts.attributes).enumerate() {
            let imports = functions.imports(Some(place));
            let places: HashMap<&str, usize> =
                function.input.iter().enumerate().map(|(place, name)| (&**name, place)).collect();
            let schema = |node: &NodeProto| {
                let domain = canonical_domain(&node.domain);
                let opset = imports.get(domain).filter(|_| functions.called(node).is_none())?;
                registry.resolve(domain, &node.op_type, opset).ok()
            };
            let mut needed = HashSet::new();
            each(&function.node, &mut |node| {
                let references = || node.attribute.iter().filter(|attribute| !attribute.ref_attr_name.is_empty());
                let Some(schema) = references().next().and_then(|_| schema(node)) else { return };
                let required = |name: &str| schema.attribute(name).is_some_and(|attribute| attribute.required);
                needed.extend(references().filter(|of| required(&of.name)).map(|of| &*of.ref_attr_name));
            });
            let mut inputs = BTreeSet::new();
            // A graph inside of a node may run only where an input is there.
            for node in &function.node {
                let Some(schema) = schema(node) else { continue };
                let required = |index: usize| schema.input(index).is_some_and(is_required);
                let names = node.input.iter().enumerate().filter(|(index, _)| required(*index));
                inputs.extend(names.filter_map(|(_, name)| places.get(&**name)));
            }
            // The others have a default, or are not there at all, which is told where they are referred to.
            let without = |name: &&str| attributes.kinds.get(name).is_some_and(Option::is_none);
            let in_order = function.attribute.iter().map(String::as_str);
            facts.needed.push(in_order.filter(without).filter(|name| needed.remove(name)).collect());
            facts.inputs.push(inputs);
        }
        facts
    }

    /// The attributes of a function, by its place in the model.
    pub(super) fn attributes(&self, function: usize) -> Option<&Attributes<'m>> {
        self.attributes.get(function)
    }
}

/// Whether an input must have a value: one, or each of many.
fn is_required(input: &FormalParameter) -> bool {
    match input.option {
        ParameterOption::Single => true,
        ParameterOption::Optional => false,
        ParameterOption::Variadic => input.homogeneous,
    }
}

/// Visits nodes and those in the graphs inside of them.
fn each<'m>(nodes: &'m [NodeProto], visit: &mut dyn FnMut(&'m NodeProto)) {
    for node in nodes {
        visit(node);
        for attribute in &node.attribute {
            for graph in attribute.g.as_deref().into_iter().chain(&attribute.graphs) {
                each(&graph.node, visit);
            }
        }
    }
}

impl<'m> Form<'m, '_> {
    /// A function by itself. `index` is its place in the model.
    pub(super) fn function(&mut self, index: usize, place: Place<'_>) {
        let Some(function) = self.model.functions.get(index) else { return };
        if function.name.is_empty() {
            let found = place.finding(Code::FieldMissing, "the function has no name");
            let found = found.expected("a name").found("an empty one");
            self.push(found.help("give it the name that its calls use, or remove it"));
        }
        if !self.functions.is_first(index) {
            let found =
                place.finding(Code::FunctionDuplicate, format!("two functions have the name {}", name(function)));
            let found = found.expected("a unique combination of domain, name and overload").found("a second one");
            self.push(found.help("remove one of the two, or give it another overload"));
        }
        if !function.overload.is_empty() {
            self.needs(10, "the overload of a function", place);
        }
        if !function.attribute_proto.is_empty() {
            self.needs(9, "an attribute of a function with a default", place);
        }
        if !function.value_info.is_empty() {
            self.needs(10, "the type of a value of a function", place);
        }
        self.metadata(&function.metadata_props, "the function", place);
        function.value_info.iter().for_each(|info| self.value(info, super::value::Side::Inner, place));
        let mut seen = HashSet::new();
        for output in function.output.iter().filter(|output| !seen.insert(output.as_str())) {
            let found = place.finding(Code::OutputDuplicate, format!("`{output}` is an output of the function twice"));
            self.push(found.expected("each once").found(output).help("use an Identity node for the second one"));
        }
        let mut seen = HashSet::new();
        let names = function.attribute.iter().chain(function.attribute_proto.iter().map(|default| &default.name));
        for attribute in names.filter(|attribute| !seen.insert(attribute.as_str())) {
            let message = format!("`{attribute}` is an attribute of the function twice");
            let found = place.finding(Code::AttributeDuplicate, message);
            self.push(found.expected("one, with a default or without").found("two").help("keep one"));
        }
        for default in &function.attribute_proto {
            self.attribute(default, None, place);
        }
    }

    /// A node that may be a call, or stand in a function.
    pub(super) fn call(&mut self, graph: Graph<'_, 'm>, place: Place<'_>, node: &'m NodeProto) {
        match self.functions.called(node) {
            Some(called) => self.call_of(called, place, node),
            None => self.common_version(graph, place, node),
        }
    }

    fn call_of(&mut self, called: usize, place: Place<'_>, node: &NodeProto) {
        let Facts { attributes, needed, inputs, .. } = &self.facts;
        let needed = needed.get(called).zip(inputs.get(called));
        let function = self.functions.get(called).zip(attributes.get(called)).zip(needed);
        let Some(((function, attributes), (needed, inputs))) = function else { return };
        let given: HashSet<&str> = node.attribute.iter().map(|attribute| &*attribute.name).collect();
        let mut found = Vec::new();
        // A few show what is wrong, however many a file asks for.
        let is_given = |index: &&usize| node.input.get(**index).is_some_and(|name| !name.is_empty());
        for index in inputs.iter().filter(|index| !is_given(index)).take(8) {
            let input = function.input.get(*index).map_or("", String::as_str);
            let message = format!("input {index} (`{input}`) is missing; the function {} needs it", name(function));
            let finding = place.finding(Code::InputMissing, message).expected("a value").found("nothing");
            found.push(finding.help("connect the input"));
        }
        for absent in needed.iter().filter(|name| !given.contains(**name)).take(8) {
            let message = format!("the attribute `{absent}` is missing; the function {} needs it", name(function));
            let finding = place.finding(Code::AttributeMissing, message).expected("a value").found("nothing");
            found.push(finding.help("add the attribute, or give it a default in attribute_proto"));
        }
        for attribute in &node.attribute {
            match attributes.kinds.get(&*attribute.name) {
                None => {
                    let message = format!("the function {} has no attribute `{}`", name(function), attribute.name);
                    let finding = place.finding(Code::AttributeUnknown, message).expected(&attributes.names);
                    found.push(finding.found(&attribute.name).help("remove the attribute"));
                }
                Some(Some(expected)) if kind(attribute).is_some_and(|kind| kind != *expected) => {
                    let message =
                        format!("the attribute `{}` has the wrong kind; it must be {expected}", attribute.name);
                    let finding = place.finding(Code::AttributeType, message).expected(expected);
                    let finding = finding.found(kind(attribute).map_or("", AttributeKind::name));
                    found.push(finding.help(format!("the function {} has a default of that kind", name(function))));
                }
                Some(_) => {}
            }
        }
        self.findings.extend(found);
    }

    /// Whether a node of a function is of the version that it would be elsewhere in the model.
    fn common_version(&mut self, graph: Graph<'_, 'm>, place: Place<'_>, node: &NodeProto) {
        let domain = canonical_domain(&node.domain);
        let Some(own) = graph.function.and_then(|function| self.functions.imports(Some(function)).get(domain)) else {
            return;
        };
        let Some((common, who)) = self.facts.common.get(domain) else { return };
        if own == *common {
            return;
        }
        let version = |opset| self.options.registry.resolve(domain, &node.op_type, opset);
        let Ok(schema) = version(own) else { return };
        let other = match version(*common) {
            Ok(other) if other.since_version == schema.since_version => return,
            Ok(other) => {
                format!("{}-{}, from opset {common}, which {who} imports", other.name, other.since_version)
            }
            Err(_) => format!("an operator of opset {common}, which {who} imports"),
        };
        let message = format!("{} has a different version here than elsewhere in the model", node.op_type);
        let found = place.finding(Code::FunctionOpset, message).expected(other);
        let found = found.found(format!("{}-{}, of opset {own}", schema.name, schema.since_version));
        self.push(found.help(format!("import one opset of {domain} in the model and in all of its functions")));
    }

    /// Functions that call themselves, by way of others too.
    pub(super) fn recursion(&mut self) {
        let model = self.model;
        let mut calls = Vec::with_capacity(model.functions.len());
        for function in &model.functions {
            let (mut called, mut seen) = (Vec::new(), HashSet::new());
            each(&function.node, &mut |node| {
                called.extend(self.functions.called(node).filter(|called| seen.insert(*called)));
            });
            calls.push(called);
        }
        for Cycle { first, second, length } in cycles(&calls) {
            let name = |function: usize| model.functions.get(function).map(name).unwrap_or_default();
            let by = match length {
                1 => String::new(),
                2 => format!(", through {}", name(second)),
                more => format!(", through {} and {} more", name(second), more - 2),
            };
            let path = format!("function {}", name(first));
            let message = format!("the function {} calls itself{by}", name(first));
            let found = Place::graph(&path).finding(Code::FunctionRecursive, message);
            let found = found.expected("functions that do not call themselves").found("a cycle of calls");
            self.push(found.help("write the repetition as a Loop or Scan"));
        }
    }
}

/// Functions that lead back to the first of them.
struct Cycle {
    first: usize,
    /// The one that the first calls; itself where it is the only one.
    second: usize,
    length: usize,
}

/// One cycle for each function that others lead back to.
fn cycles(calls: &[Vec<usize>]) -> Vec<Cycle> {
    let mut cycles = Vec::new();
    let mut told = HashSet::new();
    let mut done = HashSet::new();
    for start in 0..calls.len() {
        // An explicit stack, since a file may have a chain of any length.
        let mut path = vec![(start, 0)];
        let mut depths = HashMap::from([(start, 0)]);
        while let Some((at, next)) = path.last_mut() {
            let called = if done.contains(at) { None } else { calls.get(*at).and_then(|calls| calls.get(*next)) };
            let Some(called) = called.copied() else {
                done.insert(*at);
                depths.remove(at);
                path.pop();
                continue;
            };
            *next += 1;
            match depths.get(&called) {
                None => {
                    depths.insert(called, path.len());
                    path.push((called, 0));
                }
                Some(depth) if told.insert(called) => {
                    let second = path.get(depth + 1).map_or(called, |(function, _)| *function);
                    cycles.push(Cycle { first: called, second, length: path.len() - depth });
                }
                Some(_) => {}
            }
        }
    }
    cycles
}
