//! `shape convert` on whole models: functions, training, IR versions, several domains, and elements in other files.

use std::fs;

use shape_model::file::proto::{
    AttributeProto, DataLocation, FunctionProto, ModelProto, NodeProto, StringStringEntryProto, TensorProto,
    TrainingInfoProto,
};

use shape_core::node::AttributeKind;

use crate::convert::{convert, converted_with, refused_with};
use crate::model::{
    Change as _, attribute, function, graph, in_graph, initializer, int, int64s, ints, model, node, one_at, opset,
    reshape, subgraph, value,
};
use crate::run::Folder;

fn to(opset: &str) -> [&str; 2] {
    ["--opset", opset]
}

/// A model that calls `my::F`, whose body has these nodes and imports an opset.
fn calling(body: Vec<NodeProto>, model_version: i64, version: i64) -> ModelProto {
    let call = node("F", &["x"], &["y"]).with(|node| node.domain = "my".into());
    model(&["x: float[2,6]"], vec![call], &["y"]).with(|model| {
        model.opset_import = vec![opset("", model_version), opset("my", 1)];
        model.functions = vec![function(body, version)];
    })
}

/// `Reshape-1(a)`, with the target as an attribute.
fn old_reshape(input: &str, output: &str) -> NodeProto {
    node("Reshape", &[input], &[output]).with(|node| node.attribute = vec![ints("shape", &[3, -1])])
}

/// `Cast(a)` with an attribute that opset 18 does not have.
fn unsaturated(input: &str, output: &str) -> NodeProto {
    node("Cast", &[input], &[output]).with(|node| node.attribute = vec![int("to", 1), int("saturate", 0)])
}

#[test]
fn bodies_of_functions() {
    // From the opset that the function imports, whatever the model does.
    for model_version in [4, 13] {
        let first = calling(vec![old_reshape("a", "b")], model_version, 4);
        let second = converted_with(&first, &to("13"));
        assert_eq!(second.opset_import[0].version, Some(13));
        let FunctionProto { node, opset_import, .. } = &second.functions[0];
        assert_eq!(*opset_import, [opset("", 13)]);
        // A function has no initializers: its constants are nodes.
        let [constant, reshape] = &**node else { panic!("{node:?}") };
        assert_eq!((&*constant.op_type, &*constant.output), ("Constant", &["b_shape".to_owned()][..]));
        assert_eq!(constant.attribute[0].t.as_ref().unwrap().dims, [2]);
        assert_eq!(reshape.input, ["a", "b_shape"]);
        // And back: what the node gives is known, and becomes the attribute.
        assert_eq!(converted_with(&second, &to("4")).functions, first.functions);
    }
    // A function that has the opset already stays, to the byte.
    let ahead = calling(vec![node("Shape", &["a"], &["b"])], 13, 17);
    let (_, written) = convert(&ahead, &to("17"));
    assert_eq!(written.unwrap().functions, ahead.functions);
    // What is lost is told, with the function.
    let lost = calling(vec![unsaturated("a", "b")], 19, 19).with(|model| model.ir_version = Some(9));
    assert_eq!(refused_with(&lost, &to("13")), ["conversion-attribute function my::F#0"]);
    // A function without the domain has nothing to convert.
    let other =
        calling(vec![node("G", &["a"], &["b"]).with(|node| node.domain = "com.acme".into())], 13, 17).with(|model| {
            model.functions[0].opset_import = vec![opset("com.acme", 1)];
            model.opset_import.push(opset("com.acme", 1));
        });
    assert_eq!(converted_with(&other, &to("17")).functions, other.functions);
}

fn softmax(input: &str, output: &str) -> NodeProto {
    node("Softmax", &[input], &[output]).with(|node| node.attribute = vec![int("axis", 0)])
}

/// Those of the function and those of a graph in one of its nodes, at the same time.
#[test]
fn nodes_of_functions_become_several() {
    let choice = node("Choice", &["c"], &["d"]).with(|node| {
        node.domain = "com.acme".into();
        node.attribute = vec![subgraph("body", graph(&[], vec![softmax("c", "r")], &["r"]))];
    });
    let first = calling(vec![softmax("a", "c"), choice, softmax("d", "b")], 11, 11).with(|model| {
        model.opset_import.push(opset("com.acme", 1));
        model.functions[0].opset_import.push(opset("com.acme", 1));
    });
    let second = converted_with(&first, &to("13"));
    let operators = |nodes: &[NodeProto]| nodes.iter().map(|node| node.op_type.clone()).collect::<Vec<_>>();
    let several = ["Flatten", "Softmax", "Shape", "Reshape"];
    let body = &second.functions[0].node;
    assert_eq!(operators(body), [&several[..], &["Choice"], &several].concat());
    let inner = &body[4].attribute[0].g.as_ref().unwrap().node;
    assert_eq!(operators(inner), several);
    let names: Vec<&String> = body.iter().chain(inner).flat_map(|node| &node.output).collect();
    assert_eq!(names.iter().collect::<std::collections::HashSet<_>>().len(), 13, "{names:?}");
}

#[test]
fn graphs_in_functions() {
    let body = graph(&[], vec![old_reshape("a", "r")], &["r"]);
    let choice = node("Choice", &["a"], &["b"]).with(|node| {
        node.domain = "com.acme".into();
        node.attribute = vec![subgraph("body", body)];
    });
    let first = calling(vec![choice], 4, 4).with(|model| {
        model.opset_import.push(opset("com.acme", 1));
        model.functions[0].opset_import.push(opset("com.acme", 1));
    });
    let second = converted_with(&first, &to("13"));
    let inner = second.functions[0].node[0].attribute[0].g.as_ref().unwrap();
    assert_eq!(inner.node[0].input, ["a", "r_shape"]);
    assert_eq!(inner.initializer[0].name, "r_shape");
    assert_eq!(converted_with(&second, &to("4")), first);
}

/// The graph of a node stays in it, with what changes in it, and new nodes stand before and after the node.
#[test]
fn a_graph_stays_in_its_node() {
    let body = graph(
        &["s: float[2,3]", "n: float[2,3]"],
        vec![node("Add", &["s", "n"], &["t"]), softmax("t", "u")],
        &["t", "u"],
    );
    let scan = node("Scan", &["", "i", "x"], &["y", "z"]).with(|node| {
        node.name = "scan".into();
        node.attribute = vec![subgraph("body", body), int("num_scan_inputs", 1), ints("directions", &[1])];
    });
    let last = node("Neg", &["z"], &["w"]);
    let first = model(&["i: float[1,2,3]", "x: float[1,4,2,3]"], vec![scan, last], &["y", "w"]).with(|model| {
        model.opset_import = vec![opset("", 8)];
    });
    let (run, second) = convert(&first, &to("13"));
    assert_eq!(run.json()["nodes"][0]["to"], 11, "{run:?}");
    let nodes = &second.unwrap().graph.unwrap().node;
    let lines: Vec<String> = nodes
        .iter()
        .map(|node| format!("{}({}) -> {}", node.op_type, node.input.join(", "), node.output.join(", ")))
        .collect();
    assert_eq!(
        lines,
        [
            "Squeeze(i, scan_axes) -> scan_Squeeze",
            "Squeeze(x, scan_axes_1) -> scan_Squeeze_1",
            "Scan(scan_Squeeze, scan_Squeeze_1) -> scan_Unsqueeze, scan_Unsqueeze_1",
            "Unsqueeze(scan_Unsqueeze, scan_axes_2) -> y",
            "Unsqueeze(scan_Unsqueeze_1, scan_axes_3) -> z",
            "Neg(z) -> w",
        ]
    );
    let names: Vec<&str> = nodes[2].attribute.iter().map(|attribute| &*attribute.name).collect();
    assert_eq!(names, ["body", "num_scan_inputs", "scan_input_directions"]);
    let inner = &nodes[2].attribute[0].g.as_ref().unwrap().node;
    let operators: Vec<&str> = inner.iter().map(|node| &*node.op_type).collect();
    assert_eq!(operators, ["Add", "Flatten", "Softmax", "Shape", "Reshape"]);
    // The name goes to the node that has it, and to no other.
    let names: Vec<&str> = nodes.iter().map(|node| &*node.name).collect();
    assert_eq!(names, ["scan_Squeeze", "scan_Squeeze_1", "scan", "y", "z", ""]);
}

#[test]
fn what_all_calls_agree_on_is_known() {
    let calls = |inputs: &[&str]| {
        let call = |(name, output): (&str, &str)| node("F", &[name], &[output]).with(|node| node.domain = "my".into());
        let names: Vec<&str> = inputs.iter().map(|input| input.split(':').next().unwrap()).collect();
        let nodes = names.iter().zip(["y", "z"]).map(|(name, output)| call((name, output))).collect();
        model(inputs, nodes, &["y"]).with(|model| {
            model.opset_import = vec![opset("", 13), opset("my", 1)];
            let body = vec![node("Shape", &["a"], &["n"]), node("Reshape", &["a", "n"], &["b"])];
            model.functions = vec![function(body, 13)];
        })
    };
    // The target is what `Shape` gives, and an attribute where that is the same in every call.
    let one = converted_with(&calls(&["x: float[2,6]"]), &to("4"));
    assert_eq!(one.functions[0].node.last().unwrap().attribute, [ints("shape", &[2, 6])]);
    let same = converted_with(&calls(&["x: float[2,6]", "v: float[2,6]"]), &to("4"));
    assert_eq!(same.functions, one.functions);
    for other in ["v: float[3,6]", "v: float[N,6]", "v: float"] {
        let refused = refused_with(&calls(&["x: float[2,6]", other]), &to("4"));
        assert_eq!(refused, ["conversion-input function my::F#1"], "{other}");
    }
}

#[test]
fn a_function_stands_in_for_an_operator() {
    // The function `ai.onnx::Reshape` is what the node calls, at every opset.
    let model = model(&["x: float[2,6]"], vec![old_reshape("x", "y")], &["y"]).with(|model| {
        model.opset_import = vec![opset("", 4)];
        let identity = node("Identity", &["a"], &["b"]);
        model.functions = vec![function(vec![identity], 4).with(|function| {
            (function.name, function.domain) = ("Reshape".into(), "ai.onnx".into());
            function.attribute = vec!["shape".into()];
        })];
    });
    let written = converted_with(&model, &to("13"));
    assert_eq!(written.graph, model.graph);
    assert_eq!(written.functions[0].opset_import, [opset("", 13)]);
}

#[test]
fn attributes_by_reference() {
    let by_reference = |op_type: &str, name: &str, kind, version, default: Option<i64>| {
        let reference = attribute(
            AttributeProto { name: name.into(), ref_attr_name: "k".into(), ..AttributeProto::default() },
            kind,
        );
        let body = node(op_type, &["a"], &["b"]).with(|node| node.attribute = vec![reference]);
        calling(vec![body], version, version).with(|model| {
            match default {
                Some(default) => model.functions[0].attribute_proto = vec![int("k", default)],
                None => model.functions[0].attribute = vec!["k".into()],
            }
            model.ir_version = Some(9);
        })
    };
    // `keepdims` is the same in each version, but another version reads it with other axes.
    let kept = by_reference("ArgMax", "axis", AttributeKind::Int, 12, None);
    assert_eq!(converted_with(&kept, &to("13")).functions[0].node, kept.functions[0].node);
    // The default of `axis` changed: that of a call without `k` is not known.
    let changed = |default| by_reference("Softmax", "axis", AttributeKind::Int, 12, default);
    assert_eq!(refused_with(&changed(None), &to("13")), ["conversion-attribute function my::F#0"]);
    assert_eq!(refused_with(&changed(Some(-1)), &to("13")), ["conversion-attribute function my::F#0"]);
    // It would become an input, or be dropped.
    let moved = by_reference("Reshape", "shape", AttributeKind::Ints, 4, None).with(|model| {
        model.graph.as_mut().unwrap().node[0].attribute = vec![ints("k", &[3, 4])];
    });
    assert_eq!(refused_with(&moved, &to("13")), ["conversion-attribute function my::F#0"]);
    let dropped = by_reference("Shape", "start", AttributeKind::Int, 15, Some(0));
    assert_eq!(refused_with(&dropped, &to("13")), ["conversion-attribute function my::F#0"]);
}

/// `y = Reshape-1(x)`, and training that reshapes `y` again and sets `w`.
fn trained(step: Vec<NodeProto>) -> ModelProto {
    let training = TrainingInfoProto {
        initialization: Some(graph(&[], vec![], &[])),
        algorithm: Some(graph(&["z: float[3,4]"], step, &["w_new"])),
        update_binding: vec![StringStringEntryProto { key: "w".into(), value: "w_new".into() }],
        ..TrainingInfoProto::default()
    };
    in_graph(
        model(&["x: float[2,6]"], vec![old_reshape("x", "y"), node("Abs", &["w"], &["v"])], &["y", "v"]),
        |graph| {
            graph.initializer = vec![initializer("w", &[3, 4])];
        },
    )
    .with(|model| {
        model.opset_import = vec![opset("", 4)];
        model.training_info = vec![training];
    })
}

#[test]
fn graphs_of_training() {
    let step = vec![node("Add", &["y", "z"], &["s"]), old_reshape("s", "w_new")];
    let first = trained(step);
    let (run, second) = convert(&first, &to("6"));
    let second = second.unwrap_or_else(|| panic!("{run:?}"));
    let algorithm = second.training_info[0].algorithm.as_ref().unwrap();
    assert_eq!(algorithm.node[1].input, ["s", "w_new_shape"]);
    assert_eq!(algorithm.initializer.len(), 1);
    assert_eq!(run.json()["nodes"][1]["graph"], "training_info/0.algorithm");
    assert_eq!(converted_with(&second, &to("4")), first);
    // Refused where a node of training has to change and cannot, and nowhere else.
    let lost = trained(vec![unsaturated("z", "w_new")]);
    let lost = in_graph(lost, |graph| graph.node.remove(0).input.clear()).with(|model| {
        model.graph.as_mut().unwrap().node.insert(0, node("Abs", &["x"], &["y"]));
        model.opset_import = vec![opset("", 19)];
        model.ir_version = Some(9);
    });
    assert_eq!(refused_with(&lost, &to("13")), ["conversion-attribute training_info/0.algorithm#0"]);
    converted_with(&lost, &to("21"));
}

#[test]
fn what_training_sets_is_no_constant() {
    let target = |set: &str| {
        reshape("x: float[2,6]", int64s("t", &[1], &[12]), &["y"]).with(|model| {
            let training = TrainingInfoProto {
                algorithm: Some(graph(&[], vec![node("Shape", &["x"], &["t_new"])], &["t_new"])),
                update_binding: vec![StringStringEntryProto { key: set.into(), value: "t_new".into() }],
                ..TrainingInfoProto::default()
            };
            model.graph.as_mut().unwrap().initializer.push(int64s("other", &[1], &[1]));
            model.training_info = vec![training];
        })
    };
    converted_with(&target("other"), &to("4"));
    assert_eq!(refused_with(&target("t"), &to("4")), ["conversion-input graph#0"]);
}

#[test]
fn an_ir_version_is_raised_where_an_opset_needs_it() {
    let at = |ir_version| one_at(13).with(|model| model.ir_version = Some(ir_version));
    for (from, opset, to_version) in [(7, "14", 7), (7, "15", 8), (8, "28", 14), (12, "28", 14), (14, "13", 14)] {
        assert_eq!(converted_with(&at(from), &to(opset)).ir_version, Some(to_version), "{from}, {opset}");
    }
    let folder = Folder::new();
    folder.model("model.onnx", &at(7));
    let run = folder.shape(["convert", "model.onnx", "--opset", "15", "-o", "out.onnx"]);
    assert_eq!(run.notes, "wrote out.onnx: converted from opset 13 to 15, IR version 7 to 8, 0 nodes changed\n");
    let json = convert(&at(7), &to("15")).0.json();
    assert_eq!(json["ir_version"], serde_json::json!({"from": 7, "to": 8}));
    // Before IR 3 no opset is imported.
    let first = one_at(1).with(|model| {
        model.ir_version = Some(2);
        model.opset_import.clear();
    });
    let later = converted_with(&first, &to("13"));
    assert_eq!((later.ir_version, later.opset_import), (Some(7), vec![opset("", 13)]));
    let alone = converted_with(&first, &["--ir-version", "3"]);
    assert_eq!((alone.ir_version, alone.opset_import), (Some(3), vec![opset("", 1)]));
}

#[test]
fn an_ir_version_alone() {
    let first = one_at(13).with(|model| model.ir_version = Some(10));
    let (run, second) = convert(&first, &["--ir-version", "7"]);
    assert_eq!(second.unwrap(), first.clone().with(|model| model.ir_version = Some(7)));
    assert_eq!(run.notes, "wrote out.onnx: converted from IR version 10 to 7, 0 nodes changed\n");
    let json = run.json();
    assert_eq!((&json["from"], &json["to"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    // Without a change all of it stays.
    let (run, same) = convert(&first, &["--ir-version", "10"]);
    assert_eq!(same.unwrap(), first);
    assert_eq!(run.notes, "wrote out.onnx: nothing to convert, 0 nodes changed\n");
}

#[test]
fn what_an_ir_version_does_not_have() {
    let at = |version, change: &dyn Fn(&mut ModelProto)| {
        one_at(version).with(|model| {
            model.ir_version = Some(14);
            change(model);
        })
    };
    let graph_of = |model: &mut ModelProto, change: &dyn Fn(&mut shape_model::file::proto::GraphProto)| {
        change(model.graph.as_mut().unwrap());
    };
    let entry = || vec![StringStringEntryProto { key: "k".into(), value: "v".into() }];
    let cases: [(&str, ModelProto, i64); 7] = [
        ("opset", at(15, &|_| ()), 8),
        ("metadata", at(9, &|model| graph_of(model, &|graph| graph.node[0].metadata_props = entry())), 10),
        ("function", calling(vec![node("Abs", &["a"], &["b"])], 13, 13).with(|model| model.ir_version = Some(14)), 8),
        (
            "training",
            at(9, &|model| {
                model.training_info = vec![TrainingInfoProto::default()];
            }),
            7,
        ),
        (
            "element",
            at(9, &|model| {
                graph_of(model, &|graph| {
                    graph.input.push(value("f: float8e4m3fn[2]"));
                });
            }),
            9,
        ),
        (
            "element of a sequence",
            at(9, &|model| {
                graph_of(model, &|graph| graph.input.push(value("f: int4[2]")));
            }),
            10,
        ),
        (
            "quantization",
            at(1, &|model| {
                graph_of(model, &|graph| {
                    let of =
                        shape_model::file::proto::TensorAnnotation { tensor_name: "x".into(), ..Default::default() };
                    graph.quantization_annotation = vec![of];
                });
            }),
            5,
        ),
    ];
    for (what, model, needed) in cases {
        let with = |version: i64| ["--ir-version".to_owned(), version.to_string()];
        let (run, written) = convert(&model, &with(needed).each_ref().map(|text| &**text));
        assert_eq!(written.and_then(|written| written.ir_version), Some(needed), "{what}: {run:?}");
        let refused = refused_with(&model, &with(needed - 1).each_ref().map(|text| &**text));
        assert!(refused.iter().all(|found| found.starts_with("conversion-unknown")), "{what}: {refused:?}");
    }
}

#[test]
fn initializers_are_inputs_below_ir_4() {
    let names = |model: &ModelProto| -> Vec<String> {
        model.graph.as_ref().unwrap().input.iter().map(|input| input.name.clone()).collect()
    };
    let first = reshape("x: float[2,6]", int64s("t", &[1], &[12]), &["y"]).with(|model| {
        model.opset_import = vec![opset("", 7)];
        model.ir_version = Some(4);
    });
    let older = converted_with(&first, &["--ir-version", "3"]);
    assert_eq!(names(&older), ["x", "t"]);
    assert_eq!(older.graph.as_ref().unwrap().input[1], value("t: int64[1]"));
    assert_eq!(converted_with(&older, &["--ir-version", "4"]), first);
    // Together with an opset at which the initializer is an attribute, it is neither.
    let oldest = converted_with(&first, &["--ir-version", "3", "--opset", "4"]);
    assert_eq!(names(&oldest), ["x"]);
    assert!(oldest.graph.as_ref().unwrap().initializer.is_empty());
    // A newer opset raises the IR version, and the inputs go with it.
    assert_eq!(names(&converted_with(&older, &to("9"))), ["x"]);
    // What is an initializer of a graph in a node cannot become an input.
    let body = graph(&[], vec![node("Add", &["x", "c"], &["r"])], &["r"]);
    let nested = in_graph(first, |main| {
        let body = body.with(|body| body.initializer = vec![initializer("c", &[2, 6])]);
        main.node.push(node("If", &["b"], &["z"]).with(|node| {
            node.attribute = vec![subgraph("then_branch", body.clone()), subgraph("else_branch", body)];
        }));
        main.input.push(value("b: bool"));
    });
    let refused = refused_with(&nested, &["--ir-version", "3"]);
    assert_eq!(refused, ["conversion-unknown graph/1:If.then_branch", "conversion-unknown graph/1:If.else_branch"]);
}

#[test]
fn several_domains() {
    let binarizer = node("Binarizer", &["x"], &["y"]).with(|node| node.domain = "ai.onnx.ml".into());
    let trees = |imports: &[(&str, i64)]| {
        model(&["x: float[2,3]"], vec![binarizer.clone()], &["y"]).with(|model| {
            model.opset_import = imports.iter().map(|(domain, version)| opset(domain, *version)).collect();
        })
    };
    let versions = |model: &ModelProto| -> Vec<(String, i64)> {
        model.opset_import.iter().map(|import| (import.domain.clone(), import.version.unwrap())).collect()
    };
    // Without ai.onnx.
    let alone = trees(&[("ai.onnx.ml", 1)]);
    let written = converted_with(&alone, &to("ai.onnx.ml=3"));
    assert_eq!(versions(&written), [("ai.onnx.ml".to_owned(), 3)]);
    assert_eq!(refused_with(&alone, &to("21")), ["domain-not-imported"]);
    let (run, written) = convert(&alone, &["--opset", "21", "--opset", "ai.onnx.ml=3"]);
    assert_eq!(versions(&written.unwrap()), [("ai.onnx.ml".to_owned(), 3)]);
    assert_eq!(
        run.notes,
        "the model does not import ai.onnx: no opset of it is set\n\
         wrote out.onnx: converted from ai.onnx.ml 1 to 3, 0 nodes changed\n"
    );
    // Beside it, each by its own number; and a domain that no option names stays.
    let both = trees(&[("", 9), ("ai.onnx.ml", 1)]);
    let written = converted_with(&both, &["--opset", "18", "--opset", "ai.onnx.ml=3"]);
    assert_eq!(versions(&written), [(String::new(), 18), ("ai.onnx.ml".to_owned(), 3)]);
    assert_eq!(versions(&converted_with(&both, &to("18"))), [(String::new(), 18), ("ai.onnx.ml".to_owned(), 1)]);
    // The opset of ai.onnx.ml needs an IR version too.
    assert_eq!(converted_with(&alone, &to("ai.onnx.ml=5")).ir_version, Some(10));
    // A node of it that is too new.
    let tree = node("TreeEnsemble", &["x"], &["y"]).with(|node| {
        node.domain = "ai.onnx.ml".into();
        let one = |name: &&str| ints(name, &[0]);
        let both = ["nodes_trueleafs", "nodes_falseleafs"];
        let lists = ["leaf_targetids", "nodes_falsenodeids", "nodes_featureids", "nodes_truenodeids", "tree_roots"];
        node.attribute = lists.iter().map(one).chain(both.iter().map(|name| ints(name, &[1]))).collect();
        for (name, element, byte) in [("leaf_weights", 1, 4), ("nodes_splits", 1, 4), ("nodes_modes", 2, 1)] {
            let tensor = TensorProto {
                dims: vec![1],
                data_type: Some(element),
                raw_data: Some(vec![0; byte].into()),
                ..TensorProto::default()
            };
            let value = AttributeProto { name: name.into(), t: Some(Box::new(tensor)), ..AttributeProto::default() };
            node.attribute.push(attribute(value, AttributeKind::Tensor));
        }
    });
    let newer = in_graph(trees(&[("ai.onnx.ml", 5)]), |graph| graph.node = vec![tree])
        .with(|model| model.ir_version = Some(10));
    assert_eq!(refused_with(&newer, &to("ai.onnx.ml=3")), ["operator-too-new graph#0"]);
}

#[test]
fn elements_in_other_files_stay_where_they_are() {
    let folder = Folder::new();
    let entry = |key: &str, value: &str| StringStringEntryProto { key: key.into(), value: value.into() };
    let outside = TensorProto {
        data_location: Some(DataLocation::External.number()),
        external_data: vec![entry("location", "data.bin"), entry("offset", "8"), entry("length", "16")],
        raw_data: None,
        ..int64s("w", &[2], &[0, 0])
    };
    let add = node("Add", &["v", "w"], &["z"]);
    let model =
        in_graph(model(&["x: float[2,6]", "v: int64[2]"], vec![old_reshape("x", "y"), add], &["y", "z"]), |graph| {
            graph.initializer = vec![outside.clone()];
        })
        .with(|model| model.opset_import = vec![opset("", 7)]);
    let model = in_graph(model, |graph| {
        graph.initializer.push(int64s("t", &[2], &[3, 4]));
        graph.node[0] = node("Reshape", &["x", "t"], &["y"]);
    });
    folder.model("model.onnx", &model);
    folder.write("data.bin", [0; 24]);
    let run = folder.shape(["convert", "model.onnx", "--opset", "13", "-o", "out.onnx"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(folder.read("out.onnx").graph.unwrap().initializer[0], outside);
    assert_eq!(folder.shape(["check", "out.onnx"]).code, 0);
    assert_eq!(fs::read(folder.path().join("data.bin")).unwrap(), [0; 24]);
}
