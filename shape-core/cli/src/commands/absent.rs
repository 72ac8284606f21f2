//! Commands of a build that leaves them out: each is refused, so that the refusal says why, and not that it is unknown.

use std::ffi::OsString;

/// The arguments of a command that is refused, whatever they are.
#[derive(Debug, clap::Args)]
pub(crate) struct Ignored {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

/// Why a command is refused.
pub(super) fn refusal(command: &str, feature: &str) -> String {
    format!("this build of shape has no `{command}`; build shape-cli with its feature `{feature}`, as by default")
}
