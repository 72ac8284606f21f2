//! `shape ops`: lists operators: all known ones, or those that models use.

mod asked;
mod coverage;
mod gaps;
mod hint;
mod hints;
mod json;
pub(crate) mod manifest;
mod releases;
mod runtimes;
mod usage;
mod used;

#[cfg(feature = "pages")]
pub(crate) use asked::supports;
pub use asked::{Lack, RuntimeSupport, support};

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use shape_core::opset::canonical_domain;
use shape_core::{Registry, Schema};

use crate::descriptors::registry;
use crate::json::{SCHEMA_VERSION, write};
use crate::options::{Format, opset};
use crate::render::{FAINT, STRONG, hanging};
use crate::terminal::{Done, Exit, Terminal};

/// List the known operators, or those that models use
///
/// Without --model: lists the newest version of each known operator. The JSON output has all facts of the onnx package
/// about it, with the names that onnx uses.
///
/// With --model: lists the versions that the opset imports of the model select, with the number of nodes and the types
/// of each type variable. Nodes in subgraphs and in model-local functions count too. With --runtime or --manifest, also
/// reports which nodes a runtime supports, what it lacks for the model, from which release on it has all of it, and what can be
/// done about it: to convert the
/// model to another opset is proposed only where that was tried.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "shape ops [OPTIONS]\n       shape ops [OPTIONS] --model <MODEL> [--runtime <NAME> | --manifest <FILE>]\n       \
                      shape ops [OPTIONS] --runtimes",
    after_help = concat!(
        "Examples:\n",
        "  shape ops\n",
        "  shape ops --opset 17\n",
        "  shape ops --opset 3 --domain ai.onnx.ml\n",
        "  shape ops --all-versions --format json | jq '.operators | length'\n",
        "  shape ops --coverage                         what is known of each version beside its facts\n",
        "  shape ops --model model.onnx\n",
        "  shape ops --model model.onnx --runtime onnxruntime-cpu\n",
        "  shape ops --model model.onnx --runtime onnxruntime-cpu@1.24.4\n",
        "  shape ops --model model.onnx --manifest runtime.yaml\n",
        "  shape ops --runtimes                         the runtimes that this build has manifests of\n\n",
        "A manifest lists the operators that a runtime supports. A field that is absent sets no limit. ",
        "Several entries of one operator add up:\n",
        "  operators:\n",
        "    - { operator: Shape }\n",
        "    - { operator: Add, versions: [7, 13, 14], types: [float, int64] }\n",
        "    - { operator: Gather, types: [float], variables: [{ name: Tind, types: [int64] }] }\n",
        "    - { operator: Gelu, domain: com.acme }\n\n",
        "Exit code: 0 if nothing is wrong, 1 if the runtime lacks something, 2 if the command line is wrong \
         or a file cannot be read.",
    )
)]
pub(crate) struct OpsArgs {
    /// List all versions of each operator, not only the newest
    #[arg(long, conflicts_with = "opset")]
    all_versions: bool,

    /// List what is known of each version: where the types of outputs come from, how many outputs have a rule for their
    /// dimensions, whether any has a rule for its elements (values), and whether all have one (data)
    #[arg(long, conflicts_with_all = ["models", "all_versions"])]
    coverage: bool,

    /// List the versions that are in force at an opset of ai.onnx, or of --domain
    #[arg(long, value_name = "N", value_parser = opset)]
    opset: Option<u32>,

    /// List the operators of one domain only
    #[arg(long, value_name = "DOMAIN")]
    domain: Option<String>,

    /// List what a model uses: a file, a folder with models, or a pattern; `-` is standard input; may be repeated
    #[arg(long = "model", value_name = "MODEL", conflicts_with_all = ["all_versions", "opset", "domain"])]
    models: Vec<PathBuf>,

    /// Report what a runtime lacks for the model: one of --runtimes, in its newest release or in NAME@RELEASE
    #[arg(long, value_name = "NAME", requires = "models", conflicts_with_all = ["manifest", "all_versions", "opset", "domain"])]
    runtime: Option<String>,

    /// List the runtimes that this build has manifests of, and how these were read
    #[arg(long, conflicts_with_all = ["models", "all_versions", "coverage", "opset", "domain"])]
    runtimes: bool,

    /// Report what a runtime lacks for the model; FILE is a YAML file that lists what the runtime supports
    #[arg(long, value_name = "FILE", requires = "models", conflicts_with_all = ["all_versions", "opset", "domain"])]
    manifest: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

pub(crate) fn run(args: &OpsArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    if args.runtimes {
        return runtimes::run(args.format, specs, terminal);
    }
    let registry = registry(specs, terminal)?;
    if !args.models.is_empty() {
        return usage::run(args, specs, &registry, terminal);
    }
    let operators = select(args, &registry).map_err(|error| terminal.fail(&error))?;
    if args.coverage {
        coverage::write(terminal.out(), &operators, args.format)?;
        return Ok(Exit::Clean);
    }
    match args.format {
        Format::Text => write_text(terminal.out(), &operators)?,
        Format::Json => {
            let operators = operators.into_values().flatten().map(json::Operator::new).collect();
            write(terminal.out(), &json::Report { schema_version: SCHEMA_VERSION, operators })?;
        }
    }
    Ok(Exit::Clean)
}

/// The versions that the arguments select, by domain and name; fails if there are none.
fn select<'r>(
    args: &OpsArgs,
    registry: &'r Registry,
) -> Result<BTreeMap<(&'r str, &'r str), Vec<&'static Schema>>, String> {
    let domain = args.domain.as_deref().or(args.opset.map(|_| "")).map(canonical_domain);
    let mut operators = BTreeMap::new();
    for versions in registry.operators() {
        let Some(first) = versions.first() else { continue };
        if domain.is_some_and(|domain| domain != first.domain) {
            continue;
        }
        let versions = match args.opset {
            Some(opset) => registry.resolve(first.domain, first.name, opset).into_iter().collect(),
            None if args.all_versions || args.coverage => versions.to_vec(),
            None => versions.last().copied().into_iter().collect(),
        };
        if !versions.is_empty() {
            operators.insert((first.domain, first.name), versions);
        }
    }
    if operators.is_empty() {
        let domain = domain.map(|domain| format!(" of {domain}")).unwrap_or_default();
        let opset = args.opset.map(|opset| format!(" at opset {opset}")).unwrap_or_default();
        return Err(format!("there is no operator{domain}{opset}"));
    }
    Ok(operators)
}

/// Writes a paragraph for each domain, with a line for each operator.
fn write_text(out: &mut impl Write, operators: &BTreeMap<(&str, &str), Vec<&'static Schema>>) -> io::Result<()> {
    let width = operators.keys().map(|(_, name)| name.len()).max().unwrap_or_default();
    let mut last = None;
    for ((domain, name), versions) in operators {
        if last != Some(*domain) {
            let count = operators.keys().filter(|(of, _)| of == domain).count();
            let apart = if last.is_some() { "\n" } else { "" };
            writeln!(out, "{apart}{STRONG}{domain}{STRONG:#} {FAINT}({count}){FAINT:#}")?;
            last = Some(*domain);
        }
        let mark = |schema: &&Schema| if schema.deprecated { " (deprecated)" } else { "" };
        let versions: Vec<String> =
            versions.iter().map(|schema| format!("{}{}", schema.since_version, mark(schema))).collect();
        hanging(out, &format!("  {name:width$}  "), &versions.join(", "))?;
    }
    Ok(())
}
