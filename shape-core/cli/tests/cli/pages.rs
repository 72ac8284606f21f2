//! `shape show`, `shape explain` and the help.

use serde_json::{Value as Json, json};
use shape_core::Registry;
use shape_core::code::Code;

use crate::run::{Folder, Run, newest_release};

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
    for opset in 1..=Registry::builtin().newest_opset("").unwrap() {
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
    assert_eq!(clip["outputs"], json!([{"type": "int64", "dims": [3], "values": [3, 4, 5], "unchecked": null}]));
}

#[test]
fn operators_that_are_not_there() {
    let cases = [
        ("shape", "there is no descriptor of `shape`; did you mean `Shape`?"),
        ("Shapes@13", "there is no descriptor of `Shapes`; did you mean `Shape`?"),
        ("com.acme::Shape", "there is no descriptor of `com.acme::Shape`; did you mean `Shape`?"),
        (
            "SimplifiedLayerNormalization",
            "there is no descriptor of `SimplifiedLayerNormalization`; onnxruntime NEWEST registers it in ai.onnx on its own",
        ),
        ("", "there is no descriptor of ``"),
        ("Shape@", "`` is not an opset"),
        ("Shape@0", "`0` is not an opset"),
        ("Shape@-1", "`-1` is not an opset"),
        ("Shape@x", "`x` is not an opset"),
        ("Shape@99999999999", "`99999999999` is not an opset"),
        ("Shape@999", "opset 999 of ai.onnx is unknown; the newest known one is "),
    ];
    for (text, message) in cases {
        let run = shape(&["show", text]);
        let message = message.replace("NEWEST", &newest_release("onnxruntime"));
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.starts_with("error: ") && run.notes.contains(&message), "{run:?}");
    }
}

#[test]
fn diff() {
    insta::assert_snapshot!(shape(&["diff", "Shape", "13", "25"]).page());
}

#[test]
fn diff_where_an_attribute_became_an_input() {
    insta::assert_snapshot!(shape(&["diff", "Reshape", "1", "14"]).page());
}

#[test]
fn diff_downwards() {
    insta::assert_snapshot!(shape(&["diff", "ai.onnx::Shape", "18", "1"]).page());
}

#[test]
fn diff_of_one_version() {
    insta::assert_snapshot!(shape(&["diff", "Shape", "15", "18"]).page());
}

#[test]
fn diff_as_json() {
    let json = shape(&["diff", "Shape", "14", "20", "--format", "json"]).json();
    let start = json!({
        "kind": "attribute-added", "name": "start", "before": null,
        "after": {
            "name": "start", "kind": "INT", "required": false, "default": 0, "values": [], "min": null, "max": null,
            "legacy": false,
            "doc": "First axis of the slice; a negative one counts from the end, and one out of range is clamped.",
        },
        "text": "attribute start added: INT, default 0",
    });
    let types = ["tensor(float8e4m3fn)", "tensor(float8e4m3fnuz)", "tensor(float8e5m2)", "tensor(float8e5m2fnuz)"];
    assert_eq!(
        (&json["schema_version"], &json["domain"], &json["operator"], &json["from"], &json["to"]),
        (
            &json!(1),
            &json!("ai.onnx"),
            &json!("Shape"),
            &json!({"opset": 14, "since": 13}),
            &json!({"opset": 20, "since": 19})
        )
    );
    assert_eq!(json["steps"][0]["changes"][0], start);
    assert_eq!(json["steps"][1]["changes"].as_array().unwrap().len(), 1);
    let widened = &json["steps"][1]["changes"][0];
    assert_eq!(
        (&widened["kind"], &widened["name"], &widened["after"]),
        (&json!("types-widened"), &json!("T"), &json!(types))
    );
    let kinds = |changes: &Json| -> Vec<String> {
        changes.as_array().unwrap().iter().map(|change| change["kind"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&json["changes"]), ["attribute-added", "attribute-added", "types-widened"]);
    // The way back is the same way.
    let back = shape(&["diff", "Shape", "20", "14", "--format", "json"]).json();
    let expected = ["attribute-removed", "attribute-removed", "types-narrowed", "conversion", "conversion"];
    assert_eq!(kinds(&back["changes"]), expected);
    assert_eq!((&back["changes"][0]["before"], &back["changes"][0]["after"]), (&start["after"], &json!(null)));
    // A page of the operator has the same changes.
    let page = shape(&["show", "Shape", "--format", "json"]).json();
    let version = page["operator"]["versions"].as_array().unwrap().iter().find(|entry| entry["since"] == 19).unwrap();
    assert_eq!(version["changes"], json["steps"][1]["changes"]);
    assert_eq!(page["operator"]["versions"].as_array().unwrap().last().unwrap()["changes"], json!(null));
}

#[test]
fn diffs_that_cannot_be_made() {
    let cases = [
        (["Reshap", "1", "2"], "there is no descriptor of `Reshap`"),
        (["Shape", "1", "999"], "opset 999 of ai.onnx is unknown; the newest known one is "),
        (["Shape", "0", "2"], "`0` is not an opset"),
        (["Shape", "1", "x"], "`x` is not an opset"),
    ];
    for (args, message) in cases {
        let run = shape(&["diff", args[0], args[1], args[2]]);
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
        ("atribute-unknwon", "there is no code or rule `atribute-unknwon`; did you mean `attribute-unknown`?"),
        ("Output-Type", "did you mean `output-type`?"),
        ("E0001", "there is no code or rule `E0001`; `shape explain` lists the codes, `shape explain rules` the rules"),
    ] {
        let run = shape(&["explain", code]);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.contains(message), "{run:?}");
    }
}

#[test]
fn help() {
    let mut pages = shape(&["--help"]).page();
    for command in ["check", "infer", "convert", "test", "show", "diff", "ops", "explain", "profile"] {
        let run = shape(&[command, "--help"]);
        assert!(run.out.contains("Examples:\n  shape "), "{run:?}");
        pages.push_str(&format!("\n=== {command}\n\n{}", run.page()));
    }
    insta::assert_snapshot!(pages);
}

#[test]
fn usage() {
    assert_eq!(shape(&["--version"]).out, format!("shape {}\n", env!("CARGO_PKG_VERSION")));
    for args in [
        &[][..],
        &["chekc"],
        &["check"],
        &["infer"],
        &["test"],
        &["show"],
        &["diff", "Shape", "1"],
        &["check", "--deny", "infos", "x"],
    ] {
        let run = shape(args);
        assert_eq!((run.code, &*run.out), (2, ""), "{args:?}: {run:?}");
    }
}
