//! `shape infer`

mod dot;
mod table;
mod why;
mod words;

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

use serde::{Serialize, Serializer};
use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbols};
use shape_model::Finding;
use shape_model::file::{GraphEdit, ModelFile};
use shape_model::{Analysis, GraphKind, Options, OptionsError, Origin, Value, analyse, annotate};
use shape_specs::names::suggest;

use crate::args::{Format, InferArgs};
use crate::described::registry;
use crate::json::{self, SCHEMA_VERSION};
use crate::render::{self, Counts, number};
use crate::terminal::{Done, Exit, Terminal};

pub(crate) use words::all;

#[derive(Serialize)]
struct Report<'a> {
    schema_version: u32,
    values: Vec<Row<'a>>,
    findings: Vec<json::Finding>,
}

/// How one value came to be what it is.
#[derive(Serialize)]
struct Why<'a> {
    schema_version: u32,
    value: Row<'a>,
    steps: Vec<why::JsonStep<'a>>,
    findings: Vec<json::Finding>,
}

/// What is known of a value.
#[derive(Serialize)]
pub(crate) struct Row<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<&'a str>,
    #[serde(rename = "type")]
    ty: Option<String>,
    dims: Option<Vec<Size>>,
    value: Option<Vec<Size>>,
    reason: Option<String>,
}

/// A dimension or an element.
enum Size {
    Known(u64),
    /// An element; a marker may be negative.
    Int(i64),
    Bool(bool),
    Float(f64),
    /// A symbol or an expression, as text.
    Symbolic(String),
    Unknown,
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Known(size) => serializer.serialize_u64(*size),
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Symbolic(text) => serializer.serialize_str(text),
            Self::Unknown => serializer.serialize_none(),
        }
    }
}

pub(crate) fn run(args: &InferArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let inputs = args.inputs.iter().map(|(name, _)| ("--input", name));
    let symbols = args.symbols.iter().map(|(name, _)| ("--set", name));
    let mut given = HashSet::new();
    if let Some((option, name)) = inputs.chain(symbols).find(|name| !given.insert(*name)) {
        terminal.trouble(format_args!("{option} names `{name}` twice"));
        return Ok(Exit::Trouble);
    }
    let registry = registry(specs, terminal)?;
    let model = ModelFile::open(&args.model).map_err(|error| terminal.fail(&format!("{error}")))?;
    let options =
        Options { inputs: args.inputs.clone(), symbols: args.symbols.clone(), registry, ..Options::of(&model) };
    let mut analysis = analyse(model.proto(), &options)
        .map_err(|error| terminal.fail(&format!("{}: {}", args.model.display(), explain(&error))))?;
    let why = match &args.why {
        Some(name) => match why::find(&analysis, name) {
            Ok(value) => Some(analysis.trace(model.proto(), &options.registry, value)),
            Err(trouble) => return Ok(terminal.fail(&format!("{}: {trouble}", args.model.display()))),
        },
        None => None,
    };
    if args.strict {
        let findings = analysis.strict_findings();
        analysis.findings.extend(findings);
    }
    // Before anything is printed: a reader of the output finds the file in its place.
    let mut written = None;
    if let Some(path) = &args.output {
        let edit = annotate(&analysis);
        if let Err(error) = model.write(&edit, path) {
            terminal.trouble(format_args!("{error}"));
            return Ok(Exit::Trouble);
        }
        written = Some((path, annotated(&edit)));
    }

    let mut counts = Counts::default();
    counts.count(&analysis.findings);
    let mut findings = std::mem::take(&mut analysis.findings);
    let out = terminal.out();
    let json = args.format == Format::Json;
    if let Some(trace) = &why {
        findings.retain(|found| why::is_of(&analysis, trace, found));
        if !json {
            why::write(out, &analysis, trace)?;
        }
    } else if args.dot {
        findings.clear();
        dot::write(out, &analysis)?;
    } else if !json {
        let all = || vec![true; analysis.values.len()];
        table::write(out, &analysis, &if args.changed { analysis.inferred() } else { all() })?;
    }
    if json {
        let told = |findings: Vec<Finding>| {
            findings.into_iter().map(|finding| json::Finding::new(&args.model, finding)).collect()
        };
        let shown = args.changed.then(|| analysis.inferred());
        match why.as_ref().and_then(|trace| Some((trace, analysis.values.get(trace.value as usize)?))) {
            Some((trace, value)) => json::write(
                out,
                &Why {
                    schema_version: SCHEMA_VERSION,
                    value: row(&analysis, value),
                    steps: why::steps(&analysis, trace),
                    findings: told(findings),
                },
            )?,
            None => {
                let values = analysis.values.iter().enumerate();
                let values =
                    values.filter(|(index, _)| shown.as_ref().is_none_or(|shown| shown.get(*index) == Some(&true)));
                let values = values.filter_map(|(_, value)| listed(&analysis, value)).collect();
                json::write(out, &Report { schema_version: SCHEMA_VERSION, values, findings: told(findings) })?;
            }
        }
    } else {
        for (index, finding) in findings.iter().enumerate() {
            if index == 0 {
                writeln!(out)?;
            }
            render::finding(out, &args.model, finding)?;
        }
    }
    terminal.flush()?;
    if let Some((path, values)) = written {
        terminal.note(format_args!("wrote {}, with {} annotated", path.display(), number(values, "value")));
    }
    terminal.note(format_args!("{counts}"));
    Ok(if counts.errors > 0 { Exit::Findings } else { Exit::Clean })
}

pub(crate) fn explain(error: &OptionsError) -> String {
    let (what, name, known) = match error {
        OptionsError::NoSuchInput { name, known } => ("the model has no input", name, known),
        OptionsError::NoSuchSymbol { name, known } => ("no dimension of the model is called", name, known),
    };
    let help = suggest(name, known.iter().map(String::as_str));
    format!("{what} `{name}`; {}", help.unwrap_or_else(|| format!("there are {} others", known.len())))
}

/// The number of values that an edit is about.
fn annotated(edit: &GraphEdit) -> usize {
    edit.value_info.len() + edit.subgraphs.values().map(annotated).sum::<usize>()
}

/// The facts of a value; `None` for an initializer, and for what is inside of a function.
fn listed<'a>(analysis: &'a Analysis<'_>, value: &'a Value<'_>) -> Option<Row<'a>> {
    let graph = analysis.graphs.get(value.graph)?;
    (value.origin != Origin::Initializer && graph.kind != GraphKind::Function).then(|| row(analysis, value))
}

/// The facts of a value.
pub(crate) fn row<'a>(analysis: &'a Analysis<'_>, value: &'a Value<'_>) -> Row<'a> {
    let graph = analysis.graphs.get(value.graph).filter(|graph| graph.kind != GraphKind::Main);
    let ty = value.ty.as_ref().ok().map(|ty| match ty.element() {
        Some(element) => element.name().to_owned(),
        None => ty.to_string(),
    });
    let size = |dim: &Dim| Size::of(dim, &analysis.symbols);
    let element = |element: &Scalar<Dim>| match element {
        Scalar::Int(number) => Size::Int(*number),
        Scalar::Size(dim) | Scalar::Expression(dim) => size(dim),
        Scalar::Bool(value) => Size::Bool(*value),
        Scalar::Float(number) => Size::Float(*number),
        Scalar::Unknown(_) => Size::Unknown,
    };
    Row {
        name: value.name,
        graph: graph.map(|graph| &*graph.path),
        ty,
        dims: value.dims.as_deref().ok().map(|dims| dims.iter().map(size).collect()),
        value: value.elements.as_deref().ok().map(|elements| elements.iter().map(element).collect()),
        reason: value.unknown().map(|reason| analysis.explain(reason)),
    }
}

impl Size {
    fn of(dim: &Dim, symbols: &Symbols) -> Self {
        match dim {
            Dim::Known(size) => Self::Known(*size),
            Dim::Symbol(_) | Dim::Expression(_) => Self::Symbolic(dim.display(symbols).to_string()),
            Dim::Unknown(_) => Self::Unknown,
        }
    }
}
