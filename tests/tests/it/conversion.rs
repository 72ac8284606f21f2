//! Conversions that the operators of ONNX that are described so far do not need: forms of the test descriptor.

use std::slice::from_ref;

use shape_core::convert::{Attribute, Constant, Converted, Input, Known, Node, Numbers, Output, convert};
use shape_core::node::AttributeValue;
use shape_core::{DataType, Schema, Type};

use crate::generated::strict::everything::VERSIONS;

fn version(since: u32) -> &'static Schema {
    VERSIONS.iter().find(|schema| schema.since_version == since).unwrap()
}

const MODE: Attribute<'static> = Attribute::given("mode", AttributeValue::String(b"SAME"));

fn groups(value: i64) -> Attribute<'static> {
    Attribute::given("groups", AttributeValue::Int(value))
}

fn two() -> Constant {
    Constant { element: DataType::Int64, is_scalar: true, numbers: Numbers::Ints(vec![2]) }
}

fn input(index: usize, data_type: DataType, constant: Option<&'static Constant>) -> Input<'static> {
    Input::Given { index, known: Known { ty: Some(Type::tensor(data_type)), dims: None, constant } }
}

#[track_caller]
fn check(
    (from, to): (u32, u32),
    attributes: &[Attribute<'static>],
    inputs: &[Input<'static>],
    outputs: usize,
    expected: Result<(&[Attribute<'static>], &[Input<'static>]), &[&str]>,
) {
    let output = |index| Output::Given { index, known: Known::default() };
    let node =
        Node { attributes: attributes.to_vec(), inputs: inputs.to_vec(), outputs: (0..outputs).map(output).collect() };
    let found = convert(&|_| VERSIONS, version(from), to, node);
    let found = found.map_err(|refusals| refusals.iter().map(ToString::to_string).collect::<Vec<_>>());
    match (found, expected) {
        (Ok(nodes), Ok((attributes, inputs))) => {
            let [Converted { node, .. }] = &*nodes else { panic!("{nodes:?}") };
            assert_eq!((&*node.attributes, &*node.inputs), (attributes, inputs));
        }
        (Err(found), Err(expected)) => assert_eq!(found, expected),
        (found, expected) => panic!("{found:?} instead of {expected:?}"),
    }
}

#[test]
fn another_meaning_is_refused_both_ways() {
    let x = input(0, DataType::Float, None);
    let means = "They count the groups from different ends.";
    check((4, 5), &[MODE, groups(2)], from_ref(&x), 1, Err(&[means]));
    check((6, 4), &[MODE, groups(2)], from_ref(&x), 1, Err(&[means]));
    check((5, 6), &[MODE, groups(2)], from_ref(&x), 1, Ok((&[MODE, groups(2)], from_ref(&x))));
    check((3, 5), &[MODE], from_ref(&x), 1, Err(&[means]));
    check(
        (3, 1),
        &[MODE],
        from_ref(&x),
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
    let constant = Input::Constant { name: "groups", value: two() };
    check((6, 7), &[MODE, groups(2)], from_ref(&x), 1, Ok((&[MODE], &[x.clone(), constant])));
    check((6, 7), &[MODE], from_ref(&x), 1, Ok((&[MODE], from_ref(&x))));
    check((7, 6), &[MODE], from_ref(&x), 1, Ok((&[MODE], from_ref(&x))));
    let fixed = input(1, DataType::Int64, Some(Box::leak(Box::new(two()))));
    check((7, 6), &[MODE], &[x.clone(), fixed], 1, Ok((&[MODE, groups(2)], from_ref(&x))));
    let computed = input(1, DataType::Int64, None);
    check(
        (7, 6),
        &[MODE],
        &[x.clone(), computed],
        1,
        Err(&["the input `groups` is an attribute in Everything-6, and cannot be written as one"]),
    );
}

#[test]
fn outputs() {
    let x = input(0, DataType::Float, None);
    check((6, 5), &[MODE], from_ref(&x), 1, Ok((&[MODE], from_ref(&x))));
    check((6, 5), &[MODE], from_ref(&x), 2, Err(&["Everything-5 has no output `Z` at its position"]));
}

#[test]
fn attributes_at_their_defaults() {
    let x = input(0, DataType::Float, None);
    let order = |value| Attribute::given("order", AttributeValue::String(value));
    let sizes = Attribute::given("sizes", AttributeValue::Ints(&[]));
    let scale = |value| Attribute::given("self", AttributeValue::Float(value));
    check((8, 7), &[MODE, order(b"C"), scale(0.5)], from_ref(&x), 1, Ok((&[MODE], from_ref(&x))));
    check(
        (8, 7),
        &[MODE, order(b"F"), scale(0.25), sizes],
        from_ref(&x),
        1,
        Err(&[
            "Everything-7 has no attribute `order`",
            "Everything-7 has no attribute `self`",
            "Everything-7 has no attribute `sizes`",
        ]),
    );
}
