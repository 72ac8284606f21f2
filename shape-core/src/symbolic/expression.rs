//! Expressions: dimensions that are neither a number nor a single symbol.

use alloc::sync::Arc;

use super::application::{Application, Kind};
use super::polynomial::{self, Polynomial};
use super::symbols::Symbol;
use super::term::{Factor, Factors, Term};
use crate::dimension::{floor_quotient, floor_remainder};

/// An expression over symbols that is neither a number nor a single symbol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression(Arc<[Term]>);

/// The classes of polynomials.
pub(super) enum Form {
    Number(i64),
    Symbol(Symbol),
    Expression(Expression),
}

impl Polynomial {
    pub(super) fn form(self) -> Form {
        match self.0.as_slice() {
            [] => Form::Number(0),
            [Term { coefficient, factors: Factors::None }] => Form::Number(*coefficient),
            [Term { coefficient: 1, factors: Factors::One(Factor::Symbol(symbol)) }] => Form::Symbol(*symbol),
            _ => Form::Expression(Expression(self.0.into())),
        }
    }
}

impl Expression {
    /// A symbol with a coefficient other than 0 and 1.
    pub(super) fn term(coefficient: i64, symbol: Symbol) -> Self {
        Self(Arc::from([Term::of(coefficient, Factor::Symbol(symbol))]))
    }

    /// A symbol with a coefficient plus a number, neither of which is zero.
    pub(super) fn sum(coefficient: i64, symbol: Symbol, number: i64) -> Self {
        Self(Arc::from([Term::of(coefficient, Factor::Symbol(symbol)), Term::number(number)]))
    }

    pub(super) fn terms(&self) -> &[Term] {
        &self.0
    }

    /// About how many bytes it takes, with the operations in it.
    pub(super) fn heap(&self) -> usize {
        // A term, and for an operation its arguments and their lists.
        const OF_NODE: usize = 64;
        polynomial::nodes(&self.0) * OF_NODE
    }

    /// Shows each symbol in it.
    pub(super) fn each_symbol(&self, see: &mut dyn FnMut(Symbol)) {
        each_symbol(&self.0, see);
    }

    /// The value for these sizes of the symbols; `None` if a size is missing, a divisor is zero, or the value overflows.
    pub(super) fn value(&self, size: &dyn Fn(Symbol) -> Option<u64>) -> Option<i128> {
        value(&self.0, size)
    }
}

/// Shows each symbol of terms.
pub(super) fn each_symbol(terms: &[Term], see: &mut dyn FnMut(Symbol)) {
    for factor in terms.iter().flat_map(|term| term.factors.as_slice()) {
        match factor {
            Factor::Symbol(symbol) => see(*symbol),
            Factor::Applied(application) => {
                application.arguments().iter().for_each(|terms| each_symbol(terms, see));
            }
        }
    }
}

fn value(terms: &[Term], size: &dyn Fn(Symbol) -> Option<u64>) -> Option<i128> {
    let mut sum = 0_i128;
    for term in terms {
        let mut product = i128::from(term.coefficient);
        for factor in term.factors.as_slice() {
            let factor = match factor {
                Factor::Symbol(symbol) => size(*symbol)?.into(),
                Factor::Applied(application) => application.value(size)?,
            };
            product = product.checked_mul(factor)?;
        }
        sum = sum.checked_add(product)?;
    }
    Some(sum)
}

impl Application {
    fn value(&self, size: &dyn Fn(Symbol) -> Option<u64>) -> Option<i128> {
        let mut result = None;
        for argument in self.arguments() {
            let argument = value(argument, size)?;
            result = Some(match result {
                None => argument,
                Some(result) => match self.kind() {
                    Kind::FloorDivision => floor_quotient(result, argument)?,
                    Kind::Remainder => floor_remainder(result, argument)?,
                    Kind::Larger => argument.max(result),
                    Kind::Smaller => argument.min(result),
                },
            });
        }
        result
    }
}
