//! The rules that compute the dimensions and the elements of an output, one file for each family.
//!
//! `specs/rules.yaml` lists the rules, their parameters, and what each computes. A rule reads its arguments by the names of
//! its [`parameters`], so that the same code reads axes that are an attribute in one version and an input in the next. See
//! [`rule`](crate::rule) for calls of rules.
//!
//! **Architecture Invariant.** A rule knows no version of an operator. It allocates nothing, never panics, and is generic
//! over the dimension: the same code works for numbers and symbols.

mod axes;
mod grid;
pub mod parameters;
mod refuse;
mod table;

mod affine_grid;
mod array_feature_extractor;
mod attention;
mod batch_normalization;
mod broadcast;
mod center_crop_pad;
mod col2im;
mod compress;
mod concat;
mod constant;
mod control_flow;
mod conv;
mod cumulative;
mod depth_space;
mod det;
mod dft;
mod einsum;
mod elementwise;
mod flatten;
mod gather;
mod grid_sample;
mod identity;
mod image_decoder;
mod kept;
mod layer_normalization;
mod loss;
mod matmul;
mod non_zero;
mod one_hot;
mod optional;
mod pad;
mod pool;
mod prediction;
mod range;
mod recurrent;
mod reduce;
pub mod reshape;
mod resize;
mod roi;
mod scatter;
mod sequence;
pub mod shape;
mod size;
mod slice;
mod split;
mod squeeze;
mod string_normalizer;
mod tf_idf_vectorizer;
mod tile;
mod top_k;
mod transpose;
mod unique;
mod updated;
mod window;

pub use axes::axis;
pub use table::*;
