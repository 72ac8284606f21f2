//! The pages of opsets, with all that each changed, and the table of releases.

use askama::Template;
use shape_changes::rollout::{Group, Span, rollout};
use shape_specs::operator::{Operator, Version};
use shape_specs::tables::Release;

use super::address;
use super::frame::{File, Frame, Link, facts};
use super::site::Site;
use crate::commands::diff::opsets::Report;

#[derive(Template)]
#[template(path = "docs/opset.html")]
struct Page<'s> {
    frame: Frame,
    domain: Link,
    /// The releases of ONNX whose newest opset of the domain it is.
    releases: Vec<&'s str>,
    before: Option<Link>,
    after: Option<Link>,
    added: Vec<(Link, String)>,
    changed: Vec<Changed>,
    deprecated: Vec<Changed>,
    documentation: Vec<Link>,
}

impl Page<'_> {
    /// The changed and the deprecated operators, each with what they are called.
    fn groups(&self) -> [(&'static str, &'static str, &[Changed]); 2] {
        [("changed", "Changed operators", &self.changed), ("deprecated", "Deprecated operators", &self.deprecated)]
    }
}

/// Operators with the same changes.
struct Changed {
    changes: Vec<String>,
    operators: Vec<Link>,
}

#[derive(Template)]
#[template(path = "docs/releases.html")]
struct Releases<'s> {
    frame: Frame,
    /// The releases, the newest first, with the pages of their opsets.
    releases: Vec<(&'s Release, Link, Link)>,
    domains: Vec<Opsets>,
}

/// The opsets of a domain, the newest first, each with how many versions it brought.
pub(super) struct Opsets {
    pub(super) domain: String,
    pub(super) opsets: Vec<(Link, usize)>,
}

pub(super) fn opsets(site: &Site<'_>, domain: &str) -> Opsets {
    let count = |opset: u32| {
        let versions = site.of_domain(domain).flat_map(|operator| &operator.versions);
        versions.filter(|version| version.since == opset).count()
    };
    let link = |opset: u32| Link::new(&address::opset(domain, opset), format!("opset {opset}"));
    let opsets = site.opsets(domain).into_iter().rev().map(|opset| (link(opset), count(opset))).collect();
    Opsets { domain: domain.to_owned(), opsets }
}

/// The pages of the opsets of a domain.
pub(super) fn files(site: &Site<'_>, domain: &str) -> Result<Vec<File>, String> {
    let opsets = site.opsets(domain);
    let mut files = Vec::new();
    for (index, opset) in opsets.iter().copied().enumerate() {
        let at = |index: Option<usize>| index.and_then(|index| opsets.get(index)).copied();
        files.extend(of_opset(site, domain, opset, (at(index.checked_sub(1)), at(index.checked_add(1))))?);
    }
    Ok(files)
}

fn of_opset(
    site: &Site<'_>,
    domain: &str,
    opset: u32,
    (older, newer): (Option<u32>, Option<u32>),
) -> Result<Vec<File>, String> {
    let folder = address::opset(domain, opset);
    // Of a domain that is not counted, the opsets between bring nothing.
    let from = older.unwrap_or(0);
    let rollout = rollout(site.of_domain(domain), from, opset);
    let step = |opset: u32| Link::new(&address::opset(domain, opset), format!("opset {opset}"));
    let to = |operator: &Operator, version: &Version| {
        Link::new(&address::version(operator, version.since), format!("{}-{}", operator.name, version.since))
    };
    let span = |span: &Span<'_>| {
        let folder = address::difference(span.operator, span.from.since, span.to.since);
        Link::new(&folder, &*span.operator.name)
    };
    let changed = |group: &Group<'_>| Changed {
        changes: group.changes.iter().map(ToString::to_string).collect(),
        operators: group.operators.iter().map(span).collect(),
    };
    let releases = site.tables.releases.iter().filter(|release| release.newest(domain) == Some(opset));
    let title = format!("Opset {opset} of {domain}");
    let frame = Frame::new(&*folder, title, format!("What opset {opset} of the ONNX domain {domain} changed"));
    let page = Page {
        frame: frame.below([Link::new("releases", "Opsets")]),
        domain: Link::new(domain, domain),
        releases: releases.map(|release| &*release.release).collect(),
        before: older.map(step),
        after: newer.map(step),
        added: rollout.added.iter().map(|(of, version)| (to(of, version), version.summary.clone())).collect(),
        changed: rollout.changed.iter().map(changed).collect(),
        deprecated: rollout.deprecated.iter().map(changed).collect(),
        documentation: rollout.documentation.iter().map(span).collect(),
    };
    // There is no opset before the first one to compare it with.
    let page = Page { frame: if older.is_some() { page.frame.with_json() } else { page.frame }, ..page };
    let mut files = vec![Frame::page(&folder, &page)?];
    if older.is_some() {
        files.push(facts(&folder, &Report::new(domain, None, (from, opset), &rollout))?);
    }
    Ok(files)
}

/// The page of all releases and opsets.
pub(super) fn releases(site: &Site<'_>) -> Result<Vec<File>, String> {
    let folder = "releases";
    let opset = |domain: &str, opset: u32| Link::new(&address::opset(domain, opset), opset.to_string());
    let has = |domain: &str| site.domains().contains(&domain);
    let releases = site.tables.releases.iter().rev().filter(|_| has("ai.onnx") && has("ai.onnx.ml"));
    let page = Releases {
        frame: Frame::new(folder, "Releases and opsets", "The releases of ONNX and the opsets of each domain"),
        releases: releases.map(|of| (of, opset("ai.onnx", of.opset), opset("ai.onnx.ml", of.ml))).collect(),
        domains: site.domains().into_iter().map(|domain| opsets(site, domain)).collect(),
    };
    Ok(vec![Frame::page(folder, &page)?])
}
