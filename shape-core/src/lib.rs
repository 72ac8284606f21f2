#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

// The generated code names this crate as every user of it does.
extern crate self as shape_core;

pub mod adapters;
pub mod check;
pub mod code;
#[cfg(feature = "alloc")]
pub mod convert;
pub mod data_type;
pub mod dims;
pub mod element;
pub mod elements;
pub mod example;
pub mod kernels;
pub mod node;
pub mod operator;
pub mod opset;
pub mod registry;
pub mod schema;
#[cfg(feature = "alloc")]
pub mod symbolic;
pub mod tensor;
pub mod types;
pub mod versions;

#[cfg(feature = "model")]
pub mod analysis;
#[cfg(feature = "model")]
pub mod finding;
#[cfg(feature = "model")]
pub mod model;
#[cfg(feature = "model")]
pub mod test_case;

pub use data_type::DataType;
pub use dims::{Dimension, Dims};
pub use element::Element;
pub use operator::{Infer, Operator};
pub use registry::Registry;
pub use schema::Schema;
#[cfg(feature = "alloc")]
pub use symbolic::Dim;
pub use tensor::Tensor;
pub use types::Type;

shape_macros::builtin_operators!();
