//! The page of an operator: all its versions, and its newest one in full.

use askama::Template;
use shape_changes::diff::changes;
use shape_specs::operator::{Operator, Version};

use super::frame::{File, Frame, Link, facts};
use super::site::{Site, above, full, heading};
use super::version::Content;
use super::{address, difference, support, version};
use crate::commands::show::{Shown, json};

#[derive(Template)]
#[template(path = "docs/operator.html")]
struct Page<'s> {
    frame: Frame,
    operator: &'s Operator,
    newest: Link,
    rows: Vec<Row<'s>>,
    /// The runtimes, and what each takes of each version.
    runtimes: Vec<RuntimeRow>,
    /// For each version but the first: the older ones to compare it with.
    pairs: Vec<(Link, Vec<Link>)>,
    content: Content<'s>,
}

/// A version, the newest first.
struct Row<'s> {
    version: &'s Version,
    to: Link,
    /// The first release of ONNX that has it.
    release: Option<&'s str>,
    changes: Vec<String>,
    difference: Option<Link>,
}

/// What a release of a runtime takes of each version.
struct RuntimeRow {
    runtime: Link,
    takes: Vec<bool>,
}

/// All pages of an operator.
pub(super) fn files(site: &Site<'_>, operator: &Operator) -> Result<Vec<File>, String> {
    let Operator { versions, .. } = operator;
    let Some(newest) = versions.last() else { return Ok(Vec::new()) };
    let mut files = vec![Frame::page(&address::operator(operator), &page(site, operator, newest))?];
    let shown = Shown::new(operator, None, site.tables);
    files.push(facts(&address::operator(operator), &json::Report::new(&shown))?);
    for (index, version) in versions.iter().enumerate() {
        files.extend(version::files(site, operator, version)?);
        for older in versions.iter().take(index) {
            files.extend(difference::files(operator, older, version)?);
        }
    }
    Ok(files)
}

fn page<'s>(site: &Site<'s>, operator: &'s Operator, newest: &'s Version) -> Page<'s> {
    let Operator { name, versions, .. } = operator;
    let folder = address::operator(operator);
    let to = |of: &Version| Link::new(&address::version(operator, of.since), format!("{name}-{}", of.since));
    let row = |version: &'s Version| {
        let older = versions.iter().rfind(|older| older.since < version.since);
        let release = site.release(&operator.domain, version.since).filter(|_| operator.beside_onnx().is_none());
        Row {
            version,
            to: to(version),
            release: release.map(|release| &*release.release),
            changes: older.iter().flat_map(|older| changes(older, version)).map(|of| of.to_string()).collect(),
            difference: older.map(|older| version::difference(operator, older, version)),
        }
    };
    let with = |version: &Version| {
        let older = versions.iter().filter(|older| older.since < version.since);
        let link = |older: &Version| {
            Link::new(&address::difference(operator, older.since, version.since), format!("{name}-{}", older.since))
        };
        (to(version), older.map(link).collect::<Vec<_>>())
    };
    Page {
        frame: Frame::new(folder, heading(operator, name), &*operator.summary)
            .below(above(operator))
            .in_window(full(operator, name))
            .with_json(),
        operator,
        newest: to(newest),
        rows: versions.iter().rev().map(row).collect(),
        runtimes: runtimes(site, operator),
        pairs: versions.iter().skip(1).rev().map(with).collect(),
        content: Content::new(site, operator, newest),
    }
}

/// What runtimes take of the versions, the newest version first; empty if none takes any.
fn runtimes(site: &Site<'_>, operator: &Operator) -> Vec<RuntimeRow> {
    let mut rows: Vec<RuntimeRow> = Vec::new();
    for version in operator.versions.iter().rev() {
        let supports = support::of_each(site, operator, version);
        let firsts = supports.iter().filter_map(|lines| Some((lines.first()?, lines)));
        let runtimes: Vec<(&Link, bool)> =
            firsts.map(|(first, lines)| (&first.runtime, lines.iter().any(|line| line.takes))).collect();
        if rows.is_empty() {
            rows = runtimes
                .iter()
                .map(|(runtime, _)| RuntimeRow { runtime: (*runtime).clone(), takes: Vec::new() })
                .collect();
        }
        rows.iter_mut().zip(&runtimes).for_each(|(row, (_, takes))| row.takes.push(*takes));
    }
    if !rows.iter().any(|row| row.takes.contains(&true)) {
        return Vec::new();
    }
    let mut joined: Vec<RuntimeRow> = Vec::new();
    for row in rows {
        let newer = joined.last_mut().filter(|newer| newer.takes == row.takes);
        match newer.and_then(|newer| Some((support::spanning(&newer.runtime, &row.runtime)?, newer))) {
            Some((span, newer)) => newer.runtime = span,
            None => joined.push(row),
        }
    }
    joined
}
