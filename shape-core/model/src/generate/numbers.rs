//! Computes the numbers in a relation for a node that is being made, and changes the node so that the relation holds.

use fastrand::Rng;
use shape_core::data_type::DataType;
use shape_core::dimension::Operation;
use shape_core::node::AttributeValue;
use shape_core::rule::Expression;
use shape_core::schema::{Claim, Comparison, Part, Requirement};
use shape_core::types::Type;

use super::change;
use super::draft::{Argument, Draft};

/// The index of an axis; a negative one counts from the last.
fn axis(axis: i64, rank: usize) -> Option<usize> {
    let rank = i64::try_from(rank).ok()?;
    let axis = if axis < 0 { axis + rank } else { axis };
    usize::try_from(axis).ok().filter(|at| i64::try_from(*at).is_ok_and(|at| at < rank))
}

fn fold(operation: Operation, numbers: &[i64]) -> Option<i64> {
    numbers.iter().copied().reduce(|left, right| apply(operation, left, right).unwrap_or(left))
}

fn apply(operation: Operation, left: i64, right: i64) -> Option<i64> {
    match operation {
        Operation::Add => left.checked_add(right),
        Operation::Sub => left.checked_sub(right),
        Operation::Mul => left.checked_mul(right),
        Operation::FloorDiv => (right != 0).then(|| left.div_euclid(right)),
        Operation::Mod => (right != 0).then(|| left.rem_euclid(right)),
        Operation::Max => Some(left.max(right)),
        Operation::Min => Some(left.min(right)),
    }
}

/// The value of an expression at a node; `None` if the node does not have it.
pub(super) fn value(draft: &Draft, expression: &Expression) -> Option<i64> {
    let int = |number: usize| i64::try_from(number).ok();
    let size = |input: usize, at: i64| {
        let dims = draft.value(input)?.dims()?;
        i64::try_from(*dims.get(axis(at, dims.len())?)?).ok()
    };
    let ints = |attribute: usize| match draft.attribute(attribute)? {
        AttributeValue::Ints(ints) => Some(ints),
        _ => None,
    };
    match *expression {
        Expression::Int(number) => Some(number),
        Expression::Attribute(index) => match draft.attribute(index)? {
            AttributeValue::Int(number) => Some(number),
            _ => None,
        },
        Expression::Entry(attribute, at) => {
            let ints = ints(attribute)?;
            ints.get(axis(at, ints.len())?).copied()
        }
        Expression::Length(lists) => lists.iter().find_map(|index| match draft.attribute(*index)? {
            AttributeValue::Ints(list) => int(list.len()),
            AttributeValue::Floats(list) => int(list.len()),
            AttributeValue::Strings(list) => int(list.len()),
            AttributeValue::Tensor(tensor) => {
                let dims: Option<Vec<u64>> = (0..tensor.rank()).map(|at| tensor.dim(at)).collect();
                i64::try_from(super::value::count(&dims?)?).ok()
            }
            _ => None,
        }),
        Expression::Element(input) => draft.tensor(input)?.ints()?.first().copied(),
        Expression::Axis(input, at) => size(input, at),
        Expression::Rank(input) => int(draft.value(input)?.dims()?.len()),
        Expression::Size(input) => i64::try_from(super::value::count(draft.value(input)?.dims()?)?).ok(),
        Expression::AxisAt(input, attribute) => match draft.attribute(attribute)? {
            AttributeValue::Int(at) => size(input, at),
            _ => None,
        },
        Expression::FoldEntries(operation, attribute) => fold(operation, ints(attribute)?),
        Expression::FoldElements(operation, input) => fold(operation, &draft.tensor(input)?.ints()?),
        Expression::Type(input) => draft.value(input)?.ty().element().map(|ty| ty.number().into()),
        Expression::AttributeType(attribute) => match draft.attribute(attribute)? {
            AttributeValue::Tensor(tensor) => tensor.data_type().map(|ty| ty.number().into()),
            AttributeValue::Ints(_) => Some(DataType::Int64.number().into()),
            AttributeValue::Floats(_) => Some(DataType::Float.number().into()),
            AttributeValue::Strings(_) => Some(DataType::String.number().into()),
            _ => None,
        },
        Expression::ElementType(ty) => Some(ty.number().into()),
        Expression::Operation(operation, left, right) => apply(operation, value(draft, left)?, value(draft, right)?),
    }
}

fn of_number(number: i64) -> Option<DataType> {
    DataType::from_number(i32::try_from(number).ok()?)
}

/// Changes the node so that an expression comes to a number, if one change does it.
fn assign(draft: &mut Draft, rng: &mut Rng, expression: &Expression, wanted: i64) -> bool {
    match *expression {
        Expression::Attribute(index) => {
            change::set_attribute(draft, index, Argument::Int(wanted))
                || change::set_attribute(draft, index, Argument::Float(wanted as f32))
        }
        Expression::Entry(attribute, at) => {
            let Some(Some(Argument::Ints(ints))) = draft.attributes.get_mut(attribute) else { return false };
            let at = axis(at, ints.len());
            at.and_then(|at| ints.get_mut(at)).map(|entry| *entry = wanted).is_some()
        }
        Expression::FoldEntries(_, attribute) => {
            let Some(Some(Argument::Ints(ints))) = draft.attributes.get_mut(attribute) else { return false };
            ints.fill(wanted);
            true
        }
        Expression::Length(lists) => {
            let Ok(wanted) = usize::try_from(wanted) else { return false };
            lists.iter().any(|index| change::set_length(draft, rng, *index, wanted))
        }
        Expression::Element(input) | Expression::FoldElements(_, input) => change::fill_ints(draft, input, wanted),
        Expression::Axis(input, at) => {
            let rank = draft.value(input).and_then(|value| value.dims()).map(<[u64]>::len);
            match (rank.and_then(|rank| axis(at, rank)), u64::try_from(wanted)) {
                (Some(at), Ok(wanted)) => change::set_dim(draft, rng, input, at, wanted),
                _ => false,
            }
        }
        Expression::AxisAt(input, attribute) => match draft.attribute(attribute) {
            Some(AttributeValue::Int(at)) => assign(draft, rng, &Expression::Axis(input, at), wanted),
            _ => false,
        },
        Expression::Rank(input) => {
            usize::try_from(wanted).is_ok_and(|wanted| change::set_rank(draft, rng, input, wanted))
        }
        Expression::Type(input) => match of_number(wanted).map(Type::tensor) {
            Some(ty) => match draft.shared(input) {
                Some(variable) => change::set_variable(draft, rng, variable, ty),
                None => change::set_type(draft, rng, input, ty),
            },
            None => false,
        },
        Expression::AttributeType(attribute) => {
            of_number(wanted).is_some_and(|ty| change::set_tensor_type(draft, rng, attribute, ty))
        }
        Expression::Size(input) => match u64::try_from(wanted) {
            Ok(wanted) => change::set_dims(draft, rng, input, &[wanted]),
            Err(_) => false,
        },
        Expression::Operation(operation, left, right) => {
            let (of_left, of_right) = (value(draft, left), value(draft, right));
            let first = rng.bool();
            let by_left = |draft: &mut Draft, rng: &mut Rng| {
                let Some(right) = of_right else { return false };
                let number = match operation {
                    Operation::Add => wanted.checked_sub(right),
                    Operation::Sub => wanted.checked_add(right),
                    Operation::Mul => (right != 0 && wanted % right == 0).then(|| wanted / right),
                    Operation::FloorDiv => wanted.checked_mul(right),
                    Operation::Mod => right.checked_mul(rng.i64(1..4)).and_then(|of| of.checked_add(wanted)),
                    Operation::Max | Operation::Min => Some(wanted),
                };
                number.is_some_and(|number| assign(draft, rng, left, number))
            };
            let by_right = |draft: &mut Draft, rng: &mut Rng| {
                let Some(left) = of_left else { return false };
                let number = match operation {
                    Operation::Add => wanted.checked_sub(left),
                    Operation::Sub => left.checked_sub(wanted),
                    Operation::Mul => (left != 0 && wanted % left == 0).then(|| wanted / left),
                    Operation::FloorDiv => (wanted != 0).then(|| left / wanted),
                    Operation::Mod if wanted == 0 => Some(if left > 1 && rng.bool() { left } else { 1 }),
                    Operation::Mod => None,
                    Operation::Max | Operation::Min => Some(wanted),
                };
                number.is_some_and(|number| assign(draft, rng, right, number))
            };
            // Either side may be changed; the other one where the first leaves no way.
            if first && by_left(draft, rng) {
                return true;
            }
            by_right(draft, rng) || (!first && by_left(draft, rng))
        }
        _ => false,
    }
}

/// A number that stands to another one as a comparison says.
fn number(rng: &mut Rng, comparison: Comparison, other: i64) -> i64 {
    let step = rng.i64(0..3);
    match comparison {
        Comparison::Equal => other,
        Comparison::NotEqual => other.saturating_add(if rng.bool() { step + 1 } else { -step - 1 }),
        Comparison::Less => other.saturating_sub(step + 1),
        Comparison::AtMost => other.saturating_sub(step),
        Comparison::Greater => other.saturating_add(step + 1),
        Comparison::AtLeast => other.saturating_add(step),
    }
}

/// The comparison with its sides changed.
const fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::Greater => Comparison::Less,
        Comparison::AtLeast => Comparison::AtMost,
        same => same,
    }
}

/// Whether a claim holds; `None` if the node does not say.
pub(super) fn holds(draft: &Draft, claim: &Claim) -> Option<bool> {
    match claim {
        Claim::Compare(left, comparison, right) => {
            let (left, right) = (value(draft, left)?, value(draft, right)?);
            Some(match comparison {
                Comparison::Equal => left == right,
                Comparison::NotEqual => left != right,
                Comparison::Less => left < right,
                Comparison::AtMost => left <= right,
                Comparison::Greater => left > right,
                Comparison::AtLeast => left >= right,
            })
        }
        Claim::Given(part, is) => Some(given(draft, *part) == *is),
        Claim::Word(attribute, word, is) => match draft.attribute(*attribute)? {
            AttributeValue::String(found) => Some((found == *word) == *is),
            _ => None,
        },
    }
}

fn given(draft: &Draft, part: Part) -> bool {
    match part {
        Part::Attribute(index) => {
            let default = draft.schema.attributes.get(index).and_then(|attribute| attribute.default);
            let value = draft.attribute(index);
            value.is_some() && value != default
        }
        Part::Input(index) => draft.value(index).is_some(),
        Part::Output(index) => draft.outputs.get(index).copied().unwrap_or_default(),
    }
}

/// Changes the node so that a claim may hold.
fn meet(draft: &mut Draft, rng: &mut Rng, claim: &Claim) -> bool {
    match claim {
        Claim::Compare(left, comparison, right) => {
            let (of_left, of_right) = (value(draft, left), value(draft, right));
            let to_left = |draft: &mut Draft, rng: &mut Rng| {
                of_right.is_some_and(|of| {
                    let wanted = number(rng, *comparison, of);
                    assign(draft, rng, left, wanted)
                })
            };
            let to_right = |draft: &mut Draft, rng: &mut Rng| {
                of_left.is_some_and(|of| {
                    let wanted = number(rng, turned(*comparison), of);
                    assign(draft, rng, right, wanted)
                })
            };
            let first = rng.bool();
            if first && to_left(draft, rng) {
                return true;
            }
            to_right(draft, rng) || (!first && to_left(draft, rng))
        }
        Claim::Given(part, is) => change::give(draft, rng, *part, *is),
        Claim::Word(attribute, word, is) => {
            *is && change::set_attribute(draft, *attribute, Argument::String(word.to_vec()))
        }
    }
}

/// Changes the node so that it may meet a relation: it tries to meet one claim that does not hold, of a random group.
pub(super) fn mend(draft: &mut Draft, rng: &mut Rng, requirement: &'static Requirement) -> bool {
    let Some(group) = rng.choice(requirement.alternatives) else { return false };
    let broken: Vec<&Claim> = group.iter().filter(|claim| holds(draft, claim) != Some(true)).collect();
    let Some(claim) = rng.choice(broken) else { return false };
    meet(draft, rng, claim)
}

/// Which alternative of those with conditions applies to the node; `None` if that is not known.
pub(super) fn chosen(draft: &Draft, conditions: &[&[&[Claim]]]) -> Option<usize> {
    for (index, groups) in conditions.iter().enumerate() {
        let mut open = groups.is_empty();
        for group in *groups {
            let all: Option<Vec<bool>> = group.iter().map(|claim| holds(draft, claim)).collect();
            match all {
                Some(all) => open |= all.iter().all(|holds| *holds),
                None => return None,
            }
        }
        if open {
            return Some(index);
        }
    }
    None
}
