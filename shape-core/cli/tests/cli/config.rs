//! `shape.toml`: where it is found, what it says, what the command line says before it, and mistakes in it.

use std::fs;
use std::path::Path;

use boon::{Compiler, Schemas};
use serde_json::{Value as Json, json};
use shape_model::file::proto::ModelProto;

use crate::model::{Change as _, in_graph, model, opset};
use crate::model::{int, node, one_at, one_with};
use crate::run::{Folder, Run};

/// An error, `attribute-unknown`, and a warning, `attribute-no-value`.
fn both() -> ModelProto {
    in_graph(
        one_with(|node| {
            node.attribute.push(int("start", 0));
            node.attribute[0].i = None;
        }),
        |graph| {
            let mut wrong = node("Shape", &["x"], &["z"]);
            wrong.attribute.push(int("shape", 1));
            graph.node.push(wrong);
        },
    )
}

/// The findings of a run, as `severity code`, each once.
fn found(run: &Run) -> Vec<String> {
    let json = run.json();
    let findings = json["findings"].as_array().unwrap().iter();
    let text = |finding: &Json, field: &str| finding[field].as_str().unwrap().to_owned();
    let mut found: Vec<String> =
        findings.map(|finding| format!("{} {}", text(finding, "severity"), text(finding, "code"))).collect();
    found.dedup();
    found
}

const NO_VALUE: &str = "warning attribute-no-value";
const UNKNOWN: &str = "error attribute-unknown";

/// What is reported of the model with both findings.
#[test]
fn which_findings_are_reported() {
    let cases: &[(&str, &[&str], i32, &[&str])] = &[
        ("", &[], 1, &[NO_VALUE, UNKNOWN]),
        ("ignore = ['attribute-unknown']", &[], 0, &[NO_VALUE]),
        ("ignore = ['attribute-']", &[], 0, &[]),
        ("select = ['attribute-no-value']", &[], 0, &[NO_VALUE]),
        ("ignore = ['attribute-unknown']\ndeny = ['warnings']", &[], 1, &[NO_VALUE]),
        ("ignore = ['ALL']\ndeny = ['warnings']", &[], 0, &[]),
        ("[severity]\nattribute-unknown = 'info'", &[], 0, &[NO_VALUE, "info attribute-unknown"]),
        ("[severity]\nattribute-no-value = 'error'", &[], 1, &["error attribute-no-value", UNKNOWN]),
        ("[severity]\n'attribute-' = 'off'", &[], 0, &[]),
        ("[per-file-ignores]\n'm/*.onnx' = ['attribute-unknown']", &[], 0, &[NO_VALUE]),
        ("[per-file-ignores]\n'*.onnx' = ['attribute-unknown']", &[], 0, &[NO_VALUE]),
        ("[per-file-ignores]\n'n/*.onnx' = ['attribute-unknown']", &[], 1, &[NO_VALUE, UNKNOWN]),
        ("", &["--ignore", "attribute-unknown,conversion-"], 0, &[NO_VALUE]),
        ("", &["--ignore", "attribute-unknown", "--ignore", "attribute-no-value"], 0, &[]),
        ("", &["--select", "attribute-unknown"], 1, &[UNKNOWN]),
        (
            "",
            &["--severity", "attribute-unknown=warning", "--deny", "warnings"],
            1,
            &[NO_VALUE, "warning attribute-unknown"],
        ),
        ("", &["--severity", "ALL=info"], 0, &["info attribute-no-value", "info attribute-unknown"]),
        ("", &["--per-file-ignores", "m/*=attribute-unknown,conversion-"], 0, &[NO_VALUE]),
        // The command line goes first.
        ("ignore = ['ALL']", &["--select", "attribute-unknown"], 1, &[UNKNOWN]),
        ("select = ['attribute-unknown']", &["--ignore", "attribute-unknown"], 0, &[]),
        ("[severity]\nattribute-unknown = 'info'", &["--severity", "attribute-unknown=error"], 1, &[NO_VALUE, UNKNOWN]),
        ("ignore = ['ALL']", &["--isolated"], 1, &[NO_VALUE, UNKNOWN]),
    ];
    for (text, args, code, expected) in cases {
        let folder = Folder::new();
        folder.write("shape.toml", text);
        folder.model("m/model.onnx", &both());
        let run = folder.shape(["check", "m/model.onnx", "--format", "json"].iter().chain(*args));
        assert_eq!(
            (run.code, found(&run)),
            (*code, expected.iter().map(ToString::to_string).collect()),
            "{text} {args:?} {run:?}"
        );
    }
}

/// The nearest one above each model holds, wherever the command is run.
#[test]
fn where_it_is_found() {
    let folder = Folder::new();
    for name in ["a.onnx", "m/b.onnx", "m/n/c.onnx", "m/n/o/d.onnx"] {
        folder.model(name, &both());
    }
    folder.write("m/shape.toml", "select = ['attribute-unknown']");
    folder.write("m/n/shape.toml", "select = ['attribute-no-value']");
    folder.write("other.toml", "ignore = ['ALL']");
    let of = |model: &str, args: &[&str]| found(&folder.shape(["check", model, "--format", "json"].iter().chain(args)));
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("a.onnx", &[], &[NO_VALUE, UNKNOWN]),
        ("m/b.onnx", &[], &[UNKNOWN]),
        ("m/n/c.onnx", &[], &[NO_VALUE]),
        ("m/n/o/../c.onnx", &[], &[NO_VALUE]),
        ("m/n/o/d.onnx", &[], &[NO_VALUE]),
        ("m/n/o/d.onnx", &["--config", "other.toml"], &[]),
        ("m/n/o/d.onnx", &["--config", "m/shape.toml"], &[UNKNOWN]),
        (".", &[], &[NO_VALUE, UNKNOWN, UNKNOWN, NO_VALUE]),
    ];
    for (model, args, expected) in cases {
        let mut expected = expected.to_vec();
        expected.dedup();
        assert_eq!(of(model, args), expected, "{model} {args:?}");
    }
    let mut elsewhere = folder.command(["check", "../b.onnx", "--format", "json"]);
    elsewhere.current_dir(folder.path().join("m/n"));
    assert_eq!(found(&crate::run::run(&mut elsewhere)), [UNKNOWN]);
    // What is told of ignored findings.
    let run = folder.shape(["check", "m/b.onnx"]);
    assert_eq!(run.notes, "1 error in 1 model, 1 ignored\n");
}

/// Models in folders are left out; those that are named are not.
#[test]
fn what_is_left_out() {
    let folder = Folder::new();
    for name in ["m/a.onnx", "m/old/b.onnx", "m/tmp.onnx"] {
        folder.model(name, &one_at(999));
    }
    folder.write("m/shape.toml", "exclude = ['old', 'tmp*']");
    let cases: &[(&[&str], &str)] = &[
        (&["m"], "1 error in 1 model\n"),
        (&["."], "1 error in 1 model\n"),
        (&["m/old/b.onnx", "m"], "2 errors in 2 models\n"),
        (&["m/old"], "no findings in 0 models\n"),
        (&["m", "--isolated"], "3 errors in 3 models\n"),
    ];
    for (args, notes) in cases {
        let run = folder.shape(["check"].iter().chain(*args));
        assert_eq!(run.notes, *notes, "{run:?}");
    }
}

/// All mistakes are told, with their places and what is meant.
#[test]
fn mistakes() {
    let text = "selct = ['ALL']\n\
        ignore = ['attribute-unknwon', 'conversoin-']\n\
        select = 'ALL'\n\
        deny = ['warning', 'ünknown'] \n\
        exclude = ['a[', '']\n\
        \n\
        [severity]\n\
        opset-too-new = 'eror'\n\
        attribut-unknown = 'off'\n\
        [per-file-ignores]\n\
        'a.onnx' = ['ALLES']\n\
        [perfile-ignores]\n\
        a = 1\n";
    let folder = Folder::new();
    folder.write("shape.toml", text);
    folder.model("model.onnx", &both());
    let run = folder.shape(["check", "model.onnx"]);
    assert_eq!((run.code, &*run.out), (2, ""));
    insta::assert_snapshot!(run.notes.replace(&*folder.path().to_string_lossy(), "FOLDER"));
    folder.write("shape.toml", "select = [\n  'ALL'\nignore = 3\n");
    let run = folder.shape(["check", "model.onnx"]);
    assert!(run.code == 2 && run.notes.starts_with("shape.toml:3:1: error[syntax]: "), "{run:?}");
}

#[test]
fn mistakes_of_the_command_line() {
    let cases: &[(&[&str], &str)] = &[
        (&["--ignore", "attribute-unknwon"], "there is no code `attribute-unknwon`; did you mean `attribute-unknown`?"),
        (&["--select", "nothing-"], "there is no code that begins with `nothing-`; "),
        (&["--select", "attribute"], "there is no code `attribute`; "),
        (&["--severity", "attribute-unknown"], "it is written as CODE=LEVEL"),
        (&["--severity", "attribute-unknown=of"], "there is no level `of`; did you mean `off`?"),
        (&["--per-file-ignores", "a.onnx"], "it is written as GLOB=CODE,..."),
        (&["--config", "none.toml"], "cannot read none.toml: "),
        (&["--config", "none.toml", "--isolated"], "cannot be used with"),
        (&["--baseline", "none.json"], "cannot read none.json: "),
        (&["--statistics", "--format", "sarif"], "`--statistics` has no place in this format"),
    ];
    for (args, expected) in cases {
        let folder = Folder::new();
        folder.model("model.onnx", &both());
        let run = folder.shape(["check", "model.onnx"].iter().chain(*args));
        assert!(run.code == 2 && run.out.is_empty() && run.notes.contains(expected), "{run:?}");
    }
}

/// What the schema takes is what the command takes.
#[test]
fn the_schema_takes_what_the_command_takes() {
    let schema = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("shape.schema.json")).unwrap();
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("shape.json", serde_json::from_str(&schema).unwrap()).unwrap();
    let index = compiler.compile("shape.json", &mut schemas).unwrap();
    let cases = [
        (
            "select = ['ALL', 'conversion-', 'opset-too-new']",
            json!({"select": ["ALL", "conversion-", "opset-too-new"]}),
            true,
        ),
        ("deny = ['warnings', 'undetermined']", json!({"deny": ["warnings", "undetermined"]}), true),
        ("exclude = ['a/**']\nbaseline = 'b.json'", json!({"exclude": ["a/**"], "baseline": "b.json"}), true),
        ("[severity]\nopset-too-new = 'off'", json!({"severity": {"opset-too-new": "off"}}), true),
        ("[per-file-ignores]\na = ['ALL']", json!({"per-file-ignores": {"a": ["ALL"]}}), true),
        ("select = ['opset']", json!({"select": ["opset"]}), false),
        ("ignore = 'ALL'", json!({"ignore": "ALL"}), false),
        ("deny = ['errors']", json!({"deny": ["errors"]}), false),
        ("[severity]\nopset-too-new = 'fatal'", json!({"severity": {"opset-too-new": "fatal"}}), false),
        ("[severity]\nopset = 'off'", json!({"severity": {"opset": "off"}}), false),
        ("[per-file-ignores]\na = ['all']", json!({"per-file-ignores": {"a": ["all"]}}), false),
        ("nothing = 1", json!({"nothing": 1}), false),
    ];
    for (text, value, expected) in cases {
        let folder = Folder::new();
        folder.write("b.json", r#"{"schema_version": 1, "findings": []}"#);
        folder.write("shape.toml", text);
        folder.model("model.onnx", &crate::model::one());
        let run = folder.shape(["check", "model.onnx"]);
        assert_eq!((run.code == 0, schemas.validate(&value, index).is_ok()), (expected, expected), "{text} {run:?}");
    }
}

/// A model that is refused for an ignored reason is clean for the exit code, and the numbers tell of it.
#[test]
fn statistics() {
    let folder = Folder::new();
    folder.model("a.onnx", &both());
    folder.model("b.onnx", &one_at(999));
    let foreign = node("Gelu", &["x"], &["y"]).with(|node| node.domain = "com.acme".into());
    let foreign = model(&["x: float[N]"], vec![foreign; 30], &["y: float[N]"]);
    folder.model("c.onnx", &foreign.with(|model| model.opset_import.push(opset("com.acme", 1))));
    let args = ["check", ".", "--statistics", "--ignore", "opset-too-new,value-redefined"];
    let run = folder.shape(args);
    insta::assert_snapshot!(run.page());
    let run = folder.shape(["check", "b.onnx", "--statistics", "--ignore", "opset-too-new", "--format", "json"]);
    let expected = json!([{
        "code": "opset-too-new", "severity": "error", "status": "ignored", "count": 1, "models": 1,
        "first": {"model": "b.onnx", "graph": "", "node": null},
    }]);
    assert_eq!((run.code, &run.json()["findings"], &run.json()["statistics"]), (0, &json!([]), &expected));
    let run = folder.shape(["check", "a.onnx", "--statistics", "--select", "opset-"]);
    assert_eq!((run.code, run.out.lines().count()), (0, 3), "{run:?}");
}

/// The file that the README shows is one, and each line of it does something.
#[test]
fn the_file_of_the_readme() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let text = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = Folder::new();
    folder.write("shape.toml", text);
    folder.write("known.json", r#"{"schema_version": 1, "findings": []}"#);
    folder.model("model.onnx", &both());
    let run = folder.shape(["check", "model.onnx", "--format", "json"]);
    assert_eq!((run.code, found(&run)), (1, vec![NO_VALUE.to_owned(), UNKNOWN.to_owned()]), "{run:?}");
}
