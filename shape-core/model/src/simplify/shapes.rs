//! Chains that compute sizes become the shortest ones that give the same sizes.
//!
//! Equal for every value of the symbols, since the new chain has the same expressions as its elements: each is read off the
//! dimensions of a tensor that has them, or taken from a value that is there already, or a number.

use std::collections::{HashMap, HashSet};

use super::draft::{Draft, Made, NodeId, Reader, ValueId};
use super::pass::Pass;
use shape_core::data_type::DataType;
use shape_core::elements::Scalar;
use shape_core::node::AttributeValue;
use shape_core::rule::Argument;
use shape_core::schema::Schema;
use shape_core::symbolic::Dim;
use shape_core::types::Type;

pub(super) const SHAPES: Pass = Pass {
    name: "shapes",
    summary: "Chains that compute sizes become the shortest ones that give the same sizes",
    run,
};

/// How many elements a list of sizes has at most.
const MAX_ELEMENTS: usize = 32;

/// How many tensors with the same two sizes are tried.
const MAX_TENSORS: usize = 32;

fn run(draft: &mut Draft<'_, '_>) -> usize {
    let Some(operators) = Operators::of(draft) else { return 0 };
    let index = Index::of(draft, &operators);
    let mut nodes: Vec<NodeId> = draft.live().collect();
    nodes.reverse();
    nodes.into_iter().filter(|node| shorten(draft, *node, &operators, &index).is_some()).count()
}

/// The operators that chains are made of.
struct Operators {
    shape: &'static Schema,
    concat: &'static Schema,
    squeeze: &'static Schema,
    unsqueeze: &'static Schema,
}

impl Operators {
    /// `None` where the opset has no Shape with a start and an end.
    fn of(draft: &Draft<'_, '_>) -> Option<Self> {
        let shape = draft.operator("shape").filter(|shape| shape.attribute("end").is_some())?;
        let [concat, squeeze, unsqueeze] = ["concat", "squeeze", "unsqueeze"].map(|rule| draft.operator(rule));
        Some(Self { shape, concat: concat?, squeeze: squeeze?, unsqueeze: unsqueeze? })
    }
}

/// Where sizes are found.
#[derive(Default)]
struct Index {
    /// The tensors that have a size and another behind it, and the axis; inputs of the model come first.
    pairs: HashMap<(Dim, Dim), Vec<(ValueId, usize)>>,
    /// The tensors that have a size.
    tensors: HashMap<Dim, Vec<(ValueId, usize)>>,
    /// The lists that begin with a size, and single sizes.
    lists: HashMap<Dim, Vec<ValueId>>,
}

impl Index {
    fn of(draft: &Draft<'_, '_>, operators: &Operators) -> Self {
        let mut index = Self::default();
        let (inputs, others): (Vec<ValueId>, Vec<ValueId>) = (0..draft.values.len())
            .filter(|value| draft.is_there(*value))
            .partition(|value| draft.is_main_input(*value));
        // A tensor whose dimensions a node reads already comes before the others.
        let is_shaped = |value: &ValueId| {
            draft.readers(*value).iter().any(|reader| match reader {
                Reader::Node(node, _) => draft.is_of(*node, operators.shape),
                _ => false,
            })
        };
        let (shaped, others): (Vec<ValueId>, Vec<ValueId>) = others.into_iter().partition(is_shaped);
        for value in inputs.into_iter().chain(shaped).chain(others) {
            let dims = draft.dims(value).unwrap_or_default();
            for (axis, dim) in dims.iter().enumerate().filter(|(_, dim)| is_symbolic(dim)) {
                let put = |list: &mut Vec<(ValueId, usize)>| {
                    if list.len() < MAX_TENSORS {
                        list.push((value, axis));
                    }
                };
                put(index.tensors.entry(dim.clone()).or_default());
                if let Some(next) = dims.get(axis + 1) {
                    put(index.pairs.entry((dim.clone(), next.clone())).or_default());
                }
            }
        }
        for value in 0..draft.values.len() {
            // A list that nothing reads may stay, but no chain is kept by it.
            let is_list = draft.dims(value).is_some_and(|dims| dims.len() <= 1)
                && draft.is_there(value)
                && (draft.is_read(value) || draft.is_main_input(value));
            if is_list
                && draft.ty(value) == Some(Type::tensor(DataType::Int64))
                && draft.is_whole(value)
                && let Some(first) = draft.elements(value).and_then(<[_]>::first).and_then(symbol)
            {
                index.lists.entry(first.clone()).or_default().push(value);
            }
        }
        index
    }
}

fn is_symbolic(dim: &Dim) -> bool {
    matches!(dim, Dim::Symbol(_) | Dim::Expression(_))
}

/// The expression that an element is.
fn symbol(element: &Scalar<Dim>) -> Option<&Dim> {
    match element {
        Scalar::Size(dim) | Scalar::Expression(dim) if is_symbolic(dim) => Some(dim),
        _ => None,
    }
}

/// The size that an element is.
fn dim_of(element: &Scalar<Dim>) -> Option<Dim> {
    match element {
        Scalar::Int(number) => u64::try_from(*number).ok().map(Dim::Known),
        element => symbol(element).cloned(),
    }
}

/// A part of a list of sizes.
#[derive(Debug)]
enum Part {
    Numbers(Vec<i64>),
    /// The value as it is.
    List(ValueId),
    /// A single size as a list.
    Single(ValueId),
    /// Dimensions of a tensor.
    Dims(ValueId, usize, usize),
}

impl Part {
    /// How many nodes it takes.
    fn cost(&self) -> usize {
        match self {
            Self::Numbers(_) | Self::List(_) => 0,
            Self::Single(_) | Self::Dims(..) => 1,
        }
    }
}

fn shorten(draft: &mut Draft<'_, '_>, node: NodeId, operators: &Operators, index: &Index) -> Option<()> {
    let value = draft.output(node, 0).filter(|value| draft.is_read(*value))?;
    draft.node(node).filter(|node| !node.removed)?.file?;
    let elements = draft.elements(value).filter(|elements| elements.len() <= MAX_ELEMENTS)?.to_vec();
    let rank = draft.dims(value)?.len();
    let is_sizes = draft.ty(value) == Some(Type::tensor(DataType::Int64)) && draft.is_whole(value);
    let has_symbols = elements.iter().any(|element| symbol(element).is_some());
    let is_movable = draft.readers(value).iter().all(|reader| matches!(reader, Reader::Node(..) | Reader::Output(..)));
    let is_output = draft.is_output(value);
    if !is_sizes || rank > 1 || !has_symbols || !is_movable {
        return None;
    }
    let gone = draft.would_go(node);
    let parts = parts(draft, node, &elements, index, &gone)?;
    let mut cost: usize = parts.iter().map(Part::cost).sum();
    cost += usize::from(parts.len() > 1) + usize::from(rank == 0);
    if let ([Part::Single(single)], 0) = (&*parts, rank) {
        // It is there as it is.
        cost = usize::from(*single == value);
    }
    // One Shape instead of one other node lets go of what that node reads.
    let is_shape = draft.is_of(node, operators.shape);
    let frees = cost == 1 && rank > 0 && !is_shape && matches!(&*parts, [Part::Dims(..)]);
    if cost >= gone.len() && !(frees && gone.len() == 1) {
        draft.refuse(SHAPES.name, node, |draft| {
            format!(
                "`{}` and what only it needs take {} nodes, and no shorter chain was found",
                draft.name(value),
                gone.len()
            )
        });
        return None;
    }
    // A node of the same operator that takes over an output would be taken for the old one, without its name and texts.
    let is_concat = draft.is_of(node, operators.concat);
    if is_output && is_concat && parts.len() > 1 {
        return None;
    }
    let first = draft.nodes.len();
    let new = build(draft, node, &parts, (&elements, rank), operators);
    let made = first..draft.nodes.len();
    let Some(new) = new else {
        draft.remove_unread(made.rev());
        return None;
    };
    let what = format!("`{}` takes {cost} nodes instead of {}", draft.name(value), gone.len());
    let reference = draft.reference(node);
    // An output of a graph keeps its name, which a new node takes over.
    let is_new = draft.giver(new).is_some_and(|(giver, _)| made.contains(&giver));
    if is_output && !is_new {
        draft.remove_unread(made.rev());
        return None;
    }
    let moved = draft.replace(value, new);
    let unread = if is_output { draft.rename_to_output(new, value) } else { None };
    if moved == 0 && unread.is_none() {
        draft.remove_unread(made.rev());
        return None;
    }
    draft.change_of(SHAPES.name, reference?, what);
    draft.remove_unread(unread.into_iter().flatten().chain([node]));
    Some(())
}

/// The parts that give a list of sizes to a node, without what is gone.
fn parts(
    draft: &Draft<'_, '_>,
    node: NodeId,
    elements: &[Scalar<Dim>],
    index: &Index,
    gone: &HashSet<NodeId>,
) -> Option<Vec<Part>> {
    let is_there = |value: ValueId| {
        draft.sees(node, value)
            && draft.giver(value).is_none_or(|(giver, _)| !gone.contains(&giver) && !draft.is_removed(giver))
    };
    // What only the chain reads goes with it.
    let stays = |value: ValueId| {
        draft.is_main_input(value)
            || draft.readers(value).iter().any(|reader| !matches!(reader, Reader::Node(node, _) if gone.contains(node)))
    };
    let mut parts = Vec::new();
    let mut rest = elements;
    while let Some(first) = rest.first() {
        let numbers: Vec<i64> = rest
            .iter()
            .map_while(|element| if let Scalar::Int(number) = element { Some(*number) } else { None })
            .collect();
        if !numbers.is_empty() {
            rest = rest.get(numbers.len()..)?;
            parts.push(Part::Numbers(numbers));
            continue;
        }
        let first = symbol(first)?;
        let lists = index.lists.get(first).into_iter().flatten().copied().filter(|list| is_there(*list));
        let fits = |list: &ValueId| draft.elements(*list).is_some_and(|list| rest.starts_with(list));
        let is_list = |list: &ValueId| draft.dims(*list).is_some_and(|dims| dims.len() == 1);
        let length = |list: ValueId| draft.elements(list).map_or(0, <[_]>::len);
        let list = lists.clone().filter(|list| is_list(list) && fits(list)).max_by_key(|list| length(*list));
        let next = rest.get(1).and_then(dim_of);
        let pairs = next.and_then(|next| index.pairs.get(&(first.clone(), next)));
        let tensors = pairs.into_iter().chain(index.tensors.get(first)).flatten();
        let tensors = tensors.filter(|(tensor, _)| is_there(*tensor) && stays(*tensor));
        let run = |(tensor, axis): &(ValueId, usize)| {
            let dims = draft.dims(*tensor).and_then(|dims| dims.get(*axis..)).unwrap_or_default();
            let same = dims.iter().zip(rest).take_while(|(dim, element)| match element {
                Scalar::Int(number) => u64::try_from(*number).is_ok_and(|number| **dim == Dim::Known(number)),
                element => symbol(element) == Some(dim),
            });
            same.count()
        };
        // The first of several, so that all chains read the same tensor.
        let mut tensor: Option<(usize, &(ValueId, usize))> = None;
        for found in tensors {
            let length = run(found);
            if tensor.is_none_or(|(best, _)| length > best) {
                tensor = Some((length, found));
            }
        }
        let single = lists.clone().find(|list| !is_list(list));
        let (part, taken) = match (list, tensor, single) {
            (Some(list), tensor, _) if tensor.is_none_or(|(run, _)| run <= length(list) + 1) => {
                (Part::List(list), length(list))
            }
            (_, Some((run, (tensor, axis))), _) => (Part::Dims(*tensor, *axis, axis + run), run),
            (None, None, Some(single)) => (Part::Single(single), 1),
            _ => return None,
        };
        rest = rest.get(taken..).filter(|_| taken > 0)?;
        parts.push(part);
    }
    Some(parts)
}

fn build(
    draft: &mut Draft<'_, '_>,
    node: NodeId,
    parts: &[Part],
    (elements, rank): (&[Scalar<Dim>], usize),
    operators: &Operators,
) -> Option<ValueId> {
    let like = draft.output(node, 0).map(|value| draft.name(value).to_owned())?;
    let mut values = Vec::new();
    let mut at = 0;
    for part in parts {
        let value = match part {
            Part::Numbers(numbers) => {
                at += numbers.len();
                draft.integers_for(node, numbers, &format!("{like}_sizes"))?
            }
            Part::List(list) => {
                at += draft.elements(*list).map_or(0, <[_]>::len);
                *list
            }
            Part::Single(single) if rank == 0 && parts.len() == 1 => return Some(*single),
            Part::Single(single) => {
                at += 1;
                let of = draft.elements(*single)?.to_vec();
                unsqueezed(draft, node, *single, of, &like, operators)?
            }
            Part::Dims(tensor, start, end) => {
                let of = elements.get(at..at + end - start)?.to_vec();
                at += end - start;
                let length = draft.dims(*tensor)?.len();
                let mut attributes = Vec::new();
                if *start > 0 {
                    attributes.push(draft.attribute("start", AttributeValue::Int(i64::try_from(*start).ok()?)));
                }
                if *end < length {
                    attributes.push(draft.attribute("end", AttributeValue::Int(i64::try_from(*end).ok()?)));
                }
                let name = draft.new_name(&format!("{like}_shape"));
                // Right behind the tensor, which need not stay in memory for it.
                let before = draft.behind(*tensor, node);
                draft.insert(before, operators.shape, &[*tensor], attributes, (name, list(of)))?
            }
        };
        values.push(value);
    }
    let whole = match &*values {
        [one] => *one,
        many => {
            let name = draft.new_name(&format!("{like}_concat"));
            draft.insert(
                node,
                operators.concat,
                many,
                vec![draft.attribute("axis", AttributeValue::Int(0))],
                (name, list(elements.to_vec())),
            )?
        }
    };
    if rank > 0 {
        return Some(whole);
    }
    let name = draft.new_name(&format!("{like}_squeeze"));
    let made = Made { dims: Vec::new(), ..list(elements.to_vec()) };
    draft.insert(node, operators.squeeze, &[whole], Vec::new(), (name, made))
}

fn unsqueezed(
    draft: &mut Draft<'_, '_>,
    node: NodeId,
    single: ValueId,
    of: Vec<Scalar<Dim>>,
    like: &str,
    operators: &Operators,
) -> Option<ValueId> {
    let name = draft.new_name(&format!("{like}_unsqueeze"));
    let is_input = operators.unsqueeze.rules.iter().any(|rule| {
        matches!(rule.dims, Some(shape_core::rule::DimsRule::Call(call)) if matches!(call.arguments.get(1), Some(Argument::Input(_))))
    });
    if is_input {
        let axes = draft.integers_for(node, &[0], "axes")?;
        return draft.insert(node, operators.unsqueeze, &[single, axes], Vec::new(), (name, list(of)));
    }
    let axes = draft.attribute("axes", AttributeValue::Ints(&[0]));
    draft.insert(node, operators.unsqueeze, &[single], vec![axes], (name, list(of)))
}

fn list(elements: Vec<Scalar<Dim>>) -> Made {
    Made { ty: Type::tensor(DataType::Int64), dims: vec![Dim::Known(elements.len() as u64)], elements }
}
