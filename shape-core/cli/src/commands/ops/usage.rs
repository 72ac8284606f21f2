//! `shape ops --model`: the operators, versions and types that models use.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use shape_core::Registry;
use shape_core::code::Severity;
use shape_core::opset::canonical_domain;
use shape_core::types::Type;
use shape_model::ModelFile;
use shape_model::{Analysis, NodeUse, Options, UsedOperator, analyse};

use super::OpsArgs;
use super::asked::{Asked, Hints};
use super::gaps::{self, Gap, Gaps, Supported};
use super::manifest::Support;
use super::releases::Releases;
use super::used::{since, type_text, unknown};
use crate::input;
use crate::json::{self, SCHEMA_VERSION};
use crate::models::{self, Named};
use crate::options::Format;
use crate::render::{Clean, FAINT, STRONG, hanging, number};
use crate::steps::Steps;
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    /// The runtime that the models are compared with; null without a manifest.
    runtime: Option<Runtime>,
    models: Vec<Model>,
}

/// What a manifest says of itself.
#[derive(Serialize)]
struct Runtime {
    /// Null if the manifest does not name it.
    runtime: Option<String>,
    /// Null if the manifest does not name it.
    release: Option<String>,
    sources: Vec<String>,
}

#[derive(Serialize)]
struct Model {
    model: String,
    /// The imports of the model itself; functions have other imports.
    imports: Vec<Import>,
    operators: Vec<Operator>,
    /// Which releases of the runtime have all of it; null without a runtime, or where one of its releases is named.
    releases: Option<Releases>,
    /// What the runtime lacks; null without a manifest.
    lacks: Option<Vec<Gap>>,
    /// What the runtime may lack: a version or a type is unknown; null without a manifest.
    unsure: Option<Vec<Gap>>,
    /// Whether the runtime supports each node; null without a manifest.
    nodes: Option<Vec<Supported>>,
}

#[derive(Serialize)]
struct Import {
    domain: String,
    opset: Option<i64>,
}

/// A version of an operator that the model uses.
#[derive(Serialize)]
struct Operator {
    domain: String,
    name: String,
    /// Null for a function of the model, and if `unknown` says why.
    since_version: Option<u32>,
    function: bool,
    unknown: Option<String>,
    nodes: usize,
    types: Vec<Variable>,
}

/// The types that a type variable has in the nodes.
#[derive(Serialize)]
struct Variable {
    /// Null for an operator whose version is unknown; then all inputs and outputs count.
    variable: Option<&'static str>,
    types: Vec<String>,
    /// The number of nodes in which it may have other types.
    unknown: usize,
    #[serde(skip)]
    texts: Vec<String>,
}

pub(super) fn run(args: &OpsArgs, specs: &[PathBuf], registry: &Registry, terminal: &mut Terminal) -> Done {
    let asked = match (&args.manifest, &args.runtime) {
        (Some(path), _) => Some(Asked::of(Support::read(path, specs, terminal)?)),
        (None, Some(name)) => Some(Asked::named(name).map_err(|error| terminal.fail(&error))?),
        (None, None) => None,
    };
    let registry = &asked.as_ref().map_or_else(|| registry.clone(), |asked| asked.registry(registry));
    let runtime = asked.as_ref().map(|Asked { support: Support { head, .. }, .. }| Runtime {
        runtime: head.runtime.clone(),
        release: head.release.clone(),
        sources: head.sources.clone(),
    });
    let mut report = Report { schema_version: SCHEMA_VERSION, runtime, models: Vec::new() };
    let mut exit = Exit::Clean;
    let mut skipped = Vec::new();
    let models = models::named(&args.models, &mut skipped);
    skipped.iter().for_each(|path| terminal.skipped(path));
    for model in models {
        let read = model.map_err(|unread| unread.error).and_then(|Named { path, .. }| {
            let mut steps = Steps::begin();
            let (label, file) = (input::label(&path), input::open(&path)?);
            steps.end("read");
            let options = Options { registry: registry.clone(), ..Options::of(&file) };
            let analysis = analyse(file.model(), &options).map_err(|error| error.to_string())?;
            file.check_unchanged().map_err(|error| error.to_string())?;
            let errors = analysis.findings.iter().filter(|finding| finding.severity() == Severity::Error).count();
            let (model, gaps) = inspect(label, &file, &analysis, registry, asked.as_ref());
            steps.end("analysed");
            terminal.took(label, &steps);
            Ok((label.to_owned(), model, gaps, errors))
        });
        let (label, model, gaps, errors) = match read {
            Ok(read) => read,
            Err(error) => {
                terminal.error(format_args!("{error}"));
                exit = Exit::Failure;
                continue;
            }
        };
        if errors > 0 {
            let errors = number(errors, "error");
            terminal.note(format_args!("{} has {errors}; `shape check` shows them", label.display()));
        }
        if gaps.as_ref().is_some_and(|gaps| !gaps.certain.is_empty()) {
            exit = exit.max(Exit::Findings);
        }
        if args.format == Format::Text {
            if !report.models.is_empty() {
                writeln!(terminal.out())?;
            }
            write_text(terminal.out(), &model)?;
            if let (Some(gaps), Some(asked)) = (&gaps, &asked) {
                gaps::write_text(terminal.out(), gaps, &asked.support.label)?;
                if let (Some(releases), Some((runtime, _))) = (&model.releases, &asked.manifests) {
                    releases.write_text(terminal.out(), runtime)?;
                }
            }
        }
        report.models.push(model);
    }
    if args.format == Format::Json {
        json::write(terminal.out(), &report)?;
    }
    Ok(exit)
}

/// The usage of a model, and what the runtime lacks for it if there is a manifest.
fn inspect<'m>(
    path: &Path,
    file: &'m ModelFile,
    analysis: &Analysis<'m>,
    registry: &Registry,
    asked: Option<&Asked>,
) -> (Model, Option<Gaps>) {
    let usage = analysis.usage(file.model(), registry);
    let (gaps, releases) = asked.map(|asked| asked.compare(&usage, file, analysis, registry, Hints::Tried)).unzip();
    let imports = file.model().opset_import().iter();
    let imports =
        imports.map(|import| Import { domain: canonical_domain(&import.domain).to_owned(), opset: import.version });
    let model = Model {
        model: path.to_string_lossy().into_owned(),
        imports: imports.collect(),
        operators: operators(&usage),
        releases: releases.flatten(),
        lacks: gaps.as_ref().map(|gaps| gaps.certain.clone()),
        unsure: gaps.as_ref().map(|gaps| gaps.possible.clone()),
        nodes: gaps.as_ref().map(|gaps| gaps.nodes.clone()),
    };
    (model, gaps)
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

/// The types of each type variable in the nodes of one version.
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
        texts: types.into_iter().map(type_text).collect(),
    });
    variables.collect()
}

/// Writes a paragraph for each domain, with a line for each version.
fn write_text(out: &mut impl Write, model: &Model) -> io::Result<()> {
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
        facts.extend(operator.unknown.iter().map(|why| format!("version unknown: {why}")));
        let first = format!("  {:names$}  {:counts$}  ", name(operator), nodes(operator));
        hanging(out, &first, &facts.join("; "))?;
    }
    Ok(())
}

fn variable(Variable { variable, texts, unknown, .. }: &Variable) -> String {
    let mut parts = Vec::new();
    if !texts.is_empty() {
        parts.push(texts.join(", "));
    }
    if *unknown > 0 {
        let nodes = number(*unknown, "node");
        parts.push(if texts.is_empty() { format!("unknown in {nodes}") } else { format!("(unknown in {nodes})") });
    }
    let name = variable.map(|variable| format!("{variable}: ")).unwrap_or_default();
    format!("{name}{}", parts.join(" "))
}
