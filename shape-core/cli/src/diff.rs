//! `shape diff`

mod opsets;

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use shape_specs::diff::{Change, Comparison, compare};
use shape_specs::operator::{Operator, Version};

use crate::args::{DiffArgs, Format};
use crate::described::Described;
use crate::json::{self, SCHEMA_VERSION};
use crate::render::{FAINT, STRONG, hanging};
use crate::show::report;
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report<'s> {
    schema_version: u32,
    domain: &'s str,
    operator: &'s str,
    from: End,
    to: End,
    steps: Vec<Step<'s>>,
    changes: Vec<report::Change<'s>>,
}

#[derive(Serialize)]
struct End {
    opset: u32,
    since: u32,
}

#[derive(Serialize)]
struct Step<'s> {
    from: u32,
    to: u32,
    changes: Vec<report::Change<'s>>,
}

pub(crate) fn run(args: &DiffArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    match (args.opset.as_deref(), &args.operator, args.from, args.to) {
        (Some(&[from, to]), ..) => {
            let described = Described::read(specs, terminal)?;
            opsets::run(args, (from, to), &described, terminal)
        }
        (_, Some(operator), Some(from), Some(to)) => {
            let described = Described::read_one(operator, specs, terminal)?;
            one(args.format, operator, (from, to), &described, terminal)
        }
        // The command line has no such form.
        _ => Ok(terminal.fail("an operator and two opsets are needed, or `--opset FROM TO`")),
    }
}

fn one(format: Format, operator: &str, opsets: (u32, u32), described: &Described, terminal: &mut Terminal) -> Done {
    let found = described.operator(operator).and_then(|operator| {
        Ok((operator, described.version(operator, opsets.0)?, described.version(operator, opsets.1)?))
    });
    let (operator, from, to) = match found {
        Ok(found) => found,
        Err(trouble) => return Ok(terminal.fail(&trouble)),
    };
    let comparison = compare(operator, from, to);
    match format {
        Format::Text => page(terminal.out(), operator, (opsets.0, from), (opsets.1, to), &comparison)?,
        Format::Json => {
            let steps = comparison.steps.iter().map(|step| Step {
                from: step.before.since,
                to: step.after.since,
                changes: step.changes.iter().map(report::change).collect(),
            });
            let report = Report {
                schema_version: SCHEMA_VERSION,
                domain: &operator.domain,
                operator: &operator.name,
                from: End { opset: opsets.0, since: from.since },
                to: End { opset: opsets.1, since: to.since },
                steps: steps.collect(),
                changes: comparison.overall.iter().map(report::change).collect(),
            };
            json::write(terminal.out(), &report)?;
        }
    }
    Ok(Exit::Clean)
}

fn page(
    out: &mut impl Write,
    operator: &Operator,
    from: (u32, &Version),
    to: (u32, &Version),
    comparison: &Comparison<'_>,
) -> io::Result<()> {
    let name = &operator.name;
    writeln!(out, "{STRONG}{name}{STRONG:#} ({}), from opset {} to opset {}", operator.domain, from.0, to.0)?;
    for (opset, version) in [from, to] {
        if opset != version.since {
            writeln!(out, "{FAINT}At opset {opset} that is {name}-{}.{FAINT:#}", version.since)?;
        }
    }
    for step in &comparison.steps {
        let (before, after) = (step.before.since, step.after.since);
        section(out, &format!("{name}-{before} -> {name}-{after}"), &step.changes)?;
    }
    match &*comparison.steps {
        [] => writeln!(out, "\nNothing changed: it is the same version."),
        [_] => Ok(()),
        _ if comparison.overall.is_empty() => writeln!(out, "\nAll in all nothing changed."),
        _ => section(out, "All in all", &comparison.overall),
    }
}

fn section(out: &mut impl Write, title: &str, changes: &[Change]) -> io::Result<()> {
    writeln!(out, "\n{STRONG}{title}{STRONG:#}")?;
    changes.iter().try_for_each(|change| hanging(out, "  - ", &change.to_string()))
}
