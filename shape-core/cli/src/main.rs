#![doc = include_str!("../README.md")]

mod args;
mod commands;
mod descriptors;
mod github;
mod input;
mod json;
mod models;
mod options;
mod output;
mod render;
mod signals;
mod sizes;
mod steps;
mod terminal;
mod values;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use args::{Args, Command};
use commands::{check, completions, convert, diff, explain, fold, infer, info, man, ops, profile, show, test};
use terminal::{Exit, Stop, Terminal};

fn main() -> ExitCode {
    let args = Args::parse();
    let narration = args.narration();
    let Args { command, color, specs, .. } = args;
    let mut terminal = Terminal::new(color, command.format(), command.writes_to_stdout(), narration);
    let result = match &command {
        Command::Check(args) => check::run(args, &specs, &mut terminal),
        Command::Infer(args) => infer::run(args, &specs, &mut terminal),
        Command::Info(args) => info::run(args, &specs, &mut terminal),
        Command::Fold(args) => fold::run(args, &specs, &mut terminal),
        Command::Test(args) => test::run(args, &specs, &mut terminal),
        Command::Show(args) => show::run(args, &specs, &mut terminal),
        Command::Convert(args) => convert::run(args, &specs, &mut terminal),
        Command::Diff(args) => diff::run(args, &specs, &mut terminal),
        Command::Ops(args) => ops::run(args, &specs, &mut terminal),
        Command::Explain(args) => explain::run(args, &mut terminal),
        Command::Profile(args) => profile::run(args, &mut terminal),
        Command::Completions(args) => completions::run(args, Args::command(), &mut terminal),
        Command::Man(args) => man::run(args, Args::command(), &mut terminal),
        Command::Authoring(command) => command.run(&specs, &mut terminal),
    };
    let result = match result {
        Ok(exit) | Err(Stop::Reported(exit)) => terminal.flush().map(|()| exit),
        Err(Stop::Output(error)) => Err(error),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            terminal.error(format_args!("cannot write to standard output: {error}"));
            Exit::Failure.into()
        }
    }
}
