//! A first node of a version: right in its counts, kinds and types, and random in all else.

use fastrand::Rng;
use shape_core::schema::{ParameterOption, Schema};
use shape_core::types::Type;

use super::change;
use super::draft::{Draft, Input};

/// A node that may be valid.
pub(super) fn propose(schema: &'static Schema, rng: &mut Rng) -> Draft {
    let mut draft =
        Draft { schema, attributes: vec![None; schema.attributes.len()], inputs: Vec::new(), outputs: Vec::new() };
    let types: Vec<Option<Type>> =
        schema.types.iter().map(|constraint| rng.choice(constraint.allow.iter().collect::<Vec<_>>())).collect();
    let base: Vec<u64> = (0..change::rank(rng)).map(|_| change::size(rng, &draft)).collect();
    for (index, formal) in schema.inputs.iter().enumerate() {
        let count = match formal.option {
            ParameterOption::Single => 1,
            ParameterOption::Optional => usize::from(rng.bool()),
            ParameterOption::Variadic => formal.min_arity as usize + rng.usize(0..3),
        };
        if count == 0 && formal.option == ParameterOption::Optional {
            draft.inputs.push(None);
        }
        for _ in 0..count {
            let ty = match draft.shared(index) {
                Some(variable) => types.get(variable).copied().flatten(),
                None => rng.choice(draft.allowed(index)),
            };
            let dims = match rng.u8(0..10) {
                0..6 => base.clone(),
                6..8 => (0..1).map(|_| change::size(rng, &draft)).collect(),
                _ => (0..change::rank(rng)).map(|_| change::size(rng, &draft)).collect(),
            };
            let value = ty.and_then(|ty| change::value(rng, ty, &dims));
            draft.inputs.push(value.map(Input::own));
        }
    }
    while let Some(None) = draft.inputs.last() {
        draft.inputs.pop();
    }
    for (index, attribute) in schema.attributes.iter().enumerate() {
        if attribute.required || rng.u8(0..5) < 2 {
            let value = change::argument(rng, &draft, attribute);
            if let Some(slot) = draft.attributes.get_mut(index) {
                *slot = value;
            }
        }
    }
    for formal in schema.outputs {
        match formal.option {
            ParameterOption::Single => draft.outputs.push(true),
            ParameterOption::Optional => draft.outputs.push(rng.bool()),
            ParameterOption::Variadic => {
                let count = (formal.min_arity as usize).max(1) + rng.usize(0..2);
                draft.outputs.extend(std::iter::repeat_n(true, count));
            }
        }
    }
    while draft.outputs.last() == Some(&false) {
        draft.outputs.pop();
    }
    draft
}
