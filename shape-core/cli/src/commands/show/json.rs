//! An operator as JSON.

use serde::Serialize;
use serde_json::Value as Json;
use shape_specs::operator::{self, Expectation};
use shape_specs::rules::OutputRule;

use super::{Entry, InRelease, Shown};
use crate::descriptors::json::{
    Attribute, Change, Parameter, TypeConstraint, attribute, change, constraint, literal, parameter,
};
use crate::json::SCHEMA_VERSION;

#[derive(Serialize)]
pub(crate) struct Report<'s> {
    schema_version: u32,
    pub(crate) operator: Operator<'s>,
}

#[derive(Serialize)]
pub(crate) struct Operator<'s> {
    domain: &'s str,
    name: &'s str,
    summary: &'s str,
    /// The details that belong to the summary.
    details: &'s str,
    /// The opset on the command line; then there is only one version.
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
    details: &'s str,
    deprecated: bool,
    function: bool,
    support_level: &'static str,
    shape_inference: bool,
    deterministic: bool,
    /// Whether a node may have attributes that are not listed.
    other_attributes: bool,
    semantics: Option<&'s str>,
    adapter: Option<Vec<String>>,
    /// The changes from the version before it; `None` for the first version.
    changes: Option<Vec<Change<'s>>>,
    /// The releases of its runtime that brought it or changed it in place, the oldest first.
    releases: Vec<Release<'s>>,
    attributes: Vec<Attribute<'s>>,
    inputs: Vec<Parameter<'s>>,
    outputs: Vec<Parameter<'s>>,
    types: Vec<TypeConstraint<'s>>,
    exclusive: Vec<Exclusive<'s>>,
    /// The relations that a node must meet.
    requires: Vec<Requirement<'s>>,
    /// What computes the outputs.
    rules: Vec<Rule<'s>>,
    sources: &'s [String],
}

#[derive(Serialize)]
struct Release<'s> {
    runtime: &'s str,
    release: String,
    /// `None` for the first one with the version.
    changes: Option<Vec<Change<'s>>>,
}

#[derive(Serialize)]
struct Exclusive<'s> {
    of: &'s [String],
    required: bool,
}

#[derive(Serialize)]
struct Requirement<'s> {
    that: &'s str,
    code: &'s str,
    doc: &'s str,
}

#[derive(Serialize)]
struct Rule<'s> {
    output: &'s str,
    #[serde(rename = "type")]
    ty: Vec<String>,
    dims: Option<String>,
    elements: Option<String>,
    /// The amounts, each with its condition.
    multiply_adds: Vec<String>,
}

#[derive(Serialize)]
struct Example<'s> {
    name: &'s str,
    source: Option<&'s str>,
    since: u32,
    until: Option<u32>,
    /// Null for an optional input that is absent.
    inputs: Vec<Option<Tensor<'s>>>,
    attributes: Vec<Argument<'s>>,
    outputs: Option<Vec<Option<Tensor<'s>>>>,
    error: Option<&'s str>,
}

#[derive(Serialize)]
struct Tensor<'s> {
    #[serde(rename = "type")]
    ty: String,
    /// Numbers, symbols, and null for unknown ones; null as a whole if the rank is unknown.
    dims: Option<Vec<Json>>,
    values: Option<Vec<Json>>,
    unchecked: Option<&'s str>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ArgumentValue<'s> {
    Value(Json),
    Tensor(Tensor<'s>),
    Graph { inputs: Vec<Tensor<'s>>, outputs: Vec<Tensor<'s>> },
    Type(String),
}

#[derive(Serialize)]
struct Argument<'s> {
    name: &'s str,
    #[serde(flatten)]
    value: ArgumentValue<'s>,
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
    pub(crate) fn new(shown: &'s Shown<'s>) -> Self {
        let operator = shown.operator;
        let sources = operator.sources.iter().map(|(id, title)| Source { id, title }).collect();
        let operator = Operator {
            domain: &operator.domain,
            name: &operator.name,
            summary: shown.summary(),
            details: shown.details(),
            opset: shown.opset,
            versions: shown.versions.iter().map(version).collect(),
            examples: shown.examples().map(example).collect(),
            errata: shown.errata().map(ruling).collect(),
            sources,
        };
        Self { schema_version: SCHEMA_VERSION, operator }
    }
}

fn version<'s>(entry: &'s Entry<'s>) -> VersionEntry<'s> {
    let Entry { version, older, changes, releases } = entry;
    VersionEntry {
        since: version.since,
        summary: &version.summary,
        details: &version.details,
        deprecated: version.deprecated,
        function: version.function,
        support_level: version.support_level.name(),
        shape_inference: version.shape_inference,
        deterministic: version.deterministic,
        other_attributes: version.other_attributes,
        semantics: version.semantics.as_deref(),
        adapter: version.adapter.as_ref().map(|actions| actions.iter().map(ToString::to_string).collect()),
        changes: older.map(|_| changes.iter().map(change).collect()),
        releases: releases.iter().map(release).collect(),
        attributes: version.attributes.iter().map(attribute).collect(),
        inputs: version.inputs.iter().map(|input| parameter(input, version.type_text(input))).collect(),
        outputs: version.outputs.iter().map(|output| parameter(output, version.type_text(output))).collect(),
        types: version.types.iter().map(constraint).collect(),
        exclusive: version.exclusive.iter().map(exclusive).collect(),
        requires: version.requires.iter().map(requirement).collect(),
        rules: version.rules.iter().map(rule).collect(),
        sources: &version.sources,
    }
}

fn release<'s>(InRelease { runtime, release, changes }: &'s InRelease<'_>) -> Release<'s> {
    let changes = changes.as_ref().map(|changes| changes.iter().map(change).collect());
    Release { runtime, release: release.to_string(), changes }
}

fn exclusive(exclusive: &operator::Exclusive) -> Exclusive<'_> {
    Exclusive { of: &exclusive.of, required: exclusive.required }
}

fn requirement(requirement: &operator::Requirement) -> Requirement<'_> {
    Requirement { that: &requirement.text, code: &requirement.code, doc: &requirement.doc }
}

fn rule(rule: &OutputRule) -> Rule<'_> {
    Rule {
        output: &rule.output,
        ty: rule.types.iter().map(ToString::to_string).collect(),
        dims: rule.dims.as_ref().map(ToString::to_string),
        elements: rule.elements.as_ref().map(ToString::to_string),
        multiply_adds: rule.multiply_adds.iter().map(ToString::to_string).collect(),
    }
}

fn example(example: &operator::Example) -> Example<'_> {
    let operator::Example { name, source, since, until, inputs, attributes, expect, .. } = example;
    let (outputs, error) = match expect {
        Expectation::Outputs(outputs) => (Some(optional(outputs)), None),
        Expectation::Error(code) => (None, Some(&**code)),
    };
    let attributes = attributes.iter().map(|(name, value)| Argument { name, value: argument(value) }).collect();
    let (source, inputs) = (source.as_deref(), optional(inputs));
    Example { name, source, since: *since, until: *until, inputs, attributes, outputs, error }
}

fn optional(values: &[Option<operator::Tensor>]) -> Vec<Option<Tensor<'_>>> {
    values.iter().map(|value| value.as_ref().map(tensor)).collect()
}

fn argument(argument: &operator::Argument) -> ArgumentValue<'_> {
    match argument {
        operator::Argument::Value(value) => ArgumentValue::Value(literal(value)),
        operator::Argument::Tensor(of) => ArgumentValue::Tensor(tensor(of)),
        operator::Argument::Type(ty) => ArgumentValue::Type(ty.to_string()),
        operator::Argument::Graph(operator::Graph { inputs, outputs }) => ArgumentValue::Graph {
            inputs: inputs.iter().map(tensor).collect(),
            outputs: outputs.iter().map(tensor).collect(),
        },
    }
}

fn tensor(tensor: &operator::Tensor) -> Tensor<'_> {
    let operator::Tensor { ty, dims, values, unchecked, .. } = tensor;
    let list = |entries: &Vec<operator::Entry>| entries.iter().map(entry).collect();
    let texts = |entries: &Vec<operator::Entry>| entries.iter().map(|entry| Json::from(&*entry.text)).collect();
    let values = values.as_ref().map(|values| if ty.word() == "string" { texts(values) } else { list(values) });
    let dims = dims.as_ref().map(list);
    Tensor { ty: ty.word(), dims, values, unchecked: unchecked.as_deref() }
}

/// A number, null for `?`, or a text.
fn entry(entry: &operator::Entry) -> Json {
    let text = &*entry.text;
    match text {
        "?" => Json::Null,
        "true" => Json::from(true),
        "false" => Json::from(false),
        _ => {
            let (signed, unsigned) = (text.parse::<i64>().map(Json::from), text.parse::<u64>().map(Json::from));
            let float = || text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Json::from);
            signed.or(unsigned).ok().or_else(float).unwrap_or_else(|| Json::from(text))
        }
    }
}

fn ruling(ruling: &operator::Ruling) -> Ruling<'_> {
    let operator::Ruling { versions, sources, says, ruling, examples } = ruling;
    Ruling { versions, sources, says, ruling, examples }
}
