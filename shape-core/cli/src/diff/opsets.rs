//! `shape diff --opset`: all operators that changed from one opset to another.

use std::io::{self, Write};

use serde::Serialize;
use shape_core::opset::canonical_domain;
use shape_specs::operator::{Operator, Version};
use shape_specs::rollout::{Group, Rollout, Span, rollout};

use crate::args::{DiffArgs, Format};
use crate::described::Described;
use crate::json::{self, SCHEMA_VERSION};
use crate::render::{FAINT, STRONG, hanging, number};
use crate::show::report;
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report<'s> {
    schema_version: u32,
    domain: &'s str,
    /// The glob that the names match; null for all of them.
    operator: Option<&'s str>,
    from: u32,
    to: u32,
    changed: Vec<Together<'s>>,
    added: Vec<Row<'s>>,
    removed: Vec<Row<'s>>,
    deprecated: Vec<Together<'s>>,
    documentation: Vec<Row<'s>>,
}

#[derive(Serialize)]
struct Together<'s> {
    changes: Vec<report::Change<'s>>,
    operators: Vec<Row<'s>>,
}

/// An operator with its versions at the two opsets, null where it has none.
#[derive(Serialize)]
struct Row<'s> {
    name: &'s str,
    from: Option<u32>,
    to: Option<u32>,
}

pub(super) fn run(args: &DiffArgs, opsets: (u32, u32), described: &Described, terminal: &mut Terminal) -> Done {
    let operators = select(args, opsets, described).map_err(|trouble| terminal.fail(&trouble))?;
    let rollout = rollout(operators, opsets.0, opsets.1);
    match args.format {
        Format::Text => page(terminal.out(), args, opsets, &rollout)?,
        Format::Json => json::write(terminal.out(), &Report::new(args, opsets, &rollout))?,
    }
    Ok(Exit::Clean)
}

fn domain(args: &DiffArgs) -> &str {
    args.domain.as_deref().map_or("ai.onnx", canonical_domain)
}

/// The operators that are asked for; otherwise why there are none.
fn select<'s>(args: &DiffArgs, opsets: (u32, u32), described: &'s Described) -> Result<Vec<&'s Operator>, String> {
    let domain = domain(args);
    if described.of_domain(domain).next().is_none() {
        return Err(format!("no operator of {domain} is known"));
    }
    described.knows_opset(domain, opsets.0)?;
    described.knows_opset(domain, opsets.1)?;
    let asked = |operator: &&Operator| args.glob.as_ref().is_none_or(|glob| glob.matches(&operator.name));
    let operators: Vec<&Operator> = described.of_domain(domain).filter(asked).collect();
    match &args.glob {
        Some(glob) if operators.is_empty() => {
            Err(format!("no operator of {domain} has a name that matches `{glob}`; capitals count"))
        }
        _ => Ok(operators),
    }
}

impl<'s> Report<'s> {
    fn new(args: &'s DiffArgs, (from, to): (u32, u32), rollout: &'s Rollout<'s>) -> Self {
        let groups = |groups: &'s [Group<'s>]| groups.iter().map(together).collect();
        Self {
            schema_version: SCHEMA_VERSION,
            domain: domain(args),
            operator: args.glob.as_ref().map(glob::Pattern::as_str),
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

fn together<'s>(group: &'s Group<'s>) -> Together<'s> {
    Together {
        changes: group.changes.iter().map(report::change).collect(),
        operators: group.operators.iter().map(row).collect(),
    }
}

fn row<'s>(span: &Span<'s>) -> Row<'s> {
    Row { name: &span.operator.name, from: Some(span.from.since), to: Some(span.to.since) }
}

/// What matters most comes first: what the operators that there were take or give otherwise.
fn page(out: &mut impl Write, args: &DiffArgs, (from, to): (u32, u32), rollout: &Rollout<'_>) -> io::Result<()> {
    let domain = domain(args);
    let of = args.glob.as_ref().map(|glob| format!(", operators `{glob}`")).unwrap_or_default();
    writeln!(out, "{STRONG}{domain}{STRONG:#}, from opset {from} to opset {to}{of}")?;
    groups(out, "Changed", &rollout.changed)?;
    single(out, "New", &rollout.added)?;
    single(out, "Not there yet", &rollout.removed)?;
    groups(out, "Deprecated", &rollout.deprecated)?;
    names(out, "Documentation only", "  ", rollout.documentation.iter().map(|span| span.operator.name.clone()))?;
    if *rollout == Rollout::default() {
        writeln!(out, "\nNothing changed: the opsets select the same version of each operator.")?;
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
