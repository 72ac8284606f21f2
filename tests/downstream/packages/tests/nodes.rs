//! Nodes, without files and without anything that is allocated.

use downstream::derived::{Between, Copies};
use downstream::described::{self, stack};
use onnx::elements::Scalar;
use onnx::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use onnx::node::{AttributeValue, NodeAttribute};
use onnx::opset17::Shape;
use onnx::problem::Problem;
use onnx::{DataType, Operator, Registry, Type, check};

/// What a rule says of the first output.
#[derive(Default)]
struct Said(Vec<u64>);

impl Outputs<u64> for Said {
    fn dims(&mut self, _: usize, dims: Dims<'_>) {
        if self.0.is_empty() {
            self.0 = (0..dims.rank().unwrap()).map(|axis| dims.dim(axis).unwrap()).collect();
        }
    }

    fn elements(&mut self, _: usize, elements: Result<EachElement<'_, u64>, UnknownCause>) {
        let size = |element| if let Scalar::Int(size) = element { size.unsigned_abs() } else { panic!("{element:?}") };
        if let Ok((count, each)) = elements {
            self.0 = (0..count).map(|index| size(each(index))).collect();
        }
    }

    fn elements_of(&mut self, _: usize, _: usize) {}
}

fn said(operator: &impl Operator, inputs: &[&[u64]]) -> Vec<u64> {
    let facts: Vec<_> = inputs.iter().map(|dims| Some(Fact { dims: Some(dims), ..Fact::default() })).collect();
    let mut said = Said::default();
    operator.infer_outputs(Inputs(&facts), &mut said).unwrap();
    said.0
}

#[test]
fn inferred() {
    assert_eq!(said(&Shape { start: 1, end: None }, &[&[2, 3, 4]]), [3, 4]);
    assert_eq!(said(&described::extent::Extent1 { start: 2, end: None }, &[&[2, 3, 4]]), [4]);
    assert_eq!(said(&stack::Stack1 {}, &[&[4, 5], &[4, 5]]), [2, 4, 5]);
    assert_eq!(said(&stack::Stack2 { axis: 1 }, &[&[4, 5], &[4, 5]]), [4, 2, 5]);
    assert_eq!(said(&Copies { count: 3, between: Between::Line, tag: None }, &[&[4, 5]]), [3, 4, 5]);
}

#[test]
fn read() {
    let tag = NodeAttribute::new("tag", AttributeValue::String(b"here"));
    let between = NodeAttribute::new("between", AttributeValue::String(b"line"));
    let expected = Copies { count: 2, between: Between::Line, tag: Some("here") };
    assert_eq!(Copies::read(&[tag, between]).unwrap(), expected);
    let axis = NodeAttribute::new("axis", AttributeValue::Int(1));
    assert_eq!(stack::Stack::read(7, &[axis]).unwrap(), stack::Stack::V2(stack::Stack2 { axis: 1 }));
    let stack::Inputs { layers: values } = stack::Inputs::of(&[Some("a"), Some("b")]).unwrap();
    assert_eq!(values, [Some("a"), Some("b")]);
}

#[test]
fn checked() {
    let registry = Registry::builtin();
    let mut problems = Vec::new();
    let mut tell = |problem: Problem<'_>| problems.push(problem.to_string());
    let extent = described::OPERATORS[0];
    assert_eq!((extent[0].name, extent.len()), ("Extent", 2));
    let given = [NodeAttribute::new("count", AttributeValue::Int(5))];
    check::attributes(Copies::SCHEMA, &given, &mut tell);
    let int64 = Some(Type::tensor(DataType::Int64));
    check::types(Copies::SCHEMA, &[int64], &[], &mut tell);
    check::types(stack::Stack1::SCHEMA, &[Some(Type::tensor(DataType::Double))], &[], &mut tell);
    check::types(stack::Stack2::SCHEMA, &[Some(Type::tensor(DataType::Double))], &[], &mut tell);
    check::types(registry.resolve("", "Reshape", 14).unwrap(), &[int64, int64], &[], &mut tell);
    assert_eq!(
        problems,
        [
            "the attribute `count` is 5; allowed: 2, 3, 4",
            "input 0 (`data`) is tensor(int64); allowed: tensor of float, float16, double",
            "input 0 (`layers`) is tensor(double); allowed: tensor of float, float16",
        ]
    );
}
