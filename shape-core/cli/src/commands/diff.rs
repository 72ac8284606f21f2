//! `shape diff`: shows the changes of operators between two opsets, and what changed between two releases of a runtime.

pub(crate) mod opsets;
mod runtimes;

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use shape_changes::diff::{Change, Comparison, compare};
use shape_specs::Scope;
use shape_specs::operator::{Operator, Version};

use crate::descriptors::Descriptors;
use crate::descriptors::json::{Change as ChangeJson, change};
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, exit_codes, opset};
use crate::render::{FAINT, STRONG, hanging};
use crate::terminal::{Done, Exit, Terminal};

/// Show what changed between two opsets, in one operator or in all, or between two releases of a runtime
///
/// For one operator: compares each version between the two opsets with the next one, and at the end the first with the
/// last. With --opset: compares all operators of a domain. Operators with the same changes are grouped; then come new
/// and deprecated operators, and last those whose documentation alone changed. FROM may be newer than TO. An opset
/// means the version that is in force there. With --runtime: compares what two manifests say that a runtime supports.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "shape diff [OPTIONS] OPERATOR FROM TO\n       shape diff [OPTIONS] --opset FROM TO\n       \
                      shape diff [OPTIONS] --runtime FROM TO",
    after_help = concat!(
        "Examples:\n",
        "  shape diff Shape 13 25\n",
        "  shape diff Shape 25 13                what is lost on the way back\n",
        "  shape diff Shape 1 28 --format json | jq -r '.changes[].kind'\n",
        "  shape diff --opset 24 25              what a new opset changes\n",
        "  shape diff --opset 13 28 --operator 'Reduce*'\n",
        "  shape diff --opset 3 5 --domain ai.onnx.ml\n",
        "  shape diff --runtime onnxruntime-cpu@1.24.4 onnxruntime-cpu@1.31.1\n",
        "  shape diff --runtime onnxruntime-cpu mine.yaml",
        exit_codes!(),
    )
)]
pub(crate) struct DiffArgs {
    /// The operator, as in `Shape` or `com.acme::Gelu`
    #[arg(required_unless_present_any = ["opset", "runtime"], conflicts_with_all = ["opset", "runtime"])]
    operator: Option<String>,

    /// The first opset
    #[arg(value_parser = opset, required_unless_present_any = ["opset", "runtime"], conflicts_with_all = ["opset", "runtime"])]
    from: Option<u32>,

    /// The second opset
    #[arg(value_parser = opset, required_unless_present_any = ["opset", "runtime"], conflicts_with_all = ["opset", "runtime"])]
    to: Option<u32>,

    /// Compare all operators of a domain between two opsets
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], value_parser = opset)]
    opset: Option<Vec<u32>>,

    /// Compare two manifests: runtimes of `shape ops --runtimes`, in their newest release or in NAME@RELEASE, or files
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], conflicts_with = "opset")]
    runtime: Option<Vec<String>>,

    /// With --opset: the domain of the operators [default: ai.onnx]
    #[arg(long, value_name = "DOMAIN", requires = "opset", conflicts_with = "operator")]
    domain: Option<String>,

    /// With --opset: compare only operators whose name matches, as in `Reduce*`; `?` matches one letter, `[ab]` one of
    /// these
    #[arg(id = "glob", long = "operator", value_name = "GLOB", requires = "opset", conflicts_with = "operator")]
    glob: Option<glob::Pattern>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

#[derive(Serialize)]
pub(crate) struct Report<'s> {
    schema_version: u32,
    domain: &'s str,
    operator: &'s str,
    from: End,
    to: End,
    steps: Vec<Step<'s>>,
    changes: Vec<ChangeJson<'s>>,
}

#[derive(Serialize)]
struct End {
    opset: u32,
    since: u32,
}

#[derive(Serialize)]
struct Step<'s> {
    from: u32,
    to: u32,
    changes: Vec<ChangeJson<'s>>,
}

impl<'s> Report<'s> {
    /// What changed in an operator from one version to another one, each at an opset.
    pub(crate) fn new(
        operator: &'s Operator,
        from: (u32, &Version),
        to: (u32, &Version),
        comparison: &'s Comparison<'_>,
    ) -> Self {
        let end = |(opset, version): (u32, &Version)| End { opset, since: version.since };
        let steps = comparison.steps.iter().map(|step| Step {
            from: step.before.since,
            to: step.after.since,
            changes: step.changes.iter().map(change).collect(),
        });
        Self {
            schema_version: SCHEMA_VERSION,
            domain: &operator.domain,
            operator: &operator.name,
            from: end(from),
            to: end(to),
            steps: steps.collect(),
            changes: comparison.overall.iter().map(change).collect(),
        }
    }
}

pub(crate) fn run(args: &DiffArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    if let Some([from, to]) = args.runtime.as_deref() {
        return runtimes::run(args.format, (from, to), specs, terminal);
    }
    match (args.opset.as_deref(), &args.operator, args.from, args.to) {
        (Some(&[from, to]), ..) => {
            let descriptors = Descriptors::read(Scope::Facts, specs, terminal)?;
            opsets::run(args, (from, to), &descriptors, terminal)
        }
        (_, Some(operator), Some(from), Some(to)) => {
            let descriptors = Descriptors::read_one(operator, specs, terminal)?;
            one_operator(args.format, operator, (from, to), &descriptors, terminal)
        }
        // The parser of the command line rejects all else.
        _ => Ok(terminal.fail("expected an operator and two opsets, `--opset FROM TO`, or `--runtime FROM TO`")),
    }
}

fn one_operator(
    format: Format,
    operator: &str,
    opsets: (u32, u32),
    descriptors: &Descriptors,
    terminal: &mut Terminal,
) -> Done {
    let versions = descriptors.operator(operator).and_then(|operator| {
        Ok((operator, descriptors.version(operator, opsets.0)?, descriptors.version(operator, opsets.1)?))
    });
    let (operator, from, to) = versions.map_err(|error| terminal.fail(&error))?;
    let comparison = compare(operator, from, to);
    match format {
        Format::Text => write_text(terminal.out(), operator, (opsets.0, from), (opsets.1, to), &comparison)?,
        Format::Json => {
            let report = Report::new(operator, (opsets.0, from), (opsets.1, to), &comparison);
            json::write(terminal.out(), &report)?;
        }
    }
    Ok(Exit::Clean)
}

fn write_text(
    out: &mut impl Write,
    operator: &Operator,
    from: (u32, &Version),
    to: (u32, &Version),
    comparison: &Comparison<'_>,
) -> io::Result<()> {
    let name = &operator.name;
    writeln!(out, "{STRONG}{name}{STRONG:#} ({}), from opset {} to opset {}", operator.domain, from.0, to.0)?;
    for (opset, version) in [from, to] {
        if opset != version.since {
            writeln!(out, "{FAINT}The version at opset {opset} is {name}-{}.{FAINT:#}", version.since)?;
        }
    }
    for step in &comparison.steps {
        let (before, after) = (step.before.since, step.after.since);
        section(out, &format!("{name}-{before} -> {name}-{after}"), &step.changes)?;
    }
    match &*comparison.steps {
        [] => writeln!(out, "\nNothing changed: both opsets have the same version."),
        [_] => Ok(()),
        _ if comparison.overall.is_empty() => writeln!(out, "\nIn total nothing changed."),
        _ => section(out, "In total", &comparison.overall),
    }
}

fn section(out: &mut impl Write, title: &str, changes: &[Change]) -> io::Result<()> {
    writeln!(out, "\n{STRONG}{title}{STRONG:#}")?;
    changes.iter().try_for_each(|change| hanging(out, "  - ", &change.to_string()))
}
