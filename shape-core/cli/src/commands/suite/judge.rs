//! `shape suite judge`: judges the results of runtimes on a suite.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::ValueEnum;

use super::results::Results;
use super::tally::{Judged, Report, judged};
use super::verdict::Verdict;
use super::{Runs, report, support};
use crate::cases::Manifest;
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, exit_codes};
use crate::output::Inputs;
use crate::terminal::{Done, Exit, Terminal};

/// Judge what runtimes made of a suite
///
/// A valid case passes if it ran, and each output has the expected type, dimensions and elements; an invalid one passes if
/// it was refused. The table lists the versions that do not pass all of their valid cases, with the choices that no case
/// with passes.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape suite judge suite tract-results\n",
    "  shape suite judge suite tract-results rten-results --format markdown\n",
    "  shape suite judge suite tract-results --manifest tract.yaml",
    exit_codes!(),
))]
pub(super) struct JudgeArgs {
    #[command(flatten)]
    runs: Runs,

    /// Write the manifest of what the runtime supports, for `shape ops --manifest`; of one RESULTS
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(super) format: JudgeFormat,
}

/// The output formats of `shape suite judge`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum JudgeFormat {
    /// Text to read
    Text,
    /// One JSON object
    Json,
    /// Tables in Markdown, with a line for each version
    Markdown,
}

impl JudgeFormat {
    /// Whether standard output is for people.
    pub(super) fn kind(self) -> Format {
        if self == Self::Text { Format::Text } else { Format::Json }
    }
}

pub(super) fn run(args: &JudgeArgs, terminal: &mut Terminal) -> Done {
    let Runs { suite, results } = &args.runs;
    let manifest = Manifest::read(suite).map_err(|error| terminal.fail(&error))?;
    let read = Results::read_all(results, &manifest).map_err(|error| terminal.fail(&error))?;
    let runtimes: Vec<Judged> = read.iter().map(|results| judged(suite, &manifest, results)).collect();
    if let Some(target) = &args.manifest {
        let ([one], [of_one]) = (&*read, &*runtimes) else {
            return Ok(terminal.fail("`--manifest` is what one runtime supports; give one RESULTS"));
        };
        let failed: HashSet<&str> =
            of_one.versions.iter().flat_map(|of| &of.failed).map(|failed| &*failed.case).collect();
        let text = support::yaml(one, &manifest, &|case| !failed.contains(&*case.name));
        let mut inputs = Inputs::default();
        inputs.add([suite.join("manifest.json"), one.folder.join("results.json")]);
        inputs.write(target, text.as_bytes()).map_err(|error| terminal.fail(&error))?;
        terminal.note(format_args!("wrote what {} supports to {}", one.label(), target.display()));
    }
    let fails = |judged: &Judged| judged.valid.of(Verdict::Passed) < judged.valid.cases;
    let exit = if runtimes.iter().any(fails) { Exit::Findings } else { Exit::Clean };
    let report = Report { schema_version: SCHEMA_VERSION, opset: manifest.opset, runtimes };
    match args.format {
        JudgeFormat::Json => json::write(terminal.out(), &report)?,
        JudgeFormat::Text => report::text(&report, terminal.out())?,
        JudgeFormat::Markdown => report::markdown(&report, terminal.out())?,
    }
    Ok(exit)
}
