//! `shape check`

use std::io;
use std::path::PathBuf;

use serde::Serialize;
use shape_core::analysis::{Options, analyse};
use shape_core::model::ModelFile;

use crate::args::{CheckArgs, Deny, Format};
use crate::described::registry;
use crate::json::{self, SCHEMA_VERSION};
use crate::render::{self, Counts, number};
use crate::terminal::{Exit, Terminal};

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    findings: Vec<json::Finding>,
}

pub(crate) fn run(args: &CheckArgs, specs: &[PathBuf], terminal: &mut Terminal) -> io::Result<Exit> {
    let registry = match registry(specs, terminal) {
        Ok(registry) => registry,
        Err(exit) => return Ok(exit),
    };
    let mut report = Report { schema_version: SCHEMA_VERSION, findings: Vec::new() };
    let mut counts = Counts::default();
    let mut read = 0;
    for path in &args.models {
        let model = match ModelFile::open(path) {
            Ok(model) => model,
            Err(error) => {
                terminal.trouble(format_args!("{error}"));
                continue;
            }
        };
        let options = Options { registry: registry.clone(), ..Options::of(&model) };
        let analysis = match analyse(model.proto(), &options) {
            Ok(analysis) => analysis,
            Err(error) => {
                terminal.trouble(format_args!("{}: {error}", path.display()));
                continue;
            }
        };
        read += 1;
        counts.count(&analysis.findings);
        for finding in analysis.findings {
            match args.format {
                Format::Text => render::finding(terminal.out(), path, &finding)?,
                Format::Json => report.findings.push(json::Finding::new(path, finding)),
            }
        }
    }
    if args.format == Format::Json {
        json::write(terminal.out(), &report)?;
    }
    // The last line on a terminal is the summary, whichever of the two streams is faster.
    terminal.flush()?;
    let failed = args.models.len() - read;
    let unread = if failed > 0 { format!(", {failed} not read") } else { String::new() };
    terminal.note(format_args!("{counts} in {}{unread}", number(read, "model")));
    let denied = args.deny == Some(Deny::Warnings) && counts.warnings > 0;
    Ok(match (failed, counts.errors > 0 || denied) {
        (1.., _) => Exit::Trouble,
        (0, true) => Exit::Findings,
        (0, false) => Exit::Clean,
    })
}
