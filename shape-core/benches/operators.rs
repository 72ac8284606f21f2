//! What a runtime does for each node it loads: find the version, read the attributes, check them.

use divan::{AllocProfiler, Bencher, black_box};
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::opset17::Shape;
use shape_core::{DataType, Operator as _, Registry, Type, check};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const ATTRIBUTES: [NodeAttribute<'static>; 2] =
    [NodeAttribute::new("start", AttributeValue::Int(1)), NodeAttribute::new("end", AttributeValue::Int(-1))];

/// The version in force at an opset.
#[divan::bench(args = [1, 17, 28])]
fn registry_lookup(opset: u32) {
    let _ = black_box(Registry::builtin().resolve(black_box(""), black_box("Shape"), black_box(opset)));
}

/// A node's attributes into the fields of a struct.
#[divan::bench]
fn typed_read() {
    let _ = black_box(Shape::read(black_box(&ATTRIBUTES)));
}

/// Everything that a schema says about a node.
#[divan::bench]
fn check_node(bencher: Bencher<'_, '_>) {
    let input = [Some(Type::tensor(DataType::Float))];
    bencher.bench(|| {
        let mut problems = 0;
        let mut report = |_: check::Problem<'_>| problems += 1;
        check::attributes(Shape::SCHEMA, black_box(&ATTRIBUTES), &mut report);
        check::counts(Shape::SCHEMA, &[true], 1, &mut |problem| report(problem));
        let bound = check::types(Shape::SCHEMA, black_box(&input), &[], &mut |problem| report(problem));
        (problems, bound.resolve(&Shape::SCHEMA.outputs[0]))
    });
}
