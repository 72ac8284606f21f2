//! Random models from descriptors, for testing what reads, checks, converts or runs models.
//!
//! A node is found by asking: attributes, inputs and their elements are proposed at random, the check of the version says
//! what is wrong, and that is changed until nothing is. So whatever a descriptor says is used, and nothing else: an
//! operator of one's own is generated as soon as it has a descriptor.
//!
//! ```
//! use shape_core::Registry;
//! use shape_model::ModelFile;
//! use shape_model::generate::{GenerateOptions, Generator};
//! let options = GenerateOptions { operators: vec![(String::new(), "Conv".to_owned(), Some(11))], ..GenerateOptions::default() };
//! for case in Generator::new(Registry::builtin(), &options).take(5) {
//!     let model = ModelFile::from_bytes(case.model_bytes())?;
//!     assert_eq!(model.model().graph().unwrap().nodes().first().unwrap().op_type(), "Conv");
//! }
//! # Ok::<(), shape_model::file::ModelError>(())
//! ```

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod body;
mod case;
mod change;
mod coverage;
mod draft;
mod facet;
mod fill;
mod findings;
mod generator;
mod graph;
mod invalid;
mod judge;
mod model;
mod node;
mod numbers;
mod obstacle;
mod parts;
mod propose;
#[cfg(any(feature = "arbitrary", feature = "proptest"))]
mod random;
mod reduce;
mod search;
mod show;
mod steps;
#[cfg(feature = "proptest")]
mod strategy;
mod value;
mod wanted;

pub use case::{Case, Expected, value_bytes};
pub use coverage::{Coverage, Goal, Missed};
pub use generator::{GenerateOptions, Generator};
pub use graph::graph;
pub use obstacle::{Constraint, Obstacle, obstacle};
pub use reduce::{Reduction, reduce};
#[cfg(feature = "proptest")]
pub use strategy::{ModelTree, Models};
pub use value::{Data, Tensor, Value};
pub use wanted::Wanted;
