//! `shape infer`: infers the types, dimensions and elements of the values of a model.

mod dot;
mod table;
mod unknown;
pub(crate) mod why;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anstream::adapter::strip_str;
use serde::Serialize;
use shape_core::Registry;
use shape_model::file::{GraphEdit, ModelEdit};
use shape_model::{Analysis, Annotations, GraphKind, Options, Origin, Value, analyse, annotate};
use shape_model::{Finding, Model, ModelFile, Summary, Trace};

use crate::causes;
use crate::descriptors::{inputs, registry};
use crate::input;
use crate::json::{self, SCHEMA_VERSION};
use crate::models;
use crate::options::{Format, exit_codes};
use crate::output::{self, ModelOutput, check_stream};
use crate::render::{Clean, Counts, STRONG, number};
use crate::sizes::{Sizes, unknown_name};
use crate::steps::Steps;
use crate::terminal::{Done, Exit, Results, Stop, Terminal};
use crate::values::json::Row;

/// Infer the type and the dimensions of every value of a model
///
/// A dimension is a number, a symbol such as `batch`, or unknown; the output says why it is unknown. The elements of
/// tensors that hold sizes are computed too. `8?` is a size that does not follow from the inputs: the model declares it for
/// this value, or for one before it. In the table, `#7` stands for the output of node 7, elements follow an
/// equals sign, and `…` marks a shortened name.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape infer model.onnx\n",
    "  shape infer model.onnx --input x:1,3,224,224\n",
    "  shape infer model.onnx --set batch=4 --set seq=128 --strict\n",
    "  shape infer model.onnx -o model.onnx\n",
    "  shape infer model.onnx --changed              what the model does not declare\n",
    "  shape infer model.onnx --why logits           how a value was inferred\n",
    "  shape infer model.onnx --unknown              what is not known, by where that begins\n",
    "  shape infer model.onnx --dot | dot -Tsvg > model.svg\n",
    "  shape infer model.onnx --html model.html      a page to send to somebody\n\n",
    "If the model has errors, the rest is still inferred and written; the exit code is 1.",
    exit_codes!(),
))]
pub(crate) struct InferArgs {
    /// Model files, folders with models, or patterns such as `models/*.onnx`; `-` is standard input
    ///
    /// Of several models, one is told after the other, in JSON with an object for each; -o, --why and --dot need a single
    /// one.
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,

    /// Write the model with the inferred types and dimensions as `value_info`; may be MODEL itself
    ///
    /// `-` is standard output; then results are written to standard error. All other bytes of the model stay the same.
    /// Values count as inferred if --input or --set decides them. The file is replaced only after everything is written,
    /// so a failure leaves the old file as it was. A link stays, and the file that it leads to is replaced. The table is
    /// left out then, unless --changed asks for it.
    #[arg(short, long, value_name = "OUT.onnx")]
    pub(crate) output: Option<PathBuf>,

    /// Write sizes that the model does not name by the names that the table has for them, such as `n0`
    #[arg(long, requires = "output")]
    name_unknowns: bool,

    /// Complete the declarations of the graph outputs too
    #[arg(long, requires = "output")]
    outputs: bool,

    #[command(flatten)]
    external: ModelOutput,

    #[command(flatten)]
    sizes: Sizes,

    /// Conclude nothing from what a node must have to run
    ///
    /// Otherwise what is known of a value holds for every run that succeeds: behind a product of two matrices, the first
    /// has as many columns as the second has rows. `--why` shows where that is used.
    #[arg(long)]
    no_assume: bool,

    /// Report an error for every value that is not fully known
    #[arg(long)]
    strict: bool,

    /// Show only the values of which more is known than the model declares
    #[arg(long)]
    changed: bool,

    /// Call values as the file does: no numbers of nodes, and no shortened names
    #[arg(long)]
    full_names: bool,

    /// Show how a value was inferred, step by step
    ///
    /// Each step is a node, with the rule of its operator, what is known of the inputs that the rule reads, and the
    /// result. The steps begin at inputs and initializers, or at the first node whose result is unknown. If several
    /// graphs have a value of this name, put the path of the graph and a slash before it. What a table shows is understood
    /// too: `#12` and `#12.1` for outputs of a node, `…_output_0` for the end of a name, and `n0` for the value where a
    /// fresh symbol begins.
    #[arg(long, value_name = "VALUE", conflicts_with_all = ["changed", "dot"])]
    why: Option<String>,

    /// List only the values that are not known, those with the same origin together, most values first
    ///
    /// A value in fresh symbols, such as `n0`, is known but for sizes that the model does not name.
    #[arg(long, conflicts_with_all = ["changed", "dot", "why"])]
    unknown: bool,

    /// Print the graph for Graphviz, with dimensions at the edges; edges that are not fully known are red
    #[arg(long, conflicts_with_all = ["changed", "format"])]
    dot: bool,

    /// Write a page for a browser, with all that is known, into one file that needs nothing else
    #[cfg(feature = "pages")]
    #[arg(long, value_name = "OUT.html", conflicts_with_all = ["no_assume", "dot"])]
    html: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

impl InferArgs {
    /// The page to write.
    pub(crate) fn html(&self) -> Option<&Path> {
        #[cfg(feature = "pages")]
        return self.html.as_deref();
        #[cfg(not(feature = "pages"))]
        None
    }

    /// The option that needs a single model, if there is one.
    fn of_one_model(&self) -> Option<&'static str> {
        let options = [
            ("-o", self.output.is_some()),
            ("--why", self.why.is_some()),
            ("--dot", self.dot),
            ("--html", self.html().is_some()),
        ];
        options.iter().find(|(_, given)| *given).map(|(option, _)| *option)
    }

    /// Whether the table of values is printed, which takes as long as all else: not beside a file that has all of it.
    fn has_table(&self) -> bool {
        self.changed || (self.output.is_none() && self.html().is_none())
    }

    fn annotations(&self) -> Annotations {
        Annotations { fresh_symbols: self.name_unknowns, outputs: self.outputs }
    }
}

/// What is known of the values of a model.
#[derive(Serialize)]
pub(crate) struct Report<'a, V> {
    schema_version: u32,
    /// Present if there are several models.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    values: V,
    /// The fresh symbols, which stand for sizes that the model does not name.
    symbols: Vec<unknown::JsonSymbol<'a>>,
    summary: Option<unknown::JsonSummary>,
    findings: Vec<json::Finding>,
}

/// What is known of the values of a model that are in no function; `shown` says of which.
pub(crate) fn report<'a>(
    analysis: &'a Analysis<'_>,
    summary: Option<&Summary>,
    shown: Option<&'a [bool]>,
    findings: Vec<json::Finding>,
) -> Report<'a, impl Serialize> {
    let is_shown = move |index: usize| shown.is_none_or(|shown| shown.get(index) == Some(&true));
    let values = analysis.values.iter().enumerate().filter(move |(index, _)| is_shown(*index));
    Report {
        schema_version: SCHEMA_VERSION,
        model: None,
        values: json::Each(values.filter_map(|(_, value)| listed(analysis, value))),
        symbols: unknown::symbols(analysis),
        summary: summary.map(unknown::JsonSummary::new),
        findings,
    }
}

/// How one value was inferred.
#[derive(Serialize)]
pub(crate) struct Why<'a> {
    schema_version: u32,
    value: Row<'a>,
    steps: Vec<why::JsonStep<'a>>,
    findings: Vec<json::Finding>,
}

impl<'a> Why<'a> {
    /// What a trace found; `None` if it is of another analysis.
    pub(crate) fn new(analysis: &'a Analysis<'_>, trace: &'a Trace<'_>, findings: Vec<json::Finding>) -> Option<Self> {
        let value = Row::new(analysis, analysis.values.get(trace.value as usize)?);
        Some(Self { schema_version: SCHEMA_VERSION, value, steps: why::steps(analysis, &trace.steps), findings })
    }
}

/// What writes a page with what is known of a model, with sizes, into a file.
pub(crate) type WritePage = fn(&ModelFile, &Path, &Sizes, &Path, &[PathBuf]) -> Result<(), String>;

pub(crate) fn run(args: &InferArgs, specs: &[PathBuf], write_page: WritePage, terminal: &mut Terminal) -> Done {
    if let Some(output) = &args.output {
        // A drawing is for a program, as JSON is.
        let format = if args.dot { Format::Json } else { args.format };
        ModelOutput::check(output, format).map_err(|error| terminal.fail(&error))?;
    }
    if let Some(page) = args.html() {
        check_stream(page, args.format, ("--html", "the page")).map_err(|error| terminal.fail(&error))?;
    }
    args.sizes.check().map_err(|error| terminal.fail(&error))?;
    let registry = registry(specs, terminal)?;
    let mut skipped = Vec::new();
    let models = models::named(&args.models, &mut skipped);
    skipped.iter().for_each(|path| terminal.skipped(path));
    if let [_, _, ..] = &*models
        && let Some(option) = args.of_one_model()
    {
        return Ok(terminal.fail(&format!("{option} is for a single model; these are {}", models.len())));
    }
    let mut exit = Exit::Clean;
    for (index, model) in models.iter().enumerate() {
        let place = (models.len() > 1).then_some(index);
        let told = match model {
            Ok(model) => infer(args, &model.path, place, (&registry, specs, write_page), terminal),
            Err(unread) => Ok(terminal.fail(&unread.error)),
        };
        exit = exit.max(match told {
            Ok(exit) | Err(Stop::Reported(exit)) => exit,
            Err(stop) => return Err(stop),
        });
    }
    Ok(exit)
}

/// Infers the values of a model; `place` is its index among several ones.
fn infer(
    args: &InferArgs,
    path: &Path,
    place: Option<usize>,
    (registry, specs, write_page): (&Registry, &[PathBuf], WritePage),
    terminal: &mut Terminal,
) -> Done {
    let mut steps = Steps::begin();
    let model = input::open(path).map_err(|error| terminal.fail(&error))?;
    steps.end("read");
    let label = input::label(path);
    let options = Options { assume: !args.no_assume, ..args.sizes.options(&model, registry.clone()) };
    let mut analysis = analyse(model.model(), &options)
        .map_err(|error| terminal.fail(&format!("{}: {}", label.display(), unknown_name(&error))))?;
    model.check_unchanged().map_err(|error| terminal.fail(&error.to_string()))?;
    steps.end("analysed");
    let why = match &args.why {
        Some(name) => match why::find(&analysis, name) {
            Ok(value) => Some(analysis.trace(model.model(), &options.registry, value)),
            Err(error) => return Ok(terminal.fail(&format!("{}: {error}", label.display()))),
        },
        None => None,
    };
    if args.strict {
        let findings = analysis.strict_findings();
        analysis.findings.extend(findings);
    }
    // Write the files before printing, so that a reader of the output finds them.
    let mut written = None;
    if let Some(path) = &args.output {
        let graph = annotate(&analysis, args.annotations());
        let values = annotated(&graph);
        let edit = ModelEdit { graph, ..ModelEdit::default() };
        if let Err(error) = args.external.write(&model, &edit, path, inputs(specs)) {
            return Ok(terminal.fail(&error));
        }
        written = Some((output::label(path), values));
        steps.end("written");
    }
    if let Some(page) = args.html() {
        write_page(&model, path, &args.sizes, page, specs).map_err(|error| terminal.fail(&error))?;
        steps.end("page written");
    }
    terminal.took(label, &steps);

    let summary = (why.is_none() && !args.dot).then(|| analysis.summary());
    let mut counts = Counts::default();
    counts.count(&analysis.findings);
    let mut findings: Vec<Finding> = std::mem::take(&mut analysis.findings).into();
    if let Some(trace) = &why {
        findings.retain(|finding| why::is_about(&analysis, trace, finding));
    }
    let answer = Answer { analysis, why, summary };
    match args.format {
        Format::Json => answer.write_json(args, label, place, findings, terminal.out())?,
        Format::Text => answer.write_text(args, label, place, &findings, terminal.out())?,
    }
    terminal.flush()?;
    if let Some(page) = args.html() {
        terminal.note(format_args!("wrote {}", output::label(page).display()));
    }
    if let Some((path, values)) = written {
        let values = number(values, "value");
        terminal.note(format_args!("wrote {}, with types and dimensions of {values}", path.display()));
    }
    let of = place.map(|_| format!("{}: ", label.display())).unwrap_or_default();
    if let Some(summary) = &answer.summary {
        terminal.note(format_args!("{of}{}", unknown::line(&answer.analysis, summary)));
    }
    terminal.note(format_args!("{of}{counts}"));
    Ok(if counts.errors > 0 { Exit::Findings } else { Exit::Clean })
}

/// What is printed of a model.
struct Answer<'m> {
    analysis: Analysis<'m>,
    /// How the value was inferred that was asked for.
    why: Option<Trace<'m>>,
    /// How much is known, unless something else was asked for.
    summary: Option<Summary>,
}

impl Answer<'_> {
    fn write_text(
        &self,
        args: &InferArgs,
        label: &Path,
        place: Option<usize>,
        findings: &[Finding],
        out: &mut Results,
    ) -> io::Result<()> {
        let Self { analysis, why, summary } = self;
        if let Some(index) = place {
            let apart = if index > 0 { "\n" } else { "" };
            writeln!(out, "{apart}{STRONG}{}{STRONG:#}", Clean(&label.to_string_lossy()))?;
        }
        let is_told = if let Some(trace) = why {
            why::write(out, analysis, trace)?;
            true
        } else if args.dot {
            // A drawing is for a program, which takes nothing else.
            return dot::write(out, analysis);
        } else if let Some(summary) = summary.as_ref().filter(|_| args.unknown) {
            unknown::write(out, analysis, summary)?;
            true
        } else if args.has_table() {
            let shown = if args.changed { analysis.inferred() } else { vec![true; analysis.values.len()] };
            table::write(out, analysis, &shown, args.full_names)?;
            true
        } else {
            false
        };
        if is_told && !findings.is_empty() {
            writeln!(out)?;
        }
        causes::write(out, label, findings)
    }

    fn write_json(
        &self,
        args: &InferArgs,
        label: &Path,
        place: Option<usize>,
        findings: Vec<Finding>,
        out: &mut Results,
    ) -> io::Result<()> {
        let Self { analysis, why, summary } = self;
        let findings = findings.into_iter().map(|finding| json::Finding::new(label, finding)).collect();
        if let Some(trace) = why {
            return json::write(out, &Why::new(analysis, trace, findings));
        }
        let mut shown = args.changed.then(|| analysis.inferred());
        if let Some(summary) = summary.as_ref().filter(|_| args.unknown) {
            let mut only = vec![false; analysis.values.len()];
            for value in summary.groups.iter().flat_map(|group| &group.values) {
                only.get_mut(*value as usize).into_iter().for_each(|shown| *shown = true);
            }
            shown = Some(only);
        }
        let model = place.map(|_| label.to_string_lossy().into_owned());
        let report = report(analysis, summary.as_ref(), shown.as_deref(), findings);
        json::write(out, &Report { model, ..report })
    }
}

/// How a value was inferred, step by step: what `shape infer --why` prints, without colours. The value is named as for that
/// option, and `registry` is that of the analysis.
///
/// # Errors
/// No value has the name, or several have it; and the name that may be meant.
///
/// ```
/// use shape_core::Registry;
/// use shape_model::{ModelFile, Options, analyse};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let model = ModelFile::open(path)?;
/// let analysis = analyse(model.model(), &Options::of(&model))?;
/// let text = shape_cli::why(&analysis, model.model(), Registry::builtin(), "/attn/Concat_output_0")?;
/// assert!(text.contains("Concat-13"));
/// assert!(shape_cli::why(&analysis, model.model(), Registry::builtin(), "Concat").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn why<'m>(analysis: &Analysis<'m>, model: &'m Model, registry: &Registry, value: &str) -> Result<String, String> {
    let trace = analysis.trace(model, registry, why::find(analysis, value)?);
    let mut text = Vec::new();
    why::write(&mut text, analysis, &trace).map_err(|error| error.to_string())?;
    Ok(strip_str(&String::from_utf8_lossy(&text)).to_string())
}

/// The number of values that an edit annotates.
fn annotated(edit: &GraphEdit) -> usize {
    edit.value_info.len() + edit.declarations.len() + edit.subgraphs.values().map(annotated).sum::<usize>()
}

/// What is known of a value; `None` for an initializer and for a value inside of a function.
fn listed<'a>(analysis: &'a Analysis<'_>, value: &'a Value<'_>) -> Option<Row<'a>> {
    let graph = analysis.graphs.get(value.graph)?;
    (value.origin != Origin::Initializer && graph.kind != GraphKind::Function).then(|| Row::new(analysis, value))
}
