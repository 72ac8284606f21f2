//! `shape generate`: writes random models.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use shape_core::registry::Registry;
use shape_model::generate::{Coverage, GenerateOptions, Generator, Goal, Wanted, graph};

use super::ops::manifest::Support;
use crate::cases::Cases;
use crate::descriptors::{domain_and_name, inputs, limited_registry, registry};
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, exit_codes, opset};
use crate::render::{Clean, STRONG, grouped, number};
use crate::terminal::{Done, Exit, Terminal};

/// Write random models, with data for their inputs, as test cases
///
/// Each case is a folder with a model and the data of its inputs, as `shape test` and the tests of ONNX read them;
/// `manifest.json` lists them with the types and dimensions that their outputs must have. The same seed gives the same
/// models. The versions of the operators take turns, and each goes through its types, the values of its attributes, its
/// optional inputs and outputs, ranks from 0 to 6, and the branches of its rules, until each of these was made with each
/// other.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape generate -o cases --seed 7 --count 1000\n",
    "  shape generate -o conv --operator Conv@11 --cover\n",
    "  shape generate -o graphs --nodes 30 --runtime onnxruntime-cpu\n",
    "  shape generate -o own --specs vendor --domain com.acme",
    exit_codes!(),
))]
pub(crate) struct GenerateArgs {
    /// Write the cases into this folder, which must be new or empty
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// The seed of the random choices
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// How many models to write; the number is reached unless no version has a valid node
    #[arg(long, default_value_t = 100, value_name = "N")]
    count: usize,

    /// Write models until each pair of choices of each version was made, instead of --count
    #[arg(long, conflicts_with = "count")]
    cover: bool,

    /// Only this operator, or the version of it that is in force at an opset; may be repeated
    #[arg(long, value_name = "OPERATOR[@OPSET]")]
    operator: Vec<String>,

    /// Only the versions that are in force at this opset, which the models import
    #[arg(long, value_parser = opset, value_name = "N")]
    opset: Option<u32>,

    /// Only operators of this domain
    #[arg(long, value_name = "DOMAIN")]
    domain: Option<String>,

    /// Write models that are wrong in one way each; the manifest has the code of the finding
    #[arg(long)]
    invalid: bool,

    /// Write graphs of about so many nodes of `ai.onnx`, which read each other's values, instead of single nodes
    #[arg(long, value_name = "N", conflicts_with_all = ["cover", "invalid", "domain"])]
    nodes: Option<usize>,

    /// Only nodes that a runtime supports with their types, within the limits that are known: one of `shape ops --runtimes`,
    /// or NAME@RELEASE
    #[arg(long, value_name = "NAME", conflicts_with = "invalid")]
    runtime: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    seed: u64,
    cases: usize,
    versions: Vec<VersionReport>,
}

/// What was made of a version.
#[derive(Serialize)]
struct VersionReport {
    domain: &'static str,
    operator: &'static str,
    version: u32,
    nodes: usize,
    choices: usize,
    choices_made: usize,
    pairs: usize,
    pairs_made: usize,
    /// Whether all of them were tried.
    complete: bool,
    /// The choices, and pairs of them, for which no valid node was found.
    missed: Vec<Vec<String>>,
}

impl From<Coverage> for VersionReport {
    fn from(coverage: Coverage) -> Self {
        Self {
            domain: coverage.schema.domain,
            operator: coverage.schema.name,
            version: coverage.schema.since_version,
            nodes: coverage.nodes,
            choices: coverage.choices,
            choices_made: coverage.choices_made,
            pairs: coverage.pairs,
            pairs_made: coverage.pairs_made,
            complete: coverage.complete,
            missed: coverage.missed.into_iter().map(|missed| missed.choices).collect(),
        }
    }
}

pub(crate) fn run(args: &GenerateArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let registry = match &args.runtime {
        Some(name) => limited_registry(runtime_of(name), specs, terminal)?,
        None => registry(specs, terminal)?,
    };
    let mut options = options(args, &registry).map_err(|error| terminal.fail(&error))?;
    let newest = registry.newest_opset("").unwrap_or(1);
    if let Some(name) = &args.runtime {
        let support = Support::named(name).map_err(|error| terminal.fail(&error))?;
        if args.nodes.is_some() {
            let reads = support.newest_opset("ai.onnx").unwrap_or(newest);
            options.opset = options.opset.or(Some(reads.min(newest)));
        }
        let support = Arc::new(support);
        let of_opset = support.clone();
        let wanted = Wanted::new(move |schema, opset, types| support.has(schema, opset, types));
        options.wanted = Some(wanted.at_opsets(move |schema, opset| {
            let is_read = of_opset.newest_opset(schema.domain).is_none_or(|newest| opset <= newest);
            is_read && of_opset.has(schema, opset, &[])
        }));
    }
    let mut generator = Generator::new(&registry, &options);
    if args.nodes.is_none() && generator.coverage().is_empty() {
        return Ok(terminal.fail("no version of an operator is meant by --operator, --opset and --domain together"));
    }
    let sources = inputs(specs);
    let mut cases = Cases::create(&args.output, (args.seed, args.opset), &registry, &sources)
        .map_err(|error| terminal.fail(&error))?;
    let mut seeds = args.seed..;
    while args.cover || cases.len() < args.count {
        let case = match args.nodes {
            Some(nodes) => seeds.next().and_then(|seed| {
                let options = GenerateOptions { seed, ..options.clone() };
                graph(&registry, &options, nodes)
            }),
            None if args.cover => generator.next_uncovered(Goal::Pairs),
            None => generator.next(),
        };
        let Some(case) = case else { break };
        cases.write(&case).map_err(|error| terminal.fail(&error))?;
    }
    let count = cases.len();
    cases.finish().map_err(|error| terminal.fail(&error))?;
    let coverage = generator.coverage();
    match args.format {
        Format::Json => {
            let coverage = if args.nodes.is_some() { Vec::new() } else { coverage };
            let versions = coverage.into_iter().map(VersionReport::from).collect();
            json::write(
                terminal.out(),
                &Report { schema_version: SCHEMA_VERSION, seed: args.seed, cases: count, versions },
            )?;
        }
        Format::Text if args.nodes.is_some() => {
            terminal.note(format_args!("wrote {} to {}", number(count, "graph"), args.output.display()));
        }
        Format::Text => text(args, &coverage, count, terminal)?,
    }
    terminal.flush()?;
    Ok(if count == 0 { Exit::Findings } else { Exit::Clean })
}

/// The runtime in `NAME@RELEASE`.
fn runtime_of(name: &str) -> &str {
    name.split_once('@').map_or(name, |(runtime, _)| runtime)
}

/// The operators that `OPERATOR` or `OPERATOR@OPSET` mean, by domain and name, each with a version if only that one is meant.
pub(super) fn operators(texts: &[String], registry: &Registry) -> Result<Vec<(String, String, Option<u32>)>, String> {
    let mut operators = Vec::new();
    for text in texts {
        let (path, at) = match text.split_once('@') {
            Some((path, at)) => (path, Some(opset(at)?)),
            None => (&**text, None),
        };
        let (domain, name) = domain_and_name(path);
        let since = match at {
            None if registry.operator(domain, name).is_empty() => Err(format!("no operator is called `{path}`")),
            None => Ok(None),
            Some(at) => match registry.resolve(domain, name, at) {
                Ok(schema) => Ok(Some(schema.since_version)),
                Err(missing) => Err(format!("{path} at opset {at}: {missing}")),
            },
        };
        operators.push((domain.to_owned(), name.to_owned(), since?));
    }
    Ok(operators)
}

fn options(args: &GenerateArgs, registry: &Registry) -> Result<GenerateOptions, String> {
    Ok(GenerateOptions {
        seed: args.seed,
        operators: operators(&args.operator, registry)?,
        domain: args.domain.clone(),
        opset: args.opset,
        invalid: args.invalid,
        exact: false,
        wanted: None,
    })
}

fn text(args: &GenerateArgs, coverage: &[Coverage], count: usize, terminal: &mut Terminal) -> std::io::Result<()> {
    let out = terminal.out();
    let sum = |of: fn(&Coverage) -> usize| coverage.iter().map(of).sum::<usize>();
    let versions = coverage.iter().filter(|version| version.nodes > 0).count();
    writeln!(
        out,
        "{STRONG}{}{STRONG:#} of {} of {}, seed {}",
        number(count, "model"),
        number(versions, "version"),
        coverage.len(),
        args.seed
    )?;
    writeln!(out, "choices made: {} of {}", grouped(sum(|of| of.choices_made)), grouped(sum(|of| of.choices)))?;
    writeln!(out, "pairs made: {} of {}", grouped(sum(|of| of.pairs_made)), grouped(sum(|of| of.pairs)))?;
    for version in coverage.iter().filter(|version| version.nodes == 0 && version.complete) {
        let schema = version.schema;
        writeln!(
            out,
            "no valid node was found of {}::{}-{}",
            Clean(schema.domain),
            Clean(schema.name),
            schema.since_version
        )?;
    }
    terminal.note(format_args!("wrote {} to {}", number(count, "case"), args.output.display()));
    Ok(())
}
