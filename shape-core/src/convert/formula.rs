//! Computes the formulas of adapters at a node.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::agree::agree;
use super::constant::{Constant, Numbers};
use super::draft::{Draft, same};
use super::node::{Input, Output, Value};
use crate::adapter::{Action, Formula, Function};
use crate::data_type::DataType;
use crate::node::{AttributeKind, AttributeValue};
use crate::rule::evaluate::length;
use crate::schema::Schema;
use crate::symbolic::Dim;

/// The value of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Computed<'a> {
    Bool(bool),
    Text(&'a [u8]),
    /// One number, or a list of them.
    Numbers {
        numbers: Numbers,
        is_scalar: bool,
    },
}

impl<'a> Computed<'a> {
    fn int(number: i64) -> Self {
        Self::Numbers { numbers: Numbers::Ints(vec![number]), is_scalar: true }
    }

    fn ints(numbers: Vec<i64>) -> Self {
        Self::Numbers { numbers: Numbers::Ints(numbers), is_scalar: false }
    }

    fn count(count: usize) -> Option<Self> {
        i64::try_from(count).ok().map(Self::int)
    }

    fn of_constant(constant: &Constant) -> Self {
        Self::Numbers { numbers: constant.numbers.clone(), is_scalar: constant.is_scalar }
    }

    /// The value of an attribute; `None` if it is of a kind that formulas do not know.
    pub(super) fn of_value(value: AttributeValue<'a>) -> Option<Self> {
        Some(match value {
            AttributeValue::Int(number) => Self::int(number),
            AttributeValue::Ints(numbers) => Self::ints(numbers.to_vec()),
            AttributeValue::Float(number) => {
                Self::Numbers { numbers: Numbers::Floats(vec![number.into()]), is_scalar: true }
            }
            AttributeValue::Floats(numbers) => {
                let numbers = numbers.iter().map(|number| f64::from(*number)).collect();
                Self::Numbers { numbers: Numbers::Floats(numbers), is_scalar: false }
            }
            AttributeValue::String(text) => Self::Text(text),
            _ => return None,
        })
    }

    /// As the value of an attribute; `None` if the kind cannot hold it exactly.
    pub(super) fn value(&self, kind: AttributeKind) -> Option<Value<'a>> {
        let (numbers, is_scalar) = match self {
            Self::Bool(_) => return None,
            Self::Text(text) => {
                return (kind == AttributeKind::String).then_some(Value::Given(AttributeValue::String(text)));
            }
            Self::Numbers { numbers, is_scalar } => (numbers, *is_scalar),
        };
        let one = numbers.len() == 1;
        let ints = || match numbers.exactly(DataType::Int64) {
            Some(Numbers::Ints(numbers)) => Some(numbers),
            _ => None,
        };
        let floats = || match numbers.exactly(DataType::Float) {
            Some(Numbers::Floats(numbers)) => Some(numbers.iter().map(|number| *number as f32).collect::<Vec<f32>>()),
            _ => None,
        };
        match kind {
            AttributeKind::Int if one => ints()?.first().map(|number| Value::Given(AttributeValue::Int(*number))),
            AttributeKind::Float if one => floats()?.first().map(|number| Value::Given(AttributeValue::Float(*number))),
            AttributeKind::Ints => ints().map(Value::Ints),
            AttributeKind::Floats => floats().map(Value::Floats),
            AttributeKind::Tensor => {
                let element = match numbers {
                    Numbers::Ints(_) => DataType::Int64,
                    Numbers::Floats(_) => DataType::Float,
                };
                Constant::of(element, is_scalar, numbers).map(Value::Tensor)
            }
            _ => None,
        }
    }

    fn one(&self) -> Option<Number> {
        match self {
            Self::Numbers { numbers: Numbers::Ints(numbers), .. } => match numbers.as_slice() {
                [number] => Some(Number::Int(*number)),
                _ => None,
            },
            Self::Numbers { numbers: Numbers::Floats(numbers), .. } => match numbers.as_slice() {
                [number] => Some(Number::Float(*number)),
                _ => None,
            },
            _ => None,
        }
    }

    fn as_int(&self) -> Option<i64> {
        if let Number::Int(number) = self.one()? { Some(number) } else { None }
    }

    fn as_ints(&self) -> Option<&[i64]> {
        if let Self::Numbers { numbers: Numbers::Ints(numbers), .. } = self { Some(numbers) } else { None }
    }
}

#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    fn as_float(self) -> f64 {
        match self {
            Self::Int(number) => number as f64,
            Self::Float(number) => number,
        }
    }

    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => Some(left.cmp(&right)),
            (left, right) => left.as_float().partial_cmp(&right.as_float()),
        }
    }
}

/// The longest list that a formula may make.
const LONGEST: i64 = 1 << 16;

/// A node in its version before a step.
pub(super) struct Before<'d, 'a> {
    pub(super) draft: &'d Draft<'a>,
    pub(super) schema: &'static Schema,
    /// The version after the step; `None` if there is none.
    pub(super) other: Option<&'static Schema>,
}

impl<'a> Before<'_, 'a> {
    /// Whether an action is done.
    pub(super) fn does(&self, action: &Action) -> bool {
        let holds = |condition: &Formula| self.truth(condition) == Some(true);
        action.when.as_ref().is_none_or(holds) && !action.unless.as_ref().is_some_and(holds)
    }

    fn truth(&self, condition: &Formula) -> Option<bool> {
        if let Computed::Bool(holds) = self.compute(condition)? { Some(holds) } else { None }
    }

    /// The value of a formula; `None` if it has none, or it is not known.
    pub(super) fn compute(&self, formula: &Formula) -> Option<Computed<'a>> {
        match *formula {
            Formula::Int(number) => Some(Computed::int(number)),
            Formula::Float(number) => Computed::of_value(AttributeValue::Float(number)),
            Formula::Text(text) => Some(Computed::Text(text)),
            Formula::ElementType(ty) => Some(Computed::int(ty.number().into())),
            Formula::Name(name) => self.named(name),
            Formula::List(formulas) => self.list(formulas),
            Formula::Operation(operation, left, right) => {
                let (left, right) = (self.compute(left)?.as_int()?, self.compute(right)?.as_int()?);
                operation.on_numbers(left, right).ok().map(Computed::int)
            }
            Formula::Compare(left, comparison, right) => {
                let order = order(&self.compute(left)?, &self.compute(right)?)?;
                Some(Computed::Bool(comparison.holds(order)))
            }
            Formula::Call(function, arguments) => self.call(function, arguments),
        }
    }

    fn named(&self, name: &str) -> Option<Computed<'a>> {
        if let Some(input) = self.draft.input(name) {
            return input.constant().map(Computed::of_constant);
        }
        match self.draft.attribute(name).map(|attribute| &attribute.value) {
            Some(Value::Given(value)) => Computed::of_value(*value),
            Some(Value::Ints(numbers)) => Some(Computed::ints(numbers.clone())),
            Some(Value::Floats(numbers)) => {
                let numbers = numbers.iter().map(|number| f64::from(*number)).collect();
                Some(Computed::Numbers { numbers: Numbers::Floats(numbers), is_scalar: false })
            }
            Some(Value::Tensor(_)) => None,
            None => Computed::of_value(self.schema.attribute(name)?.default?),
        }
    }

    /// A list of floats if one of the entries is a float.
    fn list(&self, formulas: &[Formula]) -> Option<Computed<'a>> {
        let numbers: Vec<Number> =
            formulas.iter().map(|formula| self.compute(formula)?.one()).collect::<Option<_>>()?;
        let int = |number: &Number| if let Number::Int(number) = number { Some(*number) } else { None };
        let numbers = match numbers.iter().map(int).collect::<Option<Vec<i64>>>() {
            Some(ints) => Numbers::Ints(ints),
            None => Numbers::Floats(numbers.iter().map(|number| number.as_float()).collect()),
        };
        Some(Computed::Numbers { numbers, is_scalar: false })
    }

    fn dims(&self, name: &str) -> Option<&'a [Dim]> {
        self.draft.input(name).map_or_else(|| self.draft.output(name)?.dims, Input::dims)
    }

    /// Whether all values of these inputs and outputs have the same dimensions.
    fn all_same(&self, names: &[&str]) -> Option<bool> {
        let inputs = self.draft.inputs.iter().filter(|(name, _)| names.contains(name)).map(|(_, input)| input.dims());
        let outputs = self.draft.outputs.iter().filter(|(name, _)| names.contains(name));
        let mut dims = inputs.chain(outputs.map(|(_, output)| output.known().dims));
        let first = dims.next()??;
        let mut all = Some(true);
        for dims in dims {
            match dims.and_then(|dims| same(first, dims)) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// An attribute with a default is given if it has another value.
    fn is_given(&self, name: &str) -> Option<bool> {
        match self.attribute(name) {
            // The value that the caller of a function passes is not known here.
            Some(AttributeValue::Other(_)) => None,
            Some(value) => Some(Some(value) != self.schema.attribute(name).and_then(|attribute| attribute.default)),
            None => Some(self.draft.input(name).is_some() || self.draft.output(name).is_some()),
        }
    }

    /// The number of elements of an input or output.
    fn size(&self, name: &str) -> Option<i64> {
        if let Some(constant) = self.draft.input(name).and_then(Input::constant) {
            return i64::try_from(constant.numbers.len()).ok();
        }
        let mut dims = self.dims(name)?.iter();
        dims.try_fold(1_i64, |product, dim| product.checked_mul(known(dim)?))
    }

    /// An entry of a list, or the size of an axis.
    fn entry(&self, name: &str, at: i64) -> Option<i64> {
        if let Some(AttributeValue::Ints(list)) = self.attribute(name) {
            return list.get(index(at, list.len())?).copied();
        }
        let dims = self.dims(name)?;
        known(dims.get(index(at, dims.len())?)?)
    }

    fn attribute(&self, name: &str) -> Option<AttributeValue<'_>> {
        let given = self.draft.attribute(name).map(|attribute| attribute.value.view());
        given.or_else(|| self.schema.attribute(name)?.default)
    }

    fn call(&self, function: Function, arguments: &[Formula]) -> Option<Computed<'a>> {
        let name = |at: usize| arguments.get(at).and_then(name);
        let computed = |at: usize| self.compute(arguments.get(at)?);
        let int = |at: usize| computed(at)?.as_int();
        match function {
            Function::Rank => Computed::count(self.draft.rank(name(0)?)?),
            Function::Size => self.size(name(0)?).map(Computed::int),
            Function::Entry => self.entry(name(0)?, int(1)?).map(Computed::int),
            Function::Len => {
                let list = arguments.iter().filter_map(self::name).find_map(|name| self.attribute(name))?;
                i64::try_from(length(list)?).ok().map(Computed::int)
            }
            Function::Min | Function::Max => extreme(&computed(0)?, function == Function::Max),
            Function::Type => {
                let ty = self.draft.input(name(0)?).map_or_else(|| self.draft.output(name(0)?)?.ty, Input::ty)?;
                ty.element().map(|ty| Computed::int(ty.number().into()))
            }
            Function::Range => range(int(0)?, int(1)?).map(Computed::ints),
            Function::Swap => {
                let mut numbers = range(0, int(0)?)?;
                let (left, right) = (index(int(1)?, numbers.len())?, index(int(2)?, numbers.len())?);
                numbers.swap(left, right);
                Some(Computed::ints(numbers))
            }
            Function::Parts => parts(int(0)?, int(1)?).map(Computed::ints),
            Function::Spread => spread(computed(0)?.as_ints()?, computed(1)?.as_ints()?, int(2)?).map(Computed::ints),
            Function::Fill => {
                let (count, value) = (range(0, int(0)?)?.len(), computed(1)?.one()?);
                let numbers = match value {
                    Number::Int(number) => Numbers::Ints(vec![number; count]),
                    Number::Float(number) => Numbers::Floats(vec![number; count]),
                };
                Some(Computed::Numbers { numbers, is_scalar: false })
            }
            Function::Given => self.is_given(name(0)?).map(Computed::Bool),
            Function::Constant => {
                Some(Computed::Bool(self.draft.input(name(0)?).is_some_and(|of| of.constant().is_some())))
            }
            Function::Same => self.all_same(&[name(0)?, name(1)?]).map(Computed::Bool),
            Function::Suffix => {
                let (short, long) = (self.dims(name(0)?)?, self.dims(name(1)?)?);
                match long.len().checked_sub(short.len()).and_then(|from| long.get(from..)) {
                    Some(last) => same(short, last).map(Computed::Bool),
                    None => Some(Computed::Bool(false)),
                }
            }
            Function::Inputs => {
                let given = self.draft.inputs.iter().filter(|(_, input)| *input != Input::Absent);
                Computed::count(given.count())
            }
            Function::Outputs => {
                let given = self.draft.outputs.iter().filter(|(_, output)| *output != Output::Absent);
                Computed::count(given.count())
            }
            Function::Agree => agree(self.draft, self.schema, self.other?).map(Computed::Bool),
            Function::And => self.any(arguments, false).map(|one_fails| Computed::Bool(!one_fails)),
            Function::Or => self.any(arguments, true).map(Computed::Bool),
            Function::Not => self.truth(arguments.first()?).map(|holds| Computed::Bool(!holds)),
        }
    }

    /// Whether one of these conditions has this truth value; `None` if that is not known.
    fn any(&self, conditions: &[Formula], wanted: bool) -> Option<bool> {
        let mut any = Some(false);
        for condition in conditions {
            match self.truth(condition) {
                Some(holds) if holds == wanted => return Some(true),
                Some(_) => {}
                None => any = None,
            }
        }
        any
    }
}

/// The name that a formula is.
fn name(formula: &Formula) -> Option<&'static str> {
    if let Formula::Name(name) = formula { Some(name) } else { None }
}

/// The size of an axis, if it is a number.
fn known(dim: &Dim) -> Option<i64> {
    if let Dim::Known(size) = dim { i64::try_from(*size).ok() } else { None }
}

/// An index that may count from the end.
pub(super) fn index(at: i64, len: usize) -> Option<usize> {
    let len = i64::try_from(len).ok()?;
    let at = if at < 0 { at.checked_add(len)? } else { at };
    usize::try_from(at).ok().filter(|_| at < len)
}

fn range(from: i64, to: i64) -> Option<Vec<i64>> {
    (to.checked_sub(from)? <= LONGEST).then(|| (from..to).collect())
}

fn parts(size: i64, count: i64) -> Option<Vec<i64>> {
    let part = size.checked_add(count.checked_sub(1)?)?.checked_div(count)?;
    let last = size.checked_sub(part.checked_mul(count.checked_sub(1)?)?)?;
    let mut parts = vec![part; range(0, count)?.len()];
    *parts.last_mut()? = last;
    (last >= 0).then_some(parts)
}

fn spread(counts: &[i64], axes: &[i64], rank: i64) -> Option<Vec<i64>> {
    let rank = range(0, rank)?.len();
    let (begins, ends) = counts.split_at_checked(axes.len()).filter(|(_, ends)| ends.len() == axes.len())?;
    let mut all = vec![0; rank.checked_mul(2)?];
    for (axis, (begin, end)) in axes.iter().zip(begins.iter().zip(ends)) {
        let axis = index(*axis, rank)?;
        *all.get_mut(axis)? = *begin;
        *all.get_mut(axis.checked_add(rank)?)? = *end;
    }
    Some(all)
}

fn extreme<'a>(list: &Computed<'a>, largest: bool) -> Option<Computed<'a>> {
    match list {
        Computed::Numbers { numbers: Numbers::Ints(numbers), .. } => {
            if largest { numbers.iter().max() } else { numbers.iter().min() }.copied().map(Computed::int)
        }
        Computed::Numbers { numbers: Numbers::Floats(numbers), .. } => {
            let better = |left: f64, right: f64| if largest { left.max(right) } else { left.min(right) };
            let number = numbers.iter().copied().reduce(better)?;
            Some(Computed::Numbers { numbers: Numbers::Floats(vec![number]), is_scalar: true })
        }
        _ => None,
    }
}

/// The order of two numbers, or of two texts.
fn order(left: &Computed<'_>, right: &Computed<'_>) -> Option<Ordering> {
    match (left, right) {
        (Computed::Text(left), Computed::Text(right)) => Some(left.cmp(right)),
        _ => left.one()?.compare(right.one()?),
    }
}
