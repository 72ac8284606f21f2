//! `shape check` for other programs: the workflow commands of GitHub, and SARIF.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value as Json, json};
use shape_core::code::Code;
use shape_model::file::proto::ModelProto;

use crate::model::{Change as _, in_graph, int, model, node, one, one_at, one_with, opset};
use crate::run::{Folder, Run};

const SCHEMA: &str = include_str!("sarif/sarif-schema-2.1.0.json");

/// A named node with an attribute that came later.
fn start() -> ModelProto {
    in_graph(one_at(13), |graph| {
        graph.node[0].name = "a, b: {0}".into();
        graph.node[0].attribute.push(int("start", 1));
    })
}

/// A node with an attribute that has no value.
fn no_value() -> ModelProto {
    one_with(|node| {
        node.attribute.push(int("start", 0));
        node.attribute[0].i = None;
    })
}

/// A node of an operator that nobody has described.
fn undescribed() -> ModelProto {
    let foreign = node("Gelu", &["x"], &["y"]).with(|node| node.domain = "com.acme".into());
    model(&["x: float[N]"], vec![foreign], &["y: float[N]"]).with(|model| model.opset_import.push(opset("com.acme", 1)))
}

/// The schema of SARIF, with the one pattern mended that is no regular expression; the errata of the standard mend it so.
fn schema() -> (Schemas, SchemaIndex) {
    let mut schema: Json = serde_json::from_str(SCHEMA).unwrap();
    for place in ["run", "toolComponent"] {
        let pattern = schema.pointer_mut(&format!("/definitions/{place}/properties/language/pattern")).unwrap();
        *pattern = json!("^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    }
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.enable_format_assertions();
    compiler.add_resource("sarif.json", schema).unwrap();
    let index = compiler.compile("sarif.json", &mut schemas).unwrap();
    (schemas, index)
}

/// The log, which the schema takes.
pub(crate) fn log(run: &Run) -> Json {
    let log = run.json();
    let (schemas, index) = schema();
    if let Err(refused) = schemas.validate(&log, index) {
        panic!("{refused}\n{log:#}");
    }
    log
}

#[test]
fn workflow_commands() {
    let file = "a,b: 100%.onnx";
    let cases: &[(ModelProto, i32, &str)] = &[
        (one(), 0, ""),
        (
            start(),
            1,
            "::error file=a%2Cb%3A 100%25.onnx,title=attribute-unknown::Shape-13 has no attribute `start`%0A\
             in: graph, node 0 `a, b: {0}` (Shape)%0Aexpected: no attributes%0Afound: start%0A\
             help: `start` came with opset 15, and the model imports 13: import 15 or later, or remove the attribute\n",
        ),
        (no_value(), 0, "::warning file=a%2Cb%3A 100%25.onnx,title=attribute-no-value::"),
        (undescribed(), 0, "::warning file=a%2Cb%3A 100%25.onnx,title=no-descriptor::"),
        // About the model as a whole.
        (one_at(999), 1, "::error file=a%2Cb%3A 100%25.onnx,title=opset-too-new::"),
    ];
    for (model, code, expected) in cases {
        let folder = Folder::new();
        folder.model(file, model);
        let run = folder.shape(["check", file, "--format", "github", "--color", "always"]);
        assert_eq!(run.code, *code, "{run:?}");
        assert_eq!(run.out.lines().count(), expected.lines().count(), "{run:?}");
        let same = if expected.ends_with('\n') { run.out == *expected } else { run.out.starts_with(expected) };
        assert!(same && !run.out.contains('\u{1b}'), "{run:?}");
    }
}

#[test]
fn the_log_of_a_finding() {
    let folder = Folder::new();
    folder.model("models/a b.onnx", &start());
    let run = folder.shape(["check", "./models/a b.onnx", "--format", "sarif", "--color", "always"]);
    assert_eq!((run.code, &*run.notes), (1, "1 error in 1 model\n"));
    let expected = json!([{
        "ruleId": "attribute-unknown",
        "level": "error",
        "message": {"text": "Shape-13 has no attribute `start`\n\
            in: graph, node 0 `a, b: {{0}}` (Shape)\n\
            expected: no attributes\n\
            found: start\n\
            help: `start` came with opset 15, and the model imports 13: import 15 or later, or remove the attribute"},
        "locations": [{
            "physicalLocation": {"artifactLocation": {"uri": "models/a%20b.onnx"}},
            "logicalLocations": [{"name": "a, b: {0}", "fullyQualifiedName": "graph/0:Shape", "kind": "node"}],
        }],
    }]);
    let log = log(&run);
    assert_eq!(log["runs"][0]["results"], expected);
    assert_eq!(log["runs"][0]["invocations"], json!([{"executionSuccessful": true, "toolExecutionNotifications": []}]));
    let driver = &log["runs"][0]["tool"]["driver"];
    assert_eq!((&driver["name"], &driver["semanticVersion"]), (&json!("shape"), &json!(env!("CARGO_PKG_VERSION"))));
}

#[test]
fn the_rules_of_a_log_are_all_codes() {
    let folder = Folder::new();
    folder.model("model.onnx", &one());
    let log = log(&folder.shape(["check", "model.onnx", "--format", "sarif"]));
    assert_eq!(log["runs"][0]["results"], json!([]));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), Code::all().count());
    for (rule, code) in rules.iter().zip(Code::all()) {
        let text = |key: &str| rule[key]["text"].as_str().unwrap().replace("{{", "{").replace("}}", "}");
        assert_eq!((&rule["id"], text("shortDescription")), (&json!(code.name()), code.title().to_owned()));
        assert_eq!(text("fullDescription"), code.explanation().trim_end());
        assert!(text("help").starts_with(&format!("`shape explain {code}`")), "{code}");
        let level = match code.severity().name() {
            "info" => "note",
            other => other,
        };
        assert_eq!(rule["defaultConfiguration"]["level"], level, "{code}");
    }
}

/// Levels, places and what could not be read, in a log that the schema takes.
#[test]
fn logs() {
    let folder = Folder::new();
    folder.model("error.onnx", &start());
    folder.model("warning.onnx", &no_value());
    folder.model("foreign.onnx", &undescribed());
    folder.model("whole.onnx", &one_at(999));
    folder.model("ok.onnx", &one());
    folder.write("cut.onnx", "text");
    let cases: &[(&[&str], i32, &[&str], usize)] = &[
        (&["ok.onnx"], 0, &[], 0),
        (&["warning.onnx"], 0, &["warning attribute-no-value warning.onnx graph/0:Shape"], 0),
        (&["warning.onnx", "--deny", "warnings"], 1, &["warning attribute-no-value warning.onnx graph/0:Shape"], 0),
        (&["foreign.onnx"], 0, &["warning no-descriptor foreign.onnx graph/0:Gelu"], 0),
        (&["whole.onnx"], 1, &["error opset-too-new whole.onnx -"], 0),
        (&["missing.onnx"], 2, &[], 1),
        (
            &["."],
            2,
            &[
                "error attribute-unknown error.onnx graph/0:Shape",
                "warning no-descriptor foreign.onnx graph/0:Gelu",
                "warning attribute-no-value warning.onnx graph/0:Shape",
                "error opset-too-new whole.onnx -",
            ],
            1,
        ),
    ];
    for (args, code, expected, unread) in cases {
        let run = folder.shape(["check", "--format", "sarif"].iter().chain(*args));
        let log = log(&run);
        let results = log["runs"][0]["results"].as_array().unwrap().iter().map(|result| {
            let text = |pointer: &str| result.pointer(pointer).map_or("-", |value| value.as_str().unwrap()).to_owned();
            let place = "/locations/0/logicalLocations/0/fullyQualifiedName";
            let uri = text("/locations/0/physicalLocation/artifactLocation/uri");
            format!("{} {} {uri} {}", text("/level"), text("/ruleId"), text(place))
        });
        assert_eq!(
            (run.code, results.collect::<Vec<_>>()),
            (*code, expected.iter().map(ToString::to_string).collect())
        );
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], *unread == 0, "{args:?}");
        assert_eq!(invocation["toolExecutionNotifications"].as_array().unwrap().len(), *unread, "{args:?}");
    }
}

#[test]
fn the_schema_of_logs_refuses() {
    let (schemas, index) = schema();
    let folder = Folder::new();
    folder.model("model.onnx", &start());
    let log = folder.shape(["check", "model.onnx", "--format", "sarif"]).json();
    assert!(schemas.validate(&log, index).is_ok());
    let cases = [
        ("/version", json!("2.0.0")),
        ("/runs/0/results/0/level", json!("info")),
        ("/runs/0/results/0/message", json!({})),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", json!("a b")),
    ];
    for (place, value) in cases {
        let mut wrong = log.clone();
        *wrong.pointer_mut(place).unwrap() = value;
        assert!(schemas.validate(&wrong, index).is_err(), "{place}");
    }
}
