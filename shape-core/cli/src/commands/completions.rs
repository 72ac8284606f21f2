//! `shape completions`: writes what a shell needs to complete the command line.

use std::io::Write as _;

use clap::Command;
use clap_complete::{Shell, generate};

use crate::options::exit_codes;
use crate::terminal::{Done, Exit, Terminal};

/// Print a script by which a shell completes the command line
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape completions bash > ~/.local/share/bash-completion/completions/shape\n",
    "  shape completions zsh > \"${fpath[1]}/_shape\"\n",
    "  shape completions fish > ~/.config/fish/completions/shape.fish\n",
    "  shape completions powershell >> $PROFILE",
    exit_codes!(),
))]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// `command` is the command line with all its commands.
pub(crate) fn run(args: &CompletionsArgs, mut command: Command, terminal: &mut Terminal) -> Done {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    generate(args.shell, &mut command, name, &mut script);
    terminal.out().write_all(&script)?;
    Ok(Exit::Clean)
}
