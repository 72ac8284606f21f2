//! An operator as text.

use std::collections::HashSet;
use std::io::{self, Write};

use shape_specs::operator::{Example, Expectation, Requirement, TypeConstraint};
use shape_specs::tables::Type;

use super::example::{argument, list, optional};
use super::{Entry, Shown};
use crate::render::{FAINT, STRONG, hanging, number};

/// How many elements of a tensor are printed.
const MAX_ITEMS: usize = 12;

pub(super) fn write(out: &mut impl Write, shown: &Shown<'_>) -> io::Result<()> {
    let operator = shown.operator;
    writeln!(out, "{STRONG}{}{STRONG:#} ({})", operator.name, operator.domain)?;
    hanging(out, "", shown.summary())?;
    details(out, shown.details())?;
    match shown.opset {
        Some(opset) => {
            let since = shown.versions.first().map_or(0, |entry| entry.version.since);
            writeln!(out, "\nAt opset {opset} that is {}-{since}.", operator.name)?;
        }
        None => {
            let versions = list(shown.versions.iter().map(|entry| entry.version.since));
            let count = number(shown.versions.len(), "version");
            hanging(
                out,
                "\n",
                &format!("{count}, newest first: {versions}. Each name is explained where it first appears."),
            )?;
        }
    }
    // Texts that are already on the page, to print each one only once.
    let mut printed = HashSet::new();
    for entry in &shown.versions {
        write_version(out, shown, entry, &mut printed)?;
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

/// Writes the details of an operator, with the line breaks of the descriptor.
fn details(out: &mut impl Write, text: &str) -> io::Result<()> {
    for (index, line) in text.lines().enumerate() {
        let before = if index == 0 { "\n" } else { "" };
        writeln!(out, "{before}  {line}")?;
    }
    Ok(())
}

/// The texts that are already on the page: kind, name and text.
type Printed<'s> = HashSet<(&'static str, &'s str, &'s str)>;

fn write_version<'s>(
    out: &mut impl Write,
    shown: &Shown<'s>,
    entry: &Entry<'s>,
    printed: &mut Printed<'s>,
) -> io::Result<()> {
    let Entry { version, older, changes, releases } = entry;
    let name = &shown.operator.name;
    let release = shown.tables.releases.iter().find(|release| release.opset >= version.since);
    let release = release.filter(|_| shown.operator.domain == "ai.onnx");
    let release = release.map(|release| format!(", ONNX {}", release.release)).unwrap_or_default();
    writeln!(out, "\n{STRONG}{name}-{}{STRONG:#} {FAINT}(opset {0}{release}){FAINT:#}", version.since)?;
    let facts = [
        version.deprecated.then_some("deprecated"),
        Some(version.support_level.name()),
        Some(if version.function { "a function of other operators" } else { "not a function" }),
        Some(if version.shape_inference { "shape inference in onnx" } else { "no shape inference in onnx" }),
        (!version.deterministic).then_some("not deterministic"),
        version.other_attributes.then_some("takes other attributes too"),
    ];
    let facts: Vec<&str> = facts.into_iter().flatten().collect();
    hanging(out, "  ", &format!("{}; read from {}", facts.join(", "), list(&version.sources)))?;

    for (index, change) in changes.iter().enumerate() {
        let from = older.filter(|_| index == 0).map(|older| format!("from {}", older.since)).unwrap_or_default();
        hanging(out, &format!("  {from:9}  "), &change.to_string())?;
    }
    for (index, release) in releases.iter().enumerate() {
        let what = if index == 0 { "release" } else { "" };
        hanging(out, &format!("  {what:9}  "), &release.to_string())?;
    }

    let mut rows: Vec<(&'static str, &'s str, String, &'s str)> = Vec::new();
    for attribute in &version.attributes {
        rows.push(("attribute", &attribute.name, attribute.facts(), &attribute.doc));
    }
    for (what, parameters) in [("input", &version.inputs), ("output", &version.outputs)] {
        for parameter in parameters {
            rows.push((what, &parameter.name, version.parameter_facts(parameter), &parameter.doc));
        }
    }
    for constraint in &version.types {
        let known = older.is_some_and(|older| older.types.iter().any(|older| older.name == constraint.name));
        rows.push((
            "type",
            &constraint.name,
            describe_types(constraint, !known || shown.opset.is_some()),
            &constraint.doc,
        ));
    }
    for exclusive in &version.exclusive {
        rows.push(("takes", "", exclusive.to_string(), ""));
    }
    for Requirement { text, code, doc, .. } in &version.requires {
        rows.push(("requires", "", format!("{text}, or {code}: {doc}"), ""));
    }
    for rule in &version.rules {
        rows.push(("rule", &rule.output, rule.to_string(), ""));
    }
    let width = rows.iter().map(|(_, name, ..)| name.chars().count()).max().unwrap_or_default();
    for (what, name, facts, doc) in rows {
        let new = !doc.is_empty() && printed.insert((what, name, doc));
        let text = if new { format!("{facts}. {doc}") } else { facts };
        hanging(out, &format!("  {what:9}  {name:width$}  "), &text)?;
    }
    Ok(())
}

/// The types of a variable: their number and their group, and with `in_full` each of them.
fn describe_types(constraint: &TypeConstraint, in_full: bool) -> String {
    let allow = &constraint.allow;
    if let [only] = &**allow {
        return only.to_string();
    }
    let group = constraint.group.as_ref().map(|group| format!(" ({group})")).unwrap_or_default();
    let types = if in_full { format!(": {}", list(allow.iter().map(Type::word))) } else { String::new() };
    format!("{}{group}{types}", number(allow.len(), "type"))
}

fn write_examples(out: &mut impl Write, shown: &Shown<'_>) -> io::Result<()> {
    let examples: Vec<&Example> = shown.examples().collect();
    if examples.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{STRONG}Examples{STRONG:#}")?;
    let span = |example: &Example| match example.until {
        // There is only one version on the page.
        _ if shown.opset.is_some() => String::new(),
        None => format!("{}-", example.since),
        Some(until) => format!("{}-{}", example.since, until.saturating_sub(1)),
    };
    let names = examples.iter().map(|example| example.name.chars().count()).max().unwrap_or_default();
    let spans = examples.iter().map(|example| span(example).len()).max().unwrap_or_default();
    for example in examples {
        let span = if spans > 0 { format!("{:spans$}  ", span(example)) } else { String::new() };
        let inputs = list(example.inputs.iter().map(|value| optional(value, MAX_ITEMS)));
        let attributes: String =
            example.attributes.iter().map(|(name, value)| format!(" {name}={}", argument(value, MAX_ITEMS))).collect();
        let expect = match &example.expect {
            Expectation::Outputs(outputs) => list(outputs.iter().map(|value| optional(value, MAX_ITEMS))),
            Expectation::Error(code) => format!("error {code}"),
        };
        hanging(out, &format!("  {:names$}  {span}", example.name), &format!("{inputs}{attributes} => {expect}"))?;
    }
    Ok(())
}
