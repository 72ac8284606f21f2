//! A model with operators of all three kinds.

use downstream::{derived, described};
use onnx::Registry;
use onnx::node::AttributeKind;
use onnx::{DataType, Operator};
use onnx_model::ModelFile;
use onnx_model::file::Message as _;
use onnx_model::file::proto::{
    AttributeProto, Dimension, DimensionValue, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorShapeProto,
    TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use onnx_model::{Options, analyse};

fn node(op_type: &str, domain: &str, inputs: &[&str], output: &str, attribute: Option<(&str, i64)>) -> NodeProto {
    let attribute = attribute.map(|(name, value)| AttributeProto {
        name: name.into(),
        r#type: Some(AttributeKind::Int.number()),
        i: Some(value),
        ..AttributeProto::default()
    });
    NodeProto {
        op_type: op_type.into(),
        domain: domain.into(),
        input: inputs.iter().map(|name| (*name).into()).collect(),
        output: vec![output.into()],
        attribute: attribute.into_iter().collect(),
        ..NodeProto::default()
    }
}

/// A float tensor `x` of `[batch, 64]`, and nodes of it.
fn model() -> ModelProto {
    let dim = |value| Dimension { value: Some(value), ..Dimension::default() };
    let dims = vec![dim(DimensionValue::DimParam("batch".into())), dim(DimensionValue::DimValue(64))];
    let shape = Some(TensorShapeProto { dim: dims });
    let tensor = TensorType { elem_type: Some(DataType::Float.number().into()), shape };
    let ty = TypeProto { value: Some(TypeValue::TensorType(tensor)), ..TypeProto::default() };
    let opset = |domain: &str, version| OperatorSetIdProto { domain: domain.into(), version: Some(version) };
    ModelProto {
        ir_version: Some(10),
        opset_import: vec![opset("", 21), opset("com.acme", 2)],
        graph: Some(GraphProto {
            input: vec![ValueInfoProto { name: "x".into(), r#type: Some(ty), ..ValueInfoProto::default() }],
            node: vec![
                node("Copies", "com.acme", &["x"], "copies", Some(("count", 3))),
                node("Stack", "com.acme", &["copies", "copies"], "stack", Some(("axis", 0))),
                node("Extent", "com.acme", &["x"], "extent", Some(("start", 1))),
                node("Reshape", "", &["stack", "extent"], "flat", None),
                node("Shape", "", &["stack"], "shape", None),
                node("Stack", "com.acme", &["x"], "wrong", Some(("axis", 3))),
            ],
            ..GraphProto::default()
        }),
        ..ModelProto::default()
    }
}

#[test]
fn checked_and_inferred() {
    let file = ModelFile::from_bytes(model().encode_to_vec().into()).unwrap();
    let registry = Registry::builtin().with(described::OPERATORS.concat()).unwrap();
    let registry = registry.with([derived::Copies::SCHEMA]).unwrap();
    let analysis = analyse(file.model(), &Options { registry, ..Options::of(&file) }).unwrap();
    let dims = |name: &str| {
        let value = analysis.values.iter().find(|value| value.name == name).unwrap();
        let dims = value.dims.as_ref().unwrap().iter();
        dims.map(|dim| dim.display(&analysis.symbols).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(dims("stack"), ["2", "3", "batch", "64"]);
    assert_eq!(dims("shape"), ["4"]);
    let findings: Vec<_> = analysis.findings.iter().map(|finding| finding.code.name()).collect();
    // `flat` has the elements of `stack` only where batch is 1/6, and the tensor of `wrong` has no axis 3.
    assert_eq!(findings, ["element-count", "axis-range"]);
}
