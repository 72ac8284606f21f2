//! Tests that need no model file. They are one program, since each further one costs a link.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking; not every set of features has one")]

// Before `examples`, whose programs print by its macro.
#[cfg(all(feature = "std", feature = "ai-onnx"))]
#[macro_use]
mod printed;

#[cfg(all(feature = "std", feature = "every-domain"))]
mod changed;
#[cfg(feature = "std")]
mod codes;
#[cfg(feature = "alloc")]
mod constants;
#[cfg(all(feature = "alloc", feature = "ai-onnx"))]
mod convert;
#[cfg(all(feature = "alloc", feature = "ai-onnx"))]
mod custom;
#[cfg(all(feature = "std", feature = "every-domain"))]
mod descriptors;
mod domains;
#[cfg(feature = "alloc")]
mod elements;
#[cfg(feature = "alloc")]
mod example_text;
#[cfg(all(feature = "std", feature = "ai-onnx"))]
mod examples;
#[cfg(all(feature = "std", feature = "every-domain"))]
mod lifted;
#[cfg(all(feature = "alloc", feature = "ai-onnx"))]
mod registry;
#[cfg(all(feature = "alloc", feature = "ai-onnx"))]
mod reshape;
#[cfg(feature = "alloc")]
mod symbolic;
#[cfg(all(feature = "std", feature = "every-domain"))]
mod typed;
mod types;
#[cfg(feature = "alloc")]
mod views;

// The descriptor of `custom` names its rules by this path.
#[cfg(all(feature = "alloc", feature = "ai-onnx"))]
use custom::rules;
// The index of the registry names it so.
#[cfg(feature = "every-domain")]
use shape_core::schema;
