//! `shape ops --model`: what models use.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use shape_core::Registry;
use shape_core::code::Severity;
use shape_core::opset::canonical_domain;
use shape_core::registry::Missing;
use shape_core::types::Type;
use shape_model::file::ModelFile;
use shape_model::{Analysis, NodeUse, Options, UsedOperator, analyse};

use super::lacks::{self, Lacks};
use super::support::Support;
use crate::args::{Format, OpsArgs};
use crate::json::{self, SCHEMA_VERSION};
use crate::render::{Clean, FAINT, STRONG, hanging, number};
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    models: Vec<Model>,
}

#[derive(Serialize)]
struct Model {
    model: String,
    /// What the model itself imports; functions have imports of their own.
    imports: Vec<Import>,
    operators: Vec<Operator>,
    /// What the runtime of the manifest lacks; null without one.
    lacks: Option<Vec<lacks::Lack>>,
    /// What cannot be told of it, since a version or a type is not known; null without a manifest.
    unsure: Option<Vec<lacks::Lack>>,
}

#[derive(Serialize)]
struct Import {
    domain: String,
    opset: Option<i64>,
}

/// A version of an operator that nodes of the model have.
#[derive(Serialize)]
struct Operator {
    domain: String,
    name: String,
    /// Null for a function of the model, and where `unknown` says why.
    since_version: Option<u32>,
    function: bool,
    unknown: Option<String>,
    nodes: usize,
    types: Vec<Variable>,
}

/// The types that a type variable has in the nodes.
#[derive(Serialize)]
struct Variable {
    /// Null for all inputs and outputs of an operator of which no version is known.
    variable: Option<&'static str>,
    types: Vec<String>,
    /// The nodes in which there may be others.
    unknown: usize,
    #[serde(skip)]
    words: Vec<String>,
}

pub(super) fn run(args: &OpsArgs, specs: &[PathBuf], registry: &Registry, terminal: &mut Terminal) -> Done {
    let support = args.manifest.as_deref().map(|path| Support::read(path, specs, terminal)).transpose()?;
    let mut report = Report { schema_version: SCHEMA_VERSION, models: Vec::new() };
    let mut exit = Exit::Clean;
    for path in &args.models {
        let read = ModelFile::open(path).map_err(|error| error.to_string()).and_then(|file| {
            let options = Options { registry: registry.clone(), ..Options::of(&file) };
            let analysis = analyse(file.proto(), &options).map_err(|error| error.to_string())?;
            let errors = analysis.findings.iter().filter(|found| found.severity() == Severity::Error).count();
            let (model, lacks) = look(path, &file, &analysis, registry, support.as_ref());
            Ok((model, lacks, errors))
        });
        let (model, lacks, errors) = match read {
            Ok(read) => read,
            Err(trouble) => {
                terminal.trouble(format_args!("{trouble}"));
                exit = Exit::Trouble;
                continue;
            }
        };
        if errors > 0 {
            let errors = number(errors, "error");
            terminal.note(format_args!("{} has {errors}, which `shape check` tells", path.display()));
        }
        if lacks.as_ref().is_some_and(Lacks::any) {
            exit = exit.max(Exit::Findings);
        }
        if args.format == Format::Text {
            if !report.models.is_empty() {
                writeln!(terminal.out())?;
            }
            page(terminal.out(), &model)?;
            if let (Some(lacks), Some(manifest)) = (&lacks, &args.manifest) {
                lacks::page(terminal.out(), lacks, manifest)?;
            }
        }
        report.models.push(model);
    }
    if args.format == Format::Json {
        json::write(terminal.out(), &report)?;
    }
    Ok(exit)
}

fn look(
    path: &Path,
    file: &ModelFile,
    analysis: &Analysis<'_>,
    registry: &Registry,
    support: Option<&Support>,
) -> (Model, Option<Lacks>) {
    let usage = analysis.usage(file.proto(), registry);
    let lacks = support.map(|support| Lacks::new(&usage, analysis, support));
    let imports = file.proto().opset_import.iter();
    let imports =
        imports.map(|import| Import { domain: canonical_domain(&import.domain).to_owned(), opset: import.version });
    let model = Model {
        model: path.to_string_lossy().into_owned(),
        imports: imports.collect(),
        operators: operators(&usage),
        lacks: lacks.as_ref().map(|lacks| lacks.lacks.clone()),
        unsure: lacks.as_ref().map(|lacks| lacks.unsure.clone()),
    };
    (model, lacks)
}

/// Why no version of an operator is known.
pub(super) fn unknown(operator: UsedOperator) -> Option<String> {
    match operator {
        UsedOperator::Version(_) | UsedOperator::Function => None,
        UsedOperator::NotImported => Some("its domain is not imported".to_owned()),
        UsedOperator::Missing(Missing::NoDescriptor) => Some("it has no descriptor".to_owned()),
        UsedOperator::Missing(Missing::OperatorTooNew { since }) => Some(format!("it came with opset {since}")),
        UsedOperator::Missing(Missing::OpsetTooNew { newest }) => {
            Some(format!("the opset that is imported is newer than {newest}, the newest one known"))
        }
    }
}

/// The version of an operator, where it is known.
pub(super) fn since(operator: UsedOperator) -> Option<u32> {
    if let UsedOperator::Version(schema) = operator { Some(schema.since_version) } else { None }
}

/// A type as a descriptor has it: `float` for a tensor of it.
pub(super) fn word(ty: Type) -> String {
    let text = ty.to_string();
    let element = text.strip_prefix("tensor(").and_then(|rest| rest.strip_suffix(')'));
    element.map(str::to_owned).unwrap_or(text)
}

fn operators(usage: &[NodeUse<'_>]) -> Vec<Operator> {
    let mut operators: BTreeMap<_, Vec<&NodeUse<'_>>> = BTreeMap::new();
    for node in usage {
        let function = matches!(node.operator, UsedOperator::Function);
        let key = (node.domain, node.op_type, since(node.operator), function, unknown(node.operator));
        operators.entry(key).or_default().push(node);
    }
    let operators = operators.into_iter().map(|((domain, name, since_version, function, unknown), nodes)| Operator {
        domain: domain.to_owned(),
        name: name.to_owned(),
        since_version,
        function,
        unknown,
        nodes: nodes.len(),
        types: variables(&nodes),
    });
    operators.collect()
}

/// The types that nodes of one version have.
fn variables(nodes: &[&NodeUse<'_>]) -> Vec<Variable> {
    #[derive(Default)]
    struct Seen {
        name: Option<&'static str>,
        types: BTreeSet<Type>,
        unknown: usize,
    }
    let mut variables: BTreeMap<Option<usize>, Seen> = BTreeMap::new();
    for node in nodes {
        for used in &node.types {
            let seen = variables.entry(used.variable).or_default();
            if let (UsedOperator::Version(schema), Some(variable)) = (node.operator, used.variable) {
                seen.name = schema.types.get(variable).map(|constraint| constraint.name);
            }
            seen.types.extend(&used.known);
            seen.unknown += usize::from(used.open);
        }
    }
    let variables = variables.into_values().map(|Seen { name, types, unknown }| Variable {
        variable: name,
        types: types.iter().map(ToString::to_string).collect(),
        unknown,
        words: types.into_iter().map(word).collect(),
    });
    variables.collect()
}

/// A paragraph a domain, a line a version.
fn page(out: &mut impl Write, model: &Model) -> io::Result<()> {
    let import = |import: &Import| match import.opset {
        Some(opset) => format!("{} {opset}", import.domain),
        None => format!("{} without a version", import.domain),
    };
    let imports: Vec<String> = model.imports.iter().map(import).collect();
    let imports = if imports.is_empty() { "no imports".to_owned() } else { imports.join(", ") };
    writeln!(out, "{STRONG}{}{STRONG:#} {FAINT}({}){FAINT:#}", Clean(&model.model), Clean(&imports))?;
    if model.operators.is_empty() {
        writeln!(out, "\nNo nodes.")?;
    }
    let name = |operator: &Operator| match operator.since_version {
        Some(since) => format!("{}-{since}", Clean(&operator.name)),
        None => Clean(&operator.name).to_string(),
    };
    let nodes = |operator: &Operator| number(operator.nodes, "node");
    let names = model.operators.iter().map(|operator| name(operator).chars().count()).max().unwrap_or_default();
    let counts = model.operators.iter().map(|operator| nodes(operator).len()).max().unwrap_or_default();
    let mut last = None;
    for operator in &model.operators {
        if last != Some(&operator.domain) {
            writeln!(out, "\n{STRONG}{}{STRONG:#}", Clean(&operator.domain))?;
            last = Some(&operator.domain);
        }
        let mut facts: Vec<String> = operator.types.iter().map(variable).collect();
        facts.extend(operator.function.then(|| "a function of the model".to_owned()));
        facts.extend(operator.unknown.iter().map(|why| format!("no version: {why}")));
        let first = format!("  {:names$}  {:counts$}  ", name(operator), nodes(operator));
        hanging(out, &first, &facts.join("; "))?;
    }
    Ok(())
}

fn variable(Variable { variable, words, unknown, .. }: &Variable) -> String {
    let mut parts = Vec::new();
    if !words.is_empty() {
        parts.push(words.join(", "));
    }
    if *unknown > 0 {
        let nodes = number(*unknown, "node");
        parts.push(if words.is_empty() { format!("unknown in {nodes}") } else { format!("(unknown in {nodes})") });
    }
    let name = variable.map(|variable| format!("{variable}: ")).unwrap_or_default();
    format!("{name}{}", parts.join(" "))
}
