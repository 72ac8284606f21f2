//! `shape check`

mod models;
mod order;
mod progress;
mod report;
mod sarif;

use std::path::{Path, PathBuf};

use shape_core::Registry;
use shape_core::analysis::{self, Options};
use shape_core::finding::Finding;
use shape_core::model::ModelFile;

use crate::args::{CheckArgs, Deny};
use crate::described::registry;
use crate::render::{Counts, number};
use crate::terminal::{Done, Exit, Terminal};
use order::{Step, in_order};
use progress::Progress;
use report::Report;

pub(crate) fn run(args: &CheckArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let registry = registry(specs, terminal)?;
    let models = models::named(&args.models);
    let mut report = Report::new(args.format);
    let mut counts = Counts::default();
    let mut read = 0;
    let mut progress = Progress::new(models.len());
    let work = |model: &Result<PathBuf, String>| match model {
        Ok(path) => check(path, &registry).map(|findings| (path.clone(), findings)),
        Err(trouble) => Err(trouble.clone()),
    };
    in_order(&models, work, |step| match step {
        Step::Waiting { finished } => {
            progress.show(finished);
            Ok(())
        }
        Step::Next(Err(trouble)) => {
            progress.aside(terminal, |terminal| {
                terminal.trouble(format_args!("{trouble}"));
                Ok(())
            })?;
            report.trouble(&trouble);
            Ok(())
        }
        Step::Next(Ok((path, findings))) => {
            read += 1;
            counts.count(&findings);
            if findings.is_empty() {
                return Ok(());
            }
            progress.aside(terminal, |terminal| report.findings(terminal.out(), &path, findings))
        }
    })?;
    drop(progress);
    report.end(terminal.out())?;
    // The last line on a terminal is the summary, whichever of the two streams is faster.
    terminal.flush()?;
    let failed = models.len() - read;
    let unread = if failed > 0 { format!(", {failed} not read") } else { String::new() };
    terminal.note(format_args!("{counts} in {}{unread}", number(read, "model")));
    let denied = args.deny == Some(Deny::Warnings) && counts.warnings > 0;
    Ok(match (failed, counts.errors > 0 || denied) {
        (1.., _) => Exit::Trouble,
        (0, true) => Exit::Findings,
        (0, false) => Exit::Clean,
    })
}

/// What is found in a model, or why it cannot be looked at. The model itself is let go.
fn check(path: &Path, registry: &Registry) -> Result<Vec<Finding>, String> {
    let model = ModelFile::open(path).map_err(|error| error.to_string())?;
    let options = Options { registry: registry.clone(), ..Options::of(&model) };
    analysis::check(model.proto(), &options).map_err(|error| format!("{}: {error}", path.display()))
}
