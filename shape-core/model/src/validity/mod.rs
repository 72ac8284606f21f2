//! Checks whether a file is a valid model, as far as no inferred value is needed.
//!
//! The analysis reports errors in what it reads for inference. These checks cover the rest: the elements of every
//! tensor, the fields of every attribute, functions and their calls, and quantization, training and device information.
//! They run after the analysis, over the graphs that it visited.

mod attribute;
mod checker;
mod facts;
mod function;
mod graph;
mod model;
mod node;
mod reference;
mod tensor;
mod unused;
mod value;

pub(crate) use model::{check, ir_version_of_opset, needed_ir_version};
pub(crate) use tensor::is_of_elements;
pub(crate) use unused::{Mentioned, listed};
