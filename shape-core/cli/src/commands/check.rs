//! `shape check`: reports what is wrong with models, and judges them by a profile.

mod baseline;
mod baselines;
mod format;
mod guard;
mod html;
mod models;
mod parallel;
mod plan;
mod profile_report;
mod progress;
mod report;
mod sources;
mod statistics;
mod tally;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use shape_core::Registry;
use shape_model::Options;
use shape_model::profile;

pub(crate) use format::CheckFormat;

use crate::config::ConfigArgs;
use crate::descriptors::{inputs, registry};
use crate::input::{label, open};
use crate::options::{ProfileName, exit_codes};
use crate::output::check_stream;
use crate::terminal::{Done, Terminal};
use baselines::Baselines;
use guard::guarded;
use html::Page;
use parallel::{Step, in_order};
use plan::{Item, plan};
use profile_report::{ModelReport, SelectedProfile};
use progress::Progress;
use report::{Checked, End, Told, Unread};
use sources::SourceArgs;
use statistics::Statistics;
use tally::Tally;

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
    "  find . -name '*.onnx' | shape check --files-from - --jobs 4 --format jsonl\n",
    "  shape check models --format sarif > shape.sarif\n",
    "  shape check model.onnx --profile sonnx --report model.html\n",
    "  shape check model.onnx --profile sonnx --option no-defaults --deny undetermined\n\n",
    "`shape explain CODE` explains the code of a finding or a rule of a profile.",
    exit_codes!(),
))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    sources: SourceArgs,

    /// Check so many models at a time; if absent, one for each core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    config: ConfigArgs,

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

    /// Count the findings by code, with the place of the first; also those that are ignored or known
    ///
    /// Text has the numbers in place of the findings, JSON has them besides.
    #[arg(long)]
    statistics: bool,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: CheckFormat,
}

pub(crate) fn run(args: &CheckArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let registry = registry(specs, terminal)?;
    let profile = args.profile.map(|profile| SelectedProfile::new(profile, &args.options)).transpose();
    let profile = profile.map_err(|error| terminal.fail(&error))?;
    let models = plan(&args.sources, &args.config, terminal)?;
    let written = args.config.write_baseline.as_deref();
    let mut baselines = Baselines::new(&models, written).map_err(|error| terminal.fail(&error))?;
    let mut inputs = inputs(specs);
    inputs.add(models.iter().flatten().map(|item| item.path.clone()));
    inputs.add(models.iter().flatten().filter_map(|item| item.settings.path.clone()));
    inputs.add(baselines.files());
    if let Some(path) = &args.report {
        check_stream(path, args.format.kind(), ("--report", "the page")).map_err(|error| terminal.fail(&error))?;
    }
    if args.statistics && !args.format.has_statistics() {
        return Err(terminal.fail("`--statistics` has no place in this format; leave out one of them").into());
    }
    for path in args.report.as_deref().into_iter().chain(written) {
        inputs.check(path).map_err(|error| terminal.fail(&error))?;
    }
    let mut report = report::begin(args.format, profile.as_ref(), args.statistics);
    let mut page = args.report.as_ref().zip(profile.as_ref()).map(|(path, profile)| (path, Page::new(profile)));
    let mut tally = Tally::new(profile.as_ref());
    let mut statistics = args.statistics.then(Statistics::default);
    let mut progress = Progress::new(models.len());
    let work = |model: &Result<Item, Unread>| match model {
        Ok(item) => guarded(|| check(&item.path, &registry, profile.as_ref())).unwrap_or_else(|said| {
            let path = label(&item.path).to_owned();
            let error = format!("{}: the check failed, which is a fault of this program: {said}", path.display());
            Err(Unread { path, error })
        }),
        Err(unread) => Err(unread.clone()),
    };
    in_order(&models, args.jobs.map(NonZeroUsize::get), work, |step| match step {
        Step::Waiting { finished } => {
            progress.show(finished);
            Ok(())
        }
        Step::Next(Ok(item), Ok(mut model)) => {
            let ignored = item.take_out_ignored(&mut model.findings);
            let known = baselines.take_out(item, &mut model.findings);
            tally.count(item, &model, &ignored, &known);
            statistics.iter_mut().for_each(|statistics| statistics.add(&model.path, &model.findings, &ignored, &known));
            if let Some(judged) = &model.judged {
                page.iter_mut().for_each(|(_, page)| page.model(judged));
                inputs.add(judged.data_files.iter().cloned());
            }
            progress.aside(terminal, |terminal| report.checked(terminal.out(), model))
        }
        Step::Next(_, Err(unread)) => {
            tally.unread += 1;
            progress.aside(terminal, |terminal| {
                terminal.error(format_args!("{}", unread.error));
                report.unread(terminal.out(), unread)
            })
        }
        // What has no item is not worked on.
        Step::Next(Err(_), Ok(_)) => Ok(()),
    })?;
    drop(progress);
    let baseline = baselines.gone().map(|gone| Told { known: tally.known, gone });
    report.end(terminal.out(), End { statistics, baseline })?;
    baselines.tell_gone(terminal);
    // The summary must be the last line on a terminal, whichever of the two streams is faster.
    terminal.flush()?;
    terminal.note(format_args!("{tally}"));
    let page = page.map_or(Ok(()), |(path, page)| inputs.write(path, page.end().as_bytes()));
    let baseline = baselines.write(&inputs, tally.unread, terminal);
    let failures = [page, baseline].into_iter().filter_map(Result::err);
    let failures = failures.map(|error| terminal.error(format_args!("{error}"))).count();
    Ok(tally.exit(failures > 0))
}

/// Checks one model, and judges it by the profile if there is one; fails if the model cannot be read. Frees the model
/// at the end, so that many models fit into memory.
fn check(path: &Path, registry: &Registry, profile: Option<&SelectedProfile>) -> Result<Checked, Unread> {
    let unread = |error| Unread { path: label(path).to_owned(), error };
    let model = open(path).map_err(unread)?;
    let path = label(path);
    let options = Options { registry: registry.clone(), ..Options::of(&model) };
    let with_path = |error| unread(format!("{}: {error}", path.display()));
    let (findings, judged) = match profile {
        None => (shape_model::check(model.model(), &options).map_err(with_path)?, None),
        Some(selected) => {
            let report = profile::check(model.model(), &options, selected.profile, &selected.options);
            let report = report.map_err(with_path)?;
            (report.findings.clone(), Some(report))
        }
    };
    model.check_unchanged().map_err(|error| unread(error.to_string()))?;
    let judged = judged.map(|report| ModelReport::new(&model, path, report));
    Ok(Checked { path: path.to_owned(), findings, judged })
}
