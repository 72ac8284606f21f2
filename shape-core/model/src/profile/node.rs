//! Checks of a single node.

use super::arguments::Arguments;
use super::declared;
use super::outcome::{Outcome, fail, named, open, pass};
use super::subject::Subject;
use crate::file::proto::DimensionValue;
use crate::usage::UsedOperator;
use shape_core::dimension::Dimension;
use shape_core::node::AttributeKind;
use shape_core::schema::ParameterOption;
use shape_core::symbolic::Dim;
use shape_core::types::Type;

/// The operator is deterministic: the same inputs produce the same outputs.
pub(super) fn deterministic(subject: &Subject<'_, '_>, _: &Arguments) -> Outcome {
    let Some(schema) = subject.schema() else { return no_version(subject) };
    let (name, since) = (schema.name, schema.since_version);
    if schema.deterministic {
        return pass(format!("{name}-{since} is deterministic"));
    }
    if schema.attributes.iter().any(|attribute| matches!(attribute.kind, AttributeKind::Graph | AttributeKind::Graphs))
    {
        return pass(format!("{name}-{since} runs its subgraphs, whose nodes are judged"));
    }
    fail(format!("{name}-{since} is not deterministic"))
}

/// The outcome for a node without a known version.
fn no_version(subject: &Subject<'_, '_>) -> Outcome {
    match subject.operator().map(|used| used.operator) {
        Some(UsedOperator::Function) => pass("the node calls a model-local function, whose nodes are judged"),
        _ => open("the version of the operator is unknown"),
    }
}

/// The operator is part of the profile.
pub(super) fn operator_set(subject: &Subject<'_, '_>, _: &Arguments) -> Outcome {
    let Some(used) = subject.operator() else { return open("the operator is unknown") };
    let name = used.op_type;
    if matches!(used.operator, UsedOperator::Function) {
        return pass("the node calls a model-local function, whose nodes are judged");
    }
    if used.domain != "ai.onnx" || !subject.facts.operators.contains(&name) {
        let domain = if used.domain == "ai.onnx" { String::new() } else { format!("{}::", used.domain) };
        return fail(format!("{domain}{name} is not in the profile"));
    }
    match subject.overlay() {
        Some(_) => pass(format!("{name} is in the profile")),
        None => open(format!("{name} is in the profile, but its rules are not described here yet")),
    }
}

/// The version is the one that the profile specifies.
pub(super) fn version(subject: &Subject<'_, '_>, _: &Arguments) -> Outcome {
    let (Some(schema), Some(overlay)) = (subject.schema(), subject.overlay()) else { return no_version(subject) };
    let (name, since) = (schema.name, schema.since_version);
    if since == overlay.since {
        return pass(format!("{name}-{since} is in force"));
    }
    fail(format!("{name}-{since} is in force; the profile allows {name}-{}", overlay.since))
}

/// The node has no finding about types that must be equal.
pub(super) fn no_conversion(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    if let Some(finding) = subject.findings().find(|finding| arguments.codes.contains(&finding.code)) {
        let found = finding.found.iter().map(|found| format!(": {found}")).collect::<String>();
        return fail(format!("{}{found}", finding.message));
    }
    let Some(node) = subject.node() else { return open("there is no node") };
    let names = node.inputs().iter().chain(node.outputs()).filter(|name| !name.is_empty());
    for name in names {
        match subject.value_called(name).map(|value| &value.ty) {
            Some(Ok(_)) => {}
            Some(Err(reason)) => {
                return open(format!("the type of `{name}` is unknown: {}", subject.facts.explain(reason)));
            }
            None => return open(format!("nothing computes the value `{name}`")),
        }
    }
    if subject.schema().is_none() {
        return no_version(subject);
    }
    pass("every value has an allowed type")
}

/// The node sets every attribute and connects every input that it may.
pub(super) fn no_defaults(subject: &Subject<'_, '_>, _: &Arguments) -> Outcome {
    let (Some(schema), Some(node)) = (subject.schema(), subject.node()) else { return no_version(subject) };
    let attribute = |name: &str| node.attributes().iter().any(|attribute| attribute.name() == name);
    let index = |name: &str| schema.inputs.iter().position(|input| input.name == name);
    let input =
        |name: &str| index(name).and_then(|index| node.inputs().get(index)).is_some_and(|input| !input.is_empty());
    // Only one of several mutually exclusive attributes and inputs can be present.
    let excluded = |name: &str| {
        let groups = schema.exclusive.iter().filter(|group| group.of.contains(&name));
        groups
            .into_iter()
            .any(|group| group.of.iter().any(|other| *other != name && (attribute(other) || input(other))))
    };
    let attributes = schema.attributes.iter().filter(|of| !of.legacy && !attribute(of.name));
    let inputs = schema.inputs.iter().filter(|of| of.option == ParameterOption::Optional && !input(of.name));
    let missing = attributes.map(|of| of.name).chain(inputs.map(|of| of.name));
    let missing: Vec<&str> = missing.filter(|name| !excluded(name)).collect();
    if missing.is_empty() {
        return pass("all attributes and inputs are given");
    }
    fail(format!("the node does not give {}", named(&missing)))
}

/// An INT attribute has one of the allowed values.
pub(super) fn attribute_values(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    let (name, values) = (arguments.attribute, arguments.values);
    match subject.int(name) {
        Err(outcome) => outcome,
        Ok(None) => pass(format!("`{name}` is not given")),
        Ok(Some(value)) if values.contains(&value) => pass(format!("`{name}` is {value}")),
        Ok(Some(value)) => {
            let allowed: Vec<String> = values.iter().map(i64::to_string).collect();
            fail(format!("`{name}` is {value}; the profile allows {}", allowed.join(", ")))
        }
    }
}

/// An input or output has one of the allowed types, and is not declared with another.
pub(super) fn types(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    let parameter = arguments.value;
    let value = match subject.value(parameter) {
        Ok(value) => value,
        Err(outcome) => return outcome,
    };
    let declared = subject.declared(value.name).and_then(declared::of_tensor).map(Type::tensor);
    if let Some(ty) = declared.filter(|ty| !arguments.types.contains(*ty)) {
        return fail(format!("`{parameter}` is declared as {ty}; the profile allows {}", allowed(arguments)));
    }
    match &value.ty {
        Ok(ty) if arguments.types.contains(*ty) => pass(format!("`{parameter}` is {ty}")),
        Ok(ty) => fail(format!("`{parameter}` is {ty}; the profile allows {}", allowed(arguments))),
        Err(reason) => open(format!("the type of `{parameter}` is unknown: {}", subject.facts.explain(reason))),
    }
}

/// The types that a rule allows: a few by name, many by their number.
fn allowed(arguments: &Arguments) -> String {
    match arguments.types.len() {
        count if count > 4 => format!("{count} types"),
        _ => arguments.types.to_string(),
    }
}

/// An input or output has the required rank.
pub(super) fn rank(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    let parameter = arguments.value;
    match subject.dims(parameter) {
        Err(outcome) => outcome,
        Ok(dims) if i64::try_from(dims.len()).is_ok_and(|rank| rank == arguments.number) => {
            pass(format!("the rank of `{parameter}` is {}", dims.len()))
        }
        Ok(dims) => {
            fail(format!("the rank of `{parameter}` is {}; the profile requires {}", dims.len(), arguments.number))
        }
    }
}

/// The declared outputs agree with the inferred ones.
pub(super) fn as_inferred(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    let Some(node) = subject.node() else { return open("there is no node") };
    if let Some(outcome) = contradicted(subject, arguments) {
        return outcome;
    }
    for name in node.inputs().iter().filter(|name| !name.is_empty()) {
        match subject.value_called(name).map(|value| &value.dims) {
            Some(Ok(_)) => {}
            Some(Err(reason)) => {
                return open(format!("the dimensions of `{name}` are unknown: {}", subject.facts.explain(reason)));
            }
            None => return open(format!("nothing computes the value `{name}`")),
        }
    }
    let mut shown = Vec::new();
    for name in node.outputs().iter().filter(|name| !name.is_empty()) {
        match subject.value_called(name).map(|value| &value.dims) {
            Some(Ok(dims)) => match agree(subject, name, dims) {
                Ok(()) => shown.push(format!("{name}: {}", subject.facts.dims(dims))),
                Err(outcome) => return outcome,
            },
            _ => return open(format!("the dimensions of `{name}` are unknown")),
        }
    }
    pass(format!("its outputs are {}", named(&shown)))
}

/// A finding at the node that contradicts a rule, or that prevents judging it.
pub(super) fn contradicted(subject: &Subject<'_, '_>, arguments: &Arguments) -> Option<Outcome> {
    if let Some(finding) = subject.findings().find(|finding| arguments.codes.contains(&finding.code)) {
        let detail = finding.expected.iter().zip(&finding.found);
        let detail: String =
            detail.map(|(inferred, declared)| format!(": declared {declared}, inferred {inferred}")).collect();
        return Some(fail(format!("{}{detail}", finding.message)));
    }
    subject.error().map(|finding| open(format!("the node has an error: {}", finding.message)))
}

/// Whether the declaration of a value agrees with `dims`; a missing declaration does not contradict.
pub(super) fn agree(subject: &Subject<'_, '_>, name: &str, dims: &[Dim]) -> Result<(), Outcome> {
    if let Some(reason) = dims.iter().find_map(|dim| subject.facts.unknown_dim(dim)) {
        return Err(open(format!("a dimension of `{name}` is unknown: {}", subject.facts.explain(reason))));
    }
    let Some(shape) = subject.declared(name).and_then(declared::shape) else { return Ok(()) };
    let show = |dims: &[Dim]| subject.facts.dims(dims);
    if shape.dim.len() != dims.len() {
        return Err(fail(format!("`{name}` is declared with rank {}, but is {}", shape.dim.len(), show(dims))));
    }
    for (axis, (declared, dim)) in shape.dim.iter().zip(dims).enumerate() {
        let (same, differ, text) = match (&declared.value, declared.symbol()) {
            (Some(DimensionValue::DimValue(size)), _) => {
                let size = u64::try_from(*size).ok();
                (
                    dim.known().is_some() && dim.known() == size,
                    dim.known().is_some(),
                    size.map_or_else(|| "no size".to_owned(), |size| size.to_string()),
                )
            }
            (_, Some(symbol)) => (subject.facts.dim(dim) == symbol, false, symbol.to_owned()),
            (_, None) => continue,
        };
        if !same {
            let text = format!("dimension {axis} of `{name}` is declared as {text}, but is {}", subject.facts.dim(dim));
            return Err(if differ { fail(text) } else { open(text) });
        }
    }
    Ok(())
}
