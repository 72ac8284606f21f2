//! What a file that was made to harm costs: memory in proportion to the file, a page of output, a moment.

use std::process::{Command, Stdio};

use shape_model::file::Message as _;
use shape_model::file::proto::{AttributeProto, FunctionProto, ModelProto, NodeProto, StringStringEntryProto};

use crate::model::{Change as _, graph, in_graph, int, int64s, model, node, opset, subgraph, value};
use crate::run::{Folder, Run, run};

/// The memory that a run may take, besides that in proportion to the file.
const MEMORY: usize = 64 << 20;

/// The memory that a run may take for each byte of the file.
const PER_BYTE: usize = 30;

/// The processor time that a run may take, in seconds; a build without optimization takes some ten times that of a
/// release.
const SECONDS: usize = 20;

/// The output that `check` may have, in bytes.
const OUTPUT: usize = 400_000;

/// Runs the command with limits that the system enforces: a run past them is killed, or fails to allocate.
fn limited(folder: &Folder, memory: usize, args: &[&str]) -> Run {
    let mut limited = Command::new("sh");
    let limits = format!("ulimit -d {}; ulimit -t {SECONDS}; exec \"$@\"", memory >> 10);
    // One thread, since each has memory of its own.
    limited.current_dir(folder.path()).env("RAYON_NUM_THREADS", "1").stdin(Stdio::null());
    run(limited.args(["-c", &limits, "sh", env!("CARGO_BIN_EXE_shape")]).args(args))
}

/// Checks a model and infers its values, at the cost that its length allows; returns the check.
#[track_caller]
fn cheap(name: &str, model: &ModelProto) -> Run {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    let memory = MEMORY + PER_BYTE * model.encode_to_vec().len();
    let [check, infer] = [&["check", "model.onnx", "--format", "json"][..], &["infer", "model.onnx", "--changed"]]
        .map(|args| limited(&folder, memory, args));
    assert!(check.code < 2 && infer.code < 2, "{name}: {}{}", check.notes, infer.notes);
    assert!(check.out.len() < OUTPUT, "{name}: {} bytes of output", check.out.len());
    check
}

/// The findings of a run as `code`, or `code + MORE` where there are more like it.
fn codes(run: &Run) -> Vec<String> {
    let json = run.json();
    let findings = json["findings"].as_array().unwrap().iter();
    let text = |finding: &serde_json::Value| {
        let more = finding["more"].as_u64().map(|more| format!(" + {more}")).unwrap_or_default();
        format!("{}{more}", finding["code"].as_str().unwrap())
    };
    findings.map(text).filter(|finding| !finding.starts_with("declaration-incomplete")).collect()
}

fn axis(node: NodeProto) -> NodeProto {
    node.with(|node| node.attribute = vec![int("axis", 0)])
}

/// `v0` to `vN` from one another by a node each: `first` and, if the operator has two inputs, `other`.
fn chain(count: usize, op_type: &str, first: &str, other: Option<&str>) -> Vec<NodeProto> {
    let name = |index: usize| if index == 0 { first.to_owned() } else { format!("v{index}") };
    let node = |index: usize| {
        let before = name(index);
        let inputs: Vec<&str> = [&*before].into_iter().chain(other).collect();
        node(op_type, &inputs, &[&name(index + 1)])
    };
    (0..count).map(node).collect()
}

/// 256 elements that are the four dimensions of `x`, as `c`.
fn elements() -> Vec<NodeProto> {
    vec![node("Shape", &["x"], &["s"]), axis(node("Concat", &["s"; 64], &["c"]))]
}

/// Enough that what is known of all of them would take more than a run may.
const NODES: usize = 8_000;

#[test]
fn long_lists_of_elements() {
    for (op_type, other) in [("Mul", "c"), ("Add", "c"), ("Div", "s3"), ("Identity", "")] {
        let other = Some(other).filter(|other| !other.is_empty());
        let nodes = [elements(), chain(NODES, op_type, "c", other)].concat();
        let model = in_graph(model(&["x: float[a, b, c, d]"], nodes, &[]), |graph| {
            graph.initializer = vec![int64s("s3", &[1], &[3])];
        });
        cheap(op_type, &model);
    }
}

#[test]
fn long_expressions() {
    let dims: Vec<String> = (0..30).map(|index| format!("s{index}")).collect();
    let mut nodes = vec![node("Shape", &["x"], &["s"]), node("ReduceSum", &["s"], &["t"])];
    nodes.push(axis(node("Concat", &["t"; 256], &["c"])));
    nodes.extend(chain(NODES, "Add", "c", Some("c")));
    cheap("long expressions", &model(&[&format!("x: float[{}]", dims.join(", "))], nodes, &[]));
}

#[test]
fn a_thousand_dimensions() {
    let dims: Vec<String> = (0..1_000).map(|index| format!("d{index}")).collect();
    let input = format!("x: float[{}]", dims.join(", "));
    for (op_type, other) in [("Relu", None), ("Add", Some("x"))] {
        cheap(op_type, &model(&[&input], chain(NODES, op_type, "x", other), &[]));
    }
    let outputs: Vec<String> = (0..20_000).map(|index| format!("{index:x}")).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    cheap("Split", &model(&[&input], vec![node("Split", &["x"], &outputs)], &[]));
    // A call passes each input on, and a loop each value that it carries.
    let names: Vec<String> = (0..4_000).map(|index| format!("{index:x}")).collect();
    let function = FunctionProto {
        name: "F".into(),
        domain: "my".into(),
        input: names.clone(),
        output: vec!["0".into(); 4_000],
        opset_import: vec![opset("", 17)],
        ..FunctionProto::default()
    };
    let call = node("F", &["x"; 4_000], &outputs[..4_000]).with(|node| node.domain = "my".into());
    let calls = model(&[&input], vec![call], &[]).with(|model| {
        model.functions = vec![function];
        model.opset_import.push(opset("my", 1));
    });
    cheap("a call", &calls);
    let inputs: Vec<String> = ["i".to_owned(), "c".to_owned()].into_iter().chain(names.clone()).collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let body = graph(&inputs, vec![], &inputs[1..]);
    let carried = [&["", ""][..], &["x"; 4_000]].concat();
    let of_loop = node("Loop", &carried, &[]).with(|node| node.attribute = vec![subgraph("body", body)]);
    cheap("a loop", &model(&[&input], vec![of_loop], &[]));
}

/// Elements past the limit are unknown and say why; the dimensions of real tensors stay known.
#[test]
fn a_value_past_the_limit_says_so() {
    let mut nodes = [elements(), chain(NODES, "Add", "c", Some("c"))].concat();
    nodes.push(node("ConstantOfShape", &["v8000"], &["y"]));
    let model = model(&["x: float[a, b, c, d]"], nodes, &[]);
    let run = crate::run::infer(&model, &["--changed"]);
    assert_eq!(run.dims("v8000"), "[256]");
    assert!(run.value("y")["reason"].as_str().unwrap().ends_with("the model is too large to follow it"));
}

#[test]
fn the_same_finding_everywhere() {
    const MANY: usize = 20_000;
    let names: Vec<String> = (0..MANY).map(|index| format!("{index:x}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let entry = || StringStringEntryProto { key: "k".into(), value: "v".into() };
    let ten = |code: &str, count: usize| {
        let mut codes = vec![code.to_owned(); 10];
        codes[9] = format!("{code} + {}", count - 10);
        codes
    };
    let cases: Vec<(&str, ModelProto, Vec<String>)> = vec![
        ("inputs", model(&[], vec![node("Sum", &vec![""; MANY], &["y"])], &[]), ten("input-missing", MANY)),
        (
            "imports",
            model(&["x: float[2]"], vec![node("Relu", &["x"], &["y"])], &["y"])
                .with(|model| model.opset_import.extend(vec![opset("", 0); MANY])),
            // It is one finding for each domain.
            vec!["field-missing".to_owned()],
        ),
        ("undefined", model(&[], vec![node("Sum", &names, &["y"])], &[]), ten("value-undefined", MANY)),
        ("outputs", model(&[], vec![], &names), ten("output-undefined", MANY)),
        (
            "metadata",
            model(&["x: float[2]"], vec![node("Relu", &["x"], &["y"])], &["y"])
                .with(|model| model.metadata_props = vec![entry(); MANY]),
            ten("key-duplicate", MANY - 1),
        ),
        (
            "nodes",
            model(&["x: float[2]"], vec![node("Relu", &["x"], &["y"]); MANY], &["y"]),
            ten("value-redefined", MANY - 1),
        ),
        (
            "inputs of the graph",
            in_graph(model(&[], vec![], &[]), |graph| graph.input = vec![value("x: float[2]"); MANY]),
            ten("value-redefined", MANY - 1),
        ),
        (
            "attributes",
            model(&["x: float[2]"], vec![node("Relu", &["x"], &["y"])], &["y"]).with(|model| {
                let attribute = |name: &&str| AttributeProto { name: format!("a{name}"), ..int("", 1) };
                let node = &mut model.graph.as_mut().unwrap().node[0];
                node.attribute = names.iter().map(attribute).collect();
            }),
            ten("attribute-unknown", MANY),
        ),
    ];
    for (name, model, expected) in cases {
        let run = cheap(name, &model);
        let found: Vec<String> = codes(&run);
        let count = found.iter().filter(|code| expected.contains(*code)).count();
        assert_eq!(count, expected.len(), "{name}: {found:?}");
        assert!(found.contains(expected.last().unwrap()), "{name}: {found:?}");
    }
}

/// A few findings of a kind are told in full.
#[test]
fn ten_findings_are_all_told() {
    let undefined = |count: usize| {
        let nodes: Vec<NodeProto> = (0..count).map(|index| node("Relu", &["u"], &[&format!("y{index}")])).collect();
        crate::run::check(&model(&[], nodes, &[]))
    };
    assert_eq!(codes(&undefined(10)), ["value-undefined"; 10]);
    let more = undefined(12);
    assert_eq!(codes(&more)[8..], ["value-undefined", "value-undefined + 2"]);
    assert_eq!(more.notes, "12 errors in 1 model\n");
    let folder = Folder::new();
    let nodes: Vec<NodeProto> = (0..12).map(|index| node("Relu", &["u"], &[&format!("y{index}")])).collect();
    folder.model("model.onnx", &model(&[], nodes, &[]));
    // They have one cause, which is shown once to people.
    let cases = [
        ("text", "= and 11 more nodes: graph, nodes 1, 2, 3, 4, 5, 6, 7, 8, ...\n", 1),
        ("github", "%0Aand 11 more nodes: graph, nodes 1, 2, 3, 4, 5, 6, 7, 8, ...\n", 1),
        ("sarif", "and 2 more like it", 10),
    ];
    for (format, more, places) in cases {
        let run = folder.shape(["check", "model.onnx", "--format", format]);
        let shown = run.out.matches("nothing computes `u`").count();
        assert_eq!((run.out.matches(more).count(), shown), (1, places), "{run:?}");
    }
}

/// A profile judges each node, also one whose finding is not listed.
#[test]
fn a_profile_knows_what_is_not_listed() {
    let nodes: Vec<NodeProto> = (0..30).map(|index| node("Add", &["x", "i"], &[&format!("y{index}")])).collect();
    let folder = Folder::new();
    folder.model("model.onnx", &model(&["x: float[2]", "i: int64[2]"], nodes, &[]));
    let run = folder.shape(["check", "model.onnx", "--profile", "sonnx", "--format", "json"]);
    assert!(codes(&run).contains(&"type-mismatch + 20".to_owned()), "{:?}", codes(&run));
    let json = run.json();
    let judged = json["profiles"][0]["judgements"].as_array().unwrap().iter();
    let mut failed = std::collections::BTreeMap::new();
    for verdict in judged.filter(|verdict| verdict["verdict"] == "fail" && !verdict["node"].is_null()) {
        *failed.entry(verdict["rule"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    assert!(failed.values().any(|count| *count == 30), "{failed:?}");
    assert!(failed.values().all(|count| *count == 30), "{failed:?}");
}

#[test]
fn names_without_an_end() {
    let long = "R".repeat(2_000_000);
    let long = long.as_str();
    let one = |node: NodeProto| model(&["x: float[2]"], vec![node], &[]);
    let relu = || node("Relu", &["x"], &["y"]);
    let cases = [
        ("an operator", one(node(long, &["x"], &["y"]))),
        ("a domain", one(relu().with(|node| node.domain = long.into()))),
        ("a node", one(node("Relu", &["u"], &["y"]).with(|node| node.name = long.into()))),
        ("an attribute", one(relu().with(|node| node.attribute = vec![int(long, 1)]))),
        ("a value", one(node("Relu", &[long], &["y"]))),
        ("a dimension", model(&[&format!("x: float[{long}]")], vec![relu()], &["y: float[2]"])),
        (
            "a function",
            one(relu()).with(|model| {
                let function = |name: &str| FunctionProto {
                    name: name.into(),
                    domain: "my".into(),
                    output: vec![String::new(); 5_000],
                    opset_import: vec![opset("", 17)],
                    ..FunctionProto::default()
                };
                model.functions = vec![function(long)];
            }),
        ),
    ];
    for (name, model) in cases {
        let run = cheap(name, &model);
        assert!(run.out.len() < 20_000, "{name}: {} bytes of output", run.out.len());
    }
}

#[test]
fn many_unknown_names() {
    let operator = |index: usize| node(&format!("{index:05}{}", "R".repeat(60)), &["x"], &[&format!("y{index}")]);
    let run = cheap("operators", &model(&["x: float[2]"], (0..4_000).map(operator).collect(), &[]));
    assert_eq!(codes(&run).iter().filter(|code| code.starts_with("operator-unknown")).count(), 200);
    assert!(run.notes.contains("4000 errors"), "{}", run.notes);
}

/// A row of a table takes little more than its text, though the widths of the columns depend on all rows.
#[test]
fn a_table_of_many_rows() {
    let folder = Folder::new();
    let many = model(&["x: float[2]"], vec![node("Relu", &["x"], &["y"]); 80_000], &[]);
    folder.model("model.onnx", &many);
    let run = limited(&folder, MEMORY + PER_BYTE * many.encode_to_vec().len(), &["infer", "model.onnx"]);
    assert_eq!(run.code, 1, "{}", run.notes);
    assert!(run.out.lines().count() > 80_000, "{}", run.notes);
}

/// Each value shows the name of its symbol, in a table and in a file.
#[test]
fn a_long_name_in_many_values() {
    let folder = Folder::new();
    let input = format!("x: float[{}]", "N".repeat(4_000));
    let long = model(&[&input], chain(NODES, "Relu", "x", None), &[]);
    folder.model("model.onnx", &long);
    let memory = MEMORY + PER_BYTE * long.encode_to_vec().len();
    let run = limited(&folder, memory, &["infer", "model.onnx", "-o", "out.onnx", "--changed"]);
    assert_eq!(run.code, 0, "{}", run.notes);
    let written = std::fs::metadata(folder.path().join("out.onnx")).unwrap().len();
    assert!(run.out.len() < 24_000_000 && written < 24_000_000, "{} and {written} bytes", run.out.len());
    assert!(run.out.contains("the model is too large to follow it"));
}

/// A value that is not known is told for the first few nodes of an operator.
#[test]
fn a_strict_run_of_many_nodes() {
    let nodes = chain(40, "NonZero", "x", None);
    let folder = Folder::new();
    folder.model("model.onnx", &model(&["x: float[2]"], nodes, &[]));
    let run = folder.shape(["infer", "model.onnx", "--strict", "--format", "json"]);
    assert_eq!(codes(&run).last().map(String::as_str), Some("dims-unknown + 30"), "{:?}", codes(&run));
}

/// JSON and the page list each verdict; a person reads the first ones of a rule.
#[test]
fn a_profile_of_many_nodes() {
    const MANY: usize = 10_002;
    let folder = Folder::new();
    folder.model("model.onnx", &model(&["x: float[2]"], chain(MANY, "Abs", "x", None), &[]));
    for format in ["text", "github", "sarif"] {
        let run = folder.shape(["check", "model.onnx", "--profile", "sonnx", "--format", format]);
        assert!(run.out.contains("and 2 more like it"), "{format}: {}", run.notes);
    }
}
