//! `shape profile`

mod errata;
mod matrix;

use shape_specs::profile::{Profile, builtin};

use crate::args::{MatrixFormat, ProfileArgs, ProfileCommand, ProfileName};
use crate::described::builtin_tables;
use crate::terminal::{Done, Exit, Terminal};

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
        Some(Err(errors)) => Err(terminal.refuse(&errors)),
        None => Err(terminal.fail(&format!("this build has no profile `{}`", name.name()))),
    }
}

/// A text in a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
