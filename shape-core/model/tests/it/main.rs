//! Tests of models: reading, analysis and profiles. They are one program, since each further one costs a link.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking; not every set of features has one")]

// Before `examples`, whose programs print by its macro.
#[cfg(feature = "ai-onnx")]
#[macro_use]
#[path = "../../../tests/it/printed.rs"]
mod printed;

#[cfg(all(feature = "ai-onnx", feature = "ai-onnx-ml", feature = "ai-onnx-preview-training"))]
mod decided;
mod domains;
#[cfg(feature = "ai-onnx")]
mod every_operator;
#[cfg(feature = "ai-onnx")]
mod examples;
#[cfg(all(feature = "ai-onnx", feature = "ai-onnx-ml"))]
mod fix;
#[cfg(feature = "ai-onnx")]
mod generate;
#[cfg(feature = "ai-onnx")]
mod hostile;
#[cfg(feature = "ai-onnx")]
mod profile;
#[cfg(feature = "ai-onnx")]
mod reduce;
#[cfg(feature = "ai-onnx")]
mod repeats;
#[cfg(all(feature = "ai-onnx", feature = "proptest"))]
mod strategy;
#[cfg(all(feature = "ai-onnx", feature = "ai-onnx-ml"))]
mod typed;
