//! Writes the facts in the form of `onnx-metadata.json`, the file in which the viewer netron has them.

use serde::Serialize;
use serde_json::Value as Json;
use shape_specs::arity;
use shape_specs::document::{AttributeKind, ParameterOption};
use shape_specs::operator::{self, Operator, Version};

use super::frame::{File, json};
use super::site::Site;
use crate::descriptors::json::literal;

/// What the file says where there is no maximum.
const NO_MAXIMUM: usize = i32::MAX as usize;

#[derive(Serialize)]
struct Entry<'s> {
    name: &'s str,
    module: &'s str,
    version: u32,
    support_level: &'static str,
    description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attributes: Vec<Attribute<'s>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<Parameter<'s>>,
    min_input: usize,
    max_input: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outputs: Vec<Parameter<'s>>,
    min_output: usize,
    max_output: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs_range: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outputs_range: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    type_constraints: Vec<TypeConstraint<'s>>,
}

#[derive(Serialize)]
struct Attribute<'s> {
    name: &'s str,
    #[serde(rename = "type")]
    ty: &'static str,
    required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Json>,
    description: &'s str,
}

#[derive(Serialize)]
struct Parameter<'s> {
    name: &'s str,
    #[serde(rename = "type")]
    ty: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    list: bool,
    description: &'s str,
}

#[derive(Serialize)]
struct TypeConstraint<'s> {
    description: &'s str,
    type_param_str: &'s str,
    allowed_type_strs: Vec<String>,
}

pub(super) fn files(site: &Site<'_>) -> Result<Vec<File>, String> {
    let mut entries: Vec<Entry<'_>> =
        site.all().flat_map(|operator| operator.versions.iter().map(|version| entry(operator, version))).collect();
    // As the file of the viewer is sorted; where a runtime has a version that ONNX has too, ONNX's is first.
    entries.sort_by_key(|of| (of.name, of.module, of.version));
    entries.dedup_by_key(|of| (of.name, of.module, of.version));
    Ok(vec![json("onnx-metadata.json", &entries)?])
}

fn entry<'s>(operator: &'s Operator, version: &'s Version) -> Entry<'s> {
    let ((min_input, max_input), (min_output, max_output)) = (bounds(&version.inputs), bounds(&version.outputs));
    let details = if version.details.is_empty() { String::new() } else { format!("\n\n{}", version.details) };
    let parameters = |list: &'s [operator::Parameter]| list.iter().map(|of| parameter(version, of)).collect();
    Entry {
        name: &operator.name,
        module: &operator.domain,
        version: version.since,
        support_level: version.support_level.name(),
        description: format!("{}{details}", version.summary),
        attributes: version.attributes.iter().map(attribute).collect(),
        inputs: parameters(&version.inputs),
        min_input,
        max_input,
        outputs: parameters(&version.outputs),
        min_output,
        max_output,
        inputs_range: range(min_input, max_input),
        outputs_range: range(min_output, max_output),
        type_constraints: (version.types.iter())
            .map(|of| TypeConstraint {
                description: &of.doc,
                type_param_str: &of.name,
                allowed_type_strs: of.allow.iter().map(ToString::to_string).collect(),
            })
            .collect(),
    }
}

fn bounds(parameters: &[operator::Parameter]) -> (usize, usize) {
    let (min, max) = arity(parameters);
    (min, max.unwrap_or(NO_MAXIMUM))
}

fn range(min: usize, max: usize) -> Option<String> {
    // The viewer shows it as HTML.
    let max_text = if max == NO_MAXIMUM { "&#8734;".to_owned() } else { max.to_string() };
    (min != max).then(|| format!("{min} - {max_text}"))
}

fn parameter<'s>(version: &Version, of: &'s operator::Parameter) -> Parameter<'s> {
    Parameter {
        name: &of.name,
        ty: version.type_text(of),
        option: (of.option == ParameterOption::Optional).then_some("optional"),
        list: of.option == ParameterOption::Variadic,
        description: &of.doc,
    }
}

fn attribute(of: &operator::Attribute) -> Attribute<'_> {
    let ty = KINDS.iter().find(|(kind, _)| *kind == of.kind).map_or("undefined", |(_, name)| name);
    let default = of.default.as_ref().map(literal);
    Attribute { name: &of.name, ty, required: of.required, default, description: &of.doc }
}

/// The words of the viewer for kinds of attributes.
const KINDS: [(AttributeKind, &str); 14] = {
    use AttributeKind as Kind;
    [
        (Kind::Float, "float32"),
        (Kind::Int, "int64"),
        (Kind::String, "string"),
        (Kind::Tensor, "tensor"),
        (Kind::Graph, "graph"),
        (Kind::SparseTensor, "sparse_tensor"),
        (Kind::TypeProto, "type_proto"),
        (Kind::Floats, "float32[]"),
        (Kind::Ints, "int64[]"),
        (Kind::Strings, "string[]"),
        (Kind::Tensors, "tensor[]"),
        (Kind::Graphs, "graph[]"),
        (Kind::SparseTensors, "sparse_tensor[]"),
        (Kind::TypeProtos, "type_proto[]"),
    ]
};
