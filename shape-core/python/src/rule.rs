//! Functions in Python that infer the outputs of operators.
//!
//! A function gets the inputs of a node, with their dimensions as numbers and expressions, and returns the dimensions of the
//! outputs. The expressions that it builds are trees ([`dim`]), which are evaluated when it has returned ([`call`]), so that
//! nothing of the analysis leaves it. A rule of `onnxspec-core` has no state, so that the number of the function is an
//! argument of its call, and what it calls is in one table ([`callees`]).

mod call;
mod callees;
mod dim;
mod functions;

pub(crate) use call::{Input, undetached};
pub(crate) use dim::Dim;
pub(crate) use functions::{register, unregister, with_functions};
