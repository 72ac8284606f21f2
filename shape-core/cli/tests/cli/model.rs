//! Small models.

use shape_core::DataType;
use shape_core::node::AttributeKind;
use shape_model::file::proto::{
    AttributeProto, Dimension, DimensionValue, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};

/// A model of these nodes that imports ai.onnx 17, with inputs and outputs such as `x: float[N, 3]`.
pub(crate) fn model(inputs: &[&str], nodes: Vec<NodeProto>, outputs: &[&str]) -> ModelProto {
    ModelProto {
        ir_version: Some(8),
        opset_import: vec![opset("", 17)],
        graph: Some(graph(inputs, nodes, outputs)),
        ..ModelProto::default()
    }
}

/// The model that most tests change: `y = Shape(x)`.
pub(crate) fn one() -> ModelProto {
    model(&["x: float[N, 3, 4]"], vec![node("Shape", &["x"], &["y"])], &["y: int64[3]"])
}

pub(crate) fn graph(inputs: &[&str], nodes: Vec<NodeProto>, outputs: &[&str]) -> GraphProto {
    let values = |texts: &[&str]| texts.iter().map(|text| value(text)).collect();
    GraphProto {
        node: nodes,
        name: "g".into(),
        input: values(inputs),
        output: values(outputs),
        ..GraphProto::default()
    }
}

pub(crate) fn node(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input: names(inputs), output: names(outputs), ..NodeProto::default() }
}

/// A node of an operator that nobody has described: that of `node`, in the domain `com.acme`.
pub(crate) fn acme(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    NodeProto { domain: "com.acme".into(), ..node(op_type, inputs, outputs) }
}

/// A model that imports `com.acme` too.
pub(crate) fn with_acme(model: ModelProto) -> ModelProto {
    model.with(|model| model.opset_import.push(opset("com.acme", 1)))
}

pub(crate) fn opset(domain: &str, version: i64) -> OperatorSetIdProto {
    OperatorSetIdProto { domain: domain.into(), version: Some(version) }
}

/// `x: float[N, 3, ?]`, or `x: float` without dimensions, or `x` without a type.
pub(crate) fn value(text: &str) -> ValueInfoProto {
    let (name, ty) = text.split_once(": ").map_or((text, None), |(name, ty)| (name, Some(tensor_type(ty))));
    ValueInfoProto { name: name.into(), r#type: ty, ..ValueInfoProto::default() }
}

pub(crate) fn tensor_type(text: &str) -> TypeProto {
    let (element, dims) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((element, dims)) => (element, Some(dims)),
        None => (text, None),
    };
    let dim = |dim: &str| match dim.trim() {
        "?" => None,
        // A name in quotes may be a placeholder or a number.
        dim => Some(
            dim.parse()
                .map_or_else(|_| DimensionValue::DimParam(dim.trim_matches('\'').into()), DimensionValue::DimValue),
        ),
    };
    let shape = dims.map(|dims| TensorShapeProto {
        dim: dims
            .split(',')
            .filter(|text| !text.is_empty())
            .map(|text| Dimension { value: dim(text), ..Dimension::default() })
            .collect(),
    });
    let element = DataType::from_name(element).map_or_else(|| element.parse().unwrap(), |ty| ty.number().into());
    of(TypeValue::TensorType(TensorType { elem_type: Some(element), shape }))
}

pub(crate) fn of(value: TypeValue) -> TypeProto {
    TypeProto { value: Some(value), ..TypeProto::default() }
}

pub(crate) fn initializer(name: &str, dims: &[i64]) -> TensorProto {
    let bytes = dims.iter().product::<i64>().max(0) * 4;
    TensorProto {
        name: name.into(),
        dims: dims.to_vec(),
        data_type: Some(DataType::Float.number().into()),
        raw_data: Some(vec![0; usize::try_from(bytes).unwrap()].into()),
        ..TensorProto::default()
    }
}

/// An initializer of int64.
pub(crate) fn int64s(name: &str, dims: &[i64], values: &[i64]) -> TensorProto {
    TensorProto {
        name: name.into(),
        dims: dims.to_vec(),
        data_type: Some(DataType::Int64.number().into()),
        raw_data: Some(values.iter().flat_map(|value| value.to_le_bytes()).collect()),
        ..TensorProto::default()
    }
}

/// `y = Reshape(x, t)` with the target as an initializer `t`.
pub(crate) fn reshape(input: &str, target: TensorProto, outputs: &[&str]) -> ModelProto {
    in_graph(model(&[input], vec![node("Reshape", &["x", "t"], &["y"])], outputs), |graph| {
        graph.initializer = vec![target];
    })
}

pub(crate) fn ints(name: &str, values: &[i64]) -> AttributeProto {
    let ints = values.to_vec();
    attribute(AttributeProto { name: name.into(), ints, ..AttributeProto::default() }, AttributeKind::Ints)
}

pub(crate) fn int(name: &str, value: i64) -> AttributeProto {
    attribute(AttributeProto { name: name.into(), i: Some(value), ..AttributeProto::default() }, AttributeKind::Int)
}

pub(crate) fn float(name: &str, value: f32) -> AttributeProto {
    attribute(AttributeProto { name: name.into(), f: Some(value), ..AttributeProto::default() }, AttributeKind::Float)
}

pub(crate) fn text(name: &str, value: &str) -> AttributeProto {
    let s = Some(value.to_owned().into());
    attribute(AttributeProto { name: name.into(), s, ..AttributeProto::default() }, AttributeKind::String)
}

pub(crate) fn subgraph(name: &str, graph: GraphProto) -> AttributeProto {
    let graph = Some(Box::new(graph));
    attribute(AttributeProto { name: name.into(), g: graph, ..AttributeProto::default() }, AttributeKind::Graph)
}

pub(crate) fn attribute(attribute: AttributeProto, kind: AttributeKind) -> AttributeProto {
    AttributeProto { r#type: Some(kind.number()), ..attribute }
}

/// The function `my::F`, which gives `b` from `a`.
pub(crate) fn function(nodes: Vec<NodeProto>, opset_version: i64) -> FunctionProto {
    FunctionProto {
        name: "F".into(),
        domain: "my".into(),
        input: vec!["a".into()],
        output: vec!["b".into()],
        node: nodes,
        opset_import: vec![opset("", opset_version)],
        ..FunctionProto::default()
    }
}

/// Changes in the form of a chain, which keep a table of cases on one line each.
pub(crate) trait Change: Sized {
    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Change for NodeProto {}
impl Change for GraphProto {}
impl Change for TensorProto {}
impl Change for FunctionProto {}

impl Change for ModelProto {}

/// `one()` with its opset changed.
pub(crate) fn one_at(opset_version: i64) -> ModelProto {
    one().with(|model| model.opset_import = vec![opset("", opset_version)])
}

/// `one()` with its node changed.
pub(crate) fn one_with(change: impl FnOnce(&mut NodeProto)) -> ModelProto {
    in_graph(one(), |graph| change(&mut graph.node[0]))
}

/// A model with its graph changed.
pub(crate) fn in_graph(model: ModelProto, change: impl FnOnce(&mut GraphProto)) -> ModelProto {
    model.with(|model| change(model.graph.as_mut().unwrap()))
}
