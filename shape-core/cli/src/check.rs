//! `shape check`

mod judged;
mod models;
mod order;
mod page;
mod progress;
mod report;
mod sarif;

use std::fs;
use std::path::{Path, PathBuf};

use shape_core::Registry;
use shape_model::Finding;
use shape_model::Options;
use shape_model::file::ModelFile;
use shape_model::profile;

use crate::args::{CheckArgs, Deny};
use crate::described::registry;
use crate::render::{Counts, number};
use crate::terminal::{Done, Exit, Terminal};
use judged::{By, Judged, Totals};
use order::{Step, in_order};
use page::Page;
use progress::Progress;
use report::Report;

pub(crate) fn run(args: &CheckArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let registry = registry(specs, terminal)?;
    let by = By::asked(args).map_err(|trouble| terminal.fail(&trouble))?;
    let models = models::named(&args.models);
    let mut report = Report::new(args.format, by.as_ref());
    let mut page = args.report.as_ref().zip(by.as_ref()).map(|(path, by)| (path, Page::new(by)));
    let (mut counts, mut totals) = (Counts::default(), Totals::default());
    let mut read = 0;
    let mut progress = Progress::new(models.len());
    let work = |model: &Result<PathBuf, String>| match model {
        Ok(path) => check(path, &registry, by.as_ref()).map(|found| (path.clone(), found)),
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
        Step::Next(Ok((path, (findings, judged)))) => {
            read += 1;
            counts.count(&findings);
            if let Some(judged) = &judged {
                totals.add(Totals::of(&judged.report));
                page.iter_mut().for_each(|(_, page)| page.model(judged));
            }
            if findings.is_empty() && judged.is_none() {
                return Ok(());
            }
            progress.aside(terminal, |terminal| {
                report.findings(terminal.out(), &path, findings)?;
                judged.map_or(Ok(()), |judged| report.judged(terminal.out(), judged))
            })
        }
    })?;
    drop(progress);
    report.end(terminal.out())?;
    // The last line on a terminal is the summary, whichever of the two streams is faster.
    terminal.flush()?;
    let mut failed = models.len() - read;
    let unread = if failed > 0 { format!(", {failed} not read") } else { String::new() };
    let judged = by.as_ref().map(|by| format!("; {}: {totals}", by.profile.name)).unwrap_or_default();
    terminal.note(format_args!("{counts} in {}{unread}{judged}", number(read, "model")));
    if let Some((path, page)) = page
        && let Err(error) = fs::write(path, page.end())
    {
        terminal.trouble(format_args!("cannot write {}: {error}", path.display()));
        failed += 1;
    }
    let denied = args.deny.iter().any(|deny| match deny {
        Deny::Warnings => counts.warnings > 0,
        Deny::Undetermined => totals.undetermined > 0,
    });
    Ok(match (failed, counts.errors > 0 || totals.fail > 0 || denied) {
        (1.., _) => Exit::Trouble,
        (0, true) => Exit::Findings,
        (0, false) => Exit::Clean,
    })
}

/// What is found in a model, and what is said of it by a profile; or why it cannot be looked at. The model itself is let
/// go.
fn check(path: &Path, registry: &Registry, by: Option<&By>) -> Result<(Vec<Finding>, Option<Judged>), String> {
    let model = ModelFile::open(path).map_err(|error| error.to_string())?;
    let options = Options { registry: registry.clone(), ..Options::of(&model) };
    let wrong = |error| format!("{}: {error}", path.display());
    let Some(by) = by else {
        return shape_model::check(model.proto(), &options).map_err(wrong).map(|findings| (findings, None));
    };
    let report = profile::check(model.proto(), &options, by.profile, &by.options).map_err(wrong)?;
    Ok((report.findings.clone(), Some(Judged::new(&model, path, report))))
}
