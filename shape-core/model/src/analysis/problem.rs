//! Turns the problems of a node into findings.

use super::result::Analysis;
use crate::finding::Finding;
use crate::graph::NodeAt;
use crate::text::{dims_text, elements_text};
use shape_core::code::Code;
use shape_core::node::AttributeValue;
use shape_core::opset::canonical_domain;
use shape_core::problem::Problem;
use shape_core::registry::Registry;
use shape_core::rule::FittingAxis;
use shape_core::schema::{Attribute, FormalParameter, ParameterOption, Schema, arity};

/// The finding for a problem of a node.
pub(super) fn problem(problem: &Problem<'_>, graph: &str, at: NodeAt<'_>, opset: u32, registry: &Registry) -> Finding {
    let finding = Finding::new(problem.code(), graph, problem.to_string())
        .at(at)
        .expected(problem.expected())
        .found(problem.found());
    match *problem {
        Problem::AttributeUnknown { name, since_version, .. } => {
            // If a later version has the name, the model imports too old an opset.
            let versions = registry.operator(at.node.domain(), at.node.op_type());
            match versions.iter().find(|version| version.attribute(name).is_some()) {
                Some(version) if version.since_version > since_version => finding.help(format!(
                    "`{name}` came with opset {}, and the model imports {opset}: import {0} or later, or remove the \
                     attribute",
                    version.since_version
                )),
                Some(version) => finding.help(format!(
                    "opset {} removed `{name}`: remove the attribute",
                    since_version.max(version.since_version)
                )),
                None => finding.help("remove the attribute"),
            }
        }
        Problem::TypeNotAllowed { found, constraint: Some(constraint), .. } => {
            let domain = canonical_domain(at.node.domain());
            let later = registry.operator(domain, at.node.op_type()).iter().find(|version| {
                let wider = version.types.iter().find(|other| other.name == constraint.name);
                version.since_version > opset && wider.is_some_and(|wider| wider.allow.contains(found))
            });
            match later {
                Some(version) => finding.help(format!(
                    "{found} is allowed from opset {} on; the model imports {opset}",
                    version.since_version
                )),
                None if found.element().is_some() => finding.help("insert a Cast before the node"),
                None => finding.help("use a value of another type"),
            }
        }
        Problem::TypeNotAllowed { constraint: None, .. } => finding.help("use a value of that type"),
        Problem::TypeMismatch { .. } => {
            finding.help("insert a Cast after one of the two, so that both have the same type")
        }
        Problem::AttributeNoValue { .. } => finding.help("it is read as zero; save it with its value"),
        Problem::AttributeType { expected, .. } => finding.help(format!("write it as {expected}")),
        Problem::AttributeDuplicate { .. } => finding.help("keep one of the two"),
        Problem::AttributeMissing { .. } => finding.help("add the attribute"),
        Problem::AttributeValue { attribute: Attribute { values: [], min: None, max: None, .. }, .. } => {
            finding.help("write the text as UTF-8")
        }
        Problem::NoElementType { .. } => finding.help("write the number that `TensorProto.DataType` has for the type"),
        Problem::Exclusive { given: [None, _], .. } => finding.help("add one of them"),
        Problem::Exclusive { .. } => finding.help("remove all but one"),
        Problem::AttributeValue { .. } => finding.help("use one of the expected values"),
        Problem::InputMissing { parameter: FormalParameter { option: ParameterOption::Variadic, .. }, .. } => {
            finding.help("connect the input, or leave it out")
        }
        Problem::InputMissing { .. } => finding.help("connect the input"),
        Problem::Count { .. } => {
            let domain = canonical_domain(at.node.domain());
            let domain = if domain == "ai.onnx" { String::new() } else { format!("{domain}::") };
            finding.help(format!("`shape show {domain}{}@{opset}` lists its inputs and outputs", at.node.op_type()))
        }
        // The operator's rule already says what is expected; the caller adds the inputs.
        _ => finding,
    }
}

/// The help for a node that would meet a relation if an attribute named another axis.
pub(super) fn other_axis(FittingAxis { axis, size, attribute, value }: FittingAxis) -> String {
    let default = if attribute.default == Some(AttributeValue::Int(value)) { ", its default" } else { "" };
    format!("{size} is the size of axis {axis}; `{}` is {value}{default}", attribute.name)
}

/// Findings for outputs that have an empty name though they are required, and one after them has a name.
pub(super) fn outputs_missing<'a>(
    schema: &'static Schema,
    graph: &'a str,
    at: NodeAt<'a>,
) -> impl Iterator<Item = Finding> + use<'a> {
    let output = at.node.outputs().names();
    // Too many outputs, and trailing ones that are left out, are reported by their count.
    let (_, max) = arity(schema.outputs);
    let used =
        output.iter().rposition(|name| !name.is_empty()).filter(|last| max.is_none_or(|max| *last < max)).unwrap_or(0);
    let empty = output.iter().take(used).enumerate().filter(|(_, name)| name.is_empty());
    empty.filter_map(move |(index, _)| {
        let parameter = schema.output(index).filter(|parameter| parameter.option == ParameterOption::Single)?;
        let message = format!("the required output {index} (`{}`) has an empty name", parameter.name);
        let found = Finding::new(Code::OutputMissing, graph, message).at(at);
        let found = found.expected(format!("a name for `{}`", parameter.name)).found("an empty name");
        Some(found.help("give it a name, even if nothing reads it"))
    })
}

/// The finding for a node of a deprecated operator version.
pub(crate) fn deprecated(schema: &Schema, graph: &str, at: NodeAt<'_>, opset: u32) -> Finding {
    let message = format!("{} is deprecated since opset {}", schema.name, schema.since_version);
    let found = Finding::new(Code::OperatorDeprecated, graph, message).at(at);
    let found = found.expected(format!("another operator, or an older opset of {}", schema.domain));
    found.found(format!("opset {opset}")).help("use the operator that replaces it")
}

/// Describes the inputs of a node, to explain why they do not fit.
pub(super) fn inputs(values: impl Iterator<Item = Option<u32>>, analysis: &Analysis<'_>) -> String {
    let known = values.flatten().filter_map(|id| analysis.values.get(id as usize));
    let texts = known.map(|value| match (&value.elements, &value.dims) {
        (Ok(elements), _) => format!("`{}` is {}", value.name, elements_text(elements, &analysis.symbols)),
        (Err(_), Ok(dims)) => format!("`{}` has the dimensions {}", value.name, dims_text(dims, &analysis.symbols)),
        (Err(_), Err(_)) => format!("the rank of `{}` is unknown", value.name),
    });
    texts.collect::<Vec<_>>().join(", ")
}
