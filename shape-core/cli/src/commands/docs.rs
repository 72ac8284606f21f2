//! `shape docs`: writes the descriptors as a site of static pages.

mod address;
mod codes;
mod difference;
mod domain;
mod errata;
mod folder;
mod frame;
mod operator;
mod opset;
mod pages;
mod profile;
pub(crate) mod prose;
mod rules;
mod runtimes;
mod search;
mod site;
mod sources;
mod support;
mod types;
mod version;
mod viewer;

use std::path::PathBuf;

use serde::Serialize;
use shape_specs::Scope;

use crate::descriptors::{Descriptors, inputs};
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, exit_codes};
use crate::render::{grouped, number};
use crate::terminal::{Done, Exit, Terminal};
use folder::Folder;
use site::Site;
use sources::Sources;

/// Write a site about all operators: a page for each version, what changed between any two, and what runtimes take
///
/// The pages are static: they can be read from a disk and without scripts, and any server can serve them. Beside the page of
/// an operator, a version, two versions, an opset, a domain, a type, a code and a rule of a profile is `index.json` with its
/// facts; `all.json` has those of all operators, and `onnx-metadata.json` has them in the form of the file with that name of
/// netron. The operators of --specs have pages too.
///
/// DIR must be new, empty, or what an earlier `shape docs` wrote. Files that have changed are replaced one by one, and
/// those of pages that no longer exist are deleted; other files in it stay.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape docs -o site                   then open site/index.html\n",
    "  shape docs -o site --specs vendor    with operators of your own",
    exit_codes!(),
))]
pub(crate) struct DocsArgs {
    /// Write the site into this folder, which is created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// What was written.
#[derive(Serialize)]
struct Report {
    schema_version: u32,
    folder: String,
    operators: usize,
    versions: usize,
    pages: usize,
    files: usize,
    bytes: usize,
    /// The files that are new or differ from what was there.
    written: usize,
    deleted: usize,
}

pub(crate) fn run(args: &DocsArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    // Refused before anything is read.
    let folder = Folder::open(&args.output).map_err(|error| terminal.fail(&error))?;
    let descriptors = Descriptors::read(Scope::Whole, specs, terminal)?;
    let sources = Sources::read(terminal)?;
    let site = Site::new(&descriptors, &sources);
    let files = pages::all(&site).map_err(|error| terminal.fail(&error))?;
    let written = folder.write(&files, &inputs(specs)).map_err(|error| terminal.fail(&error))?;
    let report = Report {
        schema_version: SCHEMA_VERSION,
        folder: args.output.to_string_lossy().into_owned(),
        operators: site.all().count(),
        versions: site.all().map(|operator| operator.versions.len()).sum(),
        pages: files.iter().filter(|file| file.path.ends_with(".html")).count(),
        files: files.len(),
        bytes: files.iter().map(|file| file.bytes.len()).sum(),
        written: written.written,
        deleted: written.deleted,
    };
    match args.format {
        Format::Json => json::write(terminal.out(), &report)?,
        Format::Text => {
            let (pages, versions) = (number(report.pages, "page"), number(report.versions, "version"));
            let (operators, bytes) = (number(report.operators, "operator"), grouped(report.bytes));
            terminal.note(format_args!(
                "wrote {pages} about {versions} of {operators} to {}: {} with {bytes} bytes, of which {} changed and {} \
                 went",
                args.output.display(),
                number(report.files, "file"),
                report.written,
                report.deleted,
            ));
        }
    }
    Ok(Exit::Clean)
}
