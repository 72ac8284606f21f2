//! Converts one node: collects its facts, and turns the result into an edit.

use std::collections::HashSet;

use super::constant::{Constant, tensor};
use super::converter::{Converter, OpsetChange};
use super::result::ConvertedNode;
use crate::analysis::deprecated;
use crate::file::proto::AttributeProto;
use crate::file::{ListEdit, NodeEdit};
use crate::finding::Finding;
use crate::graph::NodeAt;
use crate::value::Value;
use shape_core::code::Code;
use shape_core::convert::{self, Incompatibility, Input, Node};
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::registry::Missing;
use shape_core::types::Type;

impl<'m: 'a, 'a> Converter<'m, 'a> {
    /// Converts a node, and returns the names of its inputs if they change.
    pub(super) fn node(&mut self, at: NodeAt<'a>, change: OpsetChange<'a>) -> Option<Vec<String>> {
        let node = at.node;
        let OpsetChange { domain, from, to } = change;
        let resolve = |opset| self.registry.resolve(domain, &node.op_type, opset);
        let (old, new) = match (resolve(from), resolve(to)) {
            (Ok(old), Ok(new)) => (old, new),
            (Err(Missing::NoDescriptor), _) | (_, Err(Missing::NoDescriptor)) => {
                // An operator that its domain does not have was already reported for the original model.
                let unknown = |found: &Finding| {
                    found.code == Code::OperatorUnknown && found.node.as_ref().is_some_and(|node| node.domain == domain)
                };
                if !self.findings.iter().any(unknown) {
                    self.undescribed(at, domain);
                }
                return None;
            }
            // Already reported for the original model.
            (Err(_), _) => return None,
            (_, Err(Missing::OperatorTooNew { since })) => {
                let message = format!("{} is newer than opset {to}", node.op_type);
                let found = Finding::new(Code::OperatorTooNew, self.path(at.graph), message).at(at);
                let found = found.expected(format!("opset {since} of {domain} or later"));
                self.findings.push(found.found(format!("opset {to}")));
                return None;
            }
            (_, Err(Missing::OpsetTooNew { newest })) => {
                let known = self.findings.iter().any(|found| found.code == Code::OpsetTooNew);
                if !known {
                    let message = format!("opset {to} of {domain} is unknown");
                    let found = Finding::new(Code::OpsetTooNew, "", message);
                    self.findings.push(found.expected(format!("at most {newest}")).found(to));
                }
                return None;
            }
        };
        if old.since_version == new.since_version {
            return None;
        }
        if new.deprecated {
            self.findings.push(deprecated(new, self.path(at.graph), at, to));
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
        let attributes = node.attribute.iter().filter_map(AttributeProto::view);
        let draft = Node { attributes: attributes.collect(), inputs: inputs.collect(), outputs: outputs.collect() };
        let versions = self.registry.operator(domain, &node.op_type);
        match convert::convert(versions, old, new, draft) {
            Ok(converted) => {
                let (edit, inputs) = self.edit(at, &converted);
                if edit != NodeEdit::default() {
                    self.nodes.push(ConvertedNode {
                        graph: self.path(at.graph).to_owned(),
                        node: at.into(),
                        from: old.since_version,
                        to: new.since_version,
                    });
                    self.edits.entry(at.graph).or_default().nodes.insert(at.index, edit);
                }
                inputs
            }
            Err(refusals) => {
                for refusal in refusals {
                    // The analysis already reported the errors of the original node, but for those of training.
                    if matches!(refusal.reason, Incompatibility::Wrong(_)) && self.has_error(at) {
                        continue;
                    }
                    let mut found = Finding::new(refusal.code(), self.path(at.graph), refusal.to_string()).at(at);
                    found = found.expected(refusal.expected()).found(refusal.found());
                    self.findings.push(found.help(refusal.help().to_string()));
                }
                None
            }
        }
    }

    fn undescribed(&mut self, at: NodeAt<'a>, domain: &'a str) {
        let op_type = &*at.node.op_type;
        if let Some((_, nodes)) = self.undescribed.get_mut(&(domain, op_type)) {
            *nodes += 1;
            return;
        }
        let message = format!("{op_type} has no descriptor");
        let found = Finding::new(Code::ConversionUnknown, self.path(at.graph), message).at(at);
        self.undescribed.insert((domain, op_type), (self.findings.len(), 1));
        self.findings.push(found.help("it cannot be converted, because the changes between its versions are unknown"));
    }

    fn ty(&self, graph: usize, name: &str) -> Option<Type> {
        self.analysis.values.get(self.lookup(graph, name)?)?.ty.as_ref().ok().copied()
    }

    /// The edit of a node, and the names of its inputs if they change.
    fn edit(&mut self, at: NodeAt<'a>, converted: &Node<'_>) -> (NodeEdit, Option<Vec<String>>) {
        let node = at.node;
        let kept = |name: &str| converted.attributes.iter().any(|attribute| attribute.name == name);
        let remove = (0..).zip(&node.attribute).filter(|(_, old)| !kept(&old.name)).map(|(index, _)| index);
        let new = |attribute: &&NodeAttribute<'_>| !node.attribute.iter().any(|old| old.name == attribute.name);
        let add = converted.attributes.iter().filter(new).map(AttributeProto::from_view);
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
        // Trailing inputs that are left out may be written as empty names or not at all.
        let used = node.input.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let same = node.input.get(..used).is_some_and(|old| old == inputs);
        let inputs = (!same).then_some(inputs);
        (NodeEdit { inputs: inputs.clone(), attributes }, inputs)
    }

    /// Adds a constant, and returns its name.
    fn initializer(&mut self, at: NodeAt<'a>, formal: &str, value: &AttributeValue<'_>) -> String {
        let first = at.node.output.iter().find(|name| !name.is_empty());
        let base = if at.node.name.is_empty() { first.unwrap_or(&at.node.op_type) } else { &at.node.name };
        let mut name = format!("{base}_{formal}");
        let mut count = 1;
        while !self.names.insert(name.clone()) {
            name = format!("{base}_{formal}_{count}");
            count += 1;
        }
        let (tensor, input) = tensor(&name, value);
        self.add_constant(at, tensor, input);
        name
    }
}
