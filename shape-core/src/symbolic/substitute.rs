//! Symbols replaced by what they equal, and equations solved for a symbol.

use alloc::vec::Vec;

use super::application::{self, Application, Kind};
use super::dim::{Dim, with_number};
use super::expression::{Form, each_symbol};
use super::polynomial::{self, Failure, Outcome, Polynomial, product, scaled, sum};
use super::symbols::Symbol;
use super::term::{Factor, Factors, Term};
use crate::dimension::Undecided;
use crate::elements::Scalar;

/// What factors are replaced by; `None` for one that stays.
type Replacements<'r> = &'r dyn Fn(&Factor) -> Option<Outcome>;

impl Dim {
    /// The dimension with symbols replaced by what they equal; `None` if none is replaced, or what comes out is too large or
    /// no size.
    ///
    /// ```
    /// use shape_core::symbolic::{Dim, Symbols};
    /// let mut symbols = Symbols::default();
    /// let (dim, from, to) = (symbols.dim("2*N + T//2"), symbols.dim("N"), symbols.dim("T + 1"));
    /// let replaced = dim.substituted(&|symbol| (Dim::Symbol(symbol) == from).then(|| to.clone())).unwrap();
    /// assert_eq!(replaced, symbols.dim("2*T + T//2 + 2"));
    /// ```
    #[must_use]
    pub fn substituted(&self, sizes: &dyn Fn(Symbol) -> Option<Self>) -> Option<Self> {
        match self.replaced(sizes)? {
            Form::Number(number) => u64::try_from(number).ok().map(Self::Known),
            form => Some(Self::from_form(form)),
        }
    }

    fn replaced(&self, sizes: &dyn Fn(Symbol) -> Option<Self>) -> Option<Form> {
        let mut any = false;
        self.each_symbol(&mut |symbol| any |= sizes(symbol).is_some());
        if !any {
            return None;
        }
        let by = |factor: &Factor| match factor {
            Factor::Symbol(symbol) => {
                let terms = sizes(*symbol)?.with_terms(|terms| Polynomial(terms.to_vec()));
                Some(terms.map_err(|_| Failure::TooLarge))
            }
            Factor::Applied(_) => None,
        };
        Some(self.with_terms(|terms| replaced(terms, &by)).ok()?.ok()?.form())
    }

    /// Whether another dimension equals this one wherever this one is not negative. It is written as a symbol of its own,
    /// which is a size; where the other one comes out as this symbol, they are equal.
    pub(super) fn covers_size(&self, other: &Self) -> bool {
        let (Self::Expression(this), Self::Expression(_) | Self::Symbol(_)) = (self, other) else { return false };
        let size = Polynomial::from(Term::of(1, Factor::Symbol(Symbol::PLACEHOLDER)));
        this.terms().iter().enumerate().any(|(at, term)| {
            let Term { coefficient: 1, factors: Factors::One(factor) } = term else { return false };
            let rest = this.terms().iter().enumerate().filter(|(other, _)| *other != at).map(|(_, term)| term.clone());
            // Terms that the factor stands for, if the whole is the symbol.
            let by = |found: &Factor| (found == factor).then(|| sum(&size, &Polynomial(rest.clone().collect()), -1));
            matches!(other.with_terms(|terms| replaced(terms, &by)), Ok(Ok(terms)) if terms == size)
        })
    }

    /// Solves the equation of this and another dimension for a symbol, and returns the symbol and its size. The symbol
    /// is the fresh one that was made last; without a fresh one, it is the last one of the model, and the size is a
    /// number or a symbol. `None` if it does not follow: a symbol that is multiplied with another may be anything where
    /// that is 0.
    ///
    /// A quotient that is part of the size is whole where the two are equal.
    ///
    /// ```
    /// use shape_core::symbolic::{Dim, Symbols};
    /// let mut symbols = Symbols::default();
    /// let fresh = symbols.make_fresh(true);
    /// let (double, n) = (Dim::Symbol(fresh).substituted(&|_| None), symbols.dim("N"));
    /// assert_eq!(double, None);
    /// assert_eq!(n.solved(&Dim::Symbol(fresh)), Some((fresh, n.clone())));
    /// assert_eq!(n.solved(&symbols.dim("T*N")), None);
    /// ```
    #[must_use]
    pub fn solved(&self, other: &Self) -> Option<(Symbol, Self)> {
        let difference = self.with_terms(|left| other.with_terms(|right| sum(left, right, -1))).ok()?.ok()?.ok()?;
        let mut last = None;
        each_symbol(&difference, &mut |symbol| last = last.max(Some(symbol)));
        let symbol = last?;
        let is_alone = |term: &&Term| term.factors == Factors::One(Factor::Symbol(symbol));
        let coefficient = difference.iter().find(is_alone)?.coefficient;
        let rest = Polynomial(difference.iter().filter(|term| !is_alone(term)).cloned().collect());
        let mut again = false;
        each_symbol(&rest, &mut |other| again |= other == symbol);
        if again || polynomial::number(&rest).is_some_and(|number| number.checked_rem(coefficient) != Some(0)) {
            return None;
        }
        let size =
            scaled(&rest, -1).and_then(|rest| with_number(coefficient, |by| application::floor_division(&rest, by)));
        let size = match size.ok()?.form() {
            Form::Number(number) => Self::Known(u64::try_from(number).ok()?),
            Form::Expression(_) if symbol.fresh().is_none() => return None,
            form => Self::from_form(form),
        };
        Some((symbol, size))
    }
}

impl Scalar<Dim> {
    /// The element with symbols replaced by what they equal; see [`Dim::substituted`].
    #[must_use]
    pub fn substituted(&self, sizes: &dyn Fn(Symbol) -> Option<Dim>) -> Option<Self> {
        if let Self::Ratio(ratio) = self {
            return Some(match ratio.dividend().substituted(sizes)?.ratio(&Self::Int(ratio.by().into())) {
                // What it is rounded to depends on the type of the tensor.
                Self::Float(_) if !ratio.is_exact() => Self::undecided(Undecided::NotFollowed),
                element => element,
            });
        }
        let is_size = matches!(self, Self::Size(_));
        let (Self::Size(dim) | Self::Expression(dim)) = self else { return None };
        Some(match dim.replaced(sizes)? {
            Form::Number(number) => Self::Int(number),
            form if is_size => Self::Size(Dim::from_form(form)),
            form => Self::Expression(Dim::from_form(form)),
        })
    }
}

fn replaced(terms: &[Term], by: Replacements<'_>) -> Outcome {
    let mut all = Polynomial::from(0);
    for term in terms {
        let mut whole = Polynomial::from(term.coefficient);
        for factor in term.factors.as_slice() {
            let factor = match (by(factor), factor) {
                (Some(replaced), _) => replaced?,
                (None, Factor::Symbol(_)) => Polynomial::from(Term::of(1, factor.clone())),
                (None, Factor::Applied(application)) => application.replaced(by)?,
            };
            whole = product(&whole, &factor)?;
        }
        all = sum(&all, &whole, 1)?;
    }
    Ok(all)
}

impl Application {
    fn replaced(&self, by: Replacements<'_>) -> Outcome {
        let arguments: Vec<Polynomial> =
            self.arguments().iter().map(|argument| replaced(argument, by)).collect::<Result<_, _>>()?;
        match (self.kind(), &*arguments) {
            (Kind::FloorDivision, [of, by]) => application::floor_division(of, by),
            (Kind::Remainder, [of, by]) => application::remainder(of, by),
            (kind @ (Kind::Larger | Kind::Smaller), _) => application::extreme(kind, arguments),
            (Kind::FloorDivision | Kind::Remainder, _) => Err(Failure::TooLarge),
        }
    }
}
