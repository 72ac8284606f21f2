//! `shape fold`: replaces what a model computes by constants if it is known in advance.

use std::io::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use shape_model::Finding;
use shape_model::{Folding, NotFolded, fold};

use crate::causes;
use crate::descriptors::{inputs, registry};
use crate::input;
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, exit_codes};
use crate::output::{self, ModelOutput};
use crate::render::{Clean, Counts, STRONG, number};
use crate::sizes::{Sizes, unknown_name};
use crate::steps::Steps;
use crate::terminal::{Done, Exit, Terminal};
use crate::values::json::Row;
use crate::values::text::summary;

/// Replace computed values by constants if they are known before the model runs
///
/// Exporters often write chains of nodes that compute shapes. Each such chain whose result is known becomes a constant.
/// Nodes and initializers that nothing reads any more are removed. The model computes the same as before.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape fold model.onnx -o folded.onnx\n",
    "  shape fold model.onnx -o folded.onnx --set batch=1 --set seq=128\n\n",
    "A constant becomes an initializer; in a subgraph, before IR version 4, and for a graph output it becomes a Constant ",
    "node. With --input or --set, the folded model is valid for these sizes only, and its inputs and outputs declare ",
    "them. A symbol of --set must be a dimension of an input. A model with errors is not folded.",
    exit_codes!(),
))]
pub(crate) struct FoldArgs {
    /// The model file; `-` is standard input
    model: PathBuf,

    /// Write the model to this file; may be MODEL itself
    ///
    /// `-` is standard output; then results are written to standard error. Bytes that need no change stay the same. The
    /// file is replaced only after everything is written, so a failure leaves the old file as it was. A link stays, and
    /// the file that it leads to is replaced.
    #[arg(short, long, value_name = "OUT.onnx")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    external: ModelOutput,

    #[command(flatten)]
    sizes: Sizes,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

#[derive(Serialize)]
struct Report<'a> {
    schema_version: u32,
    /// The values that became constants.
    constants: Vec<Row<'a>>,
    /// The numbers of removed nodes and initializers.
    nodes_removed: usize,
    initializers_removed: usize,
    findings: Vec<json::Finding>,
}

pub(crate) fn run(args: &FoldArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    ModelOutput::check(&args.output, args.format).map_err(|error| terminal.fail(&error))?;
    args.sizes.check().map_err(|error| terminal.fail(&error))?;
    let registry = registry(specs, terminal)?;
    let mut steps = Steps::begin();
    let model = input::open(&args.model).map_err(|error| terminal.fail(&error))?;
    steps.end("read");
    let options = args.sizes.options(&model, registry);
    let Folding { analysis, constants, nodes, initializers, edit } = match fold(&model, &options) {
        Ok(folding) => folding,
        Err(NotFolded::Refused(findings)) => return refused(args, findings, terminal),
        Err(NotFolded::Options(error)) => {
            return Ok(terminal.fail(&format!("{}: {}", input::label(&args.model).display(), unknown_name(&error))));
        }
        Err(error) => return Ok(terminal.fail(&format!("{}: {error}", input::label(&args.model).display()))),
    };
    steps.end("folded");
    // Write the file before printing, so that a reader of the output finds it.
    if let Err(error) = args.external.write(&model, &edit, &args.output, inputs(specs)) {
        return Ok(terminal.fail(&error));
    }
    steps.end("written");
    terminal.took(input::label(&args.model), &steps);
    let values = constants.iter().filter_map(|index| analysis.values.get(*index as usize));
    let count = constants.len();
    let out = terminal.out();
    match args.format {
        Format::Text => {
            for value in values {
                let graph = analysis.graphs.get(value.graph).filter(|_| value.graph != 0);
                let graph = graph.map(|graph| format!(" in {}", graph.path)).unwrap_or_default();
                let known = summary(value, &analysis.symbols);
                writeln!(out, "{STRONG}{}{STRONG:#}{}  {known}", Clean(value.name), Clean(&graph))?;
            }
        }
        Format::Json => {
            let constants = values.map(|value| Row::new(&analysis, value)).collect();
            json::write(
                out,
                &Report {
                    schema_version: SCHEMA_VERSION,
                    constants,
                    nodes_removed: nodes,
                    initializers_removed: initializers,
                    findings: Vec::new(),
                },
            )?;
        }
    }
    terminal.flush()?;
    let (constants, nodes, initializers) =
        (number(count, "constant"), number(nodes, "node"), number(initializers, "initializer"));
    terminal.note(format_args!(
        "wrote {}: {constants} replaced {nodes} and {initializers}",
        output::label(&args.output).display()
    ));
    Ok(Exit::Clean)
}

/// Reports why the model is not folded.
fn refused(args: &FoldArgs, findings: Vec<Finding>, terminal: &mut Terminal) -> Done {
    let model = input::label(&args.model);
    let mut counts = Counts::default();
    counts.count(&findings);
    match args.format {
        Format::Text => {
            causes::write(terminal.out(), model, &findings)?;
        }
        Format::Json => {
            let findings = findings.into_iter().map(|finding| json::Finding::new(model, finding)).collect();
            json::write(
                terminal.out(),
                &Report {
                    schema_version: SCHEMA_VERSION,
                    constants: Vec::new(),
                    nodes_removed: 0,
                    initializers_removed: 0,
                    findings,
                },
            )?;
        }
    }
    terminal.flush()?;
    terminal.note(format_args!("{counts}; no file was written"));
    Ok(Exit::Findings)
}
