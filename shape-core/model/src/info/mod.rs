//! What a model holds, and what a run of it takes: parameters, the memory of activations, and multiply-adds.
//!
//! Sums are expressions over the symbols of the model. What is not in a sum is counted beside it.

mod activations;
mod multiply_adds;
mod parameters;
mod size;

pub use activations::Activations;
pub use multiply_adds::{MultiplyAdds, OperatorNodes};
pub use parameters::{Parameters, ParametersOfType};
