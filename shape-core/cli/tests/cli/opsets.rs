//! `shape diff --opset`: what a new opset changes.

use serde_json::{Value as Json, json};

use crate::run::{Folder, Run};

fn diff(args: &[&str]) -> Run {
    Folder::new().shape(["diff"].iter().chain(args))
}

#[test]
fn a_type_rollout_is_one_page() {
    insta::assert_snapshot!(diff(&["--opset", "24", "25"]).page());
}

#[test]
fn the_operators_that_a_glob_names() {
    insta::assert_snapshot!(diff(&["--opset", "13", "28", "--operator", "Reduce*"]).page());
}

#[test]
fn new_and_deprecated_operators_of_another_domain() {
    insta::assert_snapshot!(diff(&["--opset", "1", "5", "--domain", "ai.onnx.ml", "--operator", "[!A]*E*e*"]).page());
}

#[test]
fn back_to_an_older_opset() {
    let run = diff(&["--opset", "20", "19", "--operator", "[GI][es]*"]);
    assert!(run.out.contains("\nChanged (2 operators)\n") && run.out.contains("narrowed by"), "{run:?}");
    assert!(run.out.contains("\nRemoved (1 operator)\n  Gelu\n"), "{run:?}");
    let same = diff(&["--opset", "20", "20"]);
    assert_eq!(
        (same.code, &*same.out),
        (
            0,
            "ai.onnx, from opset 20 to opset 20\n\nNothing changed: both opsets have the same version of each operator.\n"
        )
    );
}

/// Each operator stands once, in the place that its two versions give it.
#[test]
fn as_json() {
    let json = diff(&["--opset", "10", "28", "--format", "json"]).json();
    assert_eq!(
        (&json["schema_version"], &json["domain"], &json["operator"], &json["from"], &json["to"]),
        (&json!(1), &json!("ai.onnx"), &json!(null), &json!(10), &json!(28))
    );
    let list = |value: &Json| value.as_array().unwrap().clone();
    let grouped = |place: &str| list(&json[place]).iter().flat_map(|group| list(&group["operators"])).collect();
    let mut names = Vec::new();
    for (place, rows) in [
        ("changed", grouped("changed")),
        ("added", list(&json["added"])),
        ("removed", list(&json["removed"])),
        ("deprecated", grouped("deprecated")),
        ("documentation", list(&json["documentation"])),
    ] {
        for row in rows {
            let name = row["name"].as_str().unwrap().to_owned();
            let known = shape_core::Registry::builtin();
            let since = |opset| known.resolve("", &name, opset).ok().map(|schema| schema.since_version);
            assert_eq!((&row["from"], &row["to"]), (&json!(since(10)), &json!(since(28))), "{place} {name}");
            names.push(name);
        }
    }
    let changed = |versions: &&[&'static shape_core::Schema]| {
        let since = |opset| versions.iter().rfind(|schema| schema.since_version <= opset).map(|x| x.since_version);
        versions[0].domain == "ai.onnx" && since(10) != since(28)
    };
    let mut expected: Vec<&str> =
        shape_core::Registry::builtin().operators().filter(changed).map(|versions| versions[0].name).collect();
    names.sort();
    expected.sort_unstable();
    assert_eq!(names, expected);
    let groups = list(&json["changed"]);
    let sizes: Vec<usize> = groups.iter().map(|group| list(&group["operators"]).len()).collect();
    assert!(sizes.is_sorted_by(|left, right| left >= right), "{sizes:?}");
    let texts: Vec<String> = groups.iter().map(|group| group["changes"].to_string()).collect();
    assert!((1..texts.len()).all(|at| !texts[..at].contains(&texts[at])), "no two groups have the same changes");
}

#[test]
fn operators_of_descriptors_of_ones_own() {
    let folder = Folder::new();
    let twice = "operator: Twice\ndomain: com.acme\nsummary: Doubles.\nversions:\n  - since: 1\n    inputs: \
                 [{ name: x, type: T }]\n    outputs: [{ name: y, type: T }]\n    types: [{ name: T, allow: [float] }]\n  \
                 - since: 2\n    types: [{ name: T, add: [double] }]\n";
    folder.write("vendor/com.acme/Twice.yaml", twice);
    let run = folder.shape(["diff", "--opset", "1", "7", "--domain", "com.acme", "--specs", "vendor"]);
    let page =
        "com.acme, from opset 1 to opset 7\n\nChanged (1 operator)\n  - types of T widened by double\n      Twice\n";
    assert_eq!((run.code, &*run.out), (0, page), "{run:?}");
}

#[test]
fn command_lines_that_mix_the_two_forms() {
    let cases = [
        (&["Shape", "--opset", "24", "25"][..], "cannot be used with"),
        (&["--opset", "24", "25", "Shape"], "cannot be used with"),
        (&["Shape", "1", "2", "--opset", "24", "25"], "cannot be used with"),
        (&["Shape", "1", "2", "--operator", "S*"], "cannot be used with"),
        (&["Shape", "1", "2", "--domain", "ai.onnx"], "cannot be used with"),
        (&["--operator", "S*"], "--opset <FROM> <TO>"),
        (&["--opset", "24"], "2 values required for '--opset <FROM> <TO>'"),
        (&["--opset", "0", "1"], "`0` is not an opset"),
        (&["--opset", "24", "25", "--operator", "[a"], "invalid range pattern"),
        (&["--opset", "24", "99"], "opset 99 of ai.onnx is unknown; the newest known one is "),
        (&["--opset", "1", "2", "--domain", "com.acme"], "there is no operator of com.acme"),
        (&["--opset", "1", "2", "--operator", "shape"], "no operator of ai.onnx has a name that matches `shape`"),
        (&[], "required arguments were not provided"),
    ];
    for (args, message) in cases {
        let run = diff(args);
        assert_eq!((run.code, &*run.out), (2, ""), "{args:?}: {run:?}");
        assert!(run.notes.contains(message), "{args:?}: {run:?}");
    }
}
