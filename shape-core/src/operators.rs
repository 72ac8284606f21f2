//! The operators of ONNX: a module for each domain, in it one for each operator, in it a struct for each version.
//!
//! | domain | cargo feature | module | opsets |
//! |---|---|---|---|
//! | `ai.onnx` | `ai-onnx` | `operators::ai_onnx` | `opset1` and on, at the crate's root too |
//! | `ai.onnx.ml` | `ai-onnx-ml` | `operators::ai_onnx_ml` | `operators::ai_onnx_ml::opset1` and on |
//! | `ai.onnx.preview` | `ai-onnx-preview` | `operators::ai_onnx_preview` | `operators::ai_onnx_preview::opset1` |
//! | `ai.onnx.preview.training` | `ai-onnx-preview-training` | `operators::ai_onnx_preview_training` | `operators::ai_onnx_preview_training::opset1` |
//! | `com.microsoft` | `com-microsoft` | `operators::com_microsoft` | `operators::com_microsoft::opset1` |
//! | `com.microsoft.nchwc` | `com-microsoft-nchwc` | `operators::com_microsoft_nchwc` | `operators::com_microsoft_nchwc::opset1` |
//! | `com.ms.internal.nhwc` | `com-ms-internal-nhwc` | `operators::com_ms_internal_nhwc` | `operators::com_ms_internal_nhwc::opset1` and on |
//!
//! The last three are onnxruntime's own, and are compiled where they are asked for. So is the module `onnxruntime`, with the
//! versions that it registers on its own in `ai.onnx`, by the feature `onnxruntime-in-onnx`. The feature `onnxruntime` is all
//! of these.
//!
//! The module of an operator, such as `operators::ai_onnx_ml::scaler`, has
//!
//! - a struct a version, `Scaler1`, whose fields are the attributes; neighbouring versions with the same attributes are one
//!   generic struct under several names;
//! - an enum over the versions, `Scaler`, which reads a node at whatever opset, and lifts it to the newest version
//!   ([`Latest`](crate::convert::Latest), with the feature `alloc`), so that what imports models needs one case an operator;
//! - `Inputs`, and `Outputs` where there are several: those of the newest version by name, optional ones as an `Option`,
//!   variadic ones as a slice;
//! - an enum for each STRING attribute with a set of values; an INT that is 0 or 1 is also a method that gives a `bool`;
//! - `VERSIONS`, their [`Schema`]s, oldest first.
//!
//! Releases of onnxruntime change versions of its own operators in place. Such a struct has the attributes of the newest
//! release; of a node from an older one, what came later has its default or is `None`.
//! [`Schema::in_release`](crate::Schema::in_release) gives the version as another release has it.
//!
//! The module of a domain has `AnyOperator`, an enum over its operators, which reads a node by the name of its operator.
//! Attributes are read from whoever keeps them, an [`AttributeSource`](crate::node::AttributeSource). Fields, parameters and
//! methods have names in snake case (`trans_a`), messages those of ONNX (`transA`).
//!
//! ```
//! # #[cfg(all(feature = "alloc", feature = "ai-onnx"))] {
//! use shape_core::convert::Known;
//! use shape_core::node::{AttributeValue, NodeAttribute};
//! use shape_core::operators::ai_onnx::{AnyOperator, conv};
//!
//! let attributes = [NodeAttribute::new("strides", AttributeValue::Ints(&[2, 2]))];
//! match AnyOperator::read("Conv", 9, &attributes)? {
//!     AnyOperator::Conv(of_any_version) => {
//!         let inputs = [Some("image"), Some("filters")];
//!         let latest = of_any_version.latest(&inputs.map(|input| input.map(|_| Known::default())), 1).unwrap();
//!         let conv: conv::Conv22 = latest.operator().unwrap();
//!         assert_eq!((conv.strides, conv.group), (Some(&[2, 2][..]), 1));
//!         let conv::Inputs { x, w, b } = conv::Inputs::of(&inputs).unwrap();
//!         assert_eq!((x, w, b), ("image", "filters", None));
//!     }
//!     other => unreachable!("{other:?}"),
//! }
//! # }
//! # Ok::<(), shape_core::operator::ReadError<'static>>(())
//! ```
//!
//! An opset module has the version that is in force of every operator, under the plain name. What is compiled is in
//! [`Registry::builtin`](crate::Registry::builtin) too; a node of a domain that is not is one that has no descriptor.

#![allow(clippy::doc_markdown, reason = "the words of descriptors, which are for more readers than Rust's")]
#![allow(non_camel_case_types, reason = "structs are called as the operators are")]

use crate::schema::Schema;

/// The operators of `ai.onnx`, ONNX's default domain; their opsets are at the crate's root too.
#[cfg(feature = "ai-onnx")]
pub mod ai_onnx {
    shape_macros::operators!(::shape_core; specs "ai.onnx");
}

/// The operators of `ai.onnx.ml`: classical machine learning, such as trees, scalers and encoders.
#[cfg(feature = "ai-onnx-ml")]
pub mod ai_onnx_ml {
    shape_macros::operators!(::shape_core; specs "ai.onnx.ml");
}

/// The operators of `ai.onnx.preview`: what may become part of `ai.onnx`, or change.
#[cfg(feature = "ai-onnx-preview")]
pub mod ai_onnx_preview {
    shape_macros::operators!(::shape_core; specs "ai.onnx.preview");
}

/// The operators of `ai.onnx.preview.training`: gradients and optimizers.
#[cfg(feature = "ai-onnx-preview-training")]
pub mod ai_onnx_preview_training {
    shape_macros::operators!(::shape_core; specs "ai.onnx.preview.training");
}

/// The operators of `com.microsoft`: what onnxruntime fuses, quantizes and adds of its own.
#[cfg(feature = "com-microsoft")]
pub mod com_microsoft {
    shape_macros::operators!(::shape_core; specs "com.microsoft");
}

/// The operators of `com.microsoft.nchwc`: onnxruntime's convolutions and pools over blocks of channels, which its
/// optimizer puts in.
#[cfg(feature = "com-microsoft-nchwc")]
pub mod com_microsoft_nchwc {
    shape_macros::operators!(::shape_core; specs "com.microsoft.nchwc");
}

/// The operators of `com.ms.internal.nhwc`: operators of `ai.onnx` with the channels last, which onnxruntime puts in for
/// runtimes that want them so.
#[cfg(feature = "com-ms-internal-nhwc")]
pub mod com_ms_internal_nhwc {
    shape_macros::operators!(::shape_core; specs "com.ms.internal.nhwc");
}

/// What onnxruntime registers on its own in `ai.onnx`: versions that ONNX does not have.
#[cfg(feature = "onnxruntime-in-onnx")]
pub mod onnxruntime {
    shape_macros::operators!(::shape_core; specs "runtimes/onnxruntime/ai.onnx");
}

/// The tables of the domains that are compiled, in the order of their names: of each operator its versions, oldest first,
/// sorted by name.
pub(crate) static DOMAINS: &[&[&[&Schema]]] = &[
    #[cfg(feature = "ai-onnx")]
    ai_onnx::OPERATORS,
    #[cfg(feature = "ai-onnx-ml")]
    ai_onnx_ml::OPERATORS,
    #[cfg(feature = "ai-onnx-preview")]
    ai_onnx_preview::OPERATORS,
    #[cfg(feature = "ai-onnx-preview-training")]
    ai_onnx_preview_training::OPERATORS,
    #[cfg(feature = "com-microsoft")]
    com_microsoft::OPERATORS,
    #[cfg(feature = "com-microsoft-nchwc")]
    com_microsoft_nchwc::OPERATORS,
    #[cfg(feature = "com-ms-internal-nhwc")]
    com_ms_internal_nhwc::OPERATORS,
];

/// The tables of what runtimes register on their own in the domains of ONNX.
pub(crate) static RUNTIMES: &[&[&[&Schema]]] = &[
    #[cfg(feature = "onnxruntime-in-onnx")]
    onnxruntime::OPERATORS,
];
