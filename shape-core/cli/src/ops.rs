//! `shape ops`

mod coverage;
mod lacks;
mod report;
mod support;
mod usage;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use shape_core::opset::canonical_domain;
use shape_core::{Registry, Schema};

use crate::args::{Format, OpsArgs};
use crate::described::registry;
use crate::json::{self, SCHEMA_VERSION};
use crate::render::{FAINT, STRONG, hanging};
use crate::terminal::{Done, Exit, Terminal};

pub(crate) fn run(args: &OpsArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let registry = registry(specs, terminal)?;
    if !args.models.is_empty() {
        return usage::run(args, specs, &registry, terminal);
    }
    let operators = select(args, &registry).map_err(|trouble| terminal.fail(&trouble))?;
    if args.coverage {
        coverage::write(terminal.out(), &operators, args.format)?;
        return Ok(Exit::Clean);
    }
    match args.format {
        Format::Text => page(terminal.out(), &operators)?,
        Format::Json => {
            let operators = operators.into_values().flatten().map(report::Operator::new).collect();
            json::write(terminal.out(), &report::Report { schema_version: SCHEMA_VERSION, operators })?;
        }
    }
    Ok(Exit::Clean)
}

/// The versions of each operator that are asked for, by domain and name; otherwise why there are none.
fn select<'r>(
    args: &OpsArgs,
    registry: &'r Registry,
) -> Result<BTreeMap<(&'r str, &'r str), Vec<&'static Schema>>, String> {
    let asked = args.domain.as_deref().or(args.opset.map(|_| "")).map(canonical_domain);
    let mut operators = BTreeMap::new();
    for versions in registry.operators() {
        let Some(first) = versions.first() else { continue };
        if asked.is_some_and(|domain| domain != first.domain) {
            continue;
        }
        let versions = match args.opset {
            Some(opset) => registry.resolve(first.domain, first.name, opset).into_iter().collect(),
            None if args.all_versions || args.coverage => versions.to_vec(),
            None => versions.last().copied().into_iter().collect(),
        };
        if !versions.is_empty() {
            operators.insert((first.domain, first.name), versions);
        }
    }
    if operators.is_empty() {
        let domain = asked.map(|domain| format!(" of {domain}")).unwrap_or_default();
        let opset = args.opset.map(|opset| format!(" at opset {opset}")).unwrap_or_default();
        return Err(format!("no operator{domain} is known{opset}"));
    }
    Ok(operators)
}

/// A paragraph a domain, a line an operator.
fn page(out: &mut impl Write, operators: &BTreeMap<(&str, &str), Vec<&'static Schema>>) -> io::Result<()> {
    let width = operators.keys().map(|(_, name)| name.len()).max().unwrap_or_default();
    let mut last = None;
    for ((domain, name), versions) in operators {
        if last != Some(*domain) {
            let count = operators.keys().filter(|(of, _)| of == domain).count();
            let apart = if last.is_some() { "\n" } else { "" };
            writeln!(out, "{apart}{STRONG}{domain}{STRONG:#} {FAINT}({count}){FAINT:#}")?;
            last = Some(*domain);
        }
        let mark = |schema: &&Schema| if schema.deprecated { " (deprecated)" } else { "" };
        let versions: Vec<String> =
            versions.iter().map(|schema| format!("{}{}", schema.since_version, mark(schema))).collect();
        hanging(out, &format!("  {name:width$}  "), &versions.join(", "))?;
    }
    Ok(())
}
