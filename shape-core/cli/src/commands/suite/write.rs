//! `shape suite -o`: writes a suite.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use shape_model::generate::{Coverage, GenerateOptions, Generator, Goal};

use crate::cases::Cases;
use crate::commands::generate::operators;
use crate::descriptors::{inputs, registry};
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, opset};
use crate::render::{Clean, STRONG, grouped};
use crate::terminal::{Done, Exit, Terminal};

/// How many invalid models of a version are made, of which those with a code that none had before are kept.
const INVALID: usize = 24;

/// What a runner is told.
const CONTRACT: &str = include_str!("../../../SUITE.md");

#[derive(Debug, clap::Args)]
pub(super) struct WriteArgs {
    /// Write the suite into this folder, which must be new or empty
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Only the versions that are in force at this opset, which the models import
    #[arg(long, value_parser = opset, value_name = "N")]
    opset: Option<u32>,

    /// Only operators of this domain
    #[arg(long, value_name = "DOMAIN")]
    domain: Option<String>,

    /// Only this operator, or the version of it that is in force at an opset; may be repeated
    #[arg(long, value_name = "OPERATOR[@OPSET]")]
    operator: Vec<String>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(super) format: Format,
}

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    opset: Option<u32>,
    valid: usize,
    invalid: usize,
    versions: Vec<Version>,
}

/// The valid cases of a version.
#[derive(Serialize)]
struct Version {
    domain: &'static str,
    operator: &'static str,
    version: u32,
    cases: usize,
    choices: usize,
    choices_made: usize,
    /// The choices for which no valid node was found.
    missed: Vec<String>,
}

impl From<Coverage> for Version {
    fn from(coverage: Coverage) -> Self {
        Self {
            domain: coverage.schema.domain,
            operator: coverage.schema.name,
            version: coverage.schema.since_version,
            cases: coverage.nodes,
            choices: coverage.choices,
            choices_made: coverage.choices_made,
            missed: coverage.missed.into_iter().flat_map(|missed| missed.choices).collect(),
        }
    }
}

pub(super) fn run(args: &WriteArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let registry = registry(specs, terminal)?;
    let options = GenerateOptions {
        operators: operators(&args.operator, &registry).map_err(|error| terminal.fail(&error))?,
        domain: args.domain.clone(),
        opset: args.opset,
        exact: true,
        ..GenerateOptions::default()
    };
    let mut generator = Generator::new(&registry, &options);
    if generator.coverage().is_empty() {
        return Ok(terminal.fail("no version of an operator is meant by --operator, --opset and --domain together"));
    }
    let sources = inputs(specs);
    let mut cases = Cases::create(&args.output, (options.seed, args.opset), &registry, &sources)
        .map_err(|error| terminal.fail(&error))?;
    while let Some(case) = generator.next_uncovered(Goal::Choices) {
        cases.write(&case).map_err(|error| terminal.fail(&error))?;
    }
    let valid = cases.len();
    let coverage = generator.coverage();
    let wrong = Generator::new(&registry, &GenerateOptions { invalid: true, ..options });
    let mut had = HashSet::new();
    for case in wrong.take(INVALID * coverage.len()) {
        let version = case.schema.map(|schema| (schema.domain, schema.name, schema.since_version));
        if had.insert((version, case.code)) {
            cases.write(&case).map_err(|error| terminal.fail(&error))?;
        }
    }
    cases.sort();
    let invalid = cases.len() - valid;
    cases.write_beside("README.md", CONTRACT.as_bytes()).map_err(|error| terminal.fail(&error))?;
    cases.finish().map_err(|error| terminal.fail(&error))?;
    let versions = coverage.into_iter().map(Version::from).collect();
    let report = Report { schema_version: SCHEMA_VERSION, opset: args.opset, valid, invalid, versions };
    match args.format {
        Format::Json => json::write(terminal.out(), &report)?,
        Format::Text => text(&report, terminal)?,
    }
    terminal.flush()?;
    terminal.note(format_args!(
        "wrote {} valid and {} invalid cases to {}; README.md there says what a runner does",
        grouped(valid),
        grouped(invalid),
        args.output.display()
    ));
    Ok(if valid == 0 { Exit::Findings } else { Exit::Clean })
}

fn text(report: &Report, terminal: &mut Terminal) -> std::io::Result<()> {
    let Report { versions, valid, invalid, .. } = report;
    let sum = |of: fn(&Version) -> usize| versions.iter().map(of).sum::<usize>();
    let out = terminal.out();
    let (with, all) = (versions.iter().filter(|version| version.cases > 0).count(), versions.len());
    writeln!(
        out,
        "{STRONG}{} cases{STRONG:#} of {} of {} versions",
        grouped(valid + invalid),
        grouped(with),
        grouped(all)
    )?;
    writeln!(
        out,
        "choices: {} of {}",
        grouped(sum(|version| version.choices_made)),
        grouped(sum(|version| version.choices))
    )?;
    for version in versions.iter().filter(|version| version.cases == 0) {
        let Version { domain, operator, version, .. } = version;
        writeln!(out, "no valid node was found of {}::{}-{version}", Clean(domain), Clean(operator))?;
    }
    Ok(())
}
