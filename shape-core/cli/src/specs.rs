//! `shape specs`, and the commands that write descriptors.

pub(crate) mod folder;
mod import;
mod lint;
pub(crate) mod new;
pub(crate) mod new_version;

use std::io::Write as _;
use std::path::PathBuf;

use shape_specs::{DESCRIPTOR_SCHEMA, SpecErrors};

use crate::args::{SpecsArgs, SpecsCommand};
use crate::render::{number, spec_error};
use crate::terminal::{Done, Exit, Terminal};

pub(crate) fn run(args: &SpecsArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    match &args.command {
        SpecsCommand::Lint(args) => lint::run(args, terminal),
        SpecsCommand::Import(args) => import::run(args, specs, terminal),
        SpecsCommand::Schema => {
            terminal.out().write_all(DESCRIPTOR_SCHEMA.as_bytes())?;
            Ok(Exit::Clean)
        }
    }
}

/// Tells what is wrong with a descriptor that something else was to be done with.
pub(crate) fn refuse(file: &str, errors: &SpecErrors, terminal: &mut Terminal) -> Done {
    errors.0.iter().try_for_each(|error| spec_error(terminal.out(), error))?;
    terminal.flush()?;
    terminal.note(format_args!("{} in {file}", number(errors.0.len(), "error")));
    Ok(Exit::Findings)
}

/// Whether an argument that may name an operator names a descriptor.
pub(crate) fn is_file(argument: &str) -> bool {
    argument.ends_with(".yaml")
}
