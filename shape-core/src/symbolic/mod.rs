//! Dimensions that are numbers, symbols, expressions over symbols, or unknown for a reason.
//!
//! A symbol is a size: zero or more. An expression is a sum of products of symbols and of operations on expressions: the
//! quotient that is rounded down, the remainder, the larger and the smaller. Two that are written alike are equal: sums
//! and products have one form, and the operations in them one as far as that is cheap. Two that are equal have the same
//! value for every choice of sizes.

mod application;
mod bounds;
mod expression;
mod parse;
mod polynomial;
mod reason;
mod symbols;
mod term;
mod write;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

pub use expression::Expression;
pub use reason::{Cause, DisplayCause, Reason};
pub use symbols::{Symbol, Symbols};

use crate::dims::{Dimension, LARGEST};
use crate::elements::Scalar;
use crate::elements::arithmetic::{Integer, Operation, Undecided};
use application::Kind;
use expression::Form;
use polynomial::{Failure, Outcome, Polynomial};
use term::{Factor, Term};

/// The most terms of a sum.
pub const MOST_TERMS: usize = 32;

/// The most factors of a term, each as often as it stands there.
pub const MOST_FACTORS: usize = 16;

/// The most symbols and numbers in an expression, those in its operations included.
pub const MOST_NODES: usize = 256;

/// The most operations that lie within each other.
pub const MOST_DEPTH: u8 = 16;

/// The most expressions of which an operation is the larger or the smaller.
pub const MOST_ARGUMENTS: usize = 8;

/// A dimension of a tensor in a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dim {
    /// A number of elements.
    Known(u64),
    /// Whatever number the symbol stands for: a `dim_param`.
    Symbol(Symbol),
    /// What is computed from symbols.
    Expression(Expression),
    /// Nothing is known, for this reason.
    Unknown(Reason),
}

impl From<u64> for Dim {
    fn from(size: u64) -> Self {
        Self::Known(size)
    }
}

impl Dimension for Dim {
    type Reason = Reason;

    fn known(&self) -> Option<u64> {
        match self {
            Self::Known(size) => Some(*size),
            _ => None,
        }
    }

    fn mul(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => left.mul(right).map(Self::Known),
            (Self::Known(0), _) | (_, Self::Known(0)) => Some(Self::Known(0)),
            (Self::Known(1), dim) | (dim, Self::Known(1)) => Some(dim.clone()),
            _ => self.combine(Operation::Mul, other),
        }
    }

    fn div_exact(&self, divisor: &Self) -> Option<Self> {
        match (self, divisor) {
            (_, Self::Known(0)) => None,
            (Self::Known(0), _) => Some(Self::Known(0)),
            (Self::Known(left), Self::Known(right)) => left.div_exact(right).map(Self::Known),
            (dim, Self::Known(1)) => Some(dim.clone()),
            (Self::Unknown(reason), _) | (_, Self::Unknown(reason)) => Some(Self::Unknown(reason.clone())),
            _ => {
                let quotient = self.with_terms(|of| {
                    divisor.with_terms(|by| match polynomial::exact_quotient(of, by) {
                        Some(quotient) => Some(Self::from_form(quotient.form())),
                        None => {
                            let number = polynomial::number(by).map(i64::unsigned_abs);
                            let may = number.is_none_or(|number| polynomial::may_be_multiple(of, number));
                            let open = || Self::Unknown(Reason::here(Cause::MayNotDivide(self.sides(divisor))));
                            may.then(open)
                        }
                    })
                });
                // A number past int64 is no multiple of anything.
                quotient.ok()?.ok()?
            }
        }
    }

    fn add(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => left.add(right).map(Self::Known),
            (Self::Known(0), dim) | (dim, Self::Known(0)) => Some(dim.clone()),
            _ => self.combine(Operation::Add, other),
        }
    }

    fn sub(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => left.sub(right).map(Self::Known),
            (dim, Self::Known(0)) => Some(dim.clone()),
            _ => self.combine(Operation::Sub, other),
        }
    }

    fn floor_div(&self, divisor: u64) -> Option<Self> {
        match (self, divisor) {
            (Self::Known(size), _) => size.floor_div(divisor).map(Self::Known),
            (_, 0) => None,
            (dim, 1) => Some(dim.clone()),
            _ => self.combine(Operation::FloorDiv, &Self::Known(divisor)),
        }
    }

    fn ceil_div(&self, divisor: u64) -> Option<Self> {
        match (self, divisor) {
            (Self::Known(size), _) => size.ceil_div(divisor).map(Self::Known),
            (_, 0) => None,
            (dim, 1) => Some(dim.clone()),
            _ => self.add(&Self::Known(divisor - 1))?.floor_div(divisor),
        }
    }

    fn max(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => Dimension::max(left, right).map(Self::Known),
            (dim, Self::Known(0)) | (Self::Known(0), dim) => Some(dim.clone()),
            _ => self.combine(Operation::Max, other),
        }
    }

    fn min(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => Dimension::min(left, right).map(Self::Known),
            (_, Self::Known(0)) | (Self::Known(0), _) => Some(Self::Known(0)),
            _ => self.combine(Operation::Min, other),
        }
    }

    fn lower_bound(&self) -> Option<i64> {
        match self {
            Self::Known(size) => size.lower_bound(),
            Self::Symbol(_) => Some(0),
            Self::Expression(expression) => bounds::lower_bound(expression.terms()),
            Self::Unknown(_) => None,
        }
    }

    fn upper_bound(&self) -> Option<i64> {
        match self {
            Self::Known(size) => size.upper_bound(),
            Self::Symbol(_) | Self::Unknown(_) => None,
            Self::Expression(expression) => bounds::upper_bound(expression.terms()),
        }
    }

    fn may_equal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => left == right,
            (Self::Symbol(_), Self::Symbol(_) | Self::Known(_)) | (Self::Known(_), Self::Symbol(_)) => true,
            (Self::Unknown(_), _) | (_, Self::Unknown(_)) => true,
            _ => {
                let difference = self.with_terms(|left| other.with_terms(|right| polynomial::sum(left, right, -1)));
                // What grows past what is followed may be anything; a number past int64 is none that an expression is.
                difference
                    .and_then(|difference| difference)
                    .is_ok_and(|difference| difference.map_or(true, |difference| may_be_zero(&difference)))
            }
        }
    }

    fn same_as(&self, other: &Self) -> bool {
        !matches!(self, Self::Unknown(_)) && self == other
    }

    fn compute(operation: Operation, left: Integer<&Self>, right: Integer<&Self>) -> Result<Integer<Self>, Reason> {
        if let Some(expression) = of_one_symbol(operation, left, right) {
            return Ok(Integer::Open(Self::Expression(expression)));
        }
        let result = with_integer(left, |left| with_integer(right, |right| operation.on_terms(left, right)));
        match result.and_then(|result| result)?.map_err(Reason::from)?.form() {
            Form::Number(number) => Ok(Integer::Number(number)),
            Form::Symbol(symbol) => Ok(Integer::Open(Self::Symbol(symbol))),
            Form::Expression(expression) => Ok(Integer::Open(Self::Expression(expression))),
        }
    }

    fn reason(why: Undecided) -> Reason {
        Reason::here(Cause::Arithmetic(why))
    }

    fn unknown(reason: Reason) -> Option<Self> {
        Some(Self::Unknown(reason))
    }
}

impl Operation {
    fn on_terms(self, left: &[Term], right: &[Term]) -> Outcome {
        match self {
            Self::Add => polynomial::sum(left, right, 1),
            Self::Sub => polynomial::sum(left, right, -1),
            Self::Mul => polynomial::product(left, right),
            Self::FloorDiv => application::floor_division(left, right),
            Self::Mod => application::remainder(left, right),
            Self::Max => extreme(Kind::Larger, left, right),
            Self::Min => extreme(Kind::Smaller, left, right),
        }
    }
}

/// What comes of a symbol and a number, without working out what is plain; `None` where more is to be done.
fn of_one_symbol(operation: Operation, left: Integer<&Dim>, right: Integer<&Dim>) -> Option<Expression> {
    let (symbol, number, swapped) = match (left, right) {
        (Integer::Open(Dim::Symbol(symbol)), Integer::Number(number)) => (*symbol, number, false),
        (Integer::Number(number), Integer::Open(Dim::Symbol(symbol))) => (*symbol, number, true),
        _ => return None,
    };
    match operation {
        _ if number == 0 => None,
        Operation::Add => Some(Expression::sum(1, symbol, number)),
        Operation::Sub if swapped => Some(Expression::sum(-1, symbol, number)),
        Operation::Sub => Some(Expression::sum(1, symbol, number.checked_neg()?)),
        Operation::Mul => (number != 1).then(|| Expression::term(number, symbol)),
        _ => None,
    }
}

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Self {
        Self::here(match failure {
            Failure::TooLarge => Cause::ExpressionTooLarge,
            Failure::ZeroDivisor => Cause::Arithmetic(Undecided::ZeroDivisor),
        })
    }
}

fn extreme(kind: Kind, left: &[Term], right: &[Term]) -> Outcome {
    application::extreme(kind, Vec::from([Polynomial(left.to_vec()), Polynomial(right.to_vec())]))
}

/// Whether some sizes of the symbols make it zero, as far as bounds and coefficients tell.
fn may_be_zero(terms: &[Term]) -> bool {
    polynomial::may_be_multiple(terms, 0)
        && bounds::lower_bound(terms).is_none_or(|least| least <= 0)
        && bounds::upper_bound(terms).is_none_or(|greatest| greatest >= 0)
}

/// Hands a number over as terms.
fn with_number<R>(number: i64, then: impl FnOnce(&[Term]) -> R) -> R {
    if number == 0 { then(&[]) } else { then(&[Term::number(number)]) }
}

/// Hands an integer over as terms.
fn with_integer<R>(integer: Integer<&Dim>, then: impl FnOnce(&[Term]) -> R) -> Result<R, Reason> {
    match integer {
        Integer::Number(number) => Ok(with_number(number, then)),
        Integer::Open(dim) => dim.with_terms(then),
    }
}

impl Dim {
    /// Hands the dimension over as terms.
    ///
    /// # Errors
    /// Why it is unknown. So is a number past int64, which no model can have.
    fn with_terms<R>(&self, then: impl FnOnce(&[Term]) -> R) -> Result<R, Reason> {
        match self {
            Self::Known(size) => match i64::try_from(*size) {
                Ok(number) => Ok(with_number(number, then)),
                Err(_) => Err(Failure::TooLarge.into()),
            },
            Self::Symbol(symbol) => Ok(then(&[Term::of(1, Factor::Symbol(*symbol))])),
            Self::Expression(expression) => Ok(then(expression.terms())),
            Self::Unknown(reason) => Err(reason.clone()),
        }
    }

    /// The dimension that comes out of two; `None` where that is never one.
    fn combine(&self, operation: Operation, other: &Self) -> Option<Self> {
        let result = self.operand().and_then(|left| Self::compute(operation, left, other.operand()?));
        match result {
            Ok(Integer::Number(number)) => u64::try_from(number).ok().map(Self::Known),
            Ok(Integer::Open(dim)) => dim.upper_bound().is_none_or(|greatest| greatest >= 0).then_some(dim),
            Err(reason) => Some(Self::Unknown(reason)),
        }
    }

    /// The dimension as an operand.
    ///
    /// # Errors
    /// It is a number past int64, which no model can have.
    fn operand(&self) -> Result<Integer<&Self>, Reason> {
        match self {
            Self::Known(size) => i64::try_from(*size).map(Integer::Number).map_err(|_| Failure::TooLarge.into()),
            dim => Ok(Integer::Open(dim)),
        }
    }

    fn from_form(form: Form) -> Self {
        match form {
            // A size below zero is none: whoever asks for it has not looked at what the symbols must be.
            Form::Number(number) => u64::try_from(number)
                .map_or_else(|_| Self::Unknown(Reason::here(Cause::ExpressionTooLarge)), Self::Known),
            Form::Symbol(symbol) => Self::Symbol(symbol),
            Form::Expression(expression) => Self::Expression(expression),
        }
    }

    fn sides(&self, other: &Self) -> Arc<(Self, Self)> {
        Arc::new((self.clone(), other.clone()))
    }

    /// The number that the dimension is where each symbol is one; `None` where it stays open, or is no size.
    ///
    /// ```
    /// use shape_core::symbolic::Symbols;
    /// let mut symbols = Symbols::default();
    /// let dim = symbols.dim("4*T");
    /// assert_eq!(dim.value(&|_| Some(8)), Some(32));
    /// ```
    #[must_use]
    pub fn value(&self, size: &dyn Fn(Symbol) -> Option<u64>) -> Option<u64> {
        match self {
            Self::Known(size) => Some(*size),
            Self::Symbol(symbol) => size(*symbol),
            Self::Expression(expression) => u64::try_from(expression.value(size)?).ok(),
            Self::Unknown(_) => None,
        }
        .filter(|size| *size <= LARGEST)
    }

    /// The integer that an expression is where each symbol is a number, which may be negative where it is no dimension;
    /// `None` where it stays open, or is past int64.
    ///
    /// ```
    /// use shape_core::symbolic::Symbols;
    /// let mut symbols = Symbols::default();
    /// assert_eq!(symbols.dim("N//2 - 5").integer(&|_| Some(7)), Some(-2));
    /// ```
    #[must_use]
    pub fn integer(&self, size: &dyn Fn(Symbol) -> Option<u64>) -> Option<i64> {
        match self {
            Self::Expression(expression) => i64::try_from(expression.value(size)?).ok(),
            dim => i64::try_from(dim.value(size)?).ok(),
        }
    }

    /// The one of two dimensions of the same place that says more: a number before a symbol or an expression before
    /// nothing, this one where both say as much.
    #[must_use]
    pub fn refine(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Unknown(_), Self::Unknown(_)) => self,
            (Self::Unknown(_), _) | (Self::Symbol(_) | Self::Expression(_), Self::Known(_)) => other,
            _ => self,
        }
    }

    /// The same with the reason of what is unknown settled: it happened at a value.
    #[inline]
    #[must_use]
    pub fn at(self, value: u32) -> Self {
        match self {
            Self::Unknown(reason) => Self::Unknown(reason.at(value)),
            dim => dim,
        }
    }

    /// The text of the dimension, symbols by their names, the unknown as `?`.
    #[must_use]
    pub fn display<'s>(&'s self, symbols: &'s Symbols) -> DisplayDim<'s> {
        DisplayDim { dim: self, symbols }
    }
}

/// See [`Dim::display`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayDim<'s> {
    dim: &'s Dim,
    symbols: &'s Symbols,
}

impl fmt::Display for DisplayDim<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dim {
            Dim::Known(size) => write!(formatter, "{size}"),
            Dim::Symbol(symbol) => formatter.write_str(self.symbols.name(*symbol)),
            Dim::Expression(expression) => formatter.write_str(&write::text(expression.terms(), self.symbols)),
            Dim::Unknown(_) => formatter.write_str("?"),
        }
    }
}

/// See [`Scalar::display`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayScalar<'s> {
    scalar: &'s Scalar<Dim>,
    symbols: &'s Symbols,
}

impl Scalar<Dim> {
    /// The text of the element, an expression as a dimension has it, the unknown as `?`.
    ///
    /// ```
    /// use shape_core::elements::Scalar;
    /// use shape_core::symbolic::Symbols;
    /// let mut symbols = Symbols::default();
    /// let element = Scalar::Size(symbols.dim("N")).sub(&Scalar::Int(1));
    /// assert_eq!(element.display(&symbols).to_string(), "N - 1");
    /// ```
    #[must_use]
    pub fn display<'s>(&'s self, symbols: &'s Symbols) -> DisplayScalar<'s> {
        DisplayScalar { scalar: self, symbols }
    }

    /// The same with the reason of what is unknown settled: it happened at a value.
    #[inline]
    #[must_use]
    pub fn at(self, value: u32) -> Self {
        match self {
            Self::Size(dim) => Self::Size(dim.at(value)),
            Self::Unknown(reason) => Self::Unknown(reason.at(value)),
            known => known,
        }
    }
}

impl fmt::Display for DisplayScalar<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scalar {
            Scalar::Int(number) => write!(formatter, "{number}"),
            Scalar::Size(dim) | Scalar::Expression(dim) => dim.display(self.symbols).fmt(formatter),
            Scalar::Bool(value) => write!(formatter, "{value}"),
            Scalar::Float(number) => write!(formatter, "{number}"),
            Scalar::Unknown(_) => formatter.write_str("?"),
        }
    }
}
