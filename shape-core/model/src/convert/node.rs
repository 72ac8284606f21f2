//! Converts one node: collects its facts, and turns the result into an edit.

use std::collections::HashSet;

use super::constant::tensor;
use super::converter::{Converter, OpsetChange};
use super::result::ConvertedNode;
use crate::file::proto::{AttributeProto, NodeProto};
use crate::file::{self, ListEdit, Model, NodeEdit};
use crate::finding::Finding;
use crate::graph::NodeAt;
use crate::value::Value;
use shape_core::code::Code;
use shape_core::convert::{self, Attribute, Constant, Converted, Input, Known, Node, Output, Value as New};
use shape_core::node::AttributeValue;
use shape_core::registry::Missing;
use shape_core::schema::arity;

impl<'m: 'a, 'a> Converter<'m, 'a> {
    /// Converts a node, and returns the names of its inputs if they change.
    pub(super) fn node(&mut self, at: NodeAt<'a>, change: OpsetChange<'a>) -> Option<Vec<String>> {
        let node = at.node;
        let OpsetChange { domain, from, to } = change;
        let resolve = |opset| self.registry.resolve(domain, node.op_type(), opset);
        let (old, new) = match (resolve(from), resolve(to)) {
            (Ok(old), Ok(new)) => (old, Some(new)),
            (Err(Missing::NoDescriptor), _) | (_, Err(Missing::NoDescriptor)) => {
                // An operator that its domain does not have was already reported for the original model.
                if !self.reported.unknown.contains(domain) {
                    self.undescribed(at, domain);
                }
                return None;
            }
            // Already reported for the original model.
            (Err(_), _) => return None,
            // Another operator may stand for it.
            (Ok(old), Err(Missing::OperatorTooNew { .. } | Missing::ReleaseTooOld { .. })) => (old, None),
            (_, Err(Missing::OpsetTooNew { newest })) => {
                if !std::mem::replace(&mut self.reported.opset_too_new, true) {
                    let message = format!("opset {to} of {domain} is unknown");
                    let found = Finding::new(Code::OpsetTooNew, "", message);
                    self.findings.push(found.expected(format!("at most {newest}")).found(to));
                }
                return None;
            }
        };
        if new.is_some_and(|new| new.since_version == old.since_version) {
            return None;
        }
        let values: Vec<Option<&Value<'m>>> =
            node.inputs().iter().map(|name| self.analysis.values.get(self.lookup(at.graph, name)?)).collect();
        let constants: Vec<Option<Constant>> =
            values.iter().map(|value| value.and_then(|value| self.constant(value))).collect();
        let inputs = node.inputs().iter().zip(&values).zip(&constants).enumerate();
        let inputs = inputs.map(|(index, ((name, value), constant))| match name.is_empty() {
            true => Input::Absent,
            false => Input::Given { index, known: Known { constant: constant.as_ref(), ..known(*value) } },
        });
        let used = node.outputs().iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let outputs = node.outputs().iter().take(used).enumerate().map(|(index, name)| match name.is_empty() {
            true => Output::Absent,
            false => {
                let value = self.lookup(at.graph, name).and_then(|value| self.analysis.values.get(value));
                Output::Given { index, known: known(value) }
            }
        });
        let attributes = node.attributes().iter().filter_map(file::Attribute::view);
        let attributes = attributes.map(|attribute| Attribute::given(attribute.name, attribute.value));
        let draft = Node { attributes: attributes.collect(), inputs: inputs.collect(), outputs: outputs.collect() };
        let registry = self.registry;
        let operators = |name: &str| registry.operator(domain, name);
        match convert::convert(&operators, old, to, draft) {
            Ok(converted) => {
                let (changed, inputs) = self.edit(at, &converted);
                if changed {
                    let main = converted.iter().find(|new| new.schema.name == old.name);
                    self.nodes.push(ConvertedNode {
                        graph: self.path(at.graph).to_owned(),
                        node: at.into(),
                        from: old.since_version,
                        to: main.or(converted.last()).map_or(old, |new| new.schema).since_version,
                    });
                }
                inputs
            }
            Err(refusals) => {
                // The analysis already reported the errors of the original node, but for those of training.
                let was_reported = self.reported.nodes.contains(&(self.path(at.graph), at.index));
                for refusal in refusals {
                    if refusal.is_of_original() && was_reported {
                        continue;
                    }
                    let mut found = Finding::new(refusal.code(), self.path(at.graph), refusal.to_string()).at(at);
                    found = found.expected(refusal.expected()).found(refusal.found());
                    if !refusal.help().is_empty() {
                        found = found.help(refusal.help());
                    }
                    self.findings.push(found);
                }
                None
            }
        }
    }

    fn undescribed(&mut self, at: NodeAt<'a>, domain: &'a str) {
        let op_type = at.node.op_type();
        if let Some((_, nodes)) = self.undescribed.get_mut(&(domain, op_type)) {
            *nodes += 1;
            return;
        }
        let message = format!("{op_type} has no descriptor");
        let found = Finding::new(Code::ConversionUnknown, self.path(at.graph), message).at(at);
        self.undescribed.insert((domain, op_type), (self.findings.len(), 1));
        self.findings.push(found.help("it cannot be converted, because the changes between its versions are unknown"));
    }

    /// Notes what becomes of a node. Returns whether anything changes, and all names that are read in its place if they
    /// change.
    fn edit(&mut self, at: NodeAt<'a>, converted: &[Converted<'_>]) -> (bool, Option<Vec<String>>) {
        let node = at.node;
        // The names of new values, by their numbers.
        let mut names: Vec<(usize, String)> = Vec::new();
        for output in converted.iter().flat_map(|new| &new.node.outputs) {
            if let Output::New { id, name } = output {
                names.push((*id, self.new_name(at, name)));
            }
        }
        let is_only = converted.len() == 1 && converted.iter().all(|new| has_outputs_of(node, &new.node));
        // Its graphs stay in it, with their own edits.
        let has_graphs =
            node.attributes().iter().any(|attribute| attribute.graph().is_some() || !attribute.graphs().is_empty());
        let place = converted.iter().position(|new| new.schema.name == node.op_type() && (is_only || has_graphs));
        if let Some((before, [stays, after @ ..])) = place.and_then(|place| converted.split_at_checked(place)) {
            return self.edit_in_place(at, stays, (before, after), &names);
        }
        let mut nodes: Vec<NodeProto> = converted.iter().map(|new| self.new_node(at, new, &names)).collect();
        if let Some(last) = nodes.last_mut() {
            let NodeProto { input, output, op_type, attribute, .. } = std::mem::take(last);
            *last = NodeProto { input, output, op_type, attribute, ..node.proto() };
        }
        let read: Vec<String> = nodes.iter().flat_map(|node| node.input.iter().cloned()).collect();
        self.drop_unread(at, &read);
        self.edits.entry(at.graph).or_default().replaced.insert(at.index, nodes);
        (true, Some(read))
    }

    /// Notes what changes of a node that stays, and the nodes that are new before and after it.
    fn edit_in_place(
        &mut self,
        at: NodeAt<'a>,
        Converted { schema, node: new }: &Converted<'_>,
        (before, after): (&[Converted<'_>], &[Converted<'_>]),
        names: &[(usize, String)],
    ) -> (bool, Option<Vec<String>>) {
        let node = at.node;
        let before: Vec<NodeProto> = before.iter().map(|new| self.new_node(at, new, names)).collect();
        let after: Vec<NodeProto> = after.iter().map(|new| self.new_node(at, new, names)).collect();
        let inputs: Vec<String> = new.inputs.iter().map(|input| self.input(at, input, names)).collect();
        let outputs = output_names(node, new, names);
        let around = before.iter().chain(&after).flat_map(|node| node.input.iter().cloned());
        let read: Vec<String> = inputs.iter().cloned().chain(around).collect();
        self.drop_unread(at, &read);
        // Trailing inputs that are left out may be written as empty names or not at all, where there is place for
        // them.
        let used = node.inputs().iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let fits = arity(schema.inputs).1.is_none_or(|most| node.inputs().len() <= most);
        let same = fits && used == inputs.len() && node.inputs().iter().zip(&inputs).all(|(old, new)| old == new);
        let edit = NodeEdit {
            name: None,
            inputs: (!same).then_some(inputs),
            outputs: (!has_outputs_of(node, new)).then_some(outputs),
            attributes: attributes_edit(node, &new.attributes),
            before,
            after,
        };
        let changed = edit != NodeEdit::default();
        let read = (edit.inputs.is_some() || !edit.before.is_empty() || !edit.after.is_empty()).then_some(read);
        if changed {
            self.edits.entry(at.graph).or_default().nodes.insert(at.index, edit);
        }
        (changed, read)
    }

    /// A node beside others, named after what it gives if the original one has a name.
    fn new_node(&mut self, at: NodeAt<'a>, new: &Converted<'_>, names: &[(usize, String)]) -> NodeProto {
        let Converted { schema, node: new } = new;
        let output = output_names(at.node, new, names);
        let first = output.first().filter(|_| !at.node.name().is_empty());
        NodeProto {
            input: new.inputs.iter().map(|input| self.input(at, input, names)).collect(),
            name: first.cloned().unwrap_or_default(),
            output,
            op_type: schema.name.to_owned(),
            domain: at.node.domain().to_owned(),
            attribute: new.attributes.iter().map(|new| attribute_proto(new, at.node.model())).collect(),
            ..NodeProto::default()
        }
    }

    /// The name of an input.
    fn input(&mut self, at: NodeAt<'a>, input: &Input<'_>, names: &[(usize, String)]) -> String {
        match input {
            Input::Absent => String::new(),
            Input::Given { index, .. } => at.node.inputs().get(*index).unwrap_or_default().to_owned(),
            Input::Constant { name, value } => self.initializer(at, name, value),
            Input::New(id) => new_value(*id, names),
        }
    }

    fn drop_unread(&mut self, at: NodeAt<'a>, read: &[String]) {
        let read: HashSet<&str> = read.iter().map(String::as_str).collect();
        for name in at.node.inputs().iter().filter(|name| !read.contains(*name)) {
            self.dropped.extend(self.lookup(at.graph, name));
        }
    }

    /// A name that nothing else has.
    fn new_name(&mut self, at: NodeAt<'a>, what: &str) -> String {
        let first = at.node.outputs().iter().find(|name| !name.is_empty());
        let base = if at.node.name().is_empty() { first.unwrap_or(at.node.op_type()) } else { at.node.name() };
        let mut name = format!("{base}_{what}");
        let mut count = 1;
        while !self.names.insert(name.clone()) {
            name = format!("{base}_{what}_{count}");
            count += 1;
        }
        name
    }

    /// Adds a constant, and returns its name.
    fn initializer(&mut self, at: NodeAt<'a>, formal: &str, value: &Constant) -> String {
        let name = self.new_name(at, formal);
        let (tensor, input) = tensor(&name, value);
        self.add_constant(at, tensor, input);
        name
    }
}

/// What the analysis knows of a value, without its elements.
fn known<'k>(value: Option<&'k Value<'_>>) -> Known<'k> {
    let ty = value.and_then(|value| value.ty.as_ref().ok().copied());
    Known { ty, dims: value.and_then(|value| value.dims.as_deref().ok()), constant: None }
}

/// Whether a node has the outputs of the original one at their places.
fn has_outputs_of(original: file::Node<'_>, new: &Node<'_>) -> bool {
    let used = original.outputs().iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
    let mut pairs = new.outputs.iter().enumerate();
    used == new.outputs.len()
        && pairs.all(|(at, output)| match output {
            Output::Given { index, .. } => *index == at,
            Output::Absent => original.outputs().get(at).is_some_and(str::is_empty),
            Output::New { .. } => false,
        })
}

fn output_names(original: file::Node<'_>, new: &Node<'_>, names: &[(usize, String)]) -> Vec<String> {
    let name = |output: &Output<'_>| match output {
        Output::Absent => String::new(),
        Output::Given { index, .. } => original.outputs().get(*index).unwrap_or_default().to_owned(),
        Output::New { id, .. } => new_value(*id, names),
    };
    new.outputs.iter().map(name).collect()
}

fn new_value(id: usize, names: &[(usize, String)]) -> String {
    names.iter().find(|(of, _)| *of == id).map(|(_, name)| name.clone()).unwrap_or_default()
}

/// The edit of the attributes of a node that stays.
fn attributes_edit(node: file::Node<'_>, attributes: &[Attribute<'_>]) -> ListEdit<AttributeProto> {
    // What is not plain numbers or a text is never changed, only kept or left out.
    let is_same = |old: file::Attribute<'_>, new: &Attribute<'_>| match (old.view(), &new.value) {
        (Some(old), New::Given(value)) => {
            let is_plain = matches!(
                value,
                AttributeValue::Int(_)
                    | AttributeValue::Float(_)
                    | AttributeValue::String(_)
                    | AttributeValue::Ints(_)
                    | AttributeValue::Floats(_)
            );
            old.value.kind() == value.kind() && (!is_plain || old.value == *value)
        }
        _ => false,
    };
    let kept = |old: file::Attribute<'_>| attributes.iter().any(|new| new.name == old.name() && is_same(old, new));
    let remove = (0..).zip(node.attributes()).filter(|(_, old)| !kept(*old)).map(|(index, _)| index);
    let new = |new: &&Attribute<'_>| !node.attributes().iter().any(|old| old.name() == new.name && is_same(old, new));
    ListEdit {
        remove: remove.collect(),
        add: attributes.iter().filter(new).map(|new| attribute_proto(new, node.model())).collect(),
    }
}

fn attribute_proto(attribute: &Attribute<'_>, model: &Model) -> AttributeProto {
    let mut proto = AttributeProto::from_view(&attribute.view(), model);
    if let New::Tensor(constant) = &attribute.value {
        proto.t = Some(Box::new(tensor("", constant).0));
    }
    proto
}
