//! Computes the formulas of adapters at a node.

use alloc::vec;
use alloc::vec::Vec;

use super::agree::agree;
use super::constant::{Constant, Numbers};
use super::draft::{Draft, same};
use super::node::{Input, Output, Value};
use crate::adapter::{Formula, Function};
use crate::data_type::DataType;
use crate::node::{AttributeKind, AttributeValue};
use crate::schema::Schema;
use crate::symbolic::Dim;

/// What a formula is.
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

    fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(holds) = self { Some(*holds) } else { None }
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

    fn compare(self, other: Self) -> Option<core::cmp::Ordering> {
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
    /// Whether a condition is known to hold.
    pub(super) fn holds(&self, condition: Option<&Formula>) -> bool {
        condition.is_none_or(|condition| self.compute(condition).and_then(|computed| computed.as_bool()) == Some(true))
    }

    /// What a formula is; `None` if it is not known, or nothing.
    pub(super) fn compute(&self, formula: &Formula) -> Option<Computed<'a>> {
        match *formula {
            Formula::Int(number) => Some(Computed::int(number)),
            Formula::Float(number) => Computed::of_value(AttributeValue::Float(number)),
            Formula::Text(text) => Some(Computed::Text(text)),
            Formula::Name(name) => self.named(name),
            Formula::List(formulas) => self.list(formulas),
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

    fn is_given(&self, name: &str) -> bool {
        let draft = self.draft;
        draft.attribute(name).is_some() || draft.input(name).is_some() || draft.output(name).is_some()
    }

    fn len(&self, name: &str) -> Option<Computed<'a>> {
        let inputs = self.draft.inputs.iter().filter(|(formal, input)| *formal == name && *input != Input::Absent);
        let outputs = self.draft.outputs.iter().filter(|(formal, output)| *formal == name && *output != Output::Absent);
        let is_variadic = |formal: &crate::schema::FormalParameter| formal.name == name && formal.is_variadic();
        if self.schema.inputs.iter().chain(self.schema.outputs).any(is_variadic) {
            return Computed::count(inputs.count() + outputs.count());
        }
        if let Some(Computed::Numbers { numbers, .. }) = self.named(name) {
            return Computed::count(numbers.len());
        }
        let known = |dim: &Dim| if let Dim::Known(size) = dim { i64::try_from(*size).ok() } else { None };
        let sizes: Vec<i64> = self.dims(name)?.iter().map(known).collect::<Option<_>>()?;
        sizes.iter().try_fold(1_i64, |product, size| product.checked_mul(*size)).map(Computed::int)
    }

    fn call(&self, function: Function, arguments: &[Formula]) -> Option<Computed<'a>> {
        let name = |at: usize| match arguments.get(at) {
            Some(Formula::Name(name)) => Some(*name),
            _ => None,
        };
        let computed = |at: usize| self.compute(arguments.get(at)?);
        let int = |at: usize| computed(at)?.as_int();
        let truth = |at: usize| computed(at).and_then(|computed| computed.as_bool());
        match function {
            Function::Add => int(0)?.checked_add(int(1)?).map(Computed::int),
            Function::Sub => int(0)?.checked_sub(int(1)?).map(Computed::int),
            Function::Mul => int(0)?.checked_mul(int(1)?).map(Computed::int),
            Function::FloorDiv => floor(int(0)?, int(1)?).map(|(quotient, _)| Computed::int(quotient)),
            Function::Mod => floor(int(0)?, int(1)?).map(|(_, remainder)| Computed::int(remainder)),
            Function::Rank => Computed::count(self.draft.rank(name(0)?)?),
            Function::Dim => {
                let dims = self.dims(name(0)?)?;
                let axis = index(int(1)?, dims.len())?;
                if let Dim::Known(size) = dims.get(axis)? { i64::try_from(*size).ok().map(Computed::int) } else { None }
            }
            Function::Len => self.len(name(0)?),
            Function::Min | Function::Max => extreme(&computed(0)?, function == Function::Max),
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
            Function::Given => Some(Computed::Bool(self.is_given(name(0)?))),
            Function::Constant => {
                Some(Computed::Bool(self.draft.input(name(0)?).is_some_and(|of| of.constant().is_some())))
            }
            Function::Type => {
                let (name, Some(Formula::Text(element))) = (name(0)?, arguments.get(1)) else { return None };
                let ty = self.draft.input(name).map_or_else(|| self.draft.output(name)?.ty, Input::ty)?;
                Some(Computed::Bool(ty.element().is_some_and(|ty| ty.name().as_bytes() == *element)))
            }
            Function::Same => self.all_same(&[name(0)?, name(1)?]).map(Computed::Bool),
            Function::Suffix => {
                let (short, long) = (self.dims(name(0)?)?, self.dims(name(1)?)?);
                match long.len().checked_sub(short.len()).and_then(|from| long.get(from..)) {
                    Some(last) => same(short, last).map(Computed::Bool),
                    None => Some(Computed::Bool(false)),
                }
            }
            Function::Outputs => {
                let given = self.draft.outputs.iter().filter(|(_, output)| *output != Output::Absent);
                Computed::count(given.count())
            }
            Function::Agree => agree(self.draft, self.schema, self.other?).map(Computed::Bool),
            Function::Equal => equal(&computed(0)?, &computed(1)?).map(Computed::Bool),
            Function::NotEqual => equal(&computed(0)?, &computed(1)?).map(|equal| Computed::Bool(!equal)),
            Function::Less => Some(Computed::Bool(computed(0)?.one()?.compare(computed(1)?.one()?)?.is_lt())),
            Function::LessOrEqual => Some(Computed::Bool(computed(0)?.one()?.compare(computed(1)?.one()?)?.is_le())),
            Function::Greater => Some(Computed::Bool(computed(0)?.one()?.compare(computed(1)?.one()?)?.is_gt())),
            Function::GreaterOrEqual => Some(Computed::Bool(computed(0)?.one()?.compare(computed(1)?.one()?)?.is_ge())),
            Function::And => match (truth(0), truth(1)) {
                (Some(false), _) | (_, Some(false)) => Some(Computed::Bool(false)),
                (left, right) => Some(Computed::Bool(left? && right?)),
            },
            Function::Or => match (truth(0), truth(1)) {
                (Some(true), _) | (_, Some(true)) => Some(Computed::Bool(true)),
                (left, right) => Some(Computed::Bool(left? || right?)),
            },
            Function::Not => truth(0).map(|holds| Computed::Bool(!holds)),
            Function::Maybe => Some(Computed::Bool(truth(0) != Some(false))),
        }
    }
}

/// The quotient rounded down, and the remainder.
fn floor(left: i64, right: i64) -> Option<(i64, i64)> {
    let (quotient, remainder) = (left.checked_div(right)?, left.checked_rem(right)?);
    let down = remainder != 0 && (remainder < 0) != (right < 0);
    Some(if down { (quotient.checked_sub(1)?, remainder.checked_add(right)?) } else { (quotient, remainder) })
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

fn equal(left: &Computed<'_>, right: &Computed<'_>) -> Option<bool> {
    match (left.one(), right.one()) {
        (Some(left), Some(right)) => Some(left.compare(right)?.is_eq()),
        _ => Some(left == right),
    }
}
