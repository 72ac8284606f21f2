//! `shape convert`

use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;

use serde::Serialize;
use shape_model::Finding;
use shape_model::file::ModelFile;
use shape_model::{Conversion, ConvertedNode, convert};

use crate::args::{ConvertArgs, Format};
use crate::described::registry;
use crate::json::{self, SCHEMA_VERSION};
use crate::render::{self, Clean, Counts, number};
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    /// The opset of the model; null where it is refused.
    from: Option<u32>,
    to: u32,
    nodes: Vec<Node>,
    findings: Vec<json::Finding>,
}

/// A node that is written in another way.
#[derive(Serialize)]
struct Node {
    graph: String,
    node: json::Node,
    from: u32,
    to: u32,
}

pub(crate) fn run(args: &ConvertArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let opset = args.opset;
    let registry = registry(specs, terminal)?;
    if let Some(newest) = registry.newest_opset("").filter(|newest| opset > *newest) {
        return Ok(terminal.fail(&format!("opset {opset} of ai.onnx is not known; the newest one known is {newest}")));
    }
    let model = ModelFile::open(&args.model).map_err(|error| terminal.fail(&error.to_string()))?;
    let Conversion { from, nodes, edit } = match convert(&model, opset, &registry) {
        Ok(conversion) => conversion,
        Err(findings) => return refused(args, findings, terminal),
    };
    // Before anything is printed: a reader of the output finds the file in its place.
    if let Err(error) = model.rewrite(&edit, &args.output) {
        return Ok(terminal.fail(&error.to_string()));
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
    let written = args.output.display();
    terminal
        .note(format_args!("wrote {written}, from opset {from} to {opset}, with {} rewritten", number(count, "node")));
    Ok(Exit::Clean)
}

/// Says why nothing is written.
fn refused(args: &ConvertArgs, findings: Vec<Finding>, terminal: &mut Terminal) -> Done {
    let path: &Path = &args.model;
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
    terminal.note(format_args!("{counts}; nothing is written"));
    Ok(Exit::Findings)
}
