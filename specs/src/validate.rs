//! The rules of the descriptor language that go past its form.

use std::collections::HashSet;
use std::path::Path;

use crate::de::Spanned;
use crate::document::{
    ArgumentEntry, AttributeEntry, AttributeKind, Document, ExampleEntry, Literal, ParameterOption, TensorEntry,
    VersionDelta,
};
use crate::operator::{Example, Expectation, Parameter, ParameterType, Tensor, Version};
use crate::resolve::{Context, MOST_TYPE_VARIABLES, Named, listed};
use crate::tables::{Element, Type};

/// What stands before the versions.
pub(crate) fn head(file: &str, document: &Document, context: &mut Context<'_>) {
    let Document { operator, domain, summary, kernel, sources, versions, .. } = document;
    if !is_identifier(operator) {
        let message = format!("`{}` cannot be an operator's name", operator.value);
        context.mistake_help(operator.at, "name-form", message, "letters, digits and `_`, not beginning with a digit");
    }
    let path = Path::new(file);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if *stem != *operator.value {
        let message = format!("the file is called `{stem}`, the operator `{}`", operator.value);
        context.mistake_help(operator.at, "file-name", message, format!("call the file `{}.yaml`", operator.value));
    }
    let domain_ok = !domain.is_empty() && domain.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if !domain_ok {
        let message = format!("`{}` cannot be a domain", domain.value);
        context.mistake_help(domain.at, "name-form", message, "the default domain is written `ai.onnx`");
    }
    let folder = path.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy());
    if let Some(folder) = folder.filter(|folder| folder.contains("onnx") && **folder != *domain.value) {
        let message = format!("the folder is called `{folder}`, the domain `{}`", domain.value);
        context.mistake(domain.at, "file-name", message);
    }
    sentence(summary, "summary", context);
    if let Some(kernel) = kernel
        && !kernel.split("::").all(is_identifier)
    {
        let message = format!("`{}` cannot be the name of a kernel", kernel.value);
        context.mistake_help(kernel.at, "name-form", message, "a Rust path, such as `reshape`");
    }
    for (index, source) in sources.iter().enumerate() {
        if sources.iter().take(index).any(|other| other.id.value == source.id.value) {
            let message = format!("there is a source `{}` already", source.id.value);
            context.mistake(source.id.at, "duplicate-name", message);
        }
        if source.title.trim().is_empty() {
            context.mistake(source.id.at, "empty-text", format!("the source `{}` has no title", source.id.value));
        }
    }
    if versions.value.is_empty() {
        context.mistake(versions.at, "empty-list", "an operator has at least one version");
    }
}

fn sentence(text: &Spanned<String>, what: &str, context: &mut Context<'_>) {
    if text.trim().is_empty() {
        context.mistake(text.at, "empty-text", format!("the {what} is empty"));
    }
}

/// The versions stand in ascending order, within what is known of the domain.
pub(crate) fn order(delta: &VersionDelta, domain: &str, before: Option<u32>, context: &mut Context<'_>) {
    let since = &delta.since;
    if since.value == 0 {
        context.mistake(since.at, "version-order", "opsets count from 1");
    }
    match before {
        Some(before) if since.value == before => {
            context.mistake(since.at, "version-order", format!("version {before} stands here twice"));
        }
        Some(before) if since.value < before => {
            let message = format!("version {} stands after version {before}", since.value);
            context.mistake_help(since.at, "version-order", message, "oldest first: each version says what it changes");
        }
        _ => {}
    }
    if let Some(newest) = context.tables.newest_opset(domain)
        && since.value > newest
    {
        let message = format!("the newest opset of {domain} known is {newest}, this version says {}", since.value);
        context.mistake_help(since.at, "opset-too-new", message, "add the opset to opsets.yaml first");
    }
    if let Some(summary) = &delta.summary {
        sentence(summary, "summary", context);
    }
}

/// Each id is that of a source.
pub(crate) fn references(ids: &[Spanned<String>], document: &Document, context: &mut Context<'_>) {
    for id in ids {
        if !document.sources.iter().any(|source| source.id.value == id.value) {
            let message = format!("there is no source `{}`", id.value);
            let known: Vec<&str> = document.sources.iter().map(|source| &*source.id.value).collect();
            context.unknown(id, "unknown-source", message, known);
        }
    }
}

pub(crate) fn identifier(name: &Spanned<String>, what: &str, context: &mut Context<'_>) {
    if !is_identifier(name) {
        let message = format!("`{}` cannot be the name of {what}", name.value);
        context.mistake_help(name.at, "name-form", message, "letters, digits and `_`, not beginning with a digit");
    }
}

fn is_identifier(name: &str) -> bool {
    name.chars().enumerate().all(|(index, c)| c == '_' || c.is_ascii_alphabetic() || (index > 0 && c.is_ascii_digit()))
        && name.chars().any(|c| c != '_')
}

pub(crate) fn attribute(entry: &Spanned<AttributeEntry>, context: &mut Context<'_>) {
    let AttributeEntry { name, kind, optional, default, values, .. } = &entry.value;
    identifier(name, "an attribute", context);
    if let (Some(optional), Some(_)) = (optional, default) {
        let message = format!("`{}` has a default, so that it need not be called optional or not", name.value);
        context.mistake_help(optional.at, "optional-default", message, "keep one of the two fields");
    }
    for (value, what) in
        default.iter().map(|value| (value, "default")).chain(values.iter().map(|value| (value, "value")))
    {
        if !fits_kind(kind.value, value) {
            let message = format!("the {what} `{}` is not of the kind {}", value.value, kind.name());
            context.mistake_help(value.at, "default-type", message, format!("write {}", kind_example(kind.value)));
        }
    }
    if let Some(default) = default
        && !values.is_empty()
        && !values.iter().any(|value| value.value == default.value)
    {
        let allowed: Vec<Literal> = values.iter().map(|value| value.value.clone()).collect();
        let message = format!("the default `{}` is not among the values of `{}`", default.value, name.value);
        context.mistake_help(default.at, "default-value", message, format!("one of {}", listed(&allowed)));
    }
    for (index, value) in values.iter().enumerate() {
        if values.iter().take(index).any(|other| other.value == value.value) {
            context.mistake(value.at, "duplicate-value", format!("the value `{}` stands here twice", value.value));
        }
    }
}

fn fits_kind(kind: AttributeKind, value: &Literal) -> bool {
    let all = |of| matches!(value, Literal::List(list) if list.iter().all(|value| fits_kind(of, value)));
    match kind {
        AttributeKind::Int => matches!(value, Literal::Int(_)),
        // A whole number stands for a FLOAT too; nobody should have to write `1.0` for 1.
        AttributeKind::Float => matches!(value, Literal::Float(_) | Literal::Int(_)),
        AttributeKind::String => matches!(value, Literal::Text(_)),
        AttributeKind::Ints => all(AttributeKind::Int),
        AttributeKind::Floats => all(AttributeKind::Float),
        AttributeKind::Strings => all(AttributeKind::String),
        _ => false,
    }
}

fn kind_example(kind: AttributeKind) -> &'static str {
    match kind {
        AttributeKind::Int => "a whole number of 64 bits: `0`",
        AttributeKind::Float => "a number: `0.5`",
        AttributeKind::String => "a text: `\"NOTSET\"`",
        AttributeKind::Ints => "a list of whole numbers: `[1, 1]`",
        AttributeKind::Floats => "a list of numbers: `[0.5, 1.0]`",
        AttributeKind::Strings => "a list of texts: `[\"a\", \"b\"]`",
        _ => "no value: attributes of this kind have none in a descriptor",
    }
}

/// The value with whole numbers made floats where the kind is one of floats, so that a kind has one form of value.
pub(crate) fn widened(kind: AttributeKind, value: &Literal) -> Literal {
    match (kind, value) {
        #[expect(clippy::cast_precision_loss, reason = "a FLOAT attribute has 32 bits; the loss is its own")]
        (AttributeKind::Float | AttributeKind::Floats, Literal::Int(value)) => Literal::Float(*value as f64),
        (AttributeKind::Floats, Literal::List(list)) => {
            Literal::List(list.iter().map(|value| widened(AttributeKind::Float, value)).collect())
        }
        _ => value.clone(),
    }
}

/// The rules that need a whole version.
pub(crate) fn version(version: &Version, delta: &Spanned<VersionDelta>, domain: &str, context: &mut Context<'_>) {
    for (index, constraint) in version.types.iter().enumerate() {
        let used = version.inputs.iter().chain(&version.outputs).any(|parameter| match parameter.ty {
            ParameterType::Variable(variable) => variable == index,
            ParameterType::Fixed(_) => false,
        });
        if !used && !context.left_out.contains(&constraint.name) {
            let own = delta.types.iter().find(|entry| entry.name.value == constraint.name);
            let at = own.map_or(delta.at, |entry| entry.name.at);
            let message = format!("no input or output has the type variable `{}`", constraint.name);
            context.mistake_help(at, "unused-type-variable", message, "remove it, or use it");
        }
    }
    if version.types.len() > MOST_TYPE_VARIABLES {
        let message =
            format!("a version has at most {MOST_TYPE_VARIABLES} type variables, this one {}", version.types.len());
        context.mistake(delta.at, "too-many", message);
    }
    for (list, entries, what) in
        [(&version.inputs, &delta.inputs, "input"), (&version.outputs, &delta.outputs, "output")]
    {
        for (index, parameter) in list.iter().enumerate() {
            let own = entries.iter().find(|entry| entry.name.value == parameter.name);
            let at = own.map_or(delta.at, |entry| entry.at);
            let last = index + 1 == list.len();
            if parameter.option == ParameterOption::Variadic && !last {
                let message = format!("the variadic {what} `{}` is not the last one", parameter.name);
                context.mistake_help(at, "variadic-not-last", message, "what follows could not be told from it");
            }
        }
    }
    // The variables of what was taken over may be gone; what this version wrote itself was told at its place.
    for parameter in version.inputs.iter().chain(&version.outputs) {
        let own = delta.inputs.iter().chain(&delta.outputs).any(|entry| entry.name.value == parameter.name);
        if let ParameterType::Variable(variable) = parameter.ty
            && variable >= version.types.len()
            && !own
        {
            let message = format!("`{}` is left without its type variable", parameter.name);
            context.mistake_help(
                delta.at,
                "unknown-type-variable",
                message,
                "give it a new type, or keep the variable",
            );
        }
    }
    if delta.sources.is_empty() && context.tables.newest_opset(domain).is_some() && delta.since.value > 0 {
        let message = format!("version {} names no document that its facts were read from", version.since);
        context.mistake_help(delta.since.at, "missing-field", message, "add `sources: [...]`");
    }
}

pub(crate) fn errata(document: &Document, context: &mut Context<'_>) {
    for erratum in &document.errata {
        references(&erratum.sources, document, context);
        sentence(&erratum.ruling, "ruling", context);
        for version in &erratum.versions {
            if !document.versions.value.iter().any(|delta| delta.since.value == version.value) {
                context.mistake(version.at, "unknown-version", format!("there is no version {}", version.value));
            }
        }
        let known: Vec<&str> = document
            .versions
            .value
            .iter()
            .flat_map(|delta| &delta.examples)
            .map(|example| &*example.name.value)
            .collect();
        for name in &erratum.examples {
            if !known.contains(&name.as_str()) {
                let message = format!("there is no example `{}`", name.value);
                context.unknown(name, "unknown-example", message, known.iter().copied());
            }
        }
    }
}

/// Reads an example by itself; `None`, and a mistake, where it makes no sense in any version.
pub(crate) fn example(
    entry: &Spanned<ExampleEntry>,
    line: usize,
    since: u32,
    until: Option<u32>,
    context: &mut Context<'_>,
) -> Option<Example> {
    let ExampleEntry { name, source, inputs, attributes, outputs, error } = &entry.value;
    identifier(name, "an example", context);
    let before = context.mistakes.len();
    let inputs: Vec<Option<Tensor>> = inputs.iter().map(|input| tensor(input, context)).collect();
    let expect = match (outputs, error) {
        (Some(outputs), None) => {
            let outputs: Vec<Option<Tensor>> = outputs.value.iter().map(|output| tensor(output, context)).collect();
            Expectation::Outputs(outputs.into_iter().flatten().collect())
        }
        (None, Some(error)) => {
            if !context.tables.codes.iter().any(|code| code.code == error.value) {
                let known: Vec<&str> = context.tables.codes.iter().map(|code| &*code.code).collect();
                context.unknown(error, "unknown-code", format!("there is no code `{}`", error.value), known);
            }
            Expectation::Error(error.value.clone())
        }
        (given, _) => {
            let what = if given.is_some() { "both `outputs` and" } else { "neither `outputs` nor" };
            let message = format!("the example `{}` has {what} `error`", name.value);
            context.mistake_help(name.at, "example-expectation", message, "say what comes out, or which error");
            return None;
        }
    };
    if context.mistakes.len() > before {
        return None;
    }
    Some(Example {
        name: name.value.clone(),
        line,
        source: source.as_ref().map(|source| source.value.clone()),
        since,
        until,
        inputs: inputs.into_iter().flatten().collect(),
        attributes: attributes
            .iter()
            .map(|given| (given.name.value.clone(), given.value.value.value.clone()))
            .collect(),
        expect,
    })
}

fn tensor(entry: &Spanned<TensorEntry>, context: &mut Context<'_>) -> Option<Tensor> {
    let TensorEntry { ty, dims, values } = &entry.value;
    let Some(element) = context.tables.element(ty).cloned() else {
        let message = format!("there is no element type `{}`", ty.value);
        let tables = context.tables;
        context.unknown(ty, "unknown-type", message, tables.elements.iter().map(|element| &*element.name));
        return None;
    };
    let dims = match (dims, values) {
        (Some(dims), _) => dims.value.clone(),
        (None, Some(values)) => vec![values.value.len() as u64],
        (None, None) => {
            context.mistake_help(
                entry.at,
                "example-tensor",
                "a tensor has `dims`, `values`, or both".to_owned(),
                "`dims: []` is a scalar",
            );
            return None;
        }
    };
    if let Some(values) = values {
        let count = dims.iter().try_fold(1_u64, |count, &dim| count.checked_mul(dim));
        if count != Some(values.value.len() as u64) {
            let count = count.map_or("more than 2^64".to_owned(), |count| count.to_string());
            let message = format!("dims {dims:?} hold {count} elements, and {} stand here", values.value.len());
            context.mistake(values.at, "example-tensor", message);
        }
        for value in &values.value {
            if !fits_element(&element, value) {
                let message = format!("`{}` is not an element of a {} tensor", value.value, element.name);
                context.mistake(value.at, "example-tensor", message);
            }
        }
    }
    let values = values.as_ref().map(|values| values.value.iter().map(|value| value.value.clone()).collect());
    Some(Tensor { element, dims, values })
}

fn fits_element(element: &Element, value: &Literal) -> bool {
    let bits = u32::from(element.bits.unwrap_or(64));
    let name = &*element.name;
    match value {
        Literal::Text(_) => name == "string",
        Literal::Bool(_) => name == "bool",
        Literal::Float(_) => name.contains("float") || name == "double",
        Literal::Int(value) if name.starts_with("uint") => {
            u64::try_from(*value).is_ok_and(|value| bits >= 64 || value >> bits == 0)
        }
        Literal::Int(value) if name.starts_with("int") => {
            let high = value >> (bits.min(64) - 1);
            high == 0 || high == -1
        }
        Literal::Int(value) if name == "bool" => (0..=1).contains(value),
        Literal::Int(_) => name.contains("float") || name == "double",
        Literal::Unsigned(_) => name == "uint64" || name.contains("float") || name == "double",
        Literal::List(pair) => {
            name.starts_with("complex")
                && pair.len() == 2
                && pair.iter().all(|part| matches!(part, Literal::Int(_) | Literal::Float(_)))
        }
    }
}

/// A reason for which a version would refuse an example: the code of the finding, where, and in words.
struct Refusal {
    code: &'static str,
    at: usize,
    message: String,
}

/// The codes that are decided here; every other one is the kernel's to give, when the example is run.
const DECIDED: [&str; 7] = [
    "attribute-unknown",
    "attribute-type",
    "attribute-missing",
    "attribute-value",
    "input-count",
    "type-not-allowed",
    "type-mismatch",
];

/// The example against every version that it holds for: accepted where outputs are expected, refused for the expected
/// reason where an error is.
pub(crate) fn example_fits<'v>(
    entry: &Spanned<ExampleEntry>,
    example: &Example,
    versions: impl Iterator<Item = &'v Version>,
    context: &mut Context<'_>,
) {
    for version in versions {
        let since = version.since;
        let refusals = refusals(entry, example, version, &context.left_out);
        let expected = match &example.expect {
            Expectation::Error(code) if DECIDED.contains(&&**code) => Some(&**code),
            _ => None,
        };
        if let Some(code) = expected {
            if !refusals.iter().any(|refusal| refusal.code == code) {
                let at = entry.error.as_ref().map_or(entry.at, |error| error.at);
                let message = format!("version {since} does not refuse the example with {code}");
                let help = format!("end it there with `remove: {{ examples: [{}] }}`", example.name);
                context.mistake_help(at, "example-not-refused", message, help);
                return;
            }
        } else if !refusals.is_empty() {
            for refusal in refusals {
                let message = format!("version {since} refuses the example with {}: {}", refusal.code, refusal.message);
                context.mistake(refusal.at, "example-refused", message);
            }
            // The versions after this one would only repeat it.
            return;
        }
    }
}

fn refusals(
    entry: &Spanned<ExampleEntry>,
    example: &Example,
    version: &Version,
    left_out: &HashSet<String>,
) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let mut refuse = |code, at, message| refusals.push(Refusal { code, at, message });
    for given in &entry.attributes {
        let ArgumentEntry { name, value } = &given.value;
        match version.attributes.iter().find(|attribute| attribute.name == name.value) {
            None if left_out.contains(&name.value) => {}
            None => refuse("attribute-unknown", name.at, format!("it has no attribute `{}`", name.value)),
            Some(attribute) if !matches_kind(attribute.kind, &value.value) => {
                refuse(
                    "attribute-type",
                    value.at,
                    format!("`{}` is of the kind {}", name.value, attribute.kind.name()),
                );
            }
            Some(attribute) if !attribute.values.is_empty() && !attribute.values.contains(&value.value) => {
                refuse(
                    "attribute-value",
                    value.at,
                    format!("`{}` is one of {}", name.value, listed(&attribute.values)),
                );
            }
            Some(_) => {}
        }
    }
    for attribute in version.attributes.iter().filter(|attribute| attribute.required) {
        if !example.attributes.iter().any(|(name, _)| *name == attribute.name) {
            refuse("attribute-missing", entry.at, format!("the attribute `{}` is required", attribute.name));
        }
    }
    let mut bound: Vec<Option<&Element>> = vec![None; version.types.len()];
    let outputs = match &example.expect {
        Expectation::Outputs(outputs) => Some(outputs),
        Expectation::Error(_) => None,
    };
    let sides = [(&version.inputs, Some(&example.inputs), "input"), (&version.outputs, outputs, "output")];
    for (formal, given, what) in sides {
        let Some(given) = given else { continue };
        let (least, most) = arity(formal);
        if given.len() < least || most.is_some_and(|most| given.len() > most) {
            let most = most.map_or_else(|| "any number".to_owned(), |most| most.to_string());
            let code = if what == "input" { "input-count" } else { "output-count" };
            refuse(code, entry.at, format!("it has {least} to {most} {what}s, {} are given", given.len()));
        }
        let places: &[Spanned<TensorEntry>] = match what {
            "input" => &entry.inputs,
            _ => entry.outputs.as_ref().map_or(&[], |outputs| &outputs.value),
        };
        for (index, (tensor, place)) in given.iter().zip(places).enumerate() {
            let Some(parameter) = formal.get(index).or(formal.last()) else { continue };
            let ty = Type::Tensor(tensor.element.clone());
            match &parameter.ty {
                ParameterType::Fixed(fixed) if *fixed != ty => {
                    refuse("type-not-allowed", place.ty.at, format!("{what} `{}` is {fixed}", parameter.name));
                }
                ParameterType::Fixed(_) => {}
                ParameterType::Variable(variable) => {
                    let Some(constraint) = version.types.get(*variable) else { continue };
                    if !constraint.allow.contains(&ty) {
                        let message =
                            format!("`{}` is not among the types of {}", tensor.element.name, constraint.name);
                        refuse("type-not-allowed", place.ty.at, message);
                    } else if let Some(slot) = bound.get_mut(*variable).filter(|_| parameter.homogeneous) {
                        match slot {
                            Some(first) if **first != tensor.element => {
                                let message = format!("{} is {} already", constraint.name(), first.name);
                                refuse("type-mismatch", place.ty.at, message);
                            }
                            _ => *slot = Some(&tensor.element),
                        }
                    }
                }
            }
        }
    }
    refusals
}

/// As [`fits_kind`], without the courtesy to floats: a node's attribute has the kind that it is written with.
fn matches_kind(kind: AttributeKind, value: &Literal) -> bool {
    match kind {
        AttributeKind::Float => matches!(value, Literal::Float(_)),
        AttributeKind::Floats => {
            matches!(value, Literal::List(list) if list.iter().all(|value| matches!(value, Literal::Float(_))))
        }
        _ => fits_kind(kind, value),
    }
}

/// The least and the most number of values that formal parameters take; `None` for no bound.
#[must_use]
pub fn arity(parameters: &[Parameter]) -> (usize, Option<usize>) {
    let least = parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| match parameter.option {
            ParameterOption::Single => index + 1,
            ParameterOption::Optional => 0,
            ParameterOption::Variadic if parameter.min_arity == 0 => 0,
            ParameterOption::Variadic => index + parameter.min_arity as usize,
        })
        .max()
        .unwrap_or(0);
    let variadic = parameters.last().is_some_and(|last| last.option == ParameterOption::Variadic);
    (least, (!variadic).then_some(parameters.len()))
}
