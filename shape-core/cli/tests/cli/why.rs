//! `shape infer --why`, `--changed` and `--dot`.

use serde_json::{Value as Json, json};
use shape_model::file::proto::{ModelProto, NodeProto};

use crate::model::{Change as _, acme, graph, in_graph, int, int64s, model, node, subgraph, value, with_acme};
use crate::run::{Folder, Run, infer};

fn text(model: &ModelProto, args: &[&str]) -> Run {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    folder.shape(["infer", "model.onnx"].iter().chain(args))
}

/// The operators and the outputs of the steps.
fn steps(json: &Json) -> Vec<String> {
    let steps = json["steps"].as_array().unwrap().iter();
    let steps = steps.map(|step| {
        let outputs = step["outputs"].as_array().unwrap().iter();
        let outputs: Vec<&str> = outputs.map(|value| value["name"].as_str().unwrap()).collect();
        format!("{} {}", step["node"]["op_type"].as_str().unwrap(), outputs.join(" "))
    });
    steps.collect()
}

/// `y = ReduceSum(Reshape(x, Concat(Gather(Shape(x)), 4)), 1)`: a diamond, since x is read twice.
fn diamond() -> ModelProto {
    let nodes = vec![
        node("Shape", &["x"], &["s"]).with(|node| node.name = "sizes".into()),
        node("Gather", &["s", "zero"], &["n"]),
        node("Concat", &["n", "four"], &["t"]).with(|node| node.attribute = vec![int("axis", 0)]),
        node("Reshape", &["x", "t"], &["r"]),
        node("Relu", &["x"], &["beside"]),
        node("Add", &["r", "r"], &["d"]),
        node("ReduceSum", &["d", "one"], &["y"]).with(|node| node.attribute = vec![int("keepdims", 0)]),
    ];
    in_graph(model(&["x: float[N, 2, 2]"], nodes, &["y: float", "beside: float"]), |graph| {
        graph.initializer = vec![int64s("zero", &[1], &[0]), int64s("four", &[1], &[4]), int64s("one", &[1], &[1])];
    })
}

#[test]
fn the_chain_of_a_value() {
    insta::assert_snapshot!(text(&diamond(), &["--why", "y"]).page());
}

#[test]
fn each_step_once_and_none_that_is_beside_it() {
    let run = infer(&diamond(), &["--why", "y"]);
    let json = run.json();
    assert_eq!(steps(&json), ["Shape s", "Gather n", "Concat t", "Reshape r", "Add d", "ReduceSum y"]);
    let last = &json["steps"][5];
    assert_eq!(last["rules"], json!(["reduce(data, axes, keepdims=0, noop_with_empty_axes=0 by default)"]));
    assert_eq!((&last["since_version"], &last["graph"]), (&json!(13), &json!("graph")));
    assert_eq!(
        last["inputs"][1],
        json!({"name": "one", "node": null, "type": "int64", "dims": [1], "value": [1], "reason": null})
    );
    assert_eq!((&json["value"]["name"], &json["value"]["dims"]), (&json!("y"), &json!(["N"])));
    // An input has no chain.
    let of_input = infer(&diamond(), &["--why", "x"]);
    assert_eq!((steps(&of_input.json()), of_input.code), (Vec::new(), 0));
}

/// A value that is unknown because of the first of two nodes, and one that is known.
fn blamed() -> ModelProto {
    let nodes = vec![
        node("Shape", &["x"], &["s"]),
        acme("Blur", &["x"], &["b"]).with(|node| node.name = "blur".into()),
        node("Relu", &["b"], &["r"]),
        node("Add", &["r", "x"], &["a"]),
        acme("Blur", &["a"], &["y"]),
    ];
    with_acme(model(&["x: float[N]"], nodes, &["y", "s: int64[1]"]))
}

#[test]
fn the_chain_of_what_is_unknown_begins_at_the_first_cause() {
    insta::assert_snapshot!(text(&blamed(), &["--why", "a"]).page());
    assert_eq!(steps(&infer(&blamed(), &["--why", "a"]).json()), ["Blur b", "Relu r", "Add a"]);
    // The second one is a cause of its own.
    assert_eq!(steps(&infer(&blamed(), &["--why", "y"]).json()), ["Blur y"]);
}

#[test]
fn an_input_is_to_blame() {
    let undeclared = model(&["x: float[N, ?]"], vec![node("Relu", &["x"], &["y"])], &["y: float"]);
    let run = text(&undeclared, &["--why", "y"]);
    assert!(run.out.contains("x (X)  float [N, n0]  an input; unknown: the model does not declare it"), "{run:?}");
}

#[test]
fn a_node_that_is_refused_comes_with_its_finding() {
    let refused = model(
        &["x: float[N]"],
        vec![
            node("Relu", &["x"], &["r"]).with(|node| node.attribute = vec![int("alpha", 1)]),
            node("Abs", &["r"], &["y"]),
        ],
        &["y: float"],
    );
    let run = infer(&refused, &["--why", "y"]);
    assert_eq!((run.findings(), run.code), (vec!["attribute-unknown graph#0".to_owned()], 1), "{run:?}");
    assert_eq!(steps(&run.json()), ["Relu r", "Abs y"]);
}

fn two_branches() -> ModelProto {
    let branch = |op_type: &str| graph(&[], vec![node(op_type, &["x"], &["same"])], &["same: float"]);
    let choice = node("If", &["c"], &["y"]).with(|node| {
        node.attribute = vec![subgraph("then_branch", branch("Relu")), subgraph("else_branch", branch("Abs"))];
    });
    model(&["c: bool[]", "x: float[N, 3]"], vec![choice], &["y: float"])
}

#[test]
fn values_by_their_names() {
    let cases: &[(&str, &str)] = &[
        ("Y", "model.onnx: the model has no value `Y`; did you mean `y`?"),
        ("same", "2 values have the name `same`: `graph/0:If.then_branch/same`, `graph/0:If.else_branch/same`"),
        ("graph/0:If.then/same", "the model has no value `graph/0:If.then/same`"),
        ("", "the model has no value ``"),
    ];
    for (name, message) in cases {
        let run = text(&two_branches(), &["--why", name]);
        assert_eq!((run.code, &*run.out), (2, ""), "{name}: {run:?}");
        assert!(run.notes.starts_with("error: ") && run.notes.contains(message), "{name}: {run:?}");
    }
    let long = model(&["/enc/0/x: float[N]"], vec![], &[]);
    let run = text(&long, &["--why", "0/x"]);
    assert!(run.notes.contains("did you mean `/enc/0/x`?"), "{run:?}");
    let one = infer(&two_branches(), &["--why", "graph/0:If.else_branch/same"]);
    assert_eq!(steps(&one.json()), ["Abs same"]);
    let outer = infer(&two_branches(), &["--why", "graph/x"]);
    assert_eq!(outer.json()["value"]["name"], "x");
}

/// A chain of Relu nodes.
fn relus(count: usize) -> ModelProto {
    let name = |index: usize| if index == 0 { "x".to_owned() } else { format!("v{index}") };
    let relu = |index: usize| node("Relu", &[&name(index)], &[&name(index + 1)]);
    let nodes: Vec<NodeProto> = (0..count).map(relu).collect();
    model(&["x: float[N]"], nodes, &[&format!("{}: float[N]", name(count))])
}

#[test]
fn a_long_chain_is_cut_and_goes_through() {
    let long = relus(100_000);
    let run = text(&long, &["--why", "v100000"]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("\n... 99952 nodes left out; --format json shows all\n"), "{}", run.out);
    assert_eq!(run.out.matches("Relu-14  node").count(), 48);
    assert_eq!(infer(&long, &["--why", "v100000"]).json()["steps"].as_array().unwrap().len(), 100_000);
}

#[test]
fn what_the_model_does_not_declare() {
    let mixed = in_graph(diamond(), |graph| {
        graph.value_info =
            vec![value("s: int64[3]"), value("n: int64[1]"), value("r: float[N, 4]"), value("d: float[N, ?]")];
        graph.output = vec![value("y: float[N]"), value("beside: float[N, 2, 2]")];
    });
    let names = |args: &[&str]| -> Vec<Json> {
        let json = infer(&mixed, args).json();
        json["values"].as_array().unwrap().iter().map(|value| value["name"].clone()).collect()
    };
    assert_eq!(names(&["--changed"]), ["t", "d"]);
    // Numbers that are given say more than a symbol.
    assert_eq!(names(&["--changed", "--set", "N=2"]), ["x", "t", "r", "beside", "d", "y"]);
    insta::assert_snapshot!(text(&mixed, &["--changed"]).page());
    let nothing = in_graph(mixed, |graph| graph.value_info.extend([value("t: int64[2]")]));
    let nothing = in_graph(nothing, |graph| graph.value_info[3] = value("d: float[N, 4]"));
    assert_eq!(text(&nothing, &["--changed"]).out, "");
}

#[test]
fn graphviz() {
    let drawn = in_graph(two_branches(), |graph| {
        graph.name = "a \"graph\"\\n".into();
        graph.node.push(acme("Blur", &["y", "w"], &["a\\\"b\n"]));
        graph.node.push(node("Relu", &["a\\\"b\n"], &["z"]));
        graph.initializer = vec![int64s("w", &[2], &[1, 2])];
        graph.output = vec![value("z: float")];
    });
    let run = text(&with_acme(drawn), &["--dot"]);
    insta::assert_snapshot!(run.page());
}

/// Each line is one statement, its brackets and quotes closed, so that no name can end one.
#[test]
fn graphviz_takes_any_name() {
    for name in ["\"", "\\", "\\\"", "a];\n}", "\u{1b}[31m", "\u{202e}x", "\r\n", "<b>", "é…"] {
        let nodes = vec![node("Relu", &[name], &["y"]).with(|node| node.name = name.to_owned())];
        let named = in_graph(model(&["x: float[N]"], nodes, &["y: float"]), |graph| {
            graph.input[0].name = name.to_owned();
        });
        let run = text(&named, &["--dot"]);
        assert_eq!(run.code, 0, "{run:?}");
        for line in run.out.lines() {
            let mut letters = line.chars();
            let mut quotes = 0;
            while let Some(letter) = letters.next() {
                match letter {
                    '\\' => drop(letters.next()),
                    '"' => quotes += 1,
                    _ => {}
                }
            }
            assert_eq!(quotes % 2, 0, "{line}");
            assert!(matches!(line.chars().last(), Some(';' | '{' | '}')), "{line}");
        }
    }
}

#[test]
fn what_excludes_each_other() {
    let folder = Folder::new();
    folder.model("model.onnx", &diamond());
    for args in [
        ["--why", "y", "--dot"].as_slice(),
        &["--why", "y", "--changed"],
        &["--dot", "--changed"],
        &["--dot", "--format", "json"],
    ] {
        let run = folder.shape(["infer", "model.onnx"].iter().chain(args));
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
    }
}

/// A model of a thousand nodes with the long names that exporters give fits a screen.
#[test]
fn a_large_model_fits_120_columns() {
    let layer = |index: usize| {
        let at = |name: &str| format!("/model/decoder/layers.{index}/self_attn/{name}");
        let from = if index == 0 {
            "x".to_owned()
        } else {
            format!("/model/decoder/layers.{}/self_attn/Add_output_0", index - 1)
        };
        let named = |op_type: &str, inputs: &[&str], name: &str| {
            node(op_type, inputs, &[&format!("{}_output_0", at(name))]).with(|node| node.name = at(name))
        };
        let output = |name: &str| format!("{}_output_0", at(name));
        vec![
            named("Shape", &[&from], "Shape"),
            named("MatMul", &[&from, "weight"], "q_proj/MatMul"),
            named("Reshape", &[&output("q_proj/MatMul"), &output("Shape")], "Reshape"),
            named("Add", &[&from, &output("Reshape")], "Add"),
        ]
    };
    let nodes: Vec<NodeProto> = (0..250).flat_map(layer).collect();
    let large = in_graph(model(&["x: float[batch_size, sequence_length, 64]"], nodes, &[]), |graph| {
        graph.initializer = vec![crate::model::initializer("weight", &[64, 64])];
    });
    let run = text(&large, &[]);
    let widest = run.out.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 120, "{widest}");
    // The names lose their beginnings, and of dimensions nothing is lost.
    let line = run.out.lines().find(|line| line.starts_with("998")).unwrap();
    assert!(line.contains("self_attn/Reshape ") && line.ends_with("[batch_size, sequence_length, 64]"), "{line}");
}
