//! The rules of Shape and Reshape by themselves.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test tells its failure so")]

mod exhaustive;
mod forms;
#[cfg(feature = "alloc")]
mod symbols;

use shape_core::Operator;

// The newest versions, without the rest of `ai.onnx`: so the rules are tested with no feature on.

#[derive(Operator)]
#[operator(
    domain = "test",
    since_version = 25,
    types(T: [float]),
    inputs(data: T),
    outputs(shape: tensor(int64)),
    rules(shape = "shape(data, start, end)")
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
    rules(reshaped = "reshape(data, shape, allowzero)")
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
    rules(reshaped = "reshape(data, shape)")
)]
struct ReshapeBy<'a> {
    shape: Option<&'a [i64]>,
}
