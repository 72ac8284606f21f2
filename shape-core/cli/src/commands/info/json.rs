//! The facts of `shape info` as JSON.

use serde::Serialize;
use shape_core::opset::canonical_domain;
use shape_model::info::{OperatorNodes, Parameters, ParametersOfType};
use shape_model::{Analysis, GraphKind};

use super::told::{Costs, Info, inputs, outputs};
use crate::json::SCHEMA_VERSION;
use crate::values::json::{Number, type_name};

/// The facts about models.
#[derive(Serialize)]
pub(super) struct Report {
    schema_version: u32,
    models: Vec<Model>,
}

impl Default for Report {
    fn default() -> Self {
        Self { schema_version: SCHEMA_VERSION, models: Vec::new() }
    }
}

/// The facts about a model.
#[derive(Serialize)]
pub(crate) struct Model {
    model: String,
    ir_version: Option<i64>,
    producer: Producer,
    imports: Vec<Import>,
    inputs: Vec<Value>,
    outputs: Vec<Value>,
    /// In all graphs and in the bodies of functions.
    nodes: usize,
    subgraphs: usize,
    functions: usize,
    operators: Vec<Operator>,
    parameters: AllParameters,
    costs: JsonCosts,
    /// Null if no sizes are given.
    with_sizes: Option<JsonCosts>,
}

#[derive(Serialize)]
struct Producer {
    name: String,
    version: String,
}

#[derive(Serialize)]
struct Import {
    domain: String,
    opset: Option<i64>,
}

/// An input or output of the model.
#[derive(Serialize)]
struct Value {
    name: String,
    #[serde(rename = "type")]
    ty: Option<String>,
    dims: Option<Vec<Number>>,
}

/// Nodes of an operator.
#[derive(Serialize)]
struct Operator {
    domain: String,
    name: String,
    nodes: usize,
}

impl Operator {
    fn list(operators: &[OperatorNodes<'_>]) -> Vec<Self> {
        let operator = |of: &OperatorNodes<'_>| Self {
            domain: of.domain.to_owned(),
            name: of.op_type.to_owned(),
            nodes: of.nodes,
        };
        operators.iter().map(operator).collect()
    }
}

/// Null stands for a sum that is too large, and for the bytes of strings.
#[derive(Serialize)]
struct AllParameters {
    tensors: usize,
    elements: Option<u64>,
    bytes: Option<u64>,
    /// Tensors that are in no sum.
    unknown: usize,
    types: Vec<OfType>,
}

#[derive(Serialize)]
struct OfType {
    #[serde(rename = "type")]
    ty: &'static str,
    tensors: usize,
    elements: u64,
    bytes: Option<u64>,
}

impl AllParameters {
    fn new(parameters: &Parameters) -> Self {
        let (tensors, elements, bytes) = parameters.total();
        let of_type = |of: &ParametersOfType| OfType {
            ty: of.ty.name(),
            tensors: of.tensors,
            elements: of.elements,
            bytes: of.bytes,
        };
        let types = parameters.types.iter().map(of_type).collect();
        Self { tensors, elements, bytes, unknown: parameters.unknown, types }
    }
}

/// What a run takes.
#[derive(Serialize)]
struct JsonCosts {
    activations: JsonActivations,
    multiply_adds: JsonMultiplyAdds,
}

#[derive(Serialize)]
struct JsonActivations {
    /// In the main graph.
    values: usize,
    /// A number, an expression, or null for one that is too long.
    bytes: Number,
    /// Null if the bytes of a value are not a number.
    peak_bytes: Option<u64>,
    /// Values that are in neither number.
    unknown: Vec<String>,
    in_subgraphs: usize,
}

#[derive(Serialize)]
struct JsonMultiplyAdds {
    /// A number, an expression, or null for one that is too long.
    sum: Number,
    nodes: usize,
    unknown: Vec<Operator>,
    not_counted: Vec<Operator>,
    in_subgraphs: Vec<Operator>,
}

impl JsonCosts {
    fn new(Costs { analysis, activations, multiply_adds }: &Costs<'_>) -> Self {
        let values = activations.unknown.iter();
        let unknown = values.filter_map(|index| Some(analysis.values.get(*index as usize)?.name.to_owned()));
        Self {
            activations: JsonActivations {
                values: activations.values,
                bytes: Number::of_dim(&activations.bytes, &analysis.symbols),
                peak_bytes: activations.peak,
                unknown: unknown.collect(),
                in_subgraphs: activations.inside,
            },
            multiply_adds: JsonMultiplyAdds {
                sum: Number::of_dim(&multiply_adds.sum, &analysis.symbols),
                nodes: multiply_adds.nodes,
                unknown: Operator::list(&multiply_adds.unknown),
                not_counted: Operator::list(&multiply_adds.uncounted),
                in_subgraphs: Operator::list(&multiply_adds.inside),
            },
        }
    }
}

impl Report {
    /// Adds a model.
    pub(super) fn add(&mut self, info: &Info<'_>) {
        self.models.push(Model::new(info));
    }
}

impl Model {
    pub(super) fn new(info: &Info<'_>) -> Self {
        let model = info.file.model();
        let header = model.header();
        let kinds =
            |wanted: fn(GraphKind) -> bool| info.analysis.graphs.iter().filter(|graph| wanted(graph.kind)).count();
        let imports = model.opset_import().iter();
        let imports =
            imports.map(|import| Import { domain: canonical_domain(&import.domain).to_owned(), opset: import.version });
        Self {
            model: info.label.to_string_lossy().into_owned(),
            ir_version: model.ir_version(),
            producer: Producer { name: header.producer_name, version: header.producer_version },
            imports: imports.collect(),
            inputs: inputs(info.analysis).map(|value| Value::new(info.analysis, value)).collect(),
            outputs: outputs(info.analysis).map(|value| Value::new(info.analysis, value)).collect(),
            nodes: info.operators.iter().map(|operator| operator.nodes).sum(),
            subgraphs: kinds(|kind| matches!(kind, GraphKind::Subgraph { .. })),
            functions: model.functions().len(),
            operators: Operator::list(&info.operators),
            parameters: AllParameters::new(&info.parameters),
            costs: JsonCosts::new(&info.costs),
            with_sizes: info.with_sizes.as_ref().map(JsonCosts::new),
        }
    }
}

impl Value {
    fn new(analysis: &Analysis<'_>, value: &shape_model::Value<'_>) -> Self {
        Self {
            name: value.name.to_owned(),
            ty: value.ty.as_ref().ok().map(type_name),
            dims: Number::list(value.dims.as_deref().ok(), &analysis.symbols),
        }
    }
}
