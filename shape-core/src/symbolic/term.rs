//! Terms: a coefficient and what it is multiplied with.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};

use super::application::Application;
use super::symbols::Symbol;

/// What a term multiplies: a symbol, or an operation that is no sum and no product.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Factor {
    Symbol(Symbol),
    Applied(Arc<Application>),
}

/// The factors of a term, sorted. A single factor, the usual case, needs no allocation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Factors {
    None,
    One(Factor),
    /// Two and more.
    Many(Box<[Factor]>),
}

impl Factors {
    pub(super) fn as_slice(&self) -> &[Factor] {
        match self {
            Self::None => &[],
            Self::One(factor) => core::slice::from_ref(factor),
            Self::Many(factors) => factors,
        }
    }

    /// The factors of a product, in any order.
    fn sorted(mut factors: Vec<Factor>) -> Self {
        factors.sort_unstable();
        match factors.len() {
            0 | 1 => factors.pop().map_or(Self::None, Self::One),
            _ => Self::Many(factors.into()),
        }
    }

    pub(super) fn mul(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::None, factors) | (factors, Self::None) => factors.clone(),
            _ => Self::sorted(self.as_slice().iter().chain(other.as_slice()).cloned().collect()),
        }
    }

    /// The factors without others, each of which must be among them.
    pub(super) fn without(&self, others: &[Factor]) -> Option<Self> {
        if others.is_empty() {
            return Some(self.clone());
        }
        let mut factors = self.as_slice().to_vec();
        for factor in others {
            let at = factors.iter().position(|other| other == factor)?;
            factors.remove(at);
        }
        Some(Self::sorted(factors))
    }
}

/// A coefficient and its factors; without factors, a number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Term {
    pub(super) coefficient: i64,
    pub(super) factors: Factors,
}

impl Term {
    pub(super) const fn number(coefficient: i64) -> Self {
        Self { coefficient, factors: Factors::None }
    }

    pub(super) const fn of(coefficient: i64, factor: Factor) -> Self {
        Self { coefficient, factors: Factors::One(factor) }
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self.factors, Factors::None)
    }

    /// The operation that is the only factor.
    pub(super) fn application(&self) -> Option<&Application> {
        match &self.factors {
            Factors::One(Factor::Applied(application)) => Some(application),
            _ => None,
        }
    }

    /// The order of terms. It goes along with multiplication: of two terms the greater stays the greater when both are
    /// multiplied with a third, which is what division rests on.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let (left, right) = (self.factors.as_slice(), other.factors.as_slice());
        Reverse(left.len()).cmp(&Reverse(right.len())).then_with(|| left.cmp(right))
    }

    /// The number of symbols and numbers in it, including those in its operations.
    pub(super) fn nodes(&self) -> usize {
        let nodes = |factor: &Factor| match factor {
            Factor::Symbol(_) => 1,
            Factor::Applied(application) => usize::from(application.nodes()),
        };
        1 + self.factors.as_slice().iter().map(nodes).sum::<usize>()
    }

    /// The depth of nested operations in it.
    pub(super) fn depth(&self) -> u8 {
        let depth = |factor: &Factor| match factor {
            Factor::Symbol(_) => 0,
            Factor::Applied(application) => application.depth(),
        };
        self.factors.as_slice().iter().map(depth).max().unwrap_or(0)
    }
}
