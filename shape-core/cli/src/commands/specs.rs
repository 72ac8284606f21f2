//! `shape specs`: checks and imports descriptors.

mod import;
mod lint;

use std::io::Write as _;
use std::path::PathBuf;

use clap::Subcommand;
use shape_specs::DESCRIPTOR_SCHEMA;

use crate::options::{Format, exit_codes};
use crate::terminal::{Done, Exit, Terminal};
use import::ImportArgs;
use lint::{LintArgs, LintFormat};

/// Check or import operator descriptors
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape specs lint specs\n",
    "  shape specs schema > specs/descriptor.schema.json",
    exit_codes!(),
))]
pub(crate) struct SpecsArgs {
    #[command(subcommand)]
    command: SpecsCommand,
}

/// What to do with descriptors.
#[derive(Debug, Subcommand)]
pub(crate) enum SpecsCommand {
    Lint(LintArgs),
    Import(ImportArgs),
    /// Print the JSON Schema of descriptors
    ///
    /// An editor uses it to complete fields and to underline errors. Put this line at the top of a descriptor, with the
    /// path of the schema from the folder of the descriptor: `# yaml-language-server:
    /// $schema=../descriptor.schema.json`
    #[command(after_help = concat!(
        "Examples:\n",
        "  shape specs schema > specs/descriptor.schema.json",
        exit_codes!(),
    ))]
    Schema,
}

impl SpecsArgs {
    /// Whether standard output is for people or for programs.
    pub(super) fn format(&self) -> Format {
        match &self.command {
            SpecsCommand::Lint(args) => match args.format {
                LintFormat::Text => Format::Text,
                LintFormat::Json | LintFormat::Github => Format::Json,
            },
            SpecsCommand::Schema => Format::Json,
            SpecsCommand::Import(_) => Format::Text,
        }
    }
}

pub(super) fn run(args: &SpecsArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    match &args.command {
        SpecsCommand::Lint(args) => lint::run(args, terminal),
        SpecsCommand::Import(args) => import::run(args, specs, terminal),
        SpecsCommand::Schema => {
            terminal.out().write_all(DESCRIPTOR_SCHEMA.as_bytes())?;
            Ok(Exit::Clean)
        }
    }
}
