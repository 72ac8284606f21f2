//! `shape view`: a page that shows a model.
//!
//! The page asks a [`Session`] about the models that it has open. It does so from the server of this command, or, where
//! `shape-core/web` compiled this crate to WebAssembly, in the browser alone. What `shape infer --html` writes has the
//! answers in it.

mod answers;
mod compare;
mod graphs;
mod node;
mod page;
mod question;
#[cfg(not(target_family = "wasm"))]
mod server;
mod session;

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use shape_model::ModelFile;

use crate::descriptors::{Specs, inputs};
use crate::input;
use crate::options::exit_codes;
use crate::sizes::Sizes;
use crate::terminal::{Done, Exit, Terminal};

pub use page::{Engine, html};
pub use session::Session;

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
    let server = match server::PageServer::bind(args.port) {
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

/// Writes the page with what is known of a model, with sizes: what `shape infer --html` does. `path` is what named the model.
///
/// # Errors
/// Something cannot be read or written, or the model does not have what the sizes name.
pub(crate) fn write_page(
    model: &ModelFile,
    path: &Path,
    sizes: &Sizes,
    output: &Path,
    specs: &[PathBuf],
) -> Result<(), String> {
    let mut session = session(specs)?;
    // The bytes are shared.
    let copy = ModelFile::from_bytes(model.bytes().clone()).map_err(|error| error.to_string())?;
    let held = session.hold(&name(path), copy.with_external(model.external().clone()));
    let page = answers::written_page(&mut session, held, &sizes.json())?;
    let mut inputs = inputs(specs);
    inputs.add(model.data_files());
    inputs.add([path.to_owned()]);
    inputs.write(output, page.as_bytes())
}

/// A session with the descriptors of `--specs`.
fn session(specs: &[PathBuf]) -> Result<Session, String> {
    let specs = if specs.is_empty() { None } else { Some(Specs::read(specs)?) };
    Session::new(specs)
}

/// The name of a model on the page.
fn name(path: &Path) -> String {
    let path = input::label(path);
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Opens a page in the person's browser. Where there is none, the address was printed.
fn open_browser(url: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let program = if cfg!(windows) { "explorer" } else { program };
    let nothing = Stdio::null;
    let _ = Command::new(program).arg(url).stdin(nothing()).stdout(nothing()).stderr(nothing()).spawn();
}
