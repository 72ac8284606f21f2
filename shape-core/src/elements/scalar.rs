//! One element of a tensor.

use crate::dimension::Dimension;

/// An element of a tensor: a number, an expression over sizes, or unknown for a reason.
///
/// An integer that is a number is an `Int`, whatever it came from: [`Scalar::size`] sees to it. In a tensor of floats
/// numbers are `Float`; a size or an expression there is a whole number, as a size that was cast to float is.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<D: Dimension = u64> {
    /// An integer.
    Int(i64),
    /// The size of something: it is never negative, even where it is not known.
    Size(D),
    /// An integer that may be negative, such as `N - 5`. The dimension is its expression, without being a size.
    Expression(D),
    /// A truth value.
    Bool(bool),
    /// A floating-point number. One of a narrower type is among those of this one.
    Float(f64),
    /// Nothing is known, for this reason.
    Unknown(D::Reason),
}
