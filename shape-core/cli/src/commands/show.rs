//! `shape show`: shows an operator as its descriptor describes it.

pub(crate) mod example;
pub(crate) mod json;
mod text;

use std::path::PathBuf;
use std::{fmt, iter};

use shape_changes::diff::{self, Change, changes};
use shape_specs::Tables;
use shape_specs::operator::{Example, Operator, Ruling, Version};
use shape_specs::tables::ReleaseNumber;

use crate::descriptors::Descriptors;
use crate::options::{Format, exit_codes, opset};
use crate::terminal::{Done, Exit, Terminal};

/// Show an operator: its versions, attributes, inputs, outputs, types, examples and rulings
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape show Shape              all versions\n",
    "  shape show Shape@14           the version that is in force at opset 14\n",
    "  shape show com.acme::Gelu     an operator of another domain\n",
    "  shape show Shape --format json | jq '.operator.versions[].since'",
    exit_codes!(),
))]
pub(crate) struct ShowArgs {
    /// The operator, as in `Shape` or `com.acme::Gelu`; with an opset as in `Shape@14`
    #[arg(value_name = "OPERATOR[@OPSET]")]
    operator: String,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// An operator with all its versions, or with the one that is in force at an opset.
pub(crate) struct Shown<'s> {
    operator: &'s Operator,
    opset: Option<u32>,
    /// Newest first.
    versions: Vec<Entry<'s>>,
    tables: &'s Tables,
}

/// A version, with its changes from the version before it.
struct Entry<'s> {
    version: &'s Version,
    older: Option<&'s Version>,
    changes: Vec<Change>,
    releases: Vec<InRelease<'s>>,
}

/// A release of a runtime that brought a version, or changed it in place.
pub(crate) struct InRelease<'s> {
    runtime: &'s str,
    release: ReleaseNumber,
    /// What it changed; `None` for the first one with the version.
    changes: Option<Vec<Change>>,
}

impl<'s> InRelease<'s> {
    /// Those of a version, the oldest first.
    pub(crate) fn of(operator: &'s Operator, version: &'s Version) -> impl Iterator<Item = Self> {
        let runtime = operator.runtime.as_deref().unwrap_or_default();
        let before = iter::once(None).chain(version.by_release().map(Some));
        before.zip(version.by_release()).filter_map(move |(before, version)| {
            Some(Self {
                runtime,
                release: version.release?,
                changes: before.map(|before| diff::facts(before, version)),
            })
        })
    }
}

impl fmt::Display for InRelease<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runtime, release, changes } = self;
        write!(formatter, "{runtime} {release}: ")?;
        let Some(changes) = changes else { return formatter.write_str("the first one with it") };
        let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
        formatter.write_str(&changes.join("; "))
    }
}

impl<'s> Entry<'s> {
    fn new(version: &'s Version, operator: &'s Operator) -> Self {
        let older = operator.versions.iter().rfind(|older| older.since < version.since);
        let changes = older.map(|older| changes(older, version)).unwrap_or_default();
        Self { version, older, changes, releases: InRelease::of(operator, version).collect() }
    }
}

impl<'s> Shown<'s> {
    /// An operator with all versions, or with the one that is in force at an opset.
    pub(crate) fn new(operator: &'s Operator, at: Option<(u32, &'s Version)>, tables: &'s Tables) -> Self {
        let entry = |version| Entry::new(version, operator);
        let versions = match at {
            None => operator.versions.iter().rev().map(entry).collect(),
            Some((_, version)) => vec![entry(version)],
        };
        Self { operator, opset: at.map(|(opset, _)| opset), versions, tables }
    }

    /// The summary of the newest of these versions.
    fn summary(&self) -> &'s str {
        self.versions.first().map_or(&self.operator.summary, |entry| &entry.version.summary)
    }

    /// The details that belong to the summary.
    fn details(&self) -> &'s str {
        self.versions.first().map_or("", |entry| &entry.version.details)
    }

    /// The examples that hold for any of these versions.
    fn examples(&self) -> impl Iterator<Item = &'s Example> {
        self.operator
            .examples
            .iter()
            .filter(|example| self.versions.iter().any(|entry| example.holds_for(entry.version.since)))
    }

    /// The rulings on any of these versions.
    fn errata(&self) -> impl Iterator<Item = &'s Ruling> {
        let about = |ruling: &&Ruling| self.versions.iter().any(|entry| ruling.versions.contains(&entry.version.since));
        self.operator.errata.iter().filter(about)
    }
}

pub(crate) fn run(args: &ShowArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let (path, opset) = split(&args.operator).map_err(|error| terminal.fail(&error))?;
    let descriptors = Descriptors::read_one(path, specs, terminal)?;
    let shown = find(path, opset, &descriptors).map_err(|error| terminal.fail(&error))?;
    match args.format {
        Format::Text => text::write(terminal.out(), &shown)?,
        Format::Json => crate::json::write(terminal.out(), &json::Report::new(&shown))?,
    }
    Ok(Exit::Clean)
}

/// What `descriptors` say of an operator, as JSON; at an opset, of the version that is in force there.
///
/// # Errors
/// They do not have it.
#[cfg(feature = "pages")]
pub(crate) fn json(path: &str, opset: Option<u32>, descriptors: &Descriptors) -> Result<String, String> {
    let shown = find(path, opset, descriptors)?;
    serde_json::to_string(&json::Report::new(&shown)).map_err(|error| error.to_string())
}

/// Splits `com.acme::Name@14` into the operator and the opset.
fn split(text: &str) -> Result<(&str, Option<u32>), String> {
    Ok(match text.split_once('@') {
        None => (text, None),
        Some((path, text)) => (path, Some(opset(text)?)),
    })
}

/// Selects the versions of an operator.
fn find<'s>(path: &str, opset: Option<u32>, descriptors: &'s Descriptors) -> Result<Shown<'s>, String> {
    let operator = descriptors.operator(path)?;
    let at = opset.map(|opset| Ok::<_, String>((opset, descriptors.version(operator, opset)?))).transpose()?;
    Ok(Shown::new(operator, at, descriptors.tables))
}
