//! `shape profile`: writes the documents of a profile.

mod errata;
mod matrix;

use clap::{Subcommand, ValueEnum};
use shape_specs::profile::{Profile, builtin};

use crate::descriptors::builtin_tables;
use crate::options::{ProfileName, exit_codes};
use crate::terminal::{Done, Exit, Terminal};

/// Print the traceability matrix or the errata of a profile
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape profile matrix sonnx                   as Markdown\n",
    "  shape profile matrix sonnx --format csv\n",
    "  shape profile errata sonnx                   contradictions and gaps in its documents",
    exit_codes!(),
))]
pub(crate) struct ProfileArgs {
    #[command(subcommand)]
    command: ProfileCommand,
}

/// What to print of a profile.
#[derive(Debug, Subcommand)]
enum ProfileCommand {
    /// Print where each rule is defined, which code checks it, which proof covers it, and which tests it has
    Matrix {
        /// The profile
        profile: ProfileName,

        /// Output format
        #[arg(long, value_enum, default_value = "markdown", value_name = "FORMAT")]
        format: MatrixFormat,
    },
    /// Print where the documents of the profile contradict each other or leave something open, as Markdown
    Errata {
        /// The profile
        profile: ProfileName,
    },
}

/// The output formats of `shape profile matrix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MatrixFormat {
    /// A Markdown page
    Markdown,
    /// A CSV table (RFC 4180)
    Csv,
}

pub(crate) fn run(args: &ProfileArgs, terminal: &mut Terminal) -> Done {
    match &args.command {
        ProfileCommand::Matrix { profile, format } => {
            let (tables, profile) = (builtin_tables(terminal)?, read(*profile, terminal)?);
            match format {
                MatrixFormat::Markdown => matrix::markdown(terminal.out(), &profile, tables)?,
                MatrixFormat::Csv => matrix::csv(terminal.out(), &profile, tables)?,
            }
        }
        ProfileCommand::Errata { profile } => {
            let profile = read(*profile, terminal)?;
            errata::markdown(terminal.out(), &profile)?;
        }
    }
    Ok(Exit::Clean)
}

fn read(name: ProfileName, terminal: &mut Terminal) -> Result<Profile, Exit> {
    match builtin(name.name()) {
        Some(Ok(profile)) => Ok(profile),
        Some(Err(errors)) => Err(terminal.fail_on_specs(&errors)),
        None => Err(terminal.fail(&format!("this build has no profile `{}`", name.name()))),
    }
}

/// A text in a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
