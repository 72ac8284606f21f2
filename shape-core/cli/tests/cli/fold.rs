//! `shape fold`: constants in place of what is known before a model runs.

use std::path::Path;

use serde_json::json;
use shape_core::DataType;
use shape_model::file::proto::{
    GraphProto, ModelProto, NodeProto, SequenceType, TensorProto, TypeValue, ValueInfoProto,
};

use crate::model::{
    Change as _, acme, graph, in_graph, int, int64s, model, node, of, one_with, subgraph, tensor_type, value, with_acme,
};
use crate::run::{Folder, Run};

fn attention() -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/models/attention.onnx")).unwrap()
}

/// The folded model and what was said.
fn fold(model: &ModelProto, args: &[&str]) -> (ModelProto, Run) {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    let run = folder.shape(["fold", "model.onnx", "-o", "out.onnx", "--format", "json"].iter().chain(args));
    assert_eq!(run.code, 0, "{run:?}");
    let again = folder.shape(["fold", "out.onnx", "-o", "again.onnx"]);
    assert!(again.notes.starts_with("wrote again.onnx: 0 constants replaced 0 nodes"), "{again:?}");
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("out.onnx"), bytes("again.onnx"));
    let check = folder.shape(["check", "out.onnx", "--format", "json"]);
    // A size that is a constant now makes a symbol a number, and what was unread before stays.
    let known = ["ir-version-too-old", "symbols-equal graph#0", "initializer-unused graph"];
    let wrong = check.findings().into_iter().filter(|found| !known.contains(&&**found));
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0], "{check:?}");
    (folder.read("out.onnx"), run)
}

fn operators(graph: &GraphProto) -> Vec<&str> {
    graph.node.iter().map(|node| &*node.op_type).collect()
}

fn names(tensors: &[TensorProto]) -> Vec<&str> {
    tensors.iter().map(|tensor| &*tensor.name).collect()
}

fn elements(tensor: &TensorProto) -> Vec<i64> {
    let bytes = tensor.raw_data.as_deref().unwrap();
    bytes.chunks(8).map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// `s = Shape(x)`, `g = Gather(s, 1)`, `c = Concat(g, g)`, `y = Reshape(x, c)`.
fn chain(input: &str) -> ModelProto {
    let nodes = vec![
        node("Shape", &["x"], &["s"]),
        node("Gather", &["s", "i"], &["g"]),
        node("Concat", &["g", "g"], &["c"]).with(|node| node.attribute = vec![int("axis", 0)]),
        node("Reshape", &["x", "c"], &["y"]),
    ];
    in_graph(model(&[input], nodes, &["y: float"]), |graph| {
        graph.initializer = vec![int64s("i", &[1], &[1]), int64s("unread", &[1], &[7])];
        graph.value_info = vec![value("s: int64[2]"), value("c: int64[2]")];
    })
}

#[test]
fn the_chains_of_the_attention_model() {
    let folder = Folder::new();
    folder.write("model.onnx", attention());
    let run = folder.shape(["fold", "model.onnx", "-o", "out.onnx"]);
    insta::assert_snapshot!(run.page());
    let given = folder.shape(["fold", "model.onnx", "-o", "given.onnx", "--set", "batch=2", "--input", "x:2,10,64"]);
    insta::assert_snapshot!(given.page());
    let graph = folder.read("given.onnx").graph.unwrap();
    // All that is left computes with elements that are given when the model runs.
    let left: Vec<&str> = operators(&graph)
        .into_iter()
        .filter(|name| matches!(*name, "Shape" | "Gather" | "Concat" | "Unsqueeze" | "Cast"))
        .collect();
    assert_eq!(left, [""; 0]);
    assert_eq!(graph.input, [value("x: float[2, 10, 64]")]);
    assert_eq!(graph.output, [value("y: float[2, 10, 64]")]);
    let again = folder.shape(["fold", "given.onnx", "-o", "given.onnx"]);
    assert!(again.notes.starts_with("wrote given.onnx: 0 constants replaced 0 nodes and 0 initializers"));
}

#[test]
fn a_chain_becomes_a_constant_and_what_it_kept_goes() {
    let (folded, run) = fold(&chain("x: float[2, 2]"), &[]);
    let graph = folded.graph.unwrap();
    assert_eq!(operators(&graph), ["Reshape"]);
    // What nobody read before stays.
    assert_eq!(names(&graph.initializer), ["unread", "c"]);
    assert_eq!((elements(&graph.initializer[1]), &*graph.initializer[1].dims), (vec![2, 2], &[2][..]));
    assert_eq!(graph.value_info, [value("c: int64[2]")]);
    let json = run.json();
    let of = json!({"index": 2, "name": "", "op_type": "Concat", "domain": "", "output": 0});
    let constants = json!([{"name": "c", "node": of, "type": "int64", "dims": [2], "value": [2, 2], "reason": null}]);
    let counts = [&json["nodes_removed"], &json["initializers_removed"]];
    assert_eq!((&json["constants"], counts), (&constants, [&json!(3), &json!(1)]));
    assert_eq!(run.notes, "wrote out.onnx: 1 constant replaced 3 nodes and 1 initializer\n");
}

#[test]
fn what_is_not_known_stays_to_the_byte() {
    let folder = Folder::new();
    folder.model("model.onnx", &chain("x: float[N, M]"));
    assert_eq!(folder.shape(["fold", "model.onnx", "-o", "out.onnx"]).code, 0);
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("model.onnx"), bytes("out.onnx"));
}

#[test]
fn given_numbers_stand_in_the_declarations() {
    let symbolic = in_graph(chain("x: float[N, M]"), |graph| graph.output = vec![value("y: float[M, M]")]);
    let (folded, _) = fold(&symbolic, &["--set", "M=2"]);
    let graph = folded.graph.unwrap();
    assert_eq!(operators(&graph), ["Reshape"]);
    assert_eq!((graph.input, graph.output), (vec![value("x: float[N, 2]")], vec![value("y: float[2, 2]")]));
    // A sequence has the dimensions of its tensors.
    let sequence = |dims: &str| of(TypeValue::SequenceType(SequenceType { elem_type: Some(tensor_type(dims).into()) }));
    let of_parts = |dims: &str| ValueInfoProto { r#type: Some(sequence(dims)), ..value("y") };
    let nodes = vec![node("SequenceConstruct", &["x"], &["y"])];
    let parts = in_graph(model(&["x: float[N, M]"], nodes, &[]), |graph| graph.output = vec![of_parts("float[N, M]")]);
    let (folded, _) = fold(&parts, &["--set", "M=2"]);
    assert_eq!(folded.graph.unwrap().output, [of_parts("float[N, 2]")]);
    // Nothing of the input would say what the second one was taken for.
    let folder = Folder::new();
    let nodes = vec![acme("Blur", &["x"], &["z"]), node("Shape", &["z"], &["y"])];
    let free = in_graph(with_acme(model(&["x: float[N]"], nodes, &["y: int64[1]"])), |graph| {
        graph.value_info = vec![value("z: float[K]")];
    });
    folder.model("model.onnx", &free);
    let run = folder.shape(["fold", "model.onnx", "-o", "out.onnx", "--set", "K=4"]);
    assert_eq!((run.code, folder.path().join("out.onnx").exists()), (2, false), "{run:?}");
    assert!(run.notes.contains("no input has the dimension `K`"), "{run:?}");
}

#[test]
fn an_output_of_the_graph_keeps_its_place_and_name() {
    let two = model(
        &["x: float[4, 2]"],
        vec![node("Shape", &["x"], &["s"]), node("Relu", &["x"], &["r"])],
        &["s: int64[2]", "r: float[4, 2]"],
    );
    let (folded, _) = fold(&two, &[]);
    let graph = folded.graph.unwrap();
    assert_eq!(operators(&graph), ["Constant", "Relu"]);
    assert_eq!(graph.output, [value("s: int64[2]"), value("r: float[4, 2]")]);
    assert_eq!(elements(graph.node[0].attribute[0].t.as_ref().unwrap()), [4, 2]);
}

#[test]
fn before_ir_4_a_constant_is_a_node() {
    let old = chain("x: float[2, 2]").with(|model| {
        model.ir_version = Some(3);
        let graph = model.graph.as_mut().unwrap();
        graph.input.extend([value("i: int64[1]"), value("unread: int64[1]")]);
        model.opset_import[0].version = Some(9);
    });
    let (folded, _) = fold(&old, &[]);
    let graph = folded.graph.unwrap();
    assert_eq!(operators(&graph), ["Constant", "Reshape"]);
    assert_eq!((names(&graph.initializer), graph.input.len()), (vec!["i", "unread"], 3));
    // Constant-1 holds no integers.
    let older = old.with(|model| model.opset_import[0].version = Some(8));
    let (kept, _) = fold(&older, &[]);
    assert_eq!(operators(&kept.graph.unwrap()), ["Shape", "Gather", "Concat", "Reshape"]);
}

/// `y = If(c, Reshape(x, t), x)`, with the target of one branch out of the graph around it and that of the other its own.
fn branches(outer: Vec<NodeProto>, inner: Vec<NodeProto>) -> ModelProto {
    let branch = |nodes: Vec<NodeProto>, output: &str| graph(&[], nodes, &[&format!("{output}: float")]);
    let choice = node("If", &["c"], &["y"]).with(|node| {
        let captured = vec![self::node("Reshape", &["x", "t"], &["u"])];
        node.attribute =
            vec![subgraph("then_branch", branch(captured, "u")), subgraph("else_branch", branch(inner, "w"))];
    });
    let nodes = outer.into_iter().chain([choice]).collect();
    model(&["c: bool[]", "x: float[4, 2]"], nodes, &["y: float"])
}

#[test]
fn subgraphs_and_what_they_capture() {
    let outer = vec![node("Shape", &["x"], &["t"])];
    let inner = vec![node("Shape", &["x"], &["v"]), node("Reshape", &["x", "v"], &["w"])];
    let (folded, run) = fold(&branches(outer, inner), &[]);
    let graph = folded.graph.unwrap();
    assert_eq!((operators(&graph), names(&graph.initializer)), (vec!["If"], vec!["t"]));
    let branches = graph.node[0].attribute.iter().map(|attribute| attribute.g.as_deref().unwrap());
    let branches: Vec<Vec<&str>> = branches.map(operators).collect();
    assert_eq!(branches, [vec!["Reshape"], vec!["Constant", "Reshape"]]);
    assert_eq!(run.json()["constants"][1]["graph"], "graph/1:If.else_branch");
}

#[test]
fn a_node_that_is_dead_by_it_takes_its_subgraphs_along() {
    // Of what the choice gives only the rank is asked for.
    let outer = vec![node("Shape", &["x"], &["t"])];
    let inner = vec![node("Relu", &["x"], &["w"])];
    let asked = in_graph(branches(outer, inner), |graph| {
        let declared = graph.output.pop().unwrap();
        graph.value_info = vec![value("y: float[4, 2]"), declared].into_iter().take(1).collect();
        graph.node.push(node("Shape", &["y"], &["z"]));
        graph.output = vec![value("z: int64[2]")];
    });
    let (folded, run) = fold(&asked, &[]);
    let graph = folded.graph.unwrap();
    assert_eq!((operators(&graph), names(&graph.initializer)), (vec!["Constant"], vec![""; 0]));
    assert_eq!((graph.value_info.len(), &run.json()["nodes_removed"]), (0, &json!(3)));
}

#[test]
fn a_dead_node_that_was_dead_before_stays() {
    let dead = in_graph(chain("x: float[2, 2]"), |graph| graph.node.push(node("Size", &["x"], &["n"])));
    let (folded, _) = fold(&dead, &[]);
    assert_eq!(operators(&folded.graph.unwrap()), ["Reshape", "Size"]);
}

#[test]
fn other_types_of_constants() {
    let cast = |from: &str, to: DataType, output: &str| {
        node("Cast", &[from], &[output]).with(|node| node.attribute = vec![int("to", to.number().into())])
    };
    let nodes = vec![
        node("Shape", &["x"], &["s"]),
        cast("s", DataType::Float, "f"),
        cast("s", DataType::Int32, "i"),
        cast("s", DataType::Float16, "h"),
        node("Equal", &["s", "s"], &["b"]),
    ];
    let outputs = ["f: float[2]", "i: int32[2]", "h: float16[2]", "b: bool[2]"];
    let (folded, _) = fold(&model(&["x: float[4, 3]"], nodes, &outputs), &[]);
    let graph = folded.graph.unwrap();
    // float16 is left alone, and with it what it reads.
    assert_eq!(operators(&graph), ["Constant", "Constant", "Cast", "Constant"]);
    assert_eq!(names(&graph.initializer), ["s"]);
    let raw = |index: usize| graph.node[index].attribute[0].t.as_ref().unwrap().raw_data.clone().unwrap();
    let floats: Vec<u8> = [4.0_f32, 3.0].iter().flat_map(|number| number.to_le_bytes()).collect();
    let ints: Vec<u8> = [4_i32, 3].iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!((&*raw(0), &*raw(1), &*raw(3)), (&*floats, &*ints, &[1, 1][..]));
}

/// onnxruntime refuses a tensor of strings that has raw data, be it empty.
#[test]
fn no_strings_have_no_raw_data() {
    let strings =
        node("Cast", &["x"], &["y"]).with(|node| node.attribute = vec![int("to", DataType::String.number().into())]);
    let (folded, _) = fold(&model(&["x: float[0]"], vec![strings], &["y: string[0]"]), &[]);
    let graph = folded.graph.unwrap();
    assert_eq!(operators(&graph), ["Constant"]);
    let tensor = graph.node[0].attribute[0].t.as_ref().unwrap();
    assert_eq!((tensor.data_type, &tensor.raw_data), (Some(i32::from(DataType::String.number())), &None));
}

#[test]
fn a_model_with_errors_is_refused_with_all_of_them() {
    let folder = Folder::new();
    folder.model("model.onnx", &one_with(|node| node.attribute = vec![int("begin", 1)]));
    let run = folder.shape(["fold", "model.onnx", "-o", "out.onnx", "--format", "json"]);
    assert_eq!((run.code, run.findings()), (1, vec!["attribute-unknown graph#0".to_owned()]), "{run:?}");
    assert!(!folder.path().join("out.onnx").exists());
    let given = folder.shape(["fold", "model.onnx", "-o", "out.onnx", "--set", "M=1"]);
    assert_eq!((given.code, &*given.out), (2, ""));
}
