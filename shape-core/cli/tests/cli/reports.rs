//! `shape check` for other programs: JSON lines, GitLab, `JUnit` and Markdown, each read by a parser of its own.

use std::collections::HashSet;

use boon::{Compiler, Schemas};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use roxmltree::{Document, Node};
use serde_json::{Value as Json, json};
use shape_model::file::proto::ModelProto;

use crate::model::{Change as _, in_graph, int, model, node, one, one_at};
use crate::run::{Folder, Run};

/// A name with what the formats read as markup, and with a character that XML does not have.
const NAME: &str = "a|b <i>&amp;`*x*`\\]]>\u{1}\u{ffff}\"'{0}";

/// Two nodes of that name with an attribute that came later, and one that is alike but in its name.
fn wrong() -> ModelProto {
    let wrong = |name: &str, output: &str| {
        node("Shape", &["x"], &[output]).with(|node| {
            node.name = name.into();
            node.attribute.push(int("begin", 1));
        })
    };
    model(&["x: float[N]"], vec![wrong(NAME, "y"), wrong("other", "z")], &["y: int64[1]"])
}

/// A model with a warning.
fn warning() -> ModelProto {
    in_graph(one(), |graph| {
        graph.node[0].attribute.push(int("start", 0));
        graph.node[0].attribute[0].i = None;
    })
}

/// Models with an error, a warning, and nothing; one that cannot be read, and one about the model as a whole.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.model("m/a.onnx", &wrong());
    folder.write("m/b|b.onnx", "text");
    folder.model("m/c.onnx", &one());
    folder.model("m/d.onnx", &warning());
    folder.model("m/e.onnx", &one_at(999));
    folder
}

fn check(format: &str, args: &[&str]) -> Run {
    let args = ["check", "m", "--format", format, "--color", "always"].into_iter().chain(args.iter().copied());
    let run = folder().shape(args);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.notes.ends_with("3 errors, 1 warning in 4 models, 1 not read\n"), "{run:?}");
    run
}

#[test]
fn json_lines() {
    let run = check("jsonl", &[]);
    let lines: Vec<Json> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = |line: &Json, field: &str| line[field].as_str().unwrap_or_default().to_owned();
    let shown: Vec<String> = lines
        .iter()
        .map(|line| format!("{} {} {}", text(line, "type"), text(line, "model"), text(line, "code")).trim().to_owned())
        .collect();
    let expected = [
        "finding m/a.onnx attribute-unknown",
        "finding m/a.onnx attribute-unknown",
        "model m/a.onnx",
        "model m/b|b.onnx",
        "model m/c.onnx",
        "finding m/d.onnx attribute-no-value",
        "model m/d.onnx",
        "finding m/e.onnx opset-too-new",
        "model m/e.onnx",
        "end",
    ];
    assert_eq!(shown, expected);
    assert_eq!(
        lines[2],
        json!({"type": "model", "model": "m/a.onnx", "error": null, "errors": 2, "warnings": 0, "infos": 0})
    );
    assert!(text(&lines[3], "error").starts_with("m/b|b.onnx is text"), "{lines:?}");
    assert_eq!(lines[9], json!({"type": "end", "schema_version": 1, "models": 4, "unread": 1}));
    // A finding has the fields that it has in JSON.
    let one = check("json", &[]).json()["findings"][0].clone();
    let mut line = lines[0].clone();
    assert_eq!(line.as_object_mut().unwrap().remove("type"), Some(json!("finding")));
    assert_eq!(line, one);
    let end: Json = serde_json::from_str(check("jsonl", &["--statistics"]).out.lines().last().unwrap()).unwrap();
    assert_eq!(end["statistics"][0]["code"], "attribute-unknown");
}

/// What GitLab documents of the report: an array of issues with these fields and severities, and a fingerprint each.
#[test]
fn gitlab() {
    let schema = json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "additionalProperties": false,
            "properties": {
                "description": {"type": "string", "minLength": 1},
                "check_name": {"type": "string", "pattern": "^[a-z-]+$"},
                "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                "location": {
                    "type": "object",
                    "required": ["path", "lines"],
                    "properties": {
                        // Relative to the repository, and without `./`.
                        "path": {"type": "string", "pattern": "^[^./]"},
                        "lines": {
                            "type": "object", "required": ["begin"],
                            "properties": {"begin": {"type": "integer", "minimum": 1}},
                        },
                    },
                },
            },
        },
    });
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("gitlab.json", schema).unwrap();
    let index = compiler.compile("gitlab.json", &mut schemas).unwrap();
    let issues = check("gitlab", &[]).json();
    if let Err(refused) = schemas.validate(&issues, index) {
        panic!("{refused}\n{issues:#}");
    }
    let shown = |issues: &Json| -> Vec<String> {
        let text = |value: &Json| value.as_str().unwrap().to_owned();
        let issues = issues.as_array().unwrap().iter();
        issues
            .map(|of| {
                format!("{} {} {}", text(&of["severity"]), text(&of["check_name"]), text(&of["location"]["path"]))
            })
            .collect()
    };
    let expected = [
        "major attribute-unknown m/a.onnx",
        "blocker model-unread m/b|b.onnx",
        "minor attribute-no-value m/d.onnx",
        "major opset-too-new m/e.onnx",
    ];
    assert_eq!(shown(&issues), expected);
    let description = issues[0]["description"].as_str().unwrap();
    assert!(description.ends_with("and 1 more node: graph, node 1"), "{description}");

    // A fingerprint is of one issue alone, and stays if the model gets a node before it.
    let folder = Folder::new();
    let of = |model: &ModelProto, path: &str| -> Vec<String> {
        folder.model("m.onnx", model);
        let issues = folder.shape(["check", path, "--format", "gitlab"]).json();
        issues.as_array().unwrap().iter().map(|issue| issue["fingerprint"].as_str().unwrap().to_owned()).collect()
    };
    let two = in_graph(wrong(), |graph| graph.node[1].attribute[0].name = "finish".into());
    let before = of(&two, "m.onnx");
    assert_eq!(before.iter().collect::<HashSet<_>>().len(), 2);
    // Nor does it depend on what is mended before it.
    let mended = in_graph(two.clone(), |graph| graph.node[0].attribute.clear());
    assert_eq!(of(&mended, "m.onnx"), before[1..]);
    let after = of(&in_graph(two, |graph| graph.node.insert(0, node("Identity", &["x"], &["i"]))), "./m.onnx");
    assert_eq!(before, after);
}

/// The element's attribute as a number.
fn number(node: Node<'_, '_>, name: &str) -> usize {
    node.attribute(name).unwrap().parse().unwrap()
}

#[test]
fn junit() {
    let run = check("junit", &[]);
    let document = Document::parse(&run.out).unwrap();
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), root.attribute("name")), ("testsuites", Some("shape check")));
    let children = |node: Node<'_, '_>, name: &str| node.children().filter(|of| of.has_tag_name(name)).count();
    let suites: Vec<Node<'_, '_>> = root.children().filter(Node::is_element).collect();
    let mut sums = [0; 3];
    let mut shown = Vec::new();
    for suite in suites {
        assert_eq!(suite.tag_name().name(), "testsuite");
        let cases: Vec<Node<'_, '_>> = suite.children().filter(Node::is_element).collect();
        let count = |name: &str| cases.iter().map(|case| children(*case, name)).sum::<usize>();
        let found = [cases.len(), count("failure"), count("error")];
        assert_eq!(found, ["tests", "failures", "errors"].map(|name| number(suite, name)), "{suite:?}");
        for (sum, number) in sums.iter_mut().zip(found) {
            *sum += number;
        }
        for case in cases {
            assert_eq!(case.attribute("classname"), suite.attribute("name"));
            let inside = case.first_element_child().map_or("", |inside| inside.tag_name().name());
            let name = case.attribute("name").unwrap().split(':').next().unwrap();
            shown.push(format!("{} {name} {inside}", suite.attribute("name").unwrap()));
        }
    }
    assert_eq!(sums, ["tests", "failures", "errors"].map(|name| number(root, name)));
    let expected = [
        "m/a.onnx attribute-unknown failure",
        "m/b|b.onnx read error",
        "m/c.onnx check ",
        "m/d.onnx attribute-no-value system-out",
        "m/e.onnx opset-too-new failure",
    ];
    assert_eq!(shown, expected);
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert_eq!(failure.attribute("type"), Some("attribute-unknown"));
    let text = failure.text().unwrap();
    let name = NAME.replace('\u{1}', "\\u{1}").replace('\u{ffff}', "\u{fffd}");
    assert!(text.contains(&format!("in: graph, node 0 `{name}` (Shape)\n")), "{text}");
}

/// The cells of the tables of a text, read as GitHub does.
fn cells(markdown: &str) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => rows.last_mut().unwrap().push(String::new()),
            Event::Text(text) => rows.last_mut().unwrap().last_mut().unwrap().push_str(&text),
            Event::InlineHtml(html) if &*html == "<br>" => rows.last_mut().unwrap().last_mut().unwrap().push('\n'),
            Event::Start(Tag::Table(_))
            | Event::End(TagEnd::Table | TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell) => {}
            other => panic!("{other:?} in {markdown}"),
        }
    }
    rows
}

#[test]
fn markdown() {
    let rows = cells(&check("markdown", &[]).out);
    let first: Vec<String> = rows.iter().map(|row| row[..3].join(" ")).collect();
    let expected = [
        "severity code model",
        "error attribute-unknown m/a.onnx",
        "not read  m/b|b.onnx",
        "warning attribute-no-value m/d.onnx",
        "error opset-too-new m/e.onnx",
    ];
    assert_eq!(first, expected);
    assert!(rows.iter().all(|row| row.len() == 5), "{rows:?}");
    let name = NAME.replace('\u{1}', "\\u{1}");
    assert_eq!(rows[1][3], format!("graph, node 0 `{name}` (Shape)"));
    assert_eq!(rows[1][4].lines().next(), Some("Shape-15 has no attribute `begin`"));
    assert_eq!(rows[1][4].lines().last(), Some("and 1 more node: graph, node 1"));
    let rows = cells(&check("markdown", &["--statistics"]).out);
    assert_eq!(rows[1][..4].join(" "), "2 1 error attribute-unknown");
    assert_eq!(rows[1][4], format!("m/a.onnx: graph, node 0 `{name}` (Shape)"));
    let folder = Folder::new();
    folder.model("m.onnx", &one());
    assert_eq!(folder.shape(["check", "m.onnx", "--format", "markdown"]).out, "");
}

/// The rules of a profile are there too.
#[test]
fn verdicts() {
    let folder = Folder::new();
    folder.model("m.onnx", &one_at(13));
    let check = |format: &str| folder.shape(["check", "m.onnx", "--profile", "sonnx", "--format", format]);
    let rules: Vec<String> = {
        let json = check("json").json();
        let judged = json["profiles"][0]["judgements"].as_array().unwrap().iter();
        judged.filter(|of| of["verdict"] != "pass").map(|of| of["rule"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!rules.is_empty());
    for format in ["gitlab", "junit", "markdown", "jsonl"] {
        let out = check(format).out.replace('\\', "");
        assert!(rules.iter().all(|rule| out.contains(&**rule)), "{format}: {out}");
    }
}
