//! `shape show`

mod page;
pub(crate) mod report;

use std::path::PathBuf;

use shape_specs::Tables;
use shape_specs::diff::{Change, changes};
use shape_specs::operator::{Example, Operator, Ruling, Version};

use crate::args::{Format, ShowArgs};
use crate::described::{Described, opset};
use crate::json;
use crate::terminal::{Done, Exit, Terminal};

/// What is shown: an operator with all its versions, or with the one in force at an opset.
struct Shown<'s> {
    operator: &'s Operator,
    opset: Option<u32>,
    /// Newest first.
    versions: Vec<Entry<'s>>,
    tables: &'s Tables,
}

/// A version with what it changed of the one before it.
struct Entry<'s> {
    version: &'s Version,
    older: Option<&'s Version>,
    changes: Vec<Change>,
}

impl<'s> Entry<'s> {
    fn new(version: &'s Version, operator: &'s Operator) -> Self {
        let older = operator.versions.iter().rfind(|older| older.since < version.since);
        let changes = older.map(|older| changes(older, version)).unwrap_or_default();
        Self { version, older, changes }
    }
}

impl<'s> Shown<'s> {
    /// What the newest of the versions gives.
    fn summary(&self) -> &'s str {
        self.versions.first().map_or(&self.operator.summary, |entry| &entry.version.summary)
    }

    /// What its summary leaves out.
    fn details(&self) -> &'s str {
        self.versions.first().map_or("", |entry| &entry.version.details)
    }

    /// The examples that hold for one of the versions.
    fn examples(&self) -> impl Iterator<Item = &'s Example> {
        self.operator
            .examples
            .iter()
            .filter(|example| self.versions.iter().any(|entry| example.holds_for(entry.version.since)))
    }

    /// The rulings on one of the versions.
    fn errata(&self) -> impl Iterator<Item = &'s Ruling> {
        let about = |ruling: &&Ruling| self.versions.iter().any(|entry| ruling.versions.contains(&entry.version.since));
        self.operator.errata.iter().filter(about)
    }
}

pub(crate) fn run(args: &ShowArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let (path, opset) = split(&args.operator).map_err(|trouble| terminal.fail(&trouble))?;
    let described = Described::read_one(path, specs, terminal)?;
    let shown = find(path, opset, &described).map_err(|trouble| terminal.fail(&trouble))?;
    match args.format {
        Format::Text => page::write(terminal.out(), &shown)?,
        Format::Json => json::write(terminal.out(), &report::Report::new(&shown))?,
    }
    Ok(Exit::Clean)
}

/// The operator and the opset that `com.acme::Name@14` names; otherwise what is wrong with it.
fn split(text: &str) -> Result<(&str, Option<u32>), String> {
    Ok(match text.split_once('@') {
        None => (text, None),
        Some((path, text)) => (path, Some(opset(text)?)),
    })
}

/// What is asked for; otherwise why there is nothing.
fn find<'s>(path: &str, opset: Option<u32>, described: &'s Described) -> Result<Shown<'s>, String> {
    let operator = described.operator(path)?;
    let entry = |version| Entry::new(version, operator);
    let versions = match opset {
        None => operator.versions.iter().rev().map(entry).collect(),
        Some(opset) => vec![entry(described.version(operator, opset)?)],
    };
    Ok(Shown { operator, opset, versions, tables: described.tables })
}
