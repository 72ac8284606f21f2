//! Types that attributes, subgraphs and parts of other types decide, and what attributes may be.

use shape_core::DataType;
use shape_core::node::AttributeKind;
use shape_model::file::proto::{AttributeProto, GraphProto, ModelProto, NodeProto, SparseTensorProto, TensorProto};

use crate::model::{
    Change as _, attribute, float, graph, in_graph, initializer, int, int64s, ints, model, node, opset, subgraph,
    tensor_type, value,
};
use crate::run::{check, infer};

/// A model at the newest opsets with one node, whose first output is `y`.
fn with(op_type: &str, inputs: &[&str], attributes: &[AttributeProto]) -> ModelProto {
    let names: Vec<&str> = inputs.iter().filter_map(|input| input.split(": ").next()).collect();
    let ml = ["CastMap", "CategoryMapper", "LabelEncoder", "LinearClassifier", "ZipMap"].contains(&op_type);
    let node = node(op_type, &names, &["y"]).with(|node| {
        node.attribute = attributes.to_vec();
        node.output.extend((op_type == "LinearClassifier").then(|| "z".to_owned()));
        node.domain = if ml { "ai.onnx.ml".into() } else { String::new() };
    });
    let given: Vec<&str> = inputs.iter().copied().filter(|input| !input.is_empty()).collect();
    at(model(&given, vec![node], &["y"]), 25)
}

fn at(model: ModelProto, version: i64) -> ModelProto {
    model.with(|model| {
        model.ir_version = Some(14);
        model.opset_import = vec![opset("", version), opset("ai.onnx.ml", 4)];
    })
}

fn text(name: &str, text: &str) -> AttributeProto {
    let s = Some(text.to_owned().into());
    attribute(AttributeProto { name: name.into(), s, ..AttributeProto::default() }, AttributeKind::String)
}

fn texts(name: &str) -> AttributeProto {
    let strings = vec!["a".into(), "b".into()];
    attribute(AttributeProto { name: name.into(), strings, ..AttributeProto::default() }, AttributeKind::Strings)
}

fn tensor(name: &str, data_type: DataType) -> AttributeProto {
    let raw_data = Some(vec![0; usize::from(data_type.bits().unwrap_or(8) / 8)].into());
    let data_type = Some(data_type.number().into());
    let t = Some(Box::new(TensorProto { data_type, dims: vec![1], raw_data, ..TensorProto::default() }));
    attribute(AttributeProto { name: name.into(), t, ..AttributeProto::default() }, AttributeKind::Tensor)
}

/// A branch that gives one value of a type, made by a Constant.
fn branch(data_type: DataType) -> GraphProto {
    let constant = node("Constant", &[], &["b"]).with(|node| node.attribute = vec![tensor("value", data_type)]);
    graph(&[], vec![constant], &["b"])
}

fn branches(first: DataType, second: DataType) -> [AttributeProto; 2] {
    [subgraph("then_branch", branch(first)), subgraph("else_branch", branch(second))]
}

/// A body that gives a condition and a value of a type.
fn body(data_type: DataType) -> AttributeProto {
    let constant = |name: &str, data_type| {
        node("Constant", &[], &[name]).with(|node: &mut NodeProto| node.attribute = vec![tensor("value", data_type)])
    };
    let nodes = vec![constant("c", DataType::Bool), constant("s", data_type)];
    subgraph("body", graph(&["i: int64[]", "k: bool[]"], nodes, &["c", "s"]))
}

fn chain(nodes: Vec<NodeProto>, input: &str) -> ModelProto {
    at(model(&[input], nodes, &["y"]), 25)
}

#[test]
fn outputs() {
    let sequence = || vec![node("SequenceConstruct", &["x", "x"], &["s"])];
    let then = |mut nodes: Vec<NodeProto>, last: NodeProto| {
        nodes.push(last);
        chain(nodes, "x: double[2]")
    };
    let optional_type = {
        let tp = Some(Box::new(tensor_type("int8[2]")));
        attribute(AttributeProto { name: "type".into(), tp, ..AttributeProto::default() }, AttributeKind::TypeProto)
    };
    let sparse = {
        let values = Some(initializer("", &[1]));
        let sparse_tensor = Some(Box::new(SparseTensorProto { values, dims: vec![4], ..SparseTensorProto::default() }));
        let sparse = AttributeProto { name: "sparse_value".into(), sparse_tensor, ..AttributeProto::default() };
        attribute(sparse, AttributeKind::SparseTensor)
    };
    let quantize = |inputs: &[&str], attributes: &[AttributeProto]| with("QuantizeLinear", inputs, attributes);
    let values = || [texts("keys_strings"), ints("values_int64s", &[1, 2])];
    let floats = |name: &str| {
        let floats = AttributeProto { name: name.into(), floats: vec![0.5, 1.5], ..AttributeProto::default() };
        attribute(floats, AttributeKind::Floats)
    };
    let cases = [
        (with("Cast", &["x: float[2]"], &[int("to", 7)]), "tensor(int64)"),
        (at(with("Cast", &["x: float[2]"], &[text("to", "DOUBLE")]), 1), "tensor(double)"),
        (
            with("BitCast", &["x: float[2]"], &[int("to", 6)]).with(|model| model.opset_import[0].version = Some(26)),
            "tensor(int32)",
        ),
        (with("EyeLike", &["x: int8[2,2]"], &[]), "tensor(int8)"),
        (with("EyeLike", &["x: int8[2,2]"], &[int("dtype", 11)]), "tensor(double)"),
        (with("Constant", &[], &[tensor("value", DataType::Uint16)]), "tensor(uint16)"),
        (with("Constant", &[], &[int("value_int", 16)]), "tensor(int64)"),
        (with("Constant", &[], &[float("value_float", 1.0)]), "tensor(float)"),
        (with("Constant", &[], &[texts("value_strings")]), "tensor(string)"),
        (with("Constant", &[], &[sparse]), "tensor(float)"),
        (with("ConstantOfShape", &["x: int64[2]"], &[]), "tensor(float)"),
        (with("ConstantOfShape", &["x: int64[2]"], &[tensor("value", DataType::Int8)]), "tensor(int8)"),
        (with("RandomNormal", &[], &[ints("shape", &[2])]), "tensor(float)"),
        (with("RandomNormal", &[], &[ints("shape", &[2]), int("dtype", 10)]), "tensor(float16)"),
        (with("Multinomial", &["x: float[2,3]"], &[]), "tensor(int32)"),
        (quantize(&["x: float[2]", "s: float"], &[]), "tensor(uint8)"),
        (quantize(&["x: float[2]", "s: float"], &[int("output_dtype", 3)]), "tensor(int8)"),
        (quantize(&["x: float[2]", "s: float", "z: int8"], &[]), "tensor(int8)"),
        (with("DequantizeLinear", &["x: int8[2]", "s: float16"], &[]), "tensor(float16)"),
        (with("If", &["c: bool"], &branches(DataType::Int8, DataType::Int8)), "tensor(int8)"),
        (with("Loop", &["m: int64", ""], &[body(DataType::Int16)]), "tensor(int16)"),
        (with("SequenceConstruct", &["x: int8[2]"], &[]), "seq(tensor(int8))"),
        (with("SequenceEmpty", &[], &[]), "seq(tensor(float))"),
        (with("SequenceEmpty", &[], &[int("dtype", 7)]), "seq(tensor(int64))"),
        (with("SplitToSequence", &["x: int8[2]"], &[]), "seq(tensor(int8))"),
        (
            then(
                sequence(),
                node("ConcatFromSequence", &["s"], &["y"]).with(|node| node.attribute = vec![int("axis", 0)]),
            ),
            "tensor(double)",
        ),
        (then(sequence(), node("Optional", &["s"], &["y"])), "optional(seq(tensor(double)))"),
        (then(sequence(), node("OptionalGetElement", &["s"], &["y"])), "seq(tensor(double))"),
        (with("Optional", &[], &[optional_type]), "optional(tensor(int8))"),
        (with("LabelEncoder", &["x: string[2]"], &values()), "tensor(int64)"),
        (with("LabelEncoder", &["x: string[2]"], &[texts("keys_strings"), floats("values_floats")]), "tensor(float)"),
        (
            with("CategoryMapper", &["x: int64[2]"], &[texts("cats_strings"), ints("cats_int64s", &[1, 2])]),
            "tensor(string)",
        ),
        (
            with("LinearClassifier", &["x: float[1,2]"], &[floats("coefficients"), texts("classlabels_strings")]),
            "tensor(string)",
        ),
        (with("ZipMap", &["x: float[1,2]"], &[ints("classlabels_int64s", &[1, 2])]), "seq(map(int64, float))"),
    ];
    for (index, (model, expected)) in cases.iter().enumerate() {
        let run = infer(model, &[]);
        let json = run.json();
        let y = json["values"].as_array().unwrap().iter().rfind(|value| value["name"] == "y").unwrap();
        assert_eq!(
            y["type"],
            *expected.strip_prefix("tensor(").map_or(*expected, |ty| ty.trim_end_matches(')')),
            "case {index}: {run:?}"
        );
        assert_eq!(run.findings(), [""; 0], "case {index}: {run:?}");
    }
}

#[test]
fn refused() {
    let pads = || ints("pads", &[1, 1, 1, 1]);
    let conv = |attributes: &[AttributeProto]| with("Conv", &["x: float[1,4,8,8]", "w: float[4,1,3,3]"], attributes);
    let split = |inputs: &[&str], attributes: &[AttributeProto]| with("Split", inputs, attributes);
    let resize = |inputs: &[&str]| with("Resize", inputs, &[]);
    let cast = |to| with("Cast", &["x: float[2]"], &[int("to", to)]);
    let rows = "r: float";
    let attention = |inputs: &[&str], outputs: &[&str]| {
        let declared = ["q: float[2,4,3,8]", "k: float[2,2,5,8]", "v: float[2,2,5,6]", "n: int64[2]"];
        at(model(&declared, vec![node("Attention", inputs, outputs)], &["y"]), 25)
    };
    let cases = [
        (cast(99), "attribute-value"),
        (cast(0), "attribute-value"),
        (cast(-1), "attribute-value"),
        (cast(14), "type-not-allowed"),
        (at(cast(16), 9), "type-not-allowed"),
        (at(with("Cast", &["x: float[2]"], &[text("to", "REAL")]), 1), "attribute-value"),
        (in_graph(cast(7), |graph| graph.output = vec![value("y: float[2]")]), "output-type"),
        (with("If", &["c: bool"], &branches(DataType::Int8, DataType::Int16)), "subgraph-type"),
        (with("Constant", &[], &[]), "arguments-exclusive"),
        (with("Constant", &[], &[int("value_int", 1), float("value_float", 1.0)]), "arguments-exclusive"),
        (conv(&[pads(), text("auto_pad", "SAME_UPPER")]), "arguments-exclusive"),
        (conv(&[ints("pads", &[1, -1, 1, 1])]), "attribute-value"),
        (conv(&[ints("strides", &[0, 1])]), "attribute-value"),
        (conv(&[int("group", 0)]), "attribute-value"),
        (split(&["x: float[4]"], &[]), "arguments-exclusive"),
        (split(&["x: float[4]", "p: int64[1]"], &[int("num_outputs", 1)]), "arguments-exclusive"),
        (resize(&["x: float[4]", "", "", ""]), "arguments-exclusive"),
        (resize(&["x: float[4]", "", "s: float[1]", "z: int64[1]"]), "arguments-exclusive"),
        (resize(&["x: float[4]", rows, ""]), "arguments-exclusive"),
        (attention(&["q", "k", "v"], &["y", "present"]), "output-missing"),
        (attention(&["q", "k", "v"], &["y", "", "present"]), "output-missing"),
        (attention(&["q", "k", "v", "", "", "", "n"], &["y", "a", "b"]), "arguments-exclusive"),
        (
            with("Dropout", &["x: float[4]"], &[float("ratio", 1.5)])
                .with(|model| model.opset_import[0].version = Some(7)),
            "attribute-value",
        ),
    ];
    for (index, (model, expected)) in cases.iter().enumerate() {
        let run = check(model);
        assert_eq!(run.findings(), [format!("{expected} graph#0")], "case {index}: {run:?}");
    }
}

#[test]
fn accepted() {
    let target = || int64s("t", &[1], &[8]);
    let conv = |attributes: &[AttributeProto]| with("Conv", &["x: float[1,4,8,8]", "w: float[4,1,3,3]"], attributes);
    let cases = [
        conv(&[ints("pads", &[0, 1, 0, 1]), text("auto_pad", "NOTSET"), int("group", 4)]),
        conv(&[text("auto_pad", "VALID"), int("group", 4)]),
        with("Split", &["x: float[4]"], &[int("num_outputs", 1)]),
        in_graph(with("Resize", &["x: float[4]", "", "", "t: int64[1]"], &[]), |graph| {
            graph.initializer = vec![target()];
        }),
        with("Constant", &[], &[ints("value_ints", &[])]),
    ];
    for (index, model) in cases.iter().enumerate() {
        let run = check(model);
        assert_eq!(run.findings(), [""; 0], "case {index}: {run:?}");
    }
}
