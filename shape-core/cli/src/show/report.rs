//! An operator as JSON.

use serde::Serialize;
use serde_json::Value as Json;
use shape_specs::document::{Literal, ParameterOption, SupportLevel};
use shape_specs::operator::{self, Expectation, ParameterType, Version};

use super::Shown;
use crate::json::SCHEMA_VERSION;

#[derive(Serialize)]
pub(super) struct Report<'s> {
    schema_version: u32,
    operator: Operator<'s>,
}

#[derive(Serialize)]
struct Operator<'s> {
    domain: &'s str,
    name: &'s str,
    summary: &'s str,
    kernel: Option<&'s str>,
    /// The opset that was asked for; then there is one version.
    opset: Option<u32>,
    versions: Vec<VersionEntry<'s>>,
    examples: Vec<Example<'s>>,
    errata: Vec<Ruling<'s>>,
    sources: Vec<Source<'s>>,
}

#[derive(Serialize)]
struct VersionEntry<'s> {
    since: u32,
    summary: &'s str,
    deprecated: bool,
    function: bool,
    support_level: &'static str,
    shape_inference: bool,
    attributes: Vec<Attribute<'s>>,
    inputs: Vec<Parameter<'s>>,
    outputs: Vec<Parameter<'s>>,
    types: Vec<TypeConstraint<'s>>,
    sources: &'s [String],
}

#[derive(Serialize)]
struct Attribute<'s> {
    name: &'s str,
    kind: &'static str,
    required: bool,
    default: Option<Json>,
    values: Vec<Json>,
    legacy: bool,
    doc: &'s str,
}

#[derive(Serialize)]
struct Parameter<'s> {
    name: &'s str,
    #[serde(rename = "type")]
    ty: String,
    option: &'static str,
    homogeneous: bool,
    min_arity: u32,
    doc: &'s str,
}

#[derive(Serialize)]
struct TypeConstraint<'s> {
    name: &'s str,
    group: Option<&'s str>,
    allow: Vec<String>,
    doc: &'s str,
}

#[derive(Serialize)]
struct Example<'s> {
    name: &'s str,
    source: Option<&'s str>,
    since: u32,
    until: Option<u32>,
    inputs: Vec<Tensor<'s>>,
    attributes: Vec<Argument<'s>>,
    outputs: Option<Vec<Tensor<'s>>>,
    error: Option<&'s str>,
}

#[derive(Serialize)]
struct Tensor<'s> {
    #[serde(rename = "type")]
    ty: &'s str,
    dims: &'s [u64],
    values: Option<Vec<Json>>,
}

#[derive(Serialize)]
struct Argument<'s> {
    name: &'s str,
    value: Json,
}

#[derive(Serialize)]
struct Ruling<'s> {
    versions: &'s [u32],
    sources: &'s [String],
    says: &'s str,
    ruling: &'s str,
    examples: &'s [String],
}

#[derive(Serialize)]
struct Source<'s> {
    id: &'s str,
    title: &'s str,
}

impl<'s> Report<'s> {
    pub(super) fn new(shown: &Shown<'s>) -> Self {
        let operator = shown.operator;
        let sources = operator.sources.iter().map(|(id, title)| Source { id, title }).collect();
        let operator = Operator {
            domain: &operator.domain,
            name: &operator.name,
            summary: shown.summary(),
            kernel: operator.kernel.as_deref(),
            opset: shown.opset,
            versions: shown.versions.iter().copied().map(version).collect(),
            examples: shown.examples().map(example).collect(),
            errata: shown.errata().map(ruling).collect(),
            sources,
        };
        Self { schema_version: SCHEMA_VERSION, operator }
    }
}

fn version(version: &Version) -> VersionEntry<'_> {
    VersionEntry {
        since: version.since,
        summary: &version.summary,
        deprecated: version.deprecated,
        function: version.function,
        support_level: support_level(version.support_level),
        shape_inference: version.shape_inference,
        attributes: version.attributes.iter().map(attribute).collect(),
        inputs: version.inputs.iter().map(|input| parameter(input, version)).collect(),
        outputs: version.outputs.iter().map(|output| parameter(output, version)).collect(),
        types: version.types.iter().map(constraint).collect(),
        sources: &version.sources,
    }
}

pub(super) fn support_level(level: SupportLevel) -> &'static str {
    match level {
        SupportLevel::Common => "common",
        SupportLevel::Experimental => "experimental",
    }
}

fn parameter<'s>(parameter: &'s operator::Parameter, version: &Version) -> Parameter<'s> {
    let operator::Parameter { name, ty, option, homogeneous, min_arity, doc } = parameter;
    let option = match option {
        ParameterOption::Single => "single",
        ParameterOption::Optional => "optional",
        ParameterOption::Variadic => "variadic",
    };
    let ty = type_text(ty, version);
    Parameter { name, ty, option, homogeneous: *homogeneous, min_arity: *min_arity, doc }
}

/// The type of a parameter as a descriptor has it: `T` or `tensor(int64)`.
pub(super) fn type_text(ty: &ParameterType, version: &Version) -> String {
    match ty {
        ParameterType::Variable(index) => version.types.get(*index).map(|ty| ty.name.clone()).unwrap_or_default(),
        ParameterType::Fixed(ty) => ty.to_string(),
    }
}

fn attribute(attribute: &operator::Attribute) -> Attribute<'_> {
    let operator::Attribute { name, kind, required, default, values, legacy, doc } = attribute;
    let (default, values) = (default.as_ref().map(literal), values.iter().map(literal).collect());
    Attribute { name, kind: kind.name(), required: *required, default, values, legacy: *legacy, doc }
}

fn constraint(constraint: &operator::TypeConstraint) -> TypeConstraint<'_> {
    let operator::TypeConstraint { name, allow, group, doc } = constraint;
    TypeConstraint { name, group: group.as_deref(), allow: allow.iter().map(ToString::to_string).collect(), doc }
}

fn example(example: &operator::Example) -> Example<'_> {
    let operator::Example { name, source, since, until, inputs, attributes, expect, .. } = example;
    let (outputs, error) = match expect {
        Expectation::Outputs(outputs) => (Some(outputs.iter().map(tensor).collect()), None),
        Expectation::Error(code) => (None, Some(&**code)),
    };
    let attributes = attributes.iter().map(|(name, value)| Argument { name, value: literal(value) }).collect();
    let (source, inputs) = (source.as_deref(), inputs.iter().map(tensor).collect());
    Example { name, source, since: *since, until: *until, inputs, attributes, outputs, error }
}

fn tensor(tensor: &operator::Tensor) -> Tensor<'_> {
    let operator::Tensor { element, dims, values } = tensor;
    Tensor { ty: &element.name, dims, values: values.as_ref().map(|values| values.iter().map(literal).collect()) }
}

fn ruling(ruling: &operator::Ruling) -> Ruling<'_> {
    let operator::Ruling { versions, sources, says, ruling, examples } = ruling;
    Ruling { versions, sources, says, ruling, examples }
}

fn literal(literal: &Literal) -> Json {
    match literal {
        Literal::Bool(value) => Json::from(*value),
        Literal::Int(value) => Json::from(*value),
        Literal::Unsigned(value) => Json::from(*value),
        // JSON has no infinities.
        Literal::Float(value) if !value.is_finite() => Json::from(literal.to_string()),
        Literal::Float(value) => Json::from(*value),
        Literal::Text(value) => Json::from(&**value),
        Literal::List(values) => values.iter().map(self::literal).collect(),
    }
}
