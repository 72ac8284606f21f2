//! `shape suite`: writes a conformance suite, and judges the results of runtimes.

mod expect;
mod judge;
mod report;
mod results;
mod support;
mod tally;
mod verdict;
mod write;

use std::path::PathBuf;

use clap::Subcommand;

use crate::options::{Format, exit_codes};
use crate::terminal::{Done, Terminal};

/// Write a conformance suite for runtimes, and judge what they made of it
///
/// A suite has test cases for each version of each operator: valid ones, that together have each choice that its nodes
/// may differ in, and ones that are wrong in one way each. `manifest.json` lists them with what is expected, and
/// `README.md` says what a runner has to do. Deprecated versions have no cases. The same arguments give the same suite.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = concat!(
    "Examples:\n",
    "  shape suite -o suite --opset 21\n",
    "  shape suite -o conv --operator Conv\n",
    "  shape suite expect suite onnxruntime-results reference-results\n",
    "  shape suite judge suite my-results --manifest my-runtime.yaml",
    exit_codes!(),
))]
pub(crate) struct SuiteArgs {
    #[command(subcommand)]
    command: Option<SuiteCommand>,

    #[command(flatten)]
    write: Option<write::WriteArgs>,
}

/// What to do with a suite.
#[derive(Debug, Subcommand)]
enum SuiteCommand {
    Expect(expect::ExpectArgs),
    Judge(judge::JudgeArgs),
}

/// A suite and what runners made of it.
#[derive(Debug, clap::Args)]
struct Runs {
    /// The suite: a folder that `shape suite -o` wrote
    #[arg(value_name = "SUITE")]
    suite: PathBuf,

    /// What a runner wrote: a folder with `results.json`
    #[arg(required = true, value_name = "RESULTS")]
    results: Vec<PathBuf>,
}

impl SuiteArgs {
    /// Whether standard output is for people.
    pub(crate) fn format(&self) -> Format {
        match (&self.command, &self.write) {
            (Some(SuiteCommand::Expect(args)), _) => args.format,
            (Some(SuiteCommand::Judge(args)), _) => args.format.kind(),
            (None, args) => args.as_ref().map_or(Format::Text, |args| args.format),
        }
    }
}

pub(crate) fn run(args: &SuiteArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    match (&args.command, &args.write) {
        (Some(SuiteCommand::Expect(args)), _) => expect::run(args, terminal),
        (Some(SuiteCommand::Judge(args)), _) => judge::run(args, terminal),
        (None, Some(args)) => write::run(args, specs, terminal),
        (None, None) => Ok(terminal.fail("give `-o` a folder for the suite; `shape suite --help` has examples")),
    }
}
