//! Dimensions that a descriptor lists one by one, without a rule in Rust: `[X[0], 2*X[1], ...X[2:]]`.

use core::fmt;

use super::arguments::{entries, size};
use super::refuse::rank_not;
use super::{Done, Output, RuleArguments};
use crate::check::{Detail, Problem};
use crate::code::Code;
use crate::dims::{Dimension, Dims, Product, UnknownCause};
use crate::elements::Scalar;
use crate::elements::arithmetic::Operation;
use crate::node::AttributeValue;
use crate::schema::Schema;

/// One dimension, or several.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// One dimension.
    Dim(Expression),
    /// Those of an input from one axis up to another, either from the end where it is negative; `None` for all.
    Axes {
        /// The place of the input.
        input: usize,
        /// The first axis.
        from: i64,
        /// The axis behind the last one.
        to: Option<i64>,
    },
    /// The entries of an INTS attribute from one up to another, likewise.
    Entries {
        /// The place of the attribute.
        attribute: usize,
        /// The first entry.
        from: i64,
        /// The entry behind the last one.
        to: Option<i64>,
    },
    /// One dimension that the elements of an input decide when the model runs.
    Data,
}

/// A whole number that follows from a node.
#[derive(Clone, Copy, Debug)]
pub enum Expression {
    /// A number.
    Int(i64),
    /// The INT attribute at this place.
    Attribute(usize),
    /// An entry of the INTS attribute at this place, from the end where it is negative.
    Entry(usize, i64),
    /// How many entries the first of these list attributes has that the node gives.
    Length(&'static [usize]),
    /// The one element of the input at this place.
    Element(usize),
    /// The size of an axis of the input at this place, from the end where it is negative.
    Axis(usize, i64),
    /// The number of axes of the input at this place.
    Rank(usize),
    /// The number of elements of the input at this place.
    Size(usize),
    /// Two of them put together.
    Operation(Operation, &'static Expression, &'static Expression),
}

/// The terms as a descriptor of the version has them.
#[must_use]
pub fn display(terms: &'static [Term], schema: &'static Schema) -> impl fmt::Display {
    Display { terms, schema }
}

struct Display {
    terms: &'static [Term],
    schema: &'static Schema,
}

impl Display {
    fn input(&self, place: usize) -> &'static str {
        self.schema.inputs.get(place).map_or("?", |input| input.name)
    }

    fn attribute(&self, place: usize) -> &'static str {
        self.schema.attributes.get(place).map_or("?", |attribute| attribute.name)
    }

    fn stretch(&self, formatter: &mut fmt::Formatter<'_>, of: &str, from: i64, to: Option<i64>) -> fmt::Result {
        match (from, to) {
            (0, None) => write!(formatter, "...{of}"),
            (0, Some(to)) => write!(formatter, "...{of}[:{to}]"),
            (from, None) => write!(formatter, "...{of}[{from}:]"),
            (from, Some(to)) => write!(formatter, "...{of}[{from}:{to}]"),
        }
    }

    /// An expression, in parentheses where it is a sum and stands beside a sign that binds closer.
    fn expression(&self, formatter: &mut fmt::Formatter<'_>, of: &Expression, closer: bool) -> fmt::Result {
        match of {
            Expression::Int(number) => write!(formatter, "{number}"),
            Expression::Attribute(place) => formatter.write_str(self.attribute(*place)),
            Expression::Entry(place, index) => write!(formatter, "{}[{index}]", self.attribute(*place)),
            Expression::Length(lists) => {
                formatter.write_str("len(")?;
                for (index, place) in lists.iter().enumerate() {
                    write!(formatter, "{}{}", if index == 0 { "" } else { ", " }, self.attribute(*place))?;
                }
                formatter.write_str(")")
            }
            Expression::Element(place) => formatter.write_str(self.input(*place)),
            Expression::Axis(place, index) => write!(formatter, "{}[{index}]", self.input(*place)),
            Expression::Rank(place) => write!(formatter, "rank({})", self.input(*place)),
            Expression::Size(place) => write!(formatter, "size({})", self.input(*place)),
            Expression::Operation(operation, left, right) => {
                let (sign, binds) = match operation {
                    Operation::Add => (" + ", false),
                    Operation::Sub => (" - ", false),
                    Operation::Mul => ("*", true),
                    Operation::FloorDiv => ("//", true),
                    Operation::Mod => (" % ", true),
                    Operation::Min | Operation::Max => {
                        formatter.write_str(if *operation == Operation::Min { "min(" } else { "max(" })?;
                        self.expression(formatter, left, false)?;
                        formatter.write_str(", ")?;
                        self.expression(formatter, right, false)?;
                        return formatter.write_str(")");
                    }
                };
                formatter.write_str(if closer { "(" } else { "" })?;
                self.expression(formatter, left, binds && is_sum(left))?;
                formatter.write_str(sign)?;
                self.expression(formatter, right, matches!(right, Expression::Operation(..)))?;
                formatter.write_str(if closer { ")" } else { "" })
            }
        }
    }
}

const fn is_sum(of: &Expression) -> bool {
    matches!(of, Expression::Operation(Operation::Add | Operation::Sub, ..))
}

impl fmt::Display for Display {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[")?;
        for (index, term) in self.terms.iter().enumerate() {
            formatter.write_str(if index == 0 { "" } else { ", " })?;
            match *term {
                Term::Data => formatter.write_str("?")?,
                Term::Dim(expression) => self.expression(formatter, &expression, false)?,
                Term::Axes { input, from, to } => self.stretch(formatter, self.input(input), from, to)?,
                Term::Entries { attribute, from, to } => {
                    self.stretch(formatter, self.attribute(attribute), from, to)?;
                }
            }
        }
        formatter.write_str("]")
    }
}

/// The terms as the dimensions of an output.
pub(super) fn dims<D: Dimension>(
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

/// Why a dimension is not there.
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

/// The places from one up to another, among so many, either from the end where it is negative.
fn stretch(from: i64, to: Option<i64>, len: usize) -> Option<(usize, usize)> {
    let place = |at: i64| {
        let back = || usize::try_from(at.unsigned_abs()).ok().and_then(|back| len.checked_sub(back));
        if at < 0 { back() } else { usize::try_from(at).ok().filter(|at| *at <= len) }
    };
    let (from, to) = (place(from)?, to.map_or(Some(len), place)?);
    (from <= to).then_some((from, to))
}

fn too_few(found: usize) -> Problem<'static> {
    rank_not("the input has too few dimensions", Detail::Text("more dimensions"), found)
}

impl Term {
    /// The places of the inputs that it reads, as many as it has room for; an expression reads few.
    pub(super) fn inputs(&self) -> [Option<usize>; 8] {
        let (mut inputs, mut count) = ([None; 8], 0);
        let mut put = |index: usize| {
            if let Some(place) = inputs.get_mut(count) {
                (*place, count) = (Some(index), count + 1);
            }
        };
        match self {
            Self::Dim(expression) => expression.inputs(&mut put),
            Self::Axes { input, .. } => put(*input),
            Self::Entries { .. } | Self::Data => {}
        }
        inputs
    }

    /// How many dimensions it is.
    fn len<D: Dimension>(&self, arguments: &RuleArguments<'_, '_, D>) -> Result<usize, super::Stop<'static>> {
        let (from, to, len) = match *self {
            Self::Dim(_) | Self::Data => return Ok(1),
            Self::Axes { input, from, to } => (from, to, arguments.inputs().required(input).dims()?.len()),
            Self::Entries { attribute, from, to } => (from, to, ints(arguments, attribute)?.len()),
        };
        let (from, to) = stretch(from, to, len).ok_or_else(|| too_few(len))?;
        Ok(to - from)
    }

    /// One of its dimensions.
    fn dim<D: Dimension>(&self, arguments: &RuleArguments<'_, '_, D>, index: usize) -> Result<D, Missing> {
        let place = |from, to, len| stretch(from, to, len).map_or(usize::MAX, |(from, _)| from.saturating_add(index));
        match *self {
            Self::Data => Err(UnknownCause::Data.into()),
            Self::Axes { input, from, to } => {
                let input = arguments.inputs().required(input);
                Ok(input.dim(place(from, to, input.dims()?.len()))?)
            }
            Self::Entries { attribute, from, to } => {
                let ints = ints(arguments, attribute)?;
                let number = ints.get(place(from, to, ints.len())).copied().ok_or(UnknownCause::NotGiven)?;
                not_negative(Scalar::Int(number))
            }
            Self::Dim(expression) => not_negative(expression.value(arguments)?),
        }
    }
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

impl Expression {
    fn inputs(&self, put: &mut dyn FnMut(usize)) {
        match self {
            Self::Element(input) | Self::Axis(input, _) | Self::Rank(input) | Self::Size(input) => put(*input),
            Self::Operation(_, left, right) => {
                left.inputs(put);
                right.inputs(put);
            }
            Self::Int(_) | Self::Attribute(_) | Self::Entry(..) | Self::Length(_) => {}
        }
    }

    /// The number that it is at a node.
    fn value<D: Dimension>(&self, arguments: &RuleArguments<'_, '_, D>) -> Result<Scalar<D>, Missing> {
        let input = |place: usize| arguments.inputs().required(place);
        Ok(match *self {
            Self::Int(number) => Scalar::Int(number),
            Self::Attribute(place) => match arguments.attribute(place) {
                Some(AttributeValue::Int(number)) => Scalar::Int(number),
                _ => return Err(UnknownCause::NotGiven.into()),
            },
            Self::Entry(place, index) => {
                let ints = ints(arguments, place)?;
                let index = stretch(index, None, ints.len()).map(|(index, _)| index);
                let number = index.and_then(|index| ints.get(index)).copied();
                Scalar::Int(number.ok_or(UnknownCause::NotGiven)?)
            }
            Self::Length(lists) => {
                let mut lists = lists.iter().filter_map(|place| entries(arguments.attribute(*place)?));
                let length = lists.next().and_then(|length| i64::try_from(length).ok());
                Scalar::Int(length.ok_or(UnknownCause::Data)?)
            }
            Self::Element(place) => {
                let input = input(place);
                input.elements()?.get(0).ok_or(UnknownCause::Elements(place))?
            }
            Self::Axis(place, index) => {
                let dims = input(place).dims()?;
                let axis = stretch(index, None, dims.len()).and_then(|(axis, _)| dims.get(axis));
                Scalar::size(axis.cloned().ok_or_else(|| Missing::Refused(too_few(dims.len())))?)
            }
            Self::Rank(place) => Scalar::Int(i64::try_from(input(place).dims()?.len()).unwrap_or(i64::MAX)),
            Self::Size(place) => Scalar::size(Product::of(input(place).dims()?).ok_or(UnknownCause::TooLarge)?),
            Self::Operation(operation, left, right) => {
                left.value(arguments)?.compute(operation, &right.value(arguments)?)
            }
        })
    }
}
