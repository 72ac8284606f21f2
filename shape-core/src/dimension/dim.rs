//! One dimension of a tensor, and its arithmetic.
//!
//! **Architecture Invariant.** A rule is generic over the dimension, so that the same code works for numbers and symbols.

use core::fmt;

use super::integer::{Integer, Operation, Undecided};

/// The largest size that ONNX can store: dimensions and their products are int64.
pub const LARGEST: u64 = i64::MAX as u64;

/// One dimension of a tensor: a number (`u64`), or a symbolic expression. Every number is a dimension.
///
/// Arithmetic returns `None` only if no size is possible: a product of numbers past [`LARGEST`], a quotient that is never
/// whole, a difference that is always negative. A result that cannot be decided is an unknown dimension, and a result that
/// depends on symbols is taken to be a valid size.
pub trait Dimension: Clone + fmt::Debug + PartialEq + From<u64> {
    /// Why an element is not known.
    type Reason: Clone + fmt::Debug + PartialEq + Send + Sync;

    /// The size in elements, where it is a number.
    fn known(&self) -> Option<u64>;

    /// The product; `None` if it is a number past [`LARGEST`].
    #[must_use]
    fn mul(&self, other: &Self) -> Option<Self>;

    /// The quotient, which must be whole; `None` if it never is, or the divisor is zero.
    #[must_use]
    fn div_exact(&self, divisor: &Self) -> Option<Self>;

    /// The sum; `None` if it is a number past [`LARGEST`].
    #[must_use]
    fn add(&self, other: &Self) -> Option<Self>;

    /// The difference; `None` if it is always negative.
    #[must_use]
    fn sub(&self, other: &Self) -> Option<Self>;

    /// The quotient, rounded down; `None` if the divisor is zero.
    #[must_use]
    fn floor_div(&self, divisor: u64) -> Option<Self>;

    /// The quotient, rounded up; `None` if the divisor is zero.
    #[must_use]
    fn ceil_div(&self, divisor: u64) -> Option<Self>;

    /// The larger of the two.
    #[must_use]
    fn max(&self, other: &Self) -> Option<Self>;

    /// The smaller of the two.
    #[must_use]
    fn min(&self, other: &Self) -> Option<Self>;

    /// A lower bound for all values of the symbols, if one is found. As an expression, it may be negative.
    fn lower_bound(&self) -> Option<i64>;

    /// An upper bound for all values of the symbols, if one is found.
    fn upper_bound(&self) -> Option<i64>;

    /// The more specific of two descriptions of one dimension: a number before an expression over the symbols of the model
    /// before one with a fresh symbol before an unknown one; `self` if neither is.
    #[must_use]
    fn refine(self, other: Self) -> Self;

    /// Whether it is known, and an expression over sizes only. Other symbols stand for elements, which may be any integer,
    /// such as a marker with a meaning of its own.
    #[must_use]
    fn of_sizes(&self) -> bool;

    /// Whether this and another can be the same number.
    #[must_use]
    fn may_equal(&self, other: &Self) -> bool;

    /// Whether two dimensions are always equal. An unknown one does not even equal itself.
    #[must_use]
    fn same_as(&self, other: &Self) -> bool;

    /// Whether two dimensions are equal wherever both are sizes, and so not negative: `N - 1` and `N - min(N, 1)` are, though
    /// they differ as expressions where `N` is 0.
    ///
    /// ```
    /// use shape_core::dimension::Dimension as _;
    /// let mut symbols = shape_core::symbolic::Symbols::default();
    /// let (without_first, slice) = (symbols.dim("N//2 - 1"), symbols.dim("N//2 - min(N//2, 1)"));
    /// assert!(without_first.same_size(&slice) && slice.same_size(&without_first) && without_first != slice);
    /// assert!(!symbols.dim("N//2").same_size(&slice));
    /// ```
    #[must_use]
    fn same_size(&self, other: &Self) -> bool;

    /// The result of an operation on integers, at least one of which is an expression; unlike dimensions they may be negative.
    /// Rules use it through the arithmetic of [`Scalar`](crate::elements::Scalar).
    ///
    /// # Errors
    /// Why it is not known.
    fn compute(
        operation: Operation,
        left: Integer<&Self>,
        right: Integer<&Self>,
    ) -> Result<Integer<Self>, Self::Reason>;

    /// Converts why arithmetic has no answer to a reason.
    fn reason(why: Undecided) -> Self::Reason;

    /// An unknown dimension with its reason; `None` if this type has no unknown dimensions.
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

    fn refine(self, _: Self) -> Self {
        self
    }

    fn of_sizes(&self) -> bool {
        true
    }

    fn may_equal(&self, other: &Self) -> bool {
        self == other
    }

    fn same_as(&self, other: &Self) -> bool {
        self == other
    }

    fn same_size(&self, other: &Self) -> bool {
        self == other
    }

    // Only a number past int64 gets here.
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
