//! Whether a file is a valid model, as far as no value depends on it.
//!
//! The analysis reads what it infers from, and reports what keeps it from that. What is here goes over everything else:
//! the elements of every tensor, the fields of every attribute, functions and their calls, and what stands beside the
//! graph. It comes after the analysis, over the graphs that this has met.

mod attribute;
mod checker;
mod facts;
mod function;
mod graph;
mod model;
mod node;
mod reference;
mod tensor;
mod value;

pub(crate) use model::check;
pub(crate) use tensor::is_of_elements;
