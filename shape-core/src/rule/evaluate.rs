//! Evaluates terms to the dimensions of an output.

use super::arguments::{RuleArguments, entries};
use super::numbers::size;
use super::output::Output;
use super::stop::{Done, Stop};
use super::term::Term;
use crate::code::Code;
use crate::data_type::DataType;
use crate::dimension::{Dimension, Operation, Product, Undecided};
use crate::elements::Scalar;
use crate::facts::{Dims, UnknownCause};
use crate::node::AttributeValue;
use crate::problem::{Detail, Problem};
use crate::signature::Expression;

/// Evaluates the terms to the dimensions of an output.
pub(crate) fn dims<D: Dimension>(
    terms: &[Term],
    arguments: &RuleArguments<'_, '_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let mut rank = 0_usize;
    for term in terms {
        rank = rank.saturating_add(term.len(arguments)?);
    }
    for index in 0..rank {
        if let Err(Missing::Refused(problem)) = dim(terms, arguments, index) {
            return Err(problem.into());
        }
    }
    let dim = |at: usize| dim(terms, arguments, at).map_err(Missing::cause);
    output.dims(Dims::Each(rank, &dim));
    Ok(())
}

/// Why a dimension has no value.
enum Missing {
    Unknown(UnknownCause),
    Refused(Problem<'static>),
}

impl Missing {
    fn cause(self) -> UnknownCause {
        match self {
            Self::Unknown(cause) => cause,
            Self::Refused(_) => UnknownCause::NotGiven,
        }
    }
}

impl From<UnknownCause> for Missing {
    fn from(cause: UnknownCause) -> Self {
        Self::Unknown(cause)
    }
}

/// The dimension of an axis of the output.
fn dim<D: Dimension>(terms: &[Term], arguments: &RuleArguments<'_, '_, D>, axis: usize) -> Result<D, Missing> {
    let mut before = 0_usize;
    for term in terms {
        let count = term.len(arguments).map_err(|_| UnknownCause::NotGiven)?;
        if axis < before + count {
            return term.dim(arguments, axis - before);
        }
        before += count;
    }
    Err(UnknownCause::NotGiven.into())
}

/// The range `from..to` of a list with `len` entries; a negative index counts from the end.
fn range(from: i64, to: Option<i64>, len: usize) -> Option<(usize, usize)> {
    let position = |at: i64| {
        let back = || usize::try_from(at.unsigned_abs()).ok().and_then(|back| len.checked_sub(back));
        if at < 0 { back() } else { usize::try_from(at).ok().filter(|at| *at <= len) }
    };
    let (from, to) = (position(from)?, to.map_or(Some(len), position)?);
    (from <= to).then_some((from, to))
}

fn too_few(found: usize) -> Problem<'static> {
    Problem::rank("the input has too few dimensions", Detail::Text("more dimensions"), found)
}

impl Term {
    /// The number of its dimensions.
    fn len<D: Dimension>(&self, arguments: &RuleArguments<'_, '_, D>) -> Result<usize, Stop<'static>> {
        let (from, to, len) = match *self {
            Self::Dim(_) | Self::Data => return Ok(1),
            Self::Axes { input, from, to } => (from, to, arguments.inputs().required(input).dims()?.len()),
            Self::Entries { attribute, from, to } => (from, to, ints(arguments, attribute)?.len()),
        };
        let (from, to) = range(from, to, len).ok_or_else(|| too_few(len))?;
        Ok(to - from)
    }

    /// One of its dimensions.
    fn dim<D: Dimension>(&self, arguments: &RuleArguments<'_, '_, D>, index: usize) -> Result<D, Missing> {
        let position = |from, to, len| range(from, to, len).and_then(|(from, _)| from.checked_add(index));
        match *self {
            Self::Data => Err(UnknownCause::Data.into()),
            Self::Axes { input, from, to } => {
                let input = arguments.inputs().required(input);
                let axis = position(from, to, input.dims()?.len()).ok_or(UnknownCause::Dims(input.index))?;
                Ok(input.dim(axis)?)
            }
            Self::Entries { attribute, from, to } => {
                let ints = ints(arguments, attribute)?;
                let number = position(from, to, ints.len()).and_then(|entry| ints.get(entry)).copied();
                not_negative(Scalar::Int(number.ok_or(UnknownCause::NotGiven)?))
            }
            Self::Dim(expression) => not_negative(expression.value(arguments)?),
        }
    }
}

/// The value of an amount at a node.
///
/// # Errors
/// Why it is not known.
pub(crate) fn amount<D: Dimension>(
    number: &Expression,
    arguments: &RuleArguments<'_, '_, D>,
) -> Result<D, UnknownCause> {
    number.value(arguments).and_then(not_negative).map_err(Missing::cause)
}

/// A number as a dimension.
///
/// # Errors
/// It is negative.
fn not_negative<D: Dimension>(number: Scalar<D>) -> Result<D, Missing> {
    if let Scalar::Int(number @ ..0) = number {
        return Err(Missing::Refused(Problem::Refused {
            code: Code::DimsNegative,
            message: "a dimension of the output would be negative",
            expected: Detail::Text("0 or greater"),
            found: Detail::Int(number),
        }));
    }
    size(number).ok_or(Missing::Unknown(UnknownCause::TooLarge))
}

fn ints<'n, D: Dimension>(arguments: &RuleArguments<'n, '_, D>, attribute: usize) -> Result<&'n [i64], UnknownCause> {
    match arguments.attribute(attribute) {
        Some(AttributeValue::Ints(ints)) => Ok(ints),
        _ => Err(UnknownCause::NotGiven),
    }
}

/// The number of entries of a list, or of elements of a tensor.
pub(crate) fn length(value: AttributeValue<'_>) -> Option<u64> {
    match value {
        AttributeValue::Tensor(tensor) => {
            (0..tensor.rank()).try_fold(1_u64, |length, axis| length.checked_mul(tensor.dim(axis)?))
        }
        value => entries(value),
    }
}

/// The element type of what is in an attribute.
fn element_type(value: AttributeValue<'_>) -> Option<DataType> {
    match value {
        AttributeValue::Tensor(tensor) => tensor.data_type(),
        AttributeValue::Ints(_) => Some(DataType::Int64),
        AttributeValue::Floats(_) => Some(DataType::Float),
        AttributeValue::Strings(_) => Some(DataType::String),
        _ => None,
    }
}

fn type_number<D: Dimension>(ty: Option<DataType>) -> Result<Scalar<D>, UnknownCause> {
    ty.map(|ty| Scalar::Int(ty.number().into())).ok_or(UnknownCause::NotGiven)
}

/// The result of an operation.
///
/// # Errors
/// It is a number past int64.
fn combined<D: Dimension>(operation: Operation, left: &Scalar<D>, right: &Scalar<D>) -> Result<Scalar<D>, Missing> {
    let numbers = matches!((left, right), (Scalar::Int(_), Scalar::Int(_)));
    match left.compute(operation, right) {
        Scalar::Unknown(reason) if numbers && reason == D::reason(Undecided::Overflow) => {
            Err(UnknownCause::PastLargest.into())
        }
        result => Ok(result),
    }
}

impl Expression {
    /// Its value at a node, if that is a number or an expression over symbols.
    pub(super) fn known<D: Dimension>(&self, arguments: &RuleArguments<'_, '_, D>) -> Option<Scalar<D>> {
        self.value(arguments).ok().filter(Scalar::is_known)
    }

    /// Its value at a node.
    fn value<D: Dimension>(&self, arguments: &RuleArguments<'_, '_, D>) -> Result<Scalar<D>, Missing> {
        let input = |index: usize| arguments.inputs().required(index);
        Ok(match *self {
            Self::Int(number) => Scalar::Int(number),
            Self::Attribute(index) => match arguments.attribute(index) {
                Some(AttributeValue::Int(number)) => Scalar::Int(number),
                Some(AttributeValue::Float(number)) => Scalar::Float(number.into()),
                _ => return Err(UnknownCause::NotGiven.into()),
            },
            Self::Entry(attribute, index) => {
                let ints = ints(arguments, attribute)?;
                let index = range(index, None, ints.len()).map(|(index, _)| index);
                let number = index.and_then(|index| ints.get(index)).copied();
                Scalar::Int(number.ok_or(UnknownCause::NotGiven)?)
            }
            Self::Length(lists) => {
                let given = lists.iter().find_map(|index| arguments.attribute(*index));
                let length = given.and_then(length).and_then(|length| i64::try_from(length).ok());
                Scalar::Int(length.ok_or(UnknownCause::Data)?)
            }
            Self::Element(index) => {
                let input = input(index);
                input.elements()?.get(0).ok_or(UnknownCause::Elements(index))?
            }
            Self::Axis(index, axis) => {
                let dims = input(index).dims()?;
                let axis = range(axis, None, dims.len()).and_then(|(axis, _)| dims.get(axis));
                Scalar::size(axis.cloned().ok_or_else(|| Missing::Refused(too_few(dims.len())))?)
            }
            Self::Rank(index) => Scalar::Int(i64::try_from(input(index).dims()?.len()).unwrap_or(i64::MAX)),
            Self::Size(index) => Scalar::size(Product::of(input(index).dims()?).ok_or(UnknownCause::PastLargest)?),
            Self::AxisAt(index, axis) => {
                let Some(AttributeValue::Int(axis)) = arguments.attribute(axis) else {
                    return Err(UnknownCause::NotGiven.into());
                };
                Self::Axis(index, axis).value(arguments)?
            }
            Self::FoldEntries(operation, attribute) => {
                let mut entries = ints(arguments, attribute)?.iter().map(|entry| Scalar::Int(*entry));
                let first = entries.next().ok_or(UnknownCause::NotGiven)?;
                entries.try_fold(first, |sum, entry| combined(operation, &sum, &entry))?
            }
            Self::FoldElements(operation, index) => {
                let elements = input(index).elements()?;
                let mut elements = (0..elements.len()).filter_map(|at| elements.get(at));
                let first = elements.next().ok_or(UnknownCause::NotGiven)?;
                elements.try_fold(first, |sum, element| combined(operation, &sum, &element))?
            }
            Self::Type(index) => type_number(input(index).element_type())?,
            Self::AttributeType(index) => type_number(arguments.attribute(index).and_then(element_type))?,
            Self::ElementType(ty) => type_number(Some(ty))?,
            Self::Operation(operation, left, right) => {
                combined(operation, &left.value(arguments)?, &right.value(arguments)?)?
            }
        })
    }
}
