//! `shape ops --coverage`: which rules each operator version has.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use shape_core::Schema;
use shape_core::coverage::{Coverage, Share, Types};

use crate::json::{self, SCHEMA_VERSION};
use crate::options::Format;
use crate::render::{FAINT, STRONG, number};

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    operators: Vec<Version>,
    summary: Summary,
}

/// The coverage of a version.
#[derive(Serialize)]
struct Version {
    domain: &'static str,
    name: &'static str,
    since_version: u32,
    deprecated: bool,
    types: &'static str,
    dims: &'static str,
    values: bool,
    data: bool,
}

/// The numbers of versions that are covered.
#[derive(Default, Serialize)]
struct Summary {
    operators: usize,
    versions: usize,
    /// Versions whose constraints or rules decide the type of each output.
    types: usize,
    /// Versions that have a rule for the dimensions of each tensor output.
    dims: usize,
    /// Versions that have such a rule for some of the outputs.
    dims_in_part: usize,
    values: usize,
    data: usize,
}

type Operators<'r> = BTreeMap<(&'r str, &'r str), Vec<&'static Schema>>;

pub(super) fn write(out: &mut impl Write, operators: &Operators<'_>, format: Format) -> io::Result<()> {
    let covered: Vec<(&Vec<&'static Schema>, Vec<Coverage>)> = operators
        .values()
        .map(|versions| (versions, versions.iter().map(|schema| schema.coverage()).collect()))
        .collect();
    let mut summary = Summary { operators: operators.len(), ..Summary::default() };
    for coverage in covered.iter().flat_map(|(_, covered)| covered) {
        summary.versions += 1;
        summary.types += usize::from(coverage.types != Types::Open);
        summary.dims += usize::from(matches!(coverage.dims, Share::All | Share::Pointless));
        summary.dims_in_part += usize::from(coverage.dims == Share::Some);
        summary.values += usize::from(coverage.values);
        summary.data += usize::from(coverage.data);
    }
    match format {
        Format::Text => {
            write_text(out, &covered)?;
            let Summary { operators, versions, types, dims, dims_in_part, values, data } = summary;
            let (versions, operators) = (number(versions, "version"), number(operators, "operator"));
            writeln!(
                out,
                "\n{STRONG}{versions} of {operators}{STRONG:#}: types of {types}, dims of {dims} and in part of \
                 {dims_in_part}, values of {values}, data of {data}"
            )
        }
        Format::Json => {
            let versions = covered.iter().flat_map(|(versions, covered)| versions.iter().zip(covered));
            let operators = versions.map(|(schema, coverage)| version(schema, *coverage)).collect();
            json::write(out, &Report { schema_version: SCHEMA_VERSION, operators, summary })
        }
    }
}

fn version(schema: &'static Schema, Coverage { types, dims, values, data }: Coverage) -> Version {
    let Schema { domain, name, since_version, deprecated, .. } = *schema;
    Version { domain, name, since_version, deprecated, types: of_types(types), dims: share(dims), values, data }
}

fn of_types(types: Types) -> &'static str {
    match types {
        Types::Constraints => "constraints",
        Types::Rule => "rule",
        Types::Open => "open",
    }
}

fn share(share: Share) -> &'static str {
    match share {
        Share::None => "none",
        Share::Some => "some",
        Share::All => "all",
        Share::Pointless => "no tensor",
    }
}

/// Writes a paragraph for each domain, with a line for neighbouring versions of an operator that have the same
/// coverage.
fn write_text(out: &mut impl Write, covered: &[(&Vec<&'static Schema>, Vec<Coverage>)]) -> io::Result<()> {
    let yes = |is: bool| if is { "yes" } else { "-" };
    let mut rows: Vec<(&str, [String; 6])> = Vec::new();
    for (versions, covered) in covered {
        let versions: Vec<(&Schema, Coverage)> = versions.iter().copied().zip(covered.iter().copied()).collect();
        for alike in versions.chunk_by(|(_, left), (_, right)| left == right) {
            let Some((Schema { domain, name, .. }, Coverage { types, dims, values, data })) = alike.first() else {
                continue;
            };
            let since: Vec<String> = alike.iter().map(|(schema, _)| schema.since_version.to_string()).collect();
            let dims = if *dims == Share::None { "-" } else { share(*dims) };
            let cells = [name, &*since.join(", "), of_types(*types), dims, yes(*values), yes(*data)];
            rows.push((domain, cells.map(str::to_owned)));
        }
    }
    let head = ["operator", "since", "types", "dims", "values", "data"].map(str::to_owned);
    let mut widths = head.clone().map(|text| text.len());
    for (_, cells) in &rows {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: &[String; 6]| {
        let cells: Vec<String> = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        cells.join("  ").trim_end().to_owned()
    };
    let mut last = None;
    for (domain, cells) in &rows {
        if last != Some(*domain) {
            let apart = if last.is_some() { "\n" } else { "" };
            writeln!(out, "{apart}{STRONG}{domain}{STRONG:#}")?;
            writeln!(out, "{FAINT}{}{FAINT:#}", line(&head))?;
            last = Some(*domain);
        }
        writeln!(out, "{}", line(cells))?;
    }
    Ok(())
}
