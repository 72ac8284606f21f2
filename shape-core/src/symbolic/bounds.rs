//! Lower and upper bounds of an expression for all sizes of its symbols.
//!
//! Each term is bounded separately, which is not enough if terms depend on each other: it finds no bounds of `N - N//2`. So
//! an operation is also replaced by an expression that bounds it: `N//2` is at most `N/2`, which leaves `N/2`, and that is
//! at least 0.

use super::application::{Application, Kind};
use super::polynomial::{self, Polynomial};
use super::term::{Factor, Term};
use crate::dimension::floor_quotient;

/// How many replacements are tried for one bound.
const MAX_REPLACEMENTS: u32 = 8;

/// The lower and the upper bound; `None` if there is none, or it is past int64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Bounds {
    pub(super) lower: Option<i64>,
    pub(super) upper: Option<i64>,
}

impl Bounds {
    pub(super) const NONE: Self = Self { lower: None, upper: None };
    const SIZE: Self = Self { lower: Some(0), upper: None };
    const NOT_ZERO: Self = Self { lower: Some(1), upper: None };

    pub(super) const fn number(number: i64) -> Self {
        Self { lower: Some(number), upper: Some(number) }
    }

    pub(super) fn never_negative(self) -> bool {
        self.lower.is_some_and(|lower| lower >= 0)
    }

    fn mul(self, other: Self) -> Self {
        let both = |left: Option<i64>, right: Option<i64>| left?.checked_mul(right?);
        if self.never_negative() && other.never_negative() {
            return Self { lower: both(self.lower, other.lower), upper: both(self.upper, other.upper) };
        }
        let ends = [self.lower, self.upper].map(|left| [other.lower, other.upper].map(|right| both(left, right)));
        let [[Some(a), Some(b)], [Some(c), Some(d)]] = ends else { return Self::NONE };
        Self { lower: Some(a.min(b).min(c).min(d)), upper: Some(a.max(b).max(c).max(d)) }
    }

    fn scaled(self, by: i64) -> Self {
        let scale = |end: Option<i64>| end?.checked_mul(by);
        let (lower, upper) = (scale(self.lower), scale(self.upper));
        if by < 0 { Self { lower: upper, upper: lower } } else { Self { lower, upper } }
    }

    fn add(self, other: Self) -> Self {
        let both = |left: Option<i64>, right: Option<i64>| left?.checked_add(right?);
        Self { lower: both(self.lower, other.lower), upper: both(self.upper, other.upper) }
    }
}

impl Factor {
    fn bounds(&self) -> Bounds {
        match self {
            Self::Symbol(symbol) if symbol.is_not_zero() => Bounds::NOT_ZERO,
            Self::Symbol(symbol) if symbol.is_size() => Bounds::SIZE,
            Self::Symbol(_) => Bounds::NONE,
            Self::Applied(application) => application.bounds(),
        }
    }
}

fn of_factors(factors: &[Factor]) -> Bounds {
    factors.iter().fold(Bounds::number(1), |bounds, factor| bounds.mul(factor.bounds()))
}

/// The bounds from those of each term.
fn by_terms(terms: &[Term]) -> Bounds {
    let bounds = |term: &Term| of_factors(term.factors.as_slice()).scaled(term.coefficient);
    terms.iter().fold(Bounds::number(0), |sum, term| sum.add(bounds(term)))
}

/// The bounds of a polynomial.
pub(super) fn bounds(terms: &[Term]) -> Bounds {
    Bounds { lower: lower_bound(terms), upper: upper_bound(terms) }
}

pub(super) fn lower_bound(terms: &[Term]) -> Option<i64> {
    let mut replacements = MAX_REPLACEMENTS;
    lower_with(terms, &mut replacements)
}

pub(super) fn upper_bound(terms: &[Term]) -> Option<i64> {
    let upper = by_terms(terms).upper;
    if !has_applications(terms) {
        return upper;
    }
    let other = polynomial::negated(terms).ok().and_then(|terms| lower_bound(&terms)?.checked_neg());
    match (upper, other) {
        (Some(upper), Some(other)) => Some(upper.min(other)),
        (upper, other) => upper.or(other),
    }
}

fn has_applications(terms: &[Term]) -> bool {
    terms.iter().any(|term| term.depth() > 0)
}

fn lower_with(terms: &[Term], replacements: &mut u32) -> Option<i64> {
    let mut best = by_terms(terms).lower;
    // Without negative terms, nothing cancels.
    if !has_applications(terms) || polynomial::variable(terms).iter().all(|term| term.coefficient > 0) {
        return best;
    }
    for (index, term) in terms.iter().enumerate() {
        for (at, factor) in term.factors.as_slice().iter().enumerate() {
            let Factor::Applied(application) = factor else { continue };
            let Some(others) = term.factors.without(core::slice::from_ref(factor)) else { continue };
            // One of several equal replacements is enough.
            let repeats = term.factors.as_slice().iter().take(at).any(|other| other == factor);
            if repeats || !of_factors(others.as_slice()).never_negative() {
                continue;
            }
            let mut replace = |bound: &[Term], divisor: i64| {
                *replacements = replacements.checked_sub(1)?;
                let others = Term { coefficient: term.coefficient, factors: others.clone() };
                let replaced = polynomial::product(core::slice::from_ref(&others), bound).ok()?;
                let rest: Polynomial = Polynomial(
                    terms
                        .iter()
                        .enumerate()
                        .filter(|(other, _)| *other != index)
                        .map(|(_, term)| term.clone())
                        .collect(),
                );
                let whole = polynomial::sum(&replaced, &rest, divisor).ok()?;
                let lower = lower_with(&whole, replacements)?;
                // Rounded up, because the result is an integer.
                let up = floor_quotient(-i128::from(lower), divisor.into())?;
                let lower = i64::try_from(-up).ok()?;
                best = Some(best.map_or(lower, |best| best.max(lower)));
                Some(())
            };
            match (application.kind(), application.arguments(), term.coefficient > 0) {
                (Kind::FloorDivision, [of, by], positive) => {
                    let Some(divisor @ 1..) = polynomial::number(by) else { continue };
                    let bound =
                        if positive { polynomial::plus_number(of, 1 - i128::from(divisor)) } else { Ok(of.clone()) };
                    if let Ok(bound) = bound {
                        replace(&bound, divisor);
                    }
                }
                (Kind::Remainder, [of, by], false)
                    if by_terms(of).never_negative() && by_terms(by).never_negative() =>
                {
                    replace(of, 1);
                }
                (Kind::Larger, arguments, true) | (Kind::Smaller, arguments, false) => {
                    for argument in arguments {
                        replace(argument, 1);
                    }
                }
                _ => {}
            }
        }
    }
    best
}

impl Application {
    /// The bounds of an operation, from those of its arguments.
    pub(super) fn bounds_of(kind: Kind, arguments: &[Polynomial]) -> Bounds {
        let all = || arguments.iter().map(|argument| bounds(argument));
        match (kind, arguments) {
            (Kind::FloorDivision, [of, by]) => quotient(bounds(of), bounds(by)),
            (Kind::Remainder, [of, by]) => {
                let (of, by) = (bounds(of), bounds(by));
                if !by.never_negative() {
                    return Bounds::NONE;
                }
                let below = by.upper.map(|upper| (upper - 1).max(0));
                let most = of.upper.filter(|_| of.never_negative());
                let upper = below.zip(most).map(|(below, most)| below.min(most)).or(below).or(most);
                Bounds { lower: Some(0), upper }
            }
            (Kind::Larger, _) => Bounds {
                lower: all().filter_map(|bounds| bounds.lower).max(),
                upper: all().map(|bounds| bounds.upper).try_fold(i64::MIN, |most, end| Some(most.max(end?))),
            },
            (Kind::Smaller, _) => Bounds {
                lower: all().map(|bounds| bounds.lower).try_fold(i64::MAX, |lower, end| Some(lower.min(end?))),
                upper: all().filter_map(|bounds| bounds.upper).min(),
            },
            (Kind::FloorDivision | Kind::Remainder, _) => Bounds::NONE,
        }
    }
}

/// The bounds of a quotient that is rounded down. A divisor is not zero.
fn quotient(of: Bounds, by: Bounds) -> Bounds {
    if !by.never_negative() {
        return Bounds::NONE;
    }
    let floor = |of: i64, by: i64| floor_quotient(of.into(), by.into()).and_then(|it| i64::try_from(it).ok());
    let smallest = by.lower.map_or(1, |lower| lower.max(1));
    // A larger divisor moves the quotient towards zero, or from below towards -1.
    let lower = of.lower.and_then(|lower| match by.upper {
        _ if lower < 0 => floor(lower, smallest),
        Some(largest) => floor(lower, largest.max(1)),
        None => Some(0),
    });
    let upper = of.upper.and_then(|upper| match by.upper {
        _ if upper >= 0 => floor(upper, smallest),
        Some(largest) => floor(upper, largest.max(1)),
        None => Some(-1),
    });
    Bounds { lower, upper }
}
