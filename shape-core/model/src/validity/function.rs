//! Checks the functions of a model, and calls of them.

use std::collections::{HashMap, HashSet};

use super::checker::{Checker, Location, Side};
use super::facts::{Facts, each, kind};
use crate::file::{Attribute, Node};
use crate::functions::name;
use crate::graph::GraphAt;
use crate::text::shortened;
use shape_core::code::Code;
use shape_core::node::AttributeKind;
use shape_core::opset::canonical_domain;

impl<'m> Checker<'m, '_> {
    /// Checks a function by itself. `index` is its index in the model.
    pub(super) fn function(&mut self, index: usize, location: Location<'_>) {
        let Some(function) = self.model.functions().get(index) else { return };
        if function.name().is_empty() {
            let found = location.finding(Code::FieldMissing, "the function has no name");
            let found = found.expected("a name").found("an empty one");
            self.push(found.help("give it the name that its calls use, or remove it"));
        }
        if !self.functions.is_first(index) {
            let found =
                location.finding(Code::FunctionDuplicate, format!("two functions have the name {}", name(function)));
            let found = found.expected("a unique combination of domain, name and overload").found("a second one");
            self.push(found.help("remove one of the two, or give it another overload"));
        }
        if !function.overload().is_empty() {
            self.needs(10, "the overload of a function", location);
        }
        if !function.defaults().is_empty() {
            self.needs(9, "an attribute of a function with a default", location);
        }
        if !function.value_info().is_empty() {
            self.needs(10, "the type of a value of a function", location);
        }
        self.metadata(&function.metadata_props(), &"the function", location);
        function.value_info().undecoded().for_each(|info| self.declaration(info, Side::Inner, location));
        let mut seen = HashSet::new();
        for output in function.outputs().iter().filter(|output| !seen.insert(*output)) {
            let found =
                location.finding(Code::OutputDuplicate, format!("`{output}` is an output of the function twice"));
            self.push(found.expected("each once").found(output).help("use an Identity node for the second one"));
        }
        let mut seen = HashSet::new();
        let names = function.attributes().iter().chain(function.defaults().iter().map(Attribute::name));
        for attribute in names.filter(|attribute| !seen.insert(*attribute)) {
            let message = format!("`{attribute}` is an attribute of the function twice");
            let found = location.finding(Code::AttributeDuplicate, message);
            self.push(found.expected("one, with a default or without").found("two").help("keep one"));
        }
        for default in function.defaults() {
            self.attribute(default, None, location);
        }
    }

    /// Checks a node that may be a call, or that may be part of a function.
    pub(super) fn call(&mut self, graph: GraphAt<'_, 'm>, location: Location<'_>, node: Node<'m>) {
        match self.functions.called(node) {
            Some(called) => self.call_of(called, location, node),
            None => self.common_version(graph, location, node),
        }
    }

    fn call_of(&mut self, called: usize, location: Location<'_>, node: Node<'_>) {
        let Facts { attributes, needed, inputs, .. } = &self.facts;
        let needed = needed.get(called).zip(inputs.get(called));
        let function = self.functions.get(called).zip(attributes.get(called)).zip(needed);
        let Some(((function, attributes), (needed, inputs))) = function else { return };
        let present: HashSet<&str> = node.attributes().iter().map(Attribute::name).collect();
        let mut found = Vec::new();
        // At most 8 of each kind are reported; a hostile file could require any number.
        let is_connected = |index: &&usize| node.inputs().get(**index).is_some_and(|name| !name.is_empty());
        for index in inputs.iter().filter(|index| !is_connected(index)).take(8) {
            let input = shortened(function.inputs().get(*index).unwrap_or_default());
            let message = format!("input {index} (`{input}`) is missing; the function {} needs it", name(function));
            let finding = location.finding(Code::InputMissing, message).expected("a value").found("nothing");
            found.push(finding.help("connect the input"));
        }
        for absent in needed.iter().filter(|name| !present.contains(**name)).take(8) {
            let absent = shortened(absent);
            let message = format!("the attribute `{absent}` is missing; the function {} needs it", name(function));
            let finding = location.finding(Code::AttributeMissing, message).expected("a value").found("nothing");
            found.push(finding.help("add the attribute, or give it a default in attribute_proto"));
        }
        for attribute in node.attributes() {
            match attributes.kinds.get(attribute.name()) {
                None => {
                    let message = format!("the function {} has no attribute `{}`", name(function), attribute.name());
                    let finding = location.finding(Code::AttributeUnknown, message).expected(&attributes.names);
                    found.push(finding.found(attribute.name()).help("remove the attribute"));
                }
                Some(Some(expected)) if kind(attribute).is_some_and(|kind| kind != *expected) => {
                    let message =
                        format!("the attribute `{}` has the wrong kind; it must be {expected}", attribute.name());
                    let finding = location.finding(Code::AttributeType, message).expected(expected);
                    let finding = finding.found(kind(attribute).map_or("", AttributeKind::name));
                    found.push(finding.help(format!("the function {} has a default of that kind", name(function))));
                }
                Some(_) => {}
            }
        }
        self.findings.extend(found);
    }

    /// Reports a node of a function whose operator version differs from that in the rest of the model.
    fn common_version(&mut self, graph: GraphAt<'_, 'm>, location: Location<'_>, node: Node<'_>) {
        let domain = canonical_domain(node.domain());
        let Some(opset) = graph.function.and_then(|function| self.functions.imports(Some(function)).get(domain)) else {
            return;
        };
        let Some((common, who)) = self.facts.common.get(domain) else { return };
        if opset == *common {
            return;
        }
        let version = |opset| self.options.registry.resolve(domain, node.op_type(), opset);
        let Ok(schema) = version(opset) else { return };
        let other = match version(*common) {
            Ok(other) if other.since_version == schema.since_version => return,
            Ok(other) => {
                format!("{}-{}, from opset {common}, which {who} imports", other.name, other.since_version)
            }
            Err(_) => format!("an operator of opset {common}, which {who} imports"),
        };
        let message = format!("{} has a different version here than elsewhere in the model", node.op_type());
        let found = location.finding(Code::FunctionOpset, message).expected(other);
        let found = found.found(format!("{}-{}, of opset {opset}", schema.name, schema.since_version));
        self.push(found.help(format!("import one opset of {domain} in the model and in all of its functions")));
    }

    /// Reports functions that call themselves, directly or through others.
    pub(super) fn recursion(&mut self) {
        let model = self.model;
        let mut calls = Vec::with_capacity(model.functions().len());
        for function in model.functions() {
            let (mut called, mut seen) = (Vec::new(), HashSet::new());
            each(function.nodes(), &mut |node| {
                called.extend(self.functions.called(node).filter(|called| seen.insert(*called)));
            });
            calls.push(called);
        }
        for Cycle { first, second, length } in cycles(&calls) {
            let name = |function: usize| model.functions().get(function).map(name).unwrap_or_default();
            let by = match length {
                1 => String::new(),
                2 => format!(", through {}", name(second)),
                more => format!(", through {} and {} more", name(second), more - 2),
            };
            let path = format!("function {}", name(first));
            let message = format!("the function {} calls itself{by}", name(first));
            let found = Location::graph(&path).finding(Code::FunctionRecursive, message);
            let found = found.expected("functions that do not call themselves").found("a cycle of calls");
            self.push(found.help("write the repetition as a Loop or Scan"));
        }
    }
}

/// Functions that call each other in a cycle.
struct Cycle {
    first: usize,
    /// The function that the first one calls; the first one itself if it is the only one.
    second: usize,
    length: usize,
}

/// One cycle for each function that can reach itself.
fn cycles(calls: &[Vec<usize>]) -> Vec<Cycle> {
    let mut cycles = Vec::new();
    let mut reported = HashSet::new();
    let mut done = HashSet::new();
    for start in 0..calls.len() {
        // An explicit stack, since a file may contain a call chain of any length.
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
                Some(depth) if reported.insert(called) => {
                    let second = path.get(depth + 1).map_or(called, |(function, _)| *function);
                    cycles.push(Cycle { first: called, second, length: path.len() - depth });
                }
                Some(_) => {}
            }
        }
    }
    cycles
}
