//! Nodes from one opset to another: what is kept, moved, rewritten and refused, and that the way back leads home.

use std::slice::from_ref;

use proptest::prelude::*;
use shape_core::convert::{Attribute, Constant, Converted, Input, Known, Node, Numbers, Output, convert};
use shape_core::node::{AttributeKind, AttributeValue};
use shape_core::symbolic::{Dim, Symbols};
use shape_core::{DataType, Registry, Type};

fn int(name: &'static str, value: i64) -> Attribute<'static> {
    Attribute::given(name, AttributeValue::Int(value))
}

fn ints<'a>(name: &'static str, values: &'a [i64]) -> Attribute<'a> {
    Attribute::given(name, AttributeValue::Ints(values))
}

fn float(name: &'static str, value: f32) -> Attribute<'static> {
    Attribute::given(name, AttributeValue::Float(value))
}

fn text(name: &'static str, value: &'static str) -> Attribute<'static> {
    Attribute::given(name, AttributeValue::String(value.as_bytes()))
}

/// A value of a test that lives as long as the test program.
fn kept<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn known(element: DataType, dims: Option<&str>) -> Known<'static> {
    let mut symbols = Symbols::default();
    let mut dim = |text: &str| text.parse().map_or_else(|_| symbols.dim(text), Dim::Known);
    let dims = dims.map(|dims| dims.split_whitespace().map(&mut dim).collect::<Vec<Dim>>());
    Known { ty: Some(Type::tensor(element)), dims: dims.map(|dims| &**kept(dims)), constant: None }
}

/// An input of an element type, of unknown dimensions.
fn of(index: usize, element: DataType) -> Input<'static> {
    Input::Given { index, known: known(element, None) }
}

/// A float input of these dimensions.
fn dims(index: usize, dims: &str) -> Input<'static> {
    Input::Given { index, known: known(DataType::Float, Some(dims)) }
}

fn constant(index: usize, element: DataType, is_scalar: bool, numbers: &Numbers) -> Input<'static> {
    let length = numbers.len().to_string();
    let known = known(element, Some(if is_scalar { "" } else { &length }));
    let constant = Constant::of(element, is_scalar, numbers).unwrap();
    Input::Given { index, known: Known { constant: Some(kept(constant)), ..known } }
}

fn list(index: usize, numbers: &[i64]) -> Input<'static> {
    constant(index, DataType::Int64, false, &Numbers::Ints(numbers.to_vec()))
}

fn outputs(count: usize) -> Vec<Output<'static>> {
    (0..count).map(|index| Output::Given { index, known: Known::default() }).collect()
}

/// `Slice[](%0, starts=[1]) -> 0`: the operator, its attributes, its inputs by their old places, their numbers or as
/// constants, and its outputs.
fn line(converted: &Converted<'_>) -> String {
    let Converted { schema, node } = converted;
    let attributes: Vec<String> =
        node.attributes.iter().map(|attribute| format!("{}={}", attribute.name, attribute.value)).collect();
    let inputs: Vec<String> = node
        .inputs
        .iter()
        .map(|input| match input {
            Input::Absent => "-".to_owned(),
            Input::Given { index, .. } => index.to_string(),
            Input::Constant { name, value } if value.element == DataType::Int64 => format!("{name}={value}"),
            Input::Constant { name, value } => format!("{name}={value}:{}", value.element),
            Input::New(id) => format!("%{id}"),
        })
        .collect();
    let outputs = node.outputs.iter().map(|output| match output {
        Output::Absent => "-".to_owned(),
        Output::Given { index, .. } => index.to_string(),
        Output::New { id, .. } => format!("%{id}"),
    });
    let outputs: Vec<String> = outputs.collect();
    format!("{}[{}]({}) -> {}", schema.name, attributes.join(", "), inputs.join(", "), outputs.join(", "))
}

fn run<'a>(operator: &str, from: u32, to: u32, node: Node<'a>) -> Result<Vec<Converted<'a>>, Vec<String>> {
    let registry = Registry::builtin();
    let operators = |name: &str| registry.operator("", name);
    convert(&operators, registry.resolve("", operator, from).unwrap(), to, node).map_err(|refusals| {
        let texts = refusals
            .iter()
            .map(|refusal| format!("{}: {refusal}; {} / {}", refusal.code(), refusal.expected(), refusal.found()));
        texts.collect()
    })
}

#[track_caller]
fn check_node(operator: &str, from: u32, to: u32, node: Node<'_>, expected: &str) {
    let found = match run(operator, from, to, node) {
        Ok(nodes) => nodes.iter().map(line).collect::<Vec<_>>().join("\n"),
        Err(refusals) => refusals.join("\n"),
    };
    assert_eq!(found, expected, "{operator} {from} -> {to}");
}

#[track_caller]
fn check(operator: &str, from: u32, to: u32, attributes: &[Attribute<'_>], inputs: &[Input<'_>], expected: &str) {
    let node = Node { attributes: attributes.to_vec(), inputs: inputs.to_vec(), outputs: outputs(1) };
    check_node(operator, from, to, node, expected);
}

/// Both ways: up from one version to another, and down again.
#[track_caller]
fn both(
    operator: &str,
    (low, attributes, inputs): (u32, &[Attribute<'_>], &[Input<'_>]),
    (high, new_attributes, new_inputs): (u32, &[Attribute<'_>], &[Input<'_>]),
    (older, newer): (&str, &str),
) {
    check(operator, low, high, attributes, inputs, newer);
    check(operator, high, low, new_attributes, new_inputs, older);
}

#[test]
fn shape() {
    let data = of(0, DataType::Float);
    check("Shape", 1, 28, &[], from_ref(&data), "Shape[](0) -> 0");
    check("Shape", 28, 1, &[], from_ref(&data), "Shape[](0) -> 0");
    check("Shape", 15, 28, &[int("start", 2), int("end", -1)], from_ref(&data), "Shape[start=2, end=-1](0) -> 0");
    check("Shape", 28, 15, &[int("start", 2), int("end", -1)], from_ref(&data), "Shape[start=2, end=-1](0) -> 0");
    check("Shape", 15, 14, &[int("start", 0)], from_ref(&data), "Shape[](0) -> 0");
    check(
        "Shape",
        25,
        13,
        &[int("start", 1), int("end", -1)],
        from_ref(&data),
        "Shape[](0) -> %0\nSlice[](%0, starts=[1], ends=[-1]) -> 0",
    );
    // The new nodes are converted on.
    check(
        "Shape",
        25,
        9,
        &[int("start", 1)],
        &[data],
        "Shape[](0) -> %0\nSlice[starts=[1], ends=[9223372036854775807]](%0) -> 0",
    );
}

#[test]
fn types() {
    check("Shape", 28, 13, &[], &[of(0, DataType::Bfloat16)], "Shape[](0) -> 0");
    let unknown = Input::Given { index: 0, known: Known::default() };
    check("Shape", 28, 1, &[], &[unknown], "Shape[](0) -> 0");
    for (data_type, from, to, last) in [
        (DataType::Bfloat16, 13, 1, "Shape-1"),
        (DataType::Uint4, 28, 20, "Shape-19"),
        // Told once, at the step that loses it.
        (DataType::Int2, 28, 1, "Shape-24"),
    ] {
        let node = Node { attributes: vec![], inputs: vec![of(0, data_type)], outputs: outputs(1) };
        let refusals = run("Shape", from, to, node).unwrap_err();
        let message = format!("conversion-type: at {last}, input 0 (`data`) is tensor({data_type}); ");
        assert!(refusals.len() == 1 && refusals[0].starts_with(&message), "{refusals:?}");
        assert!(refusals[0].ends_with(&format!(" / tensor({data_type})")), "{refusals:?}");
    }
    let ty = Type::tensor(DataType::Float).sequence();
    let node = Node {
        inputs: vec![of(0, DataType::Float), of(1, DataType::Int64)],
        outputs: vec![Output::Given { index: 0, known: Known { ty, ..Known::default() } }],
        ..Node::default()
    };
    let refusals = run("Reshape", 13, 5, node).unwrap_err();
    assert!(refusals.iter().all(|refusal| refusal.starts_with("type-not-allowed: output 0")), "{refusals:?}");
}

#[test]
fn an_attribute_that_became_an_input() {
    let target = [2, -1];
    let shape = || ints("shape", &target);
    let data = || of(0, DataType::Float);
    let fixed = || list(1, &target);
    let computed = || of(1, DataType::Int64);

    check("Reshape", 1, 5, &[shape()], &[data()], "Reshape[](0, shape=[2, -1]) -> 0");
    check("Reshape", 1, 25, &[shape()], &[data()], "Reshape[](0, shape=[2, -1]) -> 0");
    check("Reshape", 4, 1, &[shape()], &[data()], "Reshape[shape=[2, -1]](0) -> 0");
    // What means nothing is dropped.
    check("Reshape", 1, 13, &[ints("consumed_inputs", &[0]), shape()], &[data()], "Reshape[](0, shape=[2, -1]) -> 0");
    check("Reshape", 13, 1, &[], &[data(), fixed()], "Reshape[shape=[2, -1]](0) -> 0");
    check("Reshape", 25, 1, &[int("allowzero", 0)], &[data(), fixed()], "Reshape[shape=[2, -1]](0) -> 0");
    check("Reshape", 14, 13, &[int("allowzero", 0)], &[data(), computed()], "Reshape[](0, 1) -> 0");
    check("Reshape", 13, 14, &[], &[data(), computed()], "Reshape[](0, 1) -> 0");
    let missing = "conversion-input: the input `shape` is missing; Reshape-5 requires it; an input `shape` / nothing";
    check("Reshape", 1, 5, &[], &[data()], missing);
    check(
        "Reshape",
        1,
        5,
        &[Attribute::given("shape", AttributeValue::Other(AttributeKind::Ints))],
        &[data()],
        &format!(
            "conversion-attribute: the attribute `shape` is an input in Reshape-5, and cannot be written as a constant; \
             a value that the input can have / INTS\n{missing}"
        ),
    );
    // All that is lost on the whole way, and each thing once.
    check(
        "Reshape",
        25,
        1,
        &[int("allowzero", 1)],
        &[of(0, DataType::Int4), computed()],
        "conversion-type: at Reshape-19, input 0 (`data`) is tensor(int4); 20 other types are allowed; \
         tensor of float, uint8, int8, uint16, int16, int32, int64, string, bool, float16, double, uint32, uint64, \
         complex64, complex128, bfloat16, float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz / tensor(int4)\n\
         conversion-attribute: Reshape-13 has no attribute `allowzero`; 0, its default, or no such attribute / 1\n\
         conversion-input: the input `shape` is an attribute in Reshape-1, and cannot be written as one; \
         a constant that fits the kind INTS, such as an initializer / \
         a value that is not constant, or that the attribute cannot hold",
    );
}

#[test]
fn moved_values_have_the_type_and_form_of_the_other_side() {
    let float16 = |index| of(index, DataType::Float16);
    let half = |index, number| constant(index, DataType::Float16, true, &Numbers::Floats(vec![number]));
    both(
        "Clip",
        (6, &[float("min", 0.5)], &[float16(0)]),
        (11, &[], &[float16(0), half(1, 0.5)]),
        ("Clip[min=0.5](0) -> 0", "Clip[](0, min=0.5:float16) -> 0"),
    );
    check(
        "Clip",
        6,
        11,
        &[float("max", 0.1)],
        &[float16(0)],
        "conversion-attribute: the attribute `max` is an input in Clip-11, and cannot be written as a constant; \
         a value that the input can have / 0.1",
    );
    check("Clip", 12, 10, &[], &[of(0, DataType::Float), Input::Absent, Input::Absent], "Clip[](0) -> 0");
    let k = |numbers: &[i64]| list(1, numbers);
    let node = |attributes, inputs| Node { attributes, inputs, outputs: outputs(2) };
    let data = || of(0, DataType::Float);
    check_node("TopK", 9, 11, node(vec![int("k", 2)], vec![data()]), "TopK[](0, K=[2]) -> 0, 1");
    check_node("TopK", 10, 9, node(vec![], vec![data(), k(&[2])]), "TopK[k=2](0) -> 0, 1");
    check(
        "Pad",
        10,
        13,
        &[ints("pads", &[0, 1]), float("value", 2.0)],
        &[of(0, DataType::Double)],
        "Pad[](0, pads=[0, 1], constant_value=2.0:double) -> 0",
    );
    check(
        "Slice",
        9,
        13,
        &[ints("starts", &[1]), ints("ends", &[2])],
        &[data()],
        "Slice[](0, starts=[1], ends=[2]) -> 0",
    );
    let slice = |steps| [data(), list(1, &[1]), list(2, &[2]), list(3, &[0]), list(4, steps)];
    check("Slice", 13, 9, &[], &slice(&[1]), "Slice[starts=[1], ends=[2], axes=[0]](0) -> 0");
    check("Slice", 13, 9, &[], &slice(&[2]), "conversion-input: Slice-1 has no input `steps`; no such input / steps");
}

#[test]
fn an_absent_input_that_is_no_absent_attribute() {
    let data = || of(0, DataType::Float);
    check("DFT", 17, 20, &[], &[data()], "DFT[](0, -, axis=1) -> 0");
    check("DFT", 20, 17, &[], &[data()], "DFT[axis=-2](0) -> 0");
    check(
        "DFT",
        20,
        17,
        &[],
        &[data(), Input::Absent, constant(2, DataType::Int64, true, &Numbers::Ints(vec![1]))],
        "DFT[axis=1](0) -> 0",
    );
}

#[test]
fn empty_axes_mean_the_same() {
    let data = || of(0, DataType::Float);
    let reduce = |noop, axes: &[Input<'static>], expected: &str| {
        let inputs = [&[data()], axes].concat();
        check("ReduceMean", 18, 13, &[int("noop_with_empty_axes", noop)], &inputs, expected);
    };
    check("ReduceMean", 13, 18, &[ints("axes", &[1])], &[data()], "ReduceMean[](0, axes=[1]) -> 0");
    check("ReduceMean", 13, 18, &[], &[data()], "ReduceMean[](0) -> 0");
    reduce(1, &[list(1, &[1])], "ReduceMean[axes=[1]](0) -> 0");
    reduce(0, &[list(1, &[])], "ReduceMean[](0) -> 0");
    reduce(0, &[], "ReduceMean[](0) -> 0");
    let refused = "conversion-attribute: ReduceMean-13 has no attribute `noop_with_empty_axes`; \
                   0, its default, or no such attribute / 1";
    reduce(1, &[], refused);
}

#[test]
fn renamed_and_respelt() {
    let data = |index| of(index, DataType::Float);
    let five: Vec<Input<'static>> = (0..5).map(data).collect();
    check("BatchNormalization", 9, 15, &[], &five, "BatchNormalization[](0, 1, 2, 3, 4) -> 0");
    check("BatchNormalization", 15, 9, &[], &five, "BatchNormalization[](0, 1, 2, 3, 4) -> 0");
    let node = Node { attributes: vec![], inputs: five, outputs: outputs(5) };
    assert!(run("BatchNormalization", 9, 14, node).unwrap_err()[0].starts_with("conversion-meaning: Version 9 trains"));
    let two = [data(0), data(1)];
    check("GridSample", 16, 20, &[], &two, "GridSample[](0, 1) -> 0");
    check("GridSample", 16, 20, &[text("mode", "bicubic")], &two, "GridSample[mode=\"cubic\"](0, 1) -> 0");
    check("GridSample", 20, 16, &[text("mode", "linear")], &two, "GridSample[mode=\"bilinear\"](0, 1) -> 0");
    check("Cast", 1, 9, &[text("to", "INT64")], &[data(0)], "Cast[to=7](0) -> 0");
    check("Cast", 9, 1, &[int("to", 1)], &[data(0)], "Cast[to=\"FLOAT\"](0) -> 0");
    // A FLOAT that became an INT.
    let pool = |p| [float("p", p), ints("kernel_shape", &[2])];
    check("LpPool", 1, 2, &pool(3.0), &[data(0)], "LpPool[p=3, kernel_shape=[2]](0) -> 0");
    check(
        "LpPool",
        1,
        2,
        &pool(1.5),
        &[data(0)],
        "conversion-attribute: at LpPool-2, the attribute `p` has the kind FLOAT; it must be INT; INT / FLOAT",
    );
}

#[test]
fn what_a_version_without_an_attribute_does() {
    let data = |index| of(index, DataType::Float);
    check(
        "RoiAlign",
        10,
        16,
        &[],
        &[data(0), data(1), of(2, DataType::Int64)],
        "RoiAlign[coordinate_transformation_mode=\"output_half_pixel\"](0, 1, 2) -> 0",
    );
    let refused = run(
        "RoiAlign",
        16,
        10,
        Node { inputs: vec![data(0), data(1), of(2, DataType::Int64)], outputs: outputs(1), ..Node::default() },
    );
    assert!(refused.unwrap_err()[0].contains("no attribute `coordinate_transformation_mode`"));
    // Written out, a default means what it does without being written.
    let regions = [data(0), data(1), of(2, DataType::Int64)];
    check(
        "RoiAlign",
        16,
        10,
        &[text("coordinate_transformation_mode", "half_pixel")],
        &regions,
        "conversion-attribute: RoiAlign-10 has no attribute `coordinate_transformation_mode`; \
         \"output_half_pixel\" / \"half_pixel\"",
    );
    assert!(
        run("Dropout", 6, 7, Node { attributes: vec![int("is_test", 0)], inputs: vec![data(0)], outputs: outputs(1) })
            .is_err()
    );
    let resized = |mode: &'static str, scales: &[f64]| {
        let scales = constant(2, DataType::Float, false, &Numbers::Floats(scales.to_vec()));
        let attributes = vec![text("coordinate_transformation_mode", "asymmetric"), text("nearest_mode", mode)];
        run(
            "Resize",
            11,
            10,
            Node { attributes, inputs: vec![dims(0, "4 4"), dims(1, "0"), scales], outputs: outputs(1) },
        )
    };
    assert_eq!(resized("floor", &[1.0, 2.0]).map(|_| ()), Ok(()));
    assert_eq!(resized("ceil", &[1.0, 0.5]).map(|_| ()), Ok(()));
    assert!(resized("round_prefer_floor", &[1.0, 2.0]).is_err(), "the default of version 11");
    for mode in ["round_prefer_floor", "floor", "ceil"] {
        assert!(resized(mode, &[0.5, 2.0]).unwrap_err()[0].contains("nearest"), "{mode}");
    }
    check("Dropout", 6, 7, &[int("is_test", 1)], &[data(0)], "Dropout[](0) -> 0");
    assert!(run("Dropout", 6, 7, Node { inputs: vec![data(0)], outputs: outputs(1), ..Node::default() }).is_err());
    check("Dropout", 7, 6, &[], &[data(0)], "Dropout[is_test=1](0) -> 0");
    check("Gemm", 11, 9, &[], &[data(0), data(1)], "Gemm[](0, 1, C=0.0:float) -> 0");
    let node = |attributes| Node { attributes, inputs: vec![data(0)], outputs: outputs(2) };
    check_node("Split", 13, 18, node(vec![]), "Split[num_outputs=2](0) -> 0, 1");
}

#[test]
fn negative_axes_are_counted_from_the_front() {
    check("Flatten", 13, 9, &[int("axis", -1)], &[dims(0, "N 3 4")], "Flatten[axis=2](0) -> 0");
    check("Flatten", 13, 9, &[int("axis", 3)], &[dims(0, "N 3 4")], "Flatten[axis=3](0) -> 0");
    check("Flatten", 13, 9, &[], &[of(0, DataType::Float)], "Flatten[](0) -> 0");
    check(
        "Flatten",
        13,
        9,
        &[int("axis", -1)],
        &[of(0, DataType::Float)],
        "conversion-input: Flatten-9 takes no negative axes, and those of `axis` cannot be counted from the front of \
         `input`; axes from 0 on, or constant ones and the rank of `input` / axes that are negative, or not known",
    );
    let known = known(DataType::Float, Some("N 1 3"));
    let node = Node {
        attributes: vec![ints("axes", &[-2])],
        inputs: vec![dims(0, "N 3")],
        outputs: vec![Output::Given { index: 0, known }],
    };
    check_node("Unsqueeze", 11, 10, node, "Unsqueeze[axes=[1]](0) -> 0");
}

#[test]
fn broadcasting() {
    let add = |attributes: &[Attribute<'_>], right: &str, expected: &str| {
        check("Add", 6, 7, attributes, &[dims(0, "N 3 4"), dims(1, right)], expected);
    };
    add(&[], "N 3 4", "Add[](0, 1) -> 0");
    add(&[int("broadcast", 1)], "4", "Add[](0, 1) -> 0");
    add(&[int("broadcast", 1), int("axis", 1)], "3 4", "Add[](0, 1) -> 0");
    add(&[int("broadcast", 1), int("axis", 1)], "3", "Unsqueeze[axes=[1]](1) -> %0\nAdd[](0, %0) -> 0");
    let back =
        |left: &str, right: &str, expected: &str| check("Add", 7, 6, &[], &[dims(0, left), dims(1, right)], expected);
    back("2 3", "2 3", "Add[](0, 1) -> 0");
    back("2 3", "3", "Add[broadcast=1](0, 1) -> 0");
    back("3", "2 3", "Add[broadcast=1](1, 0) -> 0");
    let refused = "conversion-meaning: The older version broadcasts `B` alone, and only to the last axes of `A`; these \
                   dimensions are not known to fit.; what Add-6 can express / a step from Add-7 to Add-6";
    back("2 3", "2 1", refused);
    back("2 3", "N 3", refused);
    check("Max", 8, 6, &[], &[dims(0, "N 3"), dims(1, "N 3"), dims(2, "N 3")], "Max[](0, 1, 2) -> 0");
    assert!(
        run("Max", 8, 6, Node { inputs: vec![dims(0, "2 3"), dims(1, "3")], outputs: outputs(1), ..Node::default() })
            .is_err()
    );
}

#[test]
fn rewritten() {
    let data = || dims(0, "2 3 4");
    check("Softmax", 11, 13, &[int("axis", 2)], &[data()], "Softmax[axis=2](0) -> 0");
    check("Softmax", 11, 13, &[int("axis", -1)], &[of(0, DataType::Float)], "Softmax[axis=-1](0) -> 0");
    check(
        "Softmax",
        11,
        13,
        &[],
        &[data()],
        "Flatten[axis=1](0) -> %0\nSoftmax[axis=-1](%0) -> %1\nShape[](0) -> %2\nReshape[](%1, %2) -> 0",
    );
    check("Softmax", 13, 9, &[], &[data()], "Softmax[axis=2](0) -> 0");
    check(
        "Softmax",
        13,
        9,
        &[int("axis", 0)],
        &[data()],
        "Transpose[perm=[2, 1, 0]](0) -> %0\nSoftmax[axis=2](%0) -> %1\nTranspose[perm=[2, 1, 0]](%1) -> 0",
    );
    // A Reshape would take a size of 0 for that of the rows.
    check("Softmax", 11, 13, &[], &[dims(0, "2 3 0")], "Softmax[axis=1](0) -> 0");
    let scales = |numbers: &[f64]| constant(1, DataType::Float, false, &Numbers::Floats(numbers.to_vec()));
    check(
        "Upsample",
        9,
        13,
        &[],
        &[data(), scales(&[1.0, 1.0, 2.0])],
        "Resize[mode=\"nearest\", coordinate_transformation_mode=\"asymmetric\", nearest_mode=\"floor\"]\
         (0, -, 1) -> 0",
    );
    check("Resize", 10, 9, &[], &[data(), scales(&[1.0, 1.0, 2.0])], "Upsample[mode=\"nearest\"](0, 1) -> 0");
    let index = list(1, &[0, 2]);
    let three = [data(), index, of(2, DataType::Float)];
    check("Scatter", 9, 11, &[int("axis", 1)], &three, "ScatterElements[axis=1](0, 1, 2) -> 0");
    check("ScatterElements", 11, 9, &[int("axis", 1)], &three, "Scatter[axis=1](0, 1, 2) -> 0");
    let computed = [data(), of(1, DataType::Int64), of(2, DataType::Float)];
    let node = Node { inputs: computed.to_vec(), outputs: outputs(1), ..Node::default() };
    assert!(run("ScatterElements", 11, 9, node).unwrap_err()[0].starts_with("conversion-meaning: Scatter, which"));
    let node = Node { attributes: vec![int("num_outputs", 2)], inputs: vec![dims(0, "5")], outputs: outputs(2) };
    check_node("Split", 18, 13, node, "Split[axis=0](0, split=[3, 2]) -> 0, 1");
    check("Constant", 12, 11, &[float("value_float", 0.5)], &[], "Constant[value=0.5]() -> 0");
    check(
        "Pad",
        18,
        13,
        &[],
        &[data(), list(1, &[1, 2]), Input::Absent, list(3, &[-1])],
        "Pad[mode=\"constant\"](0, pads=[0, 0, 1, 0, 0, 2]) -> 0",
    );
    check(
        "GroupNormalization",
        18,
        21,
        &[int("num_groups", 2)],
        &[dims(0, "N 4 5"), dims(1, "2"), dims(2, "2")],
        "Reshape[](1, shape=[2, 1]) -> %0\n\
         Expand[](%0, shape=[2, 2]) -> %1\n\
         Reshape[](%1, shape=[-1]) -> %2\n\
         Reshape[](2, shape=[2, 1]) -> %3\n\
         Expand[](%3, shape=[2, 2]) -> %4\n\
         Reshape[](%4, shape=[-1]) -> %5\n\
         GroupNormalization[epsilon=1e-5, num_groups=2](0, %2, %5) -> 0",
    );
}

#[test]
fn masks_of_attention() {
    let inputs = |mask: &str, past: &[&str]| {
        let first = ["2 4 3 8", "2 4 5 8", "2 4 5 8", mask];
        let all = first.iter().chain(past);
        all.enumerate().map(|(index, of)| dims(index, of)).collect::<Vec<Input<'_>>>()
    };
    let refused = |from: u32, to: u32, inputs: Vec<Input<'static>>| {
        let node = Node { inputs, outputs: outputs(1), ..Node::default() };
        let told = run("Attention", from, to, node).unwrap_err();
        assert!(told.iter().any(|told| told.contains("a last axis of `attn_mask`")), "{told:?}");
    };
    let past = ["2 4 6 8", "2 4 6 8"];
    for (from, to) in [(23, 24), (24, 23)] {
        let all = "Attention[](0, 1, 2, 3) -> 0";
        check("Attention", from, to, &[], &inputs("3 5", &[]), all);
        check("Attention", from, to, &[], &inputs("3 11", &past), "Attention[](0, 1, 2, 3, 4, 5) -> 0");
        refused(from, to, inputs("3 1", &[]));
        refused(from, to, inputs("3 ?", &[]));
    }
    let heads = [int("q_num_heads", 4), int("kv_num_heads", 4)];
    let of_rank = |of: &'static str| [dims(0, of), dims(1, of), dims(2, of)];
    check("Attention", 24, 25, &heads, &of_rank("2 4 3 8"), "Attention[](0, 1, 2) -> 0");
    check("Attention", 24, 25, &heads, &of_rank("2 3 8"), "Attention[q_num_heads=4, kv_num_heads=4](0, 1, 2) -> 0");
    let unknown = (0..3).map(|index| of(index, DataType::Float)).collect();
    let node = Node { attributes: heads.to_vec(), inputs: unknown, outputs: outputs(1) };
    assert!(run("Attention", 24, 25, node).unwrap_err()[0].contains("the rank is not known"));
}

#[test]
fn windows_that_begin_in_the_padding() {
    let pool = |dims: &str, strides: &[i64], kernel: &[i64], pads: &[i64]| {
        let attributes = vec![
            int("ceil_mode", 1),
            ints("kernel_shape", kept(kernel.to_vec())),
            ints("strides", kept(strides.to_vec())),
            ints("pads", kept(pads.to_vec())),
        ];
        Node { attributes, inputs: vec![self::dims(0, dims)], outputs: outputs(1) }
    };
    assert!(run("MaxPool", 12, 22, pool("1 1 4", &[2], &[3], &[0, 0])).is_ok());
    // The third window would begin at place 4, which is padding.
    assert!(run("MaxPool", 12, 22, pool("1 1 4", &[2], &[1], &[0, 1])).is_err());
}

#[test]
fn a_node_that_is_wrong_is_not_converted() {
    let data = of(0, DataType::Float);
    check(
        "Shape",
        13,
        15,
        &[int("start", 0)],
        from_ref(&data),
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
    check("Shape", 1, 12, &[int("start", 0)], &[data], "Shape[start=0](0) -> 0");
}

#[test]
fn counts() {
    let node = |count| Node { inputs: vec![of(0, DataType::Float)], outputs: outputs(count), ..Node::default() };
    let refusals = run("Shape", 1, 28, node(2)).unwrap_err();
    assert_eq!(refusals, ["output-count: the node has 2 outputs; allowed: 1; 1 / 2"]);
    check(
        "Celu",
        12,
        11,
        &[],
        &[of(0, DataType::Float)],
        "operator-too-new: Celu is newer than opset 11; opset 12 of ai.onnx or later / opset 11",
    );
}

/// Version 8 runs each entry of a batch; that of one entry is what version 9 does without the axis.
#[test]
fn scan_without_a_batch() {
    let body = Attribute::given("body", AttributeValue::Other(AttributeKind::Graph));
    let scan = |attributes: &[Attribute<'static>], inputs: &[Input<'static>]| Node {
        attributes: [&[body.clone(), int("num_scan_inputs", 1)], attributes].concat(),
        inputs: inputs.to_vec(),
        outputs: outputs(2),
    };
    let batch = [Input::Absent, dims(1, "1 2"), of(2, DataType::Float)];
    check_node(
        "Scan",
        8,
        9,
        scan(&[ints("directions", &[1])], &batch),
        "Squeeze[axes=[0]](1) -> %0\nSqueeze[axes=[0]](2) -> %1\n\
         Scan[body=GRAPH, num_scan_inputs=1, scan_input_directions=[1]](%0, %1) -> %2, %3\n\
         Unsqueeze[axes=[0]](%2) -> 0\nUnsqueeze[axes=[0]](%3) -> 1",
    );
    let plain = [dims(0, "2"), dims(1, "3 2")];
    let attributes =
        [ints("scan_input_directions", &[1]), ints("scan_input_axes", &[0]), ints("scan_output_axes", &[0])];
    check_node(
        "Scan",
        9,
        8,
        scan(&attributes, &plain),
        "Unsqueeze[axes=[0]](0) -> %0\nUnsqueeze[axes=[0]](1) -> %1\n\
         Scan[body=GRAPH, num_scan_inputs=1, directions=[1]](-, %0, %1) -> %2, %3\n\
         Squeeze[axes=[0]](%2) -> 0\nSqueeze[axes=[0]](%3) -> 1",
    );
    // What comes before and after it is converted on.
    let up = run("Scan", 8, 13, scan(&[], &batch)).unwrap();
    assert_eq!(line(&up[0]), "Squeeze[](1, axes=[0]) -> %0");
    assert_eq!(line(&up[4]), "Unsqueeze[](%3, axes=[0]) -> 1");
    let meaning = "conversion-meaning: Version 8 scans each entry of a batch as far as its sequence goes";
    for inputs in [
        [Input::Absent, dims(1, "2 2"), dims(2, "2 3 2")],
        [Input::Absent, dims(1, "N 2"), dims(2, "N 3 2")],
        [of(0, DataType::Int64), dims(1, "1 2"), dims(2, "1 3 2")],
    ] {
        assert!(run("Scan", 8, 9, scan(&[], &inputs)).unwrap_err()[0].starts_with(meaning));
    }
    for attribute in [
        ints("scan_input_axes", &[1]),
        ints("scan_output_axes", &[1]),
        ints("scan_output_directions", &[1]),
        ints("scan_output_axes", &[-2]),
    ] {
        let refusals = run("Scan", 9, 8, scan(from_ref(&attribute), &plain)).unwrap_err();
        assert!(refusals[0].starts_with("conversion-attribute: "), "{refusals:?}");
        assert!(refusals[0].contains(attribute.name), "{refusals:?}");
    }
}

/// Version 1 of Flatten has no integers; Reshape has them.
#[test]
fn flatten_of_integers() {
    let ints = |shape: &str| Input::Given { index: 0, known: known(DataType::Int64, Some(shape)) };
    let flatten = |axis: i64, input: &str, output: &str| Node {
        attributes: vec![int("axis", axis)],
        inputs: vec![ints(input)],
        outputs: vec![Output::Given { index: 0, known: known(DataType::Int64, Some(output)) }],
    };
    check_node("Flatten", 9, 8, flatten(0, "N M", "1 K"), "Reshape[](0, shape=[1, -1]) -> 0");
    check_node("Flatten", 9, 8, flatten(1, "2 M", "2 M"), "Reshape[](0, shape=[2, -1]) -> 0");
    check_node("Flatten", 9, 8, flatten(1, "N 3", "N 3"), "Reshape[](0, shape=[-1, 3]) -> 0");
    // A size of 0 stands for that of the input, so that it cannot be written.
    for (input, output) in [("N M", "N M"), ("0 M", "0 M")] {
        let refusals = run("Flatten", 9, 8, flatten(1, input, output)).unwrap_err();
        assert!(refusals[0].starts_with("conversion-type: at Flatten-1"), "{refusals:?}");
    }
    check("Flatten", 9, 8, &[], &[of(0, DataType::Double)], "Flatten[](0) -> 0");
    check("Flatten", 8, 9, &[], &[of(0, DataType::Double)], "Flatten[](0) -> 0");
}

#[test]
fn what_the_first_versions_ask_for() {
    let five: Vec<Input<'_>> = (0..5).map(|index| of(index, DataType::Float)).collect();
    let inference = "BatchNormalization[is_test=1, consumed_inputs=[0, 0]](0, 1, 2, 3, 4) -> 0";
    check("BatchNormalization", 7, 5, &[], &five, inference);
    let old = [int("is_test", 1), ints("consumed_inputs", &[0, 0])];
    check("BatchNormalization", 5, 7, &old, &five, "BatchNormalization[](0, 1, 2, 3, 4) -> 0");
    // What has the dimensions of the product needs no broadcast.
    let gemm = |third: &str| Node {
        attributes: Vec::new(),
        inputs: vec![dims(0, "2 3"), dims(1, "3 4"), dims(2, third)],
        outputs: vec![Output::Given { index: 0, known: known(DataType::Float, Some("2 4")) }],
    };
    check_node("Gemm", 7, 1, gemm("2 4"), "Gemm[](0, 1, 2) -> 0");
    check_node("Gemm", 7, 1, gemm("4"), "Gemm[broadcast=1](0, 1, 2) -> 0");
}

/// Whatever an adapter names is there in the versions that it is read at.
#[test]
fn rewrites_name_what_is_there() {
    use shape_core::adapter::{Deed, Way};
    let registry = Registry::builtin();
    for versions in registry.operators() {
        let mut before: Option<&shape_core::Schema> = None;
        for schema in versions {
            for action in schema.adapter.unwrap_or_default() {
                let nodes = match &action.deed {
                    Deed::Rewrite(nodes) => *nodes,
                    Deed::Through(node) => from_ref(node),
                    _ => continue,
                };
                let opset = if action.way == Some(Way::Up) { schema.since_version } else { schema.since_version - 1 };
                for node in nodes {
                    let new = registry.resolve(schema.domain, node.operator, opset);
                    let new = new.unwrap_or_else(|missing| {
                        panic!("{}-{}: {} {missing:?}", schema.name, schema.since_version, node.operator)
                    });
                    for (name, _) in node.attributes {
                        assert!(
                            new.attribute(name).is_some(),
                            "{}-{}: {}<{name}>",
                            schema.name,
                            schema.since_version,
                            node.operator
                        );
                    }
                    for required in new.attributes.iter().filter(|attribute| attribute.required && !attribute.legacy) {
                        assert!(
                            node.attributes.iter().any(|(name, _)| *name == required.name),
                            "{}: {}",
                            schema.name,
                            required.name
                        );
                    }
                    assert!(
                        node.inputs.len() <= new.inputs.len()
                            || new.inputs.last().is_some_and(shape_core::schema::FormalParameter::is_variadic),
                        "{}: {node:?}",
                        schema.name
                    );
                }
                // Of a node that stays, what is not named is kept.
                let rewritten = if action.way == Some(Way::Up) { before } else { Some(*schema) };
                let rewritten = rewritten.filter(|_| matches!(action.deed, Deed::Rewrite(_)));
                let actions = format!("{:?}", schema.adapter);
                for attribute in
                    rewritten.into_iter().flat_map(|schema| schema.attributes).filter(|attribute| !attribute.legacy)
                {
                    let name = attribute.name;
                    let decided =
                        actions.contains(&format!("Name({name:?})")) || actions.contains(&format!("name: {name:?}"));
                    assert!(
                        decided || schema.name == "Constant",
                        "{}-{} forgets {name}",
                        schema.name,
                        schema.since_version
                    );
                }
            }
            before = Some(schema);
        }
    }
}

proptest! {
    /// Up and down again is the node that it was, and what no version changed goes through all of them.
    #[test]
    fn the_way_back_leads_home(target in proptest::collection::vec(-1_i64..9, 0..6), opset in 5_u32..29) {
        let node = Node {
            attributes: vec![ints("shape", &target)],
            inputs: vec![of(0, DataType::Double)],
            outputs: outputs(1),
        };
        let up = run("Reshape", 1, opset, node).unwrap();
        prop_assert_eq!(line(&up[0]), format!("Reshape[](0, shape={target:?}) -> 0"));
        let down = run("Reshape", opset, 1, up[0].node.clone()).unwrap();
        prop_assert_eq!(line(&down[0]), format!("Reshape[shape={target:?}](0) -> 0"));
    }

    /// Over an opset in between is the same as at once, refusals apart.
    #[test]
    fn every_way_leads_to_the_same(
        axis in -3_i64..3,
        has_axis: bool,
        data_type in 1_i32..29,
        opsets in [1_u32..29, 1..29, 1..29],
    ) {
        let [from, over, to] = opsets;
        let attributes = if has_axis { vec![int("axis", axis)] } else { vec![] };
        let known = known(DataType::from_number(data_type).unwrap(), Some("N 3 4"));
        let node = Node { attributes, inputs: vec![Input::Given { index: 0, known }], outputs: outputs(1) };
        if let Ok(there) = run("Flatten", from, over, node.clone())
            && there[0].schema.name == "Flatten"
            && let Ok(end) = run("Flatten", over, to, there[0].node.clone())
        {
            // Counted from the front at an opset in between, an axis stays so.
            if axis >= 0 {
                prop_assert_eq!(line(&run("Flatten", from, to, node).unwrap()[0]), line(&end[0]));
            }
        }
    }
}
