//! What is known of the inputs and outputs of a node before it runs, and why something is not.
//!
//! Rules read slices and pass slices or closures to the outputs; the caller owns the storage.

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
pub use output::{EachElement, Implied, MultiplyAdds, Outputs, Subgraphs};
pub use typed::Typed;
