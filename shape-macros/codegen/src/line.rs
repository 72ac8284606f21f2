//! Describes a version in one line, for snapshots of operators whose full code is not reviewed.

use std::fmt::Write as _;

use shape_specs::Operator;
use shape_specs::document::{ParameterOption, SupportLevel};
use shape_specs::operator::{Parameter, Range, Version};
use shape_specs::tables::Type;

/// The schema of a version in one line: attributes with defaults, inputs, outputs, type lists, and the number of
/// examples for it.
#[must_use]
pub fn schema_line(operator: &Operator, version: &Version) -> String {
    let mut line = format!("{}::{}-{}", operator.domain, operator.name, version.since);
    let attributes: Vec<String> = version
        .attributes
        .iter()
        .map(|attribute| {
            let mut text = format!("{}: {}", attribute.name, attribute.kind.name());
            match (&attribute.default, attribute.required) {
                (Some(default), _) => _ = write!(text, " = {default}"),
                (None, true) => text.push('!'),
                (None, false) => text.push('?'),
            }
            if !attribute.values.is_empty() {
                _ = write!(text, " in {:?}", attribute.values);
            }
            if attribute.range != Range::default() {
                _ = write!(text, " {}", attribute.range);
            }
            text
        })
        .collect();
    let parameters = |parameters: &[Parameter]| {
        let texts = parameters.iter().map(|parameter| {
            let ty = version.type_text(parameter);
            let option = match parameter.option {
                ParameterOption::Single => "",
                ParameterOption::Optional => "?",
                ParameterOption::Variadic if parameter.homogeneous => "...",
                ParameterOption::Variadic => "... of any types",
            };
            format!("{}: {ty}{option}", parameter.name)
        });
        texts.collect::<Vec<_>>().join(", ")
    };
    let types: Vec<String> = version
        .types
        .iter()
        .map(|ty| {
            let allow = match &ty.group {
                Some(group) => format!("{group}, {}", ty.allow.len()),
                None => ty.allow.iter().map(short).collect::<Vec<_>>().join(", "),
            };
            format!("{} ({allow})", ty.name)
        })
        .collect();
    _ = write!(
        line,
        " [{}] ({}) -> ({}) where {}",
        attributes.join(", "),
        parameters(&version.inputs),
        parameters(&version.outputs),
        types.join(", ")
    );
    let flags = [
        (version.deprecated, "deprecated"),
        (version.support_level == SupportLevel::Experimental, "experimental"),
        (version.function, "function"),
        (!version.shape_inference, "no upstream inference"),
        (!version.deterministic, "not deterministic"),
    ];
    for (_, flag) in flags.iter().filter(|(set, _)| *set) {
        _ = write!(line, "; {flag}");
    }
    for exclusive in &version.exclusive {
        _ = write!(line, "; {exclusive}");
    }
    for requirement in &version.requires {
        _ = write!(line, "; requires {}", requirement.text);
    }
    for rule in &version.rules {
        _ = write!(line, "; {} is {rule}", rule.output);
    }
    for action in version.adapter.iter().flatten() {
        _ = write!(line, "; conversion {action}");
    }
    if let Some(text) = &version.semantics {
        _ = write!(line, "; means otherwise: {text}");
    }
    let examples = operator.examples.iter().filter(|example| example.holds_for(version.since)).count();
    _ = write!(line, "; {examples} examples");
    line
}

/// A tensor by its element type alone.
fn short(ty: &Type) -> String {
    match ty {
        Type::Tensor(element) => element.name.clone(),
        other => other.to_string(),
    }
}
