//! Reshape as `shape infer` follows it: the rulings, on numbers and on symbols.

use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};
use shape_model::file::proto::{ModelProto, TensorProto};

use crate::codes::elsewhere;
use crate::model::{Change as _, acme, in_graph, int, int64s, model, node, opset, reshape, value, with_acme};
use crate::run::{Folder, Run, infer};

/// What is inferred of the value `y`.
fn y(run: &Run) -> Json {
    run.value("y")
}

/// The dims of `y`, where the node is accepted.
#[track_caller]
fn check(input: &str, target: &[i64], expected: &Json) {
    let run = infer(&reshape(&format!("x: float{input}"), int64s("t", &[target.len() as i64], target), &["y"]), &[]);
    assert_eq!(run.code, 0, "{input} {target:?}: {run:?}");
    assert_eq!(y(&run)["dims"], *expected, "{input} {target:?}: {run:?}");
}

#[track_caller]
fn refused(input: &str, target: &[i64], code: &str) {
    let run = infer(&reshape(&format!("x: float{input}"), int64s("t", &[target.len() as i64], target), &["y"]), &[]);
    assert_eq!(run.findings(), [format!("{code} graph#0")], "{input} {target:?}: {run:?}");
    assert_eq!(run.code, 1, "{run:?}");
}

#[test]
fn symbolic() {
    for (input, target, expected) in [
        ("[N,3,4]", &[-1, 12][..], json!(["N", 12])),
        ("[N,3,4]", &[-1], json!(["12*N"])),
        ("[N,4,T]", &[0, -1], json!(["N", "4*T"])),
        ("[B,3,4]", &[2, -1], json!([2, "6*B"])),
        ("[N,5]", &[-1, 2], json!(["(5*N)//2", 2])),
        ("[N,0]", &[-1], json!([0])),
        ("[B,12]", &[2, 6], json!([2, 6])),
        ("[B,T,8]", &[0, 0, 2, 4], json!(["B", "T", 2, 4])),
        ("[B,T,8]", &[0, -1, 4], json!(["B", "2*T", 4])),
        ("[B,T,8]", &[-1, 8], json!(["B*T", 8])),
        ("[T,B,T]", &[-1], json!(["B*T*T"])),
        ("[?,4,T]", &[0, -1], json!([null, "4*T"])),
        ("[?,12]", &[-1, 6], json!([null, 6])),
        ("", &[2, -1], json!([2, null])),
        ("", &[0, 5], json!([null, 5])),
        ("[N + 1,6]", &[-1, 2], json!(["3*N + 3", 2])),
        ("[2*N,6]", &[-1, 4], json!(["3*N", 4])),
        ("[N]", &[], json!([])),
    ] {
        check(input, target, &expected);
    }
}

#[test]
fn never_equal() {
    for (input, target) in [
        ("[4,N]", &[2, 3][..]),
        ("[2*N + 2]", &[3]),
        ("[2,N]", &[3]),
        ("[2*N + 1,2]", &[4, -1]),
        ("[N,3]", &[0, -1, 2]),
        ("[?,3]", &[8]),
    ] {
        refused(input, target, "element-count");
    }
}

/// `Shape -> Reshape`, and what comes of the target's other ways to be known.
#[test]
fn targets() {
    let shape = node("Shape", &["x"], &["t"]);
    let through = model(&["x: float[N,3]", "z: float[M]"], vec![shape, node("Reshape", &["z", "t"], &["y"])], &["y"]);
    let run = infer(&through, &[]);
    assert_eq!((run.code, &y(&run)["dims"]), (0, &json!(["N", 3])), "{run:?}");
    let run = infer(&through, &["--set", "N=4", "--set", "M=13"]);
    assert_eq!(run.findings(), ["element-count graph#1"], "{run:?}");

    let target = |change: fn(&mut ModelProto)| {
        infer(&reshape("x: float[N,4]", int64s("t", &[2], &[2, -1]), &["y"]).with(change), &[])
    };
    let known = json!([2, "2*N"]);
    let unknown = json!([null, null]);
    let listed: fn(&mut ModelProto) = |model| {
        let target = &mut model.graph.as_mut().unwrap().initializer[0];
        target.raw_data = None;
        target.int64_data = [2_i64, -1].into_iter().collect();
    };
    let input = |model: &mut ModelProto| model.graph.as_mut().unwrap().input.push(value("t: int64[2]"));
    let input_ir3 = |model: &mut ModelProto| {
        model.graph.as_mut().unwrap().input.push(value("t: int64[2]"));
        model.ir_version = Some(3);
    };
    let given = |model: &mut ModelProto| {
        let graph = model.graph.as_mut().unwrap();
        graph.initializer.clear();
        graph.input.push(value("t: int64[2]"));
    };
    type Change = fn(&mut ModelProto);
    let cases: [(Change, &Json, &str); 5] = [
        (|_| (), &known, ""),
        (listed, &known, ""),
        (input_ir3, &known, ""),
        (input, &unknown, "`t` (an input): its elements are a default, which an input of the same name may replace"),
        (given, &unknown, "`t` (an input): its elements are known only when the model runs"),
    ];
    for (index, (change, dims, reason)) in cases.into_iter().enumerate() {
        let run = target(change);
        assert_eq!(run.code, 0, "{index}: {run:?}");
        assert_eq!(y(&run)["dims"], *dims, "{index}: {run:?}");
        assert_eq!(y(&run)["reason"].as_str().unwrap_or_default(), reason, "{index}: {run:?}");
    }
}

/// A target in a file of its own, and the same model through a pipe, which has no folder.
#[test]
fn external() {
    let folder = Folder::new();
    let entries = [("location", "data/target.bin"), ("offset", "8")];
    let model = in_graph(reshape("x: float[N,4]", int64s("t", &[2], &[]), &["y: float[?,?]"]), |graph| {
        elsewhere(&mut graph.initializer[0], &entries);
    });
    folder.model("model.onnx", &model);
    folder.write("data/target.bin", [0, 2, -1_i64].map(i64::to_le_bytes).concat());
    let run = folder.shape(["infer", "model.onnx", "--format", "json"]);
    assert_eq!((run.code, &y(&run)["dims"]), (0, &json!([2, "2*N"])), "{run:?}");

    let piped = |args: &[&str]| {
        let mut cat = Command::new("cat").arg(folder.path().join("model.onnx")).stdout(Stdio::piped()).spawn().unwrap();
        let run = crate::run::run(folder.command(args).stdin(cat.stdout.take().unwrap()));
        assert!(cat.wait().unwrap().success());
        run
    };
    let run = piped(&["infer", "/dev/stdin", "--format", "json"]);
    assert_eq!((run.code, &y(&run)["dims"]), (0, &json!([null, null])), "{run:?}");
    assert_eq!(run.findings(), ["external-data-unread graph"]);
    assert_eq!(y(&run)["reason"], "`t` (an initializer): its elements cannot be read");
    // It is no warning, which could be denied.
    let run = piped(&["check", "/dev/stdin", "--deny", "warnings"]);
    assert_eq!((run.code, &*run.notes), (0, "1 info in 1 model\n"), "{run:?}");
}

/// A size that the target has from the data is at least 1; one that is unknown is none of the others that are.
#[test]
fn sizes_of_the_data() {
    let by_shape = |input: &str, target: TensorProto| {
        let nodes = vec![
            node("Shape", &["x"], &["s"]).with(|node| node.attribute.push(int("end", 2))),
            node("Reshape", &["s", "t"], &["u"]),
            node("Reshape", &["x", "u"], &["y"]),
        ];
        infer(&in_graph(model(&[input], nodes, &["y"]), |graph| graph.initializer = vec![target]), &[])
    };
    let run = by_shape("x: float[N,3,4]", int64s("t", &[1], &[-1]));
    assert_eq!(run.findings(), ["element-count graph#2"], "{run:?}");
    let run = by_shape("x: float[?,?,1]", int64s("t", &[1], &[-1]));
    assert_eq!((run.code, &y(&run)["dims"]), (0, &json!([null, null])), "{run:?}");
}

/// Elements go along: a tensor of sizes is one after Reshape.
#[test]
fn elements() {
    let nodes = vec![
        node("Shape", &["x"], &["s"]),
        node("Reshape", &["s", "t"], &["column"]),
        node("Reshape", &["column", "flat"], &["back"]),
        node("Reshape", &["z", "back"], &["y"]),
    ];
    let chain = in_graph(model(&["x: float[N,3]", "z: float[K]"], nodes, &["y"]), |graph| {
        graph.initializer = vec![int64s("t", &[2], &[-1, 1]), int64s("flat", &[1], &[-1])];
    });
    let run = infer(&chain, &[]);
    assert_eq!((run.code, &y(&run)["dims"]), (0, &json!(["N", 3])), "{run:?}");
    let values = run.json()["values"].as_array().unwrap().clone();
    let column = values.iter().find(|value| value["name"] == "column").unwrap();
    assert_eq!((&column["dims"], &column["value"]), (&json!([2, 1]), &json!(["N", 3])));
}

#[test]
fn why_not() {
    let run = infer(&reshape("x: float[N,3]", int64s("t", &[2], &[5, -1]), &["y"]), &[]);
    assert_eq!(run.json()["findings"], json!([]), "{run:?}");
    let run = infer(&reshape("x: float[4,3]", int64s("t", &[2], &[5, -1]), &["y"]), &[]);
    let finding = &run.json()["findings"][0];
    assert_eq!(finding["message"], "the number of elements is not divisible by the known dimensions of the target");
    assert_eq!(finding["expected"], "5 elements, or a multiple of them");
    assert_eq!(finding["found"], "12 elements");
    assert_eq!(finding["help"], "`x` has the dimensions [4, 3], `t` is [5, -1]");

    let run = infer(&reshape("x: float[N,5]", int64s("t", &[2], &[-1, 2]), &["y"]), &[]);
    assert_eq!((&y(&run)["dims"], &y(&run)["reason"]), (&json!(["(5*N)//2", 2]), &Json::Null));
    let long = |target| infer(&model(&["x: float", target], vec![node("Reshape", &["x", "t"], &["y"])], &["y"]), &[]);
    assert_eq!(y(&long("t: int64[1024]"))["dims"].as_array().map(Vec::len), Some(1024));
    let reason = "`y` (node 0, Reshape): it has too many dimensions to compute";
    assert_eq!(y(&long("t: int64[1025]"))["reason"], reason);
}

/// The type of `y` is that of `x`, so that where one is unknown the other is for the same reason.
#[test]
fn no_type() {
    let nodes = vec![acme("Blur", &["x"], &["b"]), node("Reshape", &["b", "t"], &["y"])];
    let model = with_acme(model(&["x: float[N]"], nodes, &["y"]));
    let model = in_graph(model, |graph| graph.initializer = vec![int64s("t", &[1], &[6])]);
    let y = y(&infer(&model, &[]));
    assert_eq!((&y["type"], &y["dims"]), (&Json::Null, &json!([6])));
    assert_eq!(y["reason"], "`b` (node 0, Blur): its operator has no descriptor");
}

#[test]
fn allowzero() {
    let zero = |input: &str, target: &[i64], value: i64| {
        let target = int64s("t", &[target.len() as i64], target);
        infer(
            &in_graph(reshape(input, target, &["y"]), |graph| graph.node[0].attribute.push(int("allowzero", value))),
            &[],
        )
    };
    assert_eq!(y(&zero("x: float[0,10]", &[3, 0, 2], 1))["dims"], json!([3, 0, 2]));
    assert_eq!(y(&zero("x: float[2,10]", &[4, 0], 0))["dims"], Json::Null);
    assert_eq!(zero("x: float[2,10]", &[4, 0], 0).findings(), ["element-count graph#0"]);
    assert_eq!(zero("x: float[0,10]", &[0, -1], 1).findings(), ["target-zero graph#0"]);
    assert_eq!(zero("x: float[N,10]", &[0, 3], 1).code, 0);
    assert_eq!(zero("x: float[2,10]", &[0, 3], 1).findings(), ["element-count graph#0"]);
}

/// Two mistakes of one node are both told.
#[test]
fn version_1() {
    let node = node("Reshape", &["x"], &["y"]).with(|node| {
        node.attribute = vec![crate::model::ints("shape", &[0, -1]), int("allowzero", 0), int("shape", 3)];
    });
    let old = model(&["x: double[N,3,T]"], vec![node], &["y"]).with(|model| model.opset_import = vec![opset("", 1)]);
    let run = infer(&old, &[]);
    assert_eq!(run.findings(), ["attribute-unknown graph#0", "attribute-duplicate graph#0"], "{run:?}");
    let right = old.with(|model| model.graph.as_mut().unwrap().node[0].attribute.truncate(1));
    assert_eq!(y(&infer(&right, &[]))["dims"], json!(["N", "3*T"]));
}
