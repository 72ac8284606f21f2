//! The operations beside sums and products: rounded quotients, remainders, maximum and minimum.
//!
//! Each is normalized as far as that is cheap: needless operations are removed, numbers are folded, common factors are
//! moved out. Equal functions may still have different forms.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::bounds::{self, Bounds};
use super::limits::{MAX_ARGUMENTS, MAX_DEPTH, MAX_NODES};
use super::polynomial::{self, Failure, Outcome, Polynomial, constant, number, sum, variable};
use super::term::{Factor, Factors, Term};
use crate::dimension::{floor_quotient, floor_remainder};

/// Which operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// `a // b`, of two arguments.
    FloorDivision,
    /// `a % b`, of two arguments.
    Remainder,
    /// `max(a, b, ..)`, of sorted arguments, none of them redundant.
    Larger,
    /// `min(a, b, ..)`, likewise.
    Smaller,
}

/// An operation on expressions.
// The fields are ordered so that comparisons end early; all others follow from the operation and its arguments.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Application {
    nodes: u16,
    depth: u8,
    kind: Kind,
    bounds: Bounds,
    arguments: Box<[Polynomial]>,
}

impl Application {
    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn arguments(&self) -> &[Polynomial] {
        &self.arguments
    }

    pub(super) const fn nodes(&self) -> u16 {
        self.nodes
    }

    pub(super) const fn depth(&self) -> u8 {
        self.depth
    }

    pub(super) const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The operation as the only term.
    fn term(kind: Kind, arguments: Vec<Polynomial>) -> Outcome {
        let nodes = 1 + arguments.iter().map(|argument| polynomial::nodes(argument)).sum::<usize>();
        let depth = 1 + arguments.iter().flat_map(|argument| argument.iter()).map(Term::depth).max().unwrap_or(0);
        if nodes > MAX_NODES || depth > MAX_DEPTH {
            return Err(Failure::TooLarge);
        }
        let nodes = u16::try_from(nodes).map_err(|_| Failure::TooLarge)?;
        let bounds = Self::bounds_of(kind, &arguments);
        let application = Self { nodes, depth, kind, bounds, arguments: arguments.into() };
        Ok(Polynomial::from(Term::of(1, Factor::Applied(Arc::new(application)))))
    }
}

/// The terms without the one at an index.
fn without(terms: &[Term], at: usize) -> Polynomial {
    Polynomial(terms.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, term)| term.clone()).collect())
}

/// The quotient, rounded down.
pub(super) fn floor_division(of: &[Term], by: &[Term]) -> Outcome {
    match number(by) {
        Some(0) => Err(Failure::ZeroDivisor),
        Some(by) if by < 0 => {
            floor_division_by_number(&polynomial::negated(of)?, by.checked_neg().ok_or(Failure::TooLarge)?)
        }
        Some(by) => floor_division_by_number(of, by),
        None => {
            if let Some(quotient) = polynomial::exact_quotient(of, by) {
                return Ok(quotient);
            }
            let (of, by) = without_common_factors(of, by);
            if number(&by).is_some() {
                return floor_division(&of, &by);
            }
            if is_remainder(&of, &by) {
                return Ok(Polynomial::from(0));
            }
            Application::term(Kind::FloorDivision, Vec::from([of, by]))
        }
    }
}

fn floor_division_by_number(of: &[Term], by: i64) -> Outcome {
    if let [Term { coefficient: 1, factors: Factors::One(Factor::Symbol(_)) }] = of
        && by > 1
    {
        return Application::term(Kind::FloorDivision, Vec::from([Polynomial(of.to_vec()), Polynomial::from(by)]));
    }
    let mut whole = Polynomial::from(0);
    let (mut of, mut by) = (Polynomial(of.to_vec()), by);
    loop {
        // Terms that the divisor divides move out: (2*N + T)//2 is N + T//2.
        let is_whole = |term: &Term| term.coefficient.checked_rem(by) == Some(0);
        let (divides, rest): (Vec<Term>, Vec<Term>) = variable(&of).iter().cloned().partition(is_whole);
        let number: i128 = constant(&of).into();
        let (quotient, left) =
            floor_quotient(number, by.into()).zip(floor_remainder(number, by.into())).ok_or(Failure::ZeroDivisor)?;
        whole = polynomial::plus_number(&sum(&whole, &polynomial::divided(&divides, by), 1)?, quotient)?;
        if rest.is_empty() {
            return Ok(whole);
        }
        of = polynomial::plus_number(&rest, left)?;
        // The floor of a floor: (N//2 + 1)//3 is (N + 2)//6.
        if let Some((inner, divisor)) = quotient_of_quotient(&of, by) {
            (of, by) = (inner, divisor);
            continue;
        }
        // A common divisor of all terms but the number cancels: (2*N + 1)//4 is N//2.
        match i64::try_from(polynomial::common_divisor(&rest, by.unsigned_abs())) {
            Ok(common @ 2..) => {
                of = polynomial::divided(&of, common);
                by = by.checked_div(common).ok_or(Failure::ZeroDivisor)?;
            }
            _ => break,
        }
    }
    let Bounds { lower, upper } = bounds::bounds(&of);
    if let (Some(lower), Some(upper)) = (lower, upper)
        && let low @ Some(quotient) = floor_quotient(lower.into(), by.into())
        && low == floor_quotient(upper.into(), by.into())
    {
        return polynomial::plus_number(&whole, quotient);
    }
    sum(&whole, &Application::term(Kind::FloorDivision, Vec::from([of, Polynomial::from(by)]))?, 1)
}

/// Merges a quotient with the only quotient among the terms of its dividend.
fn quotient_of_quotient(of: &[Term], by: i64) -> Option<(Polynomial, i64)> {
    let mut found = None;
    for (at, term) in of.iter().enumerate() {
        if let Some(application) = term.application().filter(|_| term.coefficient == 1)
            && let (Kind::FloorDivision, [inner, divisor]) = (application.kind(), application.arguments())
            && let Some(divisor) = number(divisor)
            && found.replace((at, inner, divisor)).is_some()
        {
            return None;
        }
    }
    let (at, inner, divisor) = found?;
    Some((sum(inner, &without(of, at), divisor).ok()?, by.checked_mul(divisor)?))
}

/// The remainder, with the sign of the divisor.
pub(super) fn remainder(of: &[Term], by: &[Term]) -> Outcome {
    match number(by) {
        Some(0) => Err(Failure::ZeroDivisor),
        Some(by) if by < 0 => {
            let by = by.checked_neg().ok_or(Failure::TooLarge)?;
            polynomial::negated(&remainder_by_number(&polynomial::negated(of)?, by)?)
        }
        Some(by) => remainder_by_number(of, by),
        None if polynomial::exact_quotient(of, by).is_some() => Ok(Polynomial::from(0)),
        None if is_remainder(of, by) => Ok(Polynomial(of.to_vec())),
        None => Application::term(Kind::Remainder, Vec::from([Polynomial(of.to_vec()), Polynomial(by.to_vec())])),
    }
}

fn remainder_by_number(of: &[Term], by: i64) -> Outcome {
    // Coefficients are reduced modulo the divisor: (5*N + 7) % 3 is (2*N + 1) % 3.
    let mut rest = Vec::new();
    let mut opened = Polynomial::from(0);
    for term in of {
        let coefficient = term.coefficient.checked_rem_euclid(by).ok_or(Failure::ZeroDivisor)?;
        // The remainder of a remainder: (N % 6) % 3 is N % 3.
        if let Some(application) = term.application()
            && let (Kind::Remainder, [inner, divisor]) = (application.kind(), application.arguments())
            && number(divisor).and_then(|divisor| divisor.checked_rem(by)) == Some(0)
            && let Ok(sum) = sum(&opened, inner, coefficient)
        {
            opened = sum;
        } else if coefficient != 0 {
            rest.push(Term { coefficient, factors: term.factors.clone() });
        }
    }
    if !opened.is_empty() {
        return remainder_by_number(&sum(&rest, &opened, 1)?, by);
    }
    let rest = Polynomial(rest);
    if let Some(number) = number(&rest) {
        return Ok(Polynomial::from(number));
    }
    // A common divisor of all terms but the number moves out: (4*N + 3) % 6 is 2*((2*N + 1) % 3) + 1.
    if let Ok(common @ 2..) = i64::try_from(polynomial::common_divisor(variable(&rest), by.unsigned_abs())) {
        let left = constant(&rest).checked_rem(common).ok_or(Failure::ZeroDivisor)?;
        let by = by.checked_div(common).ok_or(Failure::ZeroDivisor)?;
        let inner = remainder_by_number(&polynomial::divided(&rest, common), by)?;
        return polynomial::plus_number(&polynomial::scaled(&inner, common)?, left.into());
    }
    let Bounds { lower, upper } = bounds::bounds(&rest);
    if let (Some(lower), Some(upper)) = (lower, upper)
        && let low @ Some(quotient) = floor_quotient(lower.into(), by.into())
        && low == floor_quotient(upper.into(), by.into())
    {
        let by = i128::from(by).checked_mul(quotient).ok_or(Failure::TooLarge)?;
        return polynomial::plus_number(&rest, -by);
    }
    Application::term(Kind::Remainder, Vec::from([rest, Polynomial::from(by)]))
}

/// Whether it is at least zero and less than the divisor.
fn is_remainder(of: &[Term], by: &[Term]) -> bool {
    bounds::lower_bound(of).is_some_and(|lower| lower >= 0)
        && sum(by, of, -1).is_ok_and(|above| bounds::lower_bound(&above).is_some_and(|lower| lower >= 1))
}

/// Removes the common factors and numbers of both sides of a division. There is no quotient where such a factor is zero.
fn without_common_factors(of: &[Term], by: &[Term]) -> (Polynomial, Polynomial) {
    let unchanged = || (Polynomial(of.to_vec()), Polynomial(by.to_vec()));
    let mut common: Vec<Factor> = of.first().map_or_else(Vec::new, |term| term.factors.as_slice().to_vec());
    for term in of.iter().chain(by) {
        let mut left = term.factors.as_slice().to_vec();
        common.retain(|factor| left.iter().position(|other| other == factor).map(|at| left.remove(at)).is_some());
    }
    let Ok(number) = i64::try_from(polynomial::common_divisor(by, polynomial::common_divisor(of, 0))) else {
        return unchanged();
    };
    let without = |terms: &[Term]| {
        let without = |term: &Term| {
            let coefficient = term.coefficient.checked_div(number)?;
            Some(Term { coefficient, factors: term.factors.without(&common)? })
        };
        let mut terms: Vec<Term> = terms.iter().map(without).collect::<Option<_>>()?;
        terms.sort_unstable_by(Term::order);
        Some(Polynomial(terms))
    };
    without(of).zip(without(by)).unwrap_or_else(unchanged)
}

/// The maximum or minimum of any number of expressions.
pub(super) fn extreme(kind: Kind, arguments: Vec<Polynomial>) -> Outcome {
    // A common divisor moves out: max(2*N, 4) is 2*max(N, 2).
    let common = arguments.iter().fold(0, |divisor, argument| polynomial::common_divisor(argument, divisor));
    if let Ok(common @ 2..) = i64::try_from(common) {
        let arguments = arguments.iter().map(|argument| polynomial::divided(argument, common)).collect();
        return polynomial::scaled(&extreme(kind, arguments)?, common);
    }
    let mut flat = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match spread(&argument, kind) {
            Some(inner) => flat.extend(inner),
            None => flat.push(argument),
        }
    }
    flat.sort_unstable();
    flat.dedup();
    let before = flat.len();
    let mut index = 0;
    while let Some(argument) = flat.get(index) {
        let needless = flat.iter().enumerate().any(|(other, by)| other != index && covers(kind, by, argument));
        if needless {
            flat.remove(index);
        } else {
            index += 1;
        }
    }
    match flat.len() {
        1 => flat.pop().ok_or(Failure::TooLarge),
        // The remaining arguments may share a divisor.
        len if len < before => extreme(kind, flat),
        ..=MAX_ARGUMENTS => Application::term(kind, flat),
        _ => Err(Failure::TooLarge),
    }
}

/// Splits an argument at an inner maximum or minimum: 2*max(N, 1) + 3 for 2*N + 3 and 5, and 3 - min(N, 1) for 3 - N and 2.
fn spread(terms: &[Term], kind: Kind) -> Option<Vec<Polynomial>> {
    let [term] = variable(terms) else { return None };
    let inner = if term.coefficient > 0 { kind } else { opposite(kind) };
    let application = term.application().filter(|application| application.kind == inner)?;
    let shifted = |argument: &Polynomial| {
        let scaled = polynomial::scaled(argument, term.coefficient).ok()?;
        polynomial::plus_number(&scaled, constant(terms).into()).ok()
    };
    application.arguments.iter().map(shifted).collect()
}

fn opposite(kind: Kind) -> Kind {
    if kind == Kind::Larger { Kind::Smaller } else { Kind::Larger }
}

/// Whether one argument makes another one redundant, because it is never smaller (or never larger).
fn covers(kind: Kind, one: &[Term], other: &[Term]) -> bool {
    // max(N, min(N, T)) is N.
    if let [term] = other
        && let Some(application) = term.application().filter(|_| term.coefficient == 1)
        && application.kind == opposite(kind)
        && application.arguments.iter().any(|inner| **inner == *one)
    {
        return true;
    }
    let difference = if kind == Kind::Larger { sum(one, other, -1) } else { sum(other, one, -1) };
    difference.is_ok_and(|difference| bounds::lower_bound(&difference).is_some_and(|lower| lower >= 0))
}
