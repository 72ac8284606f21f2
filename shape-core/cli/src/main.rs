#![doc = include_str!("../README.md")]

mod args;
mod check;
mod convert;
mod described;
mod diff;
mod expand;
mod explain;
mod fold;
mod github;
mod infer;
mod json;
mod ops;
mod profile;
mod render;
mod show;
mod specs;
mod terminal;
mod test;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Args, Command};
use terminal::{Exit, Stop, Terminal};

fn main() -> ExitCode {
    let Args { command, color, specs } = Args::parse();
    let mut terminal = Terminal::new(color, command.format());
    let done = match &command {
        Command::Check(args) => check::run(args, &specs, &mut terminal),
        Command::Infer(args) => infer::run(args, &specs, &mut terminal),
        Command::Fold(args) => fold::run(args, &specs, &mut terminal),
        Command::Test(args) => test::run(args, &specs, &mut terminal),
        Command::Show(args) => show::run(args, &specs, &mut terminal),
        Command::Convert(args) => convert::run(args, &specs, &mut terminal),
        Command::Diff(args) => diff::run(args, &specs, &mut terminal),
        Command::Ops(args) => ops::run(args, &specs, &mut terminal),
        Command::Explain(args) => explain::run(args, &mut terminal),
        Command::Profile(args) => profile::run(args, &mut terminal),
        Command::Expand(args) => expand::run(args, &specs, &mut terminal),
        Command::New(args) => specs::new::run(args, &specs, &mut terminal),
        Command::NewVersion(args) => specs::new_version::run(args, &specs, &mut terminal),
        Command::Specs(args) => specs::run(args, &specs, &mut terminal),
    };
    let done = match done {
        Ok(exit) | Err(Stop::Told(exit)) => terminal.flush().map(|()| exit),
        Err(Stop::Output(error)) => Err(error),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            terminal.trouble(format_args!("cannot write to standard output: {error}"));
            Exit::Trouble.into()
        }
    }
}
