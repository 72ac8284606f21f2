//! Does the actions of an adapter on the draft of a node.

use alloc::vec::Vec;

use super::constant::Numbers;
use super::draft::{Draft, Step};
use super::formula::{Before, Computed, index};
use super::incompatibility::Incompatibility;
use super::node::{Attribute, Input, Value};
use crate::adapter::{Deed, Formula};
use crate::schema::{FormalParameter, ParameterOption, Schema};

/// Receives what cannot be kept.
pub(super) type Refuse<'r> = dyn FnMut(Incompatibility<'_>) + 'r;

/// The formal input of this name.
pub(super) fn input_of(schema: &'static Schema, name: &str) -> Option<&'static FormalParameter> {
    schema.inputs.iter().find(|input| input.name == name)
}

/// Does an action that changes a node; the tables of the two versions do the rest.
pub(super) fn perform<'a>(
    deed: &Deed,
    draft: &mut Draft<'a>,
    before: &Before<'_, 'a>,
    step: Step,
    refuse: &mut Refuse<'_>,
) {
    match *deed {
        Deed::Move { attribute, input, one, absent } => {
            let to_input = input_of(step.to, input).is_some();
            let absent = absent.and_then(|absent| before.compute(&absent));
            if to_input {
                to_input_of(draft, step, (attribute, input, one), absent.as_ref(), refuse);
            } else {
                to_attribute(draft, step, (attribute, input), absent.as_ref(), refuse);
            }
        }
        Deed::Rename { old, new } => {
            let (from, to) = if step.is_up() { (old, new) } else { (new, old) };
            rename(draft, from, to);
        }
        Deed::Respell { attribute, old, new } => {
            let (from, to) = if step.is_up() { (old, new) } else { (new, old) };
            respell(draft, before, step, attribute, (from, to));
        }
        Deed::Assume { name, value } => {
            if let Some(value) = before.compute(&value) {
                assume(draft, step, name, &value, refuse);
            }
        }
        Deed::CountFromFront { name, of } if !step.is_up() => count_from_front(draft, step, name, of, refuse),
        Deed::Drop(names) => {
            for name in names {
                draft.take_attribute(name);
                while draft.take_input(name).is_some() {}
            }
        }
        Deed::Refuse { why } => refuse(Incompatibility::Decided { why }),
        Deed::CountFromFront { .. } | Deed::Through(_) | Deed::Rewrite(_) | Deed::Keep => {}
    }
}

fn to_input_of<'a>(
    draft: &mut Draft<'a>,
    step: Step,
    (attribute, input, one): (&'static str, &'static str, bool),
    absent: Option<&Computed<'a>>,
    refuse: &mut Refuse<'_>,
) {
    let Some(formal) = input_of(step.to, input) else { return };
    let given = draft.take_attribute(attribute);
    let default = step.from.attribute(attribute).and_then(|attribute| attribute.default);
    let computed = match &given {
        Some(given) => Computed::of_value(given.value.view()).map(Some),
        None => {
            let default = default.and_then(Computed::of_value);
            let needed = formal.option == ParameterOption::Single
                || absent.is_some_and(|absent| Some(absent) != default.as_ref());
            Some(default.filter(|_| needed))
        }
    };
    let constant = match &computed {
        Some(None) => return,
        Some(Some(Computed::Numbers { numbers, is_scalar })) => {
            draft.constant(step.to, formal, numbers, *is_scalar && !one)
        }
        _ => None,
    };
    match constant {
        Some(value) => draft.inputs.push((formal.name, Input::Constant { name: formal.name, value })),
        None => {
            let value = given.map(|given| given.value).or(default.map(Value::Given));
            if let Some(value) = value {
                refuse(Incompatibility::NoConstant { name: attribute, value: &value });
            }
        }
    }
}

fn to_attribute<'a>(
    draft: &mut Draft<'a>,
    step: Step,
    (attribute, input): (&'static str, &'static str),
    absent: Option<&Computed<'a>>,
    refuse: &mut Refuse<'_>,
) {
    let Some(attribute) = step.to.attribute(attribute) else { return };
    let value = match draft.take_input(input) {
        None => match absent {
            Some(absent) => absent.value(attribute.kind),
            None => return,
        },
        Some(given) => given.constant().and_then(|constant| {
            let (numbers, is_scalar) = (constant.numbers.clone(), constant.is_scalar);
            Computed::Numbers { numbers, is_scalar }.value(attribute.kind)
        }),
    };
    match value {
        Some(value) => draft.attributes.push(Attribute { name: attribute.name, value }),
        None => refuse(Incompatibility::NotConstant { name: input, attribute }),
    }
}

fn rename(draft: &mut Draft<'_>, from: &'static str, to: &'static str) {
    let inputs = draft.inputs.iter_mut().map(|(name, _)| name);
    let outputs = draft.outputs.iter_mut().map(|(name, _)| name);
    for name in inputs.chain(outputs).filter(|name| **name == from) {
        *name = to;
    }
    for attribute in draft.attributes.iter_mut().filter(|attribute| attribute.name == from) {
        attribute.name = to;
    }
}

fn respell<'a>(
    draft: &mut Draft<'a>,
    before: &Before<'_, 'a>,
    step: Step,
    name: &'static str,
    (from, to): (Formula, Formula),
) {
    let Some(new) = step.to.attribute(name) else { return };
    let Some(attribute) = draft.attributes.iter_mut().find(|attribute| attribute.name == name) else { return };
    // Each action looks at the value before the step, so that two values may be exchanged.
    let was = before.compute(&Formula::Name(name));
    if was.is_some()
        && was == before.compute(&from)
        && let Some(value) = before.compute(&to).and_then(|to| to.value(new.kind))
    {
        attribute.value = value;
    }
}

fn assume<'a>(draft: &mut Draft<'a>, step: Step, name: &'static str, value: &Computed<'a>, refuse: &mut Refuse<'_>) {
    let is_it = |input: &Input<'_>| {
        let Computed::Numbers { numbers, .. } = value else { return false };
        input.constant().is_some_and(|constant| numbers.exactly(constant.element).as_ref() == Some(&constant.numbers))
    };
    let formal = input_of(step.to, name);
    if formal.or(input_of(step.from, name)).is_some() {
        match (draft.input(name), formal) {
            (Some(input), formal)
                if is_it(input) && formal.is_none_or(|formal| formal.option != ParameterOption::Single) =>
            {
                draft.take_input(name);
            }
            (None, Some(formal)) if formal.option == ParameterOption::Single => {
                let Computed::Numbers { numbers, is_scalar } = value else { return };
                draft.inputs.retain(|(input, _)| *input != name);
                match draft.constant(step.to, formal, numbers, *is_scalar) {
                    Some(value) => draft.inputs.push((formal.name, Input::Constant { name: formal.name, value })),
                    None => refuse(Incompatibility::InputMissing { formal }),
                }
            }
            _ => {}
        }
        return;
    }
    let old = step.from.attribute(name);
    match (draft.attribute(name), step.to.attribute(name)) {
        (Some(given), None) => {
            let Some(expected) = old.and_then(|old| value.value(old.kind)) else { return };
            let is_it = given.value.view() == expected.view();
            // One that is the default of its version goes no more than any other: there, it is not what is assumed.
            if let Some(given) = draft.take_attribute(name)
                && !is_it
            {
                refuse(Incompatibility::AttributeLost { name, value: &given.value, expected: Some(&expected) });
            }
        }
        (None, None) => {
            // The default of the older version is not what the newer one does.
            if let Some(old) = old
                && let Some(default) = old.default
                && Computed::of_value(default).as_ref() != Some(value)
            {
                let attribute = Attribute::given(old.name, default);
                refuse(Incompatibility::AttributeLost {
                    name,
                    value: &attribute.value,
                    expected: value.value(old.kind).as_ref(),
                });
            }
        }
        (None, Some(new)) => {
            if let Some(value) = value.value(new.kind) {
                draft.attributes.push(Attribute { name: new.name, value });
                draft.implied.push(new.name);
            }
        }
        (Some(_), Some(_)) => {}
    }
}

fn count_from_front(draft: &mut Draft<'_>, step: Step, name: &'static str, of: &'static str, refuse: &mut Refuse<'_>) {
    let rank = draft.rank(of);
    let fixed = |numbers: &[i64]| -> Option<Vec<i64>> {
        let front = |number: &i64| if *number < 0 { i64::try_from(index(*number, rank?)?).ok() } else { Some(*number) };
        numbers.iter().map(front).collect()
    };
    let is_negative = |numbers: &[i64]| numbers.iter().any(|number| *number < 0);
    if let Some((_, input)) = draft.inputs.iter_mut().find(|(formal, input)| *formal == name && *input != Input::Absent)
    {
        let Some(formal) = input_of(step.to, name) else { return };
        let Some(mut constant) = input.constant().cloned() else {
            return refuse(Incompatibility::NegativeAxes { name, of });
        };
        let Numbers::Ints(numbers) = &constant.numbers else { return };
        if is_negative(numbers) {
            match fixed(numbers) {
                Some(numbers) => {
                    constant.numbers = Numbers::Ints(numbers);
                    *input = Input::Constant { name: formal.name, value: constant };
                }
                None => refuse(Incompatibility::NegativeAxes { name, of }),
            }
        }
        return;
    }
    let default =
        step.from.attribute(name).and_then(|attribute| Some(Attribute::given(attribute.name, attribute.default?)));
    let Some(given) = draft.attribute(name).cloned().or(default) else { return };
    let value = match given.value.view() {
        axis @ crate::node::AttributeValue::Int(number) if number < 0 => {
            let one = fixed(&[number]).and_then(|numbers| numbers.first().copied());
            one.and_then(|number| Computed::of_value(crate::node::AttributeValue::Int(number))?.value(axis.kind()))
        }
        crate::node::AttributeValue::Ints(numbers) if is_negative(numbers) => fixed(numbers).map(Value::Ints),
        _ => return,
    };
    draft.take_attribute(name);
    match value {
        Some(value) => draft.attributes.push(Attribute { name: given.name, value }),
        None => refuse(Incompatibility::NegativeAxes { name, of }),
    }
}
