//! `shape check`: reports what is wrong with models, and judges them by a profile.

mod format;
mod html;
mod parallel;
mod profile_report;
mod progress;
mod report;
mod sarif;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use shape_core::Registry;
use shape_model::Finding;
use shape_model::Options;
use shape_model::profile;

pub(crate) use format::CheckFormat;

use crate::descriptors::{inputs, registry};
use crate::input::{label, open};
use crate::models;
use crate::options::{ProfileName, exit_codes};
use crate::output::check_stream;
use crate::render::{Counts, number};
use crate::steps::Steps;
use crate::terminal::{Done, Exit, Terminal};
use html::Page;
use parallel::{Step, in_order};
use profile_report::{ModelReport, SelectedProfile, Totals};
use progress::Progress;
use report::Report;

/// Report what is wrong with models
///
/// Checks each node against the operator version that the opset imports of the model select: in the graph, in
/// subgraphs, and in model-local functions. Reports all findings, not only the first. Several models are checked in
/// parallel; their findings appear in the order of the arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape check model.onnx\n",
    "  shape check models --deny warnings          every *.onnx below the folder\n",
    "  shape check model.onnx --format json | jq -r '.findings[].code'\n",
    "  shape check models --format github           annotations of a pull request\n",
    "  shape check models --format sarif > shape.sarif\n",
    "  shape check model.onnx --profile sonnx --report model.html\n",
    "  shape check model.onnx --profile sonnx --option no-defaults --deny undetermined\n\n",
    "`shape explain CODE` explains the code of a finding or a rule of a profile.",
    exit_codes!(),
))]
pub(crate) struct CheckArgs {
    /// Model files, patterns such as `models/*.onnx`, or folders with models: of a folder, every `*.onnx` at any depth,
    /// sorted by path; `-` is standard input
    ///
    /// Of a folder, only regular files are read. If one model cannot be read, the others are still checked.
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,

    /// Exit with 1 for these too; may be repeated
    #[arg(long, value_name = "WHAT")]
    deny: Vec<Deny>,

    /// Also judge the models by the rules of a profile
    ///
    /// Prints the findings about ONNX first. Then each rule has a verdict: pass, fail, or undetermined with the reason.
    /// A rule that fails counts as an error.
    #[arg(long, value_name = "PROFILE")]
    profile: Option<ProfileName>,

    /// Include the rules of an option of the profile; may be repeated
    #[arg(id = "profile_option", long = "option", value_name = "NAME", requires = "profile")]
    options: Vec<String>,

    /// Write the verdicts of the profile to a self-contained HTML page
    ///
    /// `-` is standard output; then results are written to standard error. A file is replaced only after everything is
    /// written, so a failure leaves the old file as it was. It must not be a file that the command reads.
    #[arg(long, value_name = "FILE.html", requires = "profile")]
    pub(crate) report: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: CheckFormat,
}

/// What `--deny` turns into an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Findings that are warnings
    Warnings,
    /// Rules of the profile whose verdict is undetermined
    Undetermined,
}

pub(crate) fn run(args: &CheckArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let registry = registry(specs, terminal)?;
    let profile = args.profile.map(|profile| SelectedProfile::new(profile, &args.options)).transpose();
    let profile = profile.map_err(|error| terminal.fail(&error))?;
    let mut skipped = Vec::new();
    let models = models::named(&args.models, &mut skipped);
    skipped.iter().for_each(|path| terminal.skipped(path));
    let mut inputs = inputs(specs);
    inputs.add(models.iter().flatten().cloned());
    if let Some(path) = &args.report {
        check_stream(path, args.format.kind(), ("--report", "the page")).map_err(|error| terminal.fail(&error))?;
        inputs.check(path).map_err(|error| terminal.fail(&error))?;
    }
    let mut report = Report::new(args.format, profile.as_ref());
    let mut page = args.report.as_ref().zip(profile.as_ref()).map(|(path, profile)| (path, Page::new(profile)));
    let (mut counts, mut totals) = (Counts::default(), Totals::default());
    let mut read = 0;
    let mut progress = Progress::new(models.len(), terminal.is_quiet());
    let work = |model: &Result<PathBuf, String>| match model {
        Ok(path) => check(path, &registry, profile.as_ref()).map(|results| (label(path).to_owned(), results)),
        Err(error) => Err(error.clone()),
    };
    in_order(&models, work, |step| match step {
        Step::Waiting { finished } => {
            progress.show(finished);
            Ok(())
        }
        Step::Next(Err(error)) => {
            progress.aside(terminal, |terminal| {
                terminal.error(format_args!("{error}"));
                Ok(())
            })?;
            report.error(&error);
            Ok(())
        }
        Step::Next(Ok((path, (findings, judged, steps)))) => {
            read += 1;
            if terminal.is_verbose() {
                progress.aside(terminal, |terminal| {
                    terminal.took(&path, &steps);
                    Ok(())
                })?;
            }
            counts.count(&findings);
            if let Some(judged) = &judged {
                totals.add(Totals::of(&judged.report));
                page.iter_mut().for_each(|(_, page)| page.model(judged));
                inputs.add(judged.data_files.iter().cloned());
            }
            if findings.is_empty() && judged.is_none() {
                return Ok(());
            }
            progress.aside(terminal, |terminal| {
                report.findings(terminal.out(), &path, findings)?;
                judged.map_or(Ok(()), |judged| report.profile(terminal.out(), judged))
            })
        }
    })?;
    drop(progress);
    report.end(terminal.out())?;
    // The summary must be the last line on a terminal, whichever of the two streams is faster.
    terminal.flush()?;
    let mut failed = models.len() - read;
    let unread = if failed > 0 { format!(", {failed} not read") } else { String::new() };
    let judged = profile.as_ref().map(|selected| format!("; {}: {totals}", selected.profile.name)).unwrap_or_default();
    terminal.note(format_args!("{counts} in {}{unread}{judged}", number(read, "model")));
    if let Some((path, page)) = page
        && let Err(error) = inputs.write(path, page.end().as_bytes())
    {
        terminal.error(format_args!("{error}"));
        failed += 1;
    }
    let denied = args.deny.iter().any(|deny| match deny {
        Deny::Warnings => counts.warnings > 0,
        Deny::Undetermined => totals.undetermined > 0,
    });
    Ok(match (failed, counts.errors > 0 || totals.fail > 0 || denied) {
        (1.., _) => Exit::Failure,
        (0, true) => Exit::Findings,
        (0, false) => Exit::Clean,
    })
}

/// Checks one model, and judges it by the profile if there is one; fails if the model cannot be read. Frees the model
/// at the end, so that many models fit into memory.
fn check(
    path: &Path,
    registry: &Registry,
    profile: Option<&SelectedProfile>,
) -> Result<(Vec<Finding>, Option<ModelReport>, Steps), String> {
    let mut steps = Steps::begin();
    let model = open(path)?;
    steps.end("read");
    let path = label(path);
    let options = Options { registry: registry.clone(), ..Options::of(&model) };
    let with_path = |error| format!("{}: {error}", path.display());
    let Some(selected) = profile else {
        let findings = shape_model::check(model.model(), &options).map_err(with_path)?;
        model.check_unchanged().map_err(|error| error.to_string())?;
        steps.end("checked");
        return Ok((findings, None, steps));
    };
    let report = profile::check(model.model(), &options, selected.profile, &selected.options).map_err(with_path)?;
    model.check_unchanged().map_err(|error| error.to_string())?;
    steps.end("checked");
    Ok((report.findings.clone(), Some(ModelReport::new(&model, path, report)), steps))
}
