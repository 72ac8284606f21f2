//! Sums of products of symbols, in one canonical form.
//!
//! An expression is a polynomial with integer coefficients: its terms are sorted by falling degree, then by their
//! symbols, no two terms have the same symbols, and no coefficient is zero. So two expressions are the same function of
//! their symbols exactly where they are equal.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};
use core::fmt;

use super::{Symbol, Symbols};

/// The most terms of an expression.
pub const MOST_TERMS: usize = 32;

/// The most symbols that a term multiplies, each as often as it stands there.
pub const MOST_FACTORS: usize = 16;

/// A sum of products of symbols that is neither a number nor a symbol alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression(Arc<[Term]>);

/// A coefficient and the symbols that it is multiplied with, sorted; without symbols, a number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    coefficient: i64,
    factors: Box<[Symbol]>,
}

impl Term {
    /// The order of terms. It goes along with multiplication: of two terms the greater stays the greater when both are
    /// multiplied with a third, which is what division rests on.
    fn order(&self, other: &Self) -> Ordering {
        let key = |term: &Self| Reverse(term.factors.len());
        key(self).cmp(&key(other)).then_with(|| self.factors.cmp(&other.factors))
    }
}

/// An expression, a symbol or a number, being computed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Polynomial(Vec<Term>);

/// What a polynomial is.
pub(super) enum Form {
    Number(i64),
    Symbol(Symbol),
    Expression(Expression),
}

/// An expression grows past what is followed: [`MOST_TERMS`], [`MOST_FACTORS`], or a coefficient past int64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl From<&Expression> for Polynomial {
    fn from(expression: &Expression) -> Self {
        Self(expression.0.to_vec())
    }
}

impl From<Symbol> for Polynomial {
    fn from(symbol: Symbol) -> Self {
        Self(Vec::from([Term { coefficient: 1, factors: Box::from([symbol]) }]))
    }
}

impl From<i64> for Polynomial {
    fn from(number: i64) -> Self {
        let term = Term { coefficient: number, factors: Box::default() };
        Self(if number == 0 { Vec::new() } else { Vec::from([term]) })
    }
}

impl Polynomial {
    pub(super) fn form(self) -> Form {
        match self.0.as_slice() {
            [] => Form::Number(0),
            [Term { coefficient, factors }] if factors.is_empty() => Form::Number(*coefficient),
            [Term { coefficient: 1, factors }] if let [symbol] = **factors => Form::Symbol(symbol),
            _ => Form::Expression(Expression(self.0.into())),
        }
    }

    /// The canonical form of terms: sorted, like ones added up.
    fn collect(terms: impl Iterator<Item = (i128, Vec<Symbol>)>) -> Result<Self, TooLarge> {
        let mut all: Vec<(i128, Vec<Symbol>)> = terms.collect();
        all.iter_mut().for_each(|(_, factors)| factors.sort_unstable());
        all.sort_unstable_by(|(_, left), (_, right)| left.cmp(right));
        let mut terms = Vec::new();
        for like in all.chunk_by(|(_, left), (_, right)| left == right) {
            let sum = like.iter().try_fold(0_i128, |sum, (coefficient, _)| sum.checked_add(*coefficient));
            let coefficient = i64::try_from(sum.ok_or(TooLarge)?).map_err(|_| TooLarge)?;
            if let Some((_, factors)) = like.first().filter(|_| coefficient != 0) {
                terms.push(Term { coefficient, factors: factors.as_slice().into() });
            }
        }
        if terms.len() > MOST_TERMS || terms.iter().any(|term| term.factors.len() > MOST_FACTORS) {
            return Err(TooLarge);
        }
        terms.sort_unstable_by(Term::order);
        Ok(Self(terms))
    }

    pub(super) fn plus(&self, other: &Self) -> Result<Self, TooLarge> {
        let terms = self.0.iter().chain(&other.0);
        Self::collect(terms.map(|term| (term.coefficient.into(), term.factors.to_vec())))
    }

    pub(super) fn negated(&self) -> Result<Self, TooLarge> {
        Self::collect(self.0.iter().map(|term| (-i128::from(term.coefficient), term.factors.to_vec())))
    }

    pub(super) fn times(&self, other: &Self) -> Result<Self, TooLarge> {
        let pairs = self.0.iter().flat_map(|left| other.0.iter().map(move |right| (left, right)));
        Self::collect(pairs.map(|(left, right)| {
            let factors = left.factors.iter().chain(&right.factors).copied().collect();
            (i128::from(left.coefficient) * i128::from(right.coefficient), factors)
        }))
    }

    /// The quotient where the division leaves nothing, whatever the symbols are.
    pub(super) fn over(&self, divisor: &Self) -> Option<Self> {
        let (leading, _) = divisor.0.split_first()?;
        let mut rest = self.clone();
        let mut quotient = Self::from(0);
        // Each step takes the leading term away, and none greater comes back.
        while let Some(first) = rest.0.first() {
            let mut factors = first.factors.to_vec();
            for factor in &leading.factors {
                let at = factors.iter().position(|other| other == factor)?;
                factors.remove(at);
            }
            if first.coefficient.checked_rem(leading.coefficient)? != 0 {
                return None;
            }
            let coefficient = first.coefficient.checked_div(leading.coefficient)?;
            let step = Self(Vec::from([Term { coefficient, factors: factors.into() }]));
            quotient = quotient.plus(&step).ok()?;
            rest = rest.plus(&step.times(divisor).ok()?.negated().ok()?).ok()?;
        }
        Some(quotient)
    }

    /// Whether some sizes of the symbols make it a multiple of a number, as far as the coefficients tell: they share no
    /// divisor with it that the number among the terms lacks. Of zero only zero is a multiple.
    pub(super) fn may_be_multiple(&self, of: u64) -> bool {
        let (numbers, terms): (Vec<&Term>, Vec<&Term>) = self.0.iter().partition(|term| term.factors.is_empty());
        let divisor = terms.iter().fold(of, |divisor, term| gcd(divisor, term.coefficient.unsigned_abs()));
        numbers.iter().all(|number| number.coefficient.unsigned_abs().checked_rem(divisor) == Some(0))
    }

    /// Whether some sizes of the symbols, of zero or more each, make it zero, as far as the coefficients tell.
    pub(super) fn may_be_zero(&self) -> bool {
        let number = self.0.iter().find(|term| term.factors.is_empty()).map(|term| term.coefficient.signum());
        let one_sign = number.is_some_and(|sign| self.0.iter().all(|term| term.coefficient.signum() == sign));
        !one_sign && self.may_be_multiple(0)
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a.checked_rem(b).unwrap_or(0));
    }
    a
}

impl Expression {
    /// A symbol so many times, which is neither 0 nor 1.
    pub(super) fn term(coefficient: i64, symbol: Symbol) -> Self {
        Self(Arc::from([Term { coefficient, factors: Box::from([symbol]) }]))
    }

    /// The value, where each symbol is a number; `None` where one is not, or the value is no size.
    ///
    /// See [`super::Dim::substitute`].
    pub(super) fn value(&self, size: &dyn Fn(Symbol) -> Option<u64>) -> Option<u64> {
        let mut sum = 0_i128;
        for term in &*self.0 {
            let mut product = i128::from(term.coefficient);
            for factor in &term.factors {
                product = product.checked_mul(size(*factor)?.into())?;
            }
            sum = sum.checked_add(product)?;
        }
        u64::try_from(sum).ok()
    }

    /// The text, factors and terms of one degree in the order of their names: `2*B*T + 3*B`.
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>, symbols: &Symbols) -> fmt::Result {
        let mut terms: Vec<(i64, Vec<&str>)> = Vec::with_capacity(self.0.len());
        for term in &*self.0 {
            let mut names: Vec<&str> = term.factors.iter().map(|symbol| symbols.name(*symbol)).collect();
            names.sort_unstable();
            terms.push((term.coefficient, names));
        }
        terms.sort_by(|(_, left), (_, right)| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
        for (index, (coefficient, names)) in terms.iter().enumerate() {
            let sign = match (index, *coefficient < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            formatter.write_str(sign)?;
            let size = coefficient.unsigned_abs();
            if size != 1 || names.is_empty() {
                write!(formatter, "{size}{}", if names.is_empty() { "" } else { "*" })?;
            }
            for (index, name) in names.iter().enumerate() {
                write!(formatter, "{}{name}", if index == 0 { "" } else { "*" })?;
            }
        }
        Ok(())
    }
}
