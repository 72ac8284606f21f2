//! `shape info`: parameters, memory and multiply-adds, each held against numbers that are computed by hand.

use serde_json::{Value as Json, json};
use shape_core::DataType;
use shape_core::node::AttributeKind;
use shape_model::file::proto::{
    AttributeProto, DataLocation, GraphProto, ModelProto, NodeProto, SparseTensorProto, StringStringEntryProto,
    TensorProto,
};

use crate::model::{
    Change as _, attribute, function, graph, in_graph, initializer, int, int64s, ints, model, node, opset, subgraph,
    with_acme,
};
use crate::run::Folder;

/// What `shape info` tells of a model, as JSON.
fn info(model: &ModelProto, args: &[&str]) -> Json {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    let run = folder.shape(["info", "model.onnx", "--format", "json"].iter().chain(args));
    assert_eq!(run.code, 0, "{run:?}");
    let json = run.json();
    assert_eq!(json["schema_version"], 1);
    json["models"][0].clone()
}

fn text(name: &str, value: &str) -> AttributeProto {
    let s = Some(value.as_bytes().to_vec().into());
    attribute(AttributeProto { name: name.into(), s, ..AttributeProto::default() }, AttributeKind::String)
}

/// One node, at an opset of ai.onnx.
fn one_node(opset_version: i64, inputs: &[&str], of: &NodeProto) -> ModelProto {
    let outputs: Vec<&str> = of.output.iter().map(String::as_str).collect();
    model(inputs, vec![of.clone()], &outputs).with(|model| model.opset_import = vec![opset("", opset_version)])
}

#[test]
fn multiply_adds_of_one_node() {
    let with = |node: NodeProto, attributes: Vec<AttributeProto>| node.with(|node| node.attribute = attributes);
    let cases: Vec<Case> = vec![
        // 2*11 matrices of 3 by 7, each element a sum of 5.
        (
            17,
            &["a: float[2, 1, 3, 5]", "b: float[11, 5, 7]"],
            node("MatMul", &["a", "b"], &["y"]),
            json!(2 * 11 * 3 * 7 * 5),
        ),
        (17, &["a: float[5]", "b: float[5]"], node("MatMul", &["a", "b"], &["y"]), json!(5)),
        (17, &["a: float[B, S, 8]", "b: float[8, 4]"], node("MatMul", &["a", "b"], &["y"]), json!("32*B*S")),
        // The rows of one factor are known by the columns of the other.
        (17, &["a: float[2, 3]", "b: float[?, 4]"], node("MatMul", &["a", "b"], &["y"]), json!(24)),
        (17, &["a: int8[2, 3]", "b: int8[3, 4]"], node("MatMulInteger", &["a", "b"], &["y"]), json!(24)),
        (17, &["a: float[2, 3]", "b: float[3, 4]"], node("Gemm", &["a", "b"], &["y"]), json!(24)),
        (
            17,
            &["a: float[3, 2]", "b: float[4, 3]"],
            with(node("Gemm", &["a", "b"], &["y"]), vec![int("transA", 1), int("transB", 1)]),
            json!(24),
        ),
        // 2 batches of 6 filters at 8*7 places; each reads 2 of 4 channels, 3*2 places.
        (
            17,
            &["x: float[2, 4, 10, 8]", "w: float[6, 2, 3, 2]", "b: float[6]"],
            with(node("Conv", &["x", "w", "b"], &["y"]), vec![int("group", 2)]),
            json!(2 * 6 * 8 * 7 * 2 * 3 * 2),
        ),
        (
            17,
            &["x: uint8[N, 1, 4, 4]", "w: uint8[3, 1, 2, 2]"],
            node("ConvInteger", &["x", "w"], &["y"]),
            json!(format!("{}*N", 3 * 3 * 3 * 4)),
        ),
        // Each of 2*4*5*5 elements meets the 3 filters of its group, of 3*3 places, whatever the strides are.
        (
            17,
            &["x: float[2, 4, 5, 5]", "w: float[4, 3, 3, 3]"],
            with(node("ConvTranspose", &["x", "w"], &["y"]), vec![int("group", 2), ints("strides", &[2, 2])]),
            json!(2 * 4 * 25 * 3 * 9),
        ),
        (
            17,
            &["a: float[2, 3]", "b: float[3, 4]"],
            with(node("Einsum", &["a", "b"], &["y"]), vec![text("equation", "ij,jk->ik")]),
            json!(24),
        ),
        (
            17,
            &["a: float[7, 2, 3]", "b: float[7, 3, 4]"],
            with(node("Einsum", &["a", "b"], &["y"]), vec![text("equation", "...ij,...jk->...ik")]),
            json!(7 * 24),
        ),
        // 5 steps of 2 sequences; 4 gates of 3 hidden units read 7 features and 3 units.
        (
            17,
            &["x: float[5, 2, 7]", "w: float[1, 12, 7]", "r: float[1, 12, 3]"],
            with(node("LSTM", &["x", "w", "r"], &["y", "h", "c"]), vec![int("hidden_size", 3)]),
            json!(5 * 2 * (12 * 7 + 12 * 3)),
        ),
        // 4 heads of queries share 2 heads of keys; 6 earlier and 5 new steps; 8 features of a key, 9 of a value.
        (
            23,
            &[
                "q: float[1, 4, 3, 8]",
                "k: float[1, 2, 5, 8]",
                "v: float[1, 2, 5, 9]",
                "pk: float[1, 2, 6, 8]",
                "pv: float[1, 2, 6, 9]",
            ],
            node("Attention", &["q", "k", "v", "", "pk", "pv"], &["y", "a", "b"]),
            json!(4 * 3 * 11 * (8 + 9)),
        ),
        // The same with heads side by side, and no earlier steps.
        (
            23,
            &["q: float[1, 3, 32]", "k: float[1, 5, 16]", "v: float[1, 5, 18]"],
            with(node("Attention", &["q", "k", "v"], &["y"]), vec![int("q_num_heads", 4), int("kv_num_heads", 2)]),
            json!(4 * 3 * 5 * (8 + 9)),
        ),
    ];
    for (opset_version, inputs, of, expected) in cases.into_iter().chain(of_onnxruntime()) {
        let model = one_node(opset_version, inputs, &of).with(|model| {
            model.opset_import.push(opset("com.microsoft", 1));
        });
        let found = info(&model, &[]);
        let found = &found["costs"]["multiply_adds"];
        assert_eq!((&found["sum"], &found["nodes"]), (&expected, &json!(1)), "{} {inputs:?}", of.op_type);
        assert_eq!((&found["unknown"], &found["not_counted"]), (&json!([]), &json!([])), "{}", of.op_type);
    }
}

type Case = (i64, &'static [&'static str], NodeProto, Json);

/// Operators whose descriptors say the number.
fn of_onnxruntime() -> Vec<Case> {
    let of = |name: &str, inputs: &[&str], attributes: &[(&str, i64)]| {
        node(name, inputs, &["y"]).with(|node| {
            node.domain = "com.microsoft".into();
            node.attribute = attributes.iter().map(|(name, value)| int(name, *value)).collect();
        })
    };
    let heads = [("num_heads", 4), ("kv_num_heads", 2)];
    vec![
        (
            21,
            &["a: float[B, 7, 48]", "b: uint8[5, 3, 8]", "s: float[5, 3]"],
            of("MatMulNBits", &["a", "b", "s"], &[("K", 48), ("N", 5), ("bits", 4), ("block_size", 16)]),
            json!(format!("{}*B", 7 * 48 * 5)),
        ),
        // 3 queries of 4 heads of 8 features meet 3 keys; the same three axes serve for all.
        (
            21,
            &["q: float[1, 3, 32]"],
            of("MultiHeadAttention", &["q", "q", "q"], &heads[..1]),
            json!(2 * 4 * 3 * 3 * 8),
        ),
        (
            21,
            &["q: float[1, 3, 32]", "k: float[1, 6, 32]", "v: float[1, 6, 36]"],
            of("MultiHeadAttention", &["q", "k", "v"], &heads[..1]),
            json!(4 * 3 * 6 * (8 + 9)),
        ),
        // The products with the weights, then 5 positions by 5 for 4 heads of 4 features.
        (
            21,
            &["x: float[2, 5, 16]", "w: float[16, 48]", "b: float[48]"],
            of("Attention", &["x", "w", "b"], &heads[..1]),
            json!(2 * 5 * 16 * 48 + 2 * 2 * 4 * 5 * 5 * 4),
        ),
    ]
}

/// The total number of steps comes from the sizes of a mask, as exporters write it.
#[test]
fn multiply_adds_of_grouped_queries() {
    let attributes = vec![int("num_heads", 4), int("kv_num_heads", 2)];
    let inputs = [
        "q: float[1, S, 32]",
        "k: float[1, S, 16]",
        "v: float[1, S, 16]",
        "pk: float[1, 2, P, 8]",
        "pv: float[1, 2, P, 8]",
        "l: int32[1]",
        "mask: int64[1, T]",
    ];
    let outputs = ["y", "present_key", "present_value"];
    let grouped = node("GroupQueryAttention", &["q", "k", "v", "pk", "pv", "l", "total"], &outputs);
    let nodes = vec![
        node("Shape", &["mask"], &["sizes"]),
        node("Gather", &["sizes", "one"], &["steps"]),
        node("Cast", &["steps"], &["total"]).with(|node| node.attribute = vec![int("to", 6)]),
        grouped.with(|node| {
            node.domain = "com.microsoft".into();
            node.attribute = attributes;
        }),
    ];
    let model = in_graph(model(&inputs, nodes, &outputs), |graph| graph.initializer = vec![int64s("one", &[], &[1])]);
    let model = model.with(|model| model.opset_import.push(opset("com.microsoft", 1)));
    let found = info(&model, &["--set", "S=3", "--set", "T=11", "--set", "P=8"]);
    assert_eq!(found["costs"]["multiply_adds"]["sum"], "64*S*T");
    assert_eq!(found["with_sizes"]["multiply_adds"]["sum"], 2 * 4 * 3 * 11 * 8);
}

#[test]
fn what_is_in_no_sum_is_told() {
    let branch = |name| graph(&[], vec![node("MatMul", &["a", "b"], &[name])], &[&format!("{name}: float[2, 4]")]);
    let choice = NodeProto {
        attribute: vec![subgraph("then_branch", branch("t")), subgraph("else_branch", branch("e"))],
        ..node("If", &["c"], &["i"])
    };
    let nodes = vec![
        node("MatMul", &["a", "b"], &["m"]),
        node("MatMul", &["a", "z"], &["u"]),
        node("Relu", &["m"], &["r"]),
        node("Relu", &["r"], &["s"]),
        choice,
        NodeProto { domain: "my".into(), ..node("F", &["s"], &["f"]) },
    ];
    let inputs = ["a: float[2, 3]", "b: float[3, 4]", "z: float", "c: bool"];
    let model = model(&inputs, nodes, &["f", "u", "i: float[2, 4]"]).with(|model| {
        model.functions = vec![function(vec![node("Relu", &["a"], &["b"])], 17)];
        model.opset_import.push(opset("my", 1));
    });
    let found = info(&model, &[]);
    let operator = |domain: &str, name: &str, nodes: usize| json!({"domain": domain, "name": name, "nodes": nodes});
    let costs = &found["costs"];
    assert_eq!(
        costs["multiply_adds"],
        json!({
            "sum": 24, "nodes": 1,
            "unknown": [operator("ai.onnx", "MatMul", 1)],
            "not_counted": [operator("ai.onnx", "Relu", 2), operator("ai.onnx", "If", 1), operator("my", "F", 1)],
            "in_subgraphs": [operator("ai.onnx", "MatMul", 2)],
        })
    );
    // Six values in the main graph, of which one is unknown; two in the branches.
    assert_eq!(
        costs["activations"],
        json!({"values": 6, "bytes": 5 * 32, "peak_bytes": null, "unknown": ["u"], "in_subgraphs": 2})
    );
    assert_eq!((&found["nodes"], &found["subgraphs"], &found["functions"]), (&json!(9), &json!(2), &json!(1)));
}

/// The peak of a graph of `Relu`s and the like, all values of which are `float[4]`: 16 bytes.
fn peak(nodes: Vec<NodeProto>, outputs: &[&str]) -> Json {
    let found = info(&model(&["x: float[4]", "c: bool"], nodes, outputs), &[]);
    found["costs"]["activations"]["peak_bytes"].clone()
}

#[test]
fn the_peak_follows_the_readers() {
    let relu = |from: &str, to: &str| node("Relu", &[from], &[to]);
    let chain = || vec![relu("x", "a"), relu("a", "b"), relu("b", "c1"), relu("c1", "y")];
    let y = ["y: float[4]"];
    // What is read and what is computed.
    assert_eq!(peak(chain(), &y), json!(32));
    // An output stays until the end, and so does what a later node reads.
    assert_eq!(peak(chain(), &["y: float[4]", "a: float[4]"]), json!(48));
    let mut late = chain();
    late.push(node("Add", &["a", "y"], &["z"]));
    assert_eq!(peak(late, &["z: float[4]"]), json!(48));
    // A graph in a node reads `a` too, two levels down.
    let inner = |from: &str, name: &str| graph(&[], vec![relu(from, name)], &[&format!("{name}: float[4]")]);
    let within = |name: &str, then: GraphProto| {
        let attribute =
            vec![subgraph("then_branch", then), subgraph("else_branch", inner("x", &format!("{name}_else")))];
        NodeProto { attribute, ..node("If", &["c"], &[name]) }
    };
    let outer = graph(&[], vec![within("in", inner("a", "in_then"))], &["in: float[4]"]);
    let mut captured = chain();
    captured.push(within("z", outer));
    assert_eq!(peak(captured, &["z: float[4]"]), json!(48));
    // What nobody reads is gone behind its node.
    let mut unread = chain();
    unread.insert(1, relu("x", "unread"));
    assert_eq!(peak(unread, &y), json!(32));
    // A size that is a symbol has no peak until it is given.
    let symbolic = model(&["x: float[N]"], vec![relu("x", "a"), relu("a", "y")], &["y: float[N]"]);
    let found = info(&symbolic, &[]);
    assert_eq!(
        found["costs"]["activations"],
        json!({
            "values": 2, "bytes": "8*N", "peak_bytes": null, "unknown": [], "in_subgraphs": 0
        })
    );
    assert_eq!(found["with_sizes"], Json::Null);
    let found = info(&symbolic, &["--set", "N=3"]);
    assert_eq!(found["costs"]["activations"]["bytes"], "8*N");
    assert_eq!(
        (&found["with_sizes"]["activations"]["bytes"], &found["with_sizes"]["activations"]["peak_bytes"]),
        (&json!(24), &json!(24))
    );
}

#[test]
fn bytes_of_types() {
    let of = |ty: &str, dims: &str| {
        let value = |name: &str| format!("{name}: {ty}[{dims}]");
        let identity = vec![node("Identity", &["x"], &["y"])];
        let model =
            model(&[&value("x")], identity, &[&value("y")]).with(|model| model.opset_import = vec![opset("", 25)]);
        info(&model, &[])["costs"]["activations"]["bytes"].clone()
    };
    for (ty, dims, expected) in [
        ("float", "3", json!(12)),
        ("complex128", "3", json!(48)),
        ("bool", "3", json!(3)),
        // Packed elements fill whole bytes.
        ("int4", "3", json!(2)),
        ("int2", "5", json!(2)),
        ("int4", "N", json!("(N + 1)//2")),
        ("float", "", json!(4)),
        ("float", "0, N", json!(0)),
        // The size of a string is not known.
        ("string", "3", json!(0)),
    ] {
        assert_eq!(of(ty, dims), expected, "{ty}[{dims}]");
    }
}

#[test]
fn parameters() {
    let strings = TensorProto {
        name: "s".into(),
        dims: vec![2],
        data_type: Some(DataType::String.number().into()),
        string_data: vec!["a".into(), "bc".into()],
        ..TensorProto::default()
    };
    let pair = |key: &str, value: &str| StringStringEntryProto { key: key.into(), value: value.into() };
    // The file is not there, and is not asked for.
    let elsewhere = TensorProto {
        raw_data: None,
        external_data: vec![pair("location", "missing.bin")],
        data_location: Some(DataLocation::External.number()),
        ..initializer("w", &[0])
    }
    .with(|tensor| tensor.dims = vec![1000, 1000]);
    let sparse = SparseTensorProto {
        values: Some(initializer("sp", &[3])),
        indices: Some(int64s("", &[3], &[0, 1, 2])),
        dims: vec![10],
    };
    let broken = TensorProto { data_type: Some(99), ..initializer("q", &[1]) };
    let negative = initializer("n", &[0]).with(|tensor| tensor.dims = vec![-1]);
    let constant = node("Constant", &[], &["k"]).with(|node| node.attribute = vec![ints("value_ints", &[1, 2, 3])]);
    let random = node("RandomUniform", &[], &["ru"]).with(|node| node.attribute = vec![ints("shape", &[5])]);
    let nodes = vec![constant, random, node("Identity", &["w"], &["y"])];
    let branch = in_graph(model(&[], vec![node("Identity", &["inner"], &["o"])], &["o: float[2]"]), |graph| {
        graph.initializer = vec![initializer("inner", &[2])];
    });
    let branch = branch.graph.unwrap();
    let choice = NodeProto {
        attribute: vec![subgraph("then_branch", branch.clone()), subgraph("else_branch", branch)],
        ..node("If", &["c"], &["i"])
    };
    let model = in_graph(
        model(&["c: bool", "w: float[1000, 1000]"], nodes, &["y: float[1000, 1000]", "i", "k", "ru"]),
        |graph| {
            graph.initializer = vec![elsewhere, strings, broken, negative];
            graph.sparse_initializer = vec![sparse];
            graph.node.push(choice);
        },
    );
    let found = info(&model, &[]);
    let of = |ty: &str, tensors: u64, elements: u64, bytes: Json| json!({"type": ty, "tensors": tensors, "elements": elements, "bytes": bytes});
    assert_eq!(
        found["parameters"],
        json!({
            "tensors": 7, "elements": 1_000_015, "bytes": null, "unknown": 2,
            "types": [
                of("float", 4, 1_000_007, json!(4_000_028)),
                of("int64", 2, 6, json!(48)),
                of("string", 1, 2, Json::Null),
            ],
        })
    );
    // The constant is a parameter; what is random is not. An input with a default is no input that must be given.
    assert_eq!(found["costs"]["activations"]["values"], 3);
    let inputs: Vec<&Json> = found["inputs"].as_array().unwrap().iter().map(|input| &input["name"]).collect();
    assert_eq!(inputs, ["c"]);
}

#[test]
fn a_sum_past_the_longest_expression() {
    let inputs: Vec<String> = (0..40).map(|index| format!("x{index}: float[n{index}]")).collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let nodes = (0..40).map(|index| node("Relu", &[&format!("x{index}")], &[&format!("y{index}")])).collect();
    let model = model(&inputs, nodes, &["y0: float[n0]"]);
    let found = info(&model, &[]);
    assert_eq!(found["costs"]["activations"]["bytes"], Json::Null);
    let sizes: Vec<String> = (0..40).flat_map(|index| ["--set".to_owned(), format!("n{index}=1")]).collect();
    let found = info(&model, &sizes.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(found["with_sizes"]["activations"]["bytes"], 160);
}

#[test]
fn text_of_two_models() {
    let folder = Folder::new();
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models");
    for name in ["attention.onnx", "acme.onnx"] {
        folder.write(format!("models/{name}"), std::fs::read(format!("{models}/{name}")).unwrap());
    }
    let run = folder.shape(["info", "models/*.onnx", "missing.onnx", "nothing-*.onnx"]);
    insta::assert_snapshot!(run.page());
    let run = folder.shape(["info", "models/attention.onnx", "--set", "batch=2", "--set", "seq=16"]);
    insta::assert_snapshot!(run.page());
    let run = folder.shape(["info", "models/attention.onnx", "--set", "bach=2"]);
    assert_eq!(
        (run.code, &*run.notes),
        (2, "error: models/attention.onnx: the model has no symbol `bach`; did you mean `batch`?\n")
    );
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new();
    folder.model(
        "model.onnx",
        &with_acme(one_node(17, &["a: float[2, 3]", "b: float[4, 4]"], &node("MatMul", &["a", "b"], &["y"]))),
    );
    let run = folder.shape(["info", "model.onnx"]);
    assert_eq!((run.code, &*run.notes), (0, "model.onnx has 1 error; `shape check` shows them\n"));
    assert!(run.out.contains("of unknown size: MatMul 1"), "{run:?}");
}
