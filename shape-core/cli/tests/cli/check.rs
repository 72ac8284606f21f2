//! `shape check`: what it looks into, how it tells, and how it ends.

use serde_json::json;
use shape_core::node::AttributeKind;
use shape_core::registry::Registry;
use shape_model::file::proto::{AttributeProto, NodeProto};

use crate::codes::elsewhere;
use crate::model::{
    Change as _, acme, attribute, function, graph, in_graph, initializer, int, int64s, model, node, one, one_at,
    one_with, opset, reshape, subgraph, value, with_acme,
};
use crate::run::{Folder, check, infer, run};

/// An If around two graphs that read `x` from the graph around them.
fn if_node(then_node: NodeProto, else_node: NodeProto) -> NodeProto {
    let branch = |name: &str, inner: NodeProto| {
        let output = inner.output[0].clone();
        subgraph(name, graph(&[], vec![inner], &[&output]))
    };
    node("If", &["c"], &["r"]).with(|node| {
        node.attribute = vec![branch("then_branch", then_node), branch("else_branch", else_node)];
    })
}

#[test]
fn json_in_full() {
    let model = one_at(13).with(|model| {
        let node = &mut model.graph.as_mut().unwrap().node[0];
        node.name = "s".into();
        node.attribute.push(int("start", 1));
    });
    let run = check(&model);
    let expected = json!({
        "schema_version": 1,
        "findings": [{
            "model": "model.onnx",
            "code": "attribute-unknown",
            "severity": "error",
            "graph": "graph",
            "node": {"index": 0, "name": "s", "op_type": "Shape", "domain": "ai.onnx"},
            "message": "Shape-13 has no attribute `start`",
            "expected": "no attributes",
            "found": "start",
            "help": "`start` came with opset 15, and the model imports 13: import 15 or later, or remove the attribute",
        }],
    });
    assert_eq!(run.json(), expected);
    let keys: Vec<String> = run.json()["findings"][0].as_object().unwrap().keys().cloned().collect();
    let order = ["model", "code", "severity", "graph", "node", "message", "expected", "found", "help"];
    assert_eq!(keys, order);
    assert_eq!((run.code, &*run.notes), (1, "1 error in 1 model\n"));
}

#[test]
fn json_of_nothing_and_of_a_model_as_a_whole() {
    assert_eq!(check(&one()).json(), json!({"schema_version": 1, "findings": []}));
    let finding = &check(&one_at(999)).json()["findings"][0];
    assert_eq!((&finding["graph"], &finding["node"]), (&json!(""), &json!(null)));
}

#[test]
fn all_findings_of_a_node() {
    let model = one_with(|node| {
        node.input = vec![];
        node.output.push("z".into());
        node.attribute = vec![int("begin", 1), int("stop", 1)];
    });
    let codes =
        ["attribute-unknown graph#0", "attribute-unknown graph#0", "input-count graph#0", "output-count graph#0"];
    assert_eq!(check(&model).findings(), codes);
}

#[test]
fn subgraphs_are_looked_into() {
    let wrong = |output: &str| node("Shape", &["x"], &[output]).with(|node| node.attribute.push(int("begin", 0)));
    let inner = if_node(wrong("a"), node("Shape", &["x"], &["b"])).with(|node| node.output = vec!["q".into()]);
    let outer = if_node(inner, wrong("d"));
    let found = check(&model(&["c: bool[]", "x: float[N]"], vec![outer], &["r"])).findings();
    let expected =
        ["attribute-unknown graph/0:If.then_branch/0:If.then_branch#0", "attribute-unknown graph/0:If.else_branch#0"];
    assert_eq!(found, expected);
}

#[test]
fn names_in_subgraphs() {
    let shape = |from: &str, to: &str| node("Shape", &[from], &[to]);
    let cases: &[(NodeProto, &[&str])] = &[
        (if_node(shape("x", "a"), shape("x", "b")), &[]),
        // Each branch is a scope of its own.
        (if_node(shape("x", "a"), shape("x", "a")), &[]),
        (if_node(shape("x", "a"), shape("a", "b")), &["value-undefined graph/0:If.else_branch#0"]),
        (if_node(shape("x", "x"), shape("x", "b")), &["value-redefined graph/0:If.then_branch#0"]),
    ];
    for (index, (node, expected)) in cases.iter().enumerate() {
        let run = check(&model(&["c: bool[]", "x: float[N]"], vec![node.clone()], &["r"]));
        assert_eq!(run.findings(), *expected, "case {index}");
    }
}

#[test]
fn functions_are_looked_into_with_their_own_opset() {
    let body = |op: &str| node(op, &["a"], &["b"]).with(|node| node.attribute.push(int("start", 1)));
    let call = |functions| {
        let call = node("F", &["x"], &["y"]).with(|node| node.domain = "my".into());
        model(&["x: float[2]"], vec![call], &["y"]).with(|model| {
            model.opset_import.push(opset("my", 1));
            model.functions = functions;
        })
    };
    let cases: &[(_, &[&str])] = &[
        (call(vec![function(vec![body("Shape")], 17)]), &[]),
        (
            call(vec![function(vec![body("Shape")], 13)]),
            &["attribute-unknown function my::F#0", "function-opset function my::F#0"],
        ),
        (call(vec![function(vec![body("Blur")], 13)]), &["operator-unknown function my::F#0"]),
        (call(vec![function(vec![], 13)]), &["output-undefined function my::F"]),
        (call(vec![]), &["no-descriptor graph#0"]),
        (
            in_graph(call(vec![function(vec![body("Shape")], 17)]), |graph| graph.node[0].input.push("x".into())),
            &["input-count graph#0"],
        ),
    ];
    for (index, (model, expected)) in cases.iter().enumerate() {
        assert_eq!(check(model).findings(), *expected, "case {index}");
    }
}

/// The dimensions of a list and of what comes of it by an axis that the caller gives: by the default of 0 they would be
/// others than those that are declared.
#[test]
fn an_attribute_of_the_caller_is_none_by_default() {
    let gather = |axis: AttributeProto| {
        let nodes = vec![
            node("Identity", &["a"], &["m"]),
            node("Identity", &["c"], &["i"]),
            node("Gather", &["m", "i"], &["b"]).with(|node| node.attribute = vec![axis]),
        ];
        let body = function(nodes, 17).with(|function| {
            (function.input, function.attribute) = (vec!["a".into(), "c".into()], vec!["k".into()]);
            function.value_info = vec![value("m: float[2,3]"), value("i: int64[1]"), value("b: float[2,1]")];
        });
        let call = node("F", &["x", "n"], &["y"])
            .with(|node| (node.domain, node.attribute) = ("my".into(), vec![int("k", 1)]));
        model(&["x: float[2,3]", "n: int64[1]"], vec![call], &["y: float[2,1]"]).with(|model| {
            model.ir_version = Some(10);
            model.opset_import.push(opset("my", 1));
            model.functions = vec![body];
        })
    };
    let reference = AttributeProto { i: None, ref_attr_name: "k".into(), ..int("axis", 0) };
    assert_eq!(check(&gather(reference)).all_findings(), [""; 0]);
    let found = check(&gather(int("axis", 0))).all_findings();
    assert_eq!(found, ["output-dims graph#0", "output-dims function my::F#2"]);
}

/// An input that the call leaves out is left out of the nodes of the body too, however deep; it is not an unknown one.
#[test]
fn an_input_that_a_call_leaves_out_is_absent() {
    let called = |name: &str, nodes: Vec<NodeProto>| {
        function(nodes, 18).with(|function| {
            (function.name, function.input) = (name.into(), vec!["a".into(), "s".into(), "z".into()]);
            function.opset_import.push(opset("my", 1));
        })
    };
    let in_my =
        |op: &str, inputs: &[&str], output: &str| node(op, inputs, &[output]).with(|node| node.domain = "my".into());
    let quantized = |inputs: &[&str]| {
        let functions = vec![
            called("F", vec![in_my("G", &["a", "s", "z"], "b")]),
            called("G", vec![node("QuantizeLinear", &["a", "s", "z"], &["b"])]),
        ];
        model(&["x: float[3]", "s: float[]", "z: int8[]"], vec![in_my("F", inputs, "y")], &["y"]).with(|model| {
            model.opset_import = vec![opset("", 18), opset("my", 1)];
            model.functions = functions;
        })
    };
    for (inputs, ty) in [(&["x", "s", "z"][..], "int8"), (&["x", "s"], "uint8"), (&["x", "s", ""], "uint8")] {
        let run = infer(&quantized(inputs), &[]);
        assert_eq!((run.value("y")["type"].as_str(), run.findings()), (Some(ty), Vec::<String>::new()), "{inputs:?}");
    }
    assert_eq!(check(&quantized(&["x", "", "z"])).findings(), ["input-missing graph#0"]);
}

/// So with a type: without the value of the caller it would be float.
#[test]
fn a_type_of_the_caller_is_none_by_default() {
    let filled = |value: Option<AttributeProto>| {
        let nodes = vec![
            node("Shape", &["a"], &["s"]),
            node("ConstantOfShape", &["s"], &["z"]).with(|node| node.attribute.extend(value)),
            node("Add", &["z", "s"], &["b"]),
        ];
        let body = function(nodes, 17).with(|function| function.attribute = vec!["k".into()]);
        let zero = int64s("", &[1], &[0]);
        let zero = AttributeProto { name: "k".into(), t: Some(Box::new(zero)), ..AttributeProto::default() };
        let call = node("F", &["x"], &["y"]).with(|node| {
            (node.domain, node.attribute) = ("my".into(), vec![attribute(zero, AttributeKind::Tensor)]);
        });
        model(&["x: float[3]"], vec![call], &["y: int64[?]"]).with(|model| {
            model.opset_import.push(opset("my", 1));
            model.functions = vec![body];
        })
    };
    let reference = AttributeProto { name: "value".into(), ref_attr_name: "k".into(), ..AttributeProto::default() };
    let run = check(&filled(Some(attribute(reference, AttributeKind::Tensor))));
    assert_eq!(run.all_findings(), [""; 0], "{run:?}");
    assert_eq!(check(&filled(None)).all_findings(), ["output-type graph#0", "type-mismatch function my::F#2"]);
}

#[test]
fn attributes_of_an_operator_without_a_descriptor() {
    let blur = |attribute| {
        let mut node = acme("Blur", &["x"], &["y"]);
        node.attribute.push(attribute);
        check(&with_acme(model(&["x: float[N]"], vec![node], &["y"]))).findings()
    };
    let named = |name: &str| AttributeProto { name: name.into(), ..AttributeProto::default() };
    let whole = attribute(AttributeProto { i: Some(1), ..named("k") }, AttributeKind::Int);
    assert_eq!(blur(whole), ["no-descriptor graph#0"]);
    let nameless = attribute(AttributeProto { i: Some(1), ..named("") }, AttributeKind::Int);
    assert_eq!(blur(nameless), ["no-descriptor graph#0", "field-missing graph#0"]);
    assert_eq!(blur(named("k")), ["no-descriptor graph#0", "field-missing graph#0"]);
}

#[test]
fn an_operator_without_a_descriptor_is_told_once() {
    let blur = |output: &str| acme("Blur", &["x"], &[output]);
    let nodes = |nodes| with_acme(model(&["x: float[N]"], nodes, &["y"]));
    let run = check(&nodes(vec![blur("a"), acme("Gelu", &["x"], &["g"]), blur("b"), blur("y")]));
    assert_eq!(run.findings(), ["no-descriptor graph#0", "no-descriptor graph#1"]);
    assert_eq!(run.json()["findings"][0]["found"], "3 nodes");
    assert_eq!(run.json()["findings"][1]["found"], "1 node");
    assert_eq!(run.code, 0);
    // So is one that cannot be.
    let blur = |output: &str| node("Blur", &["x"], &[output]);
    let run = check(&nodes(vec![blur("a"), blur("y")]));
    assert_eq!((run.code, run.findings()), (1, vec!["operator-unknown graph#0".to_owned()]));
    assert_eq!(run.json()["findings"][0]["found"], "2 nodes");
}

#[test]
fn an_operator_that_cannot_be_is_told_with_what_was_meant() {
    let cases = [
        ("", "Rehsape", "ai.onnx has no operator Rehsape", "did you mean `Reshape`?"),
        ("ai.onnx", "gelu", "ai.onnx has no operator gelu", "did you mean `Gelu`?"),
        ("", "Kaleidoscope", "ai.onnx has no operator Kaleidoscope", "a custom operator needs a domain of its own"),
        ("", "Normalizer", "ai.onnx has no operator Normalizer", "ai.onnx.ml has one: is that the node's domain?"),
        ("ai.onnx.ml", "Reshape", "ai.onnx.ml has no operator Reshape", "ai.onnx has one: is that the node's domain?"),
        ("ai.onnx.ml", "Normaliser", "ai.onnx.ml has no operator Normaliser", "did you mean `Normalizer`?"),
    ];
    for (domain, operator, message, help) in cases {
        let node = node(operator, &["x"], &["y"]).with(|node| node.domain = domain.into());
        let model = model(&["x: float[N]"], vec![node], &["y"]);
        let run = check(&model.with(|model| model.opset_import.push(opset("ai.onnx.ml", 3))));
        let finding = &run.json()["findings"][0];
        assert_eq!((&finding["code"], &finding["message"]), (&json!("operator-unknown"), &json!(message)));
        assert_eq!((&finding["help"], run.findings().len()), (&json!(help), 1), "{operator}");
    }
}

/// What is asked of a file as a whole, and what inference asks of it.
#[test]
fn the_form_of_a_file_is_for_check_alone() {
    let folder = Folder::new();
    let model = in_graph(one(), |graph| {
        graph.name.clear();
        for name in ["v", "w"] {
            graph.initializer.push(initializer(name, &[2]).with(|tensor| elsewhere(tensor, &[("location", "w.bin")])));
        }
        graph.initializer.push(initializer("cut", &[2]).with(|tensor| tensor.dims = vec![3]));
    });
    folder.model("model.onnx", &model);
    let run = folder.shape(["infer", "model.onnx", "--format", "json"]);
    assert_eq!((run.code, run.all_findings()), (0, vec![]), "{run:?}");
    let run = folder.shape(["check", "model.onnx", "--format", "json"]);
    let codes = ["field-missing", "external-data-absent", "tensor-data", "initializer-unused"];
    assert_eq!(run.all_findings(), codes.map(|code| format!("{code} graph")));
    // A file that is not there is told once, however many tensors lie in it.
    let finding = &run.json()["findings"][1];
    let message = "the elements of the initializer `v` cannot be read, nor those of another tensor";
    assert_eq!((&finding["message"], &finding["found"]), (&json!(message), &json!("there is no file ./w.bin")));
    folder.write("w.bin", [0; 8]);
    let run = folder.shape(["check", "model.onnx", "--format", "json"]);
    assert_eq!(run.all_findings(), ["field-missing graph", "tensor-data graph", "initializer-unused graph"]);
}

/// The elements that are followed are looked at by the walk too, and told once.
#[test]
fn elements_are_told_once() {
    let run = check(&reshape("x: float[6]", int64s("t", &[2], &[2]), &["y: float[?,?]"]));
    assert_eq!(run.all_findings(), ["tensor-data graph"]);
    assert_eq!(run.json()["findings"][0]["help"], "write the tensor again");
}

#[test]
fn warnings_count_where_they_are_denied() {
    let folder = Folder::new();
    folder.model("ok.onnx", &one());
    let dropped = |node: &mut NodeProto| node.attribute.push(int("start", 0).with_no_value());
    folder.model("warning.onnx", &one_with(dropped));
    folder.model("foreign.onnx", &with_acme(one_with(|node| node.domain = "com.acme".into())));
    folder.model("error.onnx", &one_at(999));
    let cases: &[(&[&str], i32, &str)] = &[
        (&["ok.onnx"], 0, "no findings in 1 model\n"),
        (&["warning.onnx"], 0, "1 warning in 1 model\n"),
        (&["warning.onnx", "--deny", "warnings"], 1, "1 warning in 1 model\n"),
        (&["ok.onnx", "foreign.onnx"], 0, "1 warning in 2 models\n"),
        (&["ok.onnx", "foreign.onnx", "--deny", "warnings"], 1, "1 warning in 2 models\n"),
        (&["error.onnx", "warning.onnx", "ok.onnx"], 1, "1 error, 1 warning in 3 models\n"),
    ];
    for (args, code, notes) in cases {
        let run = folder.shape(["check"].iter().chain(*args));
        assert_eq!((run.code, &*run.notes), (*code, *notes), "{args:?}");
    }
}

trait WithNoValue {
    fn with_no_value(self) -> Self;
}

impl WithNoValue for AttributeProto {
    fn with_no_value(mut self) -> Self {
        self.i = None;
        self
    }
}

#[test]
fn text() {
    let folder = Folder::new();
    let first = one_at(13).with(|model| {
        let graph = model.graph.as_mut().unwrap();
        graph.node[0].name = "/attn/Shape".into();
        graph.node[0].attribute.push(int("start", 1));
        graph.node.push(node("Gelu", &["x"], &["z"]).with(|node| node.domain = "com.acme".into()));
        graph.output.push(value("z: float[-1]"));
    });
    folder.model("first.onnx", &first);
    folder.model("second.onnx", &one_at(999));
    folder.write("third.onnx", "");
    let page = folder.shape(["check", "first.onnx", "second.onnx", "third.onnx"]).page();
    // The newest opset and its release change with each release of ONNX.
    let registry = Registry::builtin();
    let (newest, release) = (registry.newest_opset("").unwrap(), registry.releases().last().unwrap().release);
    let page = page.replace(&format!("newest known one is {newest}\n"), "newest known one is NEWEST\n");
    let page = page.replace(
        &format!("at most {newest}, the newest known (ONNX {release})"),
        "at most NEWEST, the newest known (ONNX RELEASE)",
    );
    insta::assert_snapshot!("text", page, "shape check first.onnx second.onnx third.onnx");
}

#[test]
fn colours() {
    let folder = Folder::new();
    folder.model("model.onnx", &one_at(999));
    let coloured = |args: &[&str], variable: Option<&str>| {
        let mut command = folder.command(["check", "model.onnx"].iter().chain(args));
        let run = run(command.envs(variable.map(|name| (name, "1"))));
        assert_eq!(run.code, 1);
        run.out.contains("\u{1b}[")
    };
    assert!(!coloured(&[], None), "a pipe is no terminal");
    assert!(coloured(&["--color", "always"], None));
    assert!(coloured(&["--color", "always"], Some("NO_COLOR")), "an option is stronger than the environment");
    assert!(coloured(&[], Some("CLICOLOR_FORCE")));
    assert!(!coloured(&["--color", "never"], Some("CLICOLOR_FORCE")));
    assert!(!coloured(&["--color", "always", "--format", "json"], None));
}

#[test]
fn names_do_not_steer_the_terminal() {
    let folder = Folder::new();
    let name = "a\u{1b}[31m\r\n\u{202e}\u{9b}b";
    let nodes = vec![node("Shape", &[name], &["y"]).with(|node| node.name = name.into())];
    let model = model(&["x: float[N]"], nodes, &["y: int64[1]"]);
    folder.model("model.onnx", &in_graph(model, |graph| graph.input = vec![value(&format!("{name}: float[-1]"))]));
    for command in ["check", "infer"] {
        let run = folder.shape([command, "model.onnx"]);
        assert!(run.out.contains(r"a\u{1b}[31m\u{d}\u{a}\u{202e}\u{9b}b"), "{run:?}");
        assert!(!run.out.contains(['\u{1b}', '\r', '\u{202e}', '\u{9b}']), "{run:?}");
        // A program gets the name as it is.
        let run = folder.shape([command, "model.onnx", "--format", "json", "--color", "never"]);
        assert!(run.json().to_string().contains("\u{202e}\u{9b}b"), "{run:?}");
    }
}
