//! Whether structs that are the versions of one operator go together, found out while the compiler evaluates a constant.

use crate::adapter::{Action, Deed, Formula};
use crate::schema::{Attribute, FormalParameter, Schema};

/// Checks a version against the one before it. Where a derive has mistakes of its own, nothing is known of its version.
///
/// # Panics
/// They do not go together; in a `const`, where it is called, this is a compile error.
#[expect(clippy::panic, reason = "in a `const`, where it is called, this is a compile error")]
pub const fn succeeds(before: &'static Schema, version: &'static Schema) {
    if before.name.is_empty() || version.name.is_empty() {
        return;
    }
    if !same(before.domain, version.domain) || !same(before.name, version.name) {
        panic!("this is another operator than the version before it: both need the same `domain` and the same `name`");
    }
    if before.since_version >= version.since_version {
        panic!("this version is not newer than the one before it: list them with the oldest first");
    }
    let Some(mut actions) = version.adapter else { return };
    while let [action, rest @ ..] = actions {
        known(before, version, action);
        actions = rest;
    }
}

/// Checks the names in an action.
#[expect(clippy::panic, reason = "in a `const`, where it is called, this is a compile error")]
const fn known(before: &Schema, version: &Schema, action: &Action) {
    match action.deed {
        Deed::Move { attribute, input, .. } => {
            let up = has_attribute(before, attribute) && has_parameter(version.inputs, input);
            let down = has_attribute(version, attribute) && has_parameter(before.inputs, input);
            if !up && !down {
                panic!("`move` in its adapter names no attribute of one version that is an input of the other");
            }
        }
        Deed::Rename { old, new } if !has(before, old) || !has(version, new) => {
            panic!("`rename` in its adapter names what the version before it does not have, or this one does not");
        }
        Deed::Assume { name, .. } | Deed::Respell { attribute: name, .. } => either(before, version, name),
        Deed::CountFromFront { name, of } => {
            either(before, version, name);
            either(before, version, of);
        }
        Deed::Drop(mut names) => {
            while let [name, rest @ ..] = names {
                either(before, version, name);
                names = rest;
            }
        }
        Deed::Rename { .. } | Deed::Through(_) | Deed::Rewrite(_) | Deed::Keep | Deed::Refuse { .. } => {}
    }
    if let Some(condition) = &action.when {
        named(before, version, condition);
    }
    if let Some(condition) = &action.unless {
        named(before, version, condition);
    }
}

/// Checks the names in a condition.
const fn named(before: &Schema, version: &Schema, formula: &Formula) {
    match formula {
        Formula::Name(name) => either(before, version, name),
        Formula::Operation(_, left, right) | Formula::Compare(left, _, right) => {
            named(before, version, left);
            named(before, version, right);
        }
        Formula::List(list) | Formula::Call(_, list) => {
            let mut list: &[Formula] = list;
            while let [first, rest @ ..] = list {
                named(before, version, first);
                list = rest;
            }
        }
        Formula::Int(_) | Formula::Float(_) | Formula::Text(_) | Formula::ElementType(_) => {}
    }
}

#[expect(clippy::panic, reason = "in a `const`, where it is called, this is a compile error")]
const fn either(before: &Schema, version: &Schema, name: &str) {
    if !has(before, name) && !has(version, name) {
        panic!("its adapter names an attribute, input or output that neither this version nor the one before it has");
    }
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
