//! What is known of the inputs and outputs of a node before it runs, and why something is not.
//!
//! Rules read slices and hand slices or closures on; what keeps them is the caller's.

mod cause;
mod copy;
mod dims;
mod input;
mod output;
mod typed;

pub use cause::UnknownCause;
pub(crate) use copy::copy;
pub use dims::Dims;
pub use input::{Fact, Input, Inputs};
pub use output::{EachElement, Outputs, Subgraphs};
pub use typed::Typed;
