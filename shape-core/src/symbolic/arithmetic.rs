//! Arithmetic on dimensions that may be symbols.

use alloc::vec::Vec;

use super::application::{self, Kind};
use super::bounds;
use super::dim::{Dim, with_number};
use super::expression::{Expression, Form};
use super::polynomial::{self, Failure, Outcome, Polynomial};
use super::reason::{Cause, Reason};
use super::term::Term;
use crate::dimension::{Dimension, Integer, Operation, Undecided};

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
                            // It is whole where it is asked for, so that nothing is rounded.
                            may.then(|| match application::floor_division(of, by) {
                                Ok(quotient) => Self::from_form(quotient.form()),
                                Err(failure) => Self::Unknown(failure.into()),
                            })
                        }
                    })
                });
                // A number past int64 is not divided further.
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
            Self::Symbol(symbol) => symbol.is_size().then(|| i64::from(symbol.is_not_zero())),
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

    fn refine(self, other: Self) -> Self {
        let rank = |dim: &Self| match dim {
            Self::Known(_) => 0,
            Self::Symbol(_) | Self::Expression(_) => 1 + u8::from(dim.fresh().is_some()),
            Self::Unknown(_) => 3,
        };
        if rank(&other) < rank(&self) { other } else { self }
    }

    fn of_sizes(&self) -> bool {
        let mut all = !matches!(self, Self::Unknown(_));
        self.each_symbol(&mut |symbol| all &= symbol.is_size());
        all
    }

    fn may_equal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => left == right,
            (Self::Symbol(_), Self::Symbol(_) | Self::Known(_)) | (Self::Known(_), Self::Symbol(_)) => true,
            (Self::Unknown(_), _) | (_, Self::Unknown(_)) => true,
            _ => {
                let difference = self.with_terms(|left| other.with_terms(|right| polynomial::sum(left, right, -1)));
                // An expression past the limits may equal anything; a number past int64 equals no expression.
                difference
                    .and_then(|difference| difference)
                    .is_ok_and(|difference| difference.map_or(true, |difference| may_be_zero(&difference)))
            }
        }
    }

    fn same_as(&self, other: &Self) -> bool {
        !matches!(self, Self::Unknown(_)) && self == other
    }

    fn same_size(&self, other: &Self) -> bool {
        self.same_as(other) || self.covers_size(other) || other.covers_size(self)
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

/// The fast path for a symbol and a number; `None` if the general path is needed.
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

fn extreme(kind: Kind, left: &[Term], right: &[Term]) -> Outcome {
    application::extreme(kind, Vec::from([Polynomial(left.to_vec()), Polynomial(right.to_vec())]))
}

/// Whether bounds and coefficients allow it to be zero for some sizes of the symbols.
fn may_be_zero(terms: &[Term]) -> bool {
    polynomial::may_be_multiple(terms, 0)
        && bounds::lower_bound(terms).is_none_or(|lower| lower <= 0)
        && bounds::upper_bound(terms).is_none_or(|upper| upper >= 0)
}

/// Calls a function with an integer as terms.
fn with_integer<R>(integer: Integer<&Dim>, then: impl FnOnce(&[Term]) -> R) -> Result<R, Reason> {
    match integer {
        Integer::Number(number) => Ok(with_number(number, then)),
        Integer::Open(dim) => dim.with_terms(then),
    }
}

impl Dim {
    /// The result of an operation on two dimensions; `None` if it is never a dimension.
    fn combine(&self, operation: Operation, other: &Self) -> Option<Self> {
        let result = self.operand().and_then(|left| Self::compute(operation, left, other.operand()?));
        match result {
            Ok(Integer::Number(number)) => u64::try_from(number).ok().map(Self::Known),
            Ok(Integer::Open(dim)) => dim.upper_bound().is_none_or(|upper| upper >= 0).then_some(dim),
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
}
