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

#[doc(hidden)]
pub use shape_macros::operators as own_operators;

/// Writes operators of one's own from YAML descriptors: a module for each, as the built-in ones have, and a table
/// `OPERATORS` of them all, for [`Registry::with`].
///
/// The files are named by their paths from the folder of the crate's `Cargo.toml`; a mistake in one is a compile error
/// with its file, line and column. A kernel is one of [`kernels`] by its name there, or a type of one's own that is a
/// [`kernels::Kernel`], by its path: `kernel: crate::kernels::Gelu`. The examples become tests of the crate.
///
/// ```
/// mod acme {
///     shape_core::operators!("tests/own/Extent.yaml");
/// }
/// use acme::extent::Extent4;
/// use shape_core::{Operator, Registry};
///
/// let registry = Registry::builtin().with(acme::OPERATORS.concat()).unwrap();
/// let schema = registry.resolve("com.acme", "Extent", 5).unwrap();
/// assert_eq!(schema.since_version, Extent4::SCHEMA.since_version);
/// assert_eq!(Extent4::read(&[]).unwrap(), Extent4 { start: 0, end: None });
/// ```
#[macro_export]
macro_rules! operators {
    ($($files:tt)*) => { $crate::own_operators! { $crate; $($files)* } };
}

shape_macros::builtin_operators!();
