//! Nodes from one version of their operator to another: what is kept, what is refused, and that the way back leads home.

use std::fmt::Write as _;

use proptest::prelude::*;
use shape_core::convert::{Input, Node, convert};
use shape_core::node::{AttributeKind, AttributeValue, NodeAttribute};
use shape_core::{DataType, Registry, Type};

fn attribute<'a>(name: &'a str, value: AttributeValue<'a>) -> NodeAttribute<'a> {
    NodeAttribute::new(name, value)
}

fn given(index: usize, data_type: DataType) -> Input<'static> {
    Input::Given { index, ty: Some(Type::tensor(data_type)), constant: None }
}

fn constant(index: usize, value: AttributeValue<'_>) -> Input<'_> {
    Input::Given { index, ty: Some(Type::tensor(DataType::Int64)), constant: Some(value) }
}

/// `[allowzero=0] 0 shape={2, 3}`: attributes, then the inputs by their old places or their new names.
fn text(node: &Node<'_>) -> String {
    let attributes: Vec<String> =
        node.attributes.iter().map(|given| format!("{}={}", given.name, given.value)).collect();
    let mut text = format!("[{}]", attributes.join(", "));
    for input in &node.inputs {
        match input {
            Input::Absent => text.push_str(" -"),
            Input::Given { index, .. } => write!(text, " {index}").unwrap(),
            Input::Constant { name, value } => write!(text, " {name}={value}").unwrap(),
        }
    }
    text
}

fn run<'a>(operator: &str, from: u32, to: u32, node: Node<'a>) -> Result<Node<'a>, Vec<String>> {
    let registry = Registry::builtin();
    let versions = registry.operator("", operator);
    let at = |opset| registry.resolve("", operator, opset).unwrap();
    convert(versions, at(from), at(to), node).map_err(|refusals| {
        let texts = refusals
            .iter()
            .map(|refusal| format!("{}: {refusal}; {} / {}", refusal.code(), refusal.expected(), refusal.found()));
        texts.collect()
    })
}

#[track_caller]
fn check(operator: &str, from: u32, to: u32, attributes: &[NodeAttribute<'_>], inputs: &[Input<'_>], expected: &str) {
    let node = Node { attributes: attributes.to_vec(), inputs: inputs.to_vec(), outputs: vec![None] };
    let found = match run(operator, from, to, node) {
        Ok(node) => text(&node),
        Err(refusals) => refusals.join("\n"),
    };
    assert_eq!(found, expected, "{operator} {from} -> {to}");
}

#[test]
fn shape() {
    let start = |value| attribute("start", AttributeValue::Int(value));
    let end = |value| attribute("end", AttributeValue::Int(value));
    let float = given(0, DataType::Float);
    check("Shape", 1, 28, &[], &[float], "[] 0");
    check("Shape", 28, 1, &[], &[float], "[] 0");
    check("Shape", 15, 18, &[start(2)], &[float], "[start=2] 0");
    check("Shape", 15, 28, &[start(2), end(-1)], &[float], "[start=2, end=-1] 0");
    check("Shape", 28, 15, &[start(2), end(-1)], &[float], "[start=2, end=-1] 0");
    check("Shape", 15, 14, &[start(0)], &[float], "[] 0");
    // A value that happens to mean the same is no default: `end` has none.
    check(
        "Shape",
        25,
        1,
        &[start(1), end(i64::MAX)],
        &[float],
        "conversion-attribute: Shape-13 has no attribute `start`; 0, its default, or no such attribute / 1\n\
         conversion-attribute: Shape-13 has no attribute `end`; no such attribute / 9223372036854775807",
    );
}

#[test]
fn types() {
    let ty = |data_type| given(0, data_type);
    check("Shape", 28, 13, &[], &[ty(DataType::Bfloat16)], "[] 0");
    check("Shape", 28, 1, &[], &[Input::Given { index: 0, ty: None, constant: None }], "[] 0");
    for (data_type, from, to, last) in [
        (DataType::Bfloat16, 13, 1, "Shape-1"),
        (DataType::Uint4, 28, 20, "Shape-19"),
        // Told once, at the step that loses it.
        (DataType::Int2, 28, 1, "Shape-24"),
    ] {
        let node = Node { attributes: vec![], inputs: vec![ty(data_type)], outputs: vec![None] };
        let refusals = run("Shape", from, to, node).unwrap_err();
        let message = format!("conversion-type: at {last}, input 0 (`data`) is tensor({data_type}); ");
        assert!(refusals.len() == 1 && refusals[0].starts_with(&message), "{refusals:?}");
        assert!(refusals[0].ends_with(&format!(" / tensor({data_type})")), "{refusals:?}");
    }
    let sequence = Type::tensor(DataType::Float).sequence();
    let node = Node {
        inputs: vec![given(0, DataType::Float), given(1, DataType::Int64)],
        outputs: vec![sequence],
        ..Node::default()
    };
    let refusals = run("Reshape", 13, 5, node).unwrap_err();
    assert!(refusals.iter().all(|refusal| refusal.starts_with("type-not-allowed: output 0")), "{refusals:?}");
}

#[test]
fn an_attribute_that_became_an_input() {
    let target = [2, -1];
    let shape = attribute("shape", AttributeValue::Ints(&target));
    let consumed = attribute("consumed_inputs", AttributeValue::Ints(&[0]));
    let allowzero = |value| attribute("allowzero", AttributeValue::Int(value));
    let data = given(0, DataType::Float);
    let fixed = constant(1, AttributeValue::Ints(&target));
    let computed = given(1, DataType::Int64);

    check("Reshape", 1, 5, &[shape], &[data], "[] 0 shape=[2, -1]");
    check("Reshape", 1, 25, &[shape], &[data], "[] 0 shape=[2, -1]");
    check("Reshape", 4, 1, &[shape], &[data], "[shape=[2, -1]] 0");
    // What means nothing is dropped.
    check("Reshape", 1, 13, &[consumed, shape], &[data], "[] 0 shape=[2, -1]");
    check("Reshape", 13, 1, &[], &[data, fixed], "[shape=[2, -1]] 0");
    check("Reshape", 25, 1, &[allowzero(0)], &[data, fixed], "[shape=[2, -1]] 0");
    check("Reshape", 14, 13, &[allowzero(0)], &[data, computed], "[] 0 1");
    check("Reshape", 14, 13, &[], &[data, computed], "[] 0 1");
    check("Reshape", 13, 14, &[], &[data, computed], "[] 0 1");

    check(
        "Reshape",
        1,
        5,
        &[],
        &[data],
        "conversion-input: the input `shape` is missing; Reshape-5 requires it; \
         an input `shape` / nothing",
    );
    check(
        "Reshape",
        1,
        5,
        &[attribute("shape", AttributeValue::Other(AttributeKind::Ints))],
        &[data],
        "conversion-attribute: the attribute `shape` is an input in Reshape-5, and cannot be written as a constant; \
         INT, FLOAT, INTS or FLOATS with its value / INTS\n\
         conversion-input: the input `shape` is missing; Reshape-5 requires it; \
         an input `shape` / nothing",
    );
    // All that is lost on the whole way, and each thing once.
    check(
        "Reshape",
        25,
        1,
        &[allowzero(1)],
        &[given(0, DataType::Int4), computed],
        "conversion-type: at Reshape-19, input 0 (`data`) is tensor(int4); 20 other types are allowed; \
         tensor of float, uint8, int8, uint16, int16, int32, int64, string, bool, float16, double, uint32, uint64, \
         complex64, complex128, bfloat16, float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz / tensor(int4)\n\
         conversion-attribute: Reshape-13 has no attribute `allowzero`; 0, its default, or no such attribute / 1\n\
         conversion-input: the input `shape` is an attribute in Reshape-1, and cannot be written as one; \
         a constant that fits the kind INTS, such as an initializer / \
         a value that is not constant, or that the attribute cannot hold",
    );
    let scalar = constant(1, AttributeValue::Int(6));
    check(
        "Reshape",
        5,
        4,
        &[],
        &[data, scalar],
        "conversion-attribute: at Reshape-1, the attribute `shape` has the kind INT; it must be INTS; INTS / INT",
    );
}

#[test]
fn a_node_that_is_wrong_is_not_converted() {
    let start = attribute("start", AttributeValue::Int(0));
    let data = given(0, DataType::Float);
    check(
        "Shape",
        13,
        15,
        &[start],
        &[data],
        "attribute-unknown: Shape-13 has no attribute `start`; no attributes / start",
    );
    check(
        "Shape",
        13,
        15,
        &[],
        &[Input::Absent],
        "input-missing: the required input 0 (`data`) has an empty name; a value for `data` / an empty name",
    );
    // Where nothing is converted, nothing is looked at.
    check("Shape", 1, 12, &[start], &[data], "[start=0] 0");
}

#[test]
fn counts() {
    let node = |outputs| Node { inputs: vec![given(0, DataType::Float)], outputs, ..Node::default() };
    let refusals = run("Shape", 1, 28, node(vec![None, None])).unwrap_err();
    assert_eq!(refusals, ["output-count: the node has 2 outputs; allowed: 1; 1 / 2"]);
    assert_eq!(run("Shape", 1, 28, node(vec![None])).unwrap().outputs, [None]);
}

proptest! {
    /// Up and down again is the node that it was, and what no version changed goes through all of them.
    #[test]
    fn the_way_back_leads_home(target in proptest::collection::vec(-1_i64..9, 0..6), opset in 5_u32..29) {
        let node = Node {
            attributes: vec![attribute("shape", AttributeValue::Ints(&target))],
            inputs: vec![given(0, DataType::Double)],
            outputs: vec![Some(Type::tensor(DataType::Double))],
        };
        let up = run("Reshape", 1, opset, node.clone()).unwrap();
        prop_assert_eq!(up.inputs.len(), 2);
        prop_assert_eq!(run("Reshape", opset, 1, up).unwrap(), node);
    }

    /// Over a version in between is the same as at once, refusals apart.
    #[test]
    fn every_way_leads_to_the_same(
        start in -3_i64..3,
        has_start: bool,
        data_type in 1_i32..29,
        opsets in [1_u32..29, 1..29, 1..29],
    ) {
        let [from, over, to] = opsets;
        let attributes = if has_start { vec![attribute("start", AttributeValue::Int(start))] } else { vec![] };
        let node = Node {
            attributes,
            inputs: vec![given(0, DataType::from_number(data_type).unwrap())],
            outputs: vec![Some(Type::tensor(DataType::Int64))],
        };
        if let Ok(there) = run("Shape", from, over, node.clone())
            && let Ok(end) = run("Shape", over, to, there)
        {
            let mut at_once = run("Shape", from, to, node).unwrap();
            // An attribute at its default need not survive a version that has no word for it.
            if end.attributes.is_empty() && start == 0 {
                at_once.attributes.clear();
            }
            prop_assert_eq!(at_once, end);
        }
    }
}
