//! `shape ops --coverage`, and the table in the repository that is made of it.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::run::Folder;

fn coverage(args: &[&str]) -> Json {
    Folder::new().shape(["ops", "--coverage", "--format", "json"].iter().chain(args)).json()
}

fn version<'j>(json: &'j Json, name: &str, since: u32) -> &'j Json {
    let mut versions = json["operators"].as_array().unwrap().iter();
    versions.find(|version| version["name"] == name && version["since_version"] == since).unwrap()
}

#[test]
fn what_there_is_of_a_version() {
    let json = coverage(&[]);
    let cases = [
        ("Shape", 25, "constraints", "all", true, true),
        ("Reshape", 1, "constraints", "all", true, true),
        ("Cast", 13, "rule", "all", true, true),
        ("Constant", 13, "rule", "all", true, true),
        ("Gather", 13, "constraints", "all", true, true),
        ("Concat", 13, "constraints", "all", true, true),
        ("Slice", 10, "constraints", "all", true, true),
        ("Where", 16, "constraints", "all", true, true),
        ("Conv", 11, "constraints", "all", false, false),
        ("Relu", 14, "constraints", "all", false, false),
        ("SequenceInsert", 11, "constraints", "no tensor", false, false),
    ];
    for (name, since, types, dims, values, data) in cases {
        let found = version(&json, name, since);
        let facts = [&found["types"], &found["dims"], &found["values"], &found["data"]];
        assert_eq!(facts, [&json!(types), &json!(dims), &json!(values), &json!(data)], "{name}-{since}");
    }
    let (versions, summary) = (json["operators"].as_array().unwrap(), &json["summary"]);
    let count = |is: &dyn Fn(&Json) -> bool| json!(versions.iter().filter(|version| is(version)).count());
    assert_eq!(summary["versions"], json!(versions.len()));
    assert_eq!(summary["types"], count(&|version| version["types"] != "open"));
    assert_eq!(summary["dims"], count(&|version| version["dims"] == "all" || version["dims"] == "no tensor"));
    assert_eq!(summary["values"], count(&|version| version["values"] == true));
    assert_eq!(summary["data"], count(&|version| version["data"] == true));
}

#[test]
fn some_of_it() {
    let ml = coverage(&["--domain", "ai.onnx.ml"]);
    assert!(ml["operators"].as_array().unwrap().iter().all(|version| version["domain"] == "ai.onnx.ml"));
    let opset = coverage(&["--opset", "17"]);
    assert_eq!(version(&opset, "Shape", 15)["name"], "Shape");
    assert_eq!(opset["summary"]["operators"], opset["summary"]["versions"]);
    let text = Folder::new().shape(["ops", "--coverage", "--opset", "17"]);
    assert!(text.out.contains("\nShape                      15     constraints  all"), "{}", text.out);
    assert!(text.out.lines().last().unwrap().contains(" versions of "), "{}", text.out);
    assert_eq!(Folder::new().shape(["ops", "--coverage", "--all-versions"]).code, 2);
}

/// The table: versions of an operator that agree share a row.
fn table() -> String {
    let json = coverage(&[]);
    let summary = &json["summary"];
    let count = |name: &str| summary[name].as_u64().unwrap();
    let mut text = String::from(
        "# What is known of each operator\n\n\
         Written by `cargo bless coverage` from the descriptors and `backend_cases.json` of the conformance\n\
         tests; edit these, not this page.\n\n\
         Every version has a schema, by which its nodes are checked. **types**: what gives the types of the outputs, the type\n\
         constraints alone or a rule beside them. **dims**: whether each output that is a tensor has a rule for its\n\
         dimensions. **values**: whether a rule gives the elements of an output, where those that it reads are known.\n\
         **data**: whether all outputs have one, so that `shape test` computes them.\n\n",
    );
    let _ = writeln!(
        text,
        "| of {} versions of {} operators | types | dims | dims of some outputs | values | data |\n\
         |---|--:|--:|--:|--:|--:|\n| | {} | {} | {} | {} | {} |",
        count("versions"),
        count("operators"),
        count("types"),
        count("dims"),
        count("dims_in_part"),
        count("values"),
        count("data")
    );
    text.push_str(&cases());
    text.push_str(&conversions());
    let yes = |is: &Json| if *is == json!(true) { "yes" } else { "" };
    let facts = |version: &Json| {
        let dims = version["dims"].as_str().unwrap();
        let types = version["types"].as_str().unwrap();
        let dims = if dims == "none" { "" } else { dims };
        [types.to_owned(), dims.to_owned(), yes(&version["values"]).to_owned(), yes(&version["data"]).to_owned()]
    };
    let versions = json["operators"].as_array().unwrap();
    for domain in versions.chunk_by(|left, right| left["domain"] == right["domain"]) {
        let _ = writeln!(text, "\n## {}\n", domain[0]["domain"].as_str().unwrap());
        text.push_str("| operator | since | types | dims | values | data |\n|---|---|---|---|---|---|\n");
        for alike in domain.chunk_by(|left, right| left["name"] == right["name"] && facts(left) == facts(right)) {
            let since: Vec<String> = alike.iter().map(|version| version["since_version"].to_string()).collect();
            let name = alike[0]["name"].as_str().unwrap();
            let _ = writeln!(text, "| {name} | {} | {} |", since.join(", "), facts(&alike[0]).join(" | "));
        }
    }
    text
}

/// What each step between two versions does.
fn conversions() -> String {
    let operators = shape_specs::builtin().unwrap();
    let (mut plain, mut rows) = (0, Vec::new());
    for operator in &operators {
        for pair in operator.versions.windows(2) {
            let actions = pair[1].adapter.as_deref().unwrap_or_default();
            plain += usize::from(actions.is_empty());
            let domain = if operator.domain == "ai.onnx" { String::new() } else { format!("{}.", operator.domain) };
            for (index, action) in actions.iter().enumerate() {
                let step = format!("{domain}{} {} - {}", operator.name, pair[0].since, pair[1].since);
                let step = if index == 0 { step } else { String::new() };
                rows.push(format!("| {step} | {} |", action.to_string().replace('|', "\\|")));
            }
        }
    }
    let first: Vec<String> = (operators.iter())
        .filter_map(|operator| Some((operator, operator.versions.first()?)))
        .flat_map(|(operator, first)| {
            let row = move |action: &shape_specs::adapter::Action| {
                format!("| {} {} | {action} |", operator.name, first.since)
            };
            first.adapter.iter().flatten().map(row)
        })
        .collect();
    let steps = rows.iter().filter(|row| !row.starts_with("|  |")).count();
    rows.extend(first);
    format!(
        "\n## Conversion\n\n\
         What `shape convert` does at the {} steps between two versions. At {plain} the facts say all: what both versions have is \
         kept,\nand what one of them does not have is refused where it is not a default. At {steps} the descriptor says more:\n\n\
         | step | what is done |\n|---|---|\n{}\n",
        plain + steps,
        rows.join("\n")
    )
}

/// The node cases of the onnx package, as the conformance run has put down what `shape test` says of them.
fn cases() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verification/conformance/backend_cases.json");
    let json: Json = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let outcomes = [
        ("pass", "computed: dimensions and elements are right"),
        ("dims", "the dimensions are right, the elements are not computed"),
        ("skip", "not judged"),
        ("fail", "wrong"),
    ];
    let mut text = format!(
        "\n## Node cases of the onnx package\n\n\
         What `shape test` says of its {} node cases; `tests/verification/conformance/run backend_cases --record` \
         counts anew.\n\n\
         | outcome | cases |\n|---|--:|\n",
        json["cases"]
    );
    for (outcome, meaning) in outcomes {
        let _ = writeln!(text, "| {meaning} | {} |", json["totals"][outcome].as_u64().unwrap_or(0));
    }
    text.push_str("\n| why a case is not judged | cases |\n|---|--:|\n");
    for (why, count) in json["not judged"].as_object().unwrap() {
        let _ = writeln!(text, "| {why} | {count} |");
    }
    text
}

#[test]
fn the_table_in_the_repository() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../COVERAGE.md");
    let table = table();
    shape_bless::expect(&path, &table);
}
