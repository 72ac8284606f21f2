//! What a runtime does for each node it loads: find the version, read the attributes, check them.

#![expect(clippy::unwrap_used, reason = "a benchmark of what is not there tells so")]

use divan::{AllocProfiler, Bencher, black_box};
use shape_core::elements::{Elements, Scalar};
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::opset17::{Reshape, Shape};
use shape_core::rule::RuleDimension;
use shape_core::symbolic::{Dim, Symbols};
use shape_core::{DataType, Dimension, Operator as _, Registry, Type, check};

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
        let mut report = |_: shape_core::problem::Problem<'_>| problems += 1;
        check::attributes(Shape::SCHEMA, black_box(&ATTRIBUTES), &mut report);
        check::counts(Shape::SCHEMA, &[true], 1, &mut |problem| report(problem));
        let bound = check::types(Shape::SCHEMA, black_box(&input), &[], &mut |problem| report(problem));
        (problems, bound.resolve(&Shape::SCHEMA.outputs[0]))
    });
}

/// Takes an output's dimensions and keeps none, as a caller with room of its own would.
struct Sink<D>(Option<D>);

impl<D: Dimension> Outputs<D> for Sink<D> {
    fn dims(&mut self, _: usize, dims: Dims<'_, D>) {
        for axis in 0..dims.rank().unwrap_or(0) {
            self.0 = dims.dim(axis).ok();
        }
    }

    fn elements(&mut self, _: usize, _: Result<EachElement<'_, D>, UnknownCause>) {}

    fn elements_of(&mut self, _: usize, _: usize) {}
}

/// `[1, 2, .., rank]` to the same with a 0 in front, a -1 at the end, and the rest turned round.
fn target(rank: usize) -> Vec<i64> {
    let mut target: Vec<i64> = (1..=rank as i64).rev().collect();
    (target[0], target[rank - 1]) = (-1, 0);
    target.reverse();
    target[1..rank - 1].reverse();
    target
}

fn reshape_rule<D: RuleDimension + Sync>(bencher: Bencher<'_, '_>, dims: &[D]) {
    let target = target(dims.len());
    let len = [D::from(target.len() as u64)];
    let data = Fact { ty: Some(Type::tensor(DataType::Float)), dims: Some(dims), elements: None };
    let shape =
        Fact { ty: Some(Type::tensor(DataType::Int64)), dims: Some(&len), elements: Some(Elements::Ints(&target)) };
    let inputs = [Some(data), Some(shape)];
    let operator = Reshape { allowzero: 0 };
    bencher.bench(|| {
        let mut sink = Sink(None);
        operator.infer_outputs(black_box(Inputs(&inputs)), &mut sink).map(|()| sink.0)
    });
}

/// The rule of Reshape on numbers.
#[divan::bench(args = [4, 16])]
fn reshape_concrete(bencher: Bencher<'_, '_>, rank: usize) {
    let dims: Vec<u64> = (1..=rank as u64).collect();
    reshape_rule(bencher, &dims);
}

/// The same with two symbols among the dimensions, the first of which cancels.
#[divan::bench(args = [4, 16])]
fn reshape_symbolic(bencher: Bencher<'_, '_>, rank: usize) {
    let mut symbols = Symbols::default();
    let mut dims: Vec<Dim> = (1..=rank as u64).map(Dim::from).collect();
    (dims[0], dims[rank - 1]) = (symbols.dim("batch"), symbols.dim("seq"));
    reshape_rule(bencher, &dims);
}

/// All that a node asks for: look-up, check of attributes, counts and types, typed read, rule.
#[divan::bench]
fn reshape_node(bencher: Bencher<'_, '_>) {
    let attributes = [NodeAttribute::new("allowzero", AttributeValue::Int(0))];
    let (dims, len, target) = ([2_u64, 3, 4], [2_u64], [-1_i64, 12]);
    let types = [Some(Type::tensor(DataType::Float)), Some(Type::tensor(DataType::Int64))];
    let data = Fact { ty: types[0], dims: Some(&dims), elements: None };
    let shape = Fact { ty: types[1], dims: Some(&len), elements: Some(Elements::Ints(&target)) };
    let inputs = [Some(data), Some(shape)];
    bencher.bench(|| {
        let schema = Registry::builtin().resolve(black_box(""), black_box("Reshape"), black_box(21)).unwrap();
        let mut problems = 0;
        let mut report = |_: shape_core::problem::Problem<'_>| problems += 1;
        check::attributes(schema, black_box(&attributes), &mut report);
        check::counts(schema, &[true, true], 1, &mut |problem| report(problem));
        let bound = check::types(schema, black_box(&types), &[], &mut |problem| report(problem));
        let mut sink = Sink(None);
        let run = schema.infer(&attributes, Inputs(&inputs), &mut sink);
        (run.is_ok(), problems, bound.resolve(&schema.outputs[0]), sink.0)
    });
}

/// What a chain of nodes computes from a dimension, one element at a time.
#[divan::bench(args = ["N + 1", "N * 2", "N == -1", "max(N, 1)", "N // 2", "(N + 3) // 2 + 1", "7 + 1"])]
fn element(bencher: Bencher<'_, '_>, what: &str) {
    let n = Scalar::Size(Symbols::default().dim("N"));
    let run: fn(&Scalar<Dim>) -> Scalar<Dim> = match what {
        "N + 1" => |n| n.add(&Scalar::Int(1)),
        "N * 2" => |n| n.mul(&Scalar::Int(2)),
        "N == -1" => |n| n.equals(&Scalar::Int(-1)),
        "max(N, 1)" => |n| n.max(&Scalar::Int(1)),
        "N // 2" => |n| n.divided(&Scalar::Int(2)),
        "(N + 3) // 2 + 1" => |n| n.add(&Scalar::Int(3)).divided(&Scalar::Int(2)).add(&Scalar::Int(1)),
        _ => |_| black_box(Scalar::Int(7)).add(&black_box(Scalar::Int(1))),
    };
    bencher.bench(|| run(black_box(&n)));
}
