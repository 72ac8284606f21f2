//! Baselines of `shape check`: findings that are known, and what becomes of them.

use std::fs;

use serde_json::{Value as Json, json};
use shape_model::file::proto::{ModelProto, NodeProto};

use crate::model::{Change as _, model, node, one, one_at};
use crate::run::Folder;

/// Nodes that read what nothing computes.
fn undefined(names: &[&str]) -> ModelProto {
    let nodes: Vec<NodeProto> =
        names.iter().enumerate().map(|(index, name)| node("Relu", &[name], &[&format!("y{index}")])).collect();
    model(&[], nodes, &[])
}

/// The lines of standard error, but the summary.
fn told(notes: &str) -> Vec<&str> {
    let lines: Vec<&str> = notes.lines().collect();
    lines.split_last().map(|(_, told)| told.to_vec()).unwrap_or_default()
}

#[test]
fn known_findings() {
    let folder = Folder::new();
    folder.model("m/a.onnx", &undefined(&["u", "v"]));
    folder.model("m/b.onnx", &one_at(999));
    folder.model("m/ok.onnx", &one());
    let run = folder.shape(["check", "m", "--write-baseline", "known.json"]);
    assert_eq!(
        run.page(),
        "\n--- stderr\nno findings in 3 models, 3 known\nknown.json has 3 known findings from now on\n--- exit code 0\n"
    );
    let written: Json = serde_json::from_str(&fs::read_to_string(folder.path().join("known.json")).unwrap()).unwrap();
    assert_eq!(
        written["findings"][0],
        json!({
            "model": "m/a.onnx", "code": "value-undefined", "graph": "graph", "operator": "Relu", "node": "",
            "message": "nothing computes `u`", "count": 1,
        })
    );
    assert_eq!(written["findings"].as_array().unwrap().len(), 3);
    let known = ["check", "m", "--baseline", "known.json"];
    let run = folder.shape(known);
    assert_eq!((run.code, &*run.out, &*run.notes), (0, "", "no findings in 3 models, 3 known\n"));

    // A finding that is new is reported, also if another one is gone, and what is gone is told.
    folder.model("m/a.onnx", &undefined(&["w", "u"]));
    folder.model("m/b.onnx", &one());
    let run = folder.shape(known);
    assert_eq!((run.code, run.out.matches("error[").count()), (1, 1), "{run:?}");
    assert!(run.out.contains("nothing computes `w`"), "{run:?}");
    let gone = [
        "known.json: gone from m/a.onnx: value-undefined: nothing computes `v`",
        "known.json: gone from m/b.onnx: opset-too-new: ",
        "`--write-baseline known.json` writes it without them",
    ];
    assert!(told(&run.notes).iter().zip(gone).all(|(told, gone)| told.starts_with(gone)), "{run:?}");
    assert_eq!(told(&run.notes).len(), 3);
    let json = folder.shape(known.iter().chain(&["--format", "json"])).json();
    assert_eq!((&json["baseline"]["known"], json["baseline"]["gone"].as_array().unwrap().len()), (&json!(1), 2));

    // Of models that were not checked, nothing is told unless their files are gone.
    let run = folder.shape(["check", "m/ok.onnx", "--baseline", "known.json"]);
    assert_eq!((run.code, &*run.notes), (0, "no findings in 1 model\n"));
    fs::remove_file(folder.path().join("m/b.onnx")).unwrap();
    let run = folder.shape(["check", "m/ok.onnx", "--baseline", "known.json"]);
    assert!(run.notes.starts_with("known.json: gone from m/b.onnx: "), "{run:?}");

    // Written anew, it keeps what is known of models that were not checked.
    folder.model("m/c.onnx", &one_at(999));
    folder.shape(["check", "m/c.onnx", "--write-baseline", "known.json"]);
    let written: Json = serde_json::from_str(&fs::read_to_string(folder.path().join("known.json")).unwrap()).unwrap();
    let models: Vec<&str> =
        written["findings"].as_array().unwrap().iter().map(|of| of["model"].as_str().unwrap()).collect();
    assert_eq!(models, ["m/a.onnx", "m/a.onnx", "m/c.onnx"]);
}

/// Findings that are counted and not listed are known by their number.
#[test]
fn many_of_a_kind() {
    let of = |count: usize| undefined(&vec!["u"; count]);
    let folder = Folder::new();
    folder.model("a.onnx", &of(30));
    folder.shape(["check", "a.onnx", "--write-baseline", "known.json"]);
    let cases = [
        (30, "no findings in 1 model, 30 known\n", None),
        (32, "2 errors in 1 model, 30 known\n", None),
        (
            29,
            "no findings in 1 model, 29 known\n",
            Some("known.json: gone from a.onnx: value-undefined: nothing computes `u`"),
        ),
        (
            8,
            "no findings in 1 model, 8 known\n",
            Some("known.json: gone from a.onnx: value-undefined: nothing computes `u` (22 times)"),
        ),
    ];
    for (count, summary, gone) in cases {
        folder.model("a.onnx", &of(count));
        let run = folder.shape(["check", "a.onnx", "--baseline", "known.json"]);
        assert!(run.notes.ends_with(summary), "{count} {run:?}");
        assert_eq!(told(&run.notes).first().copied(), gone, "{count} {run:?}");
    }
}

/// The paths are relative to the file, so that it holds wherever the command is run.
#[test]
fn of_the_settings() {
    let folder = Folder::new();
    folder.model("m/a.onnx", &one_at(999));
    folder.model("other/b.onnx", &one_at(999));
    folder.write("m/shape.toml", "baseline = 'known.json'");
    folder.shape(["check", "m", "other", "--write-baseline", "m/known.json"]);
    let run = folder.shape(["check", "m"]);
    assert_eq!((run.code, &*run.notes), (0, "no findings in 1 model, 1 known\n"), "{run:?}");
    let mut inside = folder.command(["check", "a.onnx"]);
    inside.current_dir(folder.path().join("m"));
    assert_eq!(crate::run::run(&mut inside).notes, "no findings in 1 model, 1 known\n");
    // The folder beside has no settings; named, the file holds there too.
    assert_eq!(folder.shape(["check", "other"]).code, 1);
    assert_eq!(folder.shape(["check", "other", "--baseline", "m/known.json"]).code, 0);
    assert_eq!(folder.shape(["check", "m", "--isolated"]).code, 1);
}

#[test]
fn what_is_not_written_or_read() {
    let folder = Folder::new();
    folder.model("a.onnx", &one_at(999));
    folder.write("cut.onnx", "text");
    let run = folder.shape(["check", ".", "--write-baseline", "known.json"]);
    assert!(
        run.code == 2 && run.notes.contains("known.json is not written, because 1 model could not be read"),
        "{run:?}"
    );
    assert!(!folder.path().join("known.json").exists());
    let run = folder.shape(["check", "a.onnx", "--write-baseline", "-", "--format", "json"]);
    assert!(run.code == 2 && run.notes.contains("give `--write-baseline` a file"), "{run:?}");
    let before = folder.read("a.onnx");
    let run = folder.shape(["check", "a.onnx", "--write-baseline", "a.onnx"]);
    assert_eq!((run.code, folder.read("a.onnx") == before), (2, true), "{run:?}");
    let cases = [
        ("{", "known.json is no baseline: "),
        (r#"{"schema_version": 2, "findings": []}"#, "its `schema_version` is 2, and this program reads 1"),
        (r#"{"schema_version": 1, "findings": [{"model": "a"}]}"#, "missing field `code`"),
        (r#"{"schema_version": 1, "findings": [], "more": 1}"#, "unknown field `more`"),
    ];
    for (text, expected) in cases {
        folder.write("known.json", text);
        for option in ["--baseline", "--write-baseline"] {
            let run = folder.shape(["check", "a.onnx", option, "known.json"]);
            assert!(run.code == 2 && run.out.is_empty() && run.notes.contains(expected), "{run:?}");
        }
        assert_eq!(fs::read_to_string(folder.path().join("known.json")).unwrap(), text);
    }
}

/// What is known of a model from standard input.
#[test]
fn standard_input() {
    use std::process::Stdio;
    let folder = Folder::new();
    folder.model("a.onnx", &one_at(999).with(|_| {}));
    let from = |args: &[&str]| {
        let file = fs::File::open(folder.path().join("a.onnx")).unwrap();
        crate::run::run(folder.command(args).stdin(Stdio::from(file)))
    };
    assert_eq!(from(&["check", "-", "--write-baseline", "known.json"]).code, 0);
    let run = from(&["check", "-", "--baseline", "known.json"]);
    assert_eq!((run.code, &*run.notes), (0, "no findings in 1 model, 1 known\n"));
}
