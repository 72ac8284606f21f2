//! Refuses the commands that this build leaves out, so that the error says why, and not that the command is unknown.

use std::ffi::OsString;

/// The arguments of a command that is refused, whatever they are.
#[derive(Debug, clap::Args)]
pub(crate) struct Ignored {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

/// Why a command is refused.
pub(super) fn refusal(command: &str, feature: &str) -> String {
    format!("this build of shape has no `{command}`; build onnxspec-cli with its feature `{feature}`, as by default")
}
