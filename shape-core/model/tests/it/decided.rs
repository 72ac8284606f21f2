//! What decides the types of outputs where the inputs leave them open, and what is known where these decide nothing.

use shape_core::code::Code;
use shape_core::infer::TypeQuery;
use shape_core::node::{AttributeKind, AttributeValue, NodeAttribute};
use shape_core::symbolic::Dim;
use shape_core::{DataType, Registry, Type};
use shape_model::file::proto::{
    AttributeProto, Dimension, DimensionValue, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, SequenceType,
    SparseTensorProto, TensorProto, TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use shape_model::{Model, Options, analyse};

const FLOAT: Option<Type> = Some(Type::tensor(DataType::Float));
const DOUBLE: Option<Type> = Some(Type::tensor(DataType::Double));
const INT64: Option<Type> = Some(Type::tensor(DataType::Int64));
const STRING: Option<Type> = Some(Type::tensor(DataType::String));

/// The type of an output, from the types of the inputs.
fn decided(
    (domain, name, since): (&str, &str, u32),
    attributes: &[NodeAttribute<'static>],
    inputs: &[Option<Type>],
    output: usize,
) -> Option<Type> {
    let schema = Registry::builtin().resolve(domain, name, since).unwrap();
    let given = vec![true; inputs.len()];
    schema.decided(output, &TypeQuery { attributes, given: &given, inputs, within: &|_, _| None }).unwrap()
}

#[test]
fn by_the_type_of_an_input() {
    let label_encoder = ("ai.onnx.ml", "LabelEncoder", 1);
    assert_eq!(decided(label_encoder, &[], &[STRING], 0), INT64);
    assert_eq!(decided(label_encoder, &[], &[INT64], 0), STRING);
    assert_eq!(decided(label_encoder, &[], &[None], 0), None);
}

#[test]
fn by_an_attribute_and_otherwise_by_an_input() {
    let like = ("", "RandomNormalLike", 1);
    let dtype = |value| [NodeAttribute::new("dtype", value)];
    assert_eq!(decided(like, &[], &[FLOAT], 0), FLOAT);
    assert_eq!(decided(like, &dtype(AttributeValue::Int(11)), &[FLOAT], 0), DOUBLE);
    // The caller of the function around the node gives it.
    assert_eq!(decided(like, &dtype(AttributeValue::Other(AttributeKind::Int)), &[FLOAT], 0), None);
}

#[test]
fn of_what_is_updated() {
    let adagrad = ("ai.onnx.preview.training", "Adagrad", 1);
    let inputs = [FLOAT, INT64, FLOAT, DOUBLE, DOUBLE, FLOAT, FLOAT, INT64];
    let outputs = [0, 1, 2, 3].map(|output| decided(adagrad, &[], &inputs, output));
    assert_eq!(outputs, [FLOAT, DOUBLE, FLOAT, INT64]);
}

fn node(domain: &str, op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto {
        op_type: op_type.into(),
        domain: domain.into(),
        input: names(inputs),
        output: names(outputs),
        ..NodeProto::default()
    }
}

fn attribute(name: &str, kind: AttributeKind) -> AttributeProto {
    AttributeProto { name: name.into(), r#type: Some(kind.number()), ..AttributeProto::default() }
}

fn tensor(dims: Option<&[i64]>) -> TypeProto {
    let dim = |size: &i64| Dimension { value: Some(DimensionValue::DimValue(*size)), ..Dimension::default() };
    let shape = dims.map(|dims| TensorShapeProto { dim: dims.iter().map(dim).collect() });
    TypeProto { value: Some(TypeValue::TensorType(TensorType { elem_type: Some(1), shape })), ..TypeProto::default() }
}

fn value(name: &str, dims: &[i64]) -> ValueInfoProto {
    ValueInfoProto { name: name.into(), r#type: Some(tensor(Some(dims))), ..ValueInfoProto::default() }
}

fn model(inputs: &[(&str, &[i64])], node: Vec<NodeProto>) -> ModelProto {
    let opset = |domain: &str, version| OperatorSetIdProto { domain: domain.into(), version: Some(version) };
    let graph = GraphProto {
        name: "g".into(),
        input: inputs.iter().map(|(name, dims)| value(name, dims)).collect(),
        node,
        ..GraphProto::default()
    };
    ModelProto {
        ir_version: Some(8),
        opset_import: vec![opset("", 17), opset("my", 1)],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

/// A branch that gives one constant for each letter: an INT or a FLOAT.
fn branch(name: &str, kinds: &str) -> AttributeProto {
    let names: Vec<String> = (0..kinds.len()).map(|at| format!("{name}_{at}")).collect();
    let constant = |(name, kind): (&String, char)| {
        let (named, kind) =
            if kind == 'i' { ("value_int", AttributeKind::Int) } else { ("value_float", AttributeKind::Float) };
        let value = AttributeProto { i: Some(1), f: Some(1.0), ..attribute(named, kind) };
        NodeProto { attribute: vec![value], ..node("", "Constant", &[], &[name]) }
    };
    let nodes = names.iter().zip(kinds.chars()).map(constant).collect();
    let output = names.iter().map(|name| ValueInfoProto { name: name.clone(), ..ValueInfoProto::default() }).collect();
    let graph = GraphProto { name: name.into(), node: nodes, output, ..GraphProto::default() };
    AttributeProto { g: Some(Box::new(graph)), ..attribute(name, AttributeKind::Graph) }
}

fn types_of_an_if(then_branch: &str, else_branch: &str) -> Vec<Option<Type>> {
    let outputs = ["y0", "y1", "y2"];
    let choice = NodeProto {
        attribute: vec![branch("then_branch", then_branch), branch("else_branch", else_branch)],
        ..node("", "If", &["c"], &outputs)
    };
    let model = model(&[("x", &[1])], vec![node("", "IsNaN", &["x"], &["c"]), choice]);
    let model = Model::of(&model).unwrap();
    let analysis = analyse(&model, &Options::default()).unwrap();
    let of = |name: &str| analysis.values.iter().find(|value| value.name == name).unwrap().ty.as_ref().ok().copied();
    outputs.map(of).to_vec()
}

#[test]
fn by_the_graphs_of_an_if() {
    assert_eq!(types_of_an_if("fif", "fif"), [FLOAT, INT64, FLOAT]);
    assert_eq!(types_of_an_if("iff", "iff"), [INT64, FLOAT, FLOAT]);
    // Which branch runs is not known.
    assert_eq!(types_of_an_if("fff", "fif"), [FLOAT, None, FLOAT]);
}

#[test]
fn by_an_input_of_which_the_type_is_not_known() {
    let ty = AttributeProto { tp: Some(Box::new(tensor(None))), ..attribute("type", AttributeKind::TypeProto) };
    let optional = |input: &[&str]| NodeProto { attribute: vec![ty.clone()], ..node("", "Optional", input, &["y"]) };
    let of = |nodes: Vec<NodeProto>| {
        let model = model(&[("x", &[1])], nodes);
        let model = Model::of(&model).unwrap();
        let analysis = analyse(&model, &Options::default()).unwrap();
        analysis.values.iter().find(|value| value.name == "y").unwrap().ty.as_ref().ok().copied()
    };
    assert_eq!(of(vec![optional(&[])]), FLOAT.and_then(Type::optional));
    assert_eq!(of(vec![node("my", "Something", &["x"], &["z"]), optional(&["z"])]), None);
}

/// How many outputs a node has cannot be said where it is refused, so that no example of the descriptor shows it.
#[test]
fn unequal_parts() {
    let split = |size: i64| {
        let model = model(&[("x", &[size, 3])], vec![node("", "Split", &["x"], &["a", "b"])]);
        let model = Model::of(&model).unwrap();
        let analysis = analyse(&model, &Options::default()).unwrap();
        analysis.findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    assert_eq!(split(4), []);
    assert_eq!(split(5), [Code::DimsMismatch]);
}

#[test]
fn dims_of_the_type_or_the_sparse_tensor_in_an_attribute() {
    let mut empty = node("", "Optional", &[], &["optional"]);
    empty.attribute.push(AttributeProto {
        tp: Some(Box::new(tensor(Some(&[2, 3])))),
        ..attribute("type", AttributeKind::TypeProto)
    });
    let mut of_lists = node("", "Optional", &[], &["lists"]);
    let list = SequenceType { elem_type: Some(Box::new(tensor(Some(&[4])))) };
    let list = TypeProto { value: Some(TypeValue::SequenceType(list)), ..TypeProto::default() };
    of_lists.attribute.push(AttributeProto { tp: Some(Box::new(list)), ..attribute("type", AttributeKind::TypeProto) });
    let mut any_rank = node("", "Optional", &[], &["any rank"]);
    any_rank
        .attribute
        .push(AttributeProto { tp: Some(Box::new(tensor(None))), ..attribute("type", AttributeKind::TypeProto) });
    let mut sparse = node("", "Constant", &[], &["sparse"]);
    let values = TensorProto { dims: vec![0], data_type: Some(1), ..TensorProto::default() };
    let indices = TensorProto { dims: vec![0], data_type: Some(7), ..TensorProto::default() };
    let tensor = SparseTensorProto { values: Some(values), indices: Some(indices), dims: vec![5, 6] };
    sparse.attribute.push(AttributeProto {
        sparse_tensor: Some(Box::new(tensor)),
        ..attribute("sparse_value", AttributeKind::SparseTensor)
    });
    let model = model(&[], vec![empty, of_lists, any_rank, sparse]);
    let model = Model::of(&model).unwrap();
    let analysis = analyse(&model, &Options::default()).unwrap();
    let dims = |name: &str| {
        let value = analysis.values.iter().find(|value| value.name == name).unwrap();
        value.dims.as_deref().ok().map(<[_]>::to_vec)
    };
    assert_eq!(dims("optional"), Some(vec![Dim::Known(2), Dim::Known(3)]));
    assert_eq!(dims("lists"), Some(vec![Dim::Known(4)]));
    assert_eq!(dims("any rank"), None);
    assert_eq!(dims("sparse"), Some(vec![Dim::Known(5), Dim::Known(6)]));
}
