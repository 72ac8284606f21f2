//! Operator versions as JSON.

use serde::Serialize;
use shape_core::node::AttributeValue;
use shape_core::schema::{self, FormalParameter, ParameterOption, ParameterType, Schema, SupportLevel, arity};

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) schema_version: u32,
    pub(super) operators: Vec<Operator>,
}

/// A version of an operator, with the field names of onnx.
#[derive(Serialize)]
pub(super) struct Operator {
    domain: &'static str,
    name: &'static str,
    since_version: u32,
    deprecated: bool,
    support_level: &'static str,
    has_function: bool,
    has_shape_inference: bool,
    min_input: i32,
    max_input: i32,
    min_output: i32,
    max_output: i32,
    inputs: Vec<Parameter>,
    outputs: Vec<Parameter>,
    attributes: Vec<Attribute>,
    types: Vec<TypeConstraint>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    #[serde(rename = "type")]
    ty: String,
    option: &'static str,
    homogeneous: bool,
    min_arity: u32,
}

#[derive(Serialize)]
struct Attribute {
    name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    required: bool,
    default: Option<Default>,
}

/// The default of an attribute. A FLOAT is written as the shortest number that parses to it.
#[derive(Serialize)]
#[serde(untagged)]
enum Default {
    Int(i64),
    Float(f32),
    Text(String),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Texts(Vec<String>),
}

#[derive(Serialize)]
struct TypeConstraint {
    name: &'static str,
    allow: Vec<String>,
}

impl Operator {
    pub(super) fn new(schema: &'static Schema) -> Self {
        let (inputs, outputs) = (arity(schema.inputs), arity(schema.outputs));
        let parameters =
            |list: &'static [FormalParameter]| list.iter().map(|formal| parameter(formal, schema)).collect();
        let mut attributes: Vec<Attribute> = schema.attributes.iter().map(attribute).collect();
        attributes.sort_by_key(|attribute| attribute.name);
        Self {
            domain: schema.domain,
            name: schema.name,
            since_version: schema.since_version,
            deprecated: schema.deprecated,
            support_level: match schema.support_level {
                SupportLevel::Common => "COMMON",
                SupportLevel::Experimental => "EXPERIMENTAL",
            },
            has_function: schema.has_function,
            has_shape_inference: schema.has_shape_inference,
            min_input: bound(Some(inputs.0)),
            max_input: bound(inputs.1),
            min_output: bound(Some(outputs.0)),
            max_output: bound(outputs.1),
            inputs: parameters(schema.inputs),
            outputs: parameters(schema.outputs),
            attributes,
            types: schema.types.iter().map(constraint).collect(),
        }
    }
}

/// A number of inputs or outputs; onnx writes the largest `int32` if there is no bound.
fn bound(count: Option<usize>) -> i32 {
    count.and_then(|count| i32::try_from(count).ok()).unwrap_or(i32::MAX)
}

fn parameter(formal: &'static FormalParameter, schema: &Schema) -> Parameter {
    Parameter {
        name: formal.name,
        ty: match formal.ty {
            ParameterType::Variable(index) => schema.types.get(index).map_or("", |ty| ty.name).to_owned(),
            ParameterType::Fixed(ty) => ty.to_string(),
        },
        option: match formal.option {
            ParameterOption::Single => "single",
            ParameterOption::Optional => "optional",
            ParameterOption::Variadic => "variadic",
        },
        homogeneous: formal.homogeneous,
        min_arity: formal.min_arity,
    }
}

fn attribute(attribute: &'static schema::Attribute) -> Attribute {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let default = attribute.default.and_then(|value| match value {
        AttributeValue::Int(value) => Some(Default::Int(value)),
        AttributeValue::Float(value) => Some(Default::Float(value)),
        AttributeValue::String(value) => Some(Default::Text(text(value))),
        AttributeValue::Ints(values) => Some(Default::Ints(values.to_vec())),
        AttributeValue::Floats(values) => Some(Default::Floats(values.to_vec())),
        AttributeValue::Strings(values) => Some(Default::Texts(values.iter().map(text).collect())),
        // Descriptors allow defaults of these kinds only.
        _ => None,
    });
    Attribute { name: attribute.name, kind: attribute.kind.name(), required: attribute.required, default }
}

fn constraint(constraint: &'static schema::TypeConstraint) -> TypeConstraint {
    let mut allow: Vec<String> = constraint.allow.iter().map(|ty| ty.to_string()).collect();
    allow.sort();
    TypeConstraint { name: constraint.name, allow }
}
