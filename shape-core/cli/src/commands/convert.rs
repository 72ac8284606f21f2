//! `shape convert`: converts a model to another opset.

use std::io::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use shape_model::Finding;
use shape_model::{Conversion, ConvertedNode, convert};

use crate::descriptors::{inputs, registry};
use crate::input;
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, exit_codes, opset};
use crate::output::{self, ModelOutput};
use crate::render::{self, Clean, Counts, number};
use crate::terminal::{Done, Exit, Terminal};

/// Convert a model to another opset of ai.onnx, newer or older
///
/// Converts each node to the version of its operator that the opset selects, without losing anything. An attribute that
/// the version does not have is dropped only if it has its default value. If an attribute became an input, its value
/// becomes an initializer, and the other way round. If something would be lost, the command reports all of it and
/// writes no file.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape convert model.onnx --opset 21 -o newer.onnx\n",
    "  shape convert model.onnx --opset 13 -o older.onnx --format json | jq '.findings'\n\n",
    "Nodes of other domains and model-local functions are not converted.",
    exit_codes!(),
))]
pub(crate) struct ConvertArgs {
    /// The model file; `-` is standard input
    model: PathBuf,

    /// The opset of ai.onnx to convert to
    #[arg(long, value_name = "N", value_parser = opset)]
    opset: u32,

    /// Write the model to this file; may be MODEL itself
    ///
    /// `-` is standard output; then results are written to standard error. Bytes that need no change stay the same. The
    /// file is replaced only after everything is written, so a failure leaves the old file as it was. A link stays, and
    /// the file that it leads to is replaced.
    #[arg(short, long, value_name = "OUT.onnx")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    external: ModelOutput,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    /// The opset of the model; null if it is not converted.
    from: Option<u32>,
    to: u32,
    nodes: Vec<Node>,
    findings: Vec<json::Finding>,
}

/// A converted node.
#[derive(Serialize)]
struct Node {
    graph: String,
    node: json::Node,
    from: u32,
    to: u32,
}

pub(crate) fn run(args: &ConvertArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    ModelOutput::check(&args.output, args.format).map_err(|error| terminal.fail(&error))?;
    let opset = args.opset;
    let registry = registry(specs, terminal)?;
    if let Some(newest) = registry.newest_opset("").filter(|newest| opset > *newest) {
        return Ok(terminal.fail(&format!("opset {opset} of ai.onnx is unknown; the newest known one is {newest}")));
    }
    let model = input::open(&args.model).map_err(|error| terminal.fail(&error))?;
    let Conversion { from, nodes, edit } = match convert(&model, opset, &registry) {
        Ok(conversion) => conversion,
        Err(findings) => return refused(args, findings, terminal),
    };
    // Write the file before printing, so that a reader of the output finds it.
    if let Err(error) = args.external.write(&model, &edit, &args.output, inputs(specs)) {
        return Ok(terminal.fail(&error));
    }
    let count = nodes.len();
    let out = terminal.out();
    match args.format {
        Format::Text => {
            for ConvertedNode { graph, node, from, to } in &nodes {
                let name = if node.name.is_empty() { String::new() } else { format!(" `{}`", node.name) };
                let op_type = &node.op_type;
                let line = format!("{graph}, node {}{name}: {op_type}-{from} -> {op_type}-{to}", node.index);
                writeln!(out, "{}", Clean(&line))?;
            }
        }
        Format::Json => {
            let nodes = nodes.into_iter().map(|ConvertedNode { graph, node, from, to }| Node {
                graph,
                node: node.into(),
                from,
                to,
            });
            let (nodes, findings) = (nodes.collect(), Vec::new());
            json::write(out, &Report { schema_version: SCHEMA_VERSION, from: Some(from), to: opset, nodes, findings })?;
        }
    }
    terminal.flush()?;
    let written = output::label(&args.output).display();
    terminal.note(format_args!(
        "wrote {written}: converted from opset {from} to {opset}, {} changed",
        number(count, "node")
    ));
    Ok(Exit::Clean)
}

/// Reports why the model is not converted.
fn refused(args: &ConvertArgs, findings: Vec<Finding>, terminal: &mut Terminal) -> Done {
    let path = input::label(&args.model);
    let mut counts = Counts::default();
    counts.count(&findings);
    match args.format {
        Format::Text => findings.iter().try_for_each(|finding| render::finding(terminal.out(), path, finding))?,
        Format::Json => {
            let findings = findings.into_iter().map(|finding| json::Finding::new(path, finding)).collect();
            let (from, nodes) = (None, Vec::new());
            json::write(
                terminal.out(),
                &Report { schema_version: SCHEMA_VERSION, from, to: args.opset, nodes, findings },
            )?;
        }
    }
    terminal.flush()?;
    terminal.note(format_args!("{counts}; no file was written"));
    Ok(Exit::Findings)
}
