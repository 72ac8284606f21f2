//! An operator as a page to read.

use std::collections::HashSet;
use std::fmt::{Display, Write as _};
use std::io::{self, Write};

use shape_specs::document::ParameterOption;
use shape_specs::operator::{Attribute, Example, Expectation, Parameter, Tensor, TypeConstraint, Version};
use shape_specs::tables::Type;

use super::Shown;
use super::report::{support_level, type_text};
use crate::render::{FAINT, STRONG, hanging, number};

pub(super) fn write(out: &mut impl Write, shown: &Shown<'_>) -> io::Result<()> {
    let operator = shown.operator;
    writeln!(out, "{STRONG}{}{STRONG:#} ({})", operator.name, operator.domain)?;
    hanging(out, "", shown.summary())?;
    match shown.opset {
        Some(opset) => {
            let since = shown.versions.first().map_or(0, |version| version.since);
            writeln!(out, "\nAt opset {opset} that is {}-{since}.", operator.name)?;
        }
        None => {
            let versions = list(shown.versions.iter().map(|version| version.since));
            let count = number(shown.versions.len(), "version");
            hanging(
                out,
                "\n",
                &format!("{count}, newest first: {versions}. What a word means is told where it is new."),
            )?;
        }
    }
    // What the page said already, so that it is said once.
    let mut said = HashSet::new();
    for version in &shown.versions {
        write_version(out, shown, version, &mut said)?;
    }
    write_examples(out, shown)?;
    for (index, ruling) in shown.errata().enumerate() {
        let what = if index == 0 { "\nRulings\n" } else { "" };
        write!(out, "{STRONG}{what}{STRONG:#}")?;
        let (versions, sources) = (list(&ruling.versions), list(&ruling.sources));
        hanging(out, "  - ", &format!("On {} {versions} ({sources}): {}", operator.name, ruling.says))?;
        hanging(out, "    Ruling: ", &ruling.ruling)?;
        if !ruling.examples.is_empty() {
            hanging(out, "    Shown by: ", &list(&ruling.examples))?;
        }
    }
    for (index, (id, title)) in operator.sources.iter().enumerate() {
        let what = if index == 0 { "\nSources\n" } else { "" };
        write!(out, "{STRONG}{what}{STRONG:#}")?;
        let width = operator.sources.iter().map(|(id, _)| id.len()).max().unwrap_or_default();
        hanging(out, &format!("  {id:width$}  "), title)?;
    }
    Ok(())
}

type Said<'s> = HashSet<(&'static str, &'s str, &'s str)>;

fn write_version<'s>(
    out: &mut impl Write,
    shown: &Shown<'s>,
    version: &'s Version,
    said: &mut Said<'s>,
) -> io::Result<()> {
    let name = &shown.operator.name;
    let release = shown.tables.releases.iter().find(|release| release.opset >= version.since);
    let release = release.filter(|_| shown.operator.domain == "ai.onnx");
    let release = release.map(|release| format!(", ONNX {}", release.release)).unwrap_or_default();
    writeln!(out, "\n{STRONG}{name}-{}{STRONG:#} {FAINT}(opset {0}{release}){FAINT:#}", version.since)?;
    let facts = [
        version.deprecated.then_some("deprecated"),
        Some(support_level(version.support_level)),
        Some(if version.function { "a function of other operators" } else { "not a function" }),
        Some(if version.shape_inference { "shape inference upstream" } else { "no shape inference upstream" }),
    ];
    let facts: Vec<&str> = facts.into_iter().flatten().collect();
    hanging(out, "  ", &format!("{}; read from {}", facts.join(", "), list(&version.sources)))?;

    let mut rows: Vec<(&'static str, &'s str, String, &'s str)> = Vec::new();
    for attribute in &version.attributes {
        rows.push(("attribute", &attribute.name, describe_attribute(attribute), &attribute.doc));
    }
    for (what, parameters) in [("input", &version.inputs), ("output", &version.outputs)] {
        for parameter in parameters {
            rows.push((what, &parameter.name, describe_parameter(parameter, version), &parameter.doc));
        }
    }
    let older = shown.operator.versions.iter().rfind(|older| older.since < version.since);
    for constraint in &version.types {
        let older = older.filter(|_| shown.opset.is_none()).and_then(|older| {
            let same = older.types.iter().find(|older| older.name == constraint.name)?;
            Some((format!("{name}-{}", older.since), same))
        });
        rows.push(("type", &constraint.name, describe_types(constraint, older), &constraint.doc));
    }
    let width = rows.iter().map(|(_, name, ..)| name.chars().count()).max().unwrap_or_default();
    for (what, name, facts, doc) in rows {
        let new = !doc.is_empty() && said.insert((what, name, doc));
        let text = if new { format!("{facts}. {doc}") } else { facts };
        hanging(out, &format!("  {what:9}  {name:width$}  "), &text)?;
    }
    Ok(())
}

fn describe_attribute(attribute: &Attribute) -> String {
    let presence = match &attribute.default {
        Some(default) => format!("default {default}"),
        None if attribute.required => "required".to_owned(),
        None => "optional".to_owned(),
    };
    let values =
        if attribute.values.is_empty() { String::new() } else { format!(", one of {}", list(&attribute.values)) };
    let legacy = if attribute.legacy { ", without meaning" } else { "" };
    format!("{}, {presence}{values}{legacy}", attribute.kind.name())
}

fn describe_parameter(parameter: &Parameter, version: &Version) -> String {
    let ty = type_text(&parameter.ty, version);
    let option = match parameter.option {
        ParameterOption::Single => String::new(),
        ParameterOption::Optional => ", optional".to_owned(),
        ParameterOption::Variadic => {
            let types = if parameter.homogeneous { "" } else { ", of any of the types each" };
            format!(", {} or more{types}", parameter.min_arity)
        }
    };
    format!("{ty}{option}")
}

/// The types of a variable: their number and their group, and what the version before did not allow. Without a version
/// before, all of them.
fn describe_types(constraint: &TypeConstraint, older: Option<(String, &TypeConstraint)>) -> String {
    let allow = &constraint.allow;
    if let [only] = &**allow {
        return only.to_string();
    }
    let group = constraint.group.as_ref().map(|group| format!(" ({group})")).unwrap_or_default();
    let count = number(allow.len(), "type");
    let types = match older {
        None => list(allow.iter().map(word)),
        Some((version, older)) => {
            let without =
                |types: &[Type], others: &[Type]| list(types.iter().filter(|ty| !others.contains(ty)).map(word));
            let (added, removed) = (without(allow, &older.allow), without(&older.allow, allow));
            let mut text = format!("those of {version}");
            let _ = match (&*added, &*removed) {
                ("", "") => Ok(()),
                (added, "") => write!(text, " and {added}"),
                ("", removed) => write!(text, " without {removed}"),
                (added, removed) => write!(text, " without {removed}, and {added}"),
            };
            text
        }
    };
    format!("{count}{group}: {types}")
}

/// A type as a descriptor has it: `float` for a tensor of it.
fn word(ty: &Type) -> String {
    match ty {
        Type::Tensor(element) => element.name.clone(),
        other => other.to_string(),
    }
}

fn write_examples(out: &mut impl Write, shown: &Shown<'_>) -> io::Result<()> {
    let examples: Vec<&Example> = shown.examples().collect();
    if examples.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{STRONG}Examples{STRONG:#}")?;
    let span = |example: &Example| match example.until {
        // Which versions it holds for is said already: it is the one that is shown.
        _ if shown.opset.is_some() => String::new(),
        None => format!("{}-", example.since),
        Some(until) => format!("{}-{}", example.since, until.saturating_sub(1)),
    };
    let names = examples.iter().map(|example| example.name.chars().count()).max().unwrap_or_default();
    let spans = examples.iter().map(|example| span(example).len()).max().unwrap_or_default();
    for example in examples {
        let span = if spans > 0 { format!("{:spans$}  ", span(example)) } else { String::new() };
        let inputs = list(example.inputs.iter().map(tensor));
        let attributes: String = example.attributes.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        let expect = match &example.expect {
            Expectation::Outputs(outputs) => list(outputs.iter().map(tensor)),
            Expectation::Error(code) => format!("error {code}"),
        };
        hanging(out, &format!("  {:names$}  {span}", example.name), &format!("{inputs}{attributes} => {expect}"))?;
    }
    Ok(())
}

/// `float[2, 3]`, and the elements where they are told: `int64[2] {2, 3}`.
fn tensor(tensor: &Tensor) -> String {
    const MOST: usize = 12;
    let mut text = format!("{}[{}]", tensor.element.name, list(&tensor.dims));
    if let Some(values) = &tensor.values {
        let more = if values.len() > MOST { ", ..." } else { "" };
        let _ = write!(text, " {{{}{more}}}", list(values.iter().take(MOST)));
    }
    text
}

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
