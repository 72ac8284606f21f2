//! The command that serves the page until it is stopped.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::named::{name, session};
use super::server::PageServer;
use crate::input;
use crate::options::exit_codes;
use crate::terminal::{Done, Exit, Terminal};

/// Look at models in a browser
///
/// Serves a page on the loopback address of this machine, at a free port and a path that nobody else can guess, and prints
/// where; nothing leaves the machine. The page shows each node with the dimensions of its values, what is unknown and why,
/// findings, and the graph as a drawing; it recomputes all of it for sizes, and simplifies, converts, compares and saves.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape view model.onnx\n",
    "  shape view before.onnx after.onnx     two models, to compare them\n",
    "  shape view --no-browser               only print where the page is\n\n",
    "The command runs until it is stopped, as by Ctrl-C.",
    exit_codes!(),
))]
pub(crate) struct ViewArgs {
    /// Model files; `-` is standard input. Others can be opened in the page
    models: Vec<PathBuf>,

    /// Open no browser
    #[arg(long)]
    no_browser: bool,

    /// The port; by default a free one
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

pub(crate) fn run(args: &ViewArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let mut session = session(specs).map_err(|error| terminal.fail(&error))?;
    for path in &args.models {
        let model = input::open(path).map_err(|error| terminal.fail(&error))?;
        session.hold(&name(path), model);
    }
    let server = match PageServer::bind(args.port) {
        Ok(server) => server,
        Err(error) => return Ok(terminal.fail(&error)),
    };
    let url = server.url();
    writeln!(terminal.out(), "{url}")?;
    terminal.flush()?;
    if !args.no_browser && std::io::stdout().is_terminal() {
        open_browser(&url);
    }
    terminal.note(format_args!("the page is served until this command is stopped"));
    match server.serve(&mut session) {
        Ok(()) => Ok(Exit::Clean),
        Err(error) => Ok(terminal.fail(&format!("the page cannot be served any more: {error}"))),
    }
}

/// Opens a page in the person's browser. Where there is none, the address was printed.
fn open_browser(url: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let program = if cfg!(windows) { "explorer" } else { program };
    let nothing = Stdio::null;
    let _ = Command::new(program).arg(url).stdin(nothing()).stdout(nothing()).stderr(nothing()).spawn();
}
