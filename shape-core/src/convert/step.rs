//! One step of a conversion: to the next version, or back to the one before.

use alloc::vec::Vec;

use super::adapter::{Refuse, perform};
use super::draft::Step;
use super::formula::{Before, Computed};
use super::incompatibility::Incompatibility;
use super::node::{Attribute, Input, Node, Output, Value};
use crate::adapter::{Action, Deed, Way};
use crate::check;
use crate::node::NodeAttribute;
use crate::problem::{Problem, Side};
use crate::schema::{ParameterOption, Schema, arity};
use crate::types::Type;

/// The actions for one direction whose conditions hold at a node, up to the first that ends them.
pub(super) fn actions(schema: &'static Schema, is_up: bool, before: &Before<'_, '_>) -> Vec<&'static Action> {
    let way = if is_up { Way::Up } else { Way::Down };
    let mut actions = Vec::new();
    for action in schema.adapter.unwrap_or_default() {
        if action.way.is_none_or(|of| of == way) && before.does(action) {
            actions.push(action);
            if matches!(action.deed, Deed::Keep | Deed::Rewrite(_) | Deed::Refuse { .. }) {
                break;
            }
        }
    }
    actions
}

impl Step {
    /// Does a step by the actions of the adapter and the tables of the two versions. What cannot be kept is passed to
    /// `refuse` and removed from the node.
    pub(super) fn convert<'a>(
        self,
        before: &Before<'_, 'a>,
        actions: &[&'static Action],
        refuse: &mut Refuse<'_>,
    ) -> Node<'a> {
        let mut draft = before.draft.clone();
        // What the node does by a default that the other version does not have.
        for old in self.from.attributes {
            if let (Some(default), None, Some(new)) =
                (old.default, draft.attribute(old.name), self.to.attribute(old.name))
                && new.default != old.default
            {
                draft.attributes.push(Attribute::given(old.name, default));
                draft.implied.push(old.name);
            }
        }
        for action in actions {
            perform(&action.deed, &mut draft, before, self, refuse);
        }
        if self.newer().adapter.is_none() && self.newer().semantics.is_some() {
            refuse(Incompatibility::Meaning { newer: self.newer() });
        }
        let attributes = self.attributes(draft.attributes, &draft.implied, refuse);
        let mut inputs = self.inputs(draft.inputs, refuse);
        let mut outputs = self.outputs(draft.outputs, refuse);
        self.types(&mut inputs, &mut outputs, refuse);
        Node { attributes, inputs, outputs }
    }

    fn attributes<'a>(
        self,
        given: Vec<Attribute<'a>>,
        implied: &[&str],
        refuse: &mut Refuse<'_>,
    ) -> Vec<Attribute<'a>> {
        let mut kept: Vec<Attribute<'a>> = Vec::new();
        let mut decided: Vec<&'static str> = Vec::new();
        for attribute in given {
            let old = self.from.attribute(attribute.name);
            match self.to.attribute(attribute.name) {
                Some(new) => {
                    let other_kind = attribute.value.view().kind() != new.kind;
                    let converted = match Computed::of_value(attribute.value.view()) {
                        Some(computed) if other_kind => computed.value(new.kind).and_then(owned),
                        _ => None,
                    };
                    let attribute = Attribute { value: converted.unwrap_or(attribute.value), ..attribute };
                    decided.push(new.name);
                    if implied.contains(&attribute.name) && new.default == Some(attribute.value.view()) {
                        continue;
                    }
                    match check::value(new, &attribute.view()) {
                        Ok(()) => kept.push(attribute),
                        Err(problem) => refuse(Incompatibility::AttributeChanged(&problem)),
                    }
                }
                None if old.is_some_and(|old| old.legacy || old.default == Some(attribute.value.view())) => {}
                None => {
                    let default = old.and_then(|old| old.default).map(Value::Given);
                    let (name, value) = (attribute.name, &attribute.value);
                    refuse(Incompatibility::AttributeLost { name, value, expected: default.as_ref() });
                }
            }
        }
        for new in self.to.attributes {
            if decided.contains(&new.name) {
                continue;
            }
            match self.from.attribute(new.name) {
                Some(old) if old.default.is_none() && !old.required && new.default.is_some() => {
                    refuse(Incompatibility::AttributeDefault { attribute: new });
                }
                _ if new.required => refuse(Incompatibility::AttributeMissing { attribute: new }),
                _ => {}
            }
        }
        kept
    }

    fn inputs<'a>(self, mut given: Vec<(&'static str, Input<'a>)>, refuse: &mut Refuse<'_>) -> Vec<Input<'a>> {
        let mut inputs = Vec::new();
        for formal in self.to.inputs {
            let matches = |(name, _): &(&str, Input<'a>)| *name == formal.name;
            if !formal.is_variadic() {
                let input = given.iter().position(matches).map_or(Input::Absent, |at| given.remove(at).1);
                if input == Input::Absent && formal.option == ParameterOption::Single {
                    refuse(Incompatibility::InputMissing { formal });
                }
                inputs.push(input);
            } else {
                let mut found: Vec<Input<'a>> =
                    given.iter().filter(|entry| matches(entry)).map(|(_, input)| input.clone()).collect();
                given.retain(|entry| !matches(entry));
                if found.len() < formal.min_arity as usize {
                    refuse(Incompatibility::InputMissing { formal });
                }
                inputs.append(&mut found);
            }
        }
        for (name, input) in given {
            if input != Input::Absent {
                refuse(Incompatibility::InputLost { name });
            }
        }
        while inputs.last() == Some(&Input::Absent) {
            inputs.pop();
        }
        inputs
    }

    /// The outputs at their indices; one that the other version has at another index moves there.
    fn outputs<'a>(self, mut given: Vec<(&'static str, Output<'a>)>, refuse: &mut Refuse<'_>) -> Vec<Output<'a>> {
        let mut outputs = Vec::new();
        for formal in self.to.outputs {
            let matches = |(name, _): &(&str, Output<'a>)| *name == formal.name;
            if formal.is_variadic() {
                outputs.extend(given.iter().filter(|entry| matches(entry)).map(|(_, output)| output.clone()));
                given.retain(|entry| !matches(entry));
            } else {
                outputs.push(given.iter().position(matches).map_or(Output::Absent, |at| given.remove(at).1));
            }
        }
        for (name, _) in given.iter().filter(|(_, output)| *output != Output::Absent) {
            refuse(Incompatibility::OutputLost { name });
        }
        while outputs.last() == Some(&Output::Absent) {
            outputs.pop();
        }
        let (min, _) = arity(self.to.outputs);
        for index in outputs.len()..min {
            if let Some(formal) = self.to.output(index) {
                refuse(Incompatibility::OutputMissing { formal });
            }
        }
        outputs
    }

    /// A refused type counts as unknown afterwards. It is not reported again for an output that has it from an input.
    fn types<'a>(self, inputs: &mut [Input<'a>], outputs: &mut [Output<'a>], refuse: &mut Refuse<'_>) {
        let mut problems: Vec<Problem<'static>> = Vec::new();
        types(self.to, inputs, outputs, &mut |problem| problems.push(problem));
        for problem in &problems {
            if let Problem::TypeNotAllowed { side, index, parameter, found, .. }
            | Problem::TypeMismatch { side, index, parameter, found, .. } = problem
            {
                match side {
                    Side::Input => {
                        if let Some(Input::Given { known, .. }) = inputs.get_mut(*index) {
                            known.ty = None;
                        }
                    }
                    Side::Output => {
                        if let Some(Output::Given { known, .. }) = outputs.get_mut(*index) {
                            known.ty = None;
                        }
                        let same = |other: &Problem<'_>| {
                            matches!(other, Problem::TypeNotAllowed { side: Side::Input, parameter: input, found: of, .. }
                                if input.ty == parameter.ty && of == found)
                        };
                        if problems.iter().any(same) {
                            continue;
                        }
                    }
                }
            }
            refuse(Incompatibility::Type(problem));
        }
    }
}

/// A new value that borrows nothing.
fn owned<'a>(value: Value<'_>) -> Option<Value<'a>> {
    use crate::node::AttributeValue;
    Some(match value {
        Value::Given(AttributeValue::Int(number)) => Value::Given(AttributeValue::Int(number)),
        Value::Given(AttributeValue::Float(number)) => Value::Given(AttributeValue::Float(number)),
        Value::Given(_) => return None,
        Value::Ints(numbers) => Value::Ints(numbers),
        Value::Floats(numbers) => Value::Floats(numbers),
        Value::Tensor(constant) => Value::Tensor(constant),
    })
}

fn types(
    schema: &'static Schema,
    inputs: &[Input<'_>],
    outputs: &[Output<'_>],
    report: &mut dyn FnMut(Problem<'static>),
) {
    let inputs: Vec<Option<Type>> = inputs.iter().map(Input::ty).collect();
    let outputs: Vec<Option<Type>> = outputs.iter().map(|output| output.known().ty).collect();
    check::types(schema, &inputs, &outputs, report);
}

/// Reports what is wrong with a node at a version.
pub(super) fn check_node(schema: &'static Schema, node: &Node<'_>, report: &mut dyn FnMut(&Problem<'_>)) {
    let attributes: Vec<NodeAttribute<'_>> = node.attributes.iter().map(Attribute::view).collect();
    check::attributes(schema, &attributes, &mut |problem| report(&problem));
    let present: Vec<bool> = node.inputs.iter().map(|input| *input != Input::Absent).collect();
    check::counts(schema, &present, node.outputs.len(), &mut |problem| report(&problem));
    check::exclusive(schema, &attributes, &present, &mut |problem| report(&problem));
    types(schema, &node.inputs, &node.outputs, &mut |problem| report(&problem));
}
