//! The manifests of runtimes that come with the command, what to do where they lack something, and what changed between
//! two of them.

use serde_json::{Value as Json, json};
use shape_model::file::proto::{ModelProto, NodeProto};

use crate::model::{Change as _, int, model, node, opset};
use crate::run::{Folder, Run};

fn ops(model: &ModelProto, args: &[&str]) -> Run {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    folder.shape(["ops", "--model", "model.onnx"].iter().chain(args))
}

fn at_opset(model: ModelProto, version: i64) -> ModelProto {
    model.with(|model| model.opset_import = vec![opset("", version)])
}

/// A node of an operator with a type for its one input and its output.
fn one(op_type: &str, ty: &str, opset: i64) -> ModelProto {
    let given = format!("x: {ty}[2, 3]");
    at_opset(model(&[&given], vec![node(op_type, &["x"], &["y"])], &[&format!("y: {ty}[2, 3]")]), opset)
}

/// An Attention with a mask of another type than the rest.
fn masked() -> ModelProto {
    let given = ["q: float[1, 2, 3, 4]", "k: float[1, 2, 5, 4]", "v: float[1, 2, 5, 4]", "m: float16[3, 5]"];
    let attention = node("Attention", &["q", "k", "v", "m"], &["y"]);
    at_opset(model(&given, vec![attention], &["y: float[1, 2, 3, 4]"]), 23)
}

/// What a runtime says of a model: of its one node, what it lacks, and the hints.
fn answer(model: &ModelProto, runtime: &str) -> (String, Vec<String>, Vec<String>) {
    let run = ops(model, &["--runtime", runtime, "--format", "json"]);
    let json = run.json();
    let of = &json["models"][0];
    let node = &of["nodes"][0];
    let by = node["by"].as_str().map(|by| format!(" by {by}")).unwrap_or_default();
    let lacks = of["lacks"].as_array().unwrap();
    let text = |of: &Json| of["text"].as_str().unwrap().to_owned();
    let hints = lacks.iter().flat_map(|lack| lack["hints"].as_array().unwrap()).map(text).collect();
    assert_eq!(run.code, i32::from(!lacks.is_empty()), "{run:?}");
    (format!("{}{by}", node["supported"].as_str().unwrap()), lacks.iter().map(text).collect(), hints)
}

#[test]
fn a_node_runs_by_a_kernel_a_cast_or_a_body() {
    const ORT: &str = "onnxruntime-cpu@1.31.1";
    let lacks = |text: &str| vec![text.to_owned()];
    let cases = [
        (one("Sqrt", "float", 17), ORT, "yes by kernel", vec![], vec![]),
        // Types matter, and they differ between versions and releases.
        (
            one("Sqrt", "bfloat16", 17),
            ORT,
            "no",
            lacks("type bfloat16 for T of Sqrt-13; supported: float, double"),
            lacks("cast to float and it runs"),
        ),
        (one("Sqrt", "float16", 17), ORT, "yes by cast", vec![], vec![]),
        // In opset 5 Cast names its type by a string, and there is no kernel of it.
        (
            one("GlobalAveragePool", "float16", 5),
            ORT,
            "no",
            lacks("type float16 for T of GlobalAveragePool-1; supported: float"),
            vec!["convert to opset 22 and it runs".to_owned(), "cast to float and it runs".to_owned()],
        ),
        (one("Cos", "double", 21), "onnxruntime-cpu@1.31.1", "yes by kernel", vec![], vec![]),
        (
            one("Cos", "double", 21),
            "onnxruntime-cpu@1.24.4",
            "no",
            lacks("type double for T of Cos-7; supported: float"),
            vec![],
        ),
        // onnxruntime runs a body only as long as the operators in it are those of its opset.
        (one("Mish", "double", 18), ORT, "yes by function", vec![], vec![]),
        (
            one("Mish", "double", 19),
            ORT,
            "no",
            lacks("type double for T of Mish-18; supported: float, float16"),
            lacks("convert to opset 18 and it runs"),
        ),
        (
            one("Swish", "float", 25),
            ORT,
            "no",
            lacks("version Swish-24 at opset 25; supported at: 24"),
            lacks("convert to opset 24 and it runs"),
        ),
        // A body stands in the place of its node before tensors are cast.
        (
            masked(),
            ORT,
            "no",
            lacks("type float16 for U of Attention-23; supported: float, bool"),
            lacks("cast to float and it runs"),
        ),
        (one("Relu", "int32", 14), ORT, "yes by kernel", vec![], vec![]),
        // It has a kernel for the next version.
        (
            one("Neg", "float", 5),
            ORT,
            "no",
            lacks("version Neg-1; supported: 6, 13"),
            lacks("convert to opset 6 and it runs"),
        ),
        // What it registers on its own has a version too.
        (one("Affine", "float", 9), ORT, "yes by kernel", vec![], vec![]),
        (one("Sqrt", "float", 17), "tract", "yes by kernel", vec![], vec![]),
        (one("Det", "float", 17), "candle", "no", lacks("operator Det"), vec![]),
    ];
    for (model, runtime, node, lacks, hints) in cases {
        let asked = model.graph.as_ref().unwrap().node[0].op_type.clone();
        assert_eq!(answer(&model, runtime), (node.to_owned(), lacks, hints), "{asked} {runtime}");
    }
}

/// An opset got a version after releases had learned the opset: they take it for the one before, unless a node has what is new.
#[test]
fn a_version_that_is_taken_for_an_older_one() {
    let attention = |attributes: &[(&str, i64)], mask: &str| {
        let given =
            ["q: float[1, 2, 3, 4]", "k: float[1, 2, 5, 4]", "v: float[1, 2, 5, 4]", &format!("m: {mask}[3, 5]")];
        let attribute = attributes.iter().map(|(name, value)| int(name, *value)).collect();
        let attention = NodeProto { attribute, ..node("Attention", &["q", "k", "v", "m"], &["y"]) };
        at_opset(model(&given, vec![attention], &["y: float[1, 2, 3, 4]"]), 25)
    };
    let lacks = |text: &str| vec![text.to_owned()];
    for release in ["1.24.4", "1.31.1"] {
        let runtime = format!("onnxruntime-cpu@{release}");
        let found = |model: &ModelProto| {
            let (supported, lacks, _) = answer(model, &runtime);
            (supported, lacks)
        };
        assert_eq!(found(&attention(&[("is_causal", 0)], "float")), ("yes by kernel".to_owned(), vec![]), "{release}");
        let windowed = found(&attention(&[("left_window_size", 1)], "float"));
        assert_eq!(windowed, ("no".to_owned(), lacks("version Attention-25; supported: 23, 24")), "{release}");
        // The types are those of the older version.
        let masked = found(&attention(&[], "float16"));
        assert_eq!(
            masked,
            ("no".to_owned(), lacks("type float16 for U of Attention-24; supported: float, bool")),
            "{release}"
        );
    }
    let run = ops(&attention(&[], "float"), &["--runtime", "onnxruntime-cpu", "--format", "json"]);
    let found = run.json()["models"][0].clone();
    assert_eq!(
        (&found["nodes"][0]["since_version"], &found["operators"][0]["since_version"]),
        (&json!(25), &json!(25))
    );
    let first = |model: &ModelProto| {
        let run = ops(model, &["--runtime", "onnxruntime-cpu", "--format", "json"]);
        run.json()["models"][0]["releases"]["first"].as_str().unwrap().to_owned()
    };
    assert!(first(&attention(&[], "float")) < first(&attention(&[("left_window_size", 1)], "float")));
}

/// A conversion that does not help is not proposed; what stands against it is told.
#[test]
fn another_opset_that_the_model_does_not_get_to() {
    const ORT: &str = "onnxruntime-cpu@1.31.1";
    let with = |inputs: &[&str], nodes, opset| at_opset(model(inputs, nodes, &["y"]), opset);
    // Equal takes strings from opset 19 on only.
    let nodes = vec![node("Mish", &["x"], &["y"]), node("Equal", &["s", "s"], &["e"])];
    let (_, lacks, hints) = answer(&with(&["x: double[2]", "s: string[2]"], nodes, 19), ORT);
    assert_eq!(lacks, ["type double for T of Mish-18; supported: float, float16"]);
    let refused = "the model does not convert to it: `shape convert` says why";
    assert_eq!(hints, [format!("opset 18 has a version that it runs, but {refused}")]);
    // Each of the two runs in an opset where the other one does not.
    let nodes = vec![node("Mish", &["x"], &["y"]), node("HardSwish", &["x"], &["z"])];
    let manifest = "operators:\n- { operator: Mish, opsets: [18] }\n- { operator: HardSwish, opsets: [19] }\n";
    let folder = Folder::new();
    folder.model("model.onnx", &with(&["x: float[2]"], nodes, 19));
    folder.write("runtime.yaml", manifest);
    let run = folder.shape(["ops", "--model", "model.onnx", "--manifest", "runtime.yaml"]);
    let hint = "opset 18 has a version that it runs, but other nodes, which run now, do not run there";
    assert!(run.out.contains(hint), "{run:?}");
}

/// Whether the model can be read at all is told too.
#[test]
fn opsets_and_ir_versions_that_are_too_new() {
    let newer = |opset, ir| one("Sqrt", "float", opset).with(|model| model.ir_version = Some(ir));
    let (node, lacks, hints) = answer(&newer(28, 14), "onnxruntime-cpu@1.31.1");
    assert_eq!(
        (node.as_str(), lacks.as_slice()),
        (
            "yes by kernel",
            &["IR version 14; supported: up to 13".to_owned(), "opset 28 of ai.onnx; supported: up to 26".to_owned()][..],
        )
    );
    assert_eq!(hints, ["convert to opset 26 and IR version 13 and it loads"; 2]);
    assert_eq!(answer(&newer(26, 13), "onnxruntime-cpu@1.31.1").1, Vec::<String>::new());
    assert_eq!(answer(&newer(21, 11), "onnxruntime-cpu@1.20.1").2, ["convert to IR version 10 and it loads"]);
}

#[test]
fn pages() {
    let nodes = vec![
        node("Sqrt", &["x"], &["a"]),
        node("Mish", &["a"], &["b"]),
        node("Sqrt", &["b"], &["c"]),
        node("Det", &["c"], &["y"]),
    ];
    let folder = Folder::new();
    folder.model("model.onnx", &at_opset(model(&["x: double[2, 2]"], nodes.clone(), &["y: double[]"]), 19));
    folder.model("half.onnx", &at_opset(model(&["x: float16[2, 2]"], nodes, &["y: float16[]"]), 18));
    let args = ["ops", "--model", "model.onnx", "--model", "half.onnx", "--runtime", "onnxruntime-cpu@1.31.1"];
    insta::assert_snapshot!(folder.shape(args).page());
}

#[test]
fn the_runtimes_that_there_are() {
    let run = Folder::new().shape(["ops", "--runtimes"]);
    for name in ["onnxruntime-cpu@1.31.1\n", "onnxruntime-cpu@1.24.4\n", "tract@", "rten@", "candle@"] {
        assert!(run.out.contains(name), "{run:?}");
    }
    assert!(run.out.contains("ai.onnx up to 26") && run.out.contains("read from kernels: "), "{run:?}");
    let json = Folder::new().shape(["ops", "--runtimes", "--format", "json"]).json();
    let runtimes = json["runtimes"].as_array().unwrap();
    let newest = runtimes.iter().find(|of| of["release"] == "1.31.1").unwrap();
    assert_eq!(
        (&newest["ir_version"], &newest["opsets"][0]),
        (&json!(13), &json!({ "domain": "ai.onnx", "newest": 26 }))
    );
    assert!(runtimes.iter().all(|of| of["operators"].as_u64() > Some(50) && of["sources"][0].is_string()), "{json}");
}

#[test]
fn names_that_are_none() {
    let model = one("Sqrt", "float", 17);
    let cases = [
        (
            &["--runtime", "onnxruntime"][..],
            "there is no manifest of a runtime `onnxruntime`: did you mean `onnxruntime-cpu`?",
        ),
        (&["--runtime", "tract@0.1"], "there is no manifest of tract 0.1; there are those of "),
        (&["--runtime", "tract", "--manifest", "x.yaml"], "cannot be used with"),
        (&["--runtime", "tract", "--opset", "3"], "cannot be used with"),
        (&["--runtimes"], "cannot be used with"),
    ];
    for (args, message) in cases {
        let run = ops(&model, args);
        assert_eq!((run.code, &*run.out), (2, ""), "{args:?}: {run:?}");
        assert!(run.notes.contains(message), "{args:?}: {run:?}");
    }
    let alone = Folder::new().shape(["ops", "--runtime", "tract"]);
    assert!(alone.code == 2 && alone.notes.contains("--model <MODEL>"), "{alone:?}");
}

/// ONNX gave up GroupNormalization-18, which onnxruntime runs by its body, and Scatter-11, which it refuses.
#[test]
fn a_deprecated_version_that_still_runs() {
    let normalised = node("GroupNormalization", &["x", "scale", "bias"], &["y"]);
    let normalised = NodeProto { attribute: vec![int("num_groups", 2)], ..normalised };
    let values = ["x: float[1, 4, 2]", "scale: float[2]", "bias: float[2]"];
    let normalised = model(&values, vec![normalised], &["y: float[1, 4, 2]"]);
    let scattered = node("Scatter", &["x", "i", "u"], &["y"]);
    let scattered = model(&["x: float[4]", "i: int64[2]", "u: float[2]"], vec![scattered], &["y: float[4]"]);
    for (model, opset, deprecated, supported, said) in [
        (&normalised, 18, true, "yes", true),
        (&normalised, 21, false, "yes", false),
        (&scattered, 11, true, "no", false),
    ] {
        let model = at_opset(model.clone(), opset);
        let run = ops(&model, &["--runtime", "onnxruntime-cpu", "--format", "json"]);
        let node = &run.json()["models"][0]["nodes"][0];
        assert_eq!((&node["deprecated"], &node["supported"]), (&json!(deprecated), &json!(supported)), "{opset}");
        let text = ops(&model, &["--runtime", "onnxruntime-cpu"]).out;
        assert_eq!(
            text.contains("ONNX has given up GroupNormalization-18; this runtime still runs it"),
            said,
            "{text}"
        );
    }
}

/// The manifest that the documentation of the format shows.
#[test]
fn the_example_of_the_format() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs/README.md")).unwrap();
    let (_, section) = readme.split_once("\n## Manifests\n").unwrap();
    let (_, rest) = section.split_once("```yaml\n").unwrap();
    let folder = Folder::new();
    folder.write("acme.yaml", rest.split_once("```").unwrap().0);
    folder.model("model.onnx", &one("Mish", "double", 18));
    let run = folder.shape(["ops", "--model", "model.onnx", "--manifest", "acme.yaml", "--format", "json"]);
    let json = run.json();
    assert_eq!(
        (run.code, &json["runtime"]["release"], &json["models"][0]["nodes"][0]["by"]),
        (0, &json!("2.1"), &json!("function"))
    );
}

/// What changed between two manifests, each way.
#[test]
fn two_releases() {
    let folder = Folder::new();
    let old = "ir_version: 9\nopsets: [{ domain: ai.onnx, newest: 18 }]\noperators:\n- { operator: Add, versions: [7, 13, \
               14], types: [float, int32] }\n- { operator: Mish, versions: [18], function: true, opsets: [18] }\n- { \
               operator: Det, versions: [11] }\n- { operator: Gelu, domain: com.acme, types: [float] }\n";
    let new = "ir_version: 10\nopsets: [{ domain: ai.onnx, newest: 20 }]\ncasts: [{ from: float16, to: float, since: 6 \
               }]\noperators:\n- { operator: Add, versions: [13, 14], types: [float] }\n- { operator: Add, versions: [13, \
               14], types: [int64] }\n- { operator: Mish, versions: [18, 22], types: [float] }\n- { operator: Erf, \
               versions: [9, 13] }\n- { operator: Gelu, domain: com.acme, types: [float, int8] }\n";
    folder.write("old.yaml", old);
    folder.write("new.yaml", new);
    insta::assert_snapshot!(folder.shape(["diff", "--runtime", "old.yaml", "new.yaml"]).page());
    let back = folder.shape(["diff", "--runtime", "new.yaml", "old.yaml"]).page();
    assert!(back.contains("Gone (1 operator)\n  - Erf 9, 13\n"), "{back}");
    let same = folder.shape(["diff", "--runtime", "new.yaml", "new.yaml"]).page();
    assert!(same.starts_with("from new.yaml to new.yaml\n\nNothing changed.\n"), "{same}");

    let json = folder.shape(["diff", "--runtime", "old.yaml", "new.yaml", "--format", "json"]).json();
    assert_eq!(json["opsets"], json!([{ "domain": "ai.onnx", "from": 18, "to": 20 }]));
    let add = json["operators"].as_array().unwrap().iter().find(|of| of["name"] == "Add").unwrap();
    assert_eq!(
        (&add["kind"], &add["versions"], &add["types"][0]),
        (
            &json!("changed"),
            &json!({ "added": [], "removed": [7] }),
            &json!({
                "versions": [13, 14], "opsets": null, "variable": "T", "added": ["tensor(int64)"],
                "removed": ["tensor(int32)"],
            })
        )
    );
    let unknown = folder.shape(["diff", "--runtime", "old.yaml", "none.yaml"]);
    assert!(
        unknown.code == 2 && unknown.notes.contains("there is no manifest of a runtime `none.yaml`"),
        "{unknown:?}"
    );
    folder.write("bad.yaml", "operators: [{ operator: Shpae }]\n");
    let bad = folder.shape(["diff", "--runtime", "old.yaml", "bad.yaml"]);
    assert!(bad.code == 2 && bad.notes.contains("bad.yaml:1:25: error[unknown-operator]"), "{bad:?}");
}

/// Releases of onnxruntime that come with the command.
#[test]
fn two_releases_of_onnxruntime() {
    let run = Folder::new().shape(["diff", "--runtime", "onnxruntime-cpu@1.24.4", "onnxruntime-cpu@1.31.1"]);
    for line in [
        "from onnxruntime-cpu 1.24.4 to onnxruntime-cpu 1.31.1\n",
        "  - opset of ai.onnx: up to 26, was up to 25\n",
        "  - TensorScatter 24\n",
        "  - Cos: T of 7, 22: double\n",
        "  - Where: T of 9, 16: int8, uint32\n",
    ] {
        assert!(run.code == 0 && run.out.contains(line), "{line}: {run:?}");
    }
}
