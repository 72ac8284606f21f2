//! Dimensions: numbers or symbolic expressions, and the arithmetic that rules need.

mod dim;
mod integer;
mod product;

pub use dim::{Dimension, LARGEST};
pub use integer::{Integer, Operation, Undecided};
pub(crate) use integer::{floor_quotient, floor_remainder};
pub use product::Product;
