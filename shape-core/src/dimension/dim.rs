//! One dimension of a tensor, and what rules can do with it.
//!
//! **Architecture Invariant.** A rule is generic over the dimension, so that the same lines serve numbers and symbols.

use core::fmt;

use super::integer::{Integer, Operation, Undecided};

/// The largest size that ONNX can write down: dimensions and their products are int64.
pub const LARGEST: u64 = i64::MAX as u64;

/// One dimension of a tensor, as a rule needs it: a number (`u64`), or something that may be one. A number makes one.
///
/// Arithmetic says `None` only for what no number can be: a product of numbers past [`LARGEST`], a quotient that is
/// never whole, a difference that is always negative. What merely stays open is a dimension that is not known, and what
/// depends on symbols is taken for a size, since a dimension is one.
pub trait Dimension: Clone + fmt::Debug + PartialEq + From<u64> {
    /// Why an element is not known.
    type Reason: Clone + fmt::Debug + PartialEq + Send + Sync;

    /// The size in elements, where it is a number.
    fn known(&self) -> Option<u64>;

    /// The product; `None` where it is a number past [`LARGEST`].
    #[must_use]
    fn mul(&self, other: &Self) -> Option<Self>;

    /// The quotient, which must be whole; `None` where it never is, or the divisor is zero.
    #[must_use]
    fn div_exact(&self, divisor: &Self) -> Option<Self>;

    /// The sum; `None` where it is a number past [`LARGEST`].
    #[must_use]
    fn add(&self, other: &Self) -> Option<Self>;

    /// The difference; `None` where it is always negative.
    #[must_use]
    fn sub(&self, other: &Self) -> Option<Self>;

    /// The quotient, rounded down; `None` where the divisor is zero.
    #[must_use]
    fn floor_div(&self, divisor: u64) -> Option<Self>;

    /// The quotient, rounded up; `None` where the divisor is zero.
    #[must_use]
    fn ceil_div(&self, divisor: u64) -> Option<Self>;

    /// The larger of both.
    #[must_use]
    fn max(&self, other: &Self) -> Option<Self>;

    /// The smaller of both.
    #[must_use]
    fn min(&self, other: &Self) -> Option<Self>;

    /// A number that it is never below, where one is found: as an expression, whatever the symbols are.
    fn lower_bound(&self) -> Option<i64>;

    /// A number that it is never above, where one is found.
    fn upper_bound(&self) -> Option<i64>;

    /// Whether this and another can be the same number.
    #[must_use]
    fn may_equal(&self, other: &Self) -> bool;

    /// Whether this and another are the same number, whichever that is. What is not known is not even the same as itself.
    #[must_use]
    fn same_as(&self, other: &Self) -> bool;

    /// The result of an operation on integers, one of which is no number; they may be negative, other than dimensions.
    /// For the arithmetic of [`Scalar`](crate::elements::Scalar), which rules use.
    ///
    /// # Errors
    /// Why it is not known.
    fn compute(
        operation: Operation,
        left: Integer<&Self>,
        right: Integer<&Self>,
    ) -> Result<Integer<Self>, Self::Reason>;

    /// What arithmetic has to say, as a reason.
    fn reason(why: Undecided) -> Self::Reason;

    /// A dimension that is not known for a reason; `None` where every dimension is.
    fn unknown(reason: Self::Reason) -> Option<Self>;
}

impl Dimension for u64 {
    type Reason = Undecided;

    fn known(&self) -> Option<u64> {
        Some(*self)
    }

    fn mul(&self, other: &Self) -> Option<Self> {
        self.checked_mul(*other).filter(|product| *product <= LARGEST)
    }

    fn div_exact(&self, divisor: &Self) -> Option<Self> {
        (self.checked_rem(*divisor)? == 0).then(|| self / divisor)
    }

    fn add(&self, other: &Self) -> Option<Self> {
        self.checked_add(*other).filter(|sum| *sum <= LARGEST)
    }

    fn sub(&self, other: &Self) -> Option<Self> {
        self.checked_sub(*other)
    }

    fn floor_div(&self, divisor: u64) -> Option<Self> {
        self.checked_div(divisor)
    }

    fn ceil_div(&self, divisor: u64) -> Option<Self> {
        (divisor != 0).then(|| self.div_ceil(divisor))
    }

    fn max(&self, other: &Self) -> Option<Self> {
        Some(*Ord::max(self, other))
    }

    fn min(&self, other: &Self) -> Option<Self> {
        Some(*Ord::min(self, other))
    }

    fn lower_bound(&self) -> Option<i64> {
        Some(i64::try_from(*self).unwrap_or(i64::MAX))
    }

    fn upper_bound(&self) -> Option<i64> {
        i64::try_from(*self).ok()
    }

    fn may_equal(&self, other: &Self) -> bool {
        self == other
    }

    fn same_as(&self, other: &Self) -> bool {
        self == other
    }

    // A number that is not taken for one is past int64.
    fn compute(_: Operation, _: Integer<&Self>, _: Integer<&Self>) -> Result<Integer<Self>, Undecided> {
        Err(Undecided::Overflow)
    }

    fn reason(why: Undecided) -> Undecided {
        why
    }

    fn unknown(_: Undecided) -> Option<Self> {
        None
    }
}
