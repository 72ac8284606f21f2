// Only rustdoc reads the page, so that an edit of it builds nothing anew.
#![cfg_attr(doc, doc = include_str!("../README.md"))]
#![cfg_attr(not(doc), doc = env!("CARGO_PKG_DESCRIPTION"))]
//!
//! # The library
//!
//! The command is also a library, for programs that bring it along, such as a package of another language: [`run`] is all
//! of it, [`Specs`] reads what `--specs` names, [`why`] is what `shape infer --why` prints, and [`support`] what `shape ops
//! --runtime` finds.

mod args;
#[cfg(feature = "generate")]
mod cases;
mod causes;
mod commands;
mod config;
mod descriptors;
mod escape;
mod github;
mod guard;
mod input;
mod json;
mod models;
mod options;
mod output;
mod progress;
mod render;
mod signals;
mod sizes;
mod steps;
mod terminal;
mod values;

use std::ffi::OsString;

use clap::{CommandFactory as _, Parser as _};

use args::{Args, Command};
#[cfg(all(feature = "pages", not(target_family = "wasm")))]
use commands::docs;
#[cfg(feature = "pages")]
use commands::view;
use commands::{
    check, completions, convert, diff, explain, fold, infer, info, man, ops, profile, show, simplify, test,
};
#[cfg(feature = "generate")]
use commands::{generate, suite};
use terminal::{Exit, Stop, Terminal};

/// The page that shows a model: its HTML, its questions, and their answers.
#[cfg(feature = "pages")]
pub mod page {
    pub use crate::commands::view::{Engine, Session, html};
}

pub use commands::infer::why;
pub use commands::ops::{Lack, RuntimeSupport, support};
pub use descriptors::Specs;

/// Runs the command with a command line, of which the first argument is the name of the program. Returns the exit code: 0 if
/// nothing is wrong, 1 if there is an error in what was checked, 2 if the command line is wrong or a file cannot be read or
/// written.
///
/// It writes to the standard streams of the process, and locks them until it ends. A command that writes files handles the
/// signals that end a process, to delete what is unfinished; where the process ignores such a signal, so does the command.
///
/// ```
/// assert_eq!(shape_cli::run(["shape", "--version"]), 0);
/// assert_eq!(shape_cli::run(["shape", "chekc", "model.onnx"]), 2);
/// ```
pub fn run<T: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = T>) -> u8 {
    match Args::try_parse_from(arguments) {
        Ok(arguments) => command(&arguments).code(),
        Err(wrong) => {
            // There is nowhere to report that the message cannot be written.
            let _ = wrong.print();
            // A request for help is no mistake.
            if wrong.use_stderr() { Exit::Failure.code() } else { Exit::Clean.code() }
        }
    }
}

/// Writes the page of `shape infer --html`.
#[cfg(feature = "pages")]
const WRITE_PAGE: infer::WritePage = view::write_page;
#[cfg(not(feature = "pages"))]
const WRITE_PAGE: infer::WritePage = |_, _, _, _, _| Err("this build has no pages".to_owned());

fn command(arguments: &Args) -> Exit {
    let Args { command, color, specs, .. } = arguments;
    let mut terminal = Terminal::new(*color, command.format(), command.writes_to_stdout(), arguments.narration());
    let result = match command {
        Command::Check(args) => check::run(args, specs, &mut terminal),
        Command::Infer(args) => infer::run(args, specs, WRITE_PAGE, &mut terminal),
        Command::Info(args) => info::run(args, specs, &mut terminal),
        Command::Simplify(args) => simplify::run(args, specs, &mut terminal),
        Command::Fold(args) => fold::run(args, specs, &mut terminal),
        Command::Test(args) => test::run(args, specs, &mut terminal),
        #[cfg(feature = "generate")]
        Command::Generate(args) => generate::run(args, specs, &mut terminal),
        #[cfg(feature = "generate")]
        Command::Suite(args) => suite::run(args, specs, &mut terminal),
        Command::Show(args) => show::run(args, specs, &mut terminal),
        Command::Convert(args) => convert::run(args, specs, &mut terminal),
        Command::Diff(args) => diff::run(args, specs, &mut terminal),
        Command::Ops(args) => ops::run(args, specs, &mut terminal),
        Command::Explain(args) => explain::run(args, &mut terminal),
        #[cfg(all(feature = "pages", not(target_family = "wasm")))]
        Command::Docs(args) => docs::run(args, specs, &mut terminal),
        Command::Profile(args) => profile::run(args, &mut terminal),
        Command::Completions(args) => completions::run(args, Args::command(), &mut terminal),
        #[cfg(all(feature = "pages", not(target_family = "wasm")))]
        Command::View(args) => view::run(args, specs, &mut terminal),
        Command::Man(args) => man::run(args, Args::command(), &mut terminal),
        Command::Authoring(command) => command.run(specs, &mut terminal),
    };
    let result = match result {
        Ok(exit) | Err(Stop::Reported(exit)) => terminal.flush().map(|()| exit),
        Err(Stop::Output(error)) => Err(error),
    };
    match result {
        Ok(exit) => exit,
        Err(error) => {
            terminal.error(format_args!("cannot write to standard output: {error}"));
            Exit::Failure
        }
    }
}
