//! `shape show`, `shape explain` and the help.

use serde_json::{Value as Json, json};
use shape_core::Registry;
use shape_core::code::Code;
use shape_core::opset::newest;

use crate::run::{Folder, Run};

fn shape(args: &[&str]) -> Run {
    Folder::new().shape(args)
}

#[test]
fn show() {
    insta::assert_snapshot!(shape(&["show", "Shape"]).page());
}

#[test]
fn show_at_an_opset() {
    insta::assert_snapshot!(shape(&["show", "Shape@17"]).page());
}

#[test]
fn the_version_in_force() {
    for opset in 1..=newest("").unwrap() {
        let since = Registry::builtin().resolve("", "Shape", opset).unwrap().since_version;
        let run = shape(&["show", &format!("Shape@{opset}"), "--format", "json"]);
        let json = run.json();
        assert_eq!((&json["schema_version"], &json["operator"]["opset"]), (&json!(1), &json!(opset)));
        let versions: Vec<&Json> = json["operator"]["versions"].as_array().unwrap().iter().collect();
        assert_eq!(versions.len(), 1);
        assert_eq!(versions[0]["since"], since, "{opset}");
        assert_eq!(run.code, 0);
    }
}

#[test]
fn show_as_json() {
    let json = shape(&["show", "ai.onnx::Shape", "--format", "json"]).json();
    let operator = &json["operator"];
    assert_eq!(
        (&operator["name"], &operator["domain"], &operator["opset"]),
        (&json!("Shape"), &json!("ai.onnx"), &json!(null))
    );
    let versions = operator["versions"].as_array().unwrap();
    let numbers: Vec<(u64, usize)> = versions
        .iter()
        .map(|version| (version["since"].as_u64().unwrap(), version["types"][0]["allow"].as_array().unwrap().len()))
        .collect();
    let known = Registry::builtin().operator("", "Shape").iter().rev();
    assert_eq!(
        numbers,
        known.map(|known| (known.since_version.into(), known.types[0].allow.len())).collect::<Vec<_>>()
    );
    assert_eq!(numbers.last(), Some(&(1, 15)));
    let start = &versions[0]["attributes"][0];
    assert_eq!((&start["name"], &start["kind"], &start["default"]), (&json!("start"), &json!("INT"), &json!(0)));
    assert_eq!(versions[0]["types"][0]["allow"][0], "tensor(float)");
    let clip =
        operator["examples"].as_array().unwrap().iter().find(|case| case["name"] == "test_shape_clip_end").unwrap();
    assert_eq!(clip["attributes"], json!([{"name": "end", "value": 10}]));
    assert_eq!(clip["outputs"], json!([{"type": "int64", "dims": [3], "values": [3, 4, 5]}]));
}

#[test]
fn operators_that_are_not_there() {
    let cases = [
        ("shape", "there is no descriptor of `shape`; did you mean `Shape`?"),
        ("Shapes@13", "there is no descriptor of `Shapes`; did you mean `Shape`?"),
        ("com.acme::Shape", "there is no descriptor of `com.acme::Shape`; did you mean `Shape`?"),
        ("", "there is no descriptor of ``"),
        ("Shape@", "`` is not an opset"),
        ("Shape@0", "`0` is not an opset"),
        ("Shape@-1", "`-1` is not an opset"),
        ("Shape@x", "`x` is not an opset"),
        ("Shape@99999999999", "`99999999999` is not an opset"),
        ("Shape@999", "opset 999 of ai.onnx is not known; the newest one known is "),
    ];
    for (text, message) in cases {
        let run = shape(&["show", text]);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.starts_with("error: ") && run.notes.contains(message), "{run:?}");
    }
}

#[test]
fn explain_all() {
    insta::assert_snapshot!(shape(&["explain"]).page());
}

#[test]
fn explain_one() {
    insta::assert_snapshot!(shape(&["explain", "attribute-unknown"]).page());
}

#[test]
fn explain_as_json() {
    let all = shape(&["explain", "--format", "json"]).json();
    let codes: Vec<&str> = all["codes"].as_array().unwrap().iter().map(|code| code["code"].as_str().unwrap()).collect();
    assert_eq!(codes, Code::all().map(Code::name).collect::<Vec<_>>());
    for code in codes {
        let one = shape(&["explain", code, "--format", "json"]);
        assert_eq!((&one.json()["codes"][0]["code"], one.code), (&json!(code), 0));
        let entry = &one.json()["codes"][0];
        assert!(
            ["severity", "title", "explanation"].iter().all(|key| !entry[key].as_str().unwrap().is_empty()),
            "{code}"
        );
    }
}

#[test]
fn codes_that_are_not_there() {
    for (code, message) in [
        ("atribute-unknwon", "there is no code `atribute-unknwon`; did you mean `attribute-unknown`?"),
        ("Output-Type", "did you mean `output-type`?"),
        ("E0001", "there is no code `E0001`; `shape explain` lists all of them"),
    ] {
        let run = shape(&["explain", code]);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.contains(message), "{run:?}");
    }
}

#[test]
fn help() {
    let mut pages = shape(&["--help"]).page();
    for command in ["check", "infer", "test", "show", "explain"] {
        let run = shape(&[command, "--help"]);
        assert!(run.out.contains("Examples:\n  shape "), "{run:?}");
        pages.push_str(&format!("\n=== {command}\n\n{}", run.page()));
    }
    insta::assert_snapshot!(pages);
}

#[test]
fn usage() {
    assert_eq!(shape(&["--version"]).out, format!("shape {}\n", env!("CARGO_PKG_VERSION")));
    for args in [&[][..], &["chekc"], &["check"], &["infer"], &["test"], &["show"], &["check", "--deny", "infos", "x"]]
    {
        let run = shape(args);
        assert_eq!((run.code, &*run.out), (2, ""), "{args:?}: {run:?}");
    }
}
