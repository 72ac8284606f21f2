//! Reads the examples of a descriptor.
//!
//! Checks that names and types exist, and that dimensions and elements can be parsed. Whether the result of an example
//! is right depends on the schema and the rules of each version: the runner of onnxspec-core checks that, for `shape
//! specs lint` and for the tests of generated operators.

use std::collections::HashMap;

use shape_yaml::NodeId;

use crate::context::Context;
use crate::de::Spanned;
use crate::document::{ArgumentEntry, DimsEntry, Document, ExampleEntry, GraphEntry, Literal, TensorEntry};
use crate::error::{Code, DocumentError};
use crate::lower;
use crate::operator::{Argument, Entry, Example, Expectation, Graph, Tensor, Version};
use crate::tables::{Element, ReleaseNumber, Type};
use crate::validate;

/// The examples of a document, in the order of the file.
pub(crate) fn examples(document: &Document, versions: &[Version], context: &mut Context<'_>) -> Vec<Example> {
    let mut names: HashMap<&str, ()> = HashMap::new();
    let mut examples = Vec::new();
    for entry in &document.examples {
        validate::references(entry.source.as_slice(), document, context);
        validate::identifier(&entry.name, "an example", context);
        if names.insert(&entry.name.value, ()).is_some() {
            let message = format!("there is an example `{}` already", entry.name.value);
            context.error(entry.name.at, Code::DuplicateName, message);
        }
        examples.extend(example(entry, document, versions, context));
    }
    examples
}

fn example(
    entry: &Spanned<ExampleEntry>,
    document: &Document,
    versions: &[Version],
    context: &mut Context<'_>,
) -> Option<Example> {
    let ExampleEntry { name, since, until, release, source, inputs, attributes, outputs, error } = &entry.value;
    // A version that could not be read may be the one that is meant.
    let all_read = !versions.is_empty() && !context.left_out.entry_of(document.versions.at);
    let first = versions.first().filter(|_| all_read).map_or(0, |version| version.since);
    for (at, what) in [(since, "begins"), (until, "ends")] {
        let Some(at) = at else { continue };
        if all_read && !versions.iter().any(|version| version.since == at.value) {
            let known: Vec<String> = versions.iter().map(|version| version.since.to_string()).collect();
            let message = format!("the example {what} with version {}, which there is not", at.value);
            context.error_help(at.at, Code::UnknownVersion, message, format!("versions: {}", known.join(", ")));
        }
    }
    let since = since.as_ref().map_or(first, |since| since.value);
    if let Some(until) = until.as_ref().filter(|until| until.value <= since) {
        let message =
            format!("the example holds for no version: it begins with {since} and ends before {}", until.value);
        context.error(until.at, Code::VersionOrder, message);
    }
    let known: Vec<ReleaseNumber> =
        versions.iter().flat_map(Version::by_release).filter_map(|version| version.release).collect();
    let number = release.as_ref().and_then(|release| release.parse().ok().filter(|number| known.contains(number)));
    if let Some(release) = release.as_ref().filter(|_| all_read && number.is_none()) {
        let message = format!("the example begins with release {}, which changes no version", release.value);
        let known: Vec<String> = known.iter().map(ToString::to_string).collect();
        let help = if known.is_empty() { "drop the field".to_owned() } else { format!("one of: {}", known.join(", ")) };
        context.error_help(release.at, Code::UnknownRelease, message, help);
    }
    let inputs = inputs.iter().map(|input| input.as_ref().map(|input| tensor(input, Role::Input, context))).collect();
    let attributes: Vec<Option<(String, Argument)>> =
        attributes.iter().map(|given| Some((given.name.value.clone(), argument(given, context)?))).collect();
    let expect = match (outputs, error) {
        (Some(outputs), None) => {
            let outputs =
                outputs.value.iter().map(|output| output.as_ref().map(|output| tensor(output, Role::Output, context)));
            Expectation::Outputs(outputs.collect())
        }
        (None, Some(error)) => {
            if !context.tables.codes.iter().any(|code| code.code == error.value) {
                let known: Vec<&str> = context.tables.codes.iter().map(|code| &*code.code).collect();
                context.unknown(error, Code::UnknownFinding, format!("there is no code `{}`", error.value), known);
                return None;
            }
            Expectation::Error(error.value.clone())
        }
        (given, _) => {
            if !["outputs", "error"].iter().any(|field| context.left_out.field(entry.at, field)) {
                let what = if given.is_some() { "both `outputs` and" } else { "neither `outputs` nor" };
                let message = format!("the example `{}` has {what} `error`", name.value);
                context.error_help(name.at, Code::ExampleExpectation, message, "say what comes out, or which error");
            }
            return None;
        }
    };
    Some(Example {
        name: name.value.clone(),
        position: context.position(name.at),
        source: source.as_ref().map(|source| source.value.clone()),
        since,
        until: until.as_ref().map(|until| until.value),
        release: number,
        inputs,
        attributes: attributes.into_iter().collect::<Option<_>>()?,
        expect,
    })
}

/// The value of an attribute, in any of its forms.
fn argument(entry: &Spanned<ArgumentEntry>, context: &mut Context<'_>) -> Option<Argument> {
    let ArgumentEntry { name, value, tensor: of, graph, ty } = &entry.value;
    let given = [value.is_some(), of.is_some(), graph.is_some(), ty.is_some()];
    if given.iter().filter(|given| **given).count() != 1 {
        if !context.left_out.within(entry.at) {
            let message = format!("the attribute `{}` has not one value", name.value);
            let help = "give one of `value`, `tensor`, `graph` and `type`";
            context.error_help(entry.at, Code::ExampleExpectation, message, help);
        }
        return None;
    }
    if let Some(value) = value {
        if lower::kind_of(value).is_none() {
            let message = format!("no attribute has the value {}", value.value);
            let help = "write a whole number of 64 bits, a number, a text, or a list of one of them";
            context.error_help(value.at, Code::ExampleExpectation, message, help);
            return None;
        }
        return Some(Argument::Value(value.value.clone()));
    }
    if let Some(of) = of {
        let tensor = tensor(of, Role::Attribute, context);
        if tensor.values.is_none() && !context.left_out.within(of.at) {
            let message = "the tensor of an attribute has elements".to_owned();
            context.error_help(of.at, Code::ExampleTensor, message, "list them in `values`");
        }
        return Some(Argument::Tensor(tensor));
    }
    if let Some(graph) = graph {
        let GraphEntry { inputs, outputs } = &graph.value;
        let mut list =
            |list: &[Spanned<TensorEntry>]| list.iter().map(|of| tensor(of, Role::Output, context)).collect();
        return Some(Argument::Graph(Graph { inputs: list(inputs), outputs: list(outputs) }));
    }
    let ty = ty.as_ref()?;
    self::ty(ty, context).map(Argument::Type)
}

/// A type in the syntax of descriptors: `float` for a tensor of it, or `seq(tensor(float))`.
fn ty(text: &Spanned<String>, context: &mut Context<'_>) -> Option<Type> {
    if text.contains('(') {
        let parsed = context.tables.parse_type(text);
        return parsed
            .map_err(|(message, help)| {
                context.errors.push(DocumentError::new(text.at, Code::UnknownType, message).maybe_help(help));
            })
            .ok();
    }
    let Some(element) = context.tables.element(text) else {
        let message = format!("there is no element type `{}`", text.value);
        let tables = context.tables;
        context.unknown(text, Code::UnknownType, message, tables.elements.iter().map(|element| &*element.name));
        return None;
    };
    Some(Type::Tensor(element.clone()))
}

/// The role of a tensor in an example.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Input,
    Attribute,
    Output,
}

/// A tensor, or another value; the default type is int64.
fn tensor(entry: &Spanned<TensorEntry>, role: Role, context: &mut Context<'_>) -> Tensor {
    let TensorEntry { ty: text, dims, values, unchecked } = &entry.value;
    let int64 = || context.tables.element("int64").cloned().map(Type::Tensor);
    let ty = match text {
        Some(text) => ty(text, context),
        None => int64(),
    };
    let position = context.position_of_mapping(entry.at);
    let counted = !context.left_out.within(entry.at);
    let element = match &ty {
        Some(Type::Tensor(element)) => Some(element.clone()),
        _ => None,
    };
    let is_tensor = matches!(&ty, Some(Type::Tensor(_))) || ty.is_none();
    let listed = |values: &Spanned<Vec<Spanned<Literal>>>, context: &mut Context<'_>| -> Vec<Entry> {
        let of = |value: &Spanned<Literal>| {
            if let Some(element) = element.as_ref().filter(|element| !fits_element(element, value, role)) {
                let message = format!("{} cannot be an element of type {}", value.value, element.name);
                context.error_help(value.at, Code::ExampleTensor, message, element_example(element));
            }
            Entry { text: text_of(value), position: context.position(value.at) }
        };
        values.value.iter().map(of).collect()
    };
    let values_of = values.as_ref().map(|values| listed(values, context));
    let mut all_dims = true;
    let dims_of = match dims.as_ref().map(|dims| (&dims.value, dims.at)) {
        None => None,
        Some((DimsEntry::Unknown, _)) => Some(None),
        Some((DimsEntry::Listed(list), _)) => {
            let entry = |dim: &Spanned<Literal>| Entry { text: text_of(dim), position: context.position(dim.at) };
            let entries = list.iter().map(entry).collect::<Vec<_>>();
            for dim in list {
                if !matches!(&dim.value, Literal::Text(_)) && !matches!(dim.value, Literal::Int(0..)) {
                    all_dims = false;
                    let message = format!("{} is no dimension", dim.value);
                    let help = "write a size, a symbol such as `N`, an expression such as `\"H//2\"`, or `\"?\"`";
                    context.error_help(dim.at, Code::ExampleTensor, message, help);
                }
            }
            Some(Some(entries))
        }
    };
    let dims = match (dims_of, &values_of) {
        (Some(dims), _) => dims,
        (None, Some(values)) => {
            let position = values.first().map_or(position, |first| first.position);
            Some(vec![Entry { text: values.len().to_string(), position }])
        }
        (None, None) => {
            if counted && is_tensor && (role != Role::Output || unchecked.is_none()) {
                let message = "this tensor has neither `dims` nor `values`".to_owned();
                let help = "give one or both; `dims: []` is a scalar, `dims: \"?\"` is of unknown rank";
                context.error_help(entry.at, Code::ExampleTensor, message, help);
            }
            None
        }
    };
    if let (Some(values), Some(dims), true) = (&values_of, &dims, counted && all_dims) {
        let sizes: Option<Vec<u64>> = dims.iter().map(|dim| dim.text.parse().ok()).collect();
        let count = sizes.as_ref().map(|sizes| sizes.iter().try_fold(1_u64, |count, size| count.checked_mul(*size)));
        if count != Some(Some(values.len() as u64)) {
            let texts: Vec<&str> = dims.iter().map(|dim| &*dim.text).collect();
            let count = match count {
                Some(Some(count)) => count.to_string(),
                Some(None) => "more than 2^64".to_owned(),
                None => "no known number of".to_owned(),
            };
            let message = format!("dims [{}] hold {count} elements, here stand {}", texts.join(", "), values.len());
            let at = values_at(entry);
            context.error(at, Code::ExampleTensor, message);
        }
    }
    if let Some(why) = unchecked {
        if role != Role::Output {
            let message = "inputs and attributes are not checked".to_owned();
            context.error_help(why.at, Code::ExampleExpectation, message, "`unchecked` stands at outputs");
        }
        validate::sentence(why, "reason", context);
    }
    let unchecked = unchecked.as_ref().map(|why| why.value.clone());
    // A type that was reported as unknown is replaced by any tensor type.
    let ty = ty.or_else(|| context.tables.elements.first().cloned().map(Type::Tensor));
    Tensor { ty: ty.unwrap_or_else(nothing), position, dims, values: values_of, unchecked }
}

/// A placeholder for a missing type; the table of element types is never empty.
fn nothing() -> Type {
    Type::Tensor(Element { number: 0, name: String::new(), bits: None, since: 0 })
}

fn values_at(entry: &Spanned<TensorEntry>) -> NodeId {
    entry.values.as_ref().map_or(entry.at, |values| values.at)
}

/// The text of a dimension or an element, for the runner.
fn text_of(literal: &Literal) -> String {
    match literal {
        Literal::Text(text) => text.clone(),
        Literal::List(pair) => pair.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

fn fits_element(element: &Element, value: &Literal, role: Role) -> bool {
    let bits = u32::from(element.bits.unwrap_or(64));
    let name = &*element.name;
    match value {
        // The elements of an attribute are part of the model.
        Literal::Text(_) if role == Role::Attribute => name == "string",
        // An unknown element may have any type.
        Literal::Text(text) if text == "?" => true,
        // An expression, such as `N + 1`, is an integer, and may also occur among floats.
        Literal::Text(text) if ["float", "double", "float16", "bfloat16"].contains(&name) => {
            text.parse::<f64>().is_err()
        }
        Literal::Text(_) => name == "string" || name.starts_with("int") || name.starts_with("uint"),
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

/// An example of an element, for the help of messages.
fn element_example(element: &Element) -> String {
    let name = &*element.name;
    let bits = u32::from(element.bits.unwrap_or_default()).clamp(1, 64);
    if name.starts_with("uint") {
        format!("write a whole number from 0 to {}", u64::MAX >> (64 - bits))
    } else if name.starts_with("int") {
        format!("write a whole number from {} to {}", i64::MIN >> (64 - bits), i64::MAX >> (64 - bits))
    } else if name == "string" {
        "write a text: `\"a\"`".to_owned()
    } else if name == "bool" {
        "write `true` or `false`".to_owned()
    } else if name.starts_with("complex") {
        "write the real and the imaginary part: `[1.0, -0.5]`".to_owned()
    } else {
        "write a number: `0.5`".to_owned()
    }
}
