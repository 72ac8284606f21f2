//! Findings with one cause are shown once to people.

use shape_model::file::proto::NodeProto;

use crate::model::{Change as _, graph, int, model, node, subgraph};
use crate::run::Folder;

/// Nodes of two operators with an attribute that none of them has, in the graph and in branches.
#[test]
fn one_cause_once() {
    let wrong = |op_type: &str, output: &str| -> NodeProto {
        node(op_type, &["x"], &[output]).with(|node| node.attribute.push(int("shape", 1)))
    };
    let branch = graph(&[], vec![wrong("Shape", "s")], &["s: int64[1]"]);
    let choice = node("If", &["c"], &["y"]).with(|node| {
        node.attribute = vec![subgraph("then_branch", branch.clone()), subgraph("else_branch", branch)];
    });
    let nodes = vec![wrong("Shape", "a"), choice, wrong("Size", "b"), wrong("Shape", "d"), wrong("Shape", "e")];
    let folder = Folder::new();
    folder.model("model.onnx", &model(&["x: float[N]", "c: bool"], nodes, &["y: int64[1]"]));
    let run = folder.shape(["check", "model.onnx", "--select", "attribute-unknown"]);
    insta::assert_snapshot!(run.page());
    // Programs have each of them.
    let json = folder.shape(["check", "model.onnx", "--select", "attribute-unknown", "--format", "json"]).json();
    assert_eq!(json["findings"].as_array().map(Vec::len), Some(6), "{json:#}");
}
