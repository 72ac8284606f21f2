//! `shape man`: writes the manual pages.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Command;
use clap_mangen::Man;

use crate::options::exit_codes;
use crate::output::Inputs;
use crate::render::number;
use crate::terminal::{Done, Exit, Terminal};

/// Print a manual page, or write all of them
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape man check | man -l -\n",
    "  shape man -o ~/.local/share/man/man1",
    exit_codes!(),
))]
pub(crate) struct ManArgs {
    /// The command whose page is printed, such as `check` or `specs lint`; without it, the page of `shape` itself
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    of: Vec<String>,

    /// Write the page of each command into this folder, which is created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// `command` is the command line with all its commands.
pub(crate) fn run(args: &ManArgs, command: Command, terminal: &mut Terminal) -> Done {
    // Each command gets its full name, and the options that all of them have.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    collect(&command, &mut pages);
    let Some(folder) = &args.output else {
        let name = ["shape"].into_iter().chain(args.of.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
        let Some((_, page)) = pages.iter().find(|(of, _)| *of == name) else {
            return Ok(terminal.fail(&format!("there is no command `{}`; `shape help` lists them", args.of.join(" "))));
        };
        terminal.out().write_all(&render(page)?)?;
        return Ok(Exit::Clean);
    };
    let written = fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()));
    let written = written.and_then(|()| {
        pages.iter().try_for_each(|(name, page)| {
            let bytes = render(page).map_err(|error| error.to_string())?;
            Inputs::default().replace(&folder.join(format!("{name}.1")), &bytes)
        })
    });
    match written {
        Ok(()) => {
            terminal.note(format_args!("wrote {} to {}", number(pages.len(), "page"), folder.display()));
            Ok(Exit::Clean)
        }
        Err(error) => Ok(terminal.fail(&error)),
    }
}

/// Adds a command and those in it, each with the name of its page, such as `shape-specs-lint`.
fn collect<'c>(command: &'c Command, pages: &mut Vec<(&'c str, &'c Command)>) {
    pages.push((command.get_display_name().unwrap_or(command.get_name()), command));
    let shown = command.get_subcommands().filter(|within| !within.is_hide_set() && within.get_name() != "help");
    shown.for_each(|within| collect(within, pages));
}

fn render(page: &Command) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let source = concat!("shape ", env!("CARGO_PKG_VERSION"));
    Man::new(page.clone()).source(source).manual("Manual of shape").render(&mut bytes)?;
    Ok(bytes)
}
