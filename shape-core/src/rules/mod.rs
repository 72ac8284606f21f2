//! The rules: what gives the dimensions and the elements of an output, a family of rules in a file.
//!
//! Which rules there are, their parameters, and what each gives stand in `specs/rules.yaml`. A rule reads its arguments by
//! the names of its [`parameters`], so that the same lines read axes that one version has as an attribute and the next one
//! as an input. What a call of a rule is, [`rule`](crate::rule) says.
//!
//! **Architecture Invariant.** A rule knows no version of an operator. It allocates nothing, never panics, and is generic
//! over the dimension: the same lines serve numbers and symbols.

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
mod quantize;
mod range;
mod recurrent;
mod reduce;
pub mod reshape;
mod resize;
mod roi;
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
