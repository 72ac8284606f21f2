//! `shape info`: tells what models hold, and what a run of them takes.

mod json;
mod text;
mod told;

use std::path::{Path, PathBuf};

use shape_core::Registry;
use shape_core::code::Severity;
use shape_model::{ModelFile, Options, analyse};

use crate::descriptors::registry;
use crate::input::{label, open};
use crate::json::write;
use crate::models;
use crate::options::{Format, exit_codes};
use crate::render::number;
use crate::sizes::{Sizes, unknown_name};
use crate::steps::Steps;
use crate::terminal::{Done, Exit, Terminal};
use told::{Costs, Info};

/// Tell what models hold, and what a run of them takes
///
/// Lists inputs, outputs and operators; sums up the parameters by element type, the memory of what nodes compute, and the
/// multiply-adds of products of matrices and convolutions. Sums are expressions over the symbols of the model; with --set
/// or --input, numbers too. What is in no sum is told beside it.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape info model.onnx\n",
    "  shape info model.onnx --set batch=1 --set seq=128\n",
    "  shape info models --format json | jq '.models[] | [.model, .parameters.elements]'\n\n",
    "A multiply-add is a multiplication with an addition; floating-point operations (FLOPs) are twice as many. Parameters ",
    "are initializers and constants of nodes; those in other files are counted without being read. The peak is the most ",
    "that is in memory at one time if the nodes run in their order, without inputs, parameters and what kernels need ",
    "besides.",
    exit_codes!(),
))]
pub(crate) struct InfoArgs {
    /// Model files, folders with models, or patterns such as `models/*.onnx`; `-` is standard input
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,

    #[command(flatten)]
    sizes: Sizes,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

pub(crate) fn run(args: &InfoArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    args.sizes.check().map_err(|error| terminal.fail(&error))?;
    let registry = registry(specs, terminal)?;
    let mut skipped = Vec::new();
    let models = models::named(&args.models, &mut skipped);
    skipped.iter().for_each(|path| terminal.skipped(path));
    let mut report = json::Report::default();
    let mut exit = Exit::Clean;
    for (index, model) in models.iter().enumerate() {
        let told = model.as_ref().map_err(|unread| unread.error.clone()).and_then(|model| {
            tell(&model.path, &args.sizes, &registry, &mut |info, steps| {
                terminal.took(info.label, steps);
                match args.format {
                    Format::Text => text::write(terminal.out(), info, index > 0)?,
                    Format::Json => report.add(info),
                }
                let errors = info.analysis.findings.iter();
                let errors = errors.filter(|finding| finding.severity() == Severity::Error).count();
                if errors > 0 {
                    let errors = number(errors, "error");
                    terminal.flush()?;
                    terminal.note(format_args!("{} has {errors}; `shape check` shows them", info.label.display()));
                }
                Ok(())
            })
        });
        match told {
            Ok(written) => written?,
            Err(error) => {
                terminal.error(format_args!("{error}"));
                exit = Exit::Failure;
            }
        }
    }
    if args.format == Format::Json {
        write(terminal.out(), &report)?;
    }
    Ok(exit)
}

/// Calls `then` with what there is to tell of a model; fails if that cannot be read. The model is gone afterwards, so that
/// many models fit into memory.
fn tell(
    path: &Path,
    sizes: &Sizes,
    registry: &Registry,
    then: &mut dyn FnMut(&Info<'_>, &Steps) -> std::io::Result<()>,
) -> Result<std::io::Result<()>, String> {
    let mut steps = Steps::begin();
    let file = open(path)?;
    steps.end("read");
    let sized = (!sizes.is_empty()).then(|| sizes.options(&file, registry.clone()));
    describe((label(path), &file), registry, sized.as_ref(), &mut |info| {
        file.check_unchanged().map_err(|error| error.to_string())?;
        steps.end("analysed");
        Ok(then(info, &steps))
    })
}

/// Gives what there is to tell of a model to `then`; `sized` are options with sizes. Fails if the model does not have what
/// these name.
fn describe<R>(
    (label, file): (&Path, &ModelFile),
    registry: &Registry,
    sized: Option<&Options>,
    then: &mut dyn FnMut(&Info<'_>) -> Result<R, String>,
) -> Result<R, String> {
    let analyse = |options: &Options| {
        analyse(file.model(), options).map_err(|error| format!("{}: {}", label.display(), unknown_name(&error)))
    };
    let analysis = analyse(&Options { registry: registry.clone(), ..Options::of(file) })?;
    let sized = sized.map(analyse).transpose()?;
    then(&Info {
        label,
        file,
        analysis: &analysis,
        operators: analysis.operators(file.model(), registry),
        parameters: analysis.parameters(file.model(), registry),
        costs: Costs::of(&analysis, file, registry),
        with_sizes: sized.as_ref().map(|sized| Costs::of(sized, file, registry)),
    })
}

/// What there is to tell of a model, as JSON. Fails if the model does not have what the options with sizes name.
#[cfg(feature = "pages")]
pub(crate) fn json(
    model: (&Path, &ModelFile),
    registry: &Registry,
    sized: Option<&Options>,
) -> Result<json::Model, String> {
    describe(model, registry, sized, &mut |info| Ok(json::Model::new(info)))
}
