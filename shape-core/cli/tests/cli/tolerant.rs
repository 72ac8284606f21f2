//! What runtimes run, although it is not as the format wants it, is no error, and edits go on past a false declaration.

use shape_core::runtime::runtimes;
use shape_model::file::proto::{ModelProto, OperatorSetIdProto};

use crate::model::{Change as _, in_graph, model, node, one, opset, value};
use crate::run::{Folder, Run, check, infer};
use crate::text::text;

/// The finding of a code in a run, which has one.
#[track_caller]
fn finding(run: &Run, code: &str) -> serde_json::Value {
    let findings = run.json()["findings"].as_array().unwrap().clone();
    let found: Vec<_> = findings.into_iter().filter(|finding| finding["code"] == code).collect();
    assert_eq!(found.len(), 1, "{run:?}");
    found[0].clone()
}

fn importing(model: ModelProto, versions: &[i64]) -> ModelProto {
    model.with(|model| model.opset_import = versions.iter().map(|version| opset("", *version)).collect())
}

/// `y = Split(x)` of opset 13 to 17, which opset 18 does not have.
fn split(versions: &[i64]) -> ModelProto {
    importing(text("x: float[4]; y, z = Split(x) axis=0"), versions)
}

#[test]
fn the_highest_import_counts() {
    for versions in [&[17, 18][..], &[18, 17], &[13, 18, 17], &[18, 18]] {
        let run = check(&split(versions));
        assert_eq!(run.findings(), ["opset-duplicate", "arguments-exclusive graph#0"], "{versions:?}");
    }
    for versions in [&[17, 13][..], &[13, 17]] {
        assert_eq!(check(&split(versions)).findings(), ["opset-duplicate"], "{versions:?}");
        assert_eq!(check(&split(versions)).code, 0);
    }
    let told = |versions: &[i64]| {
        let found = finding(&check(&split(versions)), "opset-duplicate");
        [&found["message"], &found["found"], &found["help"]].map(|text| text.as_str().unwrap().to_owned())
    };
    assert_eq!(told(&[13, 17]), ["ai.onnx is imported twice", "imports of the opsets 13, 17", "keep opset 17 alone"]);
    let [_, found, help] = told(&[17, 13]);
    assert_eq!(found, "imports of the opsets 17, 13");
    assert!(help.ends_with("use the last one, opset 13"), "{help}");
    let many: Vec<i64> = (1..=17).collect();
    let [message, found, _] = told(&many);
    assert_eq!(message, "ai.onnx is imported 17 times");
    assert_eq!(found, "imports of the opsets 1, 2, 3, 4, 5, 6, 7, 8 and 9 more");
}

#[test]
fn a_function_has_the_highest_of_its_imports() {
    let called = |versions: &[i64]| {
        text("opset 18; x: float[4]; y, z = my::F(x); fn F(a) => b, c { b, c = Split(a) axis=0 }").with(|model| {
            let imports = versions.iter().map(|version| opset("", *version)).chain([opset("my", 1)]);
            model.functions[0].opset_import = imports.collect();
        })
    };
    assert_eq!(
        check(&called(&[17, 18])).findings()[..2],
        ["opset-duplicate function my::F", "arguments-exclusive function my::F#0"]
    );
    let findings = check(&called(&[13, 17])).findings();
    assert_eq!(findings, ["opset-duplicate function my::F", "function-opset function my::F#0"]);
}

/// One finding tells of all imports of a domain.
#[test]
fn many_imports() {
    let of = |version: Option<i64>| {
        one().with(|model| {
            model.opset_import = vec![OperatorSetIdProto { domain: String::new(), version }; 200_000];
        })
    };
    assert_eq!(check(&of(Some(17))).findings(), ["opset-duplicate"]);
    let found = finding(&check(&of(None)), "field-missing");
    assert_eq!(found["message"], "200000 imports of ai.onnx have no version");
}

#[test]
fn a_conversion_leaves_one_import() {
    let folder = Folder::new();
    for versions in [[13, 17], [17, 13]] {
        folder.model("model.onnx", &importing(one(), &versions));
        let run = folder.shape(["convert", "model.onnx", "--opset", "15", "-o", "out.onnx"]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.notes.contains("from opset 17 to 15"), "{run:?}");
        assert_eq!(folder.read("out.onnx").opset_import, [opset("", 15)]);
    }
}

#[test]
fn a_declared_minus_one_is_unknown() {
    let run = infer(&text("x: float[-1, 3]; y = Shape(x)"), &[]);
    assert_eq!(run.dims("x"), "[?, 3]");
    assert_eq!(run.findings(), ["dims-minus-one graph"]);
    assert_eq!(run.code, 0);
    // What a node gives is known, whatever is declared of it.
    let declared = in_graph(one(), |graph| graph.output = vec![value("y: int64[-1]")]);
    let folder = Folder::new();
    folder.model("model.onnx", &declared);
    let run = folder.shape(["infer", "model.onnx", "--format", "json"]);
    assert_eq!((run.dims("y"), run.findings()), ("[3]".to_owned(), vec!["dims-minus-one graph".to_owned()]));
    // An entry of value_info is completed.
    let inner = in_graph(text("x: float[2, 3]; t = Abs(x); y = Neg(t)"), |graph| {
        graph.value_info = vec![value("t: float[-1, 3]")];
    });
    folder.model("model.onnx", &inner);
    assert_eq!(folder.shape(["infer", "model.onnx", "-o", "out.onnx"]).code, 0);
    assert_eq!(folder.read("out.onnx").graph.unwrap().value_info, [value("t: float[2,3]")]);
}

/// `y = x + [1 + 1]`, with this declared of `y` and of the sum.
fn added(output: &str, sum: &str) -> ModelProto {
    in_graph(text("x: float[2]; k = float[1]{1.0}; s = Add(k, k); y = Add(x, s)"), |graph| {
        graph.output = vec![value(output)];
        graph.value_info = vec![value(sum)];
    })
}

#[test]
fn a_false_declaration_prevents_no_edit() {
    let folder = Folder::new();
    let cases = [
        (added("y: float[3]", "s: float[1]"), "output-dims graph#1"),
        (added("y: int64[2]", "s: float[1]"), "output-type graph#1"),
        (added("y: float[2]", "s: float[1, 1]"), "output-dims graph#0"),
        (added("y: float[-2]", "s: float[1]"), "dims-negative graph"),
    ];
    for (model, expected) in cases {
        assert_eq!((check(&model).code, check(&model).findings()), (1, vec![expected.to_owned()]));
        folder.model("model.onnx", &model);
        let fold = folder.shape(["fold", "model.onnx", "-o", "folded.onnx"]);
        assert_eq!(fold.code, 0, "{expected}: {fold:?}");
        let folded = folder.read("folded.onnx").graph.unwrap();
        assert_eq!(folded.node.len(), 1, "{expected}");
        // What is false stays as it is.
        assert_eq!(folded.output, model.graph.as_ref().unwrap().output);
        let convert = folder.shape(["convert", "model.onnx", "--opset", "14", "-o", "converted.onnx"]);
        assert_eq!(convert.code, 0, "{expected}: {convert:?}");
        assert_eq!(folder.read("converted.onnx").opset_import, [opset("", 14)]);
    }
}

#[test]
fn an_error_of_what_is_computed_prevents_edits() {
    let folder = Folder::new();
    let input = |ty: &str| in_graph(added("y: float[2]", "s: float[1]"), |graph| graph.input.push(value(ty)));
    for model in [
        // A declared input and its default: either may be right.
        input("k: int64[1]"),
        input("k: float[3]"),
        // A node with inputs that do not fit, below a false declaration.
        in_graph(added("y: float[3]", "s: float[1]"), |graph| graph.node.push(node("Add", &["x", "q"], &["z"]))),
        text("x: float[2]; w: float[3]; y = Add(x, w)"),
    ] {
        assert_eq!(check(&model).code, 1);
        folder.model("model.onnx", &model);
        assert_eq!(folder.shape(["fold", "model.onnx", "-o", "folded.onnx"]).code, 1);
        assert_eq!(folder.shape(["convert", "model.onnx", "--opset", "14", "-o", "converted.onnx"]).code, 1);
    }
}

/// A Loop whose body takes the number of the round and the condition as declared.
fn counted(count: &str, condition: &str, round: &str, go: &str) -> ModelProto {
    let given = if condition.is_empty() { "" } else { "c" };
    let input = if condition.is_empty() { String::new() } else { format!("c: {condition}") };
    text(&format!(
        "m: {count}; {input}
         y, z = Loop(m, {given}) body={{ i: {round}; d: {go}; e = Identity(d); j = Identity(i); s = Shape(i); => e, j, s }}"
    ))
}

#[test]
fn a_list_of_one_counts_rounds() {
    let of = |count, condition, round, go| {
        let run = infer(&counted(count, condition, round, go), &[]);
        (run.dims("y"), run.dims("z"), run.findings().join(" "))
    };
    let known = |y: &str, z: &str, findings: &str| (y.to_owned(), z.to_owned(), findings.to_owned());
    let (in_body, at_node) = ("subgraph-scalar graph/0:Loop.body", "subgraph-scalar graph#0");
    assert_eq!(of("int64[]", "bool[]", "int64[]", "bool[]"), known("[?]", "[?, 0]", ""));
    // A body gets the number of the round as it declares it.
    assert_eq!(of("int64[]", "bool[]", "int64[1]", "bool[]"), known("[?, 1]", "[?, 1]", in_body));
    assert_eq!(of("int64[]", "bool[]", "int64[K]", "bool[]"), known("[?, 1]", "[?, 1]", in_body));
    assert_eq!(of("int64[]", "", "int64[]", "bool[1]"), known("[?]", "[?, 0]", in_body));
    assert_eq!(of("int64[]", "bool", "int64[]", "bool[1]"), known("[?]", "[?, 0]", in_body));
    // The condition has the dimensions of the one that the node gets.
    assert_eq!(of("int64[]", "bool[1]", "int64[]", "bool[1]"), known("[?]", "[?, 0]", at_node));
    assert_eq!(of("int64[1]", "bool[]", "int64[]", "bool[]"), known("[?]", "[?, 0]", at_node));
    for (condition, go) in [("bool[]", "bool[1]"), ("bool[1]", "bool[]"), ("bool[1]", "bool[2]"), ("", "bool[2]")] {
        let (_, _, findings) = of("int64[]", condition, "int64[]", go);
        assert!(findings.contains("output-dims graph/0:Loop.body"), "{condition} {go}: {findings}");
    }
    for round in ["int64[2]", "int64[1, 1]", "int64[0]"] {
        let (_, _, findings) = of("int64[]", "bool[]", round, "bool[]");
        assert!(findings.contains("output-dims graph/0:Loop.body"), "{round}: {findings}");
    }
}

#[test]
fn one_element_controls_a_node() {
    let looped = |count, condition| check(&counted(count, condition, "int64[]", "bool")).findings().join(" ");
    assert_eq!(looped("int64[0]", "bool[]"), "rank-mismatch graph#0");
    assert_eq!(looped("int64[]", "bool[1, 2]"), "rank-mismatch graph#0");
    let chosen = |condition: &str| {
        let branches = "then_branch={ r = Neg(x) => r } else_branch={ s = Abs(x) => s }";
        check(&text(&format!("x: float[2]; c: bool[{condition}]; y = If(c) {branches}"))).findings().join(" ")
    };
    assert_eq!([chosen(""), chosen("1"), chosen("1, 1"), chosen("N")], [""; 4]);
    assert_eq!([chosen("2"), chosen("0")], ["rank-mismatch graph#0"; 2]);
}

/// Both spellings of scales that are not given, which every version from 13 on takes.
#[test]
fn sizes_beside_empty_scales() {
    let resized = |version: i64, scales: &str| {
        let model = format!(
            "opset {version}; x: float[1, 1, 2, 2]; e = float[0]{{}}; z = int64[4]{{1, 1, 4, 4}}
             y = Resize(x, e, {scales}, z)"
        );
        let run = infer(&text(&model), &[]);
        (run.dims("y"), run.findings().into_iter().filter(|found| found != "ir-version-too-old").collect::<Vec<_>>())
    };
    for version in [13, 14, 17, 18, 19, 25] {
        for scales in ["", "e"] {
            assert_eq!(resized(version, scales), ("[1, 1, 4, 4]".to_owned(), vec![]), "{version} `{scales}`");
        }
    }
    // Before, the input is required, and an empty tensor stands for none.
    assert_eq!(resized(11, "e"), ("[1, 1, 4, 4]".to_owned(), vec![]));
    assert_eq!(resized(11, "").1, ["input-missing graph#0"]);
}

#[test]
fn operators_of_a_runtime_are_named_as_its() {
    let of = |op_type: &str, version: i64| {
        let nodes = vec![node(op_type, &["x"], &["y"])];
        let run = check(&importing(model(&["x: float[2]"], nodes, &["y: float[2]"]), &[version]));
        let found = run.json()["findings"][0].clone();
        (found["code"].clone(), found["help"].as_str().unwrap().to_owned())
    };
    let (code, help) = of("SimplifiedLayerNormalization", 17);
    assert_eq!(code, "operator-unknown");
    assert!(help.starts_with("onnxruntime registers SimplifiedLayerNormalization-1 in ai.onnx on its own"), "{help}");
    let (code, help) = of("LayerNormalization", 12);
    assert_eq!(code, "operator-too-new");
    assert!(help.starts_with("import a later opset; onnxruntime registers LayerNormalization-1"), "{help}");
    let (code, help) = of("Affine", 9);
    assert_eq!(code, "operator-experimental");
    assert!(help.starts_with("onnxruntime registers Affine-1 in ai.onnx on its own"), "{help}");
    // From opset 10 on it refuses them too.
    let (_, help) = of("Affine", 10);
    assert!(!help.contains("onnxruntime"), "{help}");
    let (code, help) = of("SimplifiedLayerNorm", 17);
    assert_eq!(code, "operator-unknown");
    assert!(!help.contains("onnxruntime"), "{help}");
}

/// Each of its nodes is an error, and the values behind it are known all the same, where the opset is.
#[test]
fn operators_of_a_runtime_are_inferred() {
    let of = |op_type: &str, version: i64| {
        let nodes = vec![node(op_type, &["x", "s"], &["m"]), node(op_type, &["m", "s"], &["y"])];
        let inputs = ["x: float[N, 3, 4]", "s: float[4]"];
        let run = infer(&importing(model(&inputs, nodes, &["y: float"]), &[version]), &[]);
        let found = run.findings();
        (run.dims("y"), found.into_iter().filter(|found| found.starts_with("operator-")).count())
    };
    assert_eq!(of("LayerNormalization", 12), ("[N, 3, 4]".to_owned(), 2));
    // One finding counts the nodes of an operator that nothing describes.
    assert_eq!(of("SimplifiedLayerNormalization", 17), ("[N, 3, 4]".to_owned(), 1));
    assert_eq!(of("SimplifiedLayerNorm", 17), ("?".to_owned(), 1));
    // What an opset means that is too new is not known.
    assert_eq!(of("SimplifiedLayerNormalization", 999), ("?".to_owned(), 0));
}

/// What ONNX registers is nobody's own: such a row leaves the table.
#[test]
fn no_operator_of_a_runtime_is_one_of_onnx() {
    let registry = shape_core::Registry::builtin();
    let mut rows = Vec::new();
    for runtime in runtimes() {
        for of in runtime.operators {
            let versions = registry.operator(of.domain, of.name);
            assert!(registry.newest_opset(of.domain).is_some(), "{}: {of:?}", runtime.name);
            assert!(
                versions.iter().all(|version| version.since_version != of.since_version),
                "{}: {of:?}",
                runtime.name
            );
            rows.push((runtime.name, of.domain, of.name, of.since_version));
        }
    }
    assert_eq!(rows.len(), 28, "{rows:?}");
    assert!(rows.is_sorted_by(|left, right| left < right), "{rows:?}");
    assert_eq!(runtimes()[0].name, "onnxruntime");
}
