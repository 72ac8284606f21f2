//! `shape check`: reports what is wrong with models, and judges them by a profile.

mod baseline;
mod baselines;
mod fix;
mod format;
mod html;
mod parallel;
mod plan;
mod profile_report;
mod report;
mod sources;
mod statistics;
mod tally;
mod watch;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use shape_core::Registry;
use shape_core::runtime::release;
use shape_model::Options;
use shape_model::profile;

pub(crate) use fix::FixArgs;
pub(crate) use format::CheckFormat;

use crate::config::ConfigArgs;
use crate::descriptors::{inputs, registry};
use crate::guard::guarded;
use crate::input::{label, open};
use crate::models::Unread;
use crate::options::{ProfileName, exit_codes};
use crate::output::{Inputs, check_stream};
use crate::progress::Progress;
use crate::steps::Steps;
use crate::terminal::{Done, Exit, Terminal};
use baselines::Baselines;
use html::Page;
use parallel::{Step, in_order};
use plan::{Item, plan};
use profile_report::{ModelReport, SelectedProfile};
use report::{Checked, End, Report, Told};
use sources::SourceArgs;
use statistics::Statistics;
use tally::Tally;
use watch::{Read, watch};

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
    "  shape check model.onnx --runtime onnxruntime@1.23.0\n",
    "  shape check models --diff                    what --fix would repair\n",
    "  shape check model.onnx --fix -o fixed.onnx\n",
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

    /// Check a runtime's own operators as one of its releases has them: `onnxruntime@1.23.0`
    ///
    /// Without a release, and without the option, the newest known one is meant.
    #[arg(long, value_name = "NAME@RELEASE")]
    runtime: Option<String>,

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

    /// Check again whenever a model, its data, `shape.toml` or another file that is read changes, until Ctrl-C
    #[arg(long, conflicts_with = "write_baseline")]
    watch: bool,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: CheckFormat,

    #[command(flatten)]
    pub(crate) fix: FixArgs,
}

pub(crate) fn run(args: &CheckArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    if !args.watch {
        return once(args, specs, terminal, &mut Read::default());
    }
    if args.sources.reads_stdin() {
        return Err(terminal.fail("`--watch` reads models again, and standard input can be read once").into());
    }
    watch(&args.sources, specs, terminal, |terminal, read| once(args, specs, terminal, read))
}

/// Checks the models once; adds the files that it reads besides them to `read`.
fn once(args: &CheckArgs, specs: &[PathBuf], terminal: &mut Terminal, read: &mut Read) -> Done {
    let session = Session::begin(args, specs, terminal)?;
    read.settings(&session.models, &session.baselines);
    let Session { registry, profile, models, baselines, inputs } = session;
    let profile = profile.as_ref();
    let page = args.report.as_ref().zip(profile).map(|(path, profile)| (path, Page::new(profile)));
    let mut results = Results {
        report: report::begin(args.format, profile, args.statistics),
        page,
        tally: Tally::new(profile, args.fix.totals()),
        statistics: args.statistics.then(Statistics::default),
        baselines,
        inputs,
    };
    let mut progress = Progress::new("[{bar:40}] {pos} of {len} models", models.len(), terminal.is_quiet());
    // They are of use where something is written, or waited for.
    let with_data = args.watch || args.report.is_some() || args.config.write_baseline.is_some();
    let work = |model: &Result<Item, Unread>| match model {
        Ok(item) => {
            guarded(|| check(item, (&registry, specs), profile, (with_data, &args.fix))).unwrap_or_else(|said| {
                let path = label(&item.path).to_owned();
                let error = format!("{}: the check failed, which is a fault of this program: {said}", path.display());
                Err(Unread { path, error })
            })
        }
        Err(unread) => Err(unread.clone()),
    };
    in_order(&models, args.jobs.map(NonZeroUsize::get), work, |step| match step {
        Step::Waiting { finished } => {
            progress.position(finished);
            Ok(())
        }
        Step::Next(Ok(item), Ok((model, steps))) => {
            read.data(&model.data_files);
            let model = results.settle(item, model);
            progress.aside(terminal, |terminal| {
                terminal.took(&model.path, &steps);
                results.report.checked(terminal.out(), model)
            })
        }
        Step::Next(_, Err(unread)) => {
            results.tally.unread += 1;
            progress.aside(terminal, |terminal| {
                terminal.error(format_args!("{}", unread.error));
                results.report.unread(terminal.out(), unread)
            })
        }
        // What has no item is not worked on.
        Step::Next(Err(_), Ok(_)) => Ok(()),
    })?;
    progress.end();
    results.end(terminal)
}

/// What a run is about.
struct Session {
    registry: Registry,
    profile: Option<SelectedProfile>,
    models: Vec<Result<Item, Unread>>,
    baselines: Baselines,
    inputs: Inputs,
}

impl Session {
    /// Reads all that must be there before the first model is checked. Reports what is wrong with it.
    fn begin(args: &CheckArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        let mut registry = registry(specs, terminal)?;
        if let Some(name) = &args.runtime {
            registry = registry.of_release(release(name).map_err(|error| terminal.fail(&error.to_string()))?);
        }
        let profile = args.profile.map(|profile| SelectedProfile::new(profile, &args.options)).transpose();
        let profile = profile.map_err(|error| terminal.fail(&error))?;
        if args.statistics && !args.format.has_statistics() {
            return Err(terminal.fail("`--statistics` has no place in this format; leave out one of them"));
        }
        let models = plan(&args.sources, &args.config, terminal)?;
        let paths: Vec<&Path> = models.iter().flatten().map(|item| &*item.path).collect();
        args.fix.check(&paths, args.format).map_err(|error| terminal.fail(&error))?;
        let written = args.config.write_baseline.as_deref();
        let baselines = Baselines::new(&models, written).map_err(|error| terminal.fail(&error))?;
        let mut inputs = inputs(specs);
        inputs.add(models.iter().flatten().map(|item| item.path.clone()));
        inputs.add(models.iter().flatten().filter_map(|item| item.settings.path.clone()));
        inputs.add(baselines.files().chain(args.sources.list().map(Path::to_owned)));
        let page = args.report.as_deref().map(|path| (path, ("--report", "the page")));
        let outputs = page.into_iter().chain(written.map(|path| (path, ("--write-baseline", "the findings"))));
        for (path, what) in outputs {
            let checked = check_stream(path, args.format.kind(), what).and_then(|()| inputs.check(path));
            checked.map_err(|error| terminal.fail(&error))?;
        }
        Ok(Self { registry, profile, models, baselines, inputs })
    }
}

/// What comes of a run.
struct Results<'p> {
    report: Box<dyn Report + 'p>,
    page: Option<(&'p PathBuf, Page<'p>)>,
    tally: Tally,
    statistics: Option<Statistics>,
    baselines: Baselines,
    inputs: Inputs,
}

impl Results<'_> {
    /// Counts what was found of a model, and takes out what is not reported.
    fn settle(&mut self, item: &Item, mut model: Checked) -> Checked {
        let ignored = item.take_out_ignored(&mut model.findings);
        let known = self.baselines.take_out(item, &mut model.findings);
        self.tally.count(item, &model, &ignored, &known);
        if let Some(statistics) = &mut self.statistics {
            statistics.add(&model.path, &model.findings, &ignored, &known);
        }
        if let (Some((_, page)), Some(judged)) = (&mut self.page, &model.judged) {
            page.model(judged);
        }
        self.inputs.add(model.data_files.iter().cloned());
        model
    }

    /// Tells what there is to tell at the end, and writes the files.
    fn end(self, terminal: &mut Terminal) -> Done {
        let Self { report, page, tally, statistics, baselines, inputs } = self;
        let baseline = baselines.gone().map(|gone| Told { known: tally.known, gone });
        report.end(terminal.out(), End { statistics, baseline })?;
        baselines.tell_gone(terminal);
        // The summary must be the last line on a terminal, whichever of the two streams is faster.
        terminal.flush()?;
        terminal.note(format_args!("{tally}"));
        let page = page.map_or(Ok(()), |(path, page)| inputs.write(path, page.end()?.as_bytes()));
        let baseline = baselines.write(&inputs, tally.unread, terminal);
        let failures = [page, baseline].into_iter().filter_map(Result::err);
        let failures = failures.map(|error| terminal.error(format_args!("{error}"))).count();
        Ok(tally.exit(failures > 0))
    }
}

/// Checks one model, repairs it if that is asked for, and judges it by the profile if there is one; fails if the model cannot
/// be read or written. Frees the model at the end, so that many models fit into memory; `with_data` names the files with its
/// data.
fn check(
    item: &Item,
    (registry, specs): (&Registry, &[PathBuf]),
    profile: Option<&SelectedProfile>,
    (with_data, fix): (bool, &FixArgs),
) -> Result<(Checked, Steps), Unread> {
    let mut steps = Steps::begin();
    let path = &*item.path;
    let unread = |error| Unread { path: label(path).to_owned(), error };
    let model = open(path).map_err(unread)?;
    steps.end("read");
    let path = label(path);
    let options = Options { registry: registry.clone(), ..Options::of(&model) };
    let with_path = |error| unread(format!("{}: {error}", path.display()));
    let (mut findings, judged) = match profile {
        None => (shape_model::check(model.model(), &options).map_err(with_path)?, None),
        Some(selected) => {
            let report = profile::check(model.model(), &options, selected.profile, &selected.options);
            let report = report.map_err(with_path)?;
            (report.findings.clone(), Some(report))
        }
    };
    model.check_unchanged().map_err(|error| unread(error.to_string()))?;
    steps.end("checked");
    let fixes =
        fix.apply((&model, path), (&options, &|code| item.reports(code)), &mut findings, specs).map_err(unread)?;
    steps.end("searched for fixes");
    let data_files = if with_data { model.data_files() } else { Vec::new() };
    let judged = judged.map(|report| ModelReport::new(&model, path, report));
    Ok((Checked { path: path.to_owned(), findings, data_files, judged, fixes }, steps))
}
