//! Values that are not known: how `shape infer` sums them up, lists them, and names them.

use serde_json::{Value as Json, json};
use shape_model::file::proto::{ModelProto, TypeValue};

use crate::model::{Change as _, acme, in_graph, int, int64s, model, node, with_acme};
use crate::run::{Folder, Run};

/// Elements that are not zero, of which nobody knows how many there are, and what is made of them; beside them the output of an
/// operator that nobody knows.
fn data() -> ModelProto {
    let nodes = vec![
        node("NonZero", &["x"], &["/path/NonZero_output_0"]).with(|node| node.name = "/path/NonZero".into()),
        node("Transpose", &["/path/NonZero_output_0"], &["places"]),
        node("GatherND", &["x", "places"], &["found"]),
        node("Concat", &["found", "found"], &["twice"]).with(|node| node.attribute = vec![int("axis", 0)]),
        acme("Blur", &["x"], &["blurred"]),
        node("Relu", &["blurred"], &["y"]),
    ];
    with_acme(model(&["x: float[N, 3]"], nodes, &["twice: float[?]", "y: float"]))
}

fn infer(args: &[&str]) -> Run {
    let folder = Folder::new();
    folder.model("model.onnx", &data());
    folder.shape(["infer", "model.onnx"].iter().chain(args))
}

const SUMMARY: &str = "1 of 7 values known; 4 in fresh symbols: 4 of NonZero (it depends on elements that are known only \
                       when the model runs); 2 unknown: 2 of com.acme::Blur (its operator has no descriptor)\n1 warning\n";

#[test]
fn summed_up_behind_the_table() {
    assert_eq!(infer(&[]).notes, SUMMARY);
    let json = infer(&["--format", "json"]).json();
    assert_eq!(json["summary"], json!({"values": 7, "known": 1, "in_fresh_symbols": 4, "unknown": 2}));
    let reason = "`/path/NonZero_output_0` (node 0 `/path/NonZero`, NonZero): \
                  it depends on elements that are known only when the model runs";
    assert_eq!(json["symbols"], json!([{"name": "n0", "value": "/path/NonZero_output_0", "reason": reason}]));
    let dims: Vec<&Json> = json["values"].as_array().unwrap().iter().map(|value| &value["dims"]).collect();
    let expected = [json!(["N", 3]), json!([2, "n0"]), json!(["n0", 2]), json!(["n0"]), json!(["2*n0"])];
    assert_eq!(dims.into_iter().take(5).collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
}

#[test]
fn listed_by_where_they_begin() {
    insta::assert_snapshot!(infer(&["--unknown"]).page());
    let json = infer(&["--unknown", "--format", "json"]).json();
    let names: Vec<&Json> = json["values"].as_array().unwrap().iter().map(|value| &value["name"]).collect();
    assert_eq!(names, ["/path/NonZero_output_0", "places", "found", "twice", "blurred", "y"]);
}

/// What a table shows is understood: the end of a name, the output of a node, a symbol.
#[test]
fn asked_for_as_they_are_shown() {
    let first = |name: &str| infer(&["--why", name]).out.lines().next().unwrap_or_default().to_owned();
    for (shown, name) in [
        ("…_output_0", "/path/NonZero_output_0"),
        ("#0", "/path/NonZero_output_0"),
        ("#2.0", "found"),
        ("n0", "/path/NonZero_output_0"),
        ("twice", "twice"),
    ] {
        assert!(first(shown).starts_with(&format!("{name}  ")), "{shown}: {}", first(shown));
    }
    for wrong in ["#99", "#2.1", "#x", "n1", "…zz"] {
        let run = infer(&["--why", wrong]);
        assert_eq!((run.code, &*run.out), (2, ""), "{wrong}");
        assert!(run.notes.contains(&format!("the model has no value `{wrong}`")), "{}", run.notes);
    }
    assert!(infer(&["--why", "twice"]).out.contains("unknown: it depends on elements"));
}

#[test]
fn called_as_the_file_calls_them() {
    let run = infer(&["--full-names"]);
    assert!(run.out.contains("/path/NonZero_output_0 [2, n0]"), "{}", run.out);
    assert!(!run.out.contains('…') && !run.out.contains("#0"), "{}", run.out);
}

/// The types of values and of outputs in a file that was written.
fn written(model: &ModelProto, args: &[&str]) -> (ModelProto, Vec<Json>) {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    let run = folder.shape(["infer", "model.onnx", "-o", "out.onnx"].iter().chain(args));
    assert_eq!(run.code, 0, "{run:?}");
    let again = folder.shape(["infer", "out.onnx", "--format", "json"]).json();
    let again = again["values"].as_array().unwrap().iter().map(|value| value["dims"].clone()).collect();
    (folder.read("out.onnx"), again)
}

/// Fresh symbols are written only if asked for; then a reader sees the sizes that are the same.
#[test]
fn written_by_name_if_asked_for() {
    let fresh = |model: &ModelProto| {
        let graph = model.graph.as_ref().unwrap();
        let infos = graph.value_info.iter().chain(&graph.output);
        infos.filter(|info| format!("{:?}", info.r#type).contains("n0")).count()
    };
    let (model, dims) = written(&data(), &[]);
    assert_eq!((fresh(&model), &dims[4]), (0, &json!(["2*n0"])));
    let (model, dims) = written(&data(), &["--name-unknowns"]);
    assert_eq!((fresh(&model), &dims[4]), (3, &json!(["2*n0"])));
    let (model, dims) = written(&data(), &["--name-unknowns", "--outputs"]);
    assert_eq!((fresh(&model), &dims[4]), (4, &json!(["2*n0"])));
}

/// A size of an input has no name either; one of a round is not one size.
#[test]
fn written_by_name_only_where_it_is_one_size() {
    let relu =
        model(&["x: float[N, ?]"], vec![node("Relu", &["x"], &["r"]), node("Abs", &["r"], &["y"])], &["y: float"]);
    let (model, dims) = written(&relu, &["--name-unknowns"]);
    let graph = model.graph.unwrap();
    assert_eq!(
        (&graph.input, &graph.value_info),
        (&vec![crate::model::value("x: float[N, n0]")], &vec![crate::model::value("r: float[N, n0]")])
    );
    assert_eq!(dims, vec![json!(["N", "n0"]); 3]);
    let body = crate::model::graph(
        &["i: int64[]", "c: bool[]", "v: float[?]"],
        vec![
            node("Identity", &["c"], &["d"]),
            node("Concat", &["v", "v"], &["u"]).with(|node| node.attribute = vec![int("axis", 0)]),
            node("Relu", &["u"], &["w"]),
        ],
        &["d", "w"],
    );
    let run = node("Loop", &["count", "", "x"], &["y"]);
    let run = run.with(|node| node.attribute = vec![crate::model::subgraph("body", body)]);
    let rounds = crate::model::model(&["x: float[2]", "count: int64[]"], vec![run], &["y"]);
    let (model, _) = written(&rounds, &["--name-unknowns"]);
    let graph = model.graph.unwrap();
    let body = graph.node[0].attribute[0].g.as_deref().unwrap();
    assert_eq!(body.value_info, [crate::model::value("u: float[?]")]);
}

#[test]
fn outputs_are_completed_if_asked_for() {
    let relu = model(&["x: float[N, 3]"], vec![node("Relu", &["x"], &["y"])], &["y: float[?, ?]"]);
    let (kept, _) = written(&relu, &[]);
    assert_eq!(kept, relu);
    let (completed, _) = written(&relu, &["--outputs"]);
    assert_eq!(completed.graph.unwrap().output, [crate::model::value("y: float[N, 3]")]);
}

/// A sequence gets a declaration too, and what is known of its tensors.
#[test]
fn sequences_are_written() {
    let nodes = vec![
        node("SplitToSequence", &["x"], &["s"]).with(|node| node.attribute = vec![int("axis", 0)]),
        node("SequenceAt", &["s", "at"], &["y"]),
    ];
    let parts = in_graph(model(&["x: float[N, 3]"], nodes, &["y: float[?, 3]"]), |graph| {
        graph.initializer = vec![int64s("at", &[], &[0])];
    });
    let (model, _) = written(&parts, &[]);
    let graph = model.graph.unwrap();
    let Some(TypeValue::SequenceType(of)) = graph.value_info[0].r#type.as_ref().and_then(|ty| ty.value.as_ref()) else {
        panic!("{graph:?}")
    };
    assert_eq!(of.elem_type.as_deref(), Some(&crate::model::tensor_type("float[1, 3]")));
}
