//! `shape diff --opset`: all operators that changed between two opsets.

use std::io::{self, Write};

use serde::Serialize;
use shape_changes::rollout::{Group, Rollout, Span, rollout};
use shape_core::opset::canonical_domain;
use shape_specs::operator::{Operator, Version};

use super::DiffArgs;
use crate::descriptors::Descriptors;
use crate::descriptors::json::{Change, change};
use crate::json::{self, SCHEMA_VERSION};
use crate::options::Format;
use crate::render::{FAINT, STRONG, hanging, number};
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
pub(crate) struct Report<'s> {
    schema_version: u32,
    domain: &'s str,
    /// The pattern of --operator; null for all operators.
    operator: Option<&'s str>,
    from: u32,
    to: u32,
    changed: Vec<ChangeGroup<'s>>,
    added: Vec<Row<'s>>,
    removed: Vec<Row<'s>>,
    deprecated: Vec<ChangeGroup<'s>>,
    documentation: Vec<Row<'s>>,
}

/// Operators that have the same changes.
#[derive(Serialize)]
struct ChangeGroup<'s> {
    changes: Vec<Change<'s>>,
    operators: Vec<Row<'s>>,
}

/// An operator with its version at each of the two opsets, or null.
#[derive(Serialize)]
struct Row<'s> {
    name: &'s str,
    from: Option<u32>,
    to: Option<u32>,
}

pub(super) fn run(args: &DiffArgs, opsets: (u32, u32), descriptors: &Descriptors, terminal: &mut Terminal) -> Done {
    let operators = select(args, opsets, descriptors).map_err(|error| terminal.fail(&error))?;
    let rollout = rollout(operators, opsets.0, opsets.1);
    let glob = args.glob.as_ref().map(glob::Pattern::as_str);
    match args.format {
        Format::Text => write_text(terminal.out(), args, opsets, &rollout)?,
        Format::Json => json::write(terminal.out(), &Report::new(domain(args), glob, opsets, &rollout))?,
    }
    Ok(Exit::Clean)
}

fn domain(args: &DiffArgs) -> &str {
    args.domain.as_deref().map_or("ai.onnx", canonical_domain)
}

/// The operators that the arguments select; fails if there are none.
fn select<'s>(args: &DiffArgs, opsets: (u32, u32), descriptors: &'s Descriptors) -> Result<Vec<&'s Operator>, String> {
    let domain = domain(args);
    if descriptors.of_domain(domain).next().is_none() {
        return Err(format!("there is no operator of {domain}"));
    }
    descriptors.check_opset(domain, opsets.0)?;
    descriptors.check_opset(domain, opsets.1)?;
    let selected = |operator: &&Operator| args.glob.as_ref().is_none_or(|glob| glob.matches(&operator.name));
    let operators: Vec<&Operator> = descriptors.of_domain(domain).filter(selected).collect();
    match &args.glob {
        Some(glob) if operators.is_empty() => {
            Err(format!("no operator of {domain} has a name that matches `{glob}`; the pattern is case-sensitive"))
        }
        _ => Ok(operators),
    }
}

impl<'s> Report<'s> {
    /// What changed in a domain between two opsets; `operator` is the pattern of the operators that were compared.
    pub(crate) fn new(
        domain: &'s str,
        operator: Option<&'s str>,
        (from, to): (u32, u32),
        rollout: &'s Rollout<'s>,
    ) -> Self {
        let groups = |groups: &'s [Group<'s>]| groups.iter().map(change_group).collect();
        Self {
            schema_version: SCHEMA_VERSION,
            domain,
            operator,
            from,
            to,
            changed: groups(&rollout.changed),
            added: rollout
                .added
                .iter()
                .map(|(of, at)| Row { name: &of.name, from: None, to: Some(at.since) })
                .collect(),
            removed: (rollout.removed.iter())
                .map(|(of, at)| Row { name: &of.name, from: Some(at.since), to: None })
                .collect(),
            deprecated: groups(&rollout.deprecated),
            documentation: rollout.documentation.iter().map(row).collect(),
        }
    }
}

fn change_group<'s>(group: &'s Group<'s>) -> ChangeGroup<'s> {
    ChangeGroup {
        changes: group.changes.iter().map(change).collect(),
        operators: group.operators.iter().map(row).collect(),
    }
}

fn row<'s>(span: &Span<'s>) -> Row<'s> {
    Row { name: &span.operator.name, from: Some(span.from.since), to: Some(span.to.since) }
}

/// Writes the changes, the most important ones first: those of existing operators.
fn write_text(out: &mut impl Write, args: &DiffArgs, (from, to): (u32, u32), rollout: &Rollout<'_>) -> io::Result<()> {
    let domain = domain(args);
    let of = args.glob.as_ref().map(|glob| format!(", operators `{glob}`")).unwrap_or_default();
    writeln!(out, "{STRONG}{domain}{STRONG:#}, from opset {from} to opset {to}{of}")?;
    groups(out, "Changed", &rollout.changed)?;
    single(out, "New", &rollout.added)?;
    single(out, "Removed", &rollout.removed)?;
    groups(out, "Deprecated", &rollout.deprecated)?;
    names(out, "Documentation only", "  ", rollout.documentation.iter().map(|span| span.operator.name.clone()))?;
    if *rollout == Rollout::default() {
        writeln!(out, "\nNothing changed: both opsets have the same version of each operator.")?;
    }
    Ok(())
}

fn heading(out: &mut impl Write, title: &str, count: usize) -> io::Result<()> {
    let count = number(count, "operator");
    writeln!(out, "\n{STRONG}{title}{STRONG:#} {FAINT}({count}){FAINT:#}")
}

fn groups(out: &mut impl Write, title: &str, groups: &[Group<'_>]) -> io::Result<()> {
    if groups.is_empty() {
        return Ok(());
    }
    heading(out, title, groups.iter().map(|group| group.operators.len()).sum())?;
    for group in groups {
        for change in &group.changes {
            hanging(out, "  - ", &change.to_string())?;
        }
        listed(out, "      ", group.operators.iter().map(|span| span.operator.name.clone()))?;
    }
    Ok(())
}

fn single(out: &mut impl Write, title: &str, operators: &[(&Operator, &Version)]) -> io::Result<()> {
    let mark = |version: &Version| if version.deprecated { " (deprecated)" } else { "" };
    let names = operators.iter().map(|(operator, version)| format!("{}{}", operator.name, mark(version)));
    self::names(out, title, "  ", names)
}

fn names(
    out: &mut impl Write,
    title: &str,
    indent: &str,
    names: impl ExactSizeIterator<Item = String>,
) -> io::Result<()> {
    if names.len() == 0 {
        return Ok(());
    }
    heading(out, title, names.len())?;
    listed(out, indent, names)
}

fn listed(out: &mut impl Write, indent: &str, names: impl Iterator<Item = String>) -> io::Result<()> {
    hanging(out, indent, &names.collect::<Vec<_>>().join(", "))
}
