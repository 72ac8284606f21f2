//! Dimensions that are numbers, symbols, expressions over symbols, or unknown for a reason.
//!
//! A symbol is a size: zero or more. Equality is of functions: two dimensions are equal where every choice of sizes makes
//! them so.

mod expression;
mod parse;
mod reason;
mod symbols;

use alloc::sync::Arc;
use core::fmt;

pub use expression::{Expression, MOST_FACTORS, MOST_TERMS};
pub use reason::{Cause, DisplayCause, Reason};
pub use symbols::{Symbol, Symbols};

use crate::dims::{Dimension, LARGEST};
use expression::{Form, Polynomial, TooLarge};

/// A dimension of a tensor in a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dim {
    /// A number of elements.
    Known(u64),
    /// Whatever number the symbol stands for: a `dim_param`.
    Symbol(Symbol),
    /// A sum of products of symbols.
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
    fn known(&self) -> Option<u64> {
        match self {
            Self::Known(size) => Some(*size),
            _ => None,
        }
    }

    fn times(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => left.times(right).map(Self::Known),
            (Self::Known(0), _) | (_, Self::Known(0)) => Some(Self::Known(0)),
            (Self::Known(1), dim) | (dim, Self::Known(1)) => Some(dim.clone()),
            (Self::Symbol(symbol), Self::Known(size)) | (Self::Known(size), Self::Symbol(symbol))
                if let Ok(coefficient) = i64::try_from(*size) =>
            {
                Some(Self::Expression(Expression::term(coefficient, *symbol)))
            }
            _ => Some(self.combine(other, Polynomial::times)),
        }
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => left.plus(right).map(Self::Known),
            (Self::Known(0), dim) | (dim, Self::Known(0)) => Some(dim.clone()),
            _ => Some(self.plus(other)),
        }
    }

    fn over(&self, divisor: &Self) -> Option<Self> {
        match (self, divisor) {
            (_, Self::Known(0)) => None,
            (Self::Known(0), _) => Some(Self::Known(0)),
            (Self::Known(left), Self::Known(right)) => left.over(right).map(Self::Known),
            (dim, Self::Known(1)) => Some(dim.clone()),
            (Self::Unknown(reason), _) | (_, Self::Unknown(reason)) => Some(Self::Unknown(reason.clone())),
            _ => {
                let (of, by) = (self.polynomial().ok()?, divisor.polynomial().ok()?);
                if let Some(quotient) = of.over(&by) {
                    return Some(Self::from_form(quotient.form()));
                }
                if let Self::Known(number) = divisor
                    && !of.may_be_multiple(*number)
                {
                    return None;
                }
                let sides = Arc::new((self.clone(), divisor.clone()));
                Some(Self::Unknown(Reason::here(Cause::MayNotDivide(sides))))
            }
        }
    }

    fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => left == right,
            (Self::Symbol(_), Self::Symbol(_) | Self::Known(_)) | (Self::Known(_), Self::Symbol(_)) => true,
            (Self::Unknown(_), _) | (_, Self::Unknown(_)) => true,
            _ => {
                let difference = self.polynomial().and_then(|left| left.plus(&other.polynomial()?.negated()?));
                difference.is_ok_and(|difference| difference.may_be_zero())
            }
        }
    }

    fn is(&self, other: &Self) -> bool {
        !matches!(self, Self::Unknown(_)) && self == other
    }
}

impl Dim {
    /// The sum with another dimension.
    ///
    /// ```
    /// use shape_core::dims::Dimension;
    /// use shape_core::symbolic::{Dim, Symbols};
    /// let mut symbols = Symbols::default();
    /// let (b, t) = (symbols.dim("B"), symbols.dim("T"));
    /// let sum = b.times(&t).unwrap().times(&Dim::Known(2)).unwrap().plus(&b.times(&Dim::Known(3)).unwrap());
    /// assert_eq!(sum.display(&symbols).to_string(), "2*B*T + 3*B");
    /// assert_eq!(sum.over(&b).unwrap().display(&symbols).to_string(), "2*T + 3");
    /// ```
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        self.combine(other, Polynomial::plus)
    }

    fn combine(&self, other: &Self, how: impl Fn(&Polynomial, &Polynomial) -> Result<Polynomial, TooLarge>) -> Self {
        if let (Self::Unknown(reason), _) | (_, Self::Unknown(reason)) = (self, other) {
            return Self::Unknown(reason.clone());
        }
        let combined = self.polynomial().and_then(|left| how(&left, &other.polynomial()?));
        combined.map_or(Self::Unknown(Reason::here(Cause::ExpressionTooLarge)), |it| Self::from_form(it.form()))
    }

    /// The dimension to compute with. A number past int64, which no model can have, and what is unknown are past it.
    fn polynomial(&self) -> Result<Polynomial, TooLarge> {
        match self {
            Self::Known(size) => i64::try_from(*size).map(Polynomial::from).map_err(|_| TooLarge),
            Self::Symbol(symbol) => Ok(Polynomial::from(*symbol)),
            Self::Expression(expression) => Ok(Polynomial::from(expression)),
            Self::Unknown(_) => Err(TooLarge),
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
            Self::Expression(expression) => expression.value(size),
            Self::Unknown(_) => None,
        }
        .filter(|size| *size <= LARGEST)
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
            Dim::Expression(expression) => expression.write(formatter, self.symbols),
            Dim::Unknown(_) => formatter.write_str("?"),
        }
    }
}
