//! Findings and verdicts as a table in Markdown, for comments and summaries of jobs.

use std::io::{self, Write};
use std::path::Path;

use super::entry::entries;
use super::{Checked, End, Report, Unread};
use crate::commands::check::statistics::Statistics;
use crate::render::Clean;

pub(super) struct Markdown {
    /// Whether the findings are counted and not listed.
    statistics: bool,
    has_head: bool,
}

impl Markdown {
    pub(super) fn new(statistics: bool) -> Self {
        Self { statistics, has_head: false }
    }

    fn row(&mut self, out: &mut dyn Write, model: &Path, cells: [&str; 4]) -> io::Result<()> {
        if !self.has_head {
            self.has_head = true;
            writeln!(out, "| severity | code | model | place | what |\n|---|---|---|---|---|")?;
        }
        let [severity, code, place, what] = cells;
        let model = escaped(&model.to_string_lossy());
        writeln!(out, "| {severity} | {code} | {model} | {} | {} |", escaped(place), escaped(what))
    }
}

impl Report for Markdown {
    fn checked(&mut self, out: &mut dyn Write, model: Checked) -> io::Result<()> {
        if self.statistics {
            return Ok(());
        }
        for entry in entries(&model) {
            let what =
                [&entry.message].into_iter().chain(&entry.facts).map(String::as_str).collect::<Vec<_>>().join("\n");
            let place = entry.place.as_deref().unwrap_or_default();
            self.row(out, &model.path, [entry.severity.name(), entry.code, place, &what])?;
        }
        Ok(())
    }

    fn unread(&mut self, out: &mut dyn Write, Unread { path, error }: Unread) -> io::Result<()> {
        if self.statistics { Ok(()) } else { self.row(out, &path, ["not read", "", "", &error]) }
    }

    fn end(self: Box<Self>, out: &mut dyn Write, end: End) -> io::Result<()> {
        let rows = end.statistics.map(Statistics::rows).unwrap_or_default();
        if !rows.is_empty() {
            writeln!(out, "| count | models | severity | code | first place |\n|---:|---:|---|---|---|")?;
        }
        rows.iter().try_for_each(|row| {
            let (count, models, word, code) = (row.count, row.models, row.word(), row.code);
            writeln!(out, "| {count} | {models} | {word} | {code} | {} |", escaped(&row.place()))
        })
    }
}

/// A text as a cell: no character of it is markup, and its lines stay apart.
fn escaped(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut escaped = String::new();
        for letter in Clean(line).to_string().chars() {
            if letter.is_ascii_punctuation() && !matches!(letter, ',' | '.' | ';' | '/' | '%' | '\'' | '"' | '?') {
                escaped.push('\\');
            }
            escaped.push(letter);
        }
        lines.push(escaped);
    }
    lines.join("<br>")
}
