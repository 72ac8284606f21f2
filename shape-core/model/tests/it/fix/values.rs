//! Initializers, declared types, and the IR version.

use shape_core::DataType;
use shape_model::Safety;
use shape_model::file::proto::{
    Dimension, GraphProto, ModelProto, StringStringEntryProto, TensorAnnotation, TensorProto, TensorShapeProto,
    TrainingInfoProto, TypeValue, ValueInfoProto,
};

use super::models::{Case, branches, broken, constant, fixed, hold, node, opset, plain, told, typed, value, with};

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
    let any_size = || {
        broken(|_, graph| (graph.input, graph.output) = (vec![open(value("x", &[1]))], vec![open(value("y", &[1]))]))
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
                broken: with(any_size(), |_, graph| graph.input = vec![value("x", &[-1])]),
                told: &["dims-minus-one unsafe: leaves dimension 0 of `x` open | -1 -> float[?]"],
                fixed: any_size(),
            },
            Case {
                broken: with(any_size(), |_, graph| graph.output = vec![value("y", &[2])]),
                told: &[
                    "dims-fixed unsafe: sets the declared type of the graph output `y`, which its node contradicts | \
                     float[2] -> float[?]",
                ],
                fixed: any_size(),
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

/// An output that is an input too has one declaration in each list, and the input's is for the caller.
#[test]
fn the_declaration_of_an_input_stays() {
    let model = broken(|_, graph| graph.output.push(value("x", &[3])));
    let (fixing, written) = fixed(&model, Safety::Unsafe).unwrap();
    assert_eq!((told(&fixing), written), (Vec::new(), model));
}
