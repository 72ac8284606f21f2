//! Changes to a node that is being made. Each says whether it was possible; none looks at what the node then means.

use fastrand::Rng;
use shape_core::data_type::DataType;
use shape_core::node::{AttributeKind, AttributeValue};
use shape_core::rule::TypeOf;
use shape_core::schema::{Attribute, ParameterOption, Part};
use shape_core::types::Type;

use super::draft::{Argument, Draft, Input, allowed};
use super::fill::{self, Style};
use super::value::{Tensor, Value, count};

/// The maximum number of elements of an input: larger ones only take time.
const MAX_ELEMENTS: u64 = 2_048;
/// The largest rank that is drawn.
pub(super) const MAX_RANK: usize = 6;
/// The maximum length of a list that is drawn.
const MAX_LENGTH: usize = 64;

/// A size: mostly a small one, seldom 0, at times one that is in the node already.
pub(super) fn size(rng: &mut Rng, draft: &Draft) -> u64 {
    if rng.u8(0..3) == 0
        && let Some(number) = rng.choice(sizes(draft))
    {
        return number;
    }
    match rng.u8(0..20) {
        0 => 0,
        1..5 => 1,
        5..10 => 2,
        10..14 => 3,
        14..17 => 4,
        17 => 5,
        18 => 6,
        _ => 8,
    }
}

/// The sizes of all inputs.
fn sizes(draft: &Draft) -> Vec<u64> {
    draft.inputs.iter().flatten().filter_map(|input| input.value.dims()).flatten().copied().collect()
}

/// A rank.
pub(super) fn rank(rng: &mut Rng) -> usize {
    *rng.choice(&[0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6]).unwrap_or(&2)
}

/// The ranks of all inputs.
fn ranks(draft: &Draft) -> Vec<usize> {
    draft.inputs.iter().flatten().filter_map(|input| input.value.dims()).map(<[u64]>::len).collect()
}

/// An integer that may mean an axis, a size, a number of things, an element type.
fn integer(rng: &mut Rng, draft: &Draft) -> i64 {
    let whole = |number: usize| i64::try_from(number).unwrap_or(0);
    match rng.u8(0..10) {
        0..4 => rng.i64(-2..=4),
        4..6 => rng.choice(ranks(draft)).map_or(1, |rank| whole(rank) - rng.i64(0..3)),
        6..8 => rng.choice(sizes(draft)).and_then(|size| i64::try_from(size).ok()).unwrap_or(2),
        8 => rng.i64(1..=28),
        _ => {
            let number = rng.choice(sizes(draft)).and_then(|size| i64::try_from(size).ok()).unwrap_or(1);
            number.saturating_mul(rng.choice(sizes(draft)).and_then(|size| i64::try_from(size).ok()).unwrap_or(1))
        }
    }
}

/// An integer within the bounds of an attribute, at times at one of them.
fn bounded(rng: &mut Rng, draft: &Draft, attribute: &Attribute) -> i64 {
    let of = |value: Option<AttributeValue<'static>>| match value {
        Some(AttributeValue::Int(number)) => Some(number),
        _ => None,
    };
    if let Some(AttributeValue::Int(number)) = rng.choice(attribute.values) {
        return *number;
    }
    let number = integer(rng, draft);
    match (of(attribute.min), of(attribute.max)) {
        (Some(min), Some(max)) if max.saturating_sub(min) < 64 => rng.i64(min..=max),
        (Some(min), Some(max)) => number.clamp(min, max),
        (Some(min), None) if number < min => min.saturating_add(rng.i64(0..3)),
        (None, Some(max)) if number > max => max.saturating_sub(rng.i64(0..3)),
        _ => number,
    }
}

fn float(rng: &mut Rng, attribute: &Attribute) -> f32 {
    let of = |value: Option<AttributeValue<'static>>| match value {
        Some(AttributeValue::Float(number)) => Some(number),
        _ => None,
    };
    let number = *rng.choice(&[0.0, 1.0, 0.5, 2.0, -1.0, 0.25, 1e-5]).unwrap_or(&1.0);
    match (of(attribute.min), of(attribute.max)) {
        (Some(min), _) if number < min => min,
        (_, Some(max)) if number > max => max,
        _ => number,
    }
}

fn word(rng: &mut Rng, attribute: &Attribute) -> Vec<u8> {
    match rng.choice(attribute.values) {
        Some(AttributeValue::String(text)) => text.to_vec(),
        _ => rng.choice(&["a", "b", "ab"]).unwrap_or(&"a").as_bytes().to_vec(),
    }
}

/// A length of a list that may have an entry for each axis, or two for each.
fn length(rng: &mut Rng, draft: &Draft) -> usize {
    let rank = rng.choice(ranks(draft)).unwrap_or(2);
    let space = rank.saturating_sub(2);
    *rng.choice(&[rank, rank, space, space, 2 * space, 2 * rank, 1, 2, 0]).unwrap_or(&1)
}

/// The entries of a list of integers.
fn entries(rng: &mut Rng, draft: &Draft, attribute: &Attribute, length: usize) -> Vec<i64> {
    let mut order: Vec<i64> = (0..length).filter_map(|index| i64::try_from(index).ok()).collect();
    match rng.u8(0..5) {
        0 => {
            rng.shuffle(&mut order);
            order
        }
        1 => vec![bounded(rng, draft, attribute); length],
        // Sizes of an input, or the last of them.
        2 => {
            let dims =
                rng.choice(draft.inputs.iter().flatten().filter_map(|input| input.value.dims()).collect::<Vec<_>>());
            let dims = dims.unwrap_or_default();
            let from = dims.len().saturating_sub(length);
            let last = dims.get(from..).unwrap_or_default().iter();
            last.filter_map(|dim| i64::try_from(*dim).ok()).collect()
        }
        _ => (0..length).map(|_| bounded(rng, draft, attribute)).collect(),
    }
}

/// The element types that an attribute may name, if the type of an output comes from it.
fn named_types(draft: &Draft, attribute: &Attribute) -> Vec<DataType> {
    let schema = draft.schema;
    let names = |of: &TypeOf| match of {
        TypeOf::Attribute { index, .. } => {
            schema.attributes.get(*index).is_some_and(|other| other.name == attribute.name)
        }
        _ => false,
    };
    let rule = schema.rules.iter().find(|rule| rule.types.iter().any(|source| names(&source.of)));
    let formal = rule.and_then(|rule| schema.outputs.get(rule.output));
    let types = formal.map(|formal| allowed(schema, formal)).unwrap_or_default();
    types.into_iter().filter_map(Type::element).collect()
}

/// A value for an attribute; `None` for a kind that is not drawn here.
pub(super) fn argument(rng: &mut Rng, draft: &Draft, attribute: &Attribute) -> Option<Argument> {
    if matches!(attribute.kind, AttributeKind::Int | AttributeKind::String)
        && let Some(ty) = rng.choice(named_types(draft, attribute))
    {
        let number = Argument::Int(ty.number().into());
        let name = || Argument::String(ty.name().to_uppercase().into_bytes());
        return Some(if attribute.kind == AttributeKind::Int { number } else { name() });
    }
    let length = length(rng, draft);
    Some(match attribute.kind {
        AttributeKind::Int => Argument::Int(bounded(rng, draft, attribute)),
        AttributeKind::Float => Argument::Float(float(rng, attribute)),
        AttributeKind::String => Argument::String(word(rng, attribute)),
        AttributeKind::Ints => Argument::Ints(entries(rng, draft, attribute, length)),
        AttributeKind::Floats => Argument::Floats((0..length).map(|_| float(rng, attribute)).collect()),
        AttributeKind::Strings => Argument::Strings((0..length).map(|_| word(rng, attribute)).collect()),
        AttributeKind::Tensor => {
            let usual = vec![DataType::Float, DataType::Int64, DataType::Double, DataType::String];
            let named = named_types(draft, attribute);
            let ty = rng.choice(if named.is_empty() { usual } else { named })?;
            let dims = if rng.bool() { vec![1] } else { vec![u64::try_from(length).unwrap_or(1)] };
            let style = Style::draw(rng);
            Argument::tensor(fill::tensor(rng, ty, dims, style))
        }
        AttributeKind::TypeProto => {
            let types = draft.schema.types.iter().flat_map(|constraint| constraint.allow.iter());
            let types: Vec<Type> = types.map(|ty| ty.in_optional().unwrap_or(ty)).collect();
            Argument::ty(rng.choice(types)?)
        }
        _ => return None,
    })
}

/// Sets an attribute of the kind of the value.
pub(super) fn set_attribute(draft: &mut Draft, index: usize, value: Argument) -> bool {
    let kind = draft.schema.attributes.get(index).map(|attribute| attribute.kind);
    match draft.attributes.get_mut(index) {
        Some(slot) if kind == Some(value.view().kind()) => {
            *slot = Some(value);
            true
        }
        _ => false,
    }
}

/// Sets the length of a list; what is new is drawn, or repeats what there is.
pub(super) fn set_length(draft: &mut Draft, rng: &mut Rng, index: usize, length: usize) -> bool {
    let Some(attribute) = draft.schema.attributes.get(index) else { return false };
    if length > MAX_LENGTH {
        return false;
    }
    let value = match attribute.kind {
        AttributeKind::Ints => Argument::Ints(entries(rng, draft, attribute, length)),
        AttributeKind::Floats => Argument::Floats((0..length).map(|_| float(rng, attribute)).collect()),
        AttributeKind::Strings => Argument::Strings((0..length).map(|_| word(rng, attribute)).collect()),
        AttributeKind::Tensor => {
            let ty = match draft.attributes.get(index) {
                Some(Some(Argument::Tensor(held))) => held.0.ty,
                _ => DataType::Float,
            };
            let (length, style) = (u64::try_from(length).unwrap_or(1), Style::draw(rng));
            Argument::tensor(fill::tensor(rng, ty, vec![length], style))
        }
        _ => return false,
    };
    set_attribute(draft, index, value)
}

/// Gives the tensor of an attribute another type.
pub(super) fn set_tensor_type(draft: &mut Draft, rng: &mut Rng, index: usize, ty: DataType) -> bool {
    match draft.attributes.get_mut(index) {
        Some(Some(Argument::Tensor(held))) => {
            let (tensor, proto) = &mut **held;
            let style = Style::draw(rng);
            *tensor = fill::tensor(rng, ty, tensor.dims.clone(), style);
            *proto = tensor.to_proto("");
            true
        }
        _ => false,
    }
}

/// Changes the tensor of an input that is the node's own, or all tensors of its sequence.
fn each_tensor(draft: &mut Draft, input: usize, mut change: impl FnMut(&mut Tensor)) -> bool {
    match draft.inputs.get_mut(input) {
        Some(Some(Input { value: Value::Tensor(tensor), from: None })) => change(tensor),
        Some(Some(Input { value: Value::Sequence(_, tensors), from: None })) => tensors.iter_mut().for_each(change),
        _ => return false,
    }
    true
}

/// Gives a tensor other dimensions. Whole numbers are kept, repeated as often as need be: they may be places or sizes.
fn resize(rng: &mut Rng, tensor: &mut Tensor, dims: Vec<u64>) {
    let wanted = count(&dims).and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    let kept = tensor.ints().filter(|ints| !ints.is_empty());
    *tensor = match kept {
        Some(ints) if rng.u8(0..4) != 0 => {
            let ints: Vec<i64> = ints.into_iter().cycle().take(wanted).collect();
            fill::of_ints(tensor.ty, dims, &ints)
        }
        _ => {
            let style = Style::draw(rng);
            fill::tensor(rng, tensor.ty, dims, style)
        }
    };
}

/// Gives an input other dimensions.
pub(super) fn set_dims(draft: &mut Draft, rng: &mut Rng, input: usize, dims: &[u64]) -> bool {
    is_small(dims)
        && each_tensor(draft, input, |tensor| {
            if tensor.dims != dims {
                resize(rng, tensor, dims.to_vec());
            }
        })
}

/// Whether a tensor of these dimensions is worth its elements: what a node computes may have dimensions beyond any memory.
pub(super) fn is_small(dims: &[u64]) -> bool {
    count(dims).is_some_and(|count| count <= MAX_ELEMENTS) && dims.len() <= 8
}

/// Gives an axis of an input another size.
pub(super) fn set_dim(draft: &mut Draft, rng: &mut Rng, input: usize, axis: usize, size: u64) -> bool {
    let Some(mut dims) = draft.value(input).and_then(|value| value.dims()).map(<[u64]>::to_vec) else { return false };
    match dims.get_mut(axis) {
        Some(dim) => *dim = size,
        None => return false,
    }
    set_dims(draft, rng, input, &dims)
}

/// Gives an input another rank: axes are cut off, or drawn before or behind the others.
pub(super) fn set_rank(draft: &mut Draft, rng: &mut Rng, input: usize, rank: usize) -> bool {
    let Some(mut dims) = draft.value(input).and_then(|value| value.dims()).map(<[u64]>::to_vec) else { return false };
    if rank > MAX_RANK + 2 {
        return false;
    }
    while dims.len() > rank {
        dims.remove(rng.usize(..dims.len()));
    }
    while dims.len() < rank {
        let size = size(rng, draft);
        dims.insert(rng.usize(..=dims.len()), size);
    }
    set_dims(draft, rng, input, &dims)
}

/// Makes all elements of an input one number.
pub(super) fn fill_ints(draft: &mut Draft, input: usize, wanted: i64) -> bool {
    each_tensor(draft, input, |tensor| {
        if tensor.ty != DataType::String {
            *tensor = fill::of_ints(tensor.ty, tensor.dims.clone(), &vec![wanted; tensor.len()]);
        }
    })
}

/// A random value of a type; `None` if it would be too large.
pub(super) fn value(rng: &mut Rng, ty: Type, dims: &[u64]) -> Option<Value> {
    if !is_small(dims) {
        return None;
    }
    if let Some(element) = ty.element() {
        let style = Style::draw(rng);
        return Some(Value::Tensor(fill::tensor(rng, element, dims.to_vec(), style)));
    }
    if let Some(inner) = ty.in_optional() {
        let is = rng.u8(0..4) != 0;
        let inner_value = if is { Some(Box::new(value(rng, inner, dims)?)) } else { None };
        return Some(Value::Optional(inner, inner_value));
    }
    let element = ty.in_sequence()?.element()?;
    let alike = rng.u8(0..3) != 0;
    let tensors = (0..rng.usize(1..4)).map(|_| {
        let mut dims = dims.to_vec();
        if !alike && let Some(dim) = rng.choice(&mut dims) {
            *dim = rng.u64(1..4);
        }
        let style = Style::draw(rng);
        is_small(&dims).then(|| fill::tensor(rng, element, dims, style))
    });
    Some(Value::Sequence(element, tensors.collect::<Option<_>>()?))
}

/// Gives an input another type.
pub(super) fn set_type(draft: &mut Draft, rng: &mut Rng, input: usize, ty: Type) -> bool {
    let Some(Some(Input { value: old, from: None })) = draft.inputs.get(input) else { return false };
    if old.ty() == ty {
        return true;
    }
    let dims = old.dims().map_or_else(|| vec![2], <[u64]>::to_vec);
    let ints = old.tensor().and_then(Tensor::ints);
    let new = match (ty.element(), ints) {
        // Places and sizes stay what they are.
        (Some(element), Some(ints)) if element != DataType::String => {
            Some(Value::Tensor(fill::of_ints(element, dims, &ints)))
        }
        _ => value(rng, ty, &dims),
    };
    match (draft.inputs.get_mut(input), new) {
        (Some(slot), Some(new)) => {
            *slot = Some(Input::own(new));
            true
        }
        _ => false,
    }
}

/// Gives all inputs of a type variable another type; of those that need not share it, the first.
pub(super) fn set_variable(draft: &mut Draft, rng: &mut Rng, variable: usize, ty: Type) -> bool {
    let mut any = false;
    for index in 0..draft.inputs.len() {
        let free = any && draft.shared(index).is_none();
        if draft.variable(index) == Some(variable) && draft.value(index).is_some() && !free {
            any |= set_type(draft, rng, index, ty);
        }
    }
    any
}

/// The type that inputs of a type variable have.
pub(super) fn bound(draft: &Draft, variable: usize) -> Option<Type> {
    let index =
        (0..draft.inputs.len()).find(|index| draft.variable(*index) == Some(variable) && draft.value(*index).is_some());
    draft.value(index?).map(Value::ty)
}

/// A new value for an input.
pub(super) fn new_input(draft: &Draft, rng: &mut Rng, index: usize) -> Option<Input> {
    let ty = match draft.shared(index).and_then(|variable| bound(draft, variable)) {
        Some(ty) => ty,
        None => rng.choice(draft.allowed(index))?,
    };
    let dims =
        match rng.choice(draft.inputs.iter().flatten().filter_map(|input| input.value.dims()).collect::<Vec<_>>()) {
            Some(dims) if rng.u8(0..3) != 0 => dims.to_vec(),
            _ => (0..rank(rng)).map(|_| size(rng, draft)).collect(),
        };
    value(rng, ty, &dims).map(Input::own)
}

/// Gives the node a part, or takes it away.
pub(super) fn give(draft: &mut Draft, rng: &mut Rng, part: Part, is: bool) -> bool {
    match part {
        Part::Attribute(index) => {
            let Some(attribute) = draft.schema.attributes.get(index) else { return false };
            let value = if is { argument(rng, draft, attribute) } else { None };
            if (is && value.is_none()) || (!is && attribute.required) {
                return false;
            }
            draft.attributes.get_mut(index).map(|slot| *slot = value).is_some()
        }
        Part::Input(index) => {
            if !is {
                let optional = draft.is_optional(index);
                return optional && draft.inputs.get_mut(index).map(|slot| *slot = None).is_some();
            }
            while draft.inputs.len() <= index {
                draft.inputs.push(None);
            }
            let new = if draft.value(index).is_some() { return true } else { new_input(draft, rng, index) };
            match (draft.inputs.get_mut(index), new) {
                (Some(slot), Some(new)) => {
                    *slot = Some(new);
                    true
                }
                _ => false,
            }
        }
        Part::Output(index) => {
            let optional = draft.schema.output(index).is_some_and(|formal| formal.option != ParameterOption::Single);
            if is {
                while draft.outputs.len() <= index {
                    draft.outputs.push(false);
                }
            }
            match draft.outputs.get_mut(index) {
                Some(slot) if is || optional => {
                    *slot = is;
                    true
                }
                _ => !is,
            }
        }
    }
}

/// One random change.
pub(super) fn random(draft: &mut Draft, rng: &mut Rng) {
    let inputs = draft.inputs.len();
    let attributes = draft.attributes.len();
    let input = if inputs > 0 { rng.usize(..inputs) } else { 0 };
    match rng.u8(0..20) {
        0..4 if inputs > 0 => {
            let rank = draft.value(input).and_then(|value| value.dims()).map_or(0, <[u64]>::len);
            if rank > 0 {
                let (axis, size) = (rng.usize(..rank), size(rng, draft));
                set_dim(draft, rng, input, axis, size);
            }
        }
        4..6 if inputs > 0 => {
            let near = rng.choice(ranks(draft)).unwrap_or(1);
            let other = rank(rng);
            let rank = *rng.choice(&[near, near, near + 1, near.saturating_sub(1), 1, other]).unwrap_or(&1);
            set_rank(draft, rng, input, rank);
        }
        // Dimensions of another input, at times with one of them changed.
        6..8 if inputs > 1 => {
            let other = draft.value(rng.usize(..inputs)).and_then(|value| value.dims()).map(<[u64]>::to_vec);
            if let Some(mut dims) = other {
                if rng.bool() && !dims.is_empty() {
                    let (at, size) = (rng.usize(..dims.len()), size(rng, draft));
                    if let Some(dim) = dims.get_mut(at) {
                        *dim = size;
                    }
                }
                set_dims(draft, rng, input, &dims);
            }
        }
        8..11 if inputs > 0 => elements(draft, rng, input),
        11 if inputs > 0 => {
            if let Some(formal) = draft.formal(input) {
                if formal.is_variadic() && rng.bool() {
                    if let Some(new) = new_input(draft, rng, inputs) {
                        draft.inputs.push(Some(new));
                    }
                } else if formal.is_variadic() && inputs > 1 {
                    draft.inputs.pop();
                } else if formal.option == ParameterOption::Optional {
                    let is = draft.value(input).is_none();
                    give(draft, rng, Part::Input(input), is);
                }
            }
        }
        12 if inputs > 0 => {
            let types = draft.allowed(input);
            if let Some(ty) = rng.choice(types) {
                match draft.shared(input) {
                    Some(variable) => set_variable(draft, rng, variable, ty),
                    None => set_type(draft, rng, input, ty),
                };
            }
        }
        13 if !draft.schema.outputs.is_empty() => {
            let most = draft.schema.outputs.len() + 2;
            let (output, is) = (rng.usize(..most), rng.bool());
            if draft.schema.output(output).is_some() {
                give(draft, rng, Part::Output(output), is);
                while draft.outputs.last() == Some(&false) {
                    draft.outputs.pop();
                }
            }
        }
        _ if attributes > 0 => {
            let index = rng.usize(..attributes);
            let Some(attribute) = draft.schema.attributes.get(index) else { return };
            let absent = !attribute.required && rng.u8(0..3) == 0;
            let value = if absent { None } else { argument(rng, draft, attribute) };
            if value.is_some() || absent {
                give_attribute(draft, index, value);
            }
        }
        _ => {}
    }
}

fn give_attribute(draft: &mut Draft, index: usize, value: Option<Argument>) {
    if let Some(slot) = draft.attributes.get_mut(index) {
        *slot = value;
    }
}

/// Changes the elements of an input: all of them, or one.
fn elements(draft: &mut Draft, rng: &mut Rng, input: usize) {
    let other = rng
        .choice(draft.inputs.iter().flatten().filter_map(|input| input.value.dims()).collect::<Vec<_>>())
        .map(<[u64]>::to_vec);
    let number = integer(rng, draft);
    let how = rng.u8(0..6);
    each_tensor(draft, input, |tensor| match (how, tensor.ints(), &other) {
        (0..2, Some(mut ints), _) if !ints.is_empty() => {
            let at = rng.usize(..ints.len());
            if let Some(entry) = ints.get_mut(at) {
                *entry = number;
            }
            *tensor = fill::of_ints(tensor.ty, tensor.dims.clone(), &ints);
        }
        // The sizes of another input: what a shape is.
        (2, Some(_), Some(dims)) => {
            let ints: Vec<i64> = dims.iter().filter_map(|dim| i64::try_from(*dim).ok()).collect();
            let length = u64::try_from(ints.len()).unwrap_or(0);
            *tensor = fill::of_ints(tensor.ty, vec![length], &ints);
        }
        // A number for each axis of another input, or two.
        (3, Some(_), Some(dims)) => {
            let length = u64::try_from(dims.len()).unwrap_or(0) * if rng.bool() { 2 } else { 1 };
            let style = Style::draw(rng);
            *tensor = fill::tensor(rng, tensor.ty, vec![length], style);
        }
        _ => {
            let style = Style::draw(rng);
            *tensor = fill::tensor(rng, tensor.ty, tensor.dims.clone(), style);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_no_more_elements_than_memory_for_them() {
        let rng = &mut Rng::with_seed(0);
        let tensor = Type::tensor(DataType::Int64);
        for ty in [tensor, Type::optional(tensor).unwrap(), Type::sequence(tensor).unwrap()] {
            for dims in [vec![1 << 33], vec![1 << 40, 1 << 40]] {
                assert_eq!(value(rng, ty, &dims), None, "{ty} {dims:?}");
            }
            assert!(value(rng, ty, &[2, 3]).is_some());
            // One size of a tensor in a sequence is drawn anew, which may leave much of it.
            (0..100).for_each(|_| drop(value(rng, ty, &[0, 1 << 33])));
        }
    }
}
