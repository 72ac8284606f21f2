//! `shape fold`

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use shape_model::Finding;
use shape_model::file::ModelFile;
use shape_model::{Folding, NotFolded, Options, fold};

use crate::args::{FoldArgs, Format};
use crate::described::registry;
use crate::infer::{self, Row};
use crate::json::{self, SCHEMA_VERSION};
use crate::render::{self, Clean, Counts, STRONG, number};
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report<'a> {
    schema_version: u32,
    /// The values that are constants now.
    constants: Vec<Row<'a>>,
    /// The numbers of nodes and initializers that are gone.
    nodes_removed: usize,
    initializers_removed: usize,
    findings: Vec<json::Finding>,
}

pub(crate) fn run(args: &FoldArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let inputs = args.inputs.iter().map(|(name, _)| ("--input", name));
    let symbols = args.symbols.iter().map(|(name, _)| ("--set", name));
    let mut given = HashSet::new();
    if let Some((option, name)) = inputs.chain(symbols).find(|name| !given.insert(*name)) {
        return Ok(terminal.fail(&format!("{option} names `{name}` twice")));
    }
    let registry = registry(specs, terminal)?;
    let model = ModelFile::open(&args.model).map_err(|error| terminal.fail(&error.to_string()))?;
    let options =
        Options { inputs: args.inputs.clone(), symbols: args.symbols.clone(), registry, ..Options::of(&model) };
    let Folding { analysis, constants, nodes, initializers, edit } = match fold(&model, &options) {
        Ok(folding) => folding,
        Err(NotFolded::Refused(findings)) => return refused(args, findings, terminal),
        Err(NotFolded::Options(error)) => {
            return Ok(terminal.fail(&format!("{}: {}", args.model.display(), infer::explain(&error))));
        }
        Err(error) => return Ok(terminal.fail(&format!("{}: {error}", args.model.display()))),
    };
    // Before anything is printed: a reader of the output finds the file in its place.
    if let Err(error) = model.rewrite(&edit, &args.output) {
        return Ok(terminal.fail(&error.to_string()));
    }
    let values = constants.iter().filter_map(|place| analysis.values.get(*place as usize));
    let count = constants.len();
    let out = terminal.out();
    match args.format {
        Format::Text => {
            for value in values {
                let graph = analysis.graphs.get(value.graph).filter(|_| value.graph != 0);
                let graph = graph.map(|graph| format!(" in {}", graph.path)).unwrap_or_default();
                let known = infer::all(value, &analysis.symbols);
                writeln!(out, "{STRONG}{}{STRONG:#}{}  {known}", Clean(value.name), Clean(&graph))?;
            }
        }
        Format::Json => {
            let constants = values.map(|value| infer::row(&analysis, value)).collect();
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
    terminal
        .note(format_args!("wrote {}, with {constants} in place of {nodes} and {initializers}", args.output.display()));
    Ok(Exit::Clean)
}

/// Says why nothing is written.
fn refused(args: &FoldArgs, findings: Vec<Finding>, terminal: &mut Terminal) -> Done {
    let mut counts = Counts::default();
    counts.count(&findings);
    match args.format {
        Format::Text => {
            findings.iter().try_for_each(|finding| render::finding(terminal.out(), &args.model, finding))?;
        }
        Format::Json => {
            let findings = findings.into_iter().map(|finding| json::Finding::new(&args.model, finding)).collect();
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
    terminal.note(format_args!("{counts}; nothing is written"));
    Ok(Exit::Findings)
}
