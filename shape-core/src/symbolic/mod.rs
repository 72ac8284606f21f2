//! Dimensions that are numbers, symbols, expressions over symbols, or unknown for a reason.
//!
//! A symbol is a size: zero or more. An expression is a sum of products of symbols and of operations on expressions:
//! floor division, remainder, maximum and minimum. Sums and products have one canonical form, and operations as far as that
//! is cheap. Two expressions compare equal if they have the same form, and then have the same value for all sizes.

mod application;
mod arithmetic;
mod bounds;
mod dim;
mod display;
mod expression;
mod limits;
mod parse;
mod polynomial;
mod reason;
mod substitute;
mod symbols;
mod term;
mod write;

pub use dim::Dim;
pub use display::{DisplayDim, DisplayScalar};
pub use expression::Expression;
pub use limits::{MAX_ARGUMENTS, MAX_DEPTH, MAX_FACTORS, MAX_NODES, MAX_TERMS};
pub use reason::{Cause, Reason};
pub use symbols::{Symbol, Symbols};
