//! A Reshape inferred and run, in nanoseconds and as JSON: what `tests/verification/peers/run` holds against other engines.

mod measure;

use std::hint::black_box;

use measure::{Failure, median};
use shape_core::elements::Elements;
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::symbolic::{Dim, Symbols};
use shape_core::{DataType, Registry, Schema, Tensor, Type, check};
use shape_model::file::proto::{
    Dimension, DimensionValue, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use shape_model::file::{Bytes, Message as _, ModelFile};

const ROUNDS: usize = 51;
const OPSET: u32 = 21;
const ATTRIBUTES: [NodeAttribute<'static>; 1] = [NodeAttribute::new("allowzero", AttributeValue::Int(0))];

/// The dimensions of the one output, kept where a runtime would keep them.
struct Output<D> {
    dims: Vec<D>,
    elements_of: Option<usize>,
}

impl<D> Output<D> {
    fn new() -> Self {
        Self { dims: Vec::with_capacity(16), elements_of: None }
    }
}

impl<D: shape_core::Dimension> Outputs<D> for Output<D> {
    fn dims(&mut self, _: usize, dims: Dims<'_, D>) {
        self.dims.clear();
        let rank = dims.rank().unwrap_or(0);
        self.dims.extend((0..rank).filter_map(|axis| dims.dim(axis).ok()));
    }

    fn elements(&mut self, _: usize, _: Result<EachElement<'_, D>, UnknownCause>) {}

    fn elements_of(&mut self, _: usize, input: usize) {
        self.elements_of = Some(input);
    }
}

/// The version in force.
fn resolve() -> Result<&'static Schema, Failure> {
    let schema = Registry::builtin().resolve(black_box(""), black_box("Reshape"), black_box(OPSET));
    schema.map_err(|missing| format!("{missing:?}").into())
}

/// What stands between a node and its output: the version, the attributes, the types, and the rule.
fn node<D: shape_core::Dimension + PartialEq>(
    data: &[D],
    target: &[i64],
    expected: &[D],
    run: impl Fn(&'static Schema, Inputs<'_, D>, &mut Output<D>) -> Result<(), Failure>,
) -> Result<f64, Failure> {
    let types = [Some(Type::tensor(DataType::Float)), Some(Type::tensor(DataType::Int64))];
    let length = [D::from(target.len() as u64)];
    let mut output = Output::new();
    median(ROUNDS, || {
        let schema = resolve()?;
        let mut wrong = 0_u32;
        check::attributes(schema, black_box(&ATTRIBUTES), &mut |_| wrong += 1);
        check::counts(schema, &[true, true], 1, &mut |_| wrong += 1);
        let bound = check::types(schema, black_box(&types), &[], &mut |_| wrong += 1);
        let ty = schema.output(0).and_then(|parameter| bound.resolve(parameter));
        let facts = [
            Some(Fact { ty: types[0], dims: Some(black_box(data)), elements: None }),
            Some(Fact { ty: types[1], dims: Some(&length), elements: Some(Elements::Ints(black_box(target))) }),
        ];
        run(schema, Inputs(&facts), &mut output)?;
        let right = wrong == 0 && ty == types[0] && output.dims == expected && output.elements_of == Some(0);
        if black_box(right) { Ok(()) } else { Err("other dimensions".into()) }
    })
}

/// A run on data: a view of the input's bytes becomes a view of the output's.
fn evaluate(bytes: &[u8]) -> Result<f64, Failure> {
    let schema = resolve()?;
    let dims = [16, bytes.len() as u64 / 64];
    let data = Tensor::new(DataType::Float, &dims, bytes)?;
    let mut target = Vec::new();
    for entry in [-1_i64, 16] {
        target.extend(entry.to_le_bytes());
    }
    let target = Tensor::new(DataType::Int64, &[2], &target)?;
    let mut output = Output::new();
    median(ROUNDS, || {
        let (data, target) = (black_box(data), black_box(target));
        let fact = |tensor: &Tensor<'_>| Some(Type::tensor(tensor.data_type()));
        let facts = [
            Some(Fact { ty: fact(&data), dims: Some(data.dims()), elements: None }),
            Some(Fact {
                ty: fact(&target),
                dims: Some(target.dims()),
                elements: Some(Elements::Bytes(DataType::Int64, target.bytes())),
            }),
        ];
        schema.infer(&ATTRIBUTES, Inputs(&facts), &mut output).map_err(|problem| problem.to_string())?;
        let reshaped = data.reshaped(&output.dims)?;
        let right = reshaped.dims() == [dims[1], dims[0]] && std::ptr::eq(black_box(reshaped).bytes(), data.bytes());
        if right { Ok(()) } else { Err("another tensor".into()) }
    })
}

/// A file's bytes, with one Reshape in it: [N,3,4] -> [-1,12].
fn model() -> Vec<u8> {
    let dim = |value| Dimension { value: Some(value), ..Dimension::default() };
    let dims = vec![
        dim(DimensionValue::DimParam("N".into())),
        dim(DimensionValue::DimValue(3)),
        dim(DimensionValue::DimValue(4)),
    ];
    let info = |name: &str, shape| ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto {
            value: Some(TypeValue::TensorType(TensorType { elem_type: Some(1), shape })),
            ..TypeProto::default()
        }),
        ..ValueInfoProto::default()
    };
    let target = TensorProto {
        name: "t".to_owned(),
        data_type: Some(7),
        dims: vec![2],
        raw_data: Some(Bytes::from([(-1_i64).to_le_bytes(), 12_i64.to_le_bytes()].concat())),
        ..TensorProto::default()
    };
    let node = NodeProto {
        input: vec!["x".to_owned(), "t".to_owned()],
        output: vec!["y".to_owned()],
        op_type: "Reshape".to_owned(),
        ..NodeProto::default()
    };
    let graph = GraphProto {
        name: "one".to_owned(),
        node: vec![node],
        input: vec![info("x", Some(TensorShapeProto { dim: dims }))],
        initializer: vec![target],
        output: vec![info("y", None)],
        ..GraphProto::default()
    };
    let import = OperatorSetIdProto { version: Some(OPSET.into()), ..OperatorSetIdProto::default() };
    ModelProto { ir_version: Some(10), opset_import: vec![import], graph: Some(graph), ..ModelProto::default() }
        .encode_to_vec()
}

/// Reading the bytes and inferring the graph.
fn whole_model() -> Result<f64, Failure> {
    let bytes = Bytes::from(model());
    median(ROUNDS, || {
        let file = ModelFile::from_bytes(black_box(bytes.clone()))?;
        let inferred = shape_model::analyse(file.model(), &shape_model::Options::default())?;
        let y = inferred.values.iter().find(|value| value.name == "y").ok_or("no y")?;
        if inferred.findings.is_empty() && y.dims.is_ok() { Ok(()) } else { Err("not inferred".into()) }
    })
}

fn main() -> Result<(), Failure> {
    let n = Symbols::default().dim("N");
    let (numbers, symbols) = ([2_u64, 3, 4], [n.clone(), Dim::Known(3), Dim::Known(4)]);
    let target = [-1, 12];
    let mut told = vec![
        (
            "node_numbers",
            node(&numbers, &target, &[2, 12], |schema, inputs, output| {
                schema.infer(&ATTRIBUTES, inputs, output).map_err(|problem| problem.to_string().into())
            })?,
        ),
        (
            "node_symbols",
            node(&symbols, &target, &[n, Dim::Known(12)], |schema, inputs, output| {
                schema.infer_symbolic(&ATTRIBUTES, inputs, output).map_err(|problem| problem.to_string().into())
            })?,
        ),
        ("model_symbols", whole_model()?),
    ];
    // Written to, so that the memory is there.
    let mut bytes = vec![1_u8; 4096];
    told.push(("evaluate_4_kb", evaluate(&bytes)?));
    bytes.resize(400 << 20, 1);
    told.push(("evaluate_400_mb", evaluate(&bytes)?));

    let lines: Vec<String> = told.iter().map(|(name, ns)| format!("  \"{name}\": {ns:.1}")).collect();
    println!("{{\n{}\n}}", lines.join(",\n"));
    Ok(())
}
