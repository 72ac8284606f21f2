//! The generated code compiles where nothing is in scope but what would mislead it, and does what it says.

use shape_core::check;
use shape_core::convert::Known;
use shape_core::infer::TypeQuery;
use shape_core::node::{AttributeKind, AttributeValue, GraphView, NodeAttribute, StringsView, TensorView};
use shape_core::operator::ReadError;
use shape_core::problem::Problem;
use shape_core::registry::Missing;
use shape_core::{DataType, Operator, Schema, Tensor, Type};

use strict::everything::{Everything, Everything1, Everything3, Everything4, Everything8, Everything9, Mode, Order};

pub mod strict {
    //! Nothing but what misleads.
    #![no_implicit_prelude]
    #![deny(warnings)]
    // Names that careless code would take for those of the prelude.
    #![allow(dead_code, non_camel_case_types)]

    struct Option;
    struct Result;
    struct Some;
    struct None;
    struct Ok;
    struct Default;
    struct Into;
    struct i64;
    struct f32;
    struct str;

    ::shape_core::operators!("../shape-macros/codegen/tests/Everything.yaml");
}

const AXIS: NodeAttribute<'static> = NodeAttribute::new("axis", AttributeValue::Int(3));
/// Whatever a runtime has for a graph.
static GRAPH: &str = "a graph";
const BODY: NodeAttribute<'static> = NodeAttribute::new("body", AttributeValue::Graph(GraphView::new(&GRAPH)));

fn problems(schema: &'static Schema, attributes: &[NodeAttribute<'_>]) -> Vec<String> {
    let mut texts = Vec::new();
    check::attributes(schema, attributes, &mut |problem| {
        texts.push(format!("{}: {problem}; {} / {}", problem.code(), problem.expected(), problem.found()));
    });
    texts
}

#[test]
fn defaults_and_given_values_are_read() {
    let scales = [0.5, 2.0];
    let constant = TensorView::from(Tensor::new(DataType::Int8, &[2], &[5, 6]).unwrap());
    let given = [
        AXIS,
        BODY,
        NodeAttribute::new("scales", AttributeValue::Floats(&scales)),
        NodeAttribute::new("constant", AttributeValue::Tensor(constant)),
    ];
    let expected = Everything1 {
        axis: 3,
        r#type: -1,
        self_: 0.5,
        value: None,
        mode: Mode::Notset,
        pads: &[0, 0],
        scales: Some(&scales),
        body: GraphView::new(&GRAPH),
        names: StringsView::new(&[b"a", b"bc"]),
        constant: Some(constant),
        kind: None,
        rows: None,
    };
    assert_eq!(expected.body.get(), Some(&GRAPH));
    assert_eq!(Everything1::read(&given).unwrap(), expected);
    assert_eq!(Everything::read(2, given).unwrap(), Everything::V1(expected));
    let missing = Everything::read(0, given).unwrap_err();
    assert!(matches!(missing, ReadError::Missing(Missing::OperatorTooNew { since: 1 })));
    // What a function's caller gives is not to be seen.
    let reference = NodeAttribute::new("body", AttributeValue::Other(AttributeKind::Graph));
    assert!(matches!(Everything1::read(&[AXIS, reference]), Err(Problem::AttributeNoValue { name: "body", .. })));
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let given = [
        NodeAttribute::new("type", AttributeValue::Int(7)),
        NodeAttribute::new("mode", AttributeValue::Int(1)),
        NodeAttribute::new("mode", AttributeValue::String(b"SAME")),
        NodeAttribute::new("moed", AttributeValue::String(b"SAME")),
        NodeAttribute { has_value: false, ..NodeAttribute::new("value", AttributeValue::Float(0.0)) },
    ];
    assert_eq!(
        problems(Everything1::SCHEMA, &given),
        [
            "attribute-value: the attribute `type` is 7; allowed: -1, 1; -1, 1 / 7",
            "attribute-type: the attribute `mode` has the kind INT; it must be STRING; STRING / INT",
            "attribute-duplicate: the attribute `mode` appears twice; one / two",
            "attribute-unknown: Everything-1 has no attribute `moed`; \
             axis, type, self, value, mode, pads, scales, body, names, constant, kind, rows / moed",
            "attribute-no-value: the attribute `value` has the kind FLOAT, but no value of that kind; \
             a value of the kind FLOAT / nothing",
            "attribute-missing: the required attribute `axis` is missing; an attribute of the kind INT / nothing",
            "attribute-missing: the required attribute `body` is missing; an attribute of the kind GRAPH / nothing",
        ]
    );
    assert!(matches!(Everything1::read(&[]), Err(Problem::AttributeMissing { attribute }) if attribute.name == "axis"));
}

#[test]
fn values_of_elements_bounds_and_exclusions() {
    let mode = NodeAttribute::new("mode", AttributeValue::String(b"SAME"));
    let ints = |values| NodeAttribute::new("sizes", AttributeValue::Ints(values));
    let weight = |value| NodeAttribute::new("weight", AttributeValue::Float(value));
    let read = Everything9::read(&[mode, NodeAttribute::new("order", AttributeValue::String(b"2-d"))]).unwrap();
    assert_eq!((read.order, read.dtype), (Order::Value2D, 1));
    let dtype = |value| NodeAttribute::new("dtype", AttributeValue::Int(value));
    assert_eq!(problems(Everything9::SCHEMA, &[mode, ints(&[1, 4, 4]), weight(0.0), dtype(16)]), [""; 0]);
    assert_eq!(
        problems(Everything9::SCHEMA, &[mode, ints(&[1, 3]), weight(-0.5), dtype(17)]),
        [
            "attribute-value: the attribute `sizes` is [1, 3]; allowed: for each element 1, 2, 4; for each element 1, 2, 4 / [1, 3]",
            "attribute-value: the attribute `weight` is -0.5; allowed: at least 0.0; at least 0.0 / -0.5",
            "attribute-value: the attribute `dtype` is 17; allowed: 1 to 16; 1 to 16 / 17",
        ]
    );
    let exclusive = |attributes: &[NodeAttribute<'_>], inputs: &[bool]| {
        let mut found = Vec::new();
        check::exclusive(Everything9::SCHEMA, attributes, inputs, &mut |problem| {
            found.push(format!("{}: {problem}; {} / {}", problem.code(), problem.expected(), problem.found()));
        });
        found
    };
    assert_eq!(exclusive(&[ints(&[1])], &[true]), [""; 0]);
    assert_eq!(exclusive(&[weight(1.0)], &[true, true]), [""; 0]);
    assert_eq!(
        exclusive(&[ints(&[1]), weight(1.0)], &[true, true]),
        [
            "arguments-exclusive: only one of these may be given: sizes, groups; \
             at most one of sizes, groups / sizes, groups",
            "arguments-exclusive: only one of these may be given: weight, sizes; \
             exactly one of weight, sizes / weight, sizes",
        ]
    );
    assert_eq!(
        exclusive(&[], &[]),
        ["arguments-exclusive: one of these is required: weight, sizes; exactly one of weight, sizes / none of them"]
    );
}

#[test]
fn types_that_are_decided() {
    fn decided<'a>(attributes: &[NodeAttribute<'a>], inputs: &[Option<Type>]) -> Result<String, Problem<'a>> {
        let given = vec![true; inputs.len()];
        let asked = TypeQuery { attributes, given: &given, inputs, within: &|_, _| None };
        Ok(Everything9::SCHEMA.decided(2, &asked)?.map(|ty| ty.to_string()).unwrap_or_default())
    }
    let (float, int64) = (Some(Type::tensor(DataType::Float)), Some(Type::tensor(DataType::Int64)));
    let order = NodeAttribute::new("order", AttributeValue::String(b"F"));
    let weight = NodeAttribute::new("weight", AttributeValue::Float(1.0));
    let dtype = NodeAttribute::new("dtype", AttributeValue::Int(10));
    assert_eq!(decided(&[], &[float]).unwrap(), "tensor(float)", "the default of dtype");
    assert_eq!(decided(&[dtype], &[float]).unwrap(), "tensor(float16)");
    assert_eq!(decided(&[dtype, weight, order], &[int64]).unwrap(), "tensor(float)");
    assert_eq!(decided(&[dtype, order], &[int64]).unwrap(), "seq(tensor(int64))");
    assert_eq!(decided(&[dtype, order], &[None]).unwrap(), "", "the input is there, and its type unknown");
    assert_eq!(decided(&[dtype], &[None, int64]).unwrap(), "tensor(float16)", "no sequence has an element");
    let wrong = decided(&[NodeAttribute::new("dtype", AttributeValue::Int(99))], &[]).unwrap_err();
    assert_eq!(wrong.to_string(), "the attribute `dtype` is 99, which is not an element type");
}

#[test]
fn counts_and_types() {
    let float = Some(Type::tensor(DataType::Float));
    /// The types of the inputs, those of the outputs, and the codes.
    type Case<'a> = (&'a [Option<Type>], &'a [Option<Type>], &'a [&'a str]);
    let cases: [Case<'_>; 8] = [
        (&[float, None], &[float], &[]),
        (&[float, Some(Type::tensor(DataType::Int64)), float, Some(Type::tensor(DataType::Bool))], &[float], &[]),
        (&[], &[float], &["input-count"]),
        // What stands before a variadic one must be there, if only as an empty name.
        (&[float], &[float], &["input-count"]),
        (&[float, float], &[float], &["type-not-allowed"]),
        (&[Some(Type::tensor(DataType::Int8)), None], &[float], &["type-not-allowed"]),
        (&[float, None], &[Some(Type::tensor(DataType::Double))], &["type-mismatch"]),
        (
            &[float, None, Type::tensor(DataType::Double).sequence()],
            &[float, float],
            &["type-not-allowed", "type-not-allowed"],
        ),
    ];
    for (inputs, outputs, codes) in cases {
        let mut found = Vec::new();
        let given: Vec<bool> = inputs.iter().map(Option::is_some).collect();
        check::counts(Everything1::SCHEMA, &given, outputs.len(), &mut |problem| found.push(problem.code().name()));
        check::types(Everything1::SCHEMA, inputs, outputs, &mut |problem| found.push(problem.code().name()));
        assert_eq!(found, codes, "{inputs:?} -> {outputs:?}");
    }
}

#[test]
fn a_version_is_lifted_to_the_newest_where_nothing_is_lost() {
    let given = |version: Everything<'static>| {
        let latest = version.latest(&[Some(Known::default())], 1);
        latest.map(|latest| format!("{:?}", latest.operator().unwrap())).map_err(|refusals| refusals[0].to_string())
    };
    let plain = Everything8 { mode: b"SAME", order: b"C", self_: 0.5, sizes: None };
    assert_eq!(
        given(Everything::V8(plain)),
        Ok("Everything { mode: \"SAME\", order: \"C\", self: 0.5, dtype: 1 }".to_owned())
    );
    let lost = given(Everything::V4(Everything4 { mode: b"SAME", groups: 2 }));
    assert_eq!(lost, Err("They count the groups from different ends.".to_owned()));
    assert!(Everything3::SCHEMA.deprecated && Everything4::SCHEMA.has_function);
    assert_eq!(Everything4::SCHEMA.summary, Everything1::SCHEMA.summary);
}
