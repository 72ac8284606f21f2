//! Conversions that the operators of ONNX that are described so far do not need: forms of the test descriptor.

use shape_core::convert::{Input, Node, convert};
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::{DataType, Schema, Type};

use crate::generated::strict::everything::VERSIONS;

fn version(since: u32) -> &'static Schema {
    VERSIONS.iter().find(|schema| schema.since_version == since).unwrap()
}

const MODE: NodeAttribute<'static> = NodeAttribute::new("mode", AttributeValue::String(b"SAME"));

fn groups(value: i64) -> NodeAttribute<'static> {
    NodeAttribute::new("groups", AttributeValue::Int(value))
}

fn input(index: usize, data_type: DataType, constant: Option<AttributeValue<'static>>) -> Input<'static> {
    Input::Given { index, ty: Some(Type::tensor(data_type)), constant }
}

#[track_caller]
fn check(
    (from, to): (u32, u32),
    attributes: &[NodeAttribute<'static>],
    inputs: &[Input<'static>],
    outputs: usize,
    expected: Result<(&[NodeAttribute<'static>], &[Input<'static>]), &[&str]>,
) {
    let node = Node { attributes: attributes.to_vec(), inputs: inputs.to_vec(), outputs: vec![None; outputs] };
    let found = convert(VERSIONS, version(from), version(to), node);
    let found = found.map_err(|refusals| refusals.iter().map(ToString::to_string).collect::<Vec<_>>());
    match (found, expected) {
        (Ok(node), Ok((attributes, inputs))) => assert_eq!((&*node.attributes, &*node.inputs), (attributes, inputs)),
        (Err(found), Err(expected)) => assert_eq!(found, expected),
        (found, expected) => panic!("{found:?} instead of {expected:?}"),
    }
}

#[test]
fn another_meaning_is_refused_both_ways() {
    let x = input(0, DataType::Float, None);
    let means = |from: u32, to: u32| {
        format!("Everything-{from} and Everything-{to} have different meanings: Counts the groups from the end.")
    };
    check((4, 5), &[MODE, groups(2)], &[x], 1, Err(&[&means(4, 5)]));
    check((6, 4), &[MODE, groups(2)], &[x], 1, Err(&[&means(5, 4)]));
    check((5, 6), &[MODE, groups(2)], &[x], 1, Ok((&[MODE, groups(2)], &[x])));
    check((3, 5), &[MODE], &[x], 1, Err(&[&means(4, 5)]));
    check(
        (3, 1),
        &[MODE],
        &[x],
        1,
        Err(&[
            "Everything-3 and Everything-1 have different meanings: It starts afresh: nothing of the version before it \
             holds.",
            "the attribute `axis` is missing; Everything-1 requires it",
            "the attribute `body` is missing; Everything-1 requires it",
        ]),
    );
}

#[test]
fn an_optional_input_from_an_attribute_with_a_default() {
    let x = input(0, DataType::Float, None);
    let constant = Input::Constant { name: "groups", value: AttributeValue::Int(2) };
    check((6, 7), &[MODE, groups(2)], &[x], 1, Ok((&[MODE], &[x, constant])));
    check((6, 7), &[MODE], &[x], 1, Ok((&[MODE], &[x])));
    check((7, 6), &[MODE], &[x], 1, Ok((&[MODE], &[x])));
    let fixed = input(1, DataType::Int64, Some(AttributeValue::Int(2)));
    check((7, 6), &[MODE], &[x, fixed], 1, Ok((&[MODE, groups(2)], &[x])));
    let computed = input(1, DataType::Int64, None);
    check(
        (7, 6),
        &[MODE],
        &[x, computed],
        1,
        Err(&["the input `groups` is an attribute in Everything-6, and cannot be written as one"]),
    );
}

#[test]
fn outputs() {
    let x = input(0, DataType::Float, None);
    check((6, 5), &[MODE], &[x], 1, Ok((&[MODE], &[x])));
    check((6, 5), &[MODE], &[x], 2, Err(&["Everything-5 has no output `Z` at its position"]));
}

#[test]
fn attributes_at_their_defaults() {
    let x = input(0, DataType::Float, None);
    let order = |value| NodeAttribute::new("order", AttributeValue::String(value));
    let sizes = NodeAttribute::new("sizes", AttributeValue::Ints(&[]));
    let scale = |value| NodeAttribute::new("self", AttributeValue::Float(value));
    check((8, 7), &[MODE, order(b"C"), scale(0.5)], &[x], 1, Ok((&[MODE], &[x])));
    check(
        (8, 7),
        &[MODE, order(b"F"), scale(0.25), sizes],
        &[x],
        1,
        Err(&[
            "Everything-7 has no attribute `order`",
            "Everything-7 has no attribute `self`",
            "Everything-7 has no attribute `sizes`",
        ]),
    );
}
