//! Tests that need no model file. They are one program, since each further one costs a link.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking; not every set of features has one")]

// Before `examples`, whose programs print by its macro.
#[cfg(all(feature = "std", feature = "ai-onnx"))]
#[macro_use]
mod printed;

#[cfg(feature = "std")]
mod codes;
#[cfg(all(feature = "alloc", feature = "ai-onnx"))]
mod convert;
#[cfg(all(feature = "alloc", feature = "ai-onnx"))]
mod custom;
mod domains;
#[cfg(feature = "alloc")]
mod elements;
#[cfg(all(feature = "std", feature = "ai-onnx"))]
mod examples;
#[cfg(all(feature = "alloc", feature = "ai-onnx"))]
mod reshape;
#[cfg(feature = "alloc")]
mod symbolic;
#[cfg(all(feature = "std", feature = "every-domain"))]
mod typed;

// The descriptor of `custom` names its rules by this path.
#[cfg(all(feature = "alloc", feature = "ai-onnx"))]
use custom::rules;
