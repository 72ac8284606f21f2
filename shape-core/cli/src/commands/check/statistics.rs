//! Counts the findings of a run by code, also those that are not reported: nothing else tells of a model that is
//! refused for a reason that the settings ignore.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use shape_core::code::{Code, Severity};
use shape_model::Finding;

use crate::json::Node;
use crate::render::{Clean, FAINT, STRONG, position_of, style};

/// What becomes of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Reported,
    Ignored,
    Known,
}

/// The numbers, while models are added.
#[derive(Default)]
pub(super) struct Statistics {
    rows: HashMap<(Code, Severity, Status), Row>,
}

/// The findings with one code and one severity.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) code: &'static str,
    #[serde(serialize_with = "name")]
    severity: Severity,
    status: Status,
    pub(super) count: usize,
    /// The number of models that have one.
    pub(super) models: usize,
    first: Place,
}

fn name<S: serde::Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.name())
}

/// The place of the first.
#[derive(Debug, Serialize)]
struct Place {
    model: String,
    graph: String,
    node: Option<Node>,
    /// The graph and the node as text.
    #[serde(skip)]
    position: Option<String>,
}

impl Statistics {
    /// Adds a model: what is reported of it, what is ignored, and what is known.
    pub(super) fn add(&mut self, model: &Path, reported: &[Finding], ignored: &[Finding], known: &[Finding]) {
        let all = [(Status::Reported, reported), (Status::Ignored, ignored), (Status::Known, known)];
        for (status, findings) in all {
            let mut of_model = HashMap::new();
            for finding in findings {
                let key = (finding.code, finding.severity(), status);
                let (count, _) = of_model.entry(key).or_insert((0, finding));
                *count += 1 + finding.more;
            }
            for (key, (count, first)) in of_model {
                let row = self.rows.entry(key).or_insert_with(|| Row::new(model, first, status));
                row.count += count;
                row.models += 1;
            }
        }
    }

    /// The rows, the most frequent first.
    pub(super) fn rows(self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.rows.into_values().collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.count), row.code, row.status as u8, row.severity));
        rows
    }

    /// Writes a table.
    pub(super) fn write(self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.rows();
        if rows.is_empty() {
            return Ok(());
        }
        let width = |of: fn(&Row) -> usize, title: &str| rows.iter().map(of).max().unwrap_or(0).max(title.len());
        let numbers = width(|row| row.count.to_string().len(), "count");
        let models = width(|row| row.models.to_string().len(), "models");
        let codes = width(|row| row.code.len(), "code");
        writeln!(
            out,
            "{STRONG}{:>numbers$}  {:>models$}  severity  {:codes$}  first place{STRONG:#}",
            "count", "models", "code"
        )?;
        for row in &rows {
            let (word, style) = (row.word(), if row.status == Status::Reported { style(row.severity) } else { FAINT });
            write!(
                out,
                "{:>numbers$}  {:>models$}  {style}{word:8}{style:#}  {:codes$}  ",
                row.count, row.models, row.code
            )?;
            writeln!(out, "{}", Clean(&row.place()))?;
        }
        Ok(())
    }
}

impl Row {
    fn new(model: &Path, first: &Finding, status: Status) -> Self {
        let place = Place {
            model: model.to_string_lossy().into_owned(),
            graph: first.graph.clone(),
            node: first.node.clone().map(Node::from),
            position: position_of(&first.graph, first.node.as_ref()),
        };
        Self { code: first.code.name(), severity: first.severity(), status, count: 0, models: 0, first: place }
    }

    /// The severity, or what becomes of them instead.
    pub(super) fn word(&self) -> &'static str {
        match self.status {
            Status::Reported => self.severity.name(),
            Status::Ignored => "ignored",
            Status::Known => "known",
        }
    }

    /// The place of the first as text.
    pub(super) fn place(&self) -> String {
        let position = self.first.position.as_ref().map(|position| format!(": {position}")).unwrap_or_default();
        format!("{}{position}", self.first.model)
    }
}
