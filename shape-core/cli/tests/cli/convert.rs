//! `shape convert`: models from opset to opset, what stays, and what is refused.

use std::fs;

use serde_json::json;
use shape_model::file::Message as _;
use shape_model::file::proto::{ModelProto, NodeProto, TensorProto};

use crate::model::{
    Change as _, float, graph, in_graph, int, int64s, ints, model, node, one_at, opset, reshape, subgraph, text, value,
};
use crate::run::{Folder, Run};

/// A run on a model, and the model that it wrote.
pub(crate) fn convert(model: &ModelProto, options: &[&str]) -> (Run, Option<ModelProto>) {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    let args = ["convert", "model.onnx", "-o", "out.onnx", "--format", "json"];
    let run = folder.shape(args.iter().chain(options));
    let written = folder.path().join("out.onnx").exists().then(|| folder.read("out.onnx"));
    assert_eq!(run.code, i32::from(written.is_none()), "{run:?}");
    (run, written)
}

/// The model that comes out, which is right.
#[track_caller]
fn converted(model: &ModelProto, to: u32) -> ModelProto {
    let written = converted_with(model, &["--opset", &to.to_string()]);
    assert_eq!(written.opset_import[0].version, Some(to.into()));
    written
}

/// The model that comes out with some options, which is right.
#[track_caller]
pub(crate) fn converted_with(model: &ModelProto, options: &[&str]) -> ModelProto {
    let (run, written) = convert(model, options);
    let written = written.unwrap_or_else(|| panic!("{run:?}"));
    let checked = crate::run::check(&written);
    assert_eq!(checked.code, 0, "{checked:?}");
    written
}

/// The findings, where the model is refused.
#[track_caller]
fn refused(model: &ModelProto, to: u32) -> Vec<String> {
    refused_with(model, &["--opset", &to.to_string()])
}

/// The findings, where the model is refused with some options.
#[track_caller]
pub(crate) fn refused_with(model: &ModelProto, options: &[&str]) -> Vec<String> {
    let (run, written) = convert(model, options);
    assert!(written.is_none(), "{run:?}");
    assert!(run.notes.ends_with("; no file was written\n"), "{run:?}");
    run.findings()
}

/// `y = Reshape-1(x)`, before the target was an input.
fn old(ir_version: i64, target: &[i64]) -> ModelProto {
    let reshape = node("Reshape", &["x"], &["y"]).with(|node| node.attribute = vec![ints("shape", target)]);
    model(&["x: float[2,6]"], vec![reshape], &["y"]).with(|model| {
        model.ir_version = Some(ir_version);
        model.opset_import = vec![opset("", 4)];
    })
}

/// `y = Reshape(x, t)` at an opset, with a constant target.
fn new(version: i64, target: TensorProto) -> ModelProto {
    reshape("x: float[2,6]", target, &["y"]).with(|model| model.opset_import = vec![opset("", version)])
}

#[test]
fn reshape_there_and_back() {
    for ir_version in [3, 4, 8] {
        let first = old(ir_version, &[3, -1]);
        let second = converted(&first, 5);
        let graph = second.graph.as_ref().unwrap();
        assert_eq!(
            (&*graph.node[0].input, graph.node[0].attribute.len()),
            (&["x".to_owned(), "y_shape".to_owned()][..], 0)
        );
        let target = &graph.initializer[0];
        assert_eq!((&*target.name, &*target.dims, target.data_type), ("y_shape", &[2][..], Some(7)));
        assert_eq!(*target.elements().unwrap(), [3_i64, -1].map(i64::to_le_bytes).concat());
        // Up to IR 3 it is an input too.
        let inputs: Vec<&str> = graph.input.iter().map(|input| &*input.name).collect();
        assert_eq!(inputs, if ir_version < 4 { &["x", "y_shape"][..] } else { &["x"] });
        // And back again it is the model that it was, to the byte.
        assert_eq!(converted(&second, 4).encode_to_vec(), first.encode_to_vec(), "IR {ir_version}");
        // An opset may need a newer IR version, which stays until somebody asks for another.
        let third = converted(&converted(&first, 28), 13);
        assert_eq!(third.ir_version, Some(14));
        let back = ["--opset", "4", "--ir-version", &ir_version.to_string()];
        assert_eq!(converted_with(&third, &back).encode_to_vec(), first.encode_to_vec(), "IR {ir_version}");
    }
}

#[test]
fn only_what_changes_is_written() {
    let folder = Folder::new();
    let shape = one_at(13).with(|model| {
        model.producer_name = "somebody".into();
        model.opset_import.push(opset("com.acme", 3));
    });
    // A field that nobody knows, at the end of the file.
    let bytes = [shape.encode_to_vec(), vec![0xd2, 0x05, 1, b'?']].concat();
    folder.write("model.onnx", &bytes);
    let run = folder.shape(["convert", "model.onnx", "--opset", "18", "-o", "out.onnx"]);
    assert_eq!(
        (run.code, &*run.out, &*run.notes),
        (0, "", "wrote out.onnx: converted from opset 13 to 18, 0 nodes changed\n")
    );
    let written = fs::read(folder.path().join("out.onnx")).unwrap();
    let differing: Vec<(u8, u8)> = bytes.iter().copied().zip(written.iter().copied()).filter(|(a, b)| a != b).collect();
    assert_eq!((written.len(), differing), (bytes.len(), vec![(13, 18)]));
    // To the opset that it has, all of it stays.
    folder.shape(["convert", "model.onnx", "--opset", "13", "-o", "same.onnx"]);
    assert_eq!(fs::read(folder.path().join("same.onnx")).unwrap(), bytes);
    // And in its own place.
    folder.shape(["convert", "model.onnx", "--opset", "18", "-o", "model.onnx"]);
    assert_eq!(fs::read(folder.path().join("model.onnx")).unwrap(), written);
}

#[test]
fn allowzero_goes_where_it_says_nothing() {
    let with = |value| {
        in_graph(new(14, int64s("t", &[2], &[3, 4])), |graph| graph.node[0].attribute = vec![int("allowzero", value)])
    };
    let older = converted(&with(0), 13);
    assert!(older.graph.as_ref().unwrap().node[0].attribute.is_empty());
    assert_eq!(older.graph.unwrap().initializer, with(0).graph.unwrap().initializer);
    assert_eq!(refused(&with(1), 13), ["conversion-attribute graph#0"]);
    converted(&with(1), 28);
}

#[test]
fn a_target_that_is_computed_stays_an_input() {
    let nodes = vec![node("Shape", &["z"], &["t"]), node("Reshape", &["x", "t"], &["y"])];
    let computed = model(&["x: float[2,6]", "z: float[N,M]"], nodes.clone(), &["y"]);
    converted(&computed, 5);
    assert_eq!(refused(&computed, 4), ["conversion-input graph#1"]);
    // What is known before the model runs is as good as a constant.
    let known = model(&["x: float[2,6]", "z: float[3,4]"], nodes, &["y"]);
    let older = converted(&known, 4).graph.unwrap();
    assert_eq!(older.node[1].attribute, [ints("shape", &[3, 4])]);
    assert_eq!(older.node[0].op_type, "Shape");
    // From IR 4 on a caller may replace an initializer that is an input.
    let replaceable = in_graph(new(17, int64s("t", &[1], &[12])), |graph| graph.input.push(value("t: int64[1]")));
    assert_eq!(refused(&replaceable, 4), ["conversion-input graph#0"]);
}

#[test]
fn a_constant_goes_when_nothing_reads_it() {
    let target = || int64s("t", &[1], &[12]);
    let names = |model: &ModelProto| -> Vec<String> {
        model.graph.as_ref().unwrap().initializer.iter().map(|tensor| tensor.name.clone()).collect()
    };
    assert!(names(&converted(&new(13, target()), 4)).is_empty());
    let read_twice = in_graph(new(13, target()), |graph| graph.node.push(node("Shape", &["t"], &["s"])));
    assert_eq!(names(&converted(&read_twice, 4)), ["t"]);
    let given_out = in_graph(new(13, target()), |graph| graph.output.push(value("t: int64[1]")));
    assert_eq!(names(&converted(&given_out, 4)), ["t"]);
    let two = in_graph(new(13, target()), |graph| graph.node.push(node("Reshape", &["x", "t"], &["z"])));
    assert!(names(&converted(&two, 4)).is_empty());
}

#[test]
fn new_names_are_new() {
    let taken = in_graph(old(8, &[12]), |graph| {
        graph.node.insert(0, node("Shape", &["x"], &["y_shape"]));
        graph.node.push(node("Reshape", &["x"], &["z"]).with(|node| {
            node.name = "last".into();
            node.attribute = vec![ints("shape", &[4, 3])];
        }));
    });
    let graph = converted(&taken, 13).graph.unwrap();
    let names: Vec<&str> = graph.initializer.iter().map(|tensor| &*tensor.name).collect();
    assert_eq!(names, ["y_shape_1", "last_shape"]);
    assert_eq!(graph.node[2].input, ["x", "last_shape"]);
}

/// A model with nodes in a graph inside of a node, which is of another domain and stays as it is.
fn nested(version: i64, ir_version: i64, inner: Vec<NodeProto>) -> ModelProto {
    let branch = graph(&[], inner, &["r"]);
    let choice = node("Choice", &["x"], &["y"]).with(|node| {
        node.domain = "com.acme".into();
        node.attribute = vec![int("k", 1), subgraph("body", branch)];
    });
    model(&["x: float[2,6]"], vec![choice], &["y"]).with(|model| {
        model.ir_version = Some(ir_version);
        model.opset_import = vec![opset("", version), opset("com.acme", 1)];
    })
}

#[test]
fn graphs_inside_of_nodes() {
    let reshape = node("Reshape", &["x"], &["r"]).with(|node| node.attribute = vec![ints("shape", &[12])]);
    let inner = |model: &ModelProto| *model.graph.as_ref().unwrap().node[0].attribute[1].g.clone().unwrap();
    let first = nested(1, 8, vec![reshape.clone()]);
    let second = converted(&first, 13);
    assert_eq!(inner(&second).node[0].input, ["x", "r_shape"]);
    assert_eq!(inner(&second).initializer[0].name, "r_shape");
    assert_eq!(converted(&second, 1), first);
    // Up to IR 3 the inputs of such a graph cannot grow, and its constant is one of the model.
    let first = nested(1, 3, vec![reshape]);
    let second = converted(&first, 5);
    assert!(inner(&second).initializer.is_empty() && inner(&second).input.is_empty());
    assert_eq!(second.graph.as_ref().unwrap().initializer[0].name, "r_shape");
    assert_eq!(converted(&second, 1), first);
    let bad = nested(14, 8, vec![node("Reshape", &["x", "x"], &["r"])]);
    assert_eq!(refused(&bad, 4)[0], "type-not-allowed graph/0:Choice.body#0");
}

#[test]
fn all_that_stands_against_it_is_told() {
    let mixed = model(
        &["x: uint4[2,6]", "n: float[N]"],
        vec![
            node("Shape", &["n"], &["t"]),
            node("Reshape", &["x", "t"], &["y"]).with(|node| node.attribute = vec![int("allowzero", 1)]),
            node("Gelu", &["n"], &["c"]),
            node("Shape", &["y"], &["s"]).with(|node| node.attribute = vec![int("end", 1)]),
            node("Gelu", &["c"], &["d"]),
        ],
        &["d"],
    )
    .with(|model| model.opset_import = vec![opset("", 21)]);
    let expected = [
        "conversion-type graph#1",
        "conversion-attribute graph#1",
        "conversion-input graph#1",
        "operator-too-new graph#2",
        "conversion-type graph#3",
        "operator-too-new graph#4",
    ];
    assert_eq!(refused(&mixed, 1), expected);
    let folder = Folder::new();
    folder.model("model.onnx", &mixed);
    insta::assert_snapshot!(folder.shape(["convert", "model.onnx", "--opset", "1", "-o", "out.onnx"]).page());
}

/// `y = OP(x)` at an opset, with what else the node has.
fn one_node(version: i64, op_type: &str, change: impl FnOnce(&mut NodeProto)) -> ModelProto {
    let node = node(op_type, &["x"], &["y"]).with(change);
    model(&["x: float[1,2,6]"], vec![node], &["y"]).with(|model| model.opset_import = vec![opset("", version)])
}

fn operators(model: &ModelProto) -> Vec<&str> {
    model.graph.as_ref().unwrap().node.iter().map(|node| &*node.op_type).collect()
}

/// The new nodes read and give what the old one did, under names that are new.
#[test]
fn a_node_becomes_several() {
    let softmax = one_node(11, "Softmax", |node| node.name = "soft".to_owned());
    let written = converted(&softmax, 13);
    let nodes = &written.graph.as_ref().unwrap().node;
    let lines: Vec<String> = nodes
        .iter()
        .map(|node| format!("{}: {} -> {}", node.name, node.input.join(", "), node.output.join(", ")))
        .collect();
    assert_eq!(
        lines,
        [
            "soft_flat: x -> soft_flat",
            "soft_rows: soft_flat -> soft_rows",
            "soft_dims: x -> soft_dims",
            "soft: soft_rows, soft_dims -> y"
        ]
    );
}

#[test]
fn constants_have_the_type_of_their_neighbours() {
    let clip = node("Clip", &["x"], &["y"]).with(|node| node.attribute = vec![float("min", 0.5)]);
    let clip = model(&["x: float16[2]"], vec![clip], &["y"]).with(|model| model.opset_import = vec![opset("", 6)]);
    let up = converted(&clip, 13);
    let [min] = &*up.graph.as_ref().unwrap().initializer else { panic!("{up:?}") };
    assert_eq!((min.data_type, min.raw_data.as_deref()), (Some(10), Some(&[0, 0x38][..])));
    let down = converted(&up, 6);
    assert_eq!(down.graph.as_ref().unwrap().node, clip.graph.as_ref().unwrap().node);
}

#[test]
fn empty_inputs_go_where_there_is_no_place_for_them() {
    let clip = one_node(12, "Clip", |node| node.input.extend([String::new(), String::new()]));
    assert_eq!(converted(&clip, 10).graph.unwrap().node[0].input, ["x"]);
    assert_eq!(converted(&clip, 11).graph.unwrap().node[0].input, ["x", "", ""]);
}

#[test]
fn what_the_catalogue_stands_against() {
    let softmax = |axis: &[_]| one_node(11, "Softmax", |node| node.attribute = axis.to_vec());
    assert_eq!(operators(&converted(&softmax(&[]), 13)), ["Flatten", "Softmax", "Shape", "Reshape"]);
    assert_eq!(operators(&converted(&softmax(&[int("axis", 2)]), 13)), ["Softmax"]);
    converted(&softmax(&[]), 12);
    let dropout =
        |mask: &[&str]| one_node(11, "Dropout", |node| node.output.extend(mask.iter().map(|name| (*name).to_owned())));
    assert_eq!(refused(&dropout(&["mask"]), 9), ["conversion-type graph#0"]);
    converted(&dropout(&[]), 9);
    let pool = |indices: &[&str]| {
        one_node(8, "MaxPool", |node| {
            node.attribute = vec![ints("kernel_shape", &[1])];
            node.output.extend(indices.iter().map(|name| (*name).to_owned()));
        })
    };
    assert_eq!(refused(&pool(&["indices"]), 7), ["conversion-output graph#0"]);
    converted(&pool(&[]), 7);
    // What nobody may use from a version on becomes what replaces it.
    let scatter = |version| {
        let scatter = node("Scatter", &["x", "i", "x"], &["y"]);
        let model = model(&["x: float[2]", "i: int64[2]"], vec![scatter], &["y"]);
        model.with(|model| model.opset_import = vec![opset("", version)])
    };
    assert_eq!(operators(&converted(&scatter(9), 11)), ["ScatterElements"]);
    converted(&scatter(9), 10);
    // One that the original has too may stay.
    let groups =
        node("GroupNormalization", &["x", "s", "s"], &["y"]).with(|node| node.attribute = vec![int("num_groups", 2)]);
    let groups = model(&["x: float[1,4,3]", "s: float[2]"], vec![groups], &["y"]);
    let groups = groups.with(|model| model.opset_import = vec![opset("", 18)]);
    let (run, written) = convert(&groups, &["--opset", "20"]);
    assert_eq!(written.unwrap_or_else(|| panic!("{run:?}")).graph, groups.graph);
    // An input that declares that it is empty is a constant.
    let sizes = node("Resize", &["x", "r", "e", "n"], &["y"]);
    let sizes = model(&["x: float[2,2]", "r: float[0]", "e: float[0]", "n: int64[2]"], vec![sizes], &["y"]);
    let sizes = sizes.with(|model| model.opset_import = vec![opset("", 11)]);
    assert_eq!(converted(&sizes, 13).graph.unwrap().node[0].input, ["x", "", "", "n"]);
    // A part of the input that a version must be told is not made up.
    let crop = |mode: &str, roi: &str| {
        let resize = node("Resize", &["x", roi, "", "n"], &["y"])
            .with(|node| node.attribute = vec![text("coordinate_transformation_mode", mode)]);
        let crop = model(&["x: float[2,2]", "r: float[4]", "n: int64[2]"], vec![resize], &["y"]);
        crop.with(|model| model.opset_import = vec![opset("", 13)])
    };
    assert_eq!(refused(&crop("tf_crop_and_resize", ""), 11), ["conversion-meaning graph#0"]);
    assert_eq!(converted(&crop("tf_crop_and_resize", "r"), 11).graph.unwrap().node[0].input[1], "r");
    assert_eq!(converted(&crop("asymmetric", ""), 11).graph.unwrap().initializer.len(), 2);
    // Bounds in the wrong order mean something from version 13 on alone.
    let bounds = |min, max| one_node(6, "Clip", |node| node.attribute = vec![float("min", min), float("max", max)]);
    let later = |min, max| converted(&bounds(min, max), 12);
    assert_eq!(refused(&later(2.0, 1.0), 6), ["conversion-meaning graph#0"]);
    converted(&later(1.0, 2.0), 6);
    // What a version does not have is told once.
    let unknown = one_node(13, "Blur", |_| ());
    assert_eq!(refused(&unknown, 14), ["operator-unknown graph#0"]);
}

#[test]
fn models_that_are_not_converted() {
    let wrong = in_graph(one_at(13), |graph| graph.node[0].attribute = vec![int("start", 1)]);
    assert_eq!(refused(&wrong, 15), ["attribute-unknown graph#0"]);
    assert_eq!(
        refused(&one_at(17).with(|model| model.opset_import.clear()), 18),
        ["opset-missing", "domain-not-imported graph#0"]
    );
    let other = model(&["x: float"], vec![], &[]).with(|model| model.opset_import = vec![opset("com.acme", 1)]);
    assert_eq!(refused(&other, 18), ["domain-not-imported"]);
}

#[test]
fn text_and_json() {
    let folder = Folder::new();
    folder.model("model.onnx", &in_graph(old(8, &[12]), |graph| graph.node[0].name = "flat".into()));
    let run = folder.shape(["convert", "model.onnx", "--opset", "14", "-o", "out.onnx"]);
    assert_eq!(
        (run.code, &*run.out, &*run.notes),
        (
            0,
            "graph, node 0 `flat`: Reshape-1 -> Reshape-14\n",
            "wrote out.onnx: converted from opset 4 to 14, 1 node changed\n"
        )
    );
    let run = folder.shape(["convert", "model.onnx", "--opset", "14", "-o", "out.onnx", "--format", "json"]);
    let expected = json!({
        "schema_version": 1, "from": 4, "to": 14, "findings": [],
        "opsets": [{"domain": "ai.onnx", "from": 4, "to": 14}], "ir_version": null,
        "nodes": [{
            "graph": "graph", "node": {"index": 0, "name": "flat", "op_type": "Reshape", "domain": "ai.onnx"},
            "from": 1, "to": 14,
        }],
    });
    assert_eq!(run.json(), expected);
}

#[test]
fn usage() {
    let folder = Folder::new();
    folder.model("model.onnx", &one_at(13));
    for (args, message) in [
        (&["--opset", "0", "-o", "out.onnx"][..], "`0` is not an opset"),
        (&["--opset", "999", "-o", "out.onnx"], "opset 999 of ai.onnx is unknown; the newest known one is "),
        (&["--opset", "14"], "--output"),
        (&["-o", "out.onnx"], "--opset"),
        (&["--opset", "ai.onnx.ml=x", "-o", "out.onnx"], "`x` is not an opset"),
        (
            &["--opset", "ai.onnx.ml=99", "-o", "out.onnx"],
            "opset 99 of ai.onnx.ml is unknown; the newest known one is ",
        ),
        (&["--opset", "com.acme=1", "-o", "out.onnx"], "no operator of com.acme is described"),
        (&["--opset", "14", "--opset", "ai.onnx=15", "-o", "out.onnx"], "two opsets of ai.onnx are given"),
        (&["--ir-version", "0", "-o", "out.onnx"], "0 is not in 1.."),
        (&["--ir-version", "99", "-o", "out.onnx"], "IR version 99 is unknown; the newest known one is "),
        (&["--opset", "14", "-o", "no/such/folder/out.onnx"], "cannot write no/such/folder/out.onnx"),
    ] {
        let run = folder.shape(["convert", "model.onnx"].iter().chain(args));
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.contains(message), "{run:?}");
    }
    assert!(!folder.path().join("out.onnx").exists());
}
