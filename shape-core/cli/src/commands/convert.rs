//! `shape convert`: converts a model to other opsets, and to another IR version.

use std::io::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;
use shape_model::Finding;
use shape_model::{Conversion, ConvertedIrVersion, ConvertedNode, ConvertedOpset, Target, convert};

use crate::causes;
use crate::descriptors::{inputs, registry};
use crate::input;
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, exit_codes, opset};
use crate::output::{self, ModelOutput};
use crate::render::{Clean, Counts, number};
use crate::steps::Steps;
use crate::terminal::{Done, Exit, Terminal};

/// Convert a model to another opset, newer or older, or to another IR version
///
/// Converts each node to the version of its operator that the opset selects, without losing anything: the nodes of the
/// main graph, of graphs inside of nodes, of model-local functions and of training. A function is converted from the
/// opset that it imports itself. A node that calls a function stays as it is, and so do nodes of domains that no
/// --opset names.
///
/// If an attribute became an input, its value becomes an initializer (in a function, a node), and the other way round if
/// the input is constant. An attribute that the version does not have is dropped only if it has its default value.
///
/// The IR version is raised if the opset needs it. The model that comes out is checked as `shape check` does before it
/// is written. If something would be lost or wrong, the command reports all of it and writes no file.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape convert model.onnx --opset 21 -o newer.onnx\n",
    "  shape convert model.onnx --opset 13 --ir-version 8 -o older.onnx\n",
    "  shape convert trees.onnx --opset 21 --opset ai.onnx.ml=3 -o newer.onnx\n",
    "  shape convert model.onnx --opset 13 -o older.onnx --format json | jq '.findings'",
    exit_codes!(),
))]
pub(crate) struct ConvertArgs {
    /// The model file; `-` is standard input
    model: PathBuf,

    /// The opset to convert to, of ai.onnx or of DOMAIN; may be given once for each domain
    ///
    /// A domain that the model does not import is left out, with a note.
    #[arg(long, value_name = "[DOMAIN=]N", value_parser = opset_of_domain, required_unless_present = "ir_version")]
    opset: Vec<(String, u32)>,

    /// The IR version to write, newer or older
    ///
    /// Refused if something in the model needs a newer one. Below 4 every initializer is an input of its graph too: these
    /// inputs are added on the way down, and removed on the way up. Without this option the IR version is only raised,
    /// and only if an opset needs it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..))]
    ir_version: Option<i64>,

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

/// What a conversion did, or why there is none.
#[derive(Serialize)]
pub(crate) struct Report {
    schema_version: u32,
    /// The opset of ai.onnx in the model; null if it is not converted.
    from: Option<u32>,
    /// The opset of ai.onnx to convert to; null if there is none.
    to: Option<u32>,
    /// Each domain that is converted.
    opsets: Vec<Opset>,
    /// The IR version; null if it stays.
    ir_version: Option<IrVersion>,
    nodes: Vec<Node>,
    findings: Vec<json::Finding>,
}

/// A domain that is converted.
#[derive(Serialize)]
struct Opset {
    domain: String,
    from: u32,
    to: u32,
}

/// A change of the IR version.
#[derive(Serialize)]
struct IrVersion {
    from: i64,
    to: i64,
}

/// A converted node.
#[derive(Serialize)]
struct Node {
    graph: String,
    node: json::Node,
    from: u32,
    to: u32,
}

/// Parses `21` or `ai.onnx.ml=3`.
fn opset_of_domain(text: &str) -> Result<(String, u32), String> {
    let (domain, number) = text.rsplit_once('=').unwrap_or(("", text));
    Ok((canonical_domain(domain).to_owned(), opset(number)?))
}

impl Report {
    /// Why a model is not converted.
    pub(crate) fn refused(target: &Target, findings: Vec<json::Finding>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            from: None,
            to: target.opset_of(""),
            opsets: Vec::new(),
            ir_version: None,
            nodes: Vec::new(),
            findings,
        }
    }

    /// What a conversion did.
    pub(crate) fn new(target: &Target, conversion: Conversion) -> Self {
        let Conversion { opsets, ir_version, nodes, edit: _ } = conversion;
        let of_default = opsets.iter().find(|opset| opset.domain == canonical_domain(""));
        let node = |ConvertedNode { graph, node, from, to }| Node { graph, node: json::Node::from(node), from, to };
        let opset = |ConvertedOpset { domain, from, to }| Opset { domain, from, to };
        Self {
            from: of_default.map(|opset| opset.from),
            ir_version: ir_version.map(|ConvertedIrVersion { from, to }| IrVersion { from, to }),
            nodes: nodes.into_iter().map(node).collect(),
            opsets: opsets.into_iter().map(opset).collect(),
            ..Self::refused(target, Vec::new())
        }
    }
}

/// The target with these opsets of domains and this IR version, or why there is none.
pub(crate) fn target(opsets: &[(String, u32)], ir_version: Option<i64>, registry: &Registry) -> Result<Target, String> {
    let mut target = Target::new();
    for (domain, opset) in opsets {
        if target.opset_of(domain).is_some() {
            return Err(format!("two opsets of {domain} are given"));
        }
        if let Some(newest) = registry.newest_opset(domain).filter(|newest| opset > newest) {
            return Err(format!("opset {opset} of {domain} is unknown; the newest known one is {newest}"));
        }
        let is_of_domain = |schema: &shape_core::Schema| canonical_domain(schema.domain) == domain;
        if !registry.operators().flatten().any(|schema| is_of_domain(schema)) {
            return Err(format!("no operator of {domain} is described; name a folder of descriptors with --specs"));
        }
        target = target.opset(domain, *opset);
    }
    if let Some(ir_version) = ir_version {
        let newest = registry.releases().last().map_or(0, |release| i64::from(release.ir));
        if ir_version > newest {
            return Err(format!("IR version {ir_version} is unknown; the newest known one is {newest}"));
        }
        target = target.ir_version(ir_version);
    }
    Ok(target)
}

pub(crate) fn run(args: &ConvertArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    ModelOutput::check(&args.output, args.format).map_err(|error| terminal.fail(&error))?;
    let registry = registry(specs, terminal)?;
    let target = match target(&args.opset, args.ir_version, &registry) {
        Ok(target) => target,
        Err(why) => return Ok(terminal.fail(&why)),
    };
    let mut steps = Steps::begin();
    let model = input::open(&args.model).map_err(|error| terminal.fail(&error))?;
    steps.end("read");
    let conversion = match convert(&model, target.clone(), &registry) {
        Ok(conversion) => conversion,
        Err(findings) => return refused(args, &target, findings, terminal),
    };
    steps.end("converted");
    // Write the file before printing, so that a reader of the output finds it.
    if let Err(error) = args.external.write(&model, &conversion.edit, &args.output, inputs(specs)) {
        return Ok(terminal.fail(&error));
    }
    steps.end("written");
    terminal.took(input::label(&args.model), &steps);
    let notes = notes(args, &target, &conversion);
    let out = terminal.out();
    match args.format {
        Format::Text => {
            for ConvertedNode { graph, node, from, to } in &conversion.nodes {
                let name = if node.name.is_empty() { String::new() } else { format!(" `{}`", node.name) };
                let op_type = &node.op_type;
                let line = format!("{graph}, node {}{name}: {op_type}-{from} -> {op_type}-{to}", node.index);
                writeln!(out, "{}", Clean(&line))?;
            }
        }
        Format::Json => json::write(out, &Report::new(&target, conversion))?,
    }
    terminal.flush()?;
    for note in notes {
        terminal.note(format_args!("{note}"));
    }
    Ok(Exit::Clean)
}

/// What was done, and what was not.
fn notes(args: &ConvertArgs, target: &Target, conversion: &Conversion) -> Vec<String> {
    let Conversion { opsets, ir_version, nodes, edit: _ } = conversion;
    let mut notes = Vec::new();
    let left_out = target.opsets().filter(|(domain, _)| !opsets.iter().any(|opset| opset.domain == *domain));
    notes.extend(left_out.map(|(domain, _)| format!("the model does not import {domain}: no opset of it is set")));
    let opset = |ConvertedOpset { domain, from, to }: &ConvertedOpset| match domain == canonical_domain("") {
        true => format!("opset {from} to {to}"),
        false => format!("{domain} {from} to {to}"),
    };
    let mut changes: Vec<String> = opsets.iter().map(opset).collect();
    changes.extend(ir_version.as_ref().map(|ConvertedIrVersion { from, to }| format!("IR version {from} to {to}")));
    let from = if changes.is_empty() {
        "nothing to convert".to_owned()
    } else {
        format!("converted from {}", changes.join(", "))
    };
    notes.push(format!(
        "wrote {}: {from}, {} changed",
        output::label(&args.output).display(),
        number(nodes.len(), "node")
    ));
    notes
}

/// Reports why the model is not converted.
fn refused(args: &ConvertArgs, target: &Target, findings: Vec<Finding>, terminal: &mut Terminal) -> Done {
    let path = input::label(&args.model);
    let mut counts = Counts::default();
    counts.count(&findings);
    match args.format {
        Format::Text => causes::write(terminal.out(), path, &findings)?,
        Format::Json => {
            let findings = findings.into_iter().map(|finding| json::Finding::new(path, finding)).collect();
            json::write(terminal.out(), &Report::refused(target, findings))?;
        }
    }
    terminal.flush()?;
    terminal.note(format_args!("{counts}; no file was written"));
    Ok(Exit::Findings)
}
