//! Models that were made to do harm: a finding or an error each time, and no more memory or time than the file is worth.

use shape_core::DataType;
use shape_model::file::Message as _;
use shape_model::file::proto::{AttributeProto, ModelProto, TensorProto};

use crate::model::{Change as _, graph, in_graph, int, model, node, one, opset, subgraph, value};
use crate::run::{Folder, Run};

/// A field with a length, around a payload.
fn field(number: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    let mut length = payload.len();
    while length > 0x7f {
        bytes.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(payload);
    bytes
}

/// `check` and `infer` of some bytes.
fn both(bytes: &[u8]) -> [Run; 2] {
    let folder = Folder::new();
    folder.write("model.onnx", bytes);
    ["check", "infer"].map(|command| folder.shape([command, "model.onnx"]))
}

#[track_caller]
fn refused(bytes: &[u8], message: &str) {
    for run in both(bytes) {
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.notes.contains(message), "{run:?}");
    }
}

#[track_caller]
fn survived(model: &ModelProto, codes: &[&str]) {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    let run = folder.shape(["check", "model.onnx", "--format", "json"]);
    for code in codes {
        assert!(run.findings().iter().any(|found| found.starts_with(code)), "{code}: {:?}", run.findings());
    }
    for args in [&["infer", "model.onnx", "--strict"][..], &["infer", "model.onnx", "-o", "out.onnx"]] {
        let run = folder.shape(args);
        assert!(run.code < 2, "{run:?}");
    }
}

#[test]
fn lengths_that_lie() {
    // A graph that claims four gigabytes, and one that claims all that a number can say.
    refused(&[0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f], "is cut short: its field `graph`");
    refused(&[0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], "model.onnx is");
    // Within the graph, a node that claims more than the graph has.
    refused(&field(7, &[0x0a, 0xff, 0xff, 0x7f]), "is not a valid ONNX model");
    refused(&[0xff; 64], "is not a valid ONNX model");
}

#[test]
fn nesting_without_end() {
    let mut graph = Vec::new();
    for _ in 0..20_000 {
        graph = field(1, &field(5, &field(6, &graph)));
    }
    refused(&field(7, &graph), "nests messages more than");
}

#[test]
fn subgraphs_as_deep_as_can_be_read() {
    let mut inner = graph(&["x: float[N]"], vec![node("Shape", &["x"], &["y"])], &["y"]);
    for _ in 0..20 {
        let choice = node("If", &["c"], &["y"]).with(|node| node.attribute = vec![subgraph("then_branch", inner)]);
        inner = graph(&["c: bool[]"], vec![choice], &["y"]);
    }
    let deep = one().with(|model| model.graph = Some(inner));
    for run in both(&deep.encode_to_vec()) {
        assert!(run.code <= 2, "{run:?}");
    }
}

#[test]
fn cycles() {
    let shape = |from: &str, to: &str| node("Shape", &[from], &[to]);
    let ring = (0..1000).map(|index| shape(&format!("v{}", (index + 1) % 1000), &format!("v{index}"))).collect();
    survived(&model(&[], ring, &["v0"]), &["value-undefined"]);
    // A function that calls itself.
    let call = |from: &str, to: &str| node("F", &[from], &[to]).with(|node| node.domain = "my".into());
    let model = model(&["x: float[N]"], vec![call("x", "y")], &["y"]).with(|model| {
        model.opset_import.push(opset("my", 1));
        let mut function = crate::model::function(vec![call("a", "b")], 17);
        function.opset_import.push(opset("my", 1));
        model.functions = vec![function];
    });
    survived(&model, &[]);
}

#[test]
fn fields_that_are_absent() {
    let empty = ModelProto { graph: Some(Default::default()), ..ModelProto::default() };
    for run in both(&empty.encode_to_vec()) {
        assert!(run.code > 0, "{run:?}");
    }
    let bare = in_graph(one(), |graph| {
        graph.node.push(Default::default());
        graph.input.push(Default::default());
        graph.output.push(Default::default());
        graph.initializer.push(Default::default());
        graph.sparse_initializer.push(Default::default());
        graph.value_info.push(Default::default());
        graph.node[0].attribute.push(Default::default());
    });
    survived(&bare, &["field-missing"]);
    survived(&bare.with(|model| model.functions.push(Default::default())), &["field-missing"]);
}

#[test]
fn dimensions_at_the_ends_of_their_range() {
    let dims = format!("x: float[{}, {}, 0, -9]", i64::MAX, i64::MIN);
    survived(&model(&[&dims], vec![node("Shape", &["x"], &["y"])], &["y"]), &["dims-negative graph"]);
    let slice = node("Shape", &["x"], &["y"]).with(|node| {
        node.attribute = vec![int("start", i64::MIN), int("end", i64::MAX)];
    });
    survived(&model(&["x: float[N]"], vec![slice], &["y: int64[1]"]), &[]);
}

#[test]
fn names_of_a_megabyte() {
    let long = "n".repeat(1 << 20);
    let model = model(&[&format!("{long}: float[{long}]")], vec![node("Shape", &[&long], &["y"])], &["y"]);
    survived(&in_graph(model, |graph| graph.value_info.push(value(&format!("{long}: float[3, 4]")))), &["output-dims"]);
}

/// A field whose payload goes on for so many bytes more than are given.
fn opened(number: u32, given: Vec<u8>, more: u64) -> Vec<u8> {
    let varint = |mut value: u64| {
        let mut bytes = Vec::new();
        while value > 0x7f {
            bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    };
    [varint(u64::from(number) << 3 | 2), varint(given.len() as u64 + more), given].concat()
}

/// Of the file nothing is on the disk but its beginning, so that what reads the rest shows in the time.
#[test]
fn a_constant_of_a_gigabyte() {
    const SIZE: u64 = 1 << 30;
    for element in [DataType::Int64, DataType::Float, DataType::Bool] {
        let width = match element {
            DataType::Int64 => 8,
            DataType::Float => 4,
            _ => 1,
        };
        let head = TensorProto {
            dims: vec![(SIZE / width) as i64],
            data_type: Some(element.number().into()),
            ..TensorProto::default()
        };
        let tensor = [head.encode_to_vec(), opened(9, vec![], SIZE)].concat();
        let value = AttributeProto { name: "value".into(), r#type: Some(4), ..AttributeProto::default() };
        let attribute = [value.encode_to_vec(), opened(5, tensor.clone(), SIZE)].concat();
        let node = [node("Constant", &[], &["y"]).encode_to_vec(), opened(5, attribute, SIZE)].concat();
        let named = [field(8, b"t"), tensor].concat();
        let mut constant = model(&[], vec![], &["y"]);
        let mut target = model(&["x: float[N]"], vec![crate::model::node("Reshape", &["x", "t"], &["y"])], &["y"]);
        for (model, rest) in [(&mut constant, opened(1, node, SIZE)), (&mut target, opened(5, named, SIZE))] {
            let graph = model.graph.take().unwrap();
            let graph = [graph.encode_to_vec(), rest].concat();
            let bytes = [model.encode_to_vec(), opened(7, graph, SIZE)].concat();
            let folder = Folder::new();
            let path = folder.write("model.onnx", &bytes);
            let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
            file.set_len(bytes.len() as u64 + SIZE).unwrap();
            for command in ["check", "infer"] {
                let run = folder.shape([command, "model.onnx", "--format", "json"]);
                assert!(run.code < 2, "{run:?}");
                run.json();
            }
        }
    }
}

#[test]
fn a_loop_that_grows_a_value() {
    let twice = node("Concat", &["v", "v"], &["w"]).with(|node| node.attribute = vec![int("axis", 0)]);
    let inputs = ["i: int64[]", "c: bool[]", "v: float[N]"];
    let body = graph(&inputs, vec![node("Identity", &["c"], &["d"]), twice], &["d", "w"]);
    let run = node("Loop", &["count", "", "x"], &["y"]).with(|node| node.attribute = vec![subgraph("body", body)]);
    let after = node("Shape", &["y"], &["z"]);
    let model = in_graph(model(&["x: float[2]"], vec![run, after], &["z"]), |graph| {
        graph.initializer = vec![crate::model::int64s("count", &[], &[i64::MAX])];
    });
    survived(&model, &[]);
    let y = crate::run::infer(&model, &[]).value("y");
    // It is some power of two.
    assert!(y["dims"][0].is_null(), "{y}");
}

/// Whatever is said twice, said differently.
#[test]
fn declarations_that_contradict_each_other() {
    let model = model(&["x: float[N, 3]"], vec![node("Relu", &["x"], &["y"])], &["y: float[2]"]);
    let model = in_graph(model, |graph| {
        graph.input.push(value("x: int64[4]"));
        graph.initializer.push(crate::model::initializer("x", &[5]));
        graph.initializer.push(crate::model::initializer("y", &[6]));
        graph.value_info = ["x: double[7]", "y: float[N, N]", "y: float[9, 3]"].map(value).into();
        graph.output.push(value("y: int32[3]"));
    });
    survived(&model, &["value-redefined", "output-type", "output-dims"]);
}

/// A chain from one dimension that is as large as a file can say.
#[test]
fn sizes_that_outgrow_their_type() {
    let axis = |node: shape_model::file::proto::NodeProto| node.with(|node| node.attribute = vec![int("axis", 0)]);
    let chains = [
        vec![axis(node("Concat", &["x", "x"], &["y"]))],
        vec![node("Reshape", &["x", "minus"], &["y"])],
        vec![node("Tile", &["x", "twice"], &["y"])],
        vec![node("Pad", &["x", "pads"], &["y"])],
        vec![node("Flatten", &["x"], &["y"])],
        vec![node("Size", &["x"], &["y"])],
        vec![node("Shape", &["x"], &["s"]), node("Mul", &["s", "s"], &["y"])],
        vec![node("Shape", &["x"], &["s"]), node("Add", &["s", "s"], &["t"]), node("ConstantOfShape", &["t"], &["y"])],
        vec![node("Shape", &["x"], &["s"]), node("ReduceProd", &["s"], &["y"])],
        vec![node("Shape", &["x"], &["s"]), node("Expand", &["x", "s"], &["y"])],
        vec![node("Slice", &["x", "least", "most", "zero", "least"], &["y"])],
        vec![node("MatMul", &["x", "x"], &["y"])],
    ];
    for nodes in chains {
        let inputs = format!("x: float[{0}, {0}]", i64::MAX);
        let model = in_graph(model(&[&inputs], nodes, &["y"]), |graph| {
            let lists: [(&str, &[i64]); 6] = [
                ("minus", &[-1]),
                ("twice", &[2, 2]),
                ("pads", &[1, i64::MAX, i64::MAX, 1]),
                ("least", &[i64::MIN]),
                ("most", &[i64::MAX]),
                ("zero", &[0]),
            ];
            let tensor = |(name, list): (&str, &[i64])| crate::model::int64s(name, &[list.len() as i64], list);
            graph.initializer = lists.map(tensor).into();
        });
        survived(&model, &[]);
    }
}
