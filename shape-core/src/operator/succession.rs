//! Checks, while the compiler evaluates a constant, that structs can be consecutive versions of one operator.

use crate::adapter::{Action, Deed, Formula};
use crate::schema::{Attribute, FormalParameter, Schema};

/// Why a version cannot follow another one, as a message of the compiler; `None` if it can. Where a derive has mistakes
/// of its own, nothing is known of its version.
#[must_use]
pub const fn misfit_of_versions(before: &'static Schema, version: &'static Schema) -> Option<&'static str> {
    if before.name.is_empty() || version.name.is_empty() {
        return None;
    }
    if !same(before.domain, version.domain) || !same(before.name, version.name) {
        return Some("this is another operator than the version before it: both need one `domain` and one `name`");
    }
    if before.since_version >= version.since_version {
        return Some("this version is not newer than the one before it: the oldest comes first");
    }
    let Some(mut actions) = version.adapter else { return None };
    while let [action, rest @ ..] = actions {
        if let Some(misfit) = misfit_of_action(before, version, action) {
            return Some(misfit);
        }
        actions = rest;
    }
    None
}

/// The same of the names in an action.
const fn misfit_of_action(before: &Schema, version: &Schema, action: &Action) -> Option<&'static str> {
    let known = match action.deed {
        Deed::Move { attribute, input, .. } => {
            let up = has_attribute(before, attribute) && has_parameter(version.inputs, input);
            let down = has_attribute(version, attribute) && has_parameter(before.inputs, input);
            if !up && !down {
                return Some("`move` in its adapter names no attribute of one version that is an input of the other");
            }
            true
        }
        Deed::Rename { old, new } => {
            if !has(before, old) || !has(version, new) {
                return Some("`rename` in its adapter goes from a name of the version before it to one of its own");
            }
            true
        }
        Deed::Assume { name, .. } | Deed::Respell { attribute: name, .. } => in_either(before, version, name),
        Deed::CountFromFront { name, of } => in_either(before, version, name) && in_either(before, version, of),
        Deed::Drop(mut names) => {
            let mut known = true;
            while let [name, rest @ ..] = names {
                known = known && in_either(before, version, name);
                names = rest;
            }
            known
        }
        Deed::Through(_) | Deed::Rewrite(_) | Deed::Keep | Deed::Refuse { .. } => true,
    };
    if known
        && all_in_either(before, version, action.when.as_slice())
        && all_in_either(before, version, action.unless.as_slice())
    {
        return None;
    }
    Some("its adapter names an attribute, input or output that neither this version nor the one before it has")
}

/// Whether one of the versions has each name in formulas.
const fn all_in_either(before: &Schema, version: &Schema, mut formulas: &[Formula]) -> bool {
    while let [formula, rest @ ..] = formulas {
        let known = match formula {
            Formula::Name(name) => in_either(before, version, name),
            Formula::Operation(_, left, right) | Formula::Compare(left, _, right) => {
                all_in_either(before, version, core::slice::from_ref(*left))
                    && all_in_either(before, version, core::slice::from_ref(*right))
            }
            Formula::List(list) | Formula::Call(_, list) => all_in_either(before, version, list),
            Formula::Int(_) | Formula::Float(_) | Formula::Text(_) | Formula::ElementType(_) => true,
        };
        if !known {
            return false;
        }
        formulas = rest;
    }
    true
}

const fn in_either(before: &Schema, version: &Schema, name: &str) -> bool {
    has(before, name) || has(version, name)
}

const fn has(schema: &Schema, name: &str) -> bool {
    has_attribute(schema, name) || has_parameter(schema.inputs, name) || has_parameter(schema.outputs, name)
}

const fn has_attribute(schema: &Schema, name: &str) -> bool {
    let mut attributes: &[Attribute] = schema.attributes;
    while let [attribute, rest @ ..] = attributes {
        if same(attribute.name, name) {
            return true;
        }
        attributes = rest;
    }
    false
}

const fn has_parameter(mut parameters: &[FormalParameter], name: &str) -> bool {
    while let [parameter, rest @ ..] = parameters {
        if same(parameter.name, name) {
            return true;
        }
        parameters = rest;
    }
    false
}

const fn same(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    while let ([one, left_rest @ ..], [other, right_rest @ ..]) = (left, right) {
        if *one != *other {
            return false;
        }
        (left, right) = (left_rest, right_rest);
    }
    left.is_empty() && right.is_empty()
}
