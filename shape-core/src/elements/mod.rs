//! The elements of a tensor, as far as they are known before a model runs.

pub mod arithmetic;
mod fraction;
mod list;
mod ratio;
mod rounding;
mod scalar;

pub use list::Elements;
pub use ratio::Ratio;
pub use scalar::Scalar;
