//! `shape specs import`: what it writes, what it leaves, and what it refuses.

use std::fs;

use serde_json::{Value as Json, json};
use shape_specs::{DESCRIPTORS, Tables};
use shape_tests::{NextRelease, next_release};

use crate::run::{Folder, Run};

const FACTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs/facts/onnx.json");

/// A folder with the descriptors and tables of this repository.
fn repository() -> Folder {
    let folder = Folder::new();
    for (file, bytes) in DESCRIPTORS.iter().chain(&Tables::FILES) {
        folder.write(format!("specs/{file}"), bytes);
    }
    folder
}

fn facts() -> Json {
    serde_json::from_str(&fs::read_to_string(FACTS).unwrap()).unwrap()
}

fn import(folder: &Folder, facts: &Json) -> Run {
    folder.write("facts.json", facts.to_string());
    folder.shape(["specs", "import", "facts.json"])
}

/// The versions of an operator, oldest first.
fn versions<'f>(facts: &'f mut Json, name: &str) -> Vec<&'f mut Json> {
    let operators = facts["operators"].as_array_mut().unwrap();
    operators.iter_mut().filter(|row| row["name"] == name && row["domain"] == "ai.onnx").collect()
}

fn files(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let read =
        |(file, _): &(&str, &[u8])| ((*file).to_owned(), fs::read(folder.path().join("specs").join(file)).unwrap());
    DESCRIPTORS.iter().chain(&Tables::FILES).map(read).collect()
}

/// The next opset, on facts that were changed by hand: a type more, an attribute more, an operator more.
#[test]
fn a_new_release() {
    let folder = repository();
    let mut facts = facts();
    let NextRelease { row, opset, .. } = next_release().unwrap();
    let release = row.split('"').nth(1).unwrap();
    let source = format!("package_{}", release.replace('.', "_"));
    facts["release"] = json!(release);
    facts["opset"] = json!(opset);
    let sets = facts["type_sets"].as_array_mut().unwrap();
    sets.push(json!(["tensor(bfloat16)", "tensor(bool)", "tensor(double)", "tensor(float)", "tensor(float16)"]));
    let wider = sets.len() - 1;
    let mut newest = versions(&mut facts, "Abs").pop().unwrap().clone();
    newest["since_version"] = json!(opset);
    newest["types"][0]["allow"] = json!(wider);
    let mut softmax = versions(&mut facts, "Softmax").pop().unwrap().clone();
    softmax["since_version"] = json!(opset);
    softmax["attributes"].as_array_mut().unwrap().push(json!({"name": "beta", "type": "FLOAT", "default": 1.0}));
    let mut fresh = newest.clone();
    fresh["name"] = json!("Brandnew");
    facts["operators"].as_array_mut().unwrap().extend([newest, softmax, fresh]);

    let run = import(&folder, &facts);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(
        run.out,
        format!(
            "specs/ai.onnx/Abs.yaml: {opset}\nspecs/ai.onnx/Brandnew.yaml: {opset}\n\
             specs/ai.onnx/Softmax.yaml: {opset}\nspecs/opsets.yaml\n"
        )
    );
    assert_eq!(run.notes, format!("3 new versions of onnx {release} in 4 files, 1 of them without a summary yet\n"));
    let added = |file: &str| {
        let after = fs::read_to_string(folder.path().join("specs").join(file)).unwrap();
        let (_, before) = DESCRIPTORS.iter().chain(&Tables::FILES).find(|(known, _)| *known == file).unwrap();
        let before: Vec<&str> = str::from_utf8(before).unwrap().lines().collect();
        let lines = after.lines().filter(|line| !before.contains(line)).map(str::to_owned);
        // Everything that was there is there.
        assert!(before.iter().all(|line| after.contains(line)), "{file}");
        lines.collect::<Vec<String>>()
    };
    assert_eq!(
        added("ai.onnx/Abs.yaml"),
        [
            &*format!("  - {{ id: {source}, title: \"schemas of the onnx package {release}\" }}"),
            &*format!("  - since: {opset}"),
            &*format!("    sources: [{source}]"),
            "    types: [{ name: T, add: [bool], remove: [integer_of_opset_1] }]",
        ]
    );
    assert_eq!(
        added("ai.onnx/Softmax.yaml")[1..],
        [
            &*format!("  - since: {opset}"),
            &*format!("    sources: [{source}]"),
            "    attributes: [{ name: beta, type: FLOAT, default: 1.0 }]"
        ]
    );
    assert_eq!(added("opsets.yaml"), [row]);
    // Once more, and nothing is new.
    let before = files(&folder);
    let run = import(&folder, &facts);
    assert_eq!((run.code, &*run.out), (0, ""), "{run:?}");
    assert_eq!(files(&folder), before);
}

/// A release of a runtime changes a version in place: a later entry names it, once, and the versions of the release before
/// stay as they were. What a known release has otherwise is a contradiction.
#[test]
fn a_new_release_of_a_runtime() {
    let folder = Folder::new();
    for (file, bytes) in
        DESCRIPTORS.iter().filter(|(file, _)| *file == "com.microsoft/FastGelu.yaml").chain(&Tables::FILES)
    {
        folder.write(format!("specs/{file}"), bytes);
    }
    let committed = fs::read_to_string(FACTS.replace("onnx.json", "onnxruntime.json")).unwrap();
    let mut facts: Json = serde_json::from_str(&committed).unwrap();
    let known = facts["release"].clone();
    let operators = facts["operators"].as_array_mut().unwrap();
    operators.retain(|row| row["name"] == "FastGelu");
    operators[0]["attributes"] = json!([{ "name": "exact", "type": "INT", "default": 0 }]);
    let mut fresh = operators[0].clone();
    fresh["name"] = json!("Brandnew");
    operators.push(fresh);
    facts["release"] = json!("99.1.0");
    let run = import(&folder, &facts);
    assert_eq!(
        (run.code, &*run.out, &*run.notes),
        (
            0,
            "specs/com.microsoft/Brandnew.yaml: 1\nspecs/com.microsoft/FastGelu.yaml: 1\nspecs/runtimes.yaml\n",
            "2 new versions of onnxruntime 99.1.0 in 3 files, 1 of them without a summary yet\n"
        )
    );
    let read = |file: &str| fs::read_to_string(folder.path().join("specs").join(file)).unwrap();
    let entry = "  - since: 1\n    release: \"99.1.0\"\n    sources: [package]\n    attributes: [{ name: exact, type: INT, default: 0 }]\n\n";
    assert!(read("com.microsoft/FastGelu.yaml").contains(entry), "{}", read("com.microsoft/FastGelu.yaml"));
    let fresh = read("com.microsoft/Brandnew.yaml");
    assert!(
        fresh.contains("\nruntime: onnxruntime\n") && fresh.contains("  - since: 1\n    release: \"99.1.0\"\n"),
        "{fresh}"
    );
    assert!(read("runtimes.yaml").contains("\"99.1.0\"]"));
    let run = import(&folder, &facts);
    assert_eq!((run.code, &*run.out), (0, ""), "{run:?}");
    facts["release"] = known;
    let run = import(&folder, &facts);
    assert!(run.code == 1 && run.out.contains("says otherwise; by the facts: attribute exact"), "{run:?}");
}

/// An input in the middle, and a list whose order changes, come out as they are in the facts.
#[test]
fn order() {
    let folder = Folder::new();
    let mut facts = facts();
    facts["operators"].as_array_mut().unwrap().retain(|row| row["name"] == "Resize");
    let run = import(&folder, &facts);
    assert_eq!((run.code, &*run.out), (0, "specs/ai.onnx/Resize.yaml: 10, 11, 13, 18, 19\n"), "{run:?}");
    let run = folder.shape(["show", "Resize@11", "--format", "json"]);
    let inputs = run.json()["operator"]["versions"][0]["inputs"].as_array().unwrap().clone();
    let names: Vec<&str> = inputs.iter().map(|input| input["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["X", "roi", "scales", "sizes"]);
}

/// A fact that differs from what is described is told and not written; nor is anything else.
#[test]
fn differences() {
    let folder = repository();
    let before = files(&folder);
    let mut facts = facts();
    versions(&mut facts, "Softmax")[0]["attributes"][0]["default"] = json!(2);
    versions(&mut facts, "Resize")[1]["has_function"] = json!(true);
    let mut newer = versions(&mut facts, "Abs").pop().unwrap().clone();
    newer["since_version"] = json!(27);
    let mut older = newer.clone();
    older["since_version"] = json!(2);
    let operators = facts["operators"].as_array_mut().unwrap();
    operators.extend([newer, older]);
    operators.retain(|row| row["name"] != "Gemm" || row["since_version"] != 9);
    let run = import(&folder, &facts);
    assert_eq!(run.code, 1, "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    let parts = [
        ("ai.onnx::Abs-2: ai.onnx/Abs.yaml lacks it, and has a newer one", ""),
        ("ai.onnx::Gemm-9: ai.onnx/Gemm.yaml:", "describes it, and the facts do not have it"),
        ("ai.onnx::Resize-11: ai.onnx/Resize.yaml:", "by the facts: a function of other operators"),
        (
            "ai.onnx::Softmax-1: ai.onnx/Softmax.yaml:",
            "by the facts: attribute axis has another default: default 1 -> default 2",
        ),
    ];
    assert_eq!(lines.len(), parts.len(), "{run:?}");
    for (line, (start, end)) in lines.iter().zip(parts) {
        assert!(line.starts_with(start) && line.contains(end), "{line}");
    }
    assert_eq!(run.notes, "4 errors; no file was written\n");
    assert_eq!(files(&folder), before);
}

/// With --check all of it is told at once, what is new beside what differs, and nothing is written.
#[test]
fn what_is_new_or_differs() {
    let folder = repository();
    folder.write("facts.json", facts().to_string());
    let check = || folder.shape(["specs", "import", "--check", "facts.json"]);
    let run = check();
    assert_eq!((run.code, &*run.out, &*run.notes), (0, "", "0 differences\n"), "{run:?}");

    let before = files(&folder);
    let mut facts = facts();
    let NextRelease { opset, .. } = next_release().unwrap();
    facts["release"] = json!("next");
    facts["opset"] = json!(opset);
    let sets = facts["type_sets"].as_array_mut().unwrap();
    sets.push(json!(["tensor(float)"]));
    let narrower = sets.len() - 1;
    let mut newer = |name: &str| {
        let mut newer = versions(&mut facts, name).pop().unwrap().clone();
        newer["since_version"] = json!(opset);
        newer
    };
    let (same, mut softmax, mut fresh) = (newer("Abs"), newer("Softmax"), newer("Neg"));
    softmax["attributes"].as_array_mut().unwrap().push(json!({"name": "beta", "type": "FLOAT", "default": 1.0}));
    fresh["name"] = json!("Brandnew");
    // An older version of the same operator differs, which hides nothing of the new one.
    versions(&mut facts, "Softmax")[0]["attributes"][0]["default"] = json!(2);
    let relu = &mut versions(&mut facts, "Relu")[0];
    relu["types"][0]["allow"] = json!(narrower);
    relu["outputs"][0]["option"] = json!("optional");
    relu["min_output"] = json!(0);
    let operators = facts["operators"].as_array_mut().unwrap();
    operators.extend([same, softmax, fresh]);
    operators.retain(|row| row["name"] != "Det");
    folder.write("facts.json", facts.to_string());
    let run = check();
    assert_eq!(run.code, 1, "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    let expected = [
        ("opsets.yaml lacks release next: ", &*format!(", opset {opset}, ")),
        (&*format!("ai.onnx::Abs-{opset}: "), "a new version: the facts of the one before it"),
        (&*format!("ai.onnx::Brandnew-{opset}: "), "a new operator"),
        (&*format!("ai.onnx::Softmax-{opset}: "), "a new version: attribute beta added: FLOAT, default 1.0"),
        ("ai.onnx::Relu-1: ai.onnx/Relu.yaml:", "by the facts: output Y is optional now: single -> optional"),
        ("ai.onnx::Relu-1: ai.onnx/Relu.yaml:", "by the facts: types of T narrowed by "),
        ("ai.onnx::Softmax-1: ", "by the facts: attribute axis has another default: default 1 -> default 2"),
        ("ai.onnx::Det: ", "described, and the facts do not have it"),
    ];
    assert_eq!(lines.len(), expected.len(), "{run:?}");
    for (line, (start, part)) in lines.iter().zip(expected) {
        assert!(line.starts_with(start) && line.contains(part), "{line}");
    }
    assert_eq!(run.notes, "8 differences\n");
    assert_eq!(files(&folder), before);

    // Without descriptors that can be read, nothing was compared.
    folder.write("specs/ai.onnx/Abs.yaml", "operator: Abs\n");
    let run = check();
    assert!(run.code == 2 && run.notes.contains("ai.onnx/Abs.yaml:1:1: error[missing-field]"), "{run:?}");
}

#[test]
fn facts_that_are_none() {
    let folder = repository();
    let before = files(&folder);
    let text = fs::read_to_string(FACTS).unwrap();
    folder.write("facts.json", &text[..text.len() / 2]);
    let run = folder.shape(["specs", "import", "facts.json"]);
    assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
    assert!(run.notes.contains("facts.json is not an output of dump.py: EOF while parsing"), "{run:?}");
    assert!(run.notes.contains(" at line "), "{run:?}");
    let run = folder.shape(["specs", "import", "nowhere.json"]);
    assert!(run.code == 2 && run.notes.contains("cannot read nowhere.json"), "{run:?}");

    let mut changed = facts();
    changed["facts_version"] = json!(2);
    let run = import(&folder, &changed);
    assert!(run.code == 1 && run.out.contains("the facts are of form 2, and this program reads form 1"), "{run:?}");

    let mut changed = facts();
    let mut newest = versions(&mut changed, "Abs").pop().unwrap().clone();
    let opset = changed["opset"].clone();
    newest["since_version"] = opset.clone();
    newest["types"][0]["allow"] = json!(9999);
    let mut other = newest.clone();
    other["name"] = json!("Neg");
    other["types"][0]["allow"] = json!(0);
    other["max_input"] = json!(3);
    changed["type_sets"].as_array_mut().unwrap().push(json!(["tensor(float1)"]));
    let sets = changed["type_sets"].as_array().unwrap().len() - 1;
    let mut third = other.clone();
    third["name"] = json!("Sign");
    third["max_input"] = json!(1);
    third["types"][0]["allow"] = json!(sets);
    changed["operators"].as_array_mut().unwrap().extend([newest, other, third]);
    let run = import(&folder, &changed);
    assert_eq!(run.code, 1, "{run:?}");
    for part in [
        &*format!("ai.onnx::Abs-{opset}: there is no type set 9999"),
        &*format!("ai.onnx::Neg-{opset}: it takes 1 to 3 inputs, and by the list of them 1 to 1"),
        &*format!("ai.onnx::Sign-{opset}: there is no element type and no group `float1`"),
        "a new element type is added to types.yaml by hand",
    ] {
        assert!(run.out.contains(part), "{part}: {run:?}");
    }
    assert_eq!(files(&folder), before);

    // Descriptors with mistakes are not extended either.
    folder.write("specs/ai.onnx/Abs.yaml", "operator: Abs\n");
    let run = import(&folder, &facts());
    assert!(run.code == 1 && run.out.contains("ai.onnx/Abs.yaml:1:1: error[missing-field]"), "{run:?}");
}
