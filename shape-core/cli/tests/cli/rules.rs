//! The dimensions that rules give, on numbers, symbols and what is unknown.

use shape_core::node::AttributeKind;
use shape_model::file::proto::{AttributeProto, ModelProto};

use crate::model::{Change as _, attribute, in_graph, int, int64s, ints, model, node, opset};
use crate::run::{check, infer};

/// A node at opset 17, its inputs declared, and those with elements initializers: `k = [2]`.
fn with(op_type: &str, inputs: &[&str], attributes: &[AttributeProto]) -> ModelProto {
    at(17, op_type, inputs, attributes)
}

fn at(version: i64, op_type: &str, inputs: &[&str], attributes: &[AttributeProto]) -> ModelProto {
    let name = |input: &&str| input.split([':', ' ']).next().unwrap_or_default().to_owned();
    let names: Vec<String> = inputs.iter().map(name).collect();
    let declared: Vec<&str> = inputs.iter().copied().filter(|input| input.contains(':')).collect();
    let constants = inputs.iter().filter_map(|input| {
        let (name, list) = input.split_once(" = [")?;
        let numbers = list.trim_end_matches(']').split(',').filter(|number| !number.is_empty());
        let numbers: Vec<i64> = numbers.map(|number| number.trim().parse().unwrap()).collect();
        Some(int64s(name, &[i64::try_from(numbers.len()).unwrap()], &numbers))
    });
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let outputs: &[&str] = if matches!(op_type, "Split" | "TopK") { &["y", "z"] } else { &["y"] };
    let node = node(op_type, &names, outputs).with(|node| node.attribute = attributes.to_vec());
    let model = model(&declared, vec![node], &["y"]).with(|model| model.opset_import = vec![opset("", version)]);
    in_graph(model, |graph| graph.initializer = constants.collect())
}

fn string(name: &str, text: &str) -> AttributeProto {
    let s = Some(text.to_owned().into());
    attribute(AttributeProto { name: name.into(), s, ..AttributeProto::default() }, AttributeKind::String)
}

#[test]
fn dims() {
    let keepdims = || int("keepdims", 0);
    let cases = [
        (with("Relu", &["x: float[N, 3, ?]"], &[]), "[N, 3, ?]"),
        (with("Add", &["a: float[N, 1, 4]", "b: float[3, 1]"], &[]), "[N, 3, 4]"),
        (with("Add", &["a: float[N]", "b: float[5]"], &[]), "[5]"),
        (with("Add", &["a: float[N]", "b: float[M]"], &[]), "[?]"),
        (with("Add", &["a: float[N]", "b: float"], &[]), "?"),
        (at(6, "Add", &["a: float[2,3,4]", "b: float[3]"], &[int("broadcast", 1), int("axis", 1)]), "[2, 3, 4]"),
        (with("Where", &["c: bool[1]", "a: float[N, 1]", "b: float[N, 4]"], &[]), "[N, 4]"),
        (with("Max", &["a: float[1, 2]", "b: float[3, 1]", "c: float[]"], &[]), "[3, 2]"),
        (with("ReduceMax", &["x: float[N, 3, 4]"], &[ints("axes", &[-1])]), "[N, 3, 1]"),
        (with("ReduceMax", &["x: float[N, 3, 4]"], &[ints("axes", &[0, 2]), keepdims()]), "[3]"),
        (with("ReduceMax", &["x: float[N, 3, 4]"], &[keepdims()]), "[]"),
        (at(18, "ReduceMax", &["x: float[N, 3, 4]", "a = [1]"], &[]), "[N, 1, 4]"),
        (at(18, "ReduceMax", &["x: float[N, 3, 4]", "a = []"], &[int("noop_with_empty_axes", 1)]), "[N, 3, 4]"),
        (at(18, "ReduceMax", &["x: float[N, 3, 1]", "a: int64[1]"], &[]), "[?, ?, 1]"),
        (at(18, "ReduceMax", &["x: float[N, 3, 4]", "a: int64[2]"], &[keepdims()]), "[?]"),
        (with("ArgMax", &["x: float[N, 3, 4]"], &[int("axis", -2), keepdims()]), "[N, 4]"),
        (with("Concat", &["a: float[N, 3]", "b: float[N, T]"], &[int("axis", 1)]), "[N, T + 3]"),
        (with("Concat", &["a: float[N, 3]", "b: float[2, 3]"], &[int("axis", -1)]), "[2, 6]"),
        (with("Gather", &["x: float[N, 3, 4]", "i: int64[2, T]"], &[int("axis", 1)]), "[N, 2, T, 4]"),
        (with("GatherND", &["x: float[N, 3, 4]", "i: int64[5, 2]"], &[]), "[5, 4]"),
        (with("Split", &["x: float[N, 6]"], &[int("axis", 1)]), "[N, 3]"),
        (with("Split", &["x: float[N, 6]", "s = [2, 4]"], &[int("axis", 1)]), "[N, 2]"),
        (at(18, "Split", &["x: float[7]"], &[int("num_outputs", 2)]), "[4]"),
        (with("Split", &["x: float[2*N]"], &[]), "[N]"),
        (with("Squeeze", &["x: float[1, N, 1]", "a = [-1]"], &[]), "[1, N]"),
        (at(11, "Squeeze", &["x: float[1, N, 1]"], &[ints("axes", &[0])]), "[N, 1]"),
        (with("Squeeze", &["x: float[1, 3, 1]"], &[]), "[3]"),
        (with("Squeeze", &["x: float[1, N, 1]"], &[]), "?"),
        (with("Unsqueeze", &["x: float[N, 3]", "a = [0, -1]"], &[]), "[1, N, 3, 1]"),
        (with("Unsqueeze", &["x: float[N, 3]", "a: int64[1]"], &[]), "[?, ?, ?]"),
        (with("Flatten", &["x: float[N, 3, T]"], &[]), "[N, 3*T]"),
        (with("Flatten", &["x: float[N, 3]"], &[int("axis", 2)]), "[3*N, 1]"),
        (with("Transpose", &["x: float[N, 3, T]"], &[]), "[T, 3, N]"),
        (with("Transpose", &["x: float[N, 3, T]"], &[ints("perm", &[1, 2, 0])]), "[3, T, N]"),
        (with("Transpose", &["x: float"], &[ints("perm", &[1, 0])]), "[?, ?]"),
        (with("Expand", &["x: float[N, 1]", "s = [1, 4]"], &[]), "[N, 4]"),
        (with("Expand", &["x: float[3]", "s: int64[2]"], &[]), "[?, 3]"),
        (with("Expand", &["x: float[N, 1]", "s: int64[1]"], &[]), "[N, ?]"),
        (with("Tile", &["x: float[N, 2]", "r = [2, 3]"], &[]), "[2*N, 6]"),
        (with("ConstantOfShape", &["s = [2, 3]"], &[]), "[2, 3]"),
        (with("ConstantOfShape", &["s: int64[0]"], &[]), "[]"),
        (with("Size", &["x: float"], &[]), "[]"),
        (with("NonZero", &["x: float[N, 3]"], &[]), "[2, ?]"),
        (with("TopK", &["x: float[N, 9]", "k = [2]"], &[]), "[N, 2]"),
        (with("OneHot", &["i: int64[N]", "d = [7]", "v: float[2]"], &[]), "[N, 7]"),
        (with("MatMul", &["a: float[B, 1, N, K]", "b: float[4, K, 5]"], &[]), "[B, 4, N, 5]"),
        (with("MatMul", &["a: float[K]", "b: float[K, 5]"], &[]), "[5]"),
        (with("MatMul", &["a: float[N, K]", "b: float[K]"], &[]), "[N]"),
        (with("MatMul", &["a: float[K]", "b: float[K]"], &[]), "[]"),
        (with("Gemm", &["a: float[K, N]", "b: float[5, K]"], &[int("transA", 1), int("transB", 1)]), "[N, 5]"),
        (with("GlobalMaxPool", &["x: float[N, 3, 8, 8]"], &[]), "[N, 3, 1, 1]"),
        (with("Slice", &["x: float[N, 9]", "s = [1]", "e = [8]", "a = [1]", "t = [3]"], &[]), "[N, 3]"),
        (with("Slice", &["x: float[9]", "s = [-1]", "e = [-100]", "a = [0]", "t = [-2]"], &[]), "[5]"),
        (with("Slice", &["x: float[9]", "s = [100]", "e = [2]", "a = [0]", "t = [-3]"], &[]), "[2]"),
        (with("Slice", &["x: float[9]", "s = [5]", "e = [2]"], &[]), "[0]"),
        (with("Slice", &["x: float[N]", "s = [0]", "e = [2147483647]"], &[]), "[N]"),
        (with("Slice", &["x: float[N]", "s = [1]", "e = [9223372036854775807]"], &[]), "[N - min(N, 1)]"),
        (with("Slice", &["x: float[N]", "s = [2]", "e = [-1]"], &[]), "[N - min(N - min(N, 1), 2) - min(N, 1)]"),
        (with("Slice", &["x: float[0]", "s = [-1]", "e = [-9]", "a = [0]", "t = [-1]"], &[]), "[0]"),
        (with("Slice", &["x: float[N]", "s = [-1]", "e = [-9223372036854775808]", "a = [0]", "t = [-1]"], &[]), "[N]"),
        (with("Slice", &["x: float[N]", "s = [-1]", "e = [0]", "a = [0]", "t = [-1]"], &[]), "[N - min(N, 1)]"),
        (
            with("Slice", &["x: float[N]", "s = [3]", "e = [-100000000000]", "a = [0]", "t = [-2]"], &[]),
            "[(min(N, 4) + 1)//2]",
        ),
        (with("Slice", &["x: float[N, 4]", "s: int64[1]", "e: int64[1]", "a = [0]"], &[]), "[?, 4]"),
        (
            at(9, "Slice", &["x: float[4, N]"], &[ints("starts", &[1]), ints("ends", &[3]), ints("axes", &[0])]),
            "[2, N]",
        ),
        (with("Pad", &["x: float[N, 4]", "p = [1, 0, 2, -1]"], &[]), "[N + 3, 3]"),
        (at(18, "Pad", &["x: float[N, 4]", "p = [1, 1]", "", "a = [-1]"], &[]), "[N, 6]"),
        (
            with("Conv", &["x: float[N, 3, 9, W]", "w: float[8, 3, 3, 3]"], &[ints("strides", &[2, 2])]),
            "[N, 8, 4, (W + 1)//2 - 1]",
        ),
        (
            with(
                "Conv",
                &["x: float[N, 3, 9]", "w: float[8, 3, 3]"],
                &[ints("dilations", &[2]), ints("pads", &[1, 2])],
            ),
            "[N, 8, 8]",
        ),
        (
            with(
                "Conv",
                &["x: float[N, 3, 9]", "w: float[8, 3, 3]"],
                &[string("auto_pad", "SAME_UPPER"), ints("strides", &[2])],
            ),
            "[N, 8, 5]",
        ),
        (with("Conv", &["x: float[N, 3, 9]", "w: float"], &[ints("kernel_shape", &[3])]), "[N, ?, 7]"),
        (
            with(
                "MaxPool",
                &["x: float[N, 3, 5]"],
                &[ints("kernel_shape", &[2]), ints("strides", &[2]), int("ceil_mode", 1)],
            ),
            "[N, 3, 3]",
        ),
        (with("MaxPool", &["x: float[N, 3, 5]"], &[ints("kernel_shape", &[2]), ints("strides", &[2])]), "[N, 3, 2]"),
    ];
    for (index, (model, expected)) in cases.iter().enumerate() {
        let run = infer(model, &[]);
        assert_eq!(run.dims("y"), *expected, "case {index}: {run:?}");
        // Some of the nodes leave a symbol only one size.
        let found = run.findings().into_iter().filter(|found| found != "symbols-equal graph#0");
        assert_eq!(found.collect::<Vec<_>>(), [""; 0], "case {index}: {run:?}");
    }
}

/// What is known of the elements of `y`, which a chain of nodes computes from the dimensions of `x: float[N, 3, 4]`.
#[test]
fn elements() {
    let shape = || node("Shape", &["x"], &["s"]);
    let cases: Vec<(Vec<shape_model::file::proto::NodeProto>, &str)> = vec![
        (vec![shape(), node("Identity", &["s"], &["y"])], "[N, 3, 4]"),
        (vec![shape(), node("Gather", &["s", "zero"], &["y"])], "[N]"),
        (vec![shape(), node("Slice", &["s", "one", "two"], &["y"])], "[3]"),
        (
            vec![shape(), node("Concat", &["s", "one"], &["y"]).with(|node| node.attribute = vec![int("axis", 0)])],
            "[N, 3, 4, 1]",
        ),
        (vec![shape(), node("Add", &["s", "one"], &["y"])], "[N + 1, 4, 5]"),
        (vec![shape(), node("Div", &["s", "two"], &["y"])], "[N//2, 1, 2]"),
        (vec![shape(), node("Max", &["s", "two"], &["y"])], "[max(N, 2), 3, 4]"),
        (vec![node("Size", &["x"], &["y"])], "[12*N]"),
        (
            vec![shape(), node("Equal", &["target", "minus"], &["c"]), node("Where", &["c", "s", "target"], &["y"])],
            "[N, 7, 4]",
        ),
        (
            vec![
                shape(),
                node("Cast", &["s"], &["f"]).with(|node| node.attribute = vec![int("to", 7)]),
                node("Unsqueeze", &["f", "zero"], &["u"]),
                node("Squeeze", &["u", "zero"], &["y"]),
            ],
            "[N, 3, 4]",
        ),
    ];
    for (index, (nodes, expected)) in cases.into_iter().enumerate() {
        let model = in_graph(model(&["x: float[N, 3, 4]"], nodes, &["y"]), |graph| {
            let constants = [
                ("zero", vec![0]),
                ("one", vec![1]),
                ("two", vec![2]),
                ("minus", vec![-1]),
                ("target", vec![-1, 7, -1]),
            ];
            let tensor = |(name, list): &(&str, Vec<i64>)| int64s(name, &[i64::try_from(list.len()).unwrap()], list);
            graph.initializer = constants.iter().map(tensor).collect();
        });
        let run = infer(&model, &[]);
        let y = run.value("y");
        let text = |element: &serde_json::Value| element.as_str().map_or_else(|| element.to_string(), str::to_owned);
        let elements: Vec<String> =
            y["value"].as_array().map(|list| list.iter().map(text).collect()).unwrap_or_default();
        assert_eq!(format!("[{}]", elements.join(", ")), expected, "case {index}: {run:?}");
    }
}

/// Below zero it would, so that a bound is followed where it never is.
#[test]
fn a_bound_that_may_count_from_the_end() {
    for (op_type, expected) in
        [("Sub", serde_json::json!(["max(N - 2, 0)", 3, 4])), ("Mul", serde_json::json!(["N", 3, 4]))]
    {
        let nodes = vec![
            node("Shape", &["x"], &["s"]).with(|node| node.attribute = vec![int("end", 1)]),
            node(op_type, &["s", "two"], &["e"]),
            node("Slice", &["x", "zero", "e", "zero"], &["y"]),
        ];
        let model = in_graph(model(&["x: float[N, 3, 4]"], nodes, &["y"]), |graph| {
            graph.initializer = vec![int64s("zero", &[1], &[0]), int64s("two", &[1], &[2])];
        });
        let json = infer(&model, &[]).json();
        let y = json["values"].as_array().unwrap().iter().rfind(|value| value["name"] == "y").unwrap();
        assert_eq!(y["dims"], expected);
    }
}

#[test]
fn refused() {
    let cases = [
        (with("Add", &["a: float[2]", "b: float[3]"], &[]), "dims-mismatch"),
        (with("ReduceMax", &["x: float[2]"], &[ints("axes", &[1])]), "axis-range"),
        (with("ReduceMax", &["x: float[2, 3]"], &[ints("axes", &[1, -1])]), "axis-range"),
        (with("Concat", &["a: float[2, 3]", "b: float[4, 3]"], &[int("axis", 1)]), "dims-mismatch"),
        (with("Concat", &["a: float[2, 3]", "b: float[4]"], &[int("axis", 0)]), "rank-mismatch"),
        (with("Gather", &["x: float[2]", "i: int64[2]"], &[int("axis", -2)]), "axis-range"),
        (with("GatherND", &["x: float[2]", "i: int64[5, 2]"], &[]), "rank-mismatch"),
        (with("Split", &["x: float[5]"], &[]), "dims-mismatch"),
        (with("Split", &["x: float[5]", "s = [2, 2]"], &[]), "dims-mismatch"),
        (with("Split", &["x: float[5]", "s = [5]"], &[]), "dims-mismatch"),
        (at(18, "Split", &["x: float[6]"], &[int("num_outputs", 1)]), "dims-mismatch"),
        (with("Squeeze", &["x: float[2]", "a = [0]"], &[]), "dims-mismatch"),
        (with("Transpose", &["x: float[2, 3]"], &[ints("perm", &[0])]), "rank-mismatch"),
        (with("Transpose", &["x: float[2, 3]"], &[ints("perm", &[0, 0])]), "axis-range"),
        (with("Expand", &["x: float[2]", "s = [3]"], &[]), "dims-mismatch"),
        (with("Tile", &["x: float[2]", "r = [1, 2]"], &[]), "rank-mismatch"),
        (with("ConstantOfShape", &["s = [2, -3]"], &[]), "dims-negative"),
        (with("MatMul", &["a: float[2, 3]", "b: float[4, 5]"], &[]), "dims-mismatch"),
        (with("MatMul", &["a: float[2, 2, 3]", "b: float[3, 3, 5]"], &[]), "dims-mismatch"),
        (with("MatMul", &["a: float[]", "b: float[4, 5]"], &[]), "rank-mismatch"),
        (with("Gemm", &["a: float[2, 3, 4]", "b: float[4, 5]"], &[]), "rank-mismatch"),
        (with("GlobalMaxPool", &["x: float[3]"], &[]), "rank-mismatch"),
        (with("Slice", &["x: float[9]", "s = [0]", "e = [1]", "a = [1]"], &[]), "axis-range"),
        (with("Slice", &["x: float[9]", "s = [0, 1]", "e = [1]"], &[]), "rank-mismatch"),
        (with("Slice", &["x: float[9]", "s = [0]", "e = [1]", "a = [0]", "t = [0]"], &[]), "dims-mismatch"),
        (with("Pad", &["x: float[9]", "p = [0]"], &[]), "rank-mismatch"),
        (with("Conv", &["x: float[1, 3, 2]", "w: float[8, 3, 3]"], &[]), "dims-mismatch"),
        (with("Conv", &["x: float[1, 3, 2]", "w: float[8, 3, 3, 3]"], &[]), "rank-mismatch"),
        (with("MaxPool", &["x: float[1, 3, 5]"], &[ints("kernel_shape", &[2, 2])]), "rank-mismatch"),
    ];
    for (index, (model, expected)) in cases.iter().enumerate() {
        let run = check(model);
        assert_eq!(run.findings(), [format!("{expected} graph#0")], "case {index}: {run:?}");
    }
}
