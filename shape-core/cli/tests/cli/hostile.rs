//! Models that were made to do harm: a finding or an error each time, and no more memory or time than the file is worth.

use shape_core::model::Message as _;
use shape_core::model::proto::ModelProto;

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
