//! Files that are damaged, or made to harm: an error or findings, never a panic, and nothing lost by writing.

use std::collections::BTreeMap;

use proptest::prelude::*;
use shape_core::code::Severity;
use shape_core::node::AttributeKind;
use shape_core::{Dim, Registry};
use shape_model::file::proto::{
    AttributeProto, Dimension, DimensionValue, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use shape_model::file::{Bytes, Message as _, ModelFile};
use shape_model::profile::{self, SONNX, Verdict};
use shape_model::{Model, Options, Value, analyse, annotate, check, convert};

fn attention() -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx")).unwrap()
}

/// Opens, analyses and writes; what is written must read back, with nothing left to add.
fn survive(bytes: &[u8]) -> Option<usize> {
    let model = ModelFile::from_bytes(Bytes::copy_from_slice(bytes)).ok()?;
    let analysis = analyse(model.model(), &Options::default()).unwrap();
    let _ = analysis.strict_findings();
    let found = check(model.model(), &Options::of(&model)).unwrap();
    let judged = profile::check(model.model(), &Options::of(&model), &SONNX, &["no-defaults"]).unwrap();
    assert_eq!(judged.findings, found);
    assert_eq!(judged.judgements[0].verdict == Verdict::Pass, judged.is_onnx(), "the first rule is that of ONNX");
    let of_walk = analysis.findings.iter().filter(|finding| !found.contains(finding));
    assert!(of_walk.clone().all(|finding| finding.message.contains("elements")), "{:?}", of_walk.collect::<Vec<_>>());
    let edit = annotate(&analysis, shape_model::Annotations::default());
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out.onnx");
    if model.write(&edit, &target).is_ok() {
        let again = ModelFile::open(&target).unwrap();
        let second = analyse(again.model(), &Options::default()).unwrap();
        assert_eq!(
            annotate(&second, shape_model::Annotations::default()),
            shape_model::file::GraphEdit::default(),
            "writing leaves nothing to write"
        );
        if edit == shape_model::file::GraphEdit::default() {
            assert_eq!(std::fs::read(&target).unwrap(), bytes, "nothing to write changes nothing");
        }
    }
    Some(analysis.findings.len())
}

/// The dimensions and the elements of each value, as text.
fn known(model: &ModelFile) -> BTreeMap<String, String> {
    let analysis = analyse(model.model(), &Options::default()).unwrap();
    let text = |value: &Value<'_>| format!("{:?} {:?}", value.dims.as_ref().ok(), value.elements.as_ref().ok());
    analysis.values.iter().map(|value| (value.name.to_owned(), text(value))).collect()
}

/// Converts to opsets all over; what is written must be right there, and know what was known before.
fn convertible(bytes: &[u8]) -> usize {
    let Ok(model) = ModelFile::from_bytes(Bytes::copy_from_slice(bytes)) else { return 0 };
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out.onnx");
    let mut written = 0;
    let newest = Registry::builtin().newest_opset("").unwrap();
    for opset in [1, 4, 5, 13, 14, newest, newest + 1, u32::MAX] {
        let Ok(conversion) = convert(&model, opset, Registry::builtin()) else { continue };
        if model.rewrite(&conversion.edit, &target).is_err() {
            continue;
        }
        let again = ModelFile::open(&target).unwrap();
        let (old, new) = (known(&model), known(&again));
        for (name, dims) in old.iter().filter(|(name, _)| new.contains_key(*name)) {
            assert_eq!(new.get(name), Some(dims), "{opset}: {name}");
        }
        let found = analyse(again.model(), &Options::default()).unwrap().findings;
        assert!(found.iter().all(|found| found.severity() < Severity::Error), "{opset}: {found:?}");
        assert!(
            convert(&again, opset, Registry::builtin()).unwrap().nodes.is_empty(),
            "{opset}: nothing is left to convert"
        );
        written += 1;
    }
    written
}

/// `z = Shape(Reshape(x))` at opset 1.
fn reshaped() -> Vec<u8> {
    let shape = AttributeProto {
        name: "shape".into(),
        r#type: Some(AttributeKind::Ints.number()),
        ints: vec![3, -1],
        ..AttributeProto::default()
    };
    let node = |op_type: &str, input: &str, output: &str, attribute| NodeProto {
        op_type: op_type.into(),
        input: vec![input.into()],
        output: vec![output.into()],
        attribute,
        ..NodeProto::default()
    };
    let dims = [2, 6].map(|size| Dimension { value: Some(DimensionValue::DimValue(size)), ..Dimension::default() });
    let ty = TensorType { elem_type: Some(1), shape: Some(TensorShapeProto { dim: dims.into() }) };
    let input = ValueInfoProto {
        name: "x".into(),
        r#type: Some(TypeProto { value: Some(TypeValue::TensorType(ty)), ..TypeProto::default() }),
        ..ValueInfoProto::default()
    };
    let model = ModelProto {
        ir_version: Some(4),
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: Some(4) }],
        graph: Some(GraphProto {
            node: vec![node("Reshape", "x", "y", vec![shape]), node("Shape", "y", "z", vec![])],
            input: vec![input],
            output: vec![ValueInfoProto { name: "z".into(), ..ValueInfoProto::default() }],
            ..GraphProto::default()
        }),
        ..ModelProto::default()
    };
    model.encode_to_vec()
}

#[test]
fn the_model_itself_is_converted() {
    assert_eq!(convertible(&reshaped()), 6);
}

#[test]
fn the_model_itself() {
    assert!(survive(&attention()).is_some());
}

#[test]
fn cut_anywhere() {
    let bytes = attention();
    // The weights make most of the file; what is before and behind them is cut at every byte.
    for length in (0..2_000).chain((2_000..bytes.len()).step_by(499)).chain(bytes.len() - 2_000..bytes.len()) {
        survive(&bytes[..length]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_changed_and_converted(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut bytes = reshaped();
        for (index, byte) in changes {
            let length = bytes.len();
            bytes[index.index(length)] = byte;
        }
        convertible(&bytes);
    }

    #[test]
    fn bytes_changed(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = attention();
        for (index, byte) in changes {
            let length = bytes.len();
            bytes[index.index(length)] = byte;
        }
        survive(&bytes);
    }

    #[test]
    fn anything(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survive(&bytes);
    }
}

fn model(graph: GraphProto) -> ModelProto {
    ModelProto {
        ir_version: Some(10),
        opset_import: vec![OperatorSetIdProto { version: Some(21), ..OperatorSetIdProto::default() }],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

fn node(op_type: &str, input: &str, output: &str) -> NodeProto {
    NodeProto {
        op_type: op_type.to_owned(),
        input: vec![input.to_owned()],
        output: vec![output.to_owned()],
        ..NodeProto::default()
    }
}

fn codes(model: &ModelProto) -> Vec<&'static str> {
    analyse(&Model::of(model).unwrap(), &Options::default())
        .unwrap()
        .findings
        .iter()
        .map(|finding| finding.code.name())
        .collect()
}

#[test]
fn a_cycle() {
    let nodes = vec![node("Shape", "b", "a"), node("Shape", "a", "b")];
    assert_eq!(codes(&model(GraphProto { node: nodes, ..GraphProto::default() })), ["value-undefined"]);
}

#[test]
fn a_graph_in_a_graph_in_a_graph() {
    let mut graph = GraphProto { node: vec![node("Shape", "nowhere", "y")], ..GraphProto::default() };
    for _ in 0..20 {
        let attribute = AttributeProto { name: "body".into(), g: Some(Box::new(graph)), ..AttributeProto::default() };
        let outer = NodeProto { domain: "com.acme".into(), attribute: vec![attribute], ..node("Repeat", "", "") };
        graph = GraphProto { node: vec![outer], ..GraphProto::default() };
    }
    let mut model = model(graph);
    model.opset_import.push(OperatorSetIdProto { domain: "com.acme".into(), version: Some(1) });
    assert_eq!(codes(&model), ["value-undefined", "no-descriptor"]);
}

/// Functions by the thousand, each of which calls the next, the first, and one that asks for more than it is given.
#[test]
fn functions_that_lead_back() {
    const COUNT: usize = 20_000;
    let call = |name: &str| NodeProto { domain: "my".into(), ..node(name, "a", "") };
    let function = |name: String, attribute: Vec<String>, node: Vec<NodeProto>| FunctionProto {
        name,
        domain: "my".into(),
        input: vec!["a".into()],
        attribute,
        node,
        opset_import: vec![OperatorSetIdProto { domain: "my".into(), version: Some(1) }],
        ..FunctionProto::default()
    };
    let next = |index: usize| {
        function(
            format!("F{index}"),
            vec![],
            vec![
                call(&format!("F{}", index + 1)),
                call("F0"),
                NodeProto {
                    attribute: vec![AttributeProto { name: "k".into(), ..AttributeProto::default() }],
                    ..call("Wide")
                },
            ],
        )
    };
    let wide = function("Wide".into(), (0..COUNT).map(|index| format!("a{index}")).collect(), vec![]);
    let mut model = model(GraphProto::default());
    model.functions = (0..COUNT).map(next).chain([wide]).collect();
    let model = Model::of(&model).unwrap();
    let found = check(&model, &Options::default()).unwrap();
    let of = |code: &str| {
        let of_code = found.iter().filter(|finding| finding.code.name() == code);
        of_code.map(|finding| 1 + finding.more).sum::<usize>()
    };
    assert_eq!((of("function-recursive"), of("attribute-unknown")), (1, COUNT));
    assert!(found.iter().all(|finding| finding.expected.as_deref().is_none_or(|text| text.len() < 200)));
}

/// What a call found of its body is given back before what is found of other nodes is limited.
#[test]
fn calls_give_their_memory_back() {
    // Each node has dimensions of its own.
    let chain = |count: usize| -> Vec<NodeProto> {
        let axis = AttributeProto { name: "axis".into(), r#type: Some(2), i: Some(0), ..AttributeProto::default() };
        let longer = |index: usize| NodeProto {
            input: vec![format!("a{index}"), "a0".into()],
            attribute: vec![axis.clone()],
            ..node("Concat", "", &format!("a{}", index + 1))
        };
        (0..count).map(longer).collect()
    };
    let function = FunctionProto {
        name: "F".into(),
        domain: "my".into(),
        input: vec!["a0".into()],
        output: vec!["a100".into()],
        node: chain(100),
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: Some(17) }],
        ..FunctionProto::default()
    };
    let input = |index: usize| {
        let dim = |size| Dimension { value: Some(DimensionValue::DimValue(size)), ..Dimension::default() };
        let shape = TensorShapeProto { dim: vec![dim(2), dim(2), dim(2), dim(1 + index as i64)] };
        let tensor = TensorType { elem_type: Some(1), shape: Some(shape) };
        let ty = TypeProto { value: Some(TypeValue::TensorType(tensor)), ..TypeProto::default() };
        ValueInfoProto { name: format!("a{index}"), r#type: Some(ty), ..ValueInfoProto::default() }
    };
    let call = |index| NodeProto { domain: "my".into(), ..node("F", &format!("a{index}"), &format!("y{index}")) };
    let unknown = |inputs: usize, nodes: Vec<NodeProto>| {
        let graph = GraphProto { input: (0..inputs).map(input).collect(), node: nodes, ..GraphProto::default() };
        let mut model = model(graph);
        model.opset_import.push(OperatorSetIdProto { domain: "my".into(), version: Some(1) });
        model.functions = vec![function.clone()];
        let options = Options { memory: 600 * 4 * size_of::<Dim>(), ..Options::default() };
        let model = Model::of(&model).unwrap();
        let analysis = analyse(&model, &options).unwrap();
        analysis.values.iter().filter(|value| value.graph == 0 && value.dims.is_err()).count()
    };
    assert_eq!(unknown(40, (0..40).map(call).collect()), 0);
    assert!(unknown(1, chain(900)) > 0);
}

/// Small files that ask for much: what is kept of each node does not grow with the rank of what it reads.
#[test]
fn a_rank_that_no_tensor_has() {
    let dim = || Dimension { value: Some(DimensionValue::DimValue(1)), ..Dimension::default() };
    let shape = TensorShapeProto { dim: std::iter::repeat_with(dim).take(100_000).collect() };
    let tensor = TensorType { elem_type: Some(1), shape: Some(shape) };
    let ty = TypeProto { value: Some(TypeValue::TensorType(tensor)), ..TypeProto::default() };
    let graph = GraphProto {
        input: vec![ValueInfoProto { name: "x".into(), r#type: Some(ty), ..ValueInfoProto::default() }],
        node: (0..2_000).map(|index| node("Shape", "x", &format!("y{index}"))).collect(),
        ..GraphProto::default()
    };
    let model = model(graph);
    let model = Model::of(&model).unwrap();
    let analysis = analyse(&model, &Options::default()).unwrap();
    assert!(analysis.findings.is_empty());
    let kept: usize =
        analysis.values.iter().filter_map(|value| value.elements.as_ref().ok()).map(|kept| kept.len()).sum();
    assert_eq!(kept, 0);
    assert!(analysis.values.iter().skip(1).all(|value| value.dims.as_deref() == Ok(&[Dim::Known(100_000)])));
}

/// A list of sizes may be longer than can be counted through, though nothing of it is in the file.
#[test]
fn a_list_that_no_memory_holds() {
    let input = |name: &str, elem_type: i32, size: i64| {
        let dim = Dimension { value: Some(DimensionValue::DimValue(size)), ..Dimension::default() };
        let shape = Some(TensorShapeProto { dim: vec![dim] });
        let value = Some(TypeValue::TensorType(TensorType { elem_type: Some(elem_type), shape }));
        let ty = TypeProto { value, ..TypeProto::default() };
        ValueInfoProto { name: name.into(), r#type: Some(ty), ..ValueInfoProto::default() }
    };
    let mut nodes = vec![node("ConstantOfShape", "sizes", "filled"), node("Expand", "x", "expanded")];
    nodes[1].input.push("sizes".into());
    nodes.push(node("Unsqueeze", "x", "unsqueezed"));
    nodes[2].input.push("sizes".into());
    let inputs = vec![input("sizes", 7, 1 << 40), input("x", 1, 3)];
    let model = model(GraphProto { input: inputs, node: nodes, ..GraphProto::default() });
    let model = Model::of(&model).unwrap();
    let analysis = analyse(&model, &Options::default()).unwrap();
    assert!(analysis.findings.is_empty());
    assert!(analysis.values.iter().skip(2).all(|value| value.dims.is_err()));
}
