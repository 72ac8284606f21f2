//! Sums of products, in one canonical form.
//!
//! The terms are sorted by falling degree, then by their factors; no two terms have the same factors, and no coefficient
//! is zero. So two polynomials are the same function of their factors exactly if they are equal.

use alloc::vec::Vec;

use super::limits::{MAX_FACTORS, MAX_NODES, MAX_TERMS};
use super::term::{Factors, Term};

/// Owned terms in the canonical form. Functions that only read take a slice of terms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Polynomial(pub(super) Vec<Term>);

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It exceeds a limit: [`MAX_TERMS`], [`MAX_FACTORS`], [`MAX_NODES`] and the other caps, or a
    /// coefficient past int64.
    TooLarge,
    /// The divisor is zero.
    ZeroDivisor,
}

pub(super) type Outcome = Result<Polynomial, Failure>;

impl From<i64> for Polynomial {
    fn from(number: i64) -> Self {
        Self(if number == 0 { Vec::new() } else { Vec::from([Term::number(number)]) })
    }
}

impl From<Term> for Polynomial {
    fn from(term: Term) -> Self {
        Self(Vec::from([term]))
    }
}

impl core::ops::Deref for Polynomial {
    type Target = [Term];

    fn deref(&self) -> &[Term] {
        &self.0
    }
}

fn coefficient(number: i128) -> Result<i64, Failure> {
    i64::try_from(number).map_err(|_| Failure::TooLarge)
}

/// The terms as a number; `None` if they contain symbols.
pub(super) fn number(terms: &[Term]) -> Option<i64> {
    match terms {
        [] => Some(0),
        [term] if term.is_number() => Some(term.coefficient),
        _ => None,
    }
}

/// The constant term, which is the last one.
pub(super) fn constant(terms: &[Term]) -> i64 {
    terms.last().filter(|term| term.is_number()).map_or(0, |term| term.coefficient)
}

/// The terms without the constant term.
pub(super) fn variable(terms: &[Term]) -> &[Term] {
    match terms.split_last() {
        Some((last, rest)) if last.is_number() => rest,
        _ => terms,
    }
}

pub(super) fn nodes(terms: &[Term]) -> usize {
    terms.iter().map(Term::nodes).sum()
}

fn capped(terms: Vec<Term>) -> Outcome {
    let factors = |term: &Term| term.factors.as_slice().len();
    if terms.len() > MAX_TERMS || terms.iter().any(|term| factors(term) > MAX_FACTORS) || nodes(&terms) > MAX_NODES {
        return Err(Failure::TooLarge);
    }
    Ok(Polynomial(terms))
}

/// The first terms plus a multiple of the second ones.
pub(super) fn sum(left: &[Term], right: &[Term], times: i64) -> Outcome {
    let mut terms = Vec::with_capacity(left.len() + right.len());
    let (mut lefts, mut rights) = (left.iter().peekable(), right.iter().peekable());
    let scaled = |term: &Term| i128::from(term.coefficient) * i128::from(times);
    loop {
        let order = match (lefts.peek(), rights.peek()) {
            (None, None) => break,
            (Some(_), None) => core::cmp::Ordering::Less,
            (None, Some(_)) => core::cmp::Ordering::Greater,
            (Some(left), Some(right)) => left.order(right),
        };
        let left = lefts.next_if(|_| order.is_le());
        let right = rights.next_if(|_| order.is_ge());
        let sum = left.map_or(0, |term| term.coefficient.into()) + right.map_or(0, scaled);
        if let Some(term) = left.or(right).filter(|_| sum != 0) {
            terms.push(Term { coefficient: coefficient(sum)?, factors: term.factors.clone() });
        }
    }
    capped(terms)
}

pub(super) fn negated(terms: &[Term]) -> Outcome {
    scaled(terms, -1)
}

pub(super) fn scaled(terms: &[Term], times: i64) -> Outcome {
    sum(&[], terms, times)
}

/// The terms and a number.
pub(super) fn plus_number(terms: &[Term], number: i128) -> Outcome {
    let sum = i128::from(constant(terms)) + number;
    let mut terms = variable(terms).to_vec();
    if sum != 0 {
        terms.push(Term::number(coefficient(sum)?));
    }
    capped(terms)
}

pub(super) fn product(left: &[Term], right: &[Term]) -> Outcome {
    if let Some(number) = number(left) {
        return scaled(right, number);
    }
    if let Some(number) = number(right) {
        return scaled(left, number);
    }
    let mut all: Vec<(i128, Factors)> = Vec::with_capacity(left.len() * right.len());
    for left in left {
        for right in right {
            let coefficient = i128::from(left.coefficient) * i128::from(right.coefficient);
            all.push((coefficient, left.factors.mul(&right.factors)));
        }
    }
    all.sort_unstable_by(|(_, left), (_, right)| left.cmp(right));
    let mut terms = Vec::new();
    for like in all.chunk_by(|(_, left), (_, right)| left == right) {
        let sum = like.iter().try_fold(0_i128, |sum, (coefficient, _)| sum.checked_add(*coefficient));
        let coefficient = coefficient(sum.ok_or(Failure::TooLarge)?)?;
        if let Some((_, factors)) = like.first().filter(|_| coefficient != 0) {
            terms.push(Term { coefficient, factors: factors.clone() });
        }
    }
    terms.sort_unstable_by(Term::order);
    capped(terms)
}

/// The quotient, if the division is exact for all values of the factors.
pub(super) fn exact_quotient(of: &[Term], by: &[Term]) -> Option<Polynomial> {
    let (leading, _) = by.split_first()?;
    let mut rest = Polynomial(of.to_vec());
    let mut quotient = Vec::new();
    // Each step removes the leading term and adds only smaller ones.
    while let Some(first) = rest.first() {
        let factors = first.factors.without(leading.factors.as_slice())?;
        if first.coefficient.checked_rem(leading.coefficient)? != 0 {
            return None;
        }
        let coefficient = first.coefficient.checked_div(leading.coefficient)?;
        let step = Term { coefficient, factors };
        let taken = product(core::slice::from_ref(&step), by).ok()?;
        rest = sum(&rest, &taken, -1).ok()?;
        quotient.push(step);
    }
    capped(quotient).ok()
}

/// Divides each coefficient by a positive number that divides it; the constant term is rounded down.
pub(super) fn divided(terms: &[Term], by: i64) -> Polynomial {
    let divide = |term: &Term| {
        let coefficient = term.coefficient.checked_div_euclid(by).unwrap_or(term.coefficient);
        Term { coefficient, factors: term.factors.clone() }
    };
    Polynomial(terms.iter().map(divide).filter(|term| term.coefficient != 0).collect())
}

/// The greatest common divisor of a number and the coefficients of all terms; zero if there are none.
pub(super) fn common_divisor(terms: &[Term], number: u64) -> u64 {
    terms.iter().fold(number, |divisor, term| gcd(divisor, term.coefficient.unsigned_abs()))
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a.checked_rem(b).unwrap_or(0));
    }
    a
}

/// Whether the coefficients allow the terms to be a multiple of a number for some sizes of the symbols: every divisor that
/// they all share with the number must divide the constant term. Only zero is a multiple of zero.
pub(super) fn may_be_multiple(terms: &[Term], of: u64) -> bool {
    let divisor = common_divisor(variable(terms), of);
    let constant = constant(terms).unsigned_abs();
    constant == 0 || constant.checked_rem(divisor) == Some(0)
}
