//! Conversions between two versions that the tables of the two cannot tell, written by hand.
//!
//! A descriptor names one of the constants here, in lower case, at the newer of the two versions.

use core::fmt;

#[cfg(feature = "alloc")]
use crate::check::Problem;
#[cfg(feature = "alloc")]
use crate::convert::{Draft, Input, Loss, Step, constant_type, moved};
#[cfg(feature = "alloc")]
use crate::node::NodeAttribute;
#[cfg(feature = "alloc")]
use crate::schema::ParameterOption;

#[cfg(feature = "alloc")]
type Convert = for<'a> fn(&mut Draft<'a>, Step, &mut dyn FnMut(Loss<'a>));

/// A conversion from a version to the next, and back.
#[derive(Clone, Copy)]
pub struct Adapter {
    name: &'static str,
    #[cfg(feature = "alloc")]
    up: Convert,
    #[cfg(feature = "alloc")]
    down: Convert,
}

impl Adapter {
    /// Its name in descriptors.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Does its part of a step; the tables of the two versions do the rest.
    #[cfg(feature = "alloc")]
    pub fn convert<'a>(&self, draft: &mut Draft<'a>, step: Step, refuse: &mut dyn FnMut(Loss<'a>)) {
        if step.is_up() { (self.up)(draft, step, refuse) } else { (self.down)(draft, step, refuse) }
    }
}

impl fmt::Debug for Adapter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// The adapter that a descriptor names.
///
/// ```
/// let adapter = shape_core::adapters::by_name("attribute_to_input").unwrap();
/// assert_eq!(adapter.name(), "attribute_to_input");
/// assert!(shape_core::adapters::by_name("input_to_attribute").is_none());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<Adapter> {
    [ATTRIBUTE_TO_INPUT].into_iter().find(|adapter| adapter.name == name)
}

/// Each attribute that became an input of its name becomes a constant, and such a constant the attribute again.
///
/// What the attribute left out means, the input left out must mean too.
pub const ATTRIBUTE_TO_INPUT: Adapter = Adapter {
    name: "attribute_to_input",
    #[cfg(feature = "alloc")]
    up: to_input,
    #[cfg(feature = "alloc")]
    down: to_attribute,
};

#[cfg(feature = "alloc")]
fn to_input<'a>(draft: &mut Draft<'a>, step: Step, refuse: &mut dyn FnMut(Loss<'a>)) {
    for attribute in moved(step.from, step.to) {
        let name = attribute.name;
        let required = step.to.inputs.iter().any(|input| input.name == name && input.option == ParameterOption::Single);
        let default = attribute.default.filter(|_| required).map(|default| NodeAttribute::new(name, default));
        let Some(given) = draft.take_attribute(name).or(default) else { continue };
        if constant_type(&given.value).is_some() {
            draft.inputs.push((name, Input::Constant { name, value: given.value }));
        } else {
            refuse(Loss::NoConstant { attribute: given });
        }
    }
}

#[cfg(feature = "alloc")]
fn to_attribute<'a>(draft: &mut Draft<'a>, step: Step, refuse: &mut dyn FnMut(Loss<'a>)) {
    for attribute in moved(step.to, step.from) {
        let value = match draft.take_input(attribute.name) {
            None | Some(Input::Absent) => continue,
            Some(Input::Given { constant: None, .. }) => {
                refuse(Loss::NotConstant { attribute });
                continue;
            }
            Some(Input::Given { constant: Some(value), .. } | Input::Constant { value, .. }) => value,
        };
        if value.kind() == attribute.kind {
            draft.attributes.push(NodeAttribute::new(attribute.name, value));
        } else {
            let (name, expected, found) = (attribute.name, attribute.kind, value.kind());
            refuse(Loss::AttributeChanged(Problem::AttributeType { name, expected, found }));
        }
    }
}
