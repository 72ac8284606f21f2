//! The elements of a tensor, as far as they are known before a model runs.

pub mod arithmetic;
mod list;
mod ratio;
mod scalar;

pub use list::Elements;
pub use ratio::Ratio;
pub use scalar::Scalar;
