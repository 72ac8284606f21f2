//! `shape check --fix`: what is written, what is shown, and what is refused.

use std::fs;
use std::process::Stdio;

use serde_json::json;
use shape_model::file::Message as _;
use shape_model::file::proto::{ModelProto, NodeProto};

use crate::model::{Change as _, in_graph, initializer, model, node, opset, value};
use crate::outputs::with_data;
use crate::run::{Folder, run};

/// The model of these nodes, whose input `z` has a dimension of -1.
fn of(nodes: Vec<NodeProto>) -> ModelProto {
    model(&["x: float[2]", "z: float[-1]"], nodes, &["y: float[2]"])
}

/// `y = Relu(Abs(x))` with its nodes, its imports and its declarations out of order.
fn broken() -> ModelProto {
    let model = of(vec![node("Relu", &["a"], &["y"]), node("Abs", &["x"], &["a"])]);
    in_graph(model.with(|model| model.opset_import.push(opset("ai.onnx", 17))), |graph| {
        graph.value_info = vec![value("a: float[4]"), value("b: float")];
        graph.initializer = vec![initializer("w", &[2])];
    })
}

/// What safe fixes leave of it.
fn repaired() -> ModelProto {
    let model = of(vec![node("Abs", &["x"], &["a"]), node("Relu", &["a"], &["y"])]);
    in_graph(model, |graph| graph.value_info = vec![value("a: float[2]")])
}

/// With unsafe ones too.
fn with_a_look() -> ModelProto {
    in_graph(repaired(), |graph| graph.input[1] = value("z: float[?]"))
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.model("model.onnx", &broken());
    folder
}

#[test]
fn a_finding_says_that_it_can_be_repaired() {
    insta::assert_snapshot!(folder().shape(["check", "model.onnx"]).page());
    let json = folder().shape(["check", "model.onnx", "--format", "json"]).json();
    let of = |code: &str| {
        let mut findings = json["findings"].as_array().unwrap().iter();
        findings.find(|finding| finding["code"] == code).unwrap()["fix"].clone()
    };
    assert_eq!(of("opset-duplicate"), json!({"safety": "safe", "message": "keeps opset 17 of ai.onnx alone"}));
    assert_eq!(json["fixes"], json!(null));
    let message = "leaves dimension 0 of `z` open";
    assert_eq!(of("dims-minus-one"), json!({"safety": "unsafe", "message": message}));
}

#[test]
fn what_would_be_repaired_is_shown() {
    let folder = folder();
    let before = fs::read(folder.path().join("model.onnx")).unwrap();
    insta::assert_snapshot!(folder.shape(["check", "model.onnx", "--diff", "--unsafe-fixes"]).page());
    assert_eq!(fs::read(folder.path().join("model.onnx")).unwrap(), before);
    folder.model("right.onnx", &with_a_look());
    let right = folder.shape(["check", "right.onnx", "--diff"]);
    assert_eq!((right.code, &*right.out, &*right.notes), (0, "", "no findings in 1 model\n"));
    // Nothing is left, but there is something to repair.
    let fixable = in_graph(with_a_look(), |graph| graph.initializer = vec![initializer("w", &[2])]);
    folder.model("fixable.onnx", &fixable);
    assert_eq!(folder.shape(["check", "fixable.onnx"]).code, 0);
    assert_eq!(folder.shape(["check", "fixable.onnx", "--diff"]).code, 1);
}

#[test]
fn models_are_repaired_in_their_places() {
    let folder = folder();
    fs::create_dir(folder.path().join("models")).unwrap();
    folder.model("models/wrong.onnx", &broken());
    folder.model("models/right.onnx", &with_a_look());
    let right = fs::metadata(folder.path().join("models/right.onnx")).unwrap().modified().unwrap();
    let run = folder.shape(["check", "models", "--fix"]);
    // The unsafe fix is not made, so that its finding is left.
    insta::assert_snapshot!(run.page());
    assert_eq!(folder.read("models/wrong.onnx"), repaired());
    assert_eq!(fs::metadata(folder.path().join("models/right.onnx")).unwrap().modified().unwrap(), right);
    let run = folder.shape(["check", "models", "--fix", "--unsafe-fixes"]);
    assert_eq!((run.code, &*run.notes), (0, "no findings in 2 models; 1 fixed\n"));
    assert_eq!(folder.read("models/wrong.onnx"), with_a_look());
    let again = fs::read(folder.path().join("models/wrong.onnx")).unwrap();
    let run = folder.shape(["check", "models", "--fix", "--unsafe-fixes"]);
    assert_eq!((run.code, &*run.out, &*run.notes), (0, "", "no findings in 2 models\n"));
    assert_eq!(fs::read(folder.path().join("models/wrong.onnx")).unwrap(), again);
}

#[test]
fn a_model_is_written_elsewhere() {
    let folder = folder();
    let run = folder.shape(["check", "model.onnx", "--fix", "-o", "out.onnx", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(folder.read("out.onnx"), repaired());
    assert_eq!(folder.read("model.onnx"), broken());
    let fix = &run.json()["fixes"][1];
    let expected = json!({
        "model": "model.onnx", "code": "opset-duplicate", "safety": "safe", "graph": "", "node": null,
        "message": "keeps opset 17 of ai.onnx alone", "before": "ai.onnx 17, ai.onnx 17", "after": "ai.onnx 17",
    });
    assert_eq!(*fix, expected);
    // Where there is nothing to repair, it is the same.
    let run = folder.shape(["check", "out.onnx", "--fix", "-o", "same.onnx"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(folder.read("same.onnx"), repaired());
    let from = |name: &str| Stdio::from(fs::File::open(folder.path().join(name)).unwrap());
    let piped = folder.command(["check", "-", "--fix", "-o", "-"]).stdin(from("model.onnx")).output().unwrap();
    assert_eq!(ModelProto::decode(piped.stdout).unwrap(), repaired());
    assert!(String::from_utf8(piped.stderr).unwrap().contains("fix[opset-duplicate]: keeps opset 17 of ai.onnx alone"));
}

/// What is not reported is not repaired either.
#[test]
fn ignored_findings_are_left() {
    let folder = folder();
    let run = folder.shape(["check", "model.onnx", "--fix", "--ignore", "value-info-unused", "--format", "jsonl"]);
    let lines: Vec<serde_json::Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let fixed: Vec<&str> =
        lines.iter().filter(|line| line["type"] == "fix").map(|line| line["code"].as_str().unwrap()).collect();
    assert!(fixed.contains(&"opset-duplicate") && !fixed.contains(&"value-info-unused"), "{run:?}");
    let left = in_graph(repaired(), |graph| graph.value_info.push(value("b: float")));
    assert_eq!(folder.read("model.onnx"), left);
}

#[test]
fn what_cannot_be_written_is_refused_before() {
    let folder = folder();
    folder.model("other.onnx", &broken());
    for (args, message) in [
        (&["model.onnx", "other.onnx", "--fix", "-o", "out.onnx"][..], "`-o` takes one model, and there are 2"),
        (&["model.onnx", "./model.onnx", "--fix"], "./model.onnx is named twice"),
        (&["model.onnx", "--unsafe-fixes"], "`--unsafe-fixes` is of `--fix` or `--diff`"),
        (&["model.onnx", "--fix", "--diff"], "cannot be used with"),
        (&["model.onnx", "-o", "out.onnx"], "--fix"),
        (&["model.onnx", "--fix", "--profile", "sonnx"], "cannot be used with"),
        (&["model.onnx", "--fix", "-o", "-", "--format", "json"], "`-o -` writes the model to standard output"),
    ] {
        let run = folder.shape(["check"].iter().chain(args));
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.notes.contains(message), "{args:?}: {run:?}");
    }
    let from = Stdio::from(fs::File::open(folder.path().join("model.onnx")).unwrap());
    let piped = run(folder.command(["check", "-", "--fix"]).stdin(from));
    assert_eq!(piped.code, 2);
    assert!(piped.notes.contains("a model from standard input cannot be replaced"), "{piped:?}");
    for name in ["model.onnx", "other.onnx"] {
        assert_eq!(folder.read(name), broken());
    }
    assert!(!folder.path().join("out.onnx").exists());
}

/// The data of tensors stays where it is, so that a model that would not find it is not written.
#[test]
fn a_model_keeps_its_data() {
    let folder = Folder::new();
    let (proto, data) = with_data("data.bin");
    folder.model("model.onnx", &proto.with(|model| model.opset_import.push(opset("", 17))));
    folder.write("data.bin", data);
    fs::create_dir(folder.path().join("away")).unwrap();
    let run = folder.shape(["check", "model.onnx", "--fix", "-o", "away/out.onnx"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.notes.contains("`--external copy` copies the data"), "{run:?}");
    assert!(!folder.path().join("away/out.onnx").exists());
    let run = folder.shape(["check", "model.onnx", "--fix", "-o", "away/out.onnx", "--external", "copy"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(folder.path().join("away/data.bin").exists());
    let run = folder.shape(["check", "model.onnx", "--fix"]);
    assert_eq!((run.code, &*run.notes), (0, "no findings in 1 model; 1 fixed\n"));
}

/// A model that cannot be read is as it was, and the others are repaired.
#[test]
fn one_that_cannot_be_read_does_not_keep_others() {
    let folder = folder();
    folder.write("torn.onnx", [7; 40]);
    let run = folder.shape(["check", "torn.onnx", "model.onnx", "--fix"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(fs::read(folder.path().join("torn.onnx")).unwrap(), [7; 40]);
    assert_eq!(folder.read("model.onnx"), repaired());
}
