//! One element of a tensor.

use super::ratio::Ratio;
use crate::dimension::Dimension;

/// An element of a tensor: a number, an expression over sizes, or unknown for a reason.
///
/// A known integer is always an `Int`, also as a size: [`Scalar::size`] ensures it. In a tensor of floats, numbers are
/// `Float`; a size or an expression there is a whole number, such as a size that was cast to float, and a `Ratio` such a
/// number divided by another.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<D: Dimension = u64> {
    /// An integer.
    Int(i64),
    /// A size: never negative, even if it is not a known number.
    Size(D),
    /// An integer that may be negative, such as `N - 5`. `D` holds its expression, and is not a size here.
    Expression(D),
    /// A boolean.
    Bool(bool),
    /// A floating-point number; f64 represents those of narrower types exactly.
    Float(f64),
    /// A float that is a quotient, such as `N/32`.
    Ratio(Ratio<D>),
    /// Unknown, for this reason.
    Unknown(D::Reason),
}
