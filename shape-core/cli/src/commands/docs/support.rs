//! Which runtimes take a version of an operator, and with which types.

use shape_specs::manifest::Entry;
use shape_specs::operator::{Operator, TypeConstraint, Version};
use shape_specs::tables::Type;

use super::address;
use super::frame::Link;
use super::site::Site;
use super::sources::RuntimeManifest;
use crate::commands::show::example::list;

/// What a release of a runtime does with a version.
pub(super) struct Support {
    pub(super) runtime: Link,
    /// Whether it takes the version at all.
    pub(super) takes: bool,
    /// `by a kernel`, or why it does not.
    pub(super) how: String,
    /// The types of each variable that leaves a choice, or of all of them.
    pub(super) types: Vec<(Option<String>, String)>,
}

/// A line for each entry of each manifest, the newest release of a runtime first.
pub(super) fn of_each(site: &Site<'_>, operator: &Operator, version: &Version) -> Vec<Vec<Support>> {
    let manifests = site.sources.manifests.iter().enumerate();
    manifests.map(|(index, of)| of_manifest(of, &site.entries(operator, version, index), operator, version)).collect()
}

/// The same with one line for neighbouring releases that do the same.
pub(super) fn of(site: &Site<'_>, operator: &Operator, version: &Version) -> Vec<Support> {
    let same = |one: &[Support], other: &[Support]| {
        let facts =
            |of: &[Support]| of.iter().map(|of| (of.takes, of.how.clone(), of.types.clone())).collect::<Vec<_>>();
        facts(one) == facts(other)
    };
    let mut groups: Vec<Vec<Support>> = Vec::new();
    for older in of_each(site, operator, version) {
        let span = groups.last().filter(|newer| same(newer, &older));
        let span = span.and_then(|newer| spanning(&newer.first()?.runtime, &older.first()?.runtime));
        match (span, groups.last_mut()) {
            (Some(span), Some(newer)) => newer.iter_mut().for_each(|line| line.runtime = span.clone()),
            _ => groups.push(older),
        }
    }
    groups.into_iter().flatten().collect()
}

/// The link to a release as one for all from an older release of the same runtime on: `onnxruntime-cpu 1.20.1 to 1.31.1`.
pub(super) fn spanning(newer: &Link, older: &Link) -> Option<Link> {
    let ((name, first), newest) = (older.text.split_once(' ')?, newer.text.rsplit(' ').next()?);
    newer
        .text
        .starts_with(&format!("{name} "))
        .then(|| Link { to: newer.to.clone(), text: format!("{name} {first} to {newest}") })
}

/// A line for each entry of a manifest about a version, or one that says that there is none.
pub(super) fn of_manifest(
    of: &RuntimeManifest,
    entries: &[&Entry],
    operator: &Operator,
    version: &Version,
) -> Vec<Support> {
    let RuntimeManifest { runtime, release, manifest } = of;
    let runtime = || Link::new(&address::manifest(runtime, release), format!("{runtime} {release}"));
    let none = |how: String| vec![Support { runtime: runtime(), takes: false, how, types: Vec::new() }];
    let limit = manifest.opsets.iter().find(|row| row.domain == operator.domain && row.newest < version.since);
    if let Some(limit) = limit {
        return none(format!("no: it reads {} up to opset {}", limit.domain, limit.newest));
    }
    if entries.is_empty() {
        return none("no".to_owned());
    }
    let support = |entry: &&Entry| {
        let (takes, how) = (true, how(entry));
        Support { runtime: runtime(), takes, how, types: of_variables(entry, version) }
    };
    entries.iter().map(support).collect()
}

fn how(entry: &Entry) -> String {
    let by = if entry.function { "by the body that ONNX defines" } else { "yes" };
    match (&entry.opsets, &entry.versions) {
        (Some(opsets), _) => format!("{by}, at opset {}", list(opsets)),
        (None, Some(_)) => by.to_owned(),
        (None, None) => format!("{by}; no limit of its versions is known"),
    }
}

/// The types that an entry has for each variable that leaves a choice.
fn of_variables(entry: &Entry, version: &Version) -> Vec<(Option<String>, String)> {
    let mut open = version.types.iter().filter(|variable| variable.allow.len() > 1).peekable();
    if entry.types.is_none() && entry.variables.is_empty() {
        return open.peek().map(|_| (None, UNLIMITED.to_owned())).into_iter().collect();
    }
    let types = |of: &TypeConstraint| (Some(of.name.clone()), types(entry.types_of(&of.name), &of.allow));
    open.map(types).collect()
}

/// What is said where a manifest names no types.
const UNLIMITED: &str = "all, as far as is known";

/// The types of an entry among those that a version allows.
fn types(supported: Option<&[Type]>, allowed: &[Type]) -> String {
    let Some(supported) = supported else { return UNLIMITED.to_owned() };
    let both: Vec<&Type> = allowed.iter().filter(|ty| supported.contains(ty)).collect();
    match both.len() {
        0 => "none".to_owned(),
        many if many == allowed.len() => "all".to_owned(),
        _ => list(both.iter().map(|ty| ty.word())),
    }
}
