//! What the commands for people who write descriptors have in common.

use std::path::{Path, PathBuf};

use shape_specs::SpecErrors;

use crate::render::{number, spec_error};
use crate::terminal::{Done, Exit, Terminal};

/// Reports the errors of the descriptor that a command is about, as the command's result.
pub(crate) fn report_errors(file: &str, errors: &SpecErrors, terminal: &mut Terminal) -> Done {
    errors.0.iter().try_for_each(|error| spec_error(terminal.out(), error))?;
    terminal.flush()?;
    terminal.note(format_args!("{} in {file}", number(errors.0.len(), "error")));
    Ok(Exit::Findings)
}

/// Whether an argument is the path of a descriptor, rather than the name of an operator.
pub(crate) fn is_file(argument: &str) -> bool {
    argument.ends_with(".yaml")
}

/// The folder that descriptors are written to: the one that `--specs` names, or `specs`.
pub(crate) fn folder(specs: &[PathBuf]) -> Result<&Path, &'static str> {
    match specs {
        [] => Ok(Path::new("specs")),
        [one] => Ok(one),
        [..] => Err("--specs must name exactly one folder for this command"),
    }
}
