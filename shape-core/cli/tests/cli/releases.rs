//! A runtime changes its own operators in place: what each release has of a model, by `ops` and `check`.

use serde_json::json;
use shape_model::file::proto::{ModelProto, NodeProto};

use crate::model::{Change as _, int, model, node, opset};
use crate::run::{Folder, Run};

/// A node of com.microsoft.
fn of_runtime(model: ModelProto) -> ModelProto {
    model.with(|model| model.opset_import.push(opset("com.microsoft", 1)))
}

/// A `GroupQueryAttention` with these inputs, but for those that an empty name leaves out, and attributes.
fn attention(inputs: &[&str], attributes: &[(&str, i64)]) -> ModelProto {
    let mut attribute = vec![int("num_heads", 2), int("kv_num_heads", 1)];
    attribute.extend(attributes.iter().map(|(name, value)| int(name, *value)));
    let node = NodeProto {
        domain: "com.microsoft".into(),
        attribute,
        ..node("GroupQueryAttention", inputs, &["y", "present_key", "present_value"])
    };
    let values =
        ["q: float[1, 3, 16]", "k: float[1, 3, 8]", "v: float[1, 3, 8]", "lengths: int32[1]", "total: int32[1]"];
    of_runtime(model(&[&values[..], &["sink: float[2]"]].concat(), vec![node], &["y: float[1, 3, 16]"]))
}

const PLAIN: [&str; 7] = ["q", "k", "v", "", "", "lengths", "total"];
const WITH_SINK: [&str; 12] = ["q", "k", "v", "", "", "lengths", "total", "", "", "", "", "sink"];

fn shape(model: &ModelProto, command: &[&str], args: &[&str]) -> Run {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    folder.shape(command.iter().chain(&["model.onnx"]).chain(args))
}

#[test]
fn the_first_release_that_has_all() {
    let linear = NodeProto {
        domain: "com.microsoft".into(),
        attribute: vec![int("q_num_heads", 1), int("kv_num_heads", 1)],
        ..node("LinearAttention", &["x", "x", "x"], &["y", "state"])
    };
    let linear = of_runtime(model(&["x: float[1, 3, 8]"], vec![linear], &["y"]));
    // Its weights have a type variable that left no choice in the release that is named.
    let mixture = NodeProto {
        domain: "com.microsoft".into(),
        attribute: vec![int("k", 1), int("block_size", 16)],
        ..node("QMoE", &["x", "routes", "w1", "s1", "", "w2", "s2"], &["y"])
    };
    let values = ["x: float16[2, 32]", "routes: float16[2, 4]", "w1: uint8[4, 16, 16]", "s1: float16[4, 16, 2]"];
    let mixture =
        model(&[&values[..], &["w2: uint8[4, 32, 8]", "s2: float16[4, 32, 1]"]].concat(), vec![mixture], &["y"]);
    let mixture = of_runtime(mixture);
    let blocks = "the attribute `block_size` exists from onnxruntime 1.23.2 on";
    let sink = "the input `head_sink` exists from onnxruntime 1.23.0 on";
    for (model, first, needs) in [
        (attention(&PLAIN, &[]), None, vec![]),
        (attention(&WITH_SINK, &[]), Some("1.23.0"), vec![sink]),
        (
            attention(&WITH_SINK, &[("causal", 0)]),
            Some("1.30.0"),
            vec!["the attribute `causal` exists from onnxruntime 1.30.0 on", sink],
        ),
        (mixture, Some("1.23.2"), vec![blocks]),
        (linear, Some("1.25.1"), vec!["the operator `LinearAttention` exists from onnxruntime 1.25.1 on"]),
    ] {
        let args = ["--runtime", "onnxruntime-cpu", "--format", "json"];
        let releases = shape(&model, &["ops", "--model"], &args).json()["models"][0]["releases"].clone();
        assert_eq!(releases, json!({ "first": first, "newest_has_all": true, "needs": needs }));
        let text = shape(&model, &["ops", "--model"], &args[..2]).out;
        let said = first.is_none_or(|first| text.contains(&format!("onnxruntime {first} and later have all of it\n")));
        assert!(said && needs.iter().all(|need| text.contains(need)), "{text}");
    }
}

/// Sessions take any attribute of some operators, and so does a check.
#[test]
fn attributes_that_are_not_listed() {
    let with = |op_type: &str| {
        let (domain, attribute) = ("com.microsoft".to_owned(), vec![int("of_a_vendor", 1)]);
        of_runtime(model(
            &["x: float[2]"],
            vec![NodeProto { domain, attribute, ..node(op_type, &["x"], &["y"]) }],
            &["y"],
        ))
    };
    let codes = |op_type: &str, release: &str| {
        let run = shape(&with(op_type), &["check"], &["--runtime", release, "--format", "json"]).json();
        let errors = run["findings"].as_array().unwrap().iter().filter(|finding| finding["severity"] == "error");
        errors.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for release in ["onnxruntime@1.20.0", "onnxruntime"] {
        assert!(codes("EPContext", release).is_empty(), "{release}");
        assert_eq!(codes("Gelu", release), ["attribute-unknown"], "{release}");
    }
}

/// The release that is asked for lacks what came later, also where its kernels would do.
#[test]
fn what_a_release_lacks() {
    let lacks = |release: &str| {
        let args = ["--runtime", &format!("onnxruntime-cpu@{release}"), "--format", "json"];
        let run = shape(&attention(&WITH_SINK, &[("causal", 0)]), &["ops", "--model"], &args);
        let gaps = run.json()["models"][0]["lacks"].clone();
        let gaps: Vec<(String, String)> = gaps
            .as_array()
            .unwrap()
            .iter()
            .map(|gap| {
                let text = |field: &str| gap[field].as_str().unwrap().to_owned();
                (text("kind"), text("text"))
            })
            .collect();
        (run.code, gaps)
    };
    let gap = |kind: &str, text: &str| (kind.to_owned(), format!("GroupQueryAttention: {text}"));
    let causal = gap("attribute", "the attribute `causal` exists from onnxruntime 1.30.0 on");
    let sink = gap("input", "the input `head_sink` exists from onnxruntime 1.23.0 on");
    assert_eq!(lacks("1.22.1"), (1, vec![causal.clone(), sink]));
    assert_eq!(lacks("1.29.0"), (1, vec![causal]));
    assert_eq!(lacks("1.30.0"), (0, vec![]));
    // One without a manifest of its own is called by its name.
    let text = shape(&attention(&PLAIN, &[]), &["ops", "--model"], &["--runtime", "onnxruntime-cpu@1.24.1"]).out;
    assert!(text.contains("onnxruntime-cpu 1.24.1 supports all of it"), "{text}");
    // An operator that the release does not have is said once, and not again as one without a kernel.
    let scaled =
        NodeProto { domain: "com.microsoft".into(), ..node("LinearAttention", &["x", "x", "x"], &["y", "state"]) };
    let scaled = of_runtime(model(&["x: float[1, 3, 8]"], vec![scaled], &["y"]));
    let args = ["--runtime", "onnxruntime-cpu@1.24.4", "--format", "json"];
    let gaps = shape(&scaled, &["ops", "--model"], &args).json()["models"][0]["lacks"].clone();
    let texts: Vec<&str> = gaps.as_array().unwrap().iter().map(|gap| gap["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["LinearAttention: the operator `LinearAttention` exists from onnxruntime 1.25.1 on"]);
}

/// A release refuses the type that a model declares of an output, too.
#[test]
fn a_type_of_an_output_that_a_release_lacks() {
    let masked = NodeProto {
        domain: "com.microsoft".into(),
        attribute: vec![int("num_heads", 2), int("output_qk", 1)],
        ..node("DecoderMaskedMultiHeadAttention", &["q", "k", "v"], &["y", "", "", "products"])
    };
    let values = ["q: float16[1, 1, 16]", "k: float16[1, 1, 16]", "v: float16[1, 1, 16]"];
    let scored = |ty: &str| of_runtime(model(&values, vec![masked.clone()], &["y: float16[1, 1, 16]", ty]));
    let lacks = |model: &ModelProto, release: &str| {
        let args = ["--runtime", &format!("onnxruntime-cpu@{release}"), "--format", "json"];
        let gaps = shape(model, &["ops", "--model"], &args).json()["models"][0]["lacks"].clone();
        gaps.as_array().unwrap().iter().map(|gap| gap["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let need =
        "DecoderMaskedMultiHeadAttention: the output `qk` of type tensor(float16) exists from onnxruntime 1.22.0 on";
    let (half, single) = (scored("products: float16[1, 2, 1, 1]"), scored("products: float[1, 2, 1, 1]"));
    let [older, newer] = ["1.21.1", "1.22.0"].map(|release| lacks(&half, release).contains(&need.to_owned()));
    assert_eq!((older, newer), (true, false), "{:?}", lacks(&half, "1.21.1"));
    assert!(!lacks(&single, "1.21.1").iter().any(|text| text.contains("output")));
    // Before the output came, no type of it was refused; and what all refuse of it is no matter of releases.
    let whole = NodeProto {
        domain: "com.microsoft".into(),
        attribute: vec![int("num_heads", 2)],
        ..node("MultiHeadAttention", &["q", "k", "v"], &["y", "", "", "products"])
    };
    let values = ["q: float[1, 1, 16]", "k: float[1, 1, 16]", "v: float[1, 1, 16]", "y: float[1, 1, 16]"];
    let scored = |ty: &str| of_runtime(model(&values[..3], vec![whole.clone()], &[values[3], ty]));
    let output = "MultiHeadAttention: the output `qk` exists from onnxruntime 1.22.0 on";
    let brief = "MultiHeadAttention: the output `qk` of type tensor(bfloat16) exists from onnxruntime 1.24.1 on";
    let half = scored("products: bfloat16[1, 2, 1, 1]");
    assert_eq!(lacks(&half, "1.21.1"), [output, brief]);
    assert_eq!(lacks(&half, "1.23.0"), [brief]);
    assert_eq!(lacks(&half, "1.24.1"), [""; 0]);
    assert_eq!(lacks(&scored("products: int8[1, 2, 1, 1]"), "1.21.1"), [output]);
}

#[test]
fn nodes_as_a_release_has_them() {
    let check = |model: &ModelProto, release: &str| {
        let run = shape(model, &["check"], &["--runtime", &format!("onnxruntime@{release}"), "--format", "json"]);
        let found = run.json()["findings"].clone();
        let found: Vec<(String, String)> = (found.as_array().unwrap().iter())
            .filter(|found| found["severity"] == "error")
            .map(|found| {
                let text = |field: &str| found[field].as_str().unwrap_or_default().to_owned();
                (text("code"), text("help"))
            })
            .collect();
        found
    };
    let found = |code: &str, help: &str| vec![(code.to_owned(), help.to_owned())];
    let sink = attention(&WITH_SINK, &[]);
    assert_eq!(check(&sink, "1.22.0"), found("input-count", "the input `head_sink` exists from onnxruntime 1.23.0 on"));
    assert_eq!(check(&sink, "1.23.0"), []);
    // An attribute that came later, beside an output that a later release alone leaves out.
    let mut causal = attention(&PLAIN, &[("causal", 1)]);
    causal.graph.as_mut().unwrap().node[0].output.truncate(1);
    let found: Vec<String> = check(&causal, "1.26.0").into_iter().map(|(_, help)| help).collect();
    assert_eq!(
        found,
        [
            "the attribute `causal` exists from onnxruntime 1.30.0 on",
            "a node without the output `present_key` exists from onnxruntime 1.27.0 on",
        ]
    );
    assert_eq!(check(&causal, "1.30.0"), []);
    let gone = NodeProto { domain: "com.microsoft".into(), ..node("ScaledSiLU", &["x"], &["y"]) };
    let gone = of_runtime(model(&["x: float[3]"], vec![gone], &["y"]));
    let run = shape(&gone, &["check"], &["--runtime", "onnxruntime@1.30.0"]);
    let said = "error[operator-too-new]: ScaledSiLU exists from onnxruntime 1.31.0 on; the operators of onnxruntime 1.30.0 are meant\n";
    assert!(run.out.starts_with(said), "{run:?}");
}

/// Zero points of int32 went with the release that made the number of bits optional: no release has a node with both.
#[test]
fn a_node_that_no_release_has() {
    let quantised = |attributes: &[(&str, i64)]| {
        let attribute = [("K", 32), ("N", 8), ("block_size", 32)].iter().chain(attributes);
        let node = NodeProto {
            domain: "com.microsoft".into(),
            attribute: attribute.map(|(name, value)| int(name, *value)).collect(),
            ..node("MatMulNBits", &["a", "b", "scales", "zeros"], &["y"])
        };
        let values = ["a: float[4, 32]", "b: uint8[8, 1, 16]", "scales: float[8]", "zeros: int32[8]"];
        of_runtime(model(&values, vec![node], &["y: float[4, 8]"]))
    };
    let help = |model: &ModelProto| {
        let run = shape(model, &["check"], &["--format", "json"]);
        run.json()["findings"][0]["help"].as_str().unwrap_or_default().to_owned()
    };
    let zeros = "the input `zero_points` of type tensor(int32) exists before onnxruntime 1.23.0 alone";
    assert_eq!(help(&quantised(&[("bits", 4)])), zeros);
    assert_eq!(
        help(&quantised(&[])),
        format!(
            "{zeros}; no release has all that the node uses: a node without the attribute `bits` exists from onnxruntime \
             1.23.0 on"
        )
    );
}

#[test]
fn releases_that_are_not_known() {
    for (name, said) in [
        (
            "onnxruntime@1.23.9",
            "there is no release 1.23.9 of onnxruntime: the nearest is 1.23.2; all that are known: 1.20.0, ",
        ),
        ("onnxruntime@1.2", "there is no release 1.2 of onnxruntime: all that are known: 1.20.0, "),
        ("acme", "the releases of a runtime `acme` are not known; those that are: onnxruntime"),
    ] {
        let run = shape(&attention(&PLAIN, &[]), &["check"], &["--runtime", name]);
        assert!(run.code == 2 && run.notes.starts_with(&format!("error: {said}")), "{name}: {run:?}");
    }
}

/// What nodes may have in one release and not in another stands beside what the kernels take.
#[test]
fn two_releases_side_by_side() {
    let between = |from: &str, to: &str| {
        let [from, to] = [from, to].map(|release| format!("onnxruntime-cpu@{release}"));
        let run = Folder::new().shape(["diff", "--runtime", &from, &to, "--format", "json"]);
        let versions = run.json()["versions"].clone();
        let line = |of: &serde_json::Value| format!("{}: {}", of["version"], of["changes"]).replace('"', "");
        versions.as_array().unwrap().iter().map(line).collect::<Vec<_>>()
    };
    assert_eq!(
        between("1.25.0", "1.25.1"),
        ["com.microsoft::CausalConvWithState-1: [new]", "com.microsoft::LinearAttention-1: [new]"]
    );
    assert_eq!(between("1.25.1", "1.26.0"), [""; 0]);
    let there = between("1.22.1", "1.23.0");
    let attention = there.iter().find(|line| line.contains("GroupQueryAttention")).unwrap();
    assert!(
        ["input head_sink added", "attribute qk_output added"].iter().all(|new| attention.contains(new)),
        "{attention}"
    );
    let back = between("1.23.0", "1.22.1");
    assert!(
        back.contains(&"com.microsoft::PagedAttention-1: [gone]".to_owned()) && back.len() == there.len(),
        "{back:?}"
    );
}

/// What `shape show` tells of the releases of a version: which brought it, and what each changed in place.
#[test]
fn the_releases_of_an_operator() {
    let show = |name: &str| {
        let (text, json) =
            (Folder::new().shape(["show", name]), Folder::new().shape(["show", name, "--format", "json"]));
        (text.out, json.json()["operator"]["versions"][0]["releases"].clone())
    };
    let (text, releases) = show("com.microsoft::LinearAttention");
    assert!(text.contains("  release    onnxruntime 1.25.1: the first one with it\n"), "{text}");
    assert_eq!(releases[0], json!({ "runtime": "onnxruntime", "release": "1.25.1", "changes": null }));
    let (text, releases) = show("com.microsoft::GroupQueryAttention");
    assert!(text.contains("onnxruntime 1.30.0: attribute causal added"), "{text}");
    let later = releases.as_array().unwrap().iter().find(|of| of["release"] == "1.30.0").unwrap();
    assert!(later["changes"].as_array().unwrap().iter().any(|change| change.to_string().contains("causal")), "{later}");
    assert_eq!(show("Reshape").1, json!([]));
}
