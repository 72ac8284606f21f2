//! Operators of one's own as Rust structs: what the derive says of them, reading, checking, and whole models.

#![deny(missing_docs, unsafe_code, warnings)]

use shape_core::check;
use shape_core::dimension::Product;
use shape_core::facts::{Dims, Inputs, Outputs, UnknownCause};
use shape_core::node::{
    AttributeKind, AttributeValue, GraphView, GraphsView, NodeAttribute, SparseTensorView, SparseTensorsView,
    StringsView, TensorView, TensorsView, TypeProtoView, TypeProtosView,
};
use shape_core::problem::Problem;
use shape_core::registry::Missing;
use shape_core::schema::{ParameterOption, ParameterType, SupportLevel};
use shape_core::{AttributeEnum, DataType, Dimension, Infer, Operator, Registry, Tensor, Type};
use shape_model::file::proto::{
    AttributeProto, Dimension as Dim, DimensionValue, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use shape_model::{Model, Options, analyse};

/// Puts tensors of the same dimensions
/// on top of each other.
///
/// What stands here is for the reader of the code.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(
    domain = "com.acme",
    name = "Stack",
    since_version = 1,
    types(T: [float, double]),
    inputs(layers: Variadic<T>),
    outputs(stacked: T)
)]
struct Stack1;

/// Puts tensors of the same dimensions on top of each other, at an axis.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(domain = "com.acme", name = "Stack", since_version = 3)]
#[operator(
    types(
        /// Any element type.
        T: [every_type_of_opset_13]
    ),
    inputs(
        /// The tensors.
        layers: Variadic<T, min_arity = 2>,
    ),
    outputs(stacked: T),
)]
struct Stack3 {
    /// Where the new dimension comes.
    #[attribute(default = 0)]
    axis: i64,
}

/// A new dimension as large as there are inputs.
fn stack<D: Dimension>(axis: i64, inputs: Inputs<'_, D>, outputs: &mut dyn Outputs<D>) {
    let axis = usize::try_from(axis).unwrap_or(0);
    let Some(dims) = inputs.required(0).fact.dims else {
        outputs.dims(0, Dims::Unknown(UnknownCause::Dims(0)));
        return;
    };
    let count = D::from(inputs.0.len() as u64);
    let dim = |at: usize| match at.cmp(&axis) {
        std::cmp::Ordering::Less => dims.get(at),
        std::cmp::Ordering::Equal => Some(&count),
        std::cmp::Ordering::Greater => dims.get(at - 1),
    };
    outputs.dims(0, Dims::Each(dims.len() + 1, &|at| dim(at).cloned().ok_or(UnknownCause::Dims(0))));
}

impl Infer for Stack1 {
    fn infer<D: Dimension>(&self, inputs: Inputs<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>> {
        stack(0, inputs, outputs);
        Ok(())
    }
}

impl Infer for Stack3 {
    fn infer<D: Dimension>(&self, inputs: Inputs<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>> {
        stack(self.axis, inputs, outputs);
        Ok(())
    }
}

/// Gives the dimensions between two axes.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(
    domain = "com.acme",
    since_version = 1,
    rules(extents = "shape(data, start, end)"),
    types(T: [every_type_of_opset_13]),
    inputs(data: T),
    outputs(extents: tensor(int64)),
    deprecated,
    experimental,
)]
struct Extent {
    #[attribute(default = 0)]
    start: i64,
    end: Option<i64>,
}

/// Puts copies of a tensor side by side, along a new first axis, and turns them.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(
    domain = "com.acme",
    since_version = 1,
    types(T: [float]),
    inputs(data: T, by: Option<tensor(int64)>),
    outputs(copies: T, turned: T),
    rules(copies = "[count, ...data]", turned = "crate::rules::turned(data, by, labels)")
)]
struct Copies<'a> {
    #[attribute(default = 2)]
    count: i64,
    labels: Option<&'a [i64]>,
}

pub(crate) mod rules {
    use shape_core::Dimension;
    use shape_core::facts::{Dims, Input};
    use shape_core::rule::{Done, Output};

    /// The dimensions from last to first, and how many labels there are.
    pub(crate) fn turned<D: Dimension>(
        data: Input<'_, D>,
        by: Option<Input<'_, D>>,
        labels: Option<&[i64]>,
        output: &mut Output<'_, D>,
    ) -> Done {
        let dims = data.dims()?;
        let dim = |at: usize| match (dims.len().checked_sub(at + 1), by) {
            (Some(from), _) => data.dim(from),
            (None, Some(by)) => by.dim(0),
            (None, None) => Ok(D::from(labels.map_or(0, <[i64]>::len) as u64)),
        };
        output.dims(Dims::Each(dims.len() + 1, &dim));
        Ok(())
    }
}

/// Has one of every kind.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(
    domain = "com.acme",
    since_version = 2,
    types(T: [seq(tensor(float)), float], V: [bool, float]),
    inputs(x: T, axes: Option<tensor(int64)>, rest: Variadic<V, min_arity = 0, homogeneous = false>),
    outputs(y: T, table: Option<map(int64, tensor(float))>)
)]
struct Kinds<'of> {
    int: i64,
    #[attribute(default = 7, values = [7, -9])]
    r#type: i64,
    #[attribute(default = -1, rename = "self")]
    myself: f32,
    float: Option<f32>,
    bytes: Option<&'of [u8]>,
    #[attribute(default = "same", values = ["same", "other"])]
    text: &'of str,
    #[attribute(default = [1, 1])]
    ints: &'of [i64],
    #[attribute(default = [0.5, 1])]
    floats: &'of [f32],
    #[attribute(default = ["a", "bc"])]
    strings: StringsView<'of>,
    tensor: Option<TensorView<'of>>,
    graph: Option<GraphView<'of>>,
    type_proto: Option<TypeProtoView<'of>>,
    sparse_tensor: Option<SparseTensorView<'of>>,
    tensors: Option<TensorsView<'of>>,
    graphs: Option<GraphsView<'of>>,
    sparse_tensors: Option<SparseTensorsView<'of>>,
    type_protos: Option<TypeProtosView<'of>>,
    mode: Option<Mode>,
    #[attribute(default = Mode::SameUpper)]
    other_mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq, AttributeEnum)]
#[attribute(rename_all = "SCREAMING_SNAKE_CASE")]
enum Mode {
    #[attribute(rename = "NOTSET")]
    NotSet,
    SameUpper,
}

/// Keeps what it reads.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Owned {
    text: String,
    bytes: Vec<u8>,
    ints: Vec<i64>,
    #[attribute(default = [0.5])]
    floats: Vec<f32>,
    strings: Option<Vec<String>>,
}

/// Gives the number of elements, where it is known.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(
    domain = "com.acme",
    since_version = 1,
    types(T: [every_type_of_opset_13]),
    inputs(data: T),
    outputs(count: tensor(int64))
)]
struct Count;

impl Infer for Count {
    fn infer<D: Dimension>(&self, inputs: Inputs<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>> {
        outputs.dims(0, Dims::Known(&[]));
        let dims = inputs.required(0).fact.dims;
        if let Some(count) = dims.and_then(|dims| dims.iter().collect::<Product<D>>().finish()) {
            outputs.sizes(0, &[count]);
        }
        Ok(())
    }
}

/// What a macro writes is read as what stands there.
macro_rules! operator {
    ($name:ident, $domain:literal, $since:literal, $field:ident: $ty:ty = $default:expr, $input:ty) => {
        #[derive(Operator)]
        #[operator(domain = $domain, since_version = $since, types(T: [float]), inputs(x: $input))]
        struct $name {
            #[attribute(default = $default)]
            $field: $ty,
        }
    };
}
operator!(Written, "com.acme", 5, axis: i64 = -1, T);

#[test]
fn the_schema_says_what_the_struct_says() {
    let schema = Stack3::SCHEMA;
    assert_eq!((schema.domain, schema.name, schema.since_version), ("com.acme", "Stack", 3));
    assert_eq!(Stack1::SCHEMA.summary, "Puts tensors of the same dimensions on top of each other.");
    assert_eq!(schema.attributes[0].doc, "Where the new dimension comes.");
    assert_eq!((schema.inputs[0].doc, schema.types[0].doc), ("The tensors.", "Any element type."));
    assert_eq!((schema.inputs[0].option, schema.inputs[0].min_arity), (ParameterOption::Variadic, 2));
    assert_eq!((schema.types[0].name, schema.types[0].allow.len()), ("T", 16));
    assert!(!schema.deprecated && Extent::SCHEMA.deprecated);
    assert_eq!(Extent::SCHEMA.support_level, SupportLevel::Experimental);
    let schema = Written::SCHEMA;
    assert_eq!((schema.domain, schema.since_version, schema.inputs[0].ty), ("com.acme", 5, ParameterType::Variable(0)));
    assert_eq!(Written::read(&[]).unwrap().axis, -1);
    let schema = Kinds::SCHEMA;
    assert_eq!((schema.name, schema.summary), ("Kinds", "Has one of every kind."));
    let inputs = schema.inputs.iter().map(|input| (input.name, input.option, input.homogeneous, input.min_arity));
    assert_eq!(
        inputs.collect::<Vec<_>>(),
        [
            ("x", ParameterOption::Single, true, 1),
            ("axes", ParameterOption::Optional, true, 1),
            ("rest", ParameterOption::Variadic, false, 0),
        ]
    );
    let map = Type::tensor(DataType::Float).map(DataType::Int64).unwrap();
    assert_eq!(schema.outputs[1].ty, ParameterType::Fixed(map));
    let attributes: Vec<String> = schema
        .attributes
        .iter()
        .map(|attribute| {
            let default = attribute.default.map(|default| format!(" = {default}")).unwrap_or_default();
            let values: Vec<String> = attribute.values.iter().map(ToString::to_string).collect();
            let required = if attribute.required { "!" } else { "" };
            format!("{}: {}{required}{default} {}", attribute.name, attribute.kind, values.join(" "))
        })
        .collect();
    assert_eq!(
        attributes,
        [
            "int: INT! ",
            "type: INT = 7 7 -9",
            "self: FLOAT = -1.0 ",
            "float: FLOAT ",
            "bytes: STRING ",
            r#"text: STRING = "same" "same" "other""#,
            "ints: INTS = [1, 1] ",
            "floats: FLOATS = [0.5, 1.0] ",
            r#"strings: STRINGS = ["a", "bc"] "#,
            "tensor: TENSOR ",
            "graph: GRAPH ",
            "type_proto: TYPE_PROTO ",
            "sparse_tensor: SPARSE_TENSOR ",
            "tensors: TENSORS ",
            "graphs: GRAPHS ",
            "sparse_tensors: SPARSE_TENSORS ",
            "type_protos: TYPE_PROTOS ",
            r#"mode: STRING "NOTSET" "SAME_UPPER""#,
            r#"other_mode: STRING = "SAME_UPPER" "NOTSET" "SAME_UPPER""#,
        ]
    );
}

/// What of a reader's a view can be of.
static KEPT: &str = "kept";

#[test]
fn every_kind_is_read_and_told_again() {
    let tensor = TensorView::from(Tensor::new(DataType::Int8, &[2], &[5, 6]).unwrap());
    let expected = Kinds {
        int: 3,
        r#type: -9,
        myself: 0.25,
        float: Some(0.5),
        bytes: Some(b"\xff"),
        text: "other",
        ints: &[4],
        floats: &[],
        strings: StringsView::new(&[]),
        tensor: Some(tensor),
        graph: Some(GraphView::new(&KEPT)),
        type_proto: Some(TypeProtoView::new(&())),
        sparse_tensor: Some(SparseTensorView::new(&())),
        tensors: Some(TensorsView::new(&KEPT)),
        graphs: Some(GraphsView::new(&KEPT)),
        sparse_tensors: Some(SparseTensorsView::new(&KEPT)),
        type_protos: Some(TypeProtosView::new(&KEPT)),
        mode: Some(Mode::SameUpper),
        other_mode: Mode::NotSet,
    };
    let mut told = Vec::new();
    expected.attributes(&mut |attribute| told.push(attribute));
    assert_eq!(told.len(), Kinds::SCHEMA.attributes.len());
    for (told, schema) in told.iter().zip(Kinds::SCHEMA.attributes) {
        assert_eq!((told.name, told.value.kind()), (schema.name, schema.kind));
    }
    check::attributes(Kinds::SCHEMA, &told, &mut |problem| panic!("{problem}"));
    assert_eq!(Kinds::read(&told).unwrap(), expected);
    // What a node does not give.
    let least = Kinds::read(&[NodeAttribute::new("int", AttributeValue::Int(0))]).unwrap();
    assert_eq!((least.r#type, least.myself, least.text, least.ints), (7, -1.0, "same", &[1, 1][..]));
    assert_eq!((least.strings, least.tensor), (StringsView::new(&[b"a", b"bc"]), None));
    assert_eq!((least.mode, least.other_mode), (None, Mode::SameUpper));
}

#[test]
fn what_is_copied() {
    let given = |text: &'static [u8]| {
        [
            NodeAttribute::new("text", AttributeValue::String(text)),
            NodeAttribute::new("bytes", AttributeValue::String(b"\xff")),
            NodeAttribute::new("ints", AttributeValue::Ints(&[1, 2])),
            NodeAttribute::new("strings", AttributeValue::Strings(StringsView::new(&[b"a"]))),
        ]
    };
    let read = Owned::read(&given(b"a")).unwrap();
    let (text, bytes, ints, floats) = ("a".to_owned(), vec![255], vec![1, 2], vec![0.5]);
    assert_eq!(read, Owned { text, bytes, ints, floats, strings: Some(vec!["a".to_owned()]) });
    let mut told = Vec::new();
    read.attributes(&mut |attribute| told.push(attribute));
    assert_eq!(Owned::read(&told).unwrap(), read);
    let problem = Owned::read(&given(b"\xff")).unwrap_err();
    assert_eq!(
        format!("{problem}; {} / {}", problem.expected(), problem.found()),
        r#"the attribute `text` is "\xff"; allowed: UTF-8; UTF-8 / "\xff""#
    );
}

#[test]
fn what_is_wrong_with_a_node() {
    let given = [
        NodeAttribute::new("type", AttributeValue::Int(8)),
        NodeAttribute::new("mode", AttributeValue::String(b"same_upper")),
        NodeAttribute::new("graph", AttributeValue::Int(8)),
        NodeAttribute::new("grpah", AttributeValue::Other(AttributeKind::Graph)),
    ];
    let mut texts = Vec::new();
    let mut report = |problem: Problem<'_>| texts.push(format!("{problem}; {}", problem.expected()));
    check::attributes(Kinds::SCHEMA, &given[..3], &mut report);
    let int64 = Some(Type::tensor(DataType::Int64));
    check::types(Kinds::SCHEMA, &[int64, Some(Type::tensor(DataType::Bool))], &[], &mut report);
    check::counts(Stack3::SCHEMA, &[true], 1, &mut report);
    assert_eq!(
        texts,
        [
            "the attribute `type` is 8; allowed: 7, -9; 7, -9",
            r#"the attribute `mode` is "same_upper"; allowed: "NOTSET", "SAME_UPPER"; "NOTSET", "SAME_UPPER""#,
            "the attribute `graph` has the kind INT; it must be GRAPH; GRAPH",
            "the required attribute `int` is missing; an attribute of the kind INT",
            "input 0 (`x`) is tensor(int64); allowed: tensor of float, seq(tensor(float)); \
             tensor of float, seq(tensor(float))",
            "input 1 (`axes`) is tensor(bool); allowed: tensor(int64); tensor(int64)",
            "the node has 1 input; allowed: at least 2; at least 2",
        ]
    );
    assert!(
        matches!(Kinds::read(&given[..3]), Err(Problem::AttributeMissing { attribute }) if attribute.name == "int")
    );
    assert!(matches!(Kinds::read(&given), Err(Problem::AttributeUnknown { name: "grpah", .. })));
    assert!(matches!(Kinds::read(&[given[1]; 2]), Err(Problem::AttributeDuplicate { name: "mode" })));
}

#[test]
fn versions_of_one_operator() {
    let registry = Registry::builtin().with([Stack3::SCHEMA, Stack1::SCHEMA, Kinds::SCHEMA]).unwrap();
    let since = |name, opset| registry.resolve("com.acme", name, opset).map(|schema| schema.since_version);
    assert_eq!([1, 2, 3, 9].map(|opset| since("Stack", opset)), [Ok(1), Ok(1), Ok(3), Ok(3)]);
    assert_eq!(since("Kinds", 1), Err(Missing::OperatorTooNew { since: 2 }));
    assert_eq!(since("Extent", 1), Err(Missing::NoDescriptor));
    let rules = [Kinds::SCHEMA, Stack1::SCHEMA, Extent::SCHEMA, Copies::SCHEMA].map(|schema| schema.rules.len());
    assert_eq!(rules, [0, 1, 1, 2]);
    // A second struct for a version, which is told where the registry is made.
    let twin = twin::Stack::SCHEMA;
    let duplicate = registry.with([twin]).unwrap_err();
    assert_eq!(duplicate.to_string(), "com.acme::Stack has two versions since opset 3; one of them must have another");
}

mod twin {
    #[derive(shape_core::Operator)]
    #[operator(domain = "com.acme", since_version = 3)]
    pub(super) struct Stack;
}

fn node(op_type: &str, inputs: &[&str], outputs: &[&str], attribute: Option<(&str, i64)>) -> NodeProto {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let attribute = attribute.map(|(name, value)| AttributeProto {
        name: name.into(),
        r#type: Some(AttributeKind::Int.number()),
        i: Some(value),
        ..AttributeProto::default()
    });
    NodeProto {
        op_type: op_type.into(),
        domain: "com.acme".into(),
        input: names(inputs),
        output: names(outputs),
        attribute: attribute.into_iter().collect(),
        ..NodeProto::default()
    }
}

/// The codes of the findings, and the elements of `e`.
fn analysed(opset: i64, nodes: Vec<NodeProto>) -> Option<(Vec<&'static str>, Vec<String>)> {
    let dim = |name: &str| Dim { value: Some(DimensionValue::DimParam(name.into())), ..Dim::default() };
    let shape = Some(TensorShapeProto { dim: vec![dim("N"), dim("2*N")] });
    let tensor = TensorType { elem_type: Some(DataType::Float.number().into()), shape };
    let ty = TypeProto { value: Some(TypeValue::TensorType(tensor)), ..TypeProto::default() };
    let model = ModelProto {
        ir_version: Some(8),
        opset_import: vec![OperatorSetIdProto { domain: "com.acme".into(), version: Some(opset) }],
        graph: Some(GraphProto {
            input: vec![ValueInfoProto { name: "x".into(), r#type: Some(ty), ..ValueInfoProto::default() }],
            node: nodes,
            ..GraphProto::default()
        }),
        ..ModelProto::default()
    };
    let own = [Stack1::SCHEMA, Stack3::SCHEMA, Extent::SCHEMA, Count::SCHEMA, Copies::SCHEMA];
    let registry = Registry::builtin().with(own).ok()?;
    let model = Model::of(&model).ok()?;
    let analysis = analyse(&model, &Options { registry, ..Options::default() }).ok()?;
    let extent = analysis.values.iter().find(|value| value.name == "e")?;
    let elements = extent
        .elements
        .as_deref()
        .unwrap_or_default()
        .iter()
        .map(|element| element.display(&analysis.symbols).to_string());
    Some((analysis.findings.iter().map(|finding| finding.code.name()).collect(), elements.collect()))
}

#[test]
fn in_a_model() {
    let nodes = vec![
        node("Stack", &["x", "x", "x"], &["s"], Some(("axis", 1))),
        node("Extent", &["s"], &["e"], Some(("start", 1))),
    ];
    let (codes, extents) = analysed(3, nodes.clone()).unwrap();
    assert_eq!((codes, extents), (vec!["operator-deprecated"], vec!["3".to_owned(), "2*N".to_owned()]));
    // The version before it has no such attribute.
    assert_eq!(analysed(2, nodes).unwrap().0, ["attribute-unknown", "operator-deprecated"]);
    // A rule of one's own that says what the elements are, and an input of the wrong type for it.
    let count = |input| vec![node("Extent", &["x"], &["n"], None), node("Count", &[input], &["e"], None)];
    assert_eq!(analysed(1, count("x")).unwrap(), (vec!["operator-deprecated"], vec!["2*N*N".to_owned()]));
    assert_eq!(analysed(1, count("n")).unwrap(), (vec!["operator-deprecated"], vec!["2".to_owned()]));
    assert_eq!(analysed(1, vec![node("Count", &["x", "x"], &["e"], None)]).unwrap().0, ["input-count"]);
    assert_eq!(analysed(1, vec![node("Stack", &["x", "x"], &["e"], None)]).unwrap().0, [""; 0]);
    // Dimensions one by one, and a rule of this crate.
    let of = |output| {
        let copies = node("Copies", &["x"], &["c", "t"], Some(("count", 5)));
        analysed(1, vec![copies, node("Extent", &[output], &["e"], None)]).unwrap().1
    };
    assert_eq!((of("c").join(", "), of("t").join(", ")), ("5, N, 2*N".to_owned(), "2*N, N, 0".to_owned()));
    let stacked = vec![node("Extent", &["x"], &["n"], None), node("Stack", &["n"], &["e"], None)];
    assert_eq!(analysed(1, stacked).unwrap().0, ["operator-deprecated", "type-not-allowed"]);
}
