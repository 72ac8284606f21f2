//! The order of nodes, imports, and names.

use shape_model::Safety;
use shape_model::file::proto::{ModelProto, NodeProto};

use super::models::{Case, branches, broken, fixed, function, hold, named, node, of_domain, opset, plain, told, with};

#[test]
fn nodes_are_sorted() {
    let reversed = |model: ModelProto| with(model, |_, graph| graph.node.reverse());
    let inner = || vec![node("Neg", &["x"], &["n"]), node("Abs", &["n"], &["t"])];
    let mut wrong = inner();
    wrong.reverse();
    let with_function = |nodes: Vec<NodeProto>| {
        broken(|model, graph| {
            graph.node = vec![of_domain("my", node("F", &["x"], &["y"]))];
            model.functions = vec![function(nodes)];
            model.opset_import.push(opset("my", 1));
        })
    };
    let body = || vec![node("Neg", &["a"], &["n"]), node("Abs", &["n"], &["b"])];
    let mut wrong_body = body();
    wrong_body.reverse();
    // What a branch reads from around it counts too, and the branch keeps what is in it.
    let around = |first: bool| {
        with(branches(vec![node("Abs", &["n"], &["t"])]), |_, graph| {
            graph.node.insert(if first { 0 } else { 1 }, node("Neg", &["x"], &["n"]));
        })
    };
    hold(
        vec![
            Case {
                broken: reversed(plain()),
                told: &[
                    "value-undefined safe: sorts the nodes, of which 2 of 2 get other places | node 0 (Relu), node 1 (Abs) \
                     -> node 1 (Abs), node 0 (Relu)",
                ],
                fixed: plain(),
            },
            Case {
                broken: branches(wrong),
                told: &[
                    "value-undefined safe in graph/0:If.then_branch: sorts the nodes, of which 2 of 2 get other places | \
                     node 0 (Abs), node 1 (Neg) -> node 1 (Neg), node 0 (Abs)",
                ],
                fixed: branches(inner()),
            },
            Case {
                broken: with_function(wrong_body),
                told: &[
                    "value-undefined safe in function my::F: sorts the nodes, of which 2 of 2 get other places | node 0 \
                     (Abs), node 1 (Neg) -> node 1 (Neg), node 0 (Abs)",
                ],
                fixed: with_function(body()),
            },
            Case {
                broken: around(false),
                told: &[
                    "value-undefined safe: sorts the nodes, of which 2 of 2 get other places | node 0 (If), node 1 (Neg) -> \
                     node 1 (Neg), node 0 (If)",
                ],
                fixed: around(true),
            },
        ],
        Safety::Safe,
    );
}

#[test]
fn nodes_that_cannot_be_sorted_stay() {
    let cycle = broken(|_, graph| graph.node[0].input[0] = "y".into());
    // Which of the two is read depends on the order.
    let twice = broken(|_, graph| {
        graph.node = vec![
            node("Relu", &["a"], &["b"]),
            node("Abs", &["x"], &["a"]),
            node("Neg", &["x"], &["a"]),
            node("Relu", &["b"], &["y"]),
        ];
    });
    let absent = broken(|_, graph| graph.node[0].input[0] = "nothing".into());
    for model in [cycle, twice, absent] {
        let (fixing, written) = fixed(&model, Safety::Unsafe).unwrap();
        assert_eq!((told(&fixing), written), (Vec::new(), model));
    }
}

#[test]
fn a_domain_is_imported_once() {
    let imports = |opsets: &[i64]| {
        let opsets: Vec<_> = opsets.iter().map(|version| opset("", *version)).collect();
        broken(|model, _| model.opset_import = opsets)
    };
    hold(
        vec![
            Case {
                broken: imports(&[17, 17]),
                told: &["opset-duplicate safe: keeps opset 17 of ai.onnx alone | ai.onnx 17, ai.onnx 17 -> ai.onnx 17"],
                fixed: plain(),
            },
            Case {
                broken: imports(&[9, 17]),
                told: &["opset-duplicate safe: keeps opset 17 of ai.onnx alone | ai.onnx 9, ai.onnx 17 -> ai.onnx 17"],
                fixed: plain(),
            },
            // Abs-13 and Relu-14 by both.
            Case {
                broken: imports(&[17, 15]),
                told: &["opset-duplicate safe: keeps opset 17 of ai.onnx alone | ai.onnx 17, ai.onnx 15 -> ai.onnx 17"],
                fixed: plain(),
            },
        ],
        Safety::Safe,
    );
    hold(
        vec![Case {
            broken: imports(&[17, 13]),
            told: &[
                "opset-duplicate unsafe: keeps opset 17 of ai.onnx alone; onnxruntime took opset 13, in which some nodes \
                 are of other versions | ai.onnx 17, ai.onnx 13 -> ai.onnx 17",
            ],
            fixed: plain(),
        }],
        Safety::Unsafe,
    );
}

#[test]
fn a_domain_is_imported_where_one_version_fits() {
    let of_function = |import: bool| {
        broken(|model, graph| {
            graph.node = vec![of_domain("my", node("F", &["x"], &["y"]))];
            model.functions = vec![function(vec![node("Abs", &["a"], &["b"])])];
            model.opset_import.extend(import.then(|| opset("my", 1)));
        })
    };
    let runtime = |import: bool| {
        broken(|model, graph| {
            graph.node[1] = of_domain("ai.onnx.ml", node("Scaler", &["a"], &["y"]));
            model.opset_import.extend(import.then(|| opset("ai.onnx.ml", 1)));
        })
    };
    // `Mish` came with opset 18, the last one of IR version 8, and has no other version there.
    let onnx = |import: bool| {
        broken(|model, graph| {
            graph.node = vec![node("Mish", &["x"], &["y"])];
            model.opset_import = if import { vec![opset("", 18)] } else { Vec::new() };
        })
    };
    hold(
        vec![
            Case {
                broken: of_function(false),
                told: &[
                    "domain-not-imported safe: imports my, whose nodes call functions of the model | nothing -> my 1",
                ],
                fixed: of_function(true),
            },
            Case {
                broken: runtime(false),
                told: &[
                    "domain-not-imported safe: imports opset 1 of ai.onnx.ml, which alone fits its nodes | nothing -> \
                     ai.onnx.ml 1",
                ],
                fixed: runtime(true),
            },
            Case {
                broken: onnx(false),
                told: &[
                    "opset-missing safe: imports opset 18 of ai.onnx, which alone fits its nodes | nothing -> ai.onnx 18",
                ],
                fixed: onnx(true),
            },
        ],
        Safety::Safe,
    );
    // Relu has several versions that take such a tensor, and nobody knows com.acme.
    let several = broken(|model, _| model.opset_import.clear());
    let acme = broken(|_, graph| graph.node[1].domain = "com.acme".into());
    for model in [several, acme] {
        let (fixing, written) = fixed(&model, Safety::Unsafe).unwrap();
        assert_eq!((told(&fixing), written), (Vec::new(), model));
    }
}

#[test]
fn names_are_given() {
    let unnamed = broken(|_, graph| graph.name.clear());
    let inside = |name: &str| {
        with(branches(vec![node("Abs", &["x"], &["t"])]), |_, graph| {
            graph.node[0].attribute[0].g.as_mut().unwrap().name = name.into();
        })
    };
    let nodes = |names: [&str; 3]| {
        broken(|_, graph| {
            graph.node = vec![
                named(names[0], node("Abs", &["x"], &["a"])),
                named(names[1], node("Neg", &["a"], &["b"])),
                named(names[2], node("Relu", &["b"], &["y"])),
            ];
        })
    };
    hold(
        vec![
            Case {
                broken: unnamed,
                told: &["field-missing safe: names the graph `graph` | nothing -> graph"],
                fixed: broken(|_, graph| graph.name = "graph".into()),
            },
            Case {
                broken: inside(""),
                told: &[
                    "field-missing safe in graph/0:If.then_branch: names the graph `then_branch` | nothing -> then_branch",
                ],
                fixed: inside("then_branch"),
            },
            Case {
                broken: nodes(["n", "n", "n_1"]),
                told: &["node-name-duplicate safe: renames all but the first of 2 nodes called `n` | n, n -> n, n_2"],
                fixed: nodes(["n", "n_2", "n_1"]),
            },
            Case {
                broken: nodes(["n", "n", "n"]),
                told: &[
                    "node-name-duplicate safe: renames all but the first of 3 nodes called `n` | n, n, n -> n, n_1, n_2",
                ],
                fixed: nodes(["n", "n_1", "n_2"]),
            },
        ],
        Safety::Safe,
    );
}
