//! Numbers that an expression is never below or above, whatever sizes its symbols are.
//!
//! Each term is bounded by itself, which says little where terms depend on each other: of `N - N//2` only that it is
//! anything. So an operation with a bound that is an expression is replaced by that: `N//2` is at most `N/2`, which
//! leaves `N/2`, and that is at least 0.

use super::application::{Application, Kind};
use super::polynomial::{self, Polynomial};
use super::term::{Factor, Term};
use crate::dimension::floor_quotient;

/// How many replacements are tried for one bound.
const MAX_REPLACEMENTS: u32 = 8;

/// The least and the greatest number; `None` where there is no such number, or it is past int64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bounds {
    pub(super) least: Option<i64>,
    pub(super) greatest: Option<i64>,
}

impl Bounds {
    pub(super) const NONE: Self = Self { least: None, greatest: None };
    const SIZE: Self = Self { least: Some(0), greatest: None };

    pub(super) const fn number(number: i64) -> Self {
        Self { least: Some(number), greatest: Some(number) }
    }

    pub(super) fn never_negative(self) -> bool {
        self.least.is_some_and(|least| least >= 0)
    }

    fn mul(self, other: Self) -> Self {
        let both = |left: Option<i64>, right: Option<i64>| left?.checked_mul(right?);
        if self.never_negative() && other.never_negative() {
            return Self { least: both(self.least, other.least), greatest: both(self.greatest, other.greatest) };
        }
        let ends = [self.least, self.greatest].map(|left| [other.least, other.greatest].map(|right| both(left, right)));
        let [[Some(a), Some(b)], [Some(c), Some(d)]] = ends else { return Self::NONE };
        Self { least: Some(a.min(b).min(c).min(d)), greatest: Some(a.max(b).max(c).max(d)) }
    }

    fn scaled(self, by: i64) -> Self {
        let scale = |end: Option<i64>| end?.checked_mul(by);
        let (least, greatest) = (scale(self.least), scale(self.greatest));
        if by < 0 { Self { least: greatest, greatest: least } } else { Self { least, greatest } }
    }

    fn add(self, other: Self) -> Self {
        let both = |left: Option<i64>, right: Option<i64>| left?.checked_add(right?);
        Self { least: both(self.least, other.least), greatest: both(self.greatest, other.greatest) }
    }
}

impl Factor {
    fn bounds(&self) -> Bounds {
        match self {
            Self::Symbol(_) => Bounds::SIZE,
            Self::Applied(application) => application.bounds(),
        }
    }
}

fn of_factors(factors: &[Factor]) -> Bounds {
    factors.iter().fold(Bounds::number(1), |bounds, factor| bounds.mul(factor.bounds()))
}

/// The bounds that the terms have each by itself.
fn by_terms(terms: &[Term]) -> Bounds {
    let bounds = |term: &Term| of_factors(term.factors.as_slice()).scaled(term.coefficient);
    terms.iter().fold(Bounds::number(0), |sum, term| sum.add(bounds(term)))
}

/// The bounds of a polynomial.
pub(super) fn bounds(terms: &[Term]) -> Bounds {
    Bounds { least: lower_bound(terms), greatest: upper_bound(terms) }
}

pub(super) fn lower_bound(terms: &[Term]) -> Option<i64> {
    let mut replacements = MAX_REPLACEMENTS;
    least_with(terms, &mut replacements)
}

pub(super) fn upper_bound(terms: &[Term]) -> Option<i64> {
    let greatest = by_terms(terms).greatest;
    if !has_applications(terms) {
        return greatest;
    }
    let other = polynomial::negated(terms).ok().and_then(|terms| lower_bound(&terms)?.checked_neg());
    match (greatest, other) {
        (Some(greatest), Some(other)) => Some(greatest.min(other)),
        (greatest, other) => greatest.or(other),
    }
}

fn has_applications(terms: &[Term]) -> bool {
    terms.iter().any(|term| term.depth() > 0)
}

fn least_with(terms: &[Term], replacements: &mut u32) -> Option<i64> {
    let mut best = by_terms(terms).least;
    // Where nothing is taken away, no terms cancel.
    if !has_applications(terms) || polynomial::variable(terms).iter().all(|term| term.coefficient > 0) {
        return best;
    }
    for (index, term) in terms.iter().enumerate() {
        for (at, factor) in term.factors.as_slice().iter().enumerate() {
            let Factor::Applied(application) = factor else { continue };
            let Some(others) = term.factors.without(core::slice::from_ref(factor)) else { continue };
            // Of what repeats, one is enough.
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
                let least = least_with(&whole, replacements)?;
                // Rounded up, as an integer that is at least a fraction is.
                let up = floor_quotient(-i128::from(least), divisor.into())?;
                let least = i64::try_from(-up).ok()?;
                best = Some(best.map_or(least, |best| best.max(least)));
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
                let below = by.greatest.map(|greatest| (greatest - 1).max(0));
                let most = of.greatest.filter(|_| of.never_negative());
                let greatest = below.zip(most).map(|(below, most)| below.min(most)).or(below).or(most);
                Bounds { least: Some(0), greatest }
            }
            (Kind::Larger, _) => Bounds {
                least: all().filter_map(|bounds| bounds.least).max(),
                greatest: all().map(|bounds| bounds.greatest).try_fold(i64::MIN, |most, end| Some(most.max(end?))),
            },
            (Kind::Smaller, _) => Bounds {
                least: all().map(|bounds| bounds.least).try_fold(i64::MAX, |least, end| Some(least.min(end?))),
                greatest: all().filter_map(|bounds| bounds.greatest).min(),
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
    let smallest = by.least.map_or(1, |least| least.max(1));
    // What is divided by more comes nearer to zero, or to -1 from below.
    let least = of.least.and_then(|least| match by.greatest {
        _ if least < 0 => floor(least, smallest),
        Some(largest) => floor(least, largest.max(1)),
        None => Some(0),
    });
    let greatest = of.greatest.and_then(|greatest| match by.greatest {
        _ if greatest >= 0 => floor(greatest, smallest),
        Some(largest) => floor(greatest, largest.max(1)),
        None => Some(-1),
    });
    Bounds { least, greatest }
}
