//! The kernels of Shape and Reshape by themselves.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test tells its failure so")]

mod exhaustive;
mod forms;
#[cfg(feature = "alloc")]
mod symbols;

use shape_core::{Operator, kernels};

// The newest versions, without the rest of `ai.onnx`: so the kernels are tested with no feature on.

#[derive(Operator)]
#[operator(
    domain = "test",
    since_version = 25,
    types(T: [float]),
    inputs(data: T),
    outputs(shape: tensor(int64)),
    kernel = kernels::Shape
)]
struct Shape {
    #[attribute(default = 0)]
    start: i64,
    end: Option<i64>,
}

#[derive(Operator)]
#[operator(
    domain = "test",
    since_version = 25,
    types(T: [float]),
    inputs(data: T, shape: tensor(int64)),
    outputs(reshaped: T),
    kernel = kernels::Reshape
)]
struct Reshape {
    #[attribute(default = 0, values = [0, 1])]
    allowzero: i64,
}

/// As in opset 1, where the target is an attribute.
#[derive(Operator)]
#[operator(
    domain = "test",
    since_version = 1,
    types(T: [float]),
    inputs(data: T),
    outputs(reshaped: T),
    kernel = kernels::Reshape
)]
struct ReshapeBy<'a> {
    shape: Option<&'a [i64]>,
}
