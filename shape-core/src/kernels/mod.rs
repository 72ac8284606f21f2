//! What the operators mean: one hand-written rule an operator, for all its versions.
//!
//! **Architecture Invariant.** A kernel knows no version number. It has a struct `Arguments` with a field for each
//! attribute and input that it reads, by name, and a default for what a version lacks; the generated glue fills in what
//! a version has. It allocates nothing, never panics, and is generic over the dimension.

pub mod reshape;
pub mod shape;
