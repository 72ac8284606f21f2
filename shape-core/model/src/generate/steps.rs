//! Changes that make a case smaller. They do not check whether the case is still valid, or still has its one error.

use std::collections::{BTreeSet, HashMap, HashSet};

use fastrand::Rng;
use shape_core::data_type::DataType;
use shape_core::registry::Registry;
use shape_core::types::Type;

use super::case::tensor;
use super::fill::{self, Style};
use super::judge::Inferred;
use super::parts::{Held, Parts, exact, has_rank, open};
use super::value::{Data, Tensor, Value, count};
use crate::file::proto::{FunctionProto, GraphProto, NodeProto};

/// How many pairs of changes are tried.
const MAX_PAIRS: usize = 2_000;

/// A change that makes a case smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Removes nodes: the index of the first, and how many; their outputs that others read become inputs.
    Nodes(usize, usize),
    /// Replaces a call of a function by the function's node.
    Inline(usize),
    /// Removes an attribute of a node.
    Attribute(usize, usize),
    /// Removes an input of a node.
    Input(usize, usize),
    /// Removes an output of a node.
    Output(usize, usize),
    /// Removes an output of the graph.
    Result(usize),
    /// Declares inputs with all of their dimensions.
    Declare,
    /// Makes an initializer an input.
    Feed(usize),
    /// Makes all tensors of a type tensors of float.
    Float(Type),
    /// Gives all axes of a size another size; with `true`, also changes the numbers in lists and tensors that equal the
    /// size.
    Size(u64, u64, bool),
    /// Gives an axis of one value another size.
    Axis(usize, usize, u64),
    /// Removes an axis of all values of a rank.
    Rank(usize, usize),
    /// Removes an axis of one value.
    Flat(usize, usize),
    /// Sets all elements of a value to its first one.
    Same(usize),
    /// Makes two changes at once, for sizes that belong together, or for a part and the sizes that it determined.
    Both(Box<Self>, Box<Self>),
}

/// The changes that may be made to a case, those that make it much smaller first.
pub(super) fn steps(parts: &Parts) -> Vec<Step> {
    let Some(graph) = parts.graph() else { return Vec::new() };
    let mut steps = Vec::new();
    let nodes = graph.node.len();
    let mut size = nodes / 2;
    while size > 0 {
        // What comes last needs the most.
        steps.extend((0..nodes).step_by(size).rev().map(|start| Step::Nodes(start, size)));
        size /= 2;
    }
    steps.extend((0..nodes).rev().map(Step::Inline));
    if graph.output.len() > 1 {
        steps.extend((0..graph.output.len()).rev().map(Step::Result));
    }
    for (at, node) in graph.node.iter().enumerate().rev() {
        let given = |names: &[String]| -> Vec<usize> {
            (0..names.len()).rev().filter(|index| names.get(*index).is_some_and(|name| !name.is_empty())).collect()
        };
        steps.extend((0..node.attribute.len()).rev().map(|index| Step::Attribute(at, index)));
        steps.extend(given(&node.input).into_iter().map(|index| Step::Input(at, index)));
        steps.extend(given(&node.output).into_iter().map(|index| Step::Output(at, index)));
    }
    steps.push(Step::Declare);
    steps.extend((0..parts.values.len()).map(Step::Feed));
    steps.extend(of_values(&parts.values));
    if nodes == 1 {
        steps.extend(pairs(&steps));
    }
    steps
}

/// Two changes at once, where each alone may be refused.
fn pairs(steps: &[Step]) -> Vec<Step> {
    let shrinks = |step: &&Step| matches!(step, Step::Size(..) | Step::Axis(..) | Step::Rank(..) | Step::Flat(..));
    let begins = |step: &&Step| shrinks(step) || matches!(step, Step::Attribute(..) | Step::Input(..));
    let second: Vec<&Step> = steps.iter().filter(shrinks).collect();
    let both = |first: &Step, second: &Step| Step::Both(Box::new(first.clone()), Box::new(second.clone()));
    let first = steps.iter().filter(begins);
    first.flat_map(|first| second.iter().map(move |second| both(first, second))).take(MAX_PAIRS).collect()
}

/// The changes to the values that no node computes.
fn of_values(values: &[Held]) -> Vec<Step> {
    let mut steps = Vec::new();
    let float = Type::tensor(DataType::Float);
    let types: Vec<Type> = values.iter().map(|held| held.value.ty()).filter(|ty| ty.element().is_some()).collect();
    for (at, ty) in types.iter().enumerate() {
        if *ty != float && types.iter().position(|other| other == ty) == Some(at) {
            steps.push(Step::Float(*ty));
        }
    }
    let dims = |held: &Held| held.value.dims().map(<[u64]>::to_vec).unwrap_or_default();
    let all: Vec<Vec<u64>> = values.iter().map(dims).collect();
    let ranks: BTreeSet<usize> = all.iter().map(Vec::len).collect();
    for rank in ranks.into_iter().rev() {
        steps.extend((0..rank).map(|axis| Step::Rank(rank, axis)));
    }
    for (index, dims) in all.iter().enumerate() {
        steps.extend((0..dims.len()).map(|axis| Step::Flat(index, axis)));
    }
    let smaller = |size: u64| {
        BTreeSet::from([1, 2, size / 2, size.saturating_sub(1)]).into_iter().filter(move |to| *to < size && *to > 0)
    };
    let sizes: BTreeSet<u64> = all.iter().flatten().copied().collect();
    for size in sizes.into_iter().rev() {
        steps.extend(smaller(size).flat_map(|to| [Step::Size(size, to, true), Step::Size(size, to, false)]));
    }
    for (index, dims) in all.iter().enumerate() {
        for (axis, size) in dims.iter().enumerate() {
            steps.extend(smaller(*size).map(|to| Step::Axis(index, axis, to)));
        }
    }
    steps.extend((0..values.len()).map(Step::Same));
    steps
}

impl Step {
    /// Makes the change, if it is possible.
    pub(super) fn apply(&self, parts: &mut Parts, registry: &Registry) -> Option<()> {
        match *self {
            Self::Both(ref first, ref second) => {
                first.apply(parts, registry)?;
                second.apply(parts, registry)
            }
            Self::Nodes(start, count) => without_nodes(parts, registry, start, count),
            Self::Inline(index) => inline(parts, index),
            Self::Attribute(node, index) => {
                let attributes = &mut parts.node(node)?.attribute;
                (index < attributes.len()).then(|| attributes.remove(index)).map(drop)
            }
            Self::Input(node, index) => leave_out(&mut parts.node(node)?.input, index),
            Self::Output(node, index) => leave_out(&mut parts.node(node)?.output, index),
            Self::Result(index) => {
                parts.case.model.graph.as_mut()?.output.remove(index);
                Some(())
            }
            Self::Declare => {
                parts.declare();
                for output in &mut parts.case.model.graph.as_mut()?.output {
                    if !has_rank(output.r#type.as_ref()) {
                        output.r#type = None;
                    }
                }
                Some(())
            }
            Self::Feed(index) => {
                parts.feed(index);
                Some(())
            }
            Self::Float(ty) => each(parts, |held| {
                (held.value.ty() == ty).then(|| map(&held.value, &|tensor| Some(to_float(tensor))))?
            }),
            Self::Size(from, to, numbers) => resize_all(parts, from, to, numbers),
            Self::Axis(index, axis, to) => {
                let resized = map(&parts.values.get(index)?.value, &|tensor| {
                    let mut dims = tensor.dims.clone();
                    *dims.get_mut(axis)? = to;
                    cut(tensor, dims)
                })?;
                parts.set(index, resized);
                Some(())
            }
            Self::Rank(rank, axis) => each(parts, |held| {
                (held.value.dims()?.len() == rank).then(|| map(&held.value, &|tensor| flat(tensor, axis)))?
            }),
            Self::Flat(index, axis) => {
                let value = map(&parts.values.get(index)?.value, &|tensor| flat(tensor, axis))?;
                parts.set(index, value);
                Some(())
            }
            Self::Same(index) => {
                let value = map(&parts.values.get(index)?.value, &|tensor| {
                    Some(pick(tensor, tensor.dims.clone(), &vec![0; tensor.len()]))
                })?;
                parts.set(index, value);
                Some(())
            }
        }
    }
}

/// Changes each value for which there is a new one; `None` if there is no such value.
fn each(parts: &mut Parts, new: impl Fn(&Held) -> Option<Value>) -> Option<()> {
    let changed: Vec<(usize, Value)> =
        parts.values.iter().enumerate().filter_map(|(index, held)| Some((index, new(held)?))).collect();
    let any = !changed.is_empty();
    changed.into_iter().for_each(|(index, value)| parts.set(index, value));
    any.then_some(())
}

/// Gives a node an empty name for an input or output, or none.
fn leave_out(names: &mut Vec<String>, index: usize) -> Option<()> {
    names.get_mut(index)?.clear();
    while names.last().is_some_and(String::is_empty) {
        names.pop();
    }
    Some(())
}

/// Takes nodes out. What is read of them becomes an input, with the elements that are known.
fn without_nodes(parts: &mut Parts, registry: &Registry, start: usize, count: usize) -> Option<()> {
    let graph = parts.graph()?;
    let end = graph.node.len().min(start + count);
    if end - start == graph.node.len() {
        return None;
    }
    let gone: HashSet<&String> = graph.node.get(start..end)?.iter().flat_map(|node| &node.output).collect();
    let left = || graph.node.iter().take(start).chain(graph.node.iter().skip(end));
    let read: BTreeSet<String> =
        left().flat_map(|node| &node.input).filter(|name| gone.contains(name) && !name.is_empty()).cloned().collect();
    let known = if read.is_empty() { HashMap::new() } else { parts.known(registry)? };
    for name in read {
        let value = stand_in(known.get(&name)?)?;
        let info = Some(exact(&name, &value));
        parts.values.push(Held { name, value, info });
    }
    parts.case.model.graph.as_mut()?.node.drain(start..end);
    Some(())
}

/// A tensor of which as much is known.
fn stand_in(inferred: &Inferred) -> Option<Value> {
    let element = inferred.ty?.element()?;
    let dims: Vec<u64> = inferred.dims.as_ref()?.iter().copied().collect::<Option<_>>()?;
    if let Some(elements) = &inferred.elements {
        return tensor(element, dims, elements).map(Value::Tensor);
    }
    Some(Value::Tensor(fill::tensor(&mut Rng::with_seed(0), element, dims, Style::Positive)))
}

/// Replaces the call of a function of one node by that node.
fn inline(parts: &mut Parts, index: usize) -> Option<()> {
    let GraphProto { node: nodes, .. } = parts.graph()?;
    let call = nodes.get(index)?;
    let is = |function: &&FunctionProto| function.domain == call.domain && function.name == call.op_type;
    let function = parts.case.model.functions.iter().find(is)?;
    let [body] = &*function.node else { return None };
    let outer: HashMap<&String, &String> =
        function.input.iter().zip(&call.input).chain(function.output.iter().zip(&call.output)).collect();
    let names = |names: &[String]| -> Option<Vec<String>> {
        names
            .iter()
            .map(|name| if name.is_empty() { Some(String::new()) } else { outer.get(name).map(|of| (*of).clone()) })
            .collect()
    };
    let node = NodeProto { input: names(&body.input)?, output: names(&body.output)?, ..body.clone() };
    *parts.node(index)? = node;
    Some(())
}

/// Gives all axes of a size another one; with `numbers`, the numbers that are the size too.
fn resize_all(parts: &mut Parts, from: u64, to: u64, numbers: bool) -> Option<()> {
    let (old, new) = (i64::try_from(from).ok()?, i64::try_from(to).ok()?);
    let other = |size: u64| if size == from { to } else { size };
    let changed = |tensor: &Tensor| {
        let tensor = cut(tensor, tensor.dims.iter().copied().map(other).collect())?;
        let is_size = numbers && matches!(tensor.ty, DataType::Int64 | DataType::Int32);
        match tensor.ints().filter(|ints| is_size && ints.contains(&old)) {
            Some(ints) => {
                let ints: Vec<i64> = ints.into_iter().map(|int| if int == old { new } else { int }).collect();
                Some(fill::of_ints(tensor.ty, tensor.dims, &ints))
            }
            None => Some(tensor),
        }
    };
    each(parts, |held| map(&held.value, &changed).filter(|value| *value != held.value))?;
    if numbers {
        for node in &mut parts.case.model.graph.as_mut()?.node {
            let ints =
                node.attribute.iter_mut().flat_map(|attribute| attribute.i.iter_mut().chain(&mut attribute.ints));
            ints.filter(|int| **int == old).for_each(|int| *int = new);
        }
    }
    Some(())
}

/// A value with each of its tensors changed.
fn map(value: &Value, change: &dyn Fn(&Tensor) -> Option<Tensor>) -> Option<Value> {
    Some(match value {
        Value::Tensor(tensor) => Value::Tensor(change(tensor)?),
        Value::Sequence(element, tensors) => {
            Value::Sequence(*element, tensors.iter().map(change).collect::<Option<_>>()?)
        }
        Value::Optional(ty, Some(inner)) => Value::Optional(*ty, Some(Box::new(map(inner, change)?))),
        other => other.clone(),
    })
}

/// The first elements along each axis; a size may not grow.
fn cut(tensor: &Tensor, dims: Vec<u64>) -> Option<Tensor> {
    if dims.len() != tensor.dims.len() || dims.iter().zip(&tensor.dims).any(|(new, old)| new > old) {
        return None;
    }
    let indices = indices(&tensor.dims, &dims)?;
    Some(pick(tensor, dims, &indices))
}

/// The first slice along an axis, without the axis.
fn flat(tensor: &Tensor, axis: usize) -> Option<Tensor> {
    let mut dims = tensor.dims.clone();
    let size = dims.get_mut(axis)?;
    if *size == 0 {
        return None;
    }
    *size = 1;
    let mut first = cut(tensor, dims)?;
    first.dims.remove(axis);
    Some(first)
}

/// Where the elements of a part of a tensor are in the whole, in row-major order; the part begins at the first element.
fn indices(whole: &[u64], part: &[u64]) -> Option<Vec<usize>> {
    let count = usize::try_from(count(part)?).ok()?;
    let mut found = Vec::with_capacity(count);
    for index in 0..count {
        let (mut rest, mut stride, mut at) = (index, 1, 0);
        for (size, of) in whole.iter().zip(part).rev() {
            let (size, of) = (usize::try_from(*size).ok()?, usize::try_from(*of).ok()?);
            at += rest % of * stride;
            rest /= of;
            stride *= size;
        }
        found.push(at);
    }
    Some(found)
}

/// A tensor of some elements of another one.
fn pick(tensor: &Tensor, dims: Vec<u64>, indices: &[usize]) -> Tensor {
    let data = match &tensor.data {
        Data::Strings(strings) => {
            Data::Strings(indices.iter().filter_map(|index| strings.get(*index).cloned()).collect())
        }
        Data::Bytes(bytes) => {
            let width = usize::from(tensor.ty.bits().unwrap_or(8));
            let mut picked = vec![0_u8; (indices.len() * width).div_ceil(8)];
            // Bit by bit, since an element may be less than a byte.
            for (to, from) in indices.iter().enumerate() {
                for bit in 0..width {
                    let (at, to) = (from * width + bit, to * width + bit);
                    let is = bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
                    if let Some(byte) = picked.get_mut(to / 8).filter(|_| is) {
                        *byte |= 1 << (to % 8);
                    }
                }
            }
            Data::Bytes(picked)
        }
    };
    Tensor { ty: tensor.ty, dims, data }
}

/// The tensor as floats: whole numbers stay what they are, all others become 1.
fn to_float(tensor: &Tensor) -> Tensor {
    let ints = tensor.ints().unwrap_or_else(|| vec![1; tensor.len()]);
    fill::of_ints(DataType::Float, tensor.dims.clone(), &ints)
}

/// The size of a case as numbers, of which the first counts most. A change is taken only if it makes this less, so that
/// there is an end.
pub(super) fn weight(parts: &Parts) -> Vec<usize> {
    let Some(graph) = parts.graph() else { return Vec::new() };
    let given = |names: &[String]| names.iter().filter(|name| !name.is_empty()).count();
    let of_node = |node: &NodeProto| node.attribute.len() + given(&node.input) + given(&node.output);
    let of_values = |of: &dyn Fn(&Held) -> usize| -> usize { parts.values.iter().map(of).sum() };
    let dims = |held: &Held| held.value.dims().map(<[u64]>::to_vec).unwrap_or_default();
    let int = |number: u64| usize::try_from(number).unwrap_or(usize::MAX / 1_000_000);
    let no_rank = graph.output.iter().filter(|output| !has_rank(output.r#type.as_ref())).count();
    vec![
        graph.node.len(),
        parts.case.model.functions.len(),
        graph.node.iter().map(of_node).sum::<usize>() + graph.output.len(),
        of_values(&|held| held.info.as_ref().map_or(0, open)) + no_rank,
        of_values(&|held| usize::from(held.info.is_none())),
        of_values(&|held| usize::from(held.value.ty().element().is_some_and(|ty| ty != DataType::Float))),
        of_values(&|held| dims(held).len()),
        of_values(&|held| int(dims(held).iter().sum())),
        of_values(&|held| held.value.tensor().map_or(0, different)),
        // Numbers in lists that a size went down with.
        graph
            .node
            .iter()
            .flat_map(|node| &node.attribute)
            .flat_map(|of| of.ints.iter().chain(&of.i))
            .map(|int| int.unsigned_abs().min(1 << 20))
            .map(int)
            .sum(),
    ]
}

/// The number of different elements.
fn different(tensor: &Tensor) -> usize {
    match &tensor.data {
        Data::Strings(strings) => strings.iter().collect::<BTreeSet<_>>().len(),
        Data::Bytes(bytes) => match usize::from(tensor.ty.bits().unwrap_or(8)) / 8 {
            0 => bytes.iter().collect::<BTreeSet<_>>().len(),
            width => bytes.chunks(width).collect::<BTreeSet<_>>().len(),
        },
    }
}
