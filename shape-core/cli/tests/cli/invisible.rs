//! Characters that do not show, in every name and every output.

use std::fs;

use crate::model::{Change as _, model, node};
use crate::run::{Folder, Run};

/// One of each kind: ends of lines, spaces without a width, directions of writing, a mark of the byte order, tags.
const INVISIBLE: [char; 24] = [
    '\u{1}',
    '\u{1b}',
    '\u{7f}',
    '\u{85}',
    '\u{9b}',
    '\u{ad}',
    '\u{61c}',
    '\u{200b}',
    '\u{200d}',
    '\u{200f}',
    '\u{2028}',
    '\u{2029}',
    '\u{202a}',
    '\u{202e}',
    '\u{2060}',
    '\u{2064}',
    '\u{2066}',
    '\u{2069}',
    '\u{206f}',
    '\u{fe0f}',
    '\u{feff}',
    '\u{fff9}',
    '\u{e0001}',
    '\u{e007f}',
];

fn name(stem: &str) -> String {
    format!("{stem}{}", INVISIBLE.iter().collect::<String>())
}

fn assert_visible(what: &str, text: &str) {
    let left: Vec<String> = text
        .chars()
        .filter(|letter| *letter != '\n' && INVISIBLE.contains(letter))
        .map(|letter| letter.escape_unicode().to_string())
        .collect();
    assert!(left.is_empty(), "{what}: {left:?}: {text:?}");
}

fn assert_all_visible(what: &str, run: &Run) {
    assert_visible(what, &run.out);
    assert_visible(what, &run.notes);
}

#[test]
fn names_of_models() {
    let folder = Folder::new();
    let (x, y, z) = (name("x"), name("y"), name("z"));
    let mut bad = node("Concat", &[&x, &y], &[&z]);
    bad.name = name("node");
    let mut unknown = node(&name("Op"), &[&x], &[&name("u")]);
    unknown.domain = name("domain");
    let mut reshape = node("Reshape", &[&x, &y], &[&name("r")]);
    reshape.name = name("reshape");
    let nodes = vec![node("Shape", &[&x], &[&name("s")]), bad, unknown, reshape];
    let input = format!("{x}: float[{}, 3]", name("N"));
    let proto = model(&[&input, &format!("{y}: int64[?]")], nodes, &[&z, &name("s")])
        .with(|model| model.graph.as_mut().unwrap().name = name("graph"));
    let file = "m\u{202e}\u{200b}.onnx";
    folder.model(file, &proto);
    folder.write("runtime.yaml", "operators: [{ operator: Shape }]");
    let commands: Vec<Vec<&str>> = vec![
        vec!["check", file],
        vec!["check", file, "--format", "json"],
        vec!["check", file, "--format", "github"],
        vec!["check", file, "--format", "sarif"],
        vec!["check", file, "--profile", "sonnx", "--report", "report.html"],
        vec!["check", file, "--profile", "sonnx", "--format", "json"],
        vec!["check", file, "--profile", "sonnx", "--format", "github"],
        vec!["check", file, "--profile", "sonnx", "--format", "sarif"],
        vec!["infer", file],
        vec!["infer", file, "--format", "json"],
        vec!["infer", file, "--dot"],
        vec!["infer", file, "--why", &z],
        vec!["infer", file, "--why", &z, "--format", "json"],
        vec!["infer", file, "--why", "nothing"],
        vec!["infer", file, "--strict"],
        vec!["infer", file, "--set", "M=3"],
        vec!["fold", file, "-o", "out.onnx"],
        vec!["fold", file, "-o", "out.onnx", "--format", "json"],
        vec!["convert", file, "--opset", "12", "-o", "out.onnx"],
        vec!["convert", file, "--opset", "12", "-o", "out.onnx", "--format", "json"],
        vec!["ops", "--model", file],
        vec!["ops", "--model", file, "--manifest", "runtime.yaml"],
        vec!["ops", "--model", file, "--manifest", "runtime.yaml", "--format", "json"],
    ];
    for command in commands {
        let run = folder.shape(&command);
        assert_all_visible(&format!("{command:?}"), &run);
        if run.out.starts_with('{') && !command.contains(&"sarif") && run.out.contains("\"y\\u0001") {
            // The names are the same to a reader of the JSON.
            assert!(run.json().to_string().contains('\u{202e}') || !run.out.contains("202e"), "{command:?}");
        }
    }
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("node\\u{1}"), "{page}");
    assert_visible("report.html", &page);
    let run = folder.shape(["infer", file, "--format", "json"]);
    let values = run.json()["values"].as_array().unwrap().clone();
    assert!(values.iter().any(|value| value["name"] == *x), "{run:?}");
    assert!(run.out.contains("x\\u0001\\u001b\\u007f\\u0085") && run.out.contains("\\udb40\\udc01"), "{run:?}");
}

#[test]
fn texts_of_descriptors() {
    let folder = Folder::new();
    assert_eq!(folder.shape(["new", "com.acme::Gelu", "--specs", "specs"]).code, 0);
    let path = folder.path().join("specs/com.acme/Gelu.yaml");
    let text = fs::read_to_string(&path).unwrap();
    let hidden = "a\\u200b\\u202e\\u2028\\U000E0041b\\u00adc";
    let with_summary = text.lines().map(|line| match line.split_once("summary:") {
        Some((before, _)) => format!("{before}summary: \"{hidden}\"\n"),
        None => format!("{line}\n"),
    });
    let with_summary: String = with_summary.collect();
    assert!(with_summary.contains(hidden), "{text}");
    let bad = with_summary.replacen("operator:", &format!("\"oper{hidden}\": 1\noperator:"), 1);
    fs::write(&path, &with_summary).unwrap();
    folder.write("bad/com.acme/Gelu.yaml", bad);
    let commands: [&[&str]; 8] = [
        &["show", "com.acme::Gelu", "--specs", "specs"],
        &["show", "com.acme::Gelu", "--specs", "specs", "--format", "json"],
        &["expand", "com.acme::Gelu", "--specs", "specs"],
        &["diff", "com.acme::Gelu", "1", "2", "--specs", "specs"],
        &["ops", "--domain", "com.acme", "--specs", "specs", "--format", "json"],
        &["specs", "lint", "bad"],
        &["specs", "lint", "bad", "--format", "json"],
        &["specs", "lint", "bad", "--format", "github"],
    ];
    for command in commands {
        let run = folder.shape(command);
        assert!(!run.out.is_empty(), "{command:?}: {run:?}");
        assert_all_visible(&format!("{command:?}"), &run);
    }
}

/// Some editors begin a file with a mark; the positions in it are those that they show.
#[test]
fn a_byte_order_mark() {
    let folder = Folder::new();
    assert_eq!(folder.shape(["new", "com.acme::Gelu", "--specs", "specs"]).code, 0);
    let path = folder.path().join("specs/com.acme/Gelu.yaml");
    let text = fs::read_to_string(&path).unwrap();
    let text: String = text.lines().skip_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let run = |text: &str| {
        fs::write(&path, text).unwrap();
        let (lint, show) =
            (folder.shape(["specs", "lint", "specs"]), folder.shape(["show", "com.acme::Gelu", "--specs", "specs"]));
        [(lint.code, lint.out, lint.notes), (show.code, show.out, show.notes)]
    };
    for text in [text.clone(), text.replacen("operator", "operater", 1), text.replacen("since: 1", "since: x", 1)] {
        assert_eq!(run(&format!("\u{feff}{text}")), run(&text));
    }
    // The other files that people write.
    folder.model("model.onnx", &crate::model::one());
    let manifest = "operators: [{ operator: Shap }]\n";
    let ops = |text: &str| {
        folder.write("runtime.yaml", text);
        let run = folder.shape(["ops", "--model", "model.onnx", "--manifest", "runtime.yaml"]);
        (run.code, run.out, run.notes)
    };
    assert_eq!(ops(&format!("\u{feff}{manifest}")), ops(manifest));
    assert_eq!(ops("\u{feff}operators: [{ operator: Shape }]\n").0, 0);
}
