//! `shape simplify`: removes computations that a model does not need.

mod passes;
mod report;

use std::path::PathBuf;

use shape_model::{Finding, ModelFile, NotSimplified, SimplifyOptions, simplify_with};

use crate::descriptors::{inputs, registry};
use crate::input;
use crate::options::{Format, exit_codes};
use crate::output::{self, ModelOutput};
use crate::progress::Progress;
use crate::render::number;
use crate::sizes::{Sizes, unknown_name};
use crate::steps::Steps;
use crate::terminal::{Done, Exit, Terminal};
use passes::{Selection, bytes};
pub(crate) use report::Report;

/// Remove what a model computes and need not
///
/// Exported models are full of nodes that compute shapes, and of nodes without effect. Targets that depend on symbols are
/// written with -1 and 0, values that are the same are computed once, chains of nodes become shorter ones, and what is known
/// becomes a constant. The model computes the same as before, to the bit, for every size of its symbols: arithmetic on floats
/// stays in its order, and operators are not fused into others.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape simplify model.onnx -o simple.onnx\n",
    "  shape simplify model.onnx -o simple.onnx --set batch=1\n",
    "  shape simplify model.onnx --dry-run --diff          what would change, node by node\n",
    "  shape simplify model.onnx --dry-run --why-not /attn/Reshape\n",
    "  shape simplify model.onnx -o simple.onnx --only targets,unused\n",
    "  shape simplify --passes                             the passes\n\n",
    "With --input or --set, the simplified model is valid for these sizes only, and its inputs and outputs declare them. A ",
    "symbol of --set must be a dimension of an input. A model with errors is not simplified.",
    exit_codes!(),
))]
pub(crate) struct SimplifyArgs {
    /// The model file; `-` is standard input
    #[arg(required_unless_present = "passes")]
    model: Option<PathBuf>,

    /// Write the model to this file; may be MODEL itself
    ///
    /// `-` is standard output; then results are written to standard error. Bytes that need no change stay the same. The
    /// file is replaced only after everything is written, so a failure leaves the old file as it was. A link stays, and
    /// the file that it leads to is replaced.
    #[arg(short, long, value_name = "OUT.onnx", required_unless_present_any = ["passes", "dry_run"])]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    external: ModelOutput,

    #[command(flatten)]
    sizes: Sizes,

    #[command(flatten)]
    selection: Selection,

    /// The largest constant that takes the place of a computed value: `64KiB`, `1MiB`, or a number of bytes
    #[arg(long, value_name = "SIZE", value_parser = bytes, default_value = "1MiB")]
    max_constant: usize,

    /// Write no file, and say what would be written
    #[arg(long)]
    dry_run: bool,

    /// Print each change: the node, and why
    #[arg(long)]
    diff: bool,

    /// Print why a node is still there, by its name or the name of an output; may be repeated
    #[arg(long, value_name = "NODE")]
    why_not: Vec<String>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

pub(crate) fn run(args: &SimplifyArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let selected = args.selection.passes().map_err(|error| terminal.fail(&error))?;
    let Some(path) = args.model.as_ref().filter(|_| !args.selection.list) else {
        return passes::list(args.format, terminal);
    };
    if let Some(output) = &args.output {
        ModelOutput::check(output, args.format).map_err(|error| terminal.fail(&error))?;
    }
    args.sizes.check().map_err(|error| terminal.fail(&error))?;
    let registry = registry(specs, terminal)?;
    let mut steps = Steps::begin();
    let model = input::open(path).map_err(|error| terminal.fail(&error))?;
    steps.end("read");
    let options = SimplifyOptions {
        analysis: args.sizes.options(&model, registry),
        passes: selected,
        max_constant: args.max_constant,
        refusals: !args.why_not.is_empty(),
    };
    let mut progress = Progress::endless("{spinner} {msg}", terminal.is_quiet());
    let simplified = simplify_with(&model, &options, &mut |round, pass| {
        progress.message(|| format!("round {}: {pass}", round + 1));
    });
    progress.end();
    let simplified = match simplified {
        Ok(simplified) => simplified,
        Err(NotSimplified::Refused(findings)) => return refused(args, &model, findings, terminal),
        Err(NotSimplified::Broken(findings)) => {
            _ = refused(args, &model, findings, terminal)?;
            return Ok(terminal.fail("the simplified model would have these errors; please report this"));
        }
        Err(NotSimplified::Options(error)) => {
            return Ok(terminal.fail(&format!("{}: {}", input::label(path).display(), unknown_name(&error))));
        }
        Err(error) => return Ok(terminal.fail(&format!("{}: {error}", input::label(path).display()))),
    };
    steps.end("simplified");
    let report = Report::new(&simplified, model.bytes().len(), args.diff);
    let reasons = report::why_not(&simplified, &args.why_not, &options.analysis).map_err(|name| {
        terminal.fail(&format!("{}: no node and no value is called `{name}`", input::label(path).display()))
    })?;
    // Write the file before printing, so that a reader of the output finds it.
    let output = args.output.as_ref().filter(|_| !args.dry_run);
    if let Some(output) = output {
        let written = args.external.write(&model, &simplified.edited, output, inputs(specs));
        written.map_err(|error| terminal.fail(&error))?;
        steps.end("written");
    }
    terminal.took(input::label(path), &steps);
    report.print(args.format, reasons, terminal)?;
    terminal.flush()?;
    let (before, after) = (simplified.before, simplified.after);
    let sizes = format!("{} of {} left", number(after.nodes, "node"), before.nodes);
    match output {
        Some(output) => terminal.note(format_args!("wrote {}: {sizes}", output::label(output).display())),
        None => terminal.note(format_args!("{sizes}; no file was written")),
    }
    Ok(Exit::Clean)
}

/// Reports why the model is not simplified.
fn refused(args: &SimplifyArgs, model: &ModelFile, findings: Vec<Finding>, terminal: &mut Terminal) -> Done {
    let path = args.model.as_deref().unwrap_or(model.path().unwrap_or(std::path::Path::new("")));
    report::refused(args.format, input::label(path), findings, terminal)
}
