//! `shape simplify`: what each pass does, and what it leaves alone.

use std::path::Path;

use shape_core::DataType;
use shape_model::file::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OptionalType, StringStringEntryProto, TensorAnnotation,
    TensorProto, TypeValue,
};

use crate::model::{
    Change as _, acme, function, graph, in_graph, initializer, int, int64s, ints, model, node, of, opset, subgraph,
    tensor_type, value, with_acme,
};
use crate::run::{Folder, Run};

/// The simplified model and what was said; simplified again it is the same, and it has no error.
fn simplify(model: &ModelProto, args: &[&str]) -> (ModelProto, Run) {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    let run = folder.shape(["simplify", "model.onnx", "-o", "out.onnx", "--format", "json"].iter().chain(args));
    assert_eq!(run.code, 0, "{run:?}");
    // Sizes that are given are declared then.
    let mut set = false;
    let passes = args.iter().filter(|arg| {
        set = **arg == "--set" || (set && !arg.starts_with("--"));
        !set
    });
    let again = folder.shape(["simplify", "out.onnx", "-o", "again.onnx", "--diff"].iter().chain(passes));
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("out.onnx"), bytes("again.onnx"), "{again:?}");
    let check = folder.shape(["check", "out.onnx", "--format", "json"]);
    let known = ["ir-version-too-old", "no-descriptor"];
    let wrong = check.findings().into_iter().filter(|found| !known.iter().any(|known| found.starts_with(known)));
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0], "{check:?}");
    (folder.read("out.onnx"), run)
}

/// The nodes of a graph, each on a line: `Reshape(x, [0, -1]) y`.
fn lines(graph: &GraphProto) -> Vec<String> {
    let number = |tensor: &TensorProto| -> Option<String> {
        let bytes = tensor.raw_data.as_deref().filter(|_| tensor.data_type == Some(DataType::Int64.number().into()))?;
        let numbers: Vec<i64> = bytes.chunks(8).map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap())).collect();
        Some(match &*tensor.dims {
            [] => numbers[0].to_string(),
            _ => format!("{numbers:?}"),
        })
    };
    let input = |name: &String| {
        let tensor = graph.initializer.iter().find(|tensor| tensor.name == *name);
        tensor.and_then(number).unwrap_or_else(|| name.clone())
    };
    let attribute = |attribute: &AttributeProto| match (&attribute.i, &*attribute.ints) {
        (Some(number), _) => format!(" {}={number}", attribute.name),
        (None, []) => String::new(),
        (None, ints) => format!(" {}={ints:?}", attribute.name),
    };
    let line = |node: &NodeProto| {
        let inputs: Vec<String> = node.input.iter().map(input).collect();
        let attributes: String = node.attribute.iter().map(attribute).collect();
        format!("{}({}){attributes} {}", node.op_type, inputs.join(", "), node.output.join(", "))
    };
    graph.node.iter().map(line).collect()
}

/// A model with int64 initializers.
fn with(model: ModelProto, constants: &[(&str, &[i64])]) -> ModelProto {
    in_graph(model, |graph| {
        for (name, values) in constants {
            let dims: &[i64] = if name.starts_with('#') { &[] } else { &[i64::try_from(values.len()).unwrap()] };
            graph.initializer.push(int64s(name, dims, values));
        }
    })
}

/// `c` is these sizes of `x`, or the numbers, one after the other; `y` is computed from `x` and `c`.
fn from_sizes(input: &str, sizes: &[i64], last: NodeProto) -> ModelProto {
    let mut nodes = vec![node("Shape", &["x"], &["s"])];
    let mut parts = Vec::new();
    let mut constants: Vec<(String, Vec<i64>)> = Vec::new();
    for (at, size) in sizes.iter().enumerate() {
        let name = format!("p{at}");
        match size {
            // An axis, as a number from 100 on.
            100.. => {
                constants.push((format!("i{at}"), vec![size - 100]));
                nodes.push(node("Gather", &["s", &format!("i{at}")], &[&name]));
            }
            number => constants.push((name.clone(), vec![*number])),
        }
        parts.push(name);
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    nodes.push(node("Concat", &parts, &["c"]).with(|node| node.attribute = vec![int("axis", 0)]));
    nodes.push(last);
    let constants: Vec<(&str, &[i64])> = constants.iter().map(|(name, values)| (&**name, &**values)).collect();
    with(model(&[input], nodes, &["y: float"]), &constants)
}

fn reshape() -> NodeProto {
    node("Reshape", &["x", "c"], &["y"])
}

fn allow_zero() -> NodeProto {
    reshape().with(|node| node.attribute = vec![int("allowzero", 1)])
}

fn expand() -> NodeProto {
    node("Expand", &["x", "c"], &["y"])
}

/// Each target, and the nodes that are left. The sizes of `x` are 100, 101 and so on.
#[test]
fn targets() {
    let chain = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let cases: &[(&str, &[i64], NodeProto, Vec<String>)] = &[
        ("x: float[N, T, 64]", &[100, 101, 4, 16], reshape(), chain(&["Reshape(x, [0, 0, 4, 16]) y"])),
        ("x: float[4, N]", &[101, 4], reshape(), chain(&["Reshape(x, [-1, 4]) y"])),
        // Beside a -1, a size that may be zero is copied only if the target had a -1 before.
        ("x: float[N, 4, T]", &[100, -1], reshape(), chain(&["Reshape(x, [0, -1]) y"])),
        (
            "x: float[N, T, 4]",
            &[101, 100, 4],
            reshape(),
            chain(&[
                "Shape(x) start=1 end=2 c_shape",
                "Shape(x) end=1 c_shape_1",
                "Concat(c_shape, c_shape_1, [4]) axis=0 c_concat",
                "Reshape(x, c_concat) y",
            ]),
        ),
        (
            "x: float[N, 2, T]",
            &[2, 100, 102],
            reshape(),
            chain(&[
                "Shape(x) end=1 c_shape",
                "Shape(x) start=2 c_shape_1",
                "Concat([2], c_shape, c_shape_1) axis=0 c_concat",
                "Reshape(x, c_concat) y",
            ]),
        ),
        // With allowzero, none of the zeros copies; without a zero, the attribute goes.
        ("x: float[N, 6]", &[100, 2, 3], allow_zero(), chain(&["Reshape(x, [0, 2, 3]) y"])),
        (
            "x: float[2, N, 0]",
            &[101, 0],
            allow_zero(),
            chain(&["Shape(x) start=1 c_shape", "Reshape(x, c_shape) allowzero=1 y"]),
        ),
        ("x: float[N, 1, T]", &[100, 5, 102], expand(), chain(&["Expand(x, [1, 5, 1]) y"])),
        (
            "x: float[N, 1]",
            &[100, 100],
            expand(),
            chain(&["Shape(x) end=1 p0_shape", "Concat(p0_shape, p0_shape) axis=0 c", "Expand(x, c) y"]),
        ),
    ];
    let mut wrong = Vec::new();
    for (input, sizes, last, expected) in cases {
        let model = from_sizes(input, sizes, last.clone());
        let found = lines(&simplify(&model, &[]).0.graph.unwrap());
        if found != *expected {
            wrong.push(format!("{input} {sizes:?}: {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Nodes between `x` and `y`, and those that are left.
#[test]
fn nodes_without_effect() {
    let to_float = || int("to", 1);
    let cases: Vec<(&str, Vec<NodeProto>, &[&str])> = vec![
        ("x: float[N, T]", vec![node("Identity", &["x"], &["a"]), node("Relu", &["a"], &["y"])], &["Relu(x) y"]),
        ("x: float", vec![node("Identity", &["x"], &["a"]), node("Relu", &["a"], &["y"])], &["Relu(x) y"]),
        // An output takes over the name of what it is.
        ("x: float[N]", vec![node("Relu", &["x"], &["a"]), node("Identity", &["a"], &["y"])], &["Relu(x) y"]),
        // An input is not renamed.
        ("x: float[N]", vec![node("Identity", &["x"], &["y"])], &["Identity(x) y"]),
        (
            "x: float[N]",
            vec![
                node("Cast", &["x"], &["a"]).with(|node| node.attribute = vec![to_float()]),
                node("Relu", &["a"], &["y"]),
            ],
            &["Relu(x) y"],
        ),
        (
            "x: double[N]",
            vec![
                node("Cast", &["x"], &["a"]).with(|node| node.attribute = vec![to_float()]),
                node("Relu", &["a"], &["y"]),
            ],
            &["Cast(x) to=1 a", "Relu(a) y"],
        ),
        ("x: float[N]", vec![node("Dropout", &["x"], &["a"]), node("Relu", &["a"], &["y"])], &["Relu(x) y"]),
        (
            "x: float[N]",
            vec![
                node("Concat", &["x"], &["a"]).with(|node| node.attribute = vec![int("axis", 0)]),
                node("Relu", &["a"], &["y"]),
            ],
            &["Relu(x) y"],
        ),
        ("x: float[1, N, 1]", vec![node("Transpose", &["x"], &["a"]), node("Relu", &["a"], &["y"])], &["Relu(x) y"]),
        (
            "x: float[N, N]",
            vec![node("Transpose", &["x"], &["a"]), node("Relu", &["a"], &["y"])],
            &["Transpose(x) a", "Relu(a) y"],
        ),
        (
            "x: float[N, T]",
            vec![node("Slice", &["x", "zero", "many"], &["a"]), node("Relu", &["a"], &["y"])],
            &["Relu(x) y"],
        ),
        (
            "x: float[N, T]",
            vec![node("Slice", &["x", "one", "many"], &["a"]), node("Relu", &["a"], &["y"])],
            &["Slice(x, [1], [9223372036854775807]) a", "Relu(a) y"],
        ),
        // Backwards it is as long, and not the same.
        (
            "x: float[4]",
            vec![node("Slice", &["x", "last", "first", "zero", "last"], &["a"]), node("Relu", &["a"], &["y"])],
            &["Slice(x, [-1], [-9], [0], [-1]) a", "Relu(a) y"],
        ),
        ("x: float[N, T]", vec![node("Expand", &["x", "ones"], &["a"]), node("Relu", &["a"], &["y"])], &["Relu(x) y"]),
        ("x: float[N, T]", vec![node("Tile", &["x", "ones"], &["a"]), node("Relu", &["a"], &["y"])], &["Relu(x) y"]),
        ("x: float[N, T]", vec![node("Pad", &["x", "zeros"], &["a"]), node("Relu", &["a"], &["y"])], &["Relu(x) y"]),
        // As many at one end as it removes at the other.
        (
            "x: float[N]",
            vec![node("Pad", &["x", "shift"], &["a"]), node("Relu", &["a"], &["y"])],
            &["Pad(x, [1, -1]) a", "Relu(a) y"],
        ),
        (
            "x: float[N, T]",
            vec![
                node("Unsqueeze", &["x", "one"], &["a"]),
                node("Squeeze", &["a", "one"], &["b"]),
                node("Relu", &["b"], &["y"]),
            ],
            &["Relu(x) y"],
        ),
        (
            "x: float[N, 4]",
            vec![
                node("Reshape", &["x", "all"], &["a"]),
                node("Reshape", &["a", "four"], &["b"]),
                node("Relu", &["b"], &["y"]),
            ],
            &["Relu(x) y"],
        ),
        (
            "x: float[N, T]",
            vec![node("Reshape", &["x", "all"], &["a"]), node("Reshape", &["a", "four"], &["y"])],
            &["Reshape(x, [-1, 4]) y"],
        ),
        // What a 0 copies is another size.
        (
            "x: float[N, 4]",
            vec![
                node("Flatten", &["x"], &["a"]).with(|node| node.attribute = vec![int("axis", 0)]),
                node("Reshape", &["a", "copy"], &["y"]),
            ],
            &["Flatten(x) axis=0 a", "Reshape(a, [0, 2, -1]) y"],
        ),
        (
            "x: float[N, T, K]",
            vec![
                node("Transpose", &["x"], &["a"]).with(|node| node.attribute = vec![ints("perm", &[1, 0, 2])]),
                node("Transpose", &["a"], &["y"]).with(|node| node.attribute = vec![ints("perm", &[0, 2, 1])]),
            ],
            &["Transpose(x) perm=[1, 2, 0] y"],
        ),
        (
            "x: float[N, T]",
            vec![node("Transpose", &["x"], &["a"]), node("Transpose", &["a"], &["b"]), node("Relu", &["b"], &["y"])],
            &["Relu(x) y"],
        ),
        (
            "x: float[N]",
            vec![node("Unsqueeze", &["x", "zero"], &["a"]), node("Unsqueeze", &["a", "last"], &["y"])],
            &["Unsqueeze(x, [0, 2]) y"],
        ),
        (
            "x: float[N]",
            vec![node("Unsqueeze", &["x", "zero"], &["a"]), node("Unsqueeze", &["a", "zero"], &["y"])],
            &["Unsqueeze(x, [0, 1]) y"],
        ),
    ];
    let constants: &[(&str, &[i64])] = &[
        ("zero", &[0]),
        ("one", &[1]),
        ("last", &[-1]),
        ("first", &[-9]),
        ("many", &[i64::MAX]),
        ("ones", &[1, 1]),
        ("zeros", &[0, 0, 0, 0]),
        ("shift", &[1, -1]),
        ("all", &[-1]),
        ("four", &[-1, 4]),
        ("copy", &[0, 2, -1]),
    ];
    let mut wrong = Vec::new();
    for (input, nodes, expected) in cases {
        let before: Vec<String> = nodes.iter().map(|node| node.op_type.clone()).collect();
        let model = with(model(&[input], nodes, &["y: float"]), constants);
        let found = lines(&simplify(&model, &[]).0.graph.unwrap());
        if found != expected {
            wrong.push(format!("{input} {before:?}: {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn values_that_are_the_same_are_computed_once() {
    let nodes = vec![
        node("Sin", &["x"], &["a"]),
        node("Sin", &["x"], &["b"]),
        node("RandomUniformLike", &["x"], &["c"]),
        node("RandomUniformLike", &["x"], &["d"]),
        node("Sum", &["a", "b", "c", "d"], &["y"]),
    ];
    let (found, _) = simplify(&model(&["x: float[N]"], nodes, &["y: float[N]"]), &[]);
    let expected = ["Sin(x) a", "RandomUniformLike(x) c", "RandomUniformLike(x) d", "Sum(a, a, c, d) y"];
    assert_eq!(lines(&found.graph.unwrap()), expected);
}

/// The weights `v` and `w` are equal, `u` has one other element.
#[test]
fn equal_initializers_are_there_once() {
    let nodes =
        vec![node("Mul", &["x", "v"], &["a"]), node("Mul", &["a", "w"], &["b"]), node("Mul", &["b", "u"], &["y"])];
    let model = in_graph(model(&["x: float[100]"], nodes, &["y: float[100]"]), |graph| {
        let mut other = initializer("u", &[100]);
        other.raw_data = Some((0..400_u32).map(|byte| u8::from(byte == 399)).collect());
        graph.initializer = vec![initializer("v", &[100]), initializer("w", &[100]), other];
    });
    let graph = simplify(&model, &[]).0.graph.unwrap();
    assert_eq!(lines(&graph), ["Mul(x, v) a", "Mul(a, v) b", "Mul(b, u) y"]);
    assert_eq!(graph.initializer.len(), 2);
}

/// An If on a constant condition, with branches that have values called as others of the model.
fn branches(condition: bool) -> ModelProto {
    let branch = |op_type: &str| {
        let nodes = vec![node(op_type, &["x"], &["t"]), node("Mul", &["t", "k"], &["r"])];
        in_graph(model(&[], nodes, &["r: float"]), |graph| graph.initializer = vec![initializer("k", &[1])])
            .graph
            .unwrap()
    };
    let both = vec![subgraph("then_branch", branch("Sin")), subgraph("else_branch", branch("Cos"))];
    let nodes = vec![
        node("If", &["is"], &["z"]).with(|node| node.attribute = both.clone()),
        node("If", &["given"], &["w"]).with(|node| node.attribute = both),
        node("Sum", &["z", "w"], &["y"]),
    ];
    in_graph(model(&["x: float[N]", "given: bool[]"], nodes, &["y: float"]), |graph| {
        graph.initializer = vec![boolean("is", condition)];
    })
}

#[test]
fn a_branch_that_always_runs_takes_the_place_of_its_if() {
    for (condition, operator) in [(true, "Sin"), (false, "Cos")] {
        let graph = simplify(&branches(condition), &[]).0.graph.unwrap();
        // Names that the other If has in its branches are not given twice.
        let first = format!("{operator}(x) t_1");
        assert_eq!(lines(&graph), [&*first, "Mul(t_1, k_1) z", "If(given) w", "Sum(z, w) y"]);
    }
}

#[test]
fn what_nothing_reads_is_removed() {
    let unread = vec![node("Sin", &["x"], &["a"]), node("Cos", &["a"], &["b"]), node("Relu", &["x"], &["y"])];
    let model = in_graph(model(&["x: float[N]", "z: float[N]"], unread, &["y: float[N]"]), |graph| {
        graph.initializer = vec![initializer("w", &[3])];
        graph.value_info = vec![value("a: float[N]")];
    })
    .with(|model| {
        model.opset_import.extend([opset("my", 1), opset("com.acme", 3)]);
        model.functions = vec![function(vec![node("Relu", &["a"], &["b"])], 17)];
    });
    let (found, run) = simplify(&model, &[]);
    let graph = found.graph.unwrap();
    assert_eq!(lines(&graph), ["Relu(x) y"]);
    assert_eq!((graph.initializer.len(), graph.value_info.len(), graph.input.len()), (0, 0, 2));
    assert_eq!((found.functions.len(), found.opset_import), (0, vec![opset("", 17)]));
    assert_eq!(run.json()["imports_removed"], 2);
}

#[test]
fn metadata_and_what_it_names_stay() {
    let entry = |key: &str, value: &str| StringStringEntryProto { key: key.into(), value: value.into() };
    let nodes = vec![node("Identity", &["x"], &["a"]), node("Relu", &["a"], &["y"])];
    let model = in_graph(model(&["x: float[N]"], nodes, &["y: float[N]"]), |graph| {
        graph.doc_string = "what it is for".into();
        graph.metadata_props = vec![entry("origin", "a tool")];
        graph.quantization_annotation = vec![TensorAnnotation {
            tensor_name: "a".into(),
            quant_parameter_tensor_names: vec![entry("SCALE_TENSOR", "scale")],
        }];
        graph.initializer = vec![initializer("scale", &[])];
    })
    .with(|model| (model.producer_name, model.doc_string) = ("tests".into(), "of a model".into()));
    let (found, _) = simplify(&model, &[]);
    let (before, after) = (model.graph.as_ref().unwrap(), found.graph.as_ref().unwrap());
    // The annotated value stays, and so does what its annotation names.
    assert_eq!(lines(after), ["Identity(x) a", "Relu(a) y"]);
    assert_eq!(after.quantization_annotation, before.quantization_annotation);
    assert_eq!((&after.doc_string, &after.metadata_props), (&before.doc_string, &before.metadata_props));
    assert_eq!((&after.initializer, &after.input, &after.output), (&before.initializer, &before.input, &before.output));
    assert_eq!((&found.producer_name, &found.doc_string), (&model.producer_name, &model.doc_string));
}

#[test]
fn the_attention_model() {
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/models/attention.onnx")).unwrap();
    let folder = Folder::new();
    folder.write("model.onnx", &bytes);
    insta::assert_snapshot!(folder.shape(["simplify", "model.onnx", "-o", "out.onnx"]).page());
    insta::assert_snapshot!(folder.shape(["simplify", "model.onnx", "--dry-run", "--diff"]).page());
    let why = ["--why-not", "/attn/Div", "--why-not", "/attn/Concat_3", "--why-not", "/attn/Reshape_output_0"];
    insta::assert_snapshot!(folder.shape(["simplify", "model.onnx", "--dry-run"].iter().chain(&why)).page());
    let set = ["--set", "batch=2", "--set", "seq=10"];
    insta::assert_snapshot!(folder.shape(["simplify", "model.onnx", "-o", "set.onnx"].iter().chain(&set)).page());
    assert_eq!(folder.read("set.onnx").graph.unwrap().input, [value("x: float[2, 10, 64]")]);
}

#[test]
fn passes_are_listed_and_selected() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.shape(["simplify", "--passes"]).page());
    folder.model("model.onnx", &from_sizes("x: float[N, T, 64]", &[100, 101, 4, 16], reshape()));
    let run = folder.shape(["simplify", "model.onnx", "--dry-run", "--only", "target"]);
    assert_eq!(
        (run.code, run.notes.contains("there is no pass `target`; did you mean `targets`?")),
        (2, true),
        "{run:?}"
    );
    for (option, left) in [(["--only", "unused"], 5), (["--skip", "targets,shapes"], 5), (["--only", "targets"], 1)] {
        let run = folder.shape(["simplify", "model.onnx", "--dry-run", "--format", "json"].iter().chain(&option));
        assert_eq!(run.json()["nodes"]["after"], left, "{option:?}");
    }
}

#[test]
fn a_model_with_errors_is_refused_and_the_old_file_stays() {
    let folder = Folder::new();
    folder.model("model.onnx", &in_graph(branches(true), |graph| graph.node[2].op_type = "Summ".into()));
    folder.write("out.onnx", "what was there");
    // Of an operator that nobody knows nothing is concluded.
    assert_eq!(folder.shape(["simplify", "model.onnx", "--dry-run"]).code, 0);
    folder.model("model.onnx", &in_graph(branches(true), |graph| graph.node[2].input.push("nowhere".into())));
    let run = folder.shape(["simplify", "model.onnx", "-o", "out.onnx"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("nothing computes `nowhere`") && run.notes.ends_with("no file was written\n"), "{run:?}");
    assert_eq!(std::fs::read_to_string(folder.path().join("out.onnx")).unwrap(), "what was there");
}

/// A graph input with a default may be another value when the model runs.
#[test]
fn what_a_caller_may_replace_is_no_constant() {
    let nodes = vec![node("Reshape", &["x", "c"], &["a"]), node("Relu", &["a"], &["y"])];
    let model = with(model(&["x: float[N, 4]", "c: int64[2]"], nodes, &["y: float"]), &[("c", &[-1, 4])]);
    let (found, _) = simplify(&model, &[]);
    assert_eq!(lines(&found.graph.unwrap()).len(), 2);
}

/// A value of a branch is not read from outside of it, and one from outside is read in it.
#[test]
fn values_are_read_where_they_are_seen() {
    let branch = |op_type: &str| {
        let nodes =
            vec![node("Shape", &["x"], &["s"]), node("Reshape", &["x", "s"], &["t"]), node(op_type, &["t"], &["r"])];
        graph(&[], nodes, &["r: float"])
    };
    let both = vec![subgraph("then_branch", branch("Sin")), subgraph("else_branch", branch("Cos"))];
    let nodes = vec![
        node("If", &["given"], &["z"]).with(|node| node.attribute = both),
        node("Shape", &["x"], &["s2"]),
        node("ConstantOfShape", &["s2"], &["o"]),
        node("Sum", &["z", "o"], &["y"]),
    ];
    let (found, _) = simplify(&model(&["x: float[N, T]", "given: bool[]"], nodes, &["y: float"]), &[]);
    let graph = found.graph.unwrap();
    assert_eq!(lines(&graph), ["If(given) z", "Shape(x) s2", "ConstantOfShape(s2) o", "Sum(z, o) y"]);
    assert_eq!(lines(graph.node[0].attribute[0].g.as_ref().unwrap()), ["Sin(x) r"]);
}

/// A target that copies sizes since a pass wrote it so copies those of the tensor that it was written for.
#[test]
fn a_new_target_is_not_read_before_its_tensor() {
    let nodes = vec![
        node("Shape", &["x"], &["s"]),
        node("Transpose", &["x"], &["t"]).with(|node| node.attribute = vec![ints("perm", &[0, 2, 1, 3])]),
        node("Gather", &["s", "#0"], &["b"]),
        node("Gather", &["s", "#2"], &["n"]),
        node("Unsqueeze", &["b", "zero"], &["b1"]),
        node("Unsqueeze", &["n", "zero"], &["n1"]),
        node("Concat", &["b1", "n1", "eight"], &["c"]).with(|node| node.attribute = vec![int("axis", 0)]),
        node("Reshape", &["t", "c"], &["y"]).with(|node| node.attribute = vec![int("allowzero", 1)]),
    ];
    let constants: &[(&str, &[i64])] = &[("#0", &[0]), ("#2", &[2]), ("zero", &[0]), ("eight", &[8])];
    let (found, _) = simplify(&with(model(&["x: float[B, 1, N, 8]"], nodes, &["y: float"]), constants), &[]);
    let expected = ["Transpose(x) perm=[0, 2, 1, 3] t", "Reshape(t, [0, 0, 8]) y"];
    assert_eq!(lines(&found.graph.unwrap()), expected);
}

/// A `value_info` may be of one size alone, and a value that nothing else is known of may have another.
#[test]
fn what_a_model_declares_of_its_values_is_not_trusted() {
    let nodes = vec![acme("Blur", &["x"], &["z"]), node("Shape", &["z"], &["y"])];
    let model = in_graph(with_acme(model(&["x: float[N]"], nodes, &["y: int64[1]"])), |graph| {
        graph.value_info = vec![value("z: float[2]")];
    });
    let (found, _) = simplify(&model, &[]);
    assert_eq!(lines(&found.graph.unwrap()), ["Blur(x) z", "Shape(z) y"]);
}

fn boolean(name: &str, truth: bool) -> TensorProto {
    TensorProto {
        name: name.into(),
        data_type: Some(DataType::Bool.number().into()),
        raw_data: Some(vec![u8::from(truth)].into()),
        ..TensorProto::default()
    }
}

/// Dropout gives back what it gets unless it trains.
#[test]
fn what_trains_stays() {
    for (trains, expected) in [(true, vec!["Dropout(x, , t) a", "Relu(a) y"]), (false, vec!["Relu(x) y"])] {
        let nodes = vec![node("Dropout", &["x", "", "t"], &["a"]), node("Relu", &["a"], &["y"])];
        let model = in_graph(model(&["x: float[N]"], nodes, &["y: float[N]"]), |graph| {
            graph.initializer = vec![boolean("t", trains)];
        });
        assert_eq!(lines(&simplify(&model, &[]).0.graph.unwrap()), expected);
    }
}

/// What was a float on its way may be rounded where the sizes are large, so that it is not the whole number that it looks like.
#[test]
fn sizes_that_were_floats_are_not_taken_for_others() {
    let cast = |to: i64, from: &str, output: &str| {
        node("Cast", &[from], &[output]).with(|node| node.attribute = vec![int("to", to)])
    };
    let nodes = vec![
        node("Shape", &["x"], &["s"]),
        node("Div", &["s", "two"], &["whole"]),
        cast(1, "s", "f"),
        node("Div", &["f", "half"], &["g"]),
        node("Floor", &["g"], &["h"]),
        cast(7, "h", "was"),
        node("Concat", &["whole", "was"], &["c"]).with(|node| node.attribute = vec![int("axis", 0)]),
        node("ConstantOfShape", &["c"], &["y"]),
    ];
    let model = in_graph(with(model(&["x: float[N]"], nodes, &["y: float"]), &[("two", &[2])]), |graph| {
        graph
            .initializer
            .push(initializer("half", &[]).with(|half| half.raw_data = Some(2_f32.to_le_bytes().to_vec().into())));
    });
    let found = lines(&simplify(&model, &[]).0.graph.unwrap());
    assert!(found.contains(&"Concat(whole, was) axis=0 c".to_owned()), "{found:#?}");
}

/// The starts and ends of a Slice have one type, which need not be int64.
#[test]
fn an_end_keeps_its_type() {
    let nodes = vec![
        node("Shape", &["x"], &["s"]),
        node("Cast", &["s"], &["e"]).with(|node| node.attribute = vec![int("to", 6)]),
        node("Slice", &["x", "start", "e"], &["y"]),
    ];
    let model = in_graph(model(&["x: float[N]"], nodes, &["y: float"]), |graph| {
        graph.initializer = vec![TensorProto {
            name: "start".into(),
            dims: vec![1],
            data_type: Some(DataType::Int32.number().into()),
            raw_data: Some(1_i32.to_le_bytes().to_vec().into()),
            ..TensorProto::default()
        }];
    });
    let expected = ["Shape(x) s", "Cast(s) to=6 e", "Slice(x, start, e) y"];
    assert_eq!(lines(&simplify(&model, &[]).0.graph.unwrap()), expected);
}

/// A tensor and an optional one are not the same, whatever their elements are.
#[test]
fn a_value_keeps_its_type() {
    let ty = of(TypeValue::OptionalType(OptionalType { elem_type: Some(tensor_type("float[N]").into()) }));
    let nodes = vec![node("OptionalGetElement", &["x"], &["a"]), node("Relu", &["a"], &["y"])];
    let model = in_graph(model(&["x"], nodes, &["y: float[N]"]), |graph| graph.input[0].r#type = Some(ty));
    let model = model.with(|model| model.opset_import = vec![opset("", 18)]);
    let expected = ["OptionalGetElement(x) a", "Relu(a) y"];
    assert_eq!(lines(&simplify(&model, &[]).0.graph.unwrap()), expected);
}

/// An output of a graph is a value of that graph.
#[test]
fn an_output_of_a_branch_stays_in_it() {
    let branch = |op_type: &str| graph(&[], vec![node(op_type, &["a"], &["r"])], &["r: float"]);
    let both = vec![subgraph("then_branch", branch("Identity")), subgraph("else_branch", branch("Sin"))];
    let nodes = vec![node("Relu", &["x"], &["a"]), node("If", &["given"], &["y"]).with(|node| node.attribute = both)];
    let (found, _) = simplify(&model(&["x: float[N]", "given: bool[]"], nodes, &["y: float"]), &[]);
    let graph = found.graph.unwrap();
    assert_eq!(lines(&graph), ["Relu(x) a", "If(given) y"]);
    assert_eq!(lines(graph.node[1].attribute[0].g.as_ref().unwrap()), ["Identity(a) r"]);
}

/// What a pass leaves unread goes with it, and does not wait for another pass.
#[test]
fn a_pass_alone_leaves_nothing_unread() {
    let nodes = vec![
        node("Relu", &["x"], &["a"]),
        node("Unsqueeze", &["a", "zero"], &["b"]),
        node("Squeeze", &["b", "zero"], &["y"]),
    ];
    let model = with(model(&["x: float[N]"], nodes, &["y: float[N]"]), &[("zero", &[0])]);
    let (found, _) = simplify(&model, &["--only", "no-effect"]);
    assert_eq!(lines(&found.graph.unwrap()), ["Relu(x) y"]);
}

#[test]
fn a_symbol_that_the_model_does_not_have_is_refused() {
    let folder = Folder::new();
    let nodes = vec![acme("Blur", &["x"], &["z"]), node("Relu", &["z"], &["y"])];
    let model = in_graph(with_acme(model(&["x: float[batch]"], nodes, &["y: float"])), |graph| {
        graph.value_info = vec![value("z: float[K]")];
    });
    folder.model("model.onnx", &model);
    for (symbol, expected) in [
        ("bacth=2", "the model has no symbol `bacth`; did you mean `batch`?"),
        ("K=2", "no input has the dimension `K`, so the simplified model could not declare its size"),
    ] {
        let run = folder.shape(["simplify", "model.onnx", "-o", "out.onnx", "--set", symbol]);
        assert_eq!((run.code, run.notes.contains(expected)), (2, true), "{run:?}");
    }
    assert!(!folder.path().join("out.onnx").exists());
}

/// Without the pass that removes what nothing reads, it stays, and no other pass makes use of it for a moment.
#[test]
fn what_nothing_reads_is_no_help_to_chains() {
    let nodes = vec![
        node("Relu", &["x"], &["r"]),
        node("Relu", &["r"], &["q"]),
        node("Shape", &["q"], &["unread"]),
        node("Shape", &["r"], &["s"]),
        node("Concat", &["one", "s"], &["c"]).with(|node| node.attribute = vec![int("axis", 0)]),
        node("Reshape", &["x", "c"], &["y"]),
    ];
    let model = with(model(&["x: float[N]"], nodes, &["y: float"]), &[("one", &[1])]);
    let (found, run) = simplify(&model, &["--only", "shapes"]);
    assert!(lines(&found.graph.unwrap()).contains(&"Shape(q) unread".to_owned()));
    assert!(run.json()["passes"][0]["rewrites"].as_u64() < Some(3), "{run:?}");
}

/// Where nothing reads the elements of a Constant, nothing has found that they are not there.
#[test]
fn a_constant_without_its_elements_stays_a_node() {
    let tensor = initializer("", &[]).with(|tensor| {
        (tensor.dims, tensor.raw_data) = (vec![4], Some(vec![0; 24].into()));
        tensor.data_type = Some(DataType::Int64.number().into());
    });
    let value = AttributeProto { r#type: Some(4), t: Some(Box::new(tensor)), ..int("value", 0) };
    let constant = node("Constant", &[], &["c"]).with(|node| node.attribute = vec![value]);
    let nodes = vec![constant, node("ConstantOfShape", &["c"], &["y"])];
    let folder = Folder::new();
    folder.model("model.onnx", &model(&[], nodes, &["y: float"]));
    let run = folder.shape(["simplify", "model.onnx", "-o", "out.onnx"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(folder.read("out.onnx").graph.unwrap().node.len(), 2);
}
