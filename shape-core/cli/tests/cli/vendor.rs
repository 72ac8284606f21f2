//! `--specs`: operators that only a folder of descriptors describes.

use serde_json::{Value as Json, json};
use shape_core::node::AttributeKind;
use shape_model::file::proto::{AttributeProto, ModelProto, NodeProto};

use crate::model::{Change as _, attribute, float, in_graph, initializer, int, int64s, model, node, opset};
use crate::run::{Folder, Run};

/// An operator whose rule is one of the program.
const EXTENT: &str = "\
operator: Extent
domain: com.acme
summary: Gives the dims of a tensor.
versions:
  - since: 1
    inputs: [{ name: data, type: T }]
    outputs: [{ name: dims, type: tensor(int64) }]
    types: [{ name: T, allow: [float, float16] }]
    rules: [{ output: dims, dims: shape(data) }]
  - since: 3
    attributes: [{ name: start, type: INT, default: 0 }, { name: end, type: INT, optional: true }]
    types: [{ name: T, add: [int8] }]
    rules: [{ output: dims, dims: \"shape(data, start, end)\" }]
";

/// One whose rule is in a crate, with an attribute of each form and types that are no tensors.
const MIX: &str = "\
operator: Mix
domain: com.acme
summary: Mixes sequences.
versions:
  - since: 1
    attributes:
      - { name: mode, type: STRING, default: mean, values: [mean, sum] }
      - { name: weights, type: FLOATS, default: [0.5, 1] }
      - { name: names, type: STRINGS, optional: true }
      - { name: table, type: TENSOR }
    inputs:
      - { name: lists, type: S }
      - { name: masks, type: tensor(bool), option: variadic, min_arity: 0 }
    outputs: [{ name: mixed, type: S }]
    types: [{ name: S, allow: [seq(tensor(float)), optional(tensor(float))] }]
    rules: [{ output: mixed, dims: \"crate::rules::mix(lists, masks, mode)\" }]
";

fn acme(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    NodeProto { domain: "com.acme".into(), ..node(op_type, inputs, outputs) }
}

/// A model that imports com.acme at an opset.
fn imports(version: i64, inputs: &[&str], nodes: Vec<NodeProto>, outputs: &[&str]) -> ModelProto {
    let mut model = model(inputs, nodes, outputs);
    model.opset_import.push(opset("com.acme", version));
    model
}

/// `Extent -> Reshape`, as an exporter with a fused operator would write it.
fn chain() -> ModelProto {
    let extent = acme("Extent", &["x"], &["s"]).with(|node| node.attribute.push(int("end", 2)));
    let nodes = vec![extent, node("Reshape", &["v", "s"], &["y"])];
    imports(3, &["x: float[N,4,?]", "v: float[4,N]"], nodes, &["y: float[?,?]"])
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("vendor/com.acme/Extent.yaml", EXTENT);
    folder.write("vendor/Mix.yaml", MIX);
    folder
}

fn with(folder: &Folder, model: &ModelProto, args: &[&str]) -> Run {
    folder.model("model.onnx", model);
    folder.shape(["--specs", "vendor"].iter().chain(args).chain(&["model.onnx", "--format", "json"]))
}

/// Values of its operators are followed as those of any other.
#[test]
fn inferred() {
    let folder = folder();
    let run = with(&folder, &chain(), &["infer"]);
    let json = run.json();
    let row = |name: &str| json["values"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone();
    assert_eq!((run.code, &json["findings"]), (0, &json!([])), "{run:?}");
    assert_eq!((&row("s")["type"], &row("s")["value"]), (&json!("int64"), &json!(["N", 4])));
    assert_eq!(row("y")["dims"], json!(["N", 4]));
    // Without the descriptors it is a node like any that nobody knows.
    let run = folder.shape(["infer", "model.onnx", "--format", "json"]);
    assert_eq!((run.code, run.findings()), (0, vec!["no-descriptor graph#0".to_owned()]), "{run:?}");
    // The option may stand at the end, and name a file.
    let run = folder.shape(["check", "model.onnx", "--specs", "vendor/com.acme/Extent.yaml"]);
    assert_eq!((run.code, &*run.out, &*run.notes), (0, "", "no findings in 1 model\n"));
}

#[test]
fn checked() {
    let folder = folder();
    let mix = |change: &dyn Fn(&mut NodeProto)| {
        let node = acme("Mix", &["l", "m"], &["y"]).with(|node| change(node));
        imports(1, &["l: float[2]", "m: bool[3]"], vec![node], &["y"])
    };
    let at = |version| {
        let mut model = chain();
        model.opset_import[1] = opset("com.acme", version);
        model
    };
    let table = |node: &mut NodeProto| {
        let t = Some(Box::new(initializer("", &[1])));
        node.attribute
            .push(attribute(AttributeProto { name: "table".into(), t, ..Default::default() }, AttributeKind::Tensor));
    };
    let mode = |mode: &'static str| {
        let s = Some(mode.as_bytes().into());
        attribute(AttributeProto { name: "mode".into(), s, ..Default::default() }, AttributeKind::String)
    };
    for (model, expected) in [
        (chain(), vec![]),
        (at(1), vec!["attribute-unknown graph#0"]),
        (at(2), vec!["attribute-unknown graph#0"]),
        (at(99), vec![]),
        (in_graph(chain(), |graph| graph.node[0].attribute.push(float("start", 1.0))), vec!["attribute-type graph#0"]),
        // A tensor where a sequence belongs, and the table that must be there.
        (mix(&|_| {}), vec!["attribute-missing graph#0", "type-not-allowed graph#0"]),
        (mix(&table), vec!["type-not-allowed graph#0"]),
        (
            mix(&|node| {
                table(node);
                node.attribute.push(mode("max"));
            }),
            vec!["attribute-value graph#0", "type-not-allowed graph#0"],
        ),
    ] {
        let run = with(&folder, &model, &["check"]);
        assert_eq!(run.findings(), expected, "{run:?}");
    }
}

/// A case of a fused operator runs, where its rules are those of the program.
#[test]
fn tested() {
    use shape_model::file::Message as _;
    let folder = folder();
    let nodes = vec![acme("Extent", &["x"], &["s"])];
    folder.model("case/model.onnx", &imports(1, &["x: float[A,B]"], nodes, &["s: int64[2]"]));
    folder.write("case/test_data_set_0/input_0.pb", initializer("x", &[2, 3]).encode_to_vec());
    folder.write("case/test_data_set_0/output_0.pb", int64s("s", &[2], &[2, 3]).encode_to_vec());
    let outcome = |run: &Run| run.json()["cases"][0]["outcome"].clone();
    let run = folder.shape(["test", "case", "--format", "json", "--specs", "vendor"]);
    assert_eq!((run.code, outcome(&run)), (0, json!("pass")), "{run:?}");
    let run = folder.shape(["test", "case", "--format", "json"]);
    assert_eq!((run.code, outcome(&run)), (0, json!("skip")), "{run:?}");
}

#[test]
fn shown_and_compared() {
    let folder = folder();
    let run = folder.shape(["show", "com.acme::Extent@2", "--specs", "vendor", "--format", "json"]);
    assert_eq!((run.code, &run.json()["operator"]["versions"][0]["since"]), (0, &json!(1)), "{run:?}");
    let run = folder.shape(["diff", "com.acme::Extent", "1", "3", "--specs", "vendor", "--format", "json"]);
    let json = run.json();
    let kinds = json["changes"].as_array().unwrap().iter().map(|change| change["kind"].as_str().unwrap());
    assert_eq!(kinds.collect::<Vec<_>>(), ["attribute-added", "attribute-added", "types-widened"], "{json}");
    let run = folder.shape(["show", "com.acme::Extent"]);
    assert_eq!(run.code, 2, "{run:?}");
}

/// What an example may have: values that are not given, symbols, what is unknown, and attributes of each form.
#[test]
fn examples_of_all_forms() {
    let folder = folder();
    let example = "
examples:
  - name: all
    since: 3
    inputs: [{ type: float, dims: [N, 2*N, '?'], values: ~ }, ~, { type: seq(tensor(float)), dims: '?' }]
    attributes:
      - { name: mode, value: mean }
      - { name: table, tensor: { type: string, dims: [2], values: ['3', '?'] } }
      - { name: body, graph: { inputs: [{ dims: [] }], outputs: [{ type: uint64, values: [18446744073709551615] }] } }
      - { name: kind, type: optional(tensor(int8)) }
    outputs: [{ values: [1, N, '?', -2] }, ~, { type: float, unchecked: no rule }]
";
    folder.write("vendor/com.acme/Extent.yaml", format!("{EXTENT}{example}"));
    let show = |args: &[&str]| folder.shape(["show", "com.acme::Extent", "--specs", "vendor"].iter().chain(args));
    let run = show(&["--format", "json"]);
    let of =
        |ty: &str, dims: Json, values: Json| json!({ "type": ty, "dims": dims, "values": values, "unchecked": null });
    let expected = json!([{
        "name": "all",
        "source": null,
        "since": 3,
        "until": null,
        "inputs": [
            of("float", json!(["N", "2*N", null]), json!(null)),
            null,
            of("seq(tensor(float))", json!(null), json!(null)),
        ],
        "attributes": [
            { "name": "mode", "value": "mean" },
            { "name": "table", "tensor": of("string", json!([2]), json!(["3", "?"])) },
            { "name": "body", "graph": {
                "inputs": [of("int64", json!([]), json!(null))],
                "outputs": [of("uint64", json!([1]), json!([u64::MAX]))],
            } },
            { "name": "kind", "type": "optional(tensor(int8))" },
        ],
        "outputs": [
            of("int64", json!([4]), json!([1, "N", null, -2])),
            null,
            { "type": "float", "dims": null, "values": null, "unchecked": "no rule" },
        ],
        "error": null,
    }]);
    assert_eq!(run.json()["operator"]["examples"], expected, "{run:?}");
    let page = show(&[]).out;
    let line = page.lines().skip_while(|line| *line != "Examples").nth(1).unwrap();
    let rest: String =
        page.lines().skip_while(|line| *line != "Examples").skip(1).map(|line| format!("{} ", line.trim())).collect();
    assert!(line.starts_with("  all "), "{page}");
    for part in [
        "float[N, 2*N, ?], none, seq(tensor(float)) of unknown rank",
        "mode=\"mean\"",
        "table=string[2] {3, ?}",
        "body=(int64[]) -> (uint64[1] {18446744073709551615})",
        "kind=optional(tensor(int8))",
        "=> int64[4] {1, N, ?, -2}, none, float",
    ] {
        assert!(rest.contains(part), "{part}: {page}");
    }
}

/// Nodes of its domain stay as they are, and do not stand against a conversion.
#[test]
fn converted() {
    let folder = folder();
    folder.model("model.onnx", &chain());
    let run = folder.shape(["convert", "model.onnx", "--opset", "21", "-o", "out.onnx", "--specs", "vendor"]);
    assert_eq!(run.code, 0, "{run:?}");
    let converted = folder.read("out.onnx");
    assert_eq!(converted.opset_import, [opset("", 21), opset("com.acme", 3)]);
    assert_eq!(converted.graph.unwrap().node, chain().graph.unwrap().node);
}

/// What is wrong with a descriptor is told as the compiler tells it, all at once, and nothing else is done.
#[test]
fn wrong() {
    let folder = folder();
    folder.model("model.onnx", &chain());
    folder.write("vendor/com.acme/Extent.yaml", EXTENT.replace("shape(data)", "shap(data)").replace("add", "ad"));
    folder.write("vendor/second/Mix.yaml", MIX.replace("com.acme", "second"));
    folder.write("vendor/com.acme/Mix.yaml", MIX);
    let told = [
        "vendor/com.acme/Extent.yaml:9:35: error[unknown-rule]: onnxspec-core has no rule `shap`",
        "vendor/com.acme/Extent.yaml:12:24: error[unknown-field]: there is no field `ad` here",
        "vendor/com.acme/Mix.yaml:1:11: error[duplicate-name]: vendor/Mix.yaml describes `com.acme::Mix` already",
    ];
    for command in [
        &["check", "model.onnx"][..],
        &["infer", "model.onnx"],
        &["convert", "model.onnx", "--opset", "21", "-o", "out.onnx"],
        &["test", "."],
        &["show", "Shape"],
        &["diff", "Shape", "13", "15"],
    ] {
        let run = folder.shape(command.iter().chain(&["--specs", "vendor"]));
        let lines: Vec<&str> = run.notes.lines().filter(|line| line.contains("error[")).collect();
        assert_eq!((run.code, &*run.out, &lines[..]), (2, "", &told[..]), "{run:?}");
    }
    assert!(!folder.path().join("out.onnx").exists());
    for (name, part) in [("nowhere", "cannot read nowhere"), ("empty", "there is no descriptor (`*.yaml`) in empty")] {
        std::fs::create_dir_all(folder.path().join("empty")).unwrap();
        let run = folder.shape(["check", "model.onnx", "--specs", name]);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.contains(part), "{run:?}");
    }
}
