//! Arithmetic on whole numbers: the operations, and why one has no answer.

/// An operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a // b`: the quotient, rounded down.
    FloorDiv,
    /// `a % b`: the remainder, with the sign of the divisor.
    Mod,
    /// `max(a, b)`.
    Max,
    /// `min(a, b)`.
    Min,
}

/// An integer: a number, or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer<T> {
    /// A number.
    Number(i64),
    /// An expression.
    Open(T),
}

/// Why arithmetic has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Undecided {
    /// The result is a number that does not fit its type.
    Overflow,
    /// The divisor is zero.
    ZeroDivisor,
    /// The result depends on a sign that is not known.
    Sign,
    /// The comparison holds for some sizes and not for others.
    Comparison,
    /// The operation is not computed on elements of this kind.
    NotFollowed,
    /// The branches of a node have different elements.
    Branches,
    /// An element may be any integer, and some of them have a meaning of their own.
    AnyInteger,
}

impl Undecided {
    /// A description for messages.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Overflow => "an element overflows its type",
            Self::ZeroDivisor => "an element is divided by zero",
            Self::Sign => "an element depends on whether an expression is negative",
            Self::Comparison => "an element of it depends on a comparison that holds for some sizes only",
            Self::NotFollowed => "an element of it is of a kind that the operation is not followed on",
            Self::Branches => "an element of it is not the same in both branches",
            Self::AnyInteger => "an entry that is known only when the model runs may be -1 or 0",
        }
    }
}

/// The quotient, rounded down.
pub(crate) fn floor_quotient(left: i128, right: i128) -> Option<i128> {
    let (quotient, rest) = (left.checked_div(right)?, left.checked_rem(right)?);
    Some(if rest != 0 && (rest < 0) != (right < 0) { quotient - 1 } else { quotient })
}

/// The remainder, with the sign of the divisor.
pub(crate) fn floor_remainder(left: i128, right: i128) -> Option<i128> {
    let rest = left.checked_rem(right)?;
    Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
}
