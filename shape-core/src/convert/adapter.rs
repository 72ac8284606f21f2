//! Hand-written conversions, for what the tables of two versions cannot express.

use super::draft::{Draft, Step};
use super::incompatibility::Incompatibility;
use super::node::{Input, constant_type};
use crate::node::NodeAttribute;
use crate::problem::Problem;
use crate::schema::{Adapter, Attribute, ParameterOption, Schema};

/// Does the adapter's part of a step; the tables of the two versions do the rest.
pub(super) fn convert<'a>(
    adapter: Adapter,
    draft: &mut Draft<'a>,
    step: Step,
    refuse: &mut dyn FnMut(Incompatibility<'a>),
) {
    match (adapter, step.is_up()) {
        (Adapter::AttributeToInput, true) => to_input(draft, step, refuse),
        (Adapter::AttributeToInput, false) => to_attribute(draft, step, refuse),
    }
}

fn to_input<'a>(draft: &mut Draft<'a>, step: Step, refuse: &mut dyn FnMut(Incompatibility<'a>)) {
    for attribute in moved(step.from, step.to) {
        let name = attribute.name;
        let required = step.to.inputs.iter().any(|input| input.name == name && input.option == ParameterOption::Single);
        let default = attribute.default.filter(|_| required).map(|default| NodeAttribute::new(name, default));
        let Some(given) = draft.take_attribute(name).or(default) else { continue };
        if constant_type(&given.value).is_some() {
            draft.inputs.push((name, Input::Constant { name, value: given.value }));
        } else {
            refuse(Incompatibility::NoConstant { attribute: given });
        }
    }
}

fn to_attribute<'a>(draft: &mut Draft<'a>, step: Step, refuse: &mut dyn FnMut(Incompatibility<'a>)) {
    for attribute in moved(step.to, step.from) {
        let value = match draft.take_input(attribute.name) {
            None | Some(Input::Absent) => continue,
            Some(Input::Given { constant: None, .. }) => {
                refuse(Incompatibility::NotConstant { attribute });
                continue;
            }
            Some(Input::Given { constant: Some(value), .. } | Input::Constant { value, .. }) => value,
        };
        if value.kind() == attribute.kind {
            draft.attributes.push(NodeAttribute::new(attribute.name, value));
        } else {
            let (name, expected, found) = (attribute.name, attribute.kind, value.kind());
            refuse(Incompatibility::AttributeChanged(Problem::AttributeType { name, expected, found }));
        }
    }
}

/// The attributes of one version that are inputs of the other.
fn moved(with: &'static Schema, without: &'static Schema) -> impl Iterator<Item = &'static Attribute> {
    let input = |schema: &Schema, name| schema.inputs.iter().any(|input| input.name == name);
    with.attributes.iter().filter(move |attribute| {
        let name = attribute.name;
        input(without, name) && !input(with, name) && without.attribute(name).is_none()
    })
}
