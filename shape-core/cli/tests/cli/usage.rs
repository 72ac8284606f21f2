//! `shape ops --model`, with a manifest and without.

use std::path::Path;

use serde_json::{Value as Json, json};
use shape_core::registry::Registry;
use shape_model::file::proto::{ModelProto, NodeProto, SequenceType, TypeValue};

use crate::model::{
    Change as _, function, graph, in_graph, int64s, model, node, of, one, one_at, opset, subgraph, tensor_type,
};
use crate::run::{Folder, Run};

/// Why the version of an operator is not known.
fn too_new() -> String {
    let newest = Registry::builtin().newest_opset("").unwrap();
    format!("the model imports an opset newer than {newest}, the newest known one")
}

fn acme(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    NodeProto { domain: "com.acme".into(), ..node(op_type, inputs, outputs) }
}

/// Nodes in the graph, in a subgraph of it and in a function, that imports another opset.
fn everywhere() -> ModelProto {
    let branch = |name| graph(&[], vec![node("Shape", &["x"], &[name])], &[&format!("{name}: int64[2]")]);
    let choice = NodeProto {
        attribute: vec![subgraph("then_branch", branch("t")), subgraph("else_branch", branch("e"))],
        ..node("If", &["c"], &["s"])
    };
    let call = NodeProto { domain: "my".into(), ..node("F", &["x"], &["f"]) };
    let nodes = vec![choice, call, acme("Blur", &["x", "f"], &["b"]), node("Identity", &["b"], &["y"])];
    model(&["x: float[2, 3]", "c: bool"], nodes, &["y", "s: int64[2]"]).with(|model| {
        model.functions = vec![function(vec![node("Shape", &["a"], &["b"])], 13)];
        model.opset_import.extend([opset("my", 1), opset("com.acme", 2)]);
    })
}

fn ops(model: &ModelProto, args: &[&str]) -> Run {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    folder.shape(["ops", "--model", "model.onnx"].iter().chain(args))
}

/// What a model uses, a line a version: `ai.onnx::Shape-15 2 T=tensor(float)`.
fn used(model: &ModelProto) -> Vec<String> {
    let json = ops(model, &["--format", "json"]).json();
    assert_eq!((&json["schema_version"], &json["models"][0]["lacks"]), (&json!(1), &json!(null)));
    let line = |row: &Json| {
        let text = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
        let version = row["since_version"].as_u64().map(|since| format!("-{since}")).unwrap_or_default();
        let mut line = format!("{}::{}{version} {}", text("domain"), text("name"), row["nodes"]);
        for row in row["types"].as_array().unwrap() {
            let types: Vec<&str> = row["types"].as_array().unwrap().iter().map(|ty| ty.as_str().unwrap()).collect();
            let unknown = row["unknown"].as_u64().filter(|unknown| *unknown > 0);
            let unknown = unknown.map(|unknown| format!("?{unknown}")).unwrap_or_default();
            line.push_str(&format!(" {}={}{unknown}", row["variable"].as_str().unwrap_or("*"), types.join(",")));
        }
        if row["function"] == true {
            line.push_str(" function");
        }
        if let Some(why) = row["unknown"].as_str() {
            line.push_str(&format!(" ({why})"));
        }
        line
    };
    json["models"][0]["operators"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn what_models_use() {
    let two_types = model(
        &["x: float[2]", "z: int8[2]", "q: 99[2]"],
        ["x", "z", "q", "nothing"].map(|input| node("Identity", &[input], &[&format!("i_{input}")])).to_vec(),
        &["i_x"],
    );
    let sequence = {
        let length = model(&["s"], vec![node("SequenceLength", &["s"], &["n"])], &["n: int64[]"]);
        let element = Some(Box::new(tensor_type("float[2]")));
        in_graph(length, |graph| {
            graph.input[0].r#type = Some(of(TypeValue::SequenceType(SequenceType { elem_type: element })));
        })
    };
    let captured = {
        let inner = graph(&[], vec![node("Shape", &["x"], &["t"])], &["t: int64[1]"]);
        let outer = graph(
            &[],
            vec![NodeProto { attribute: vec![subgraph("then_branch", inner)], ..node("If", &["c"], &["o"]) }],
            &["o: int64[1]"],
        );
        let nodes = vec![NodeProto { attribute: vec![subgraph("then_branch", outer)], ..node("If", &["c"], &["y"]) }];
        model(&["x: int8[2]", "c: bool"], nodes, &["y: int64[1]"])
    };
    let too_new = format!("ai.onnx::Shape 1 *=tensor(float),tensor(int64) ({})", too_new());
    let cases = [
        (one(), vec!["ai.onnx::Shape-15 1 T=tensor(float) T1=tensor(int64)"]),
        (one_at(13), vec!["ai.onnx::Shape-13 1 T=tensor(float) T1=tensor(int64)"]),
        (one_at(99), vec![&*too_new]),
        (
            model(&["x: float[2]"], vec![node("Gelu", &["x"], &["y"])], &["y: float[2]"]),
            vec!["ai.onnx::Gelu 1 *=tensor(float) (its first version came with opset 20)"],
        ),
        (
            model(&["x: float[2]"], vec![acme("Blur", &["x"], &["y"])], &["y"]),
            vec!["com.acme::Blur 1 *=tensor(float)?1 (its domain is not imported)"],
        ),
        (
            everywhere(),
            vec![
                "ai.onnx::Identity-16 1 V=?1",
                "ai.onnx::If-16 1 V=tensor(int64) B=tensor(bool)",
                "ai.onnx::Shape-13 1 T=?1 T1=tensor(int64)",
                "ai.onnx::Shape-15 2 T=tensor(float) T1=tensor(int64)",
                // What comes out of the function is known by what its body makes of the call.
                "com.acme::Blur 1 *=tensor(float),tensor(int64)?1 (it has no descriptor)",
                "my::F 1 function",
            ],
        ),
        (two_types, vec!["ai.onnx::Identity-16 4 V=tensor(float),tensor(int8)?2"]),
        (sequence, vec!["ai.onnx::SequenceLength-11 1 S=seq(tensor(float)) I=tensor(int64)"]),
        (
            captured,
            vec![
                "ai.onnx::If-16 2 V=tensor(int64) B=tensor(bool)",
                "ai.onnx::Shape-15 1 T=tensor(int8) T1=tensor(int64)",
            ],
        ),
        (model(&["x: float[2]"], vec![], &["x: float[2]"]), vec![]),
    ];
    for (model, expected) in cases {
        assert_eq!(used(&model), expected);
    }
}

/// What a manifest lacks, a line each: `lacks` or `unsure`, the text, and the places of the nodes.
fn lacks(model: &ModelProto, manifest: &str) -> (i32, Vec<String>) {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    folder.write("runtime.yaml", manifest);
    let run = folder.shape(["ops", "--model", "model.onnx", "--manifest", "runtime.yaml", "--format", "json"]);
    let json = run.json();
    let mut lines = Vec::new();
    for place in ["lacks", "unsure"] {
        for lack in json["models"][0][place].as_array().unwrap() {
            let text = lack["text"].as_str().unwrap();
            assert!(text.starts_with(lack["kind"].as_str().unwrap()), "{lack}");
            let node = |node: &Json| format!("{}#{}", node["graph"].as_str().unwrap(), node["index"]);
            let nodes: Vec<String> = lack["nodes"].as_array().unwrap().iter().map(node).collect();
            lines.push(format!("{place} {text}: {}", nodes.join(" ")));
        }
    }
    (run.code, lines)
}

#[test]
fn what_a_runtime_lacks() {
    let gather = |data: &str| {
        let nodes = vec![node("Gather", &["x", "i"], &["y"])];
        in_graph(model(&[&format!("x: {data}[2]")], nodes, &["y"]), |graph| {
            graph.initializer = vec![int64s("i", &[1], &[0])];
        })
    };
    let unsure = format!("unsure version Shape (unknown: {}); supported: 25: graph#0", too_new());
    let cases = [
        (one(), "operators: [{ operator: Shape }]", 0, vec![]),
        (one(), "operators: []", 1, vec!["lacks operator Shape: graph#0"]),
        (one(), "operators: [{ operator: Size }]", 1, vec!["lacks operator Shape: graph#0"]),
        (one(), "operators: [{ operator: Shape, domain: com.acme }]", 1, vec!["lacks operator Shape: graph#0"]),
        (one(), "operators: [{ operator: Shape, versions: [15] }]", 0, vec![]),
        (
            one(),
            "operators: [{ operator: Shape, versions: [19, 1] }, { operator: Shape, versions: [13] }]",
            1,
            vec!["lacks version Shape-15; supported: 1, 13, 19: graph#0"],
        ),
        (one(), "operators: [{ operator: Shape, versions: [19, 1] }, { operator: Shape, versions: [15] }]", 0, vec![]),
        // The output is of the one type that there is, whatever is listed.
        (one(), "operators: [{ operator: Shape, types: [float] }]", 0, vec![]),
        (one(), "operators: [{ operator: Shape, types: [numeric_of_opset_1] }]", 0, vec![]),
        (
            one(),
            "operators: [{ operator: Shape, types: [double, int8] }]",
            1,
            vec!["lacks type float for T of Shape-15; supported: int8, double: graph#0"],
        ),
        (
            gather("float"),
            "operators: [{ operator: Gather, types: [float] }]",
            1,
            vec!["lacks type int64 for Tind of Gather-13; supported: float: graph#0"],
        ),
        (
            gather("float"),
            "operators: [{ operator: Gather, types: [float], variables: [{ name: Tind, types: [int64] }] }]",
            0,
            vec![],
        ),
        (
            gather("int64"),
            "operators: [{ operator: Gather, types: [float], variables: [{ name: Tind, types: [int64] }] }]",
            1,
            vec!["lacks type int64 for T of Gather-13; supported: float: graph#0"],
        ),
        // Two entries do not make one that has both types; the nearer one is told of.
        (
            gather("float"),
            "operators:\n- { operator: Gather, types: [int8] }\n- { operator: Gather, types: [float, int32] }",
            1,
            vec!["lacks type int64 for Tind of Gather-13; supported: float, int32: graph#0"],
        ),
        (
            everywhere(),
            "operators:\n- { operator: Shape, versions: [15] }\n- { operator: If }\n- { operator: Identity, types: [float] \
             }\n- { operator: Blur, domain: com.acme, types: [float] }",
            1,
            vec![
                "lacks version Shape-13; supported: 15: function my::F#0",
                "lacks type int64 of com.acme::Blur; supported: float: graph#2",
                "unsure type of V of Identity-16 is unknown; supported: float: graph#3",
                "unsure type of a value of com.acme::Blur is unknown; supported: float: graph#2",
            ],
        ),
        (
            everywhere(),
            "operators:\n- { operator: If }\n- { operator: Identity }\n- { operator: Shape, types: [int8] }",
            1,
            vec![
                "lacks operator com.acme::Blur: graph#2",
                "lacks type float for T of Shape-15; supported: int8: graph/0:If.then_branch#0 graph/0:If.else_branch#0",
                "unsure type of T of Shape-13 is unknown; supported: int8: function my::F#0",
            ],
        ),
        (one_at(99), "operators: [{ operator: Shape }]", 0, vec![]),
        (one_at(99), "operators: [{ operator: Shape, versions: [25] }]", 0, vec![&*unsure]),
    ];
    for (model, manifest, code, expected) in cases {
        assert_eq!(lacks(&model, manifest), (code, expected.into_iter().map(str::to_owned).collect()), "{manifest}");
    }
}

/// A vendor's operator has versions and type variables where its descriptor is given.
#[test]
fn operators_of_descriptors_of_ones_own() {
    let folder = Folder::new();
    folder.model("model.onnx", &everywhere());
    let blur = "operator: Blur\ndomain: com.acme\nsummary: Blurs.\nversions:\n  - since: 2\n    inputs: [{ name: x, type: \
                T }, { name: f, type: tensor(int64) }]\n    outputs: [{ name: y, type: T }]\n    types: [{ name: T, \
                allow: [float, int8] }]\n";
    folder.write("vendor/com.acme/Blur.yaml", blur);
    let rest = "operators:\n- { operator: Shape }\n- { operator: If }\n- { operator: Identity, types: [float] }\n- ";
    let cases = [
        ("{ operator: Blur, domain: com.acme, versions: [2], types: [float] }", 0, "runtime.yaml supports all of it"),
        (
            "{ operator: Blur, domain: com.acme, versions: [2], types: [int8] }",
            1,
            "type float for T of com.acme::Blur-2",
        ),
        ("{ operator: Blur, domain: com.acme, versions: [1] }", 2, "runtime.yaml:5:50: error[unknown-version]"),
    ];
    for (entry, code, part) in cases {
        folder.write("runtime.yaml", format!("{rest}{entry}\n"));
        let args = ["ops", "--model", "model.onnx", "--manifest", "runtime.yaml", "--specs", "vendor"];
        let run = folder.shape(args);
        assert_eq!(run.code, code, "{entry}: {run:?}");
        assert!(format!("{}{}", run.out, run.notes).contains(part), "{entry}: {run:?}");
    }
}

#[test]
fn pages() {
    let folder = Folder::new();
    folder.model("model.onnx", &everywhere());
    let many = (0..12)
        .map(|index| NodeProto { name: format!("n{index}"), ..node("Shape", &["x"], &[&format!("y{index}")]) })
        .collect();
    folder.model("many.onnx", &model(&["x: float[2]"], many, &["x: float[2]"]));
    folder.model("empty.onnx", &model(&["x: float[2]"], vec![], &["x: float[2]"]));
    folder.write("runtime.yaml", "operators: [{ operator: If }, { operator: Shape, types: [int8] }]\n");
    let models = ["ops", "--model", "model.onnx", "--model", "many.onnx", "--model", "empty.onnx"];
    insta::assert_snapshot!(folder.shape(models.iter().chain(&["--manifest", "runtime.yaml"])).page());
}

#[test]
fn what_cannot_be_read() {
    let folder = Folder::new();
    folder.model("model.onnx", &one());
    folder.write("text.onnx", "hello\n");
    folder.write("bad.yaml", "operators: [{ operator: Shpae }, { operator: Shape, version: 1 }]\n");
    folder.write("no.yaml", "operators: [\n");
    folder.write("good.yaml", "operators: []\n");
    let cases = [
        (&["--model", "none.onnx"][..], "cannot read none.onnx"),
        (&["--model", "text.onnx"], "text.onnx is text"),
        (&["--model", "model.onnx", "--manifest", "none.yaml"], "cannot read none.yaml"),
        (&["--model", "model.onnx", "--manifest", "bad.yaml"], "bad.yaml:1:25: error[unknown-operator]"),
        (&["--model", "model.onnx", "--manifest", "bad.yaml"], "bad.yaml:1:53: error[unknown-field]"),
        (&["--model", "model.onnx", "--manifest", "no.yaml"], "error[syntax]"),
        (&["--manifest", "good.yaml"], "--model <MODEL>"),
        (&["--model", "model.onnx", "--opset", "3"], "cannot be used with"),
        (&["--model", "model.onnx", "--domain", "ai.onnx"], "cannot be used with"),
        (&["--model", "model.onnx", "--all-versions"], "cannot be used with"),
    ];
    for (args, message) in cases {
        let run = folder.shape(["ops"].iter().chain(args));
        assert_eq!((run.code, &*run.out), (2, ""), "{args:?}: {run:?}");
        assert!(run.notes.contains(message), "{args:?}: {run:?}");
    }
    // What can be read is told all the same.
    let run = folder.shape(["ops", "--model", "text.onnx", "--model", "model.onnx", "--manifest", "good.yaml"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.out.contains("operator Shape") && run.notes.contains("text.onnx is text"), "{run:?}");
}

/// The README's manifest gives what the README shows.
#[test]
fn the_example_of_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("shape-core/cli/README.md")).unwrap();
    let (_, rest) = readme.split_once("```yaml\n").unwrap();
    let (manifest, rest) = rest.split_once("```").unwrap();
    let mut shown = rest.split("```text\n").skip(1).map(|rest| rest.split_once("```").unwrap().0);
    let folder = Folder::new();
    let name = "tests/models/attention.onnx";
    folder.write(name, std::fs::read(root.join(name)).unwrap());
    folder.write("runtime.yaml", manifest);
    let run = folder.shape(["ops", "--model", name, "--manifest", "runtime.yaml"]);
    assert_eq!(run.code, 1, "{run:?}");
    let mut printed = run.out.lines();
    for line in shown.next().unwrap().lines().filter(|line| *line != "...") {
        assert!(
            printed.any(|printed| printed.trim_end() == line),
            "not printed, or not in this order: {line}\n{run:?}"
        );
    }
    let mistake = shown.next().unwrap();
    let (_, line) = mistake.lines().find_map(|line| line.split_once("2 | ")).unwrap();
    folder.write("runtime.yaml", format!("operators:\n{line}\n"));
    let run = folder.shape(["ops", "--model", name, "--manifest", "runtime.yaml"]);
    assert_eq!((run.code, &*run.out, run.notes.trim_end()), (2, "", mistake.trim_end()));
}
