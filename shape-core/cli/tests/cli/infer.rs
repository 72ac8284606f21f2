//! `shape infer`: values, given dimensions, and the annotated model.

use serde_json::{Value as Json, json};
use shape_model::file::proto::{ModelProto, NodeProto, SequenceType, TypeValue};

use crate::model::{
    Change as _, acme, function, graph, in_graph, initializer, int, model, node, of, one, one_at, opset, subgraph,
    tensor_type, value, with_acme,
};
use crate::run::{Folder, infer};

fn shape(from: &str, to: &str) -> NodeProto {
    node("Shape", &[from], &[to])
}

/// What a run says of each value: name, type, dims, value.
fn values(json: &Json) -> Vec<Json> {
    let values = json["values"].as_array().unwrap().iter();
    values.map(|value| json!([value["name"], value["type"], value["dims"], value["value"]])).collect()
}

#[track_caller]
fn check(model: &ModelProto, args: &[&str], expected: &Json) {
    let run = infer(model, args);
    assert_eq!(Json::from(values(&run.json())), *expected, "{run:?}");
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn json_in_full() {
    let nodes = vec![shape("x", "s"), acme("Blur", &["x"], &["c"]), shape("c", "y")];
    let expected = json!({
        "schema_version": 1,
        "values": [
            {"name": "x", "node": null, "type": "float", "dims": ["N", 3, "n0"], "value": null,
             "reason": "`x` (an input): the model does not declare it"},
            {"name": "s", "node": {"index": 0, "name": "", "op_type": "Shape", "domain": "", "output": 0},
             "type": "int64", "dims": [3], "value": ["N", 3, "n0"], "reason": null},
            {"name": "c", "node": {"index": 1, "name": "", "op_type": "Blur", "domain": "com.acme", "output": 0},
             "type": null, "dims": null, "value": null,
             "reason": "`c` (node 1, Blur): its operator has no descriptor"},
            {"name": "y", "node": {"index": 2, "name": "", "op_type": "Shape", "domain": "", "output": 0},
             "type": "int64", "dims": ["n1"], "value": null,
             "reason": "`c` (node 1, Blur): its operator has no descriptor"},
        ],
        "symbols": [
            {"name": "n0", "value": "x", "reason": "`x` (an input): the model does not declare it"},
            {"name": "n1", "value": "c", "reason": "`c` (node 1, Blur): its operator has no descriptor"},
        ],
        "summary": {"values": 4, "known": 1, "in_fresh_symbols": 2, "unknown": 1},
        "findings": [{
            "model": "model.onnx", "code": "no-descriptor", "severity": "warning", "graph": "graph",
            "node": {"index": 1, "name": "", "op_type": "Blur", "domain": "com.acme"},
            "message": "com.acme::Blur has no descriptor", "expected": null, "found": "1 node",
            "help": "its nodes are not checked, and their outputs are unknown; \
                     --specs DIR adds a descriptor",
        }],
    });
    let run = infer(&with_acme(model(&["x: float[N, 3, ?]"], nodes, &["y: int64"])), &[]);
    assert_eq!(run.json(), expected);
    let keys: Vec<String> = run.json()["values"][0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["name", "node", "type", "dims", "value", "reason"]);
    let summary = "1 of 4 values known; 2 in fresh symbols: 1 of the input `x` (the model does not declare it), \
                   1 of com.acme::Blur (its operator has no descriptor); \
                   1 unknown: 1 of com.acme::Blur (its operator has no descriptor)\n1 warning\n";
    assert_eq!((run.code, &*run.notes), (0, summary));
}

#[test]
fn every_opset_in_its_own_way() {
    for version in 1..=i64::from(shape_core::Registry::builtin().newest_opset("").unwrap()) {
        check(&one_at(version), &[], &json!([["x", "float", ["N", 3, 4], null], ["y", "int64", [3], ["N", 3, 4]]]));
        let sliced = in_graph(one_at(version), |graph| {
            graph.node[0].attribute = vec![int("start", 1), int("end", -1)];
            graph.output = vec![value("y")];
        });
        let run = infer(&sliced, &[]);
        let expected = if version < 15 { json!(null) } else { json!([3]) };
        assert_eq!((run.code, &run.json()["values"][1]["value"]), (i32::from(version < 15), &expected), "{version}");
    }
}

#[test]
fn numbers_for_symbols() {
    let rows = |n: u64| json!([["x", "float", [n, 3, 4], null], ["y", "int64", [3], [n, 3, 4]]]);
    check(&one(), &["--set", "N=7"], &rows(7));
    check(&one(), &["--set=N=0"], &rows(0));
    check(&one(), &["--input", "x:7,3,4"], &rows(7));
    check(&one(), &["--input", "x: 7, 3, 4"], &rows(7));
    check(&one(), &["--input", "x:7,3,4", "--set", "N=7"], &rows(7));
    // What one input tells of a symbol holds everywhere.
    let two = model(&["x: float[N]", "w: float[2, N]"], vec![shape("w", "y")], &["y: int64[2]"]);
    let rows = json!([["x", "float", [5], null], ["w", "float", [2, 5], null], ["y", "int64", [2], [2, 5]]]);
    check(&two, &["--input", "x:5"], &rows);
    // An input without dimensions takes those that are given, a scalar's too; names may have colons.
    let free = model(&["scope:x:0: float"], vec![], &[]);
    let free = in_graph(free, |graph| graph.input[0] = value("x").with_name("scope:x:0"));
    check(&free, &["--input", "scope:x:0:2,3"], &json!([["scope:x:0", null, [2, 3], null]]));
    check(&free, &["--input", "scope:x:0:"], &json!([["scope:x:0", null, [], null]]));
}

trait WithName {
    fn with_name(self, name: &str) -> Self;
}

impl WithName for shape_model::file::proto::ValueInfoProto {
    fn with_name(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }
}

#[test]
fn mistakes_on_the_command_line() {
    let folder = Folder::new();
    folder.model("model.onnx", &one());
    let cases: &[(&[&str], &str)] = &[
        (&["--set", "M=4"], "model.onnx: the model has no symbol `M`; there is only `N`"),
        (&["--set", "n=4"], "the model has no symbol `n`; did you mean `N`?"),
        (&["--input", "z:1"], "model.onnx: the model has no input `z`; there is only `x`"),
        (&["--input", "y:3"], "the model has no input `y`"),
        (&["--input", "x"], "expected a name, a colon and sizes"),
        (&["--input", "x:1,-3,4"], "`-3` is not a size"),
        (&["--input", "x:1,a,4"], "`a` is not a size"),
        (&["--input", "x:1,3,99999999999999999999"], "`99999999999999999999` is not a size"),
        (&["--set", "N"], "an equals sign"),
        (&["--set", "N=-1"], "`-1` is not a size"),
        (&["--set", "N=4", "--set", "N=4"], "--set names `N` twice"),
        (&["--input", "x:1,3,4", "--input", "x:2,3,4"], "--input names `x` twice"),
        (&["--format", "xml"], "'xml'"),
        (&["other.onnx"], "-o is for a single model; these are 2"),
    ];
    for (args, message) in cases {
        let run = folder.shape(["infer", "model.onnx", "-o", "out.onnx"].iter().chain(*args));
        assert_eq!((run.code, &*run.out), (2, ""), "{args:?}: {run:?}");
        assert!(run.notes.starts_with("error: ") && run.notes.contains(message), "{args:?}: {run:?}");
        assert!(!folder.path().join("out.onnx").exists(), "{args:?}");
    }
}

#[test]
fn types_that_are_no_tensors() {
    let element = Some(Box::new(tensor_type("float[N]")));
    let sequence = of(TypeValue::SequenceType(SequenceType { elem_type: element }));
    // Declared of an input, and of what a node gives of which nothing is known.
    let model = in_graph(with_acme(model(&["s"], vec![acme("Blur", &["s"], &["t"])], &["t"])), |graph| {
        graph.input[0].r#type = Some(sequence.clone());
        graph.output[0].r#type = Some(sequence);
    });
    let rows = json!([["s", "seq(tensor(float))", ["N"], null], ["t", "seq(tensor(float))", ["N"], null]]);
    check(&model, &["--strict"], &rows);
}

#[test]
fn initializers() {
    let constant = in_graph(model(&[], vec![shape("w", "y")], &["y: int64"]), |graph| {
        graph.initializer = vec![initializer("w", &[2, 3])];
    });
    check(&constant, &[], &json!([["y", "int64", [2], [2, 3]]]));
    // An input with a default may be given something else.
    let default = in_graph(constant, |graph| graph.input = vec![value("w: float[A, B]")]);
    check(&default, &[], &json!([["w", "float", ["A", "B"], null], ["y", "int64", [2], ["A", "B"]]]));
    // Up to IR 3 every initializer is an input, and none may be given something else.
    let old = default.with(|model| model.ir_version = Some(3));
    check(&old, &[], &json!([["w", "float", [2, 3], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], ["y", "int64", [2], [2, 3]]]));
}

/// A model with values in subgraphs and in a function.
fn nested() -> ModelProto {
    let branch = |output: &str, from: &str| graph(&[], vec![shape(from, output)], &[output]);
    let inner = graph(&[], vec![shape("x", "k"), shape("k", "t")], &["t"]);
    let choice = node("If", &["c"], &["r"]).with(|node| {
        node.attribute = vec![subgraph("then_branch", inner), subgraph("else_branch", branch("e", "x"))];
    });
    model(&["c: bool[]", "x: float[N, 3]"], vec![shape("x", "s"), choice, shape("s", "y")], &["y: int64[1]"]).with(
        |model| {
            model.opset_import.push(opset("my", 1));
            model.functions = vec![function(vec![shape("a", "b")], 17)];
        },
    )
}

#[test]
fn values_of_subgraphs_have_their_path_and_those_of_functions_are_left_out() {
    let run = infer(&nested(), &[]);
    let json = run.json();
    let found: Vec<_> =
        json["values"].as_array().unwrap().iter().map(|v| (v["name"].clone(), v.get("graph"))).collect();
    let (then, or_else) = (json!("graph/1:If.then_branch"), json!("graph/1:If.else_branch"));
    let expected: Vec<(Json, Option<&Json>)> = vec![
        (json!("c"), None),
        (json!("x"), None),
        (json!("s"), None),
        (json!("k"), Some(&then)),
        (json!("t"), Some(&then)),
        (json!("e"), Some(&or_else)),
        (json!("r"), None),
        (json!("y"), None),
    ];
    assert_eq!(found, expected);
    assert_eq!(run.code, 0);
}

/// The model without what `-o` may change.
fn without_value_info(mut model: ModelProto) -> ModelProto {
    fn clear(graph: &mut shape_model::file::proto::GraphProto) {
        graph.value_info.clear();
        let attributes = graph.node.iter_mut().flat_map(|node| &mut node.attribute);
        attributes.filter_map(|attribute| attribute.g.as_deref_mut()).for_each(clear);
    }
    model.graph.iter_mut().for_each(clear);
    model
}

#[test]
fn the_output_differs_in_value_info_alone() {
    let folder = Folder::new();
    folder.model("model.onnx", &nested());
    let first = folder.shape(["infer", "model.onnx", "-o", "out.onnx", "--format", "json"]);
    let summary = "7 of 8 values known; 1 in fresh symbols: 1 of If (the branches may return different results)\n";
    assert_eq!(
        (first.code, &*first.notes),
        (0, &*format!("wrote out.onnx, with types and dimensions of 3 values\n{summary}no findings\n"))
    );
    let (old, new) = (folder.read("model.onnx"), folder.read("out.onnx"));
    assert_eq!(old, nested());
    assert_eq!(without_value_info(new.clone()), without_value_info(old));
    let graph = new.graph.as_ref().unwrap();
    assert_eq!(graph.value_info, [value("s: int64[2]"), value("r: int64[?]")]);
    let then_branch = graph.node[1].attribute[0].g.as_deref().unwrap();
    assert_eq!(then_branch.value_info, [value("k: int64[2]")]);

    // A second run has nothing to add, and sees the same.
    let again = folder.shape(["infer", "out.onnx", "-o", "again.onnx", "--format", "json"]);
    assert_eq!(again.json()["values"], first.json()["values"]);
    assert_eq!(again.notes, format!("wrote again.onnx, with types and dimensions of 0 values\n{summary}no findings\n"));
    assert_eq!(
        std::fs::read(folder.path().join("out.onnx")).unwrap(),
        std::fs::read(folder.path().join("again.onnx")).unwrap()
    );
}

#[test]
fn in_place() {
    let folder = Folder::new();
    folder.model("model.onnx", &nested());
    folder.shape(["infer", "model.onnx", "-o", "out.onnx"]);
    let run = folder.shape(["infer", "model.onnx", "--output", "model.onnx"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(folder.read("model.onnx"), folder.read("out.onnx"));
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 2, "no temporary file is left");
}

#[test]
fn a_model_with_errors_is_annotated_as_far_as_it_is_known() {
    let folder = Folder::new();
    let wrong = shape("x", "b").with(|node| node.attribute.push(int("begin", 1)));
    folder.model("model.onnx", &model(&["x: float[N]"], vec![shape("x", "a"), wrong, shape("a", "y")], &["y"]));
    let run = folder.shape(["infer", "model.onnx", "-o", "out.onnx"]);
    assert_eq!(run.code, 1, "{run:?}");
    let graph = folder.read("out.onnx").graph.unwrap();
    assert_eq!(graph.value_info, [value("a: int64[1]"), value("b: int64")]);
    // The file has all that the table has.
    assert!(run.out.contains("attribute-unknown") && !run.out.contains("#  operator"), "{run:?}");
    assert!(!run.out.starts_with('\n'), "{run:?}");
    let run = folder.shape(["infer", "model.onnx", "-o", "out.onnx", "--changed"]);
    assert!(run.out.contains("#  operator"), "{run:?}");
}

#[test]
fn an_output_that_cannot_be_written() {
    let folder = Folder::new();
    folder.model("model.onnx", &one());
    for target in ["no/such/folder/out.onnx", "."] {
        let run = folder.shape(["infer", "model.onnx", "-o", target]);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.starts_with(&format!("error: cannot write {target}")), "{run:?}");
    }
}

#[test]
fn a_value_that_is_not_fully_known_names_its_node() {
    let model = with_acme(model(&["x: float[N]"], vec![acme("Blur", &["x"], &["y"])], &["y"]));
    let run = infer(&model, &["--strict"]);
    let finding = &run.json()["findings"][1];
    assert_eq!(finding["code"], "dims-unknown");
    assert_eq!(finding["node"], json!({"index": 0, "name": "", "op_type": "Blur", "domain": "com.acme"}));
}

#[test]
fn given_numbers_are_written() {
    let folder = Folder::new();
    let model = model(&["x: float[N, 3]"], vec![shape("x", "s"), shape("s", "y")], &["y: int64[1]"]);
    folder.model("model.onnx", &in_graph(model, |graph| graph.value_info = vec![value("s: int64[K]")]));
    for sizes in [["--set", "N=4"], ["--input", "x:4,3"]] {
        let run = folder.shape(["infer", "model.onnx", "-o", "out.onnx", sizes[0], sizes[1]]);
        assert_eq!(run.code, 0, "{run:?}");
        let graph = folder.read("out.onnx").graph.unwrap();
        assert_eq!((graph.value_info, graph.input), (vec![value("s: int64[2]")], vec![value("x: float[4,3]")]));
    }
}

#[test]
fn text() {
    let folder = Folder::new();
    folder.model("model.onnx", &nested());
    insta::assert_snapshot!(folder.shape(["infer", "model.onnx"]).page());
}

#[test]
fn text_with_unknowns_and_wide_names() {
    let folder = Folder::new();
    let long = "/model/layers.0/".repeat(8);
    let nodes = vec![acme("Blur", &["x"], &[&long]), shape(&long, "y"), shape("many", "z")];
    let many = format!("many: float[{}]", vec!["1"; 40].join(","));
    let model = model(&["x: float[N, ?]", &many], nodes, &["y: int64[2]", "z: int64"]);
    folder.model("model.onnx", &with_acme(model));
    insta::assert_snapshot!(folder.shape(["infer", "model.onnx", "--strict"]).page());
}
