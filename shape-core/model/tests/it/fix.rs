//! Broken models, what is said of each fix, and what comes out.

use shape_core::DataType;
use shape_core::node::AttributeKind;
use shape_model::file::Message as _;
use shape_model::file::proto::{
    AttributeProto, Dimension, DimensionValue, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    StringStringEntryProto, TensorAnnotation, TensorProto, TensorShapeProto, TensorType, TrainingInfoProto, TypeProto,
    TypeValue, ValueInfoProto,
};
use shape_model::fix::{Fixing, fix, suggest};
use shape_model::{ModelFile, Options, Safety, check};

type Failure = Box<dyn std::error::Error>;

fn node(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input: names(inputs), output: names(outputs), ..NodeProto::default() }
}

fn named(name: &str, node: NodeProto) -> NodeProto {
    NodeProto { name: name.into(), ..node }
}

fn of_domain(domain: &str, node: NodeProto) -> NodeProto {
    NodeProto { domain: domain.into(), ..node }
}

fn opset(domain: &str, version: i64) -> OperatorSetIdProto {
    OperatorSetIdProto { domain: domain.into(), version: Some(version) }
}

fn typed(element: DataType, dims: &[i64]) -> TypeProto {
    let dim = |size: &i64| Dimension { value: Some(DimensionValue::DimValue(*size)), ..Dimension::default() };
    let shape = Some(TensorShapeProto { dim: dims.iter().map(dim).collect() });
    let tensor = TensorType { elem_type: Some(element.number().into()), shape };
    TypeProto { value: Some(TypeValue::TensorType(tensor)), ..TypeProto::default() }
}

fn value(name: &str, dims: &[i64]) -> ValueInfoProto {
    ValueInfoProto { name: name.into(), r#type: Some(typed(DataType::Float, dims)), ..ValueInfoProto::default() }
}

fn constant(name: &str, numbers: &[f32]) -> TensorProto {
    TensorProto {
        name: name.into(),
        dims: vec![i64::try_from(numbers.len()).unwrap_or(0)],
        data_type: Some(DataType::Float.number().into()),
        raw_data: Some(numbers.iter().flat_map(|number| number.to_le_bytes()).collect()),
        ..TensorProto::default()
    }
}

/// `y = Relu(Abs(x))`, which is in order.
fn plain() -> ModelProto {
    let graph = GraphProto {
        name: "g".into(),
        node: vec![node("Abs", &["x"], &["a"]), node("Relu", &["a"], &["y"])],
        input: vec![value("x", &[2])],
        output: vec![value("y", &[2])],
        ..GraphProto::default()
    };
    ModelProto { ir_version: Some(8), opset_import: vec![opset("", 17)], graph: Some(graph), ..ModelProto::default() }
}

fn with(mut model: ModelProto, change: impl FnOnce(&mut ModelProto, &mut GraphProto)) -> ModelProto {
    let mut graph = model.graph.take().unwrap_or_default();
    change(&mut model, &mut graph);
    model.graph = Some(graph);
    model
}

fn broken(change: impl FnOnce(&mut ModelProto, &mut GraphProto)) -> ModelProto {
    with(plain(), change)
}

/// `y = if c { nodes } else { Abs(x) }`; the nodes give `t`.
fn branches(nodes: Vec<NodeProto>) -> ModelProto {
    let branch = |name: &str, nodes: Vec<NodeProto>, output: &str| AttributeProto {
        name: name.into(),
        r#type: Some(AttributeKind::Graph.number()),
        g: Some(Box::new(GraphProto {
            name: name.into(),
            node: nodes,
            output: vec![value(output, &[2])],
            ..GraphProto::default()
        })),
        ..AttributeProto::default()
    };
    broken(|_, graph| {
        let attribute =
            vec![branch("then_branch", nodes, "t"), branch("else_branch", vec![node("Abs", &["x"], &["e"])], "e")];
        let condition =
            ValueInfoProto { name: "c".into(), r#type: Some(typed(DataType::Bool, &[])), ..ValueInfoProto::default() };
        graph.node = vec![NodeProto { attribute, ..node("If", &["c"], &["y"]) }];
        graph.input.push(condition);
    })
}

/// The function `my::F`, `b = nodes(a)`.
fn function(nodes: Vec<NodeProto>) -> FunctionProto {
    FunctionProto {
        name: "F".into(),
        domain: "my".into(),
        input: vec!["a".into()],
        output: vec!["b".into()],
        node: nodes,
        opset_import: vec![opset("", 17)],
        ..FunctionProto::default()
    }
}

fn open(model: &ModelProto) -> Result<ModelFile, Failure> {
    Ok(ModelFile::from_bytes(model.encode_to_vec().into())?)
}

/// What is repaired, and the model that is written. A second time there is nothing to do.
fn fixed(model: &ModelProto, allowed: Safety) -> Result<(Fixing, ModelProto), Failure> {
    let file = open(model)?;
    let fixing = fix(&file, &Options::of(&file), allowed)?;
    let mut written = Vec::new();
    file.rewrite_to(&fixing.edit, &mut written)?;
    let again = ModelFile::from_bytes(written.clone().into())?;
    let second = fix(&again, &Options::of(&again), allowed)?;
    if !second.fixes.is_empty() {
        return Err(format!("a second time: {:?}", second.fixes).into());
    }
    let mut left = check(again.model(), &Options::of(&again))?;
    suggest(&again, &Options::of(&again), &mut left);
    if left != fixing.findings {
        return Err("what is written has other findings than was said".into());
    }
    Ok((fixing, ModelProto::decode(written)?))
}

/// Each fix on a line, as `code safety: message | before -> after`, and its graph if it is not the main one.
fn told(fixing: &Fixing) -> Vec<String> {
    let one = |fix: &shape_model::fix::Fix| {
        let graph = if matches!(&*fix.graph, "" | "graph") { String::new() } else { format!(" in {}", fix.graph) };
        let change = match (&fix.before, &fix.after) {
            (None, None) => String::new(),
            (before, after) => {
                format!(" | {} -> {}", before.as_deref().unwrap_or("nothing"), after.as_deref().unwrap_or("nothing"))
            }
        };
        format!("{} {}{graph}: {}{change}", fix.code, fix.safety, fix.message)
    };
    fixing.fixes.iter().map(one).collect()
}

#[test]
fn what_is_in_order_stays() {
    for model in [plain(), branches(vec![node("Abs", &["x"], &["t"])])] {
        let (fixing, written) = fixed(&model, Safety::Unsafe).unwrap();
        assert_eq!(told(&fixing), [""; 0]);
        assert_eq!(written, model);
    }
}

/// A broken model, what is said, and what it becomes.
struct Case {
    broken: ModelProto,
    told: &'static [&'static str],
    fixed: ModelProto,
}

/// All that is told and done for each case; with safe fixes alone nothing happens to those whose fixes are unsafe.
fn hold(cases: Vec<Case>, safety: Safety) {
    for Case { broken, told: expected, fixed: wanted } in cases {
        let (fixing, written) = fixed(&broken, safety).unwrap_or_else(|error| panic!("{expected:?}: {error}"));
        assert_eq!(told(&fixing), expected);
        assert_eq!(written, wanted, "{expected:?}");
        assert!(fixing.fixes.iter().all(|fix| fix.safety == safety));
        if safety == Safety::Unsafe {
            let (fixing, written) = fixed(&broken, Safety::Safe).unwrap();
            assert_eq!((told(&fixing), written), (Vec::new(), broken.clone()), "{expected:?}");
        }
        let file = open(&broken).unwrap();
        let mut findings = check(file.model(), &Options::of(&file)).unwrap();
        suggest(&file, &Options::of(&file), &mut findings);
        let answered = |fix: &shape_model::fix::Fix| {
            findings.iter().filter_map(|found| found.fix.as_ref()).any(|found| found.message == fix.message)
        };
        assert!(fixing.fixes.iter().any(answered), "{expected:?}: {findings:#?}");
    }
}

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

/// `y = x + w`, with these initializers.
fn sum(initializers: Vec<TensorProto>) -> ModelProto {
    broken(|_, graph| {
        graph.node = vec![node("Add", &["x", "w"], &["y"])];
        graph.initializer = initializers;
    })
}

#[test]
fn initializers_that_nothing_reads_are_removed() {
    let w = || constant("w", &[1.0, 2.0]);
    let stale = |model| with(model, |_, graph| graph.value_info = vec![value("u", &[2])]);
    hold(
        vec![
            Case {
                broken: sum(vec![constant("u", &[1.0]), w(), constant("v", &[1.0])]),
                told: &["initializer-unused safe: removes 2 initializers that nothing reads | u, v -> nothing"],
                fixed: sum(vec![w()]),
            },
            // What declares its type is of no value then.
            Case {
                broken: stale(sum(vec![constant("u", &[1.0, 2.0]), w()])),
                told: &[
                    "initializer-unused safe: removes an initializer that nothing reads | u -> nothing",
                    "value-info-unused safe: removes an entry of `value_info` for values that the model does not have | u \
                     -> nothing",
                ],
                fixed: sum(vec![w()]),
            },
            Case {
                broken: sum(vec![w(), constant("", &[3.0])]),
                told: &[
                    "field-missing safe: removes an initializer without a name, which nothing can read |  -> nothing",
                ],
                fixed: sum(vec![w()]),
            },
            Case {
                broken: sum(vec![w(), w(), w()]),
                told: &["value-redefined safe: keeps one of 3 equal initializers called `w` | w, w -> nothing"],
                fixed: sum(vec![w()]),
            },
        ],
        Safety::Safe,
    );
}

#[test]
fn initializers_that_something_reads_stay() {
    let u = || sum(vec![constant("w", &[1.0, 2.0]), constant("u", &[1.0, 2.0])]);
    let pair = |key: &str, value: &str| StringStringEntryProto { key: key.into(), value: value.into() };
    let branch = |graph: &mut GraphProto| graph.initializer = vec![constant("u", &[1.0, 2.0])];
    let training = GraphProto {
        name: "t".into(),
        node: vec![node("Neg", &["u"], &["v"])],
        output: vec![value("v", &[2])],
        ..GraphProto::default()
    };
    let models = [
        with(u(), |_, graph| graph.input.push(value("u", &[2]))),
        with(u(), |_, graph| graph.output.push(value("u", &[2]))),
        with(branches(vec![node("Abs", &["u"], &["t"])]), |_, graph| branch(graph)),
        with(u(), |_, graph| {
            graph.quantization_annotation = vec![TensorAnnotation {
                tensor_name: "y".into(),
                quant_parameter_tensor_names: vec![pair("SCALE_TENSOR", "u")],
            }];
        }),
        with(u(), |model, _| {
            let algorithm = Some(training);
            model.training_info = vec![TrainingInfoProto { algorithm, ..TrainingInfoProto::default() }];
        }),
        // Different tensors of one name: which one is meant?
        sum(vec![constant("w", &[1.0, 2.0]), constant("w", &[2.0, 1.0])]),
    ];
    for model in models {
        let (fixing, written) = fixed(&model, Safety::Unsafe).unwrap();
        assert_eq!((told(&fixing), written), (Vec::new(), model));
    }
}

#[test]
fn declarations_that_cannot_be_true_are_corrected() {
    let declared = |infos: Vec<ValueInfoProto>| broken(|_, graph| graph.value_info = infos);
    let int = |name: &str| ValueInfoProto {
        name: name.into(),
        r#type: Some(typed(DataType::Int64, &[2])),
        ..ValueInfoProto::default()
    };
    let in_branch = |dims: &[i64]| {
        with(branches(vec![node("Neg", &["x"], &["n"]), node("Abs", &["n"], &["t"])]), |_, graph| {
            graph.node[0].attribute[0].g.as_mut().unwrap().value_info = vec![value("n", dims)];
        })
    };
    // The type of `n` is known only once the nodes are in order.
    let unsorted = |sorted: bool, dims: &[i64]| {
        with(in_branch(dims), |_, graph| {
            if !sorted {
                graph.node[0].attribute[0].g.as_mut().unwrap().node.reverse();
            }
        })
    };
    hold(
        vec![
            Case {
                broken: declared(vec![value("a", &[3]), value("gone", &[1])]),
                told: &[
                    "value-info-unused safe: removes an entry of `value_info` for values that the model does not have | \
                     gone -> nothing",
                    "output-dims safe: sets the type of `a` in `value_info`, which its node contradicts | float[3] -> \
                     float[2]",
                ],
                fixed: declared(vec![value("a", &[2])]),
            },
            Case {
                broken: declared(vec![int("a")]),
                told: &[
                    "output-type safe: sets the type of `a` in `value_info`, which its node contradicts | int64[2] -> \
                     float[2]",
                ],
                fixed: declared(vec![value("a", &[2])]),
            },
            Case {
                broken: in_branch(&[7]),
                told: &[
                    "output-dims safe in graph/0:If.then_branch: sets the type of `n` in `value_info`, which its node \
                     contradicts | float[7] -> float[2]",
                ],
                fixed: in_branch(&[2]),
            },
            Case {
                broken: unsorted(false, &[7]),
                told: &[
                    "value-undefined safe in graph/0:If.then_branch: sorts the nodes, of which 2 of 2 get other places | \
                     node 0 (Abs), node 1 (Neg) -> node 1 (Neg), node 0 (Abs)",
                    "output-dims safe in graph/0:If.then_branch: sets the type of `n` in `value_info`, which its node \
                     contradicts | float[7] -> float[2]",
                ],
                fixed: unsorted(true, &[2]),
            },
        ],
        Safety::Safe,
    );
    let output = |dims: &[i64]| broken(|_, graph| graph.output = vec![value("y", dims)]);
    let open = |info: ValueInfoProto| {
        let mut info = info;
        if let Some(TypeValue::TensorType(tensor)) = info.r#type.as_mut().and_then(|ty| ty.value.as_mut()) {
            tensor.shape = Some(TensorShapeProto { dim: vec![Dimension::default()] });
        }
        info
    };
    hold(
        vec![
            Case {
                broken: output(&[3]),
                told: &[
                    "output-dims unsafe: sets the declared type of the graph output `y`, which its node contradicts | \
                     float[3] -> float[2]",
                ],
                fixed: plain(),
            },
            Case {
                broken: broken(|_, graph| graph.input = vec![value("x", &[-1])]),
                told: &["dims-minus-one unsafe: leaves dimension 0 of `x` open | -1 -> float[?]"],
                fixed: broken(|_, graph| graph.input = vec![open(value("x", &[1]))]),
            },
        ],
        Safety::Unsafe,
    );
    hold(
        vec![Case {
            broken: declared(vec![value("a", &[-1])]),
            told: &["dims-minus-one safe: leaves dimension 0 of `a` open | -1 -> float[?]"],
            fixed: declared(vec![open(value("a", &[1]))]),
        }],
        Safety::Safe,
    );
}

#[test]
fn the_ir_version_is_raised() {
    let at = |ir_version, opsets: &[i64]| {
        let opsets: Vec<_> = opsets.iter().map(|version| opset("", *version)).collect();
        broken(|model, _| (model.ir_version, model.opset_import) = (Some(ir_version), opsets))
    };
    let old = |ir_version: i64, is_input: bool| {
        with(sum(vec![constant("w", &[1.0, 2.0])]), |model, graph| {
            (model.ir_version, model.opset_import) = (Some(ir_version), vec![opset("", 9)]);
            graph.input.extend(is_input.then(|| value("w", &[2])));
        })
    };
    hold(
        vec![
            Case {
                broken: at(3, &[17]),
                told: &[
                    "ir-version-too-old safe: raises the IR version to 8, the lowest that has what the model uses | IR \
                     version 3 -> IR version 8",
                ],
                fixed: at(8, &[17]),
            },
            Case {
                broken: old(3, false),
                told: &[
                    "ir-version-too-old safe: raises the IR version to 4, the lowest that has what the model uses | IR \
                     version 3 -> IR version 4",
                ],
                fixed: old(4, false),
            },
        ],
        Safety::Safe,
    );
    hold(
        vec![Case {
            broken: old(3, true),
            told: &[
                "ir-version-too-old unsafe: raises the IR version to 4, and removes the inputs that are initializers, which \
                 stay constants so | IR version 3 -> IR version 4",
            ],
            fixed: old(4, false),
        }],
        Safety::Unsafe,
    );
}

/// Each edit is of what those before it left.
#[test]
fn many_fixes_of_one_model() {
    let model = with(
        branches(vec![named("n", node("Abs", &["m"], &["t"])), named("n", node("Neg", &["k"], &["m"]))]),
        |model, graph| {
            model.opset_import = vec![opset("", 17), opset("ai.onnx", 17)];
            model.ir_version = Some(7);
            graph.name.clear();
            graph.initializer =
                vec![constant("", &[1.0]), constant("u", &[1.0]), constant("w", &[1.0, 2.0]), constant("v", &[1.0])];
            graph.value_info = vec![value("gone", &[1]), value("k", &[3]), value("gone too", &[1])];
            graph.node.push(node("Add", &["x", "w"], &["k"]));
            graph.node[0].attribute[0].g.as_mut().unwrap().value_info = vec![value("m", &[5])];
        },
    );
    let wanted = with(
        branches(vec![named("n", node("Neg", &["k"], &["m"])), named("n_1", node("Abs", &["m"], &["t"]))]),
        |_, graph| {
            graph.name = "graph".into();
            graph.initializer = vec![constant("w", &[1.0, 2.0])];
            graph.value_info = vec![value("k", &[2])];
            graph.node.insert(0, node("Add", &["x", "w"], &["k"]));
            graph.node[1].attribute[0].g.as_mut().unwrap().value_info = vec![value("m", &[2])];
        },
    );
    let (fixing, written) = fixed(&model, Safety::Safe).unwrap();
    assert_eq!(written, wanted, "{:#?}", told(&fixing));
    assert_eq!(fixing.findings, []);
    // Places are those of the model as it was.
    let graphs: Vec<&str> = fixing.fixes.iter().map(|fix| &*fix.graph).filter(|graph| graph.contains('/')).collect();
    assert!(graphs.iter().all(|graph| *graph == "graph/0:If.then_branch"), "{graphs:?}");
    assert!(graphs.len() >= 3, "{graphs:?}");
    let file = open(&model).unwrap();
    let mut findings = check(file.model(), &Options::of(&file)).unwrap();
    suggest(&file, &Options::of(&file), &mut findings);
    let without: Vec<_> = findings.iter().filter(|found| found.fix.is_none()).collect();
    assert!(without.is_empty(), "{without:#?}");
}

/// A fix that shows an error which nothing corrects is not made; others are.
#[test]
fn a_fix_that_brings_an_error_is_not_made() {
    let error = |unused: bool| {
        broken(|_, graph| {
            graph.node = vec![node("Add", &["a", "w"], &["y"]), node("Abs", &["x"], &["a"])];
            graph.initializer = vec![constant("w", &[1.0, 2.0, 3.0])];
            graph.initializer.extend(unused.then(|| constant("u", &[1.0])));
            graph.output = vec![ValueInfoProto { name: "y".into(), ..ValueInfoProto::default() }];
        })
    };
    let declaration = |unused: bool| {
        broken(|_, graph| {
            graph.node.reverse();
            graph.initializer.extend(unused.then(|| constant("u", &[1.0])));
            graph.output = vec![value("y", &[3])];
        })
    };
    for (model, safety) in [(&error as &dyn Fn(bool) -> _, Safety::Unsafe), (&declaration, Safety::Safe)] {
        let (fixing, written) = fixed(&model(true), safety).unwrap();
        assert_eq!(
            told(&fixing),
            ["initializer-unused safe: removes an initializer that nothing reads | u -> nothing"]
        );
        assert_eq!(written, model(false));
    }
}

/// An output that is an input too has one declaration in each list, and the input's is for the caller.
#[test]
fn the_declaration_of_an_input_stays() {
    let model = broken(|_, graph| graph.output.push(value("x", &[3])));
    let (fixing, written) = fixed(&model, Safety::Unsafe).unwrap();
    assert_eq!((told(&fixing), written), (Vec::new(), model));
}

/// A safe fix that shows what an unsafe one corrects needs the same leave.
#[test]
fn a_safe_fix_may_need_an_unsafe_one() {
    let model = broken(|_, graph| {
        graph.node.reverse();
        graph.output = vec![value("y", &[3])];
    });
    let (fixing, written) = fixed(&model, Safety::Safe).unwrap();
    assert_eq!((told(&fixing), &written), (Vec::new(), &model));
    let (fixing, written) = fixed(&model, Safety::Unsafe).unwrap();
    assert_eq!((fixing.fixes.len(), written), (2, plain()));
    let file = open(&model).unwrap();
    let mut findings = check(file.model(), &Options::of(&file)).unwrap();
    suggest(&file, &Options::of(&file), &mut findings);
    let safeties: Vec<_> = findings.iter().map(|found| found.fix.as_ref().map(|fix| fix.safety)).collect();
    assert_eq!(safeties, [Some(Safety::Unsafe)], "{findings:?}");
}
