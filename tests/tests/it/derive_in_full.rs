//! What a struct says in the words of a descriptor: relations, rules, examples, and several versions of one operator.

use shape_core::check;
use shape_core::convert::{Input, Known, Numbers};
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::operator::{ReadNode as _, becomes};
use shape_core::schema::{ParameterOption, SubgraphKind, SupportLevel};
use shape_core::{Operator, OperatorVersions, Registry, Schema};

/// Multiplies matrices.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(
    domain = "com.acme",
    since_version = 1,
    function,
    shape_inference,
    details = "The rows of the one and the columns of the other.",
    sources(paper = "On products"),
    types(
        /// Floats.
        T: [float16, float],
    ),
    inputs(
        /// The rows.
        x: T,
        w: T,
        bias: Option<T>,
    ),
    outputs(
        /// The product.
        y: T,
    ),
    rules(y(type = [x], dims = ["[x[0], w[1]] if rank(x) == 2", "[...x[:-1], w[1]]"], multiply_adds = "size(x)*w[1]")),
    requires(that = "x[-1] == w[0]", code = "dims-mismatch", doc = "the columns are not as many as the rows"),
    requires(that = "rank(w) == 2", code = "rank-mismatch", doc = "the weights are no matrix"),
    exclusive(of = [scale, bias]),
    errata(versions = [1], sources = [paper], says = "Nothing.", ruling = "They are matrices.", examples = [rows]),
    examples(
        rows(
            source = paper,
            inputs = [(type = float, dims = [N, 3]), (type = float, dims = [3, 4])],
            outputs = [(type = float, dims = [N, 4])],
        ),
        scaled(
            inputs = [(type = float16, dims = [2, "H//2", 3]), (type = float16, dims = [3, 4]), _],
            attributes(scale = 0.5),
            outputs = [(type = float16, dims = [2, "H//2", 4])],
        ),
        misfit(inputs = [(type = float, dims = [2, 3]), (type = float, dims = [4, 3])], error = "dims-mismatch"),
        no_matrix(inputs = [(type = float, dims = [2, 3]), (type = float, dims = [3])], error = "rank-mismatch"),
    ),
)]
struct Product {
    scale: Option<f32>,
    #[attribute(legacy, default = 0)]
    consumed: i64,
}

/// Runs a graph.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(
    domain = "com.acme",
    since_version = 2,
    nondeterministic,
    other_attributes,
    experimental,
    subgraphs = branch,
    semantics = "It runs the graph once.",
    types(V: [every_type_of_opset_13]),
    inputs(
        condition: tensor(bool),
        // Names that Rust has taken, too.
        r#type: Option<V>,
    ),
    outputs(result: V),
    rules(result(type = [body])),
    examples(run(
        inputs = [(type = bool, dims = [])],
        attributes(
            body(graph(outputs = [(type = float, dims = [N])])),
            shape(tensor(values = [1, -2])),
            of(type = seq(tensor(float))),
        ),
        outputs = [(type = float, unchecked = "the graph decides")],
    )),
)]
struct Run<'of> {
    body: shape_core::node::GraphView<'of>,
    shape: Option<shape_core::node::TensorView<'of>>,
    of: Option<shape_core::node::TypeProtoView<'of>>,
}

#[test]
fn the_schema_says_what_a_descriptor_says() {
    let schema = Product::SCHEMA;
    assert!(schema.has_function && schema.has_shape_inference && schema.attributes[1].legacy);
    assert_eq!(schema.details, "The rows of the one and the columns of the other.");
    assert_eq!((schema.types[0].doc, schema.outputs[0].doc), ("Floats.", "The product."));
    let requires: Vec<_> = schema.requires.iter().map(|of| (of.text, of.code.name(), of.doc)).collect();
    assert_eq!(
        requires,
        [
            ("x[-1] == w[0]", "dims-mismatch", "the columns are not as many as the rows"),
            ("rank(w) == 2", "rank-mismatch", "the weights are no matrix"),
        ]
    );
    assert_eq!(schema.exclusive[0].of, ["scale", "bias"]);
    assert_eq!((schema.rules.len(), schema.rules[0].multiply_adds.len()), (1, 1));
    let given = [NodeAttribute::new("scale", AttributeValue::Float(0.5))];
    let mut problems = Vec::new();
    check::exclusive(schema, &given, &[true, true, true], &mut |problem| problems.push(problem.code().name()));
    assert_eq!(problems, ["arguments-exclusive"]);
    let schema = Run::SCHEMA;
    assert_eq!((schema.subgraphs, schema.deterministic), (Some(SubgraphKind::Branch), false));
    let other = [NodeAttribute::new("of_somebody", AttributeValue::Int(1))];
    assert!(check::names(schema, &other).is_ok() && check::names(Product::SCHEMA, &other).is_err());
    assert_eq!((schema.semantics, schema.support_level), (Some("It runs the graph once."), SupportLevel::Experimental));
    assert_eq!((schema.inputs[1].name, schema.inputs[1].option), ("type", ParameterOption::Optional));
}

/// Gives the largest elements along an axis.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(
    domain = "com.acme",
    name = "Largest",
    since_version = 1,
    types(T: [float]),
    inputs(data: T),
    outputs(largest: T)
)]
struct Largest1 {
    count: i64,
    #[attribute(default = -1)]
    axis: i64,
}

/// Gives the largest elements along an axis.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(
    domain = "com.acme",
    name = "Largest",
    since_version = 3,
    types(T: [float]),
    inputs(data: T, count: tensor(int64)),
    outputs(values: T),
    adapter(move = "count", one),
    adapter(rename = "axis", to = "along"),
    adapter(rename = "largest", to = "values"),
    adapter(refuse = "up", why = "the last axis is no longer there", when = "axis == 7")
)]
struct Largest3 {
    #[attribute(default = -1)]
    along: i64,
}

/// Gives the largest elements along an axis, and tells who asked.
#[derive(Clone, Debug, PartialEq, Operator)]
#[operator(
    domain = "com.acme",
    name = "Largest",
    since_version = 4,
    types(T: [float]),
    inputs(data: T, count: tensor(int64)),
    outputs(values: T),
    adapter()
)]
struct Largest4<'a> {
    #[attribute(default = -1)]
    along: i64,
    #[attribute(default = [])]
    tags: &'a [i64],
}

/// All of them.
#[derive(Clone, Debug, PartialEq, OperatorVersions)]
enum Largest<'a> {
    V1(Largest1),
    V3(Largest3),
    V4(Largest4<'a>),
}

/// One that borrows nothing.
#[derive(Clone, Debug, PartialEq, OperatorVersions)]
enum Early {
    V1(Largest1),
    V3(Largest3),
}

fn since(schemas: &[&Schema]) -> Vec<u32> {
    schemas.iter().map(|schema| schema.since_version).collect()
}

#[test]
fn a_node_is_read_at_its_version_and_lifted() {
    assert_eq!((since(Largest::VERSIONS), since(Early::VERSIONS)), (vec![1, 3, 4], vec![1, 3]));
    let attributes =
        [NodeAttribute::new("count", AttributeValue::Int(5)), NodeAttribute::new("axis", AttributeValue::Int(0))];
    let old = Largest::read(2, attributes).unwrap();
    assert_eq!(old, Largest::V1(Largest1 { count: 5, axis: 0 }));
    let latest = old.latest(&[Some(Known::default())], 1).unwrap();
    assert_eq!(latest.operator().unwrap(), Largest4 { along: 0, tags: &[] });
    let [Input::Given { index: 0, .. }, Input::Constant { name: "count", value }] = latest.inputs() else {
        panic!("{:?}", latest.inputs())
    };
    assert_eq!(value.numbers, Numbers::Ints(vec![5]));
    let early = Early::read(2, attributes).unwrap();
    assert_eq!(early.latest(&[Some(Known::default())], 1).unwrap().operator().unwrap(), Largest3 { along: 0 });
    assert_eq!(Largest::read(9, &attributes[..0]).unwrap().schema().since_version, 4);
    assert_eq!(
        Largest::read(9, attributes).unwrap_err().to_string(),
        Largest4::read(&attributes).unwrap_err().to_string()
    );
    assert!(Largest::read(0, attributes).is_err() && Largest::read(1, &attributes[1..]).is_err());
    assert!(Largest::read_node("com.acme", "Largest", 2, attributes).is_ok());
    assert!(Largest::read_node("com.acme", "Smallest", 2, attributes).is_err());
    assert_eq!(becomes::<Largest<'_>>("com.acme", "Largest", 3).unwrap().since_version, 3);
    let registry = Registry::builtin().with(Largest::VERSIONS.iter().copied()).unwrap();
    assert_eq!(registry.resolve("com.acme", "Largest", 3).unwrap().inputs.len(), 2);
}

#[test]
fn an_adapter_refuses_as_it_says() {
    let attributes =
        [NodeAttribute::new("count", AttributeValue::Int(5)), NodeAttribute::new("axis", AttributeValue::Int(7))];
    let old = Largest::read(1, attributes).unwrap();
    let refusals = old.latest(&[Some(Known::default())], 1).unwrap_err();
    assert!(refusals[0].to_string().contains("the last axis is no longer there"), "{}", refusals[0]);
}
