//! Makes new nodes: those of a rewrite, and those around a node.

use alloc::string::ToString as _;
use alloc::vec::Vec;

use super::adapter::Refuse;
use super::constant::Constant;
use super::draft::{Operators, element, in_force};
use super::formula::{Before, Computed};
use super::incompatibility::Incompatibility;
use super::node::{Attribute, Input, Node, Output};
use crate::adapter::{Formula, NewNode};
use crate::schema::{FormalParameter, Schema};

/// Makes the nodes that take the place of a node, in the versions of an opset. `fresh` numbers new values.
pub(super) fn nodes<'a>(
    new: &[NewNode],
    before: &Before<'_, 'a>,
    (operators, opset): (&Operators<'_>, u32),
    fresh: &mut usize,
    refuse: &mut Refuse<'_>,
) -> Vec<(&'static Schema, Node<'a>)> {
    let mut values: Vec<(&'static str, usize)> = Vec::new();
    let mut nodes = Vec::new();
    for new in new {
        let Some(schema) = in_force(operators(new.operator), opset) else {
            refuse(Incompatibility::NoOperator { operator: new.operator });
            continue;
        };
        let attributes = attributes(new, schema, before, refuse);
        let inputs = inputs(new, schema, before, &values, refuse);
        let mut outputs = Vec::new();
        for name in new.outputs {
            let given = before.draft.outputs.iter().filter(|(formal, _)| formal == name).map(|(_, output)| output);
            if before.schema.outputs.iter().any(|output| output.name == *name) {
                outputs.extend(given.cloned());
            } else {
                values.push((name, *fresh));
                outputs.push(Output::New { id: *fresh, name: (*name).to_string() });
                *fresh += 1;
            }
        }
        nodes.push((schema, Node { attributes, inputs, outputs }));
    }
    nodes
}

/// The nodes around a node: those that its inputs come from, and those that its outputs go to.
#[derive(Debug, Default)]
pub(super) struct Around<'a> {
    pub(super) inputs: Vec<(&'static Schema, Node<'a>)>,
    pub(super) outputs: Vec<(&'static Schema, Node<'a>)>,
}

impl<'a> Around<'a> {
    /// Sends each value of the input or output that `new` names through a node, in the versions of an opset. `node` is
    /// the node at a version. `fresh` numbers new values.
    pub(super) fn send(
        &mut self,
        new: &NewNode,
        before: &Before<'_, 'a>,
        (version, node): (&'static Schema, &mut Node<'a>),
        (operators, opset): (&Operators<'_>, u32),
        fresh: &mut usize,
        refuse: &mut Refuse<'_>,
    ) {
        let Some(schema) = in_force(operators(new.operator), opset) else {
            refuse(Incompatibility::NoOperator { operator: new.operator });
            return;
        };
        let attributes = attributes(new, schema, before, refuse);
        let is_it = |formal: Option<&FormalParameter>| formal.is_some_and(|formal| new.outputs.contains(&formal.name));
        let mut number = || {
            let id = *fresh;
            *fresh += 1;
            (id, Output::New { id, name: new.operator.to_string() })
        };
        let attributes = || attributes.clone();
        for (index, input) in node.inputs.iter_mut().enumerate() {
            if *input != Input::Absent && is_it(version.input(index)) {
                let (id, output) = number();
                let inputs = [core::mem::replace(input, Input::New(id))].into();
                self.inputs.push((schema, Node { attributes: attributes(), inputs, outputs: [output].into() }));
            }
        }
        for (index, output) in node.outputs.iter_mut().enumerate() {
            if *output != Output::Absent && is_it(version.output(index)) {
                let (id, between) = number();
                let outputs = [core::mem::replace(output, between)].into();
                self.outputs
                    .push((schema, Node { attributes: attributes(), inputs: [Input::New(id)].into(), outputs }));
            }
        }
    }
}

fn attributes<'a>(
    new: &NewNode,
    schema: &'static Schema,
    before: &Before<'_, 'a>,
    refuse: &mut Refuse<'_>,
) -> Vec<Attribute<'a>> {
    let mut attributes = Vec::new();
    for (name, formula) in new.attributes {
        let Some(attribute) = schema.attribute(name) else { continue };
        if let Formula::Name(old) = formula {
            let given = before.draft.attribute(old);
            if let Some(given) = given.filter(|given| given.value.view().kind() == attribute.kind) {
                attributes.push(Attribute { name: attribute.name, value: given.value.clone() });
                continue;
            }
            let is_attribute = before.schema.attribute(old).is_some();
            if given.is_none() && is_attribute && before.compute(formula).is_none() {
                continue;
            }
        }
        match before.compute(formula).and_then(|computed| computed.value(attribute.kind)) {
            Some(value) => attributes.push(Attribute { name: attribute.name, value }),
            None => refuse(Incompatibility::NotKnown { operator: new.operator, part: name }),
        }
    }
    attributes
}

fn inputs<'a>(
    new: &NewNode,
    schema: &'static Schema,
    before: &Before<'_, 'a>,
    values: &[(&'static str, usize)],
    refuse: &mut Refuse<'_>,
) -> Vec<Input<'a>> {
    let mut inputs: Vec<Input<'a>> = Vec::new();
    let mut constants: Vec<(usize, &Formula)> = Vec::new();
    for formula in new.inputs {
        let Some(formula) = formula else {
            inputs.push(Input::Absent);
            continue;
        };
        if let Formula::Name(name) = formula {
            if let Some((_, id)) = values.iter().find(|(value, _)| value == name) {
                inputs.push(Input::New(*id));
                continue;
            }
            if before.schema.inputs.iter().any(|input| input.name == *name) {
                let given: Vec<Input<'a>> = before
                    .draft
                    .inputs
                    .iter()
                    .filter(|(formal, _)| formal == name)
                    .map(|(_, input)| input.clone())
                    .collect();
                let is_variadic = |input: &FormalParameter| input.name == *name && input.is_variadic();
                if given.is_empty() && !before.schema.inputs.iter().any(is_variadic) {
                    inputs.push(Input::Absent);
                }
                inputs.extend(given);
                continue;
            }
        }
        constants.push((inputs.len(), formula));
        inputs.push(Input::Absent);
    }
    for (at, formula) in constants {
        let constant = || {
            let Computed::Numbers { numbers, is_scalar } = before.compute(formula)? else { return None };
            let formal = schema.input(at)?;
            let name = |index| schema.input(index).map_or("", |formal| formal.name);
            let typed =
                inputs.iter().enumerate().map(|(index, input)| (name(index), input.ty(), *input == Input::Absent));
            let value = Constant::of(element(schema, formal, &numbers, typed, [].into_iter())?, is_scalar, &numbers)?;
            Some(Input::Constant { name: formal.name, value })
        };
        match (constant(), inputs.get_mut(at)) {
            (Some(constant), Some(input)) => *input = constant,
            _ => {
                let part = schema.input(at).map_or("", |formal| formal.name);
                refuse(Incompatibility::NotKnown { operator: new.operator, part });
            }
        }
    }
    while inputs.last() == Some(&Input::Absent) {
        inputs.pop();
    }
    inputs
}
