//! What a model declares of values that its nodes compute, beside what follows from the inputs.

use serde_json::{Value as Json, json};
use shape_model::file::proto::ModelProto;

use crate::model::{in_graph, value, with_acme};
use crate::run::{Folder, check, infer};
use crate::text::text;

/// A model with declarations, of outputs or in `value_info`.
fn declared(model: &str, declarations: &[&str]) -> ModelProto {
    let model = if model.contains("com.acme") { with_acme(text(model)) } else { text(model) };
    in_graph(model, |graph| {
        for info in declarations.iter().map(|text| value(text)) {
            match graph.output.iter_mut().find(|output| output.name == info.name) {
                Some(output) => *output = info,
                None => graph.value_info.push(info),
            }
        }
    })
}

/// The dimensions of a value, with a mark at those that are declared.
fn marked(json: &Json, name: &str) -> String {
    let value = json["values"].as_array().unwrap().iter().find(|value| value["name"] == name).unwrap();
    let Some(dims) = value["dims"].as_array() else { return "?".to_owned() };
    let marks = value["declared"]["dims"].as_array().cloned().unwrap_or_default();
    let dim = |(axis, dim): (usize, &Json)| {
        let mark = if marks.contains(&json!(axis)) { "?" } else { "" };
        dim.as_str().map_or_else(|| dim.to_string(), str::to_owned) + mark
    };
    dims.iter().enumerate().map(dim).collect::<Vec<_>>().join(", ")
}

#[test]
fn what_follows_from_the_inputs_stays() {
    let relu = |input: &str| format!("x: float[{input}]; t = Relu(x); y = Neg(t)");
    let acme = "x: float[n, 6]; t = com.acme::Op(x); y = Neg(t); s = Shape(t); z = Reshape(x, s); => y, s, z";
    let cases: &[(&str, String, &[&str], &str, &str)] = &[
        ("a number for a name", relu("n, 6"), &["y: float[1,6]"], "y: n, 6", "dims-fixed graph#1"),
        ("for a size without a name", relu("?, 6"), &["y: float[1,6]"], "y: n0, 6", "dims-fixed graph#1"),
        ("in value_info", relu("n, 6"), &["t: float[1,6]", "y: float[n,6]"], "y: n, 6", "dims-fixed graph#0"),
        ("one cause, two values", relu("n, 6"), &["t: float[1,6]", "y: float[1,6]"], "y: n, 6", "dims-fixed graph#0"),
        (
            "one cause in two expressions",
            "x: float[n, 6]; t = Concat(x, x) axis=0; y = Concat(x, x, x) axis=0; => t, y".to_owned(),
            &["t: float[2,6]", "y: float[3,6]"],
            "t: 2*n, 6",
            "dims-fixed graph#0",
        ),
        (
            "a name for its double",
            "x: float[n, 6]; y = Concat(x, x) axis=0".to_owned(),
            &["y: float[n,6]"],
            "y: 2*n, 6",
            "output-dims graph#0",
        ),
        ("a name for a number", relu("2, 6"), &["y: float[n,6]"], "y: 2, 6", "dims-renamed graph#1"),
        ("a name for a name", relu("n, 6"), &["y: float[m,6]"], "y: n, 6", "dims-renamed graph#1"),
        ("a name for a size without one", relu("?, 6"), &["y: float[m,6]"], "y: n0, 6", ""),
        (
            "a name for an expression without one",
            "x: float[?, 6]; y = Concat(x, x) axis=0".to_owned(),
            &["y: float[m,6]"],
            "y: 2*n0, 6",
            "",
        ),
        ("one name for two sizes", relu("?, ?"), &["y: float[m,m]"], "y: n0, n1", "dims-renamed graph#1"),
        (
            "the name of another input",
            "x: float[?, 6]; w: float[m]; y = Relu(x); z = Relu(w); => y, z".to_owned(),
            &["y: float[m,6]"],
            "y: n0, 6",
            "dims-renamed graph#0",
        ),
        (
            "an expression that is often equal",
            "x: float[n]; k = int64[1]{512}; o = int64[1]{0}; y = Slice(x, o, k)".to_owned(),
            &["y: float[n]"],
            "y: min(n, 512)",
            "dims-renamed graph#0",
        ),
        ("what is inferred", relu("n, 6"), &["t: float[n,?]", "y: float[n,6]"], "y: n, 6", ""),
        (
            "where nodes are as large as must be",
            "a: float[b, s]; c: float[t, d]; m = MatMul(a, c); y = Relu(c); => m, y".to_owned(),
            &["y: float[s,d]"],
            "y: s, d",
            "symbols-equal graph#0",
        ),
        (
            "of an operator without descriptor",
            acme.to_owned(),
            &["t: float[6,n]"],
            "y: 6?, n?",
            "no-descriptor graph#0",
        ),
        ("what is behind it", acme.to_owned(), &["t: float[6,n]"], "z: 6?, n?", "no-descriptor graph#0"),
        (
            "of data",
            "x: float[n, 6]; t = NonZero(x); y = Concat(t, t) axis=1".to_owned(),
            &["t: int64[2,8]"],
            "y: 2, 16?",
            "",
        ),
        (
            "of data, by a name",
            "x: float[n, 6]; t = NonZero(x); y = Concat(t, t) axis=1".to_owned(),
            &["t: int64[2,k]"],
            "y: 2, 2*k?",
            "",
        ),
        (
            "of one of two sizes of data",
            "x: float[n, 6]; t = NonZero(x); u = Unique(x); => t, u".to_owned(),
            &["t: int64[2,8]"],
            "u: n0",
            "",
        ),
        (
            "behind a rank that is not known",
            "x: float[n, 6]; s: int64[?]; y = Reshape(x, s)".to_owned(),
            &["y: float[6,n]"],
            "y: 6?, n?",
            "",
        ),
        (
            "in a subgraph",
            "x: float[n, 6]; b: bool; y = If(b) then_branch={ t = Neg(x) => t } else_branch={ e = Relu(x) => e }"
                .to_owned(),
            &["y: float[1,6]"],
            "y: n, 6",
            "dims-fixed graph#0",
        ),
    ];
    for (what, model, declarations, known, told) in cases {
        let model = declared(model, declarations);
        let (name, dims) = known.split_once(": ").unwrap();
        let run = infer(&model, &[]);
        assert_eq!(marked(&run.json(), name), *dims, "{what}");
        let findings = check(&model).findings();
        assert_eq!(findings.join("; "), *told, "{what}");
    }
}

/// What `check` says, what is repaired, and what `infer` shows of what is only declared.
#[test]
fn told_and_repaired() {
    let folder = Folder::new();
    let write = |model: &ModelProto| folder.model("m.onnx", model);
    write(&declared("x: float[n, 6]; t = Relu(x); y = Neg(t)", &["t: float[1,6]", "y: float[1,6]"]));
    insta::assert_snapshot!(folder.shape(["check", "m.onnx", "--diff"]).page());
    let run = folder.shape(["check", "m.onnx", "--fix", "--unsafe-fixes"]);
    assert_eq!(run.code, 0, "{run:?}");
    let graph = folder.read("m.onnx").graph.unwrap();
    assert_eq!((&graph.output[0], &graph.value_info[0]), (&value("y: float[n,6]"), &value("t: float[n,6]")));

    write(&declared("x: float[n, 6]; t = NonZero(x); y = Concat(t, t) axis=1", &["t: int64[2,8]"]));
    insta::assert_snapshot!(folder.shape(["infer", "m.onnx"]).page());
    insta::assert_snapshot!(folder.shape(["infer", "m.onnx", "--why", "y"]).page());
}

/// What rests on a declaration is never made a constant.
#[test]
fn never_a_constant() {
    let model =
        declared("x: float[n, 6]; t = NonZero(x); s = Shape(t); y = Cast(s) to=1", &["t: int64[2,8]", "s: int64[2]"]);
    let folder = Folder::new();
    folder.model("m.onnx", &model);
    assert!(infer(&model, &[]).json()["values"].to_string().contains("\"value\":[2,8]"));
    for command in ["simplify", "fold"] {
        let run = folder.shape([command, "m.onnx", "-o", "o.onnx"]);
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(folder.read("o.onnx").graph.unwrap().node.len(), 3, "{command}");
    }
}

/// What exporters write for a size that they do not know names none: each is a size of its own, and stays as it is in what is
/// written.
#[test]
fn placeholders_name_no_size() {
    for placeholder in ["?", "None", "none", "-1", "*", " "] {
        let model =
            text(&format!("x: float['{placeholder}', 4]; w: float['{placeholder}', 4]; y = Concat(x, w) axis=0"));
        for (given, known) in
            [(None, ["n0, 4", "n1, 4", "n0 + n1, 4"]), (Some("x:3,4"), ["3, 4", "n0, 4", "n0 + 3, 4"])]
        {
            let arguments = given.map_or(vec![], |given| vec!["--input", given]);
            let json = infer(&model, &arguments).json();
            assert_eq!(["x", "w", "y"].map(|name| marked(&json, name)), known, "`{placeholder}`");
        }
        let findings = check(&model).json()["findings"].as_array().unwrap().clone();
        let told: Vec<&Json> = findings.iter().filter(|finding| finding["code"] == "dims-placeholder").collect();
        assert_eq!((told.len(), &told[0]["more"]), (1, &json!(1)), "{findings:?}");

        let folder = Folder::new();
        folder.model("m.onnx", &model);
        let run = folder.shape(["infer", "m.onnx", "-o", "o.onnx", "--outputs"]);
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(folder.read("o.onnx").graph.unwrap().input, model.graph.unwrap().input);
    }
}

/// A name that is no word is one size all the same, also in what is written and read again.
#[test]
fn odd_names_come_back() {
    let model = text(
        "x: float[sqrt(n)+1, floor(n/2)]; c = Concat(x, x) axis=0; y = Reshape(c, k); k = int64[1]{-1}; z = Identity(y)",
    );
    let folder = Folder::new();
    folder.model("m.onnx", &model);
    let run = folder.shape(["infer", "m.onnx", "-o", "o.onnx", "--outputs"]);
    assert_eq!(run.code, 0, "{run:?}");
    for model in [model, folder.read("o.onnx")] {
        let json = infer(&model, &[]).json();
        assert_eq!(
            ["c", "z"].map(|name| marked(&json, name)),
            ["2*(sqrt(n)+1), floor(n/2)", "2*(floor(n/2))*(sqrt(n)+1)"]
        );
        assert_eq!(check(&model).findings(), Vec::<String>::new());
    }
}

/// A size that several outputs of a node have is one symbol.
#[test]
fn outputs_have_one_size() {
    let unique = "x: float[b, 4]; y, i, j, c = Unique(x)";
    let body = "body={ i; d; a: float[3]; b = Neg(a); e = Identity(d); => e, a, b }";
    for (model, known) in [
        (format!("{unique} axis=0; => y, i, j, c"), vec!["n0, 4", "n0", "b", "n0"]),
        (format!("{unique} axis=-1; => y, i, j, c"), vec!["b, n0", "n0", "4", "n0"]),
        (format!("{unique}; => y, i, j, c"), vec!["n0", "n0", "4*b", "n0"]),
        (
            "x: float[b, 4]; y, , , c = Unique(x); z, , , d = Unique(x); => y, c, z, d".to_owned(),
            vec!["n0", "n0", "n1", "n1"],
        ),
        (
            format!(
                "m: int64[]; c: bool[]; x: float[3]; z, y, w = Loop(m, c, x) {}; => y, w",
                body.replace("=> e, a, b", "=> e, a, b, b")
            ),
            vec!["n2, 3", "n2, 3"],
        ),
    ] {
        let json = infer(&text(&model), &[]).json();
        let outputs = model.rsplit("=> ").next().unwrap();
        let dims: Vec<String> = outputs.split(", ").map(|name| marked(&json, name)).collect();
        assert_eq!(dims, known, "{model}");
    }
}
