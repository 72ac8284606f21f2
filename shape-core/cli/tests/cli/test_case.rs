//! `shape test`: folders, outcomes and exit codes.

use serde_json::json;
use shape_core::DataType;
use shape_model::file::Message as _;
use shape_model::file::proto::{ModelProto, TensorProto};

use crate::model::{in_graph, initializer, int, model, node, with_acme};
use crate::run::Folder;

fn int64(values: &[i64]) -> TensorProto {
    TensorProto {
        dims: vec![i64::try_from(values.len()).unwrap()],
        data_type: Some(DataType::Int64.number().into()),
        raw_data: Some(values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>().into()),
        ..TensorProto::default()
    }
}

fn one(op_type: &str) -> ModelProto {
    model(&["x: float[N, M]"], vec![node(op_type, &["x"], &["y"])], &["y: int64"])
}

/// A case of `y = Shape(x)` for an x of dims [2, 3].
fn case(folder: &Folder, name: &str, model: &ModelProto, output: &[i64]) {
    folder.model(format!("{name}/model.onnx"), model);
    folder.write(format!("{name}/test_data_set_0/input_0.pb"), initializer("x", &[2, 3]).encode_to_vec());
    folder.write(format!("{name}/test_data_set_0/output_0.pb"), int64(output).encode_to_vec());
}

fn cases() -> Folder {
    let folder = Folder::new();
    case(&folder, "all/b_right", &one("Shape"), &[2, 3]);
    case(&folder, "all/nested/deep/a_wrong", &one("Shape"), &[2, 4]);
    case(&folder, "all/c_non_zero", &one("NonZero"), &[2, 3]);
    let dims = model(&["x: float[N, M]"], vec![node("ArgMax", &["x"], &["y"])], &["y: int64"]);
    case(&folder, "all/c_dims", &in_graph(dims, |graph| graph.node[0].attribute.push(int("keepdims", 0))), &[2, 3, 0]);
    let foreign = in_graph(one("Size"), |graph| graph.node[0].domain = "com.acme".into());
    case(&folder, "all/c_foreign", &with_acme(foreign), &[2, 3]);
    folder.model("all/d_broken/model.onnx", &one("Shape"));
    folder.write("none/readme.txt", "no case");
    folder
}

#[test]
fn outcomes() {
    let folder = cases();
    let outcome = |run: &crate::run::Run| {
        let json = run.json();
        let cases = json["cases"].as_array().unwrap().clone();
        cases
            .iter()
            .map(|case| format!("{} {}", case["name"].as_str().unwrap(), case["outcome"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    let run = folder.shape(["test", "all", "--format", "json"]);
    assert_eq!(
        outcome(&run),
        ["b_right pass", "c_dims dims", "c_foreign skip", "c_non_zero skip", "d_broken error", "a_wrong fail"]
    );
    assert_eq!(
        (run.code, &*run.notes),
        (1, "6 cases: 1 passed, 1 passed by dims only, 1 failed, 2 skipped, 1 invalid\n")
    );
    let right = folder.shape(["test", "all/b_right", "--format", "json"]);
    let expected = json!({"schema_version": 1, "cases": [{"name": "b_right", "outcome": "pass", "detail": null}]});
    assert_eq!((right.json(), right.code), (expected, 0));
    assert_eq!(folder.shape(["test", "all/c_foreign"]).code, 0);
    // What no rule computes is no failure.
    assert_eq!(folder.shape(["test", "all/c_dims"]).code, 0);
    assert_eq!(folder.shape(["test", "all/d_broken"]).code, 1);
}

#[test]
fn text() {
    insta::assert_snapshot!(cases().shape(["test", "all", "none"]).page());
}

#[test]
fn nothing_to_run() {
    let folder = cases();
    for (args, message) in [
        (&["none"][..], "none contains no test case"),
        (&["missing"], "cannot read missing"),
        (&["all/b_right/model.onnx"], "give the folder that contains it"),
    ] {
        let run = folder.shape(["test"].iter().chain(args));
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.contains(message), "{run:?}");
    }
    // What can be run is run.
    let run = folder.shape(["test", "none", "all/b_right"]);
    assert_eq!((run.code, &*run.out), (2, "pass  b_right\n"));
}

#[cfg(unix)]
#[test]
fn links_in_a_circle() {
    let folder = cases();
    std::os::unix::fs::symlink("..", folder.path().join("all/nested/up")).unwrap();
    let run = folder.shape(["test", "all"]);
    assert_eq!(run.out.lines().count(), 6, "{run:?}");
}
