//! The page of a domain, and the first page.

use askama::Template;
use serde::Serialize;
use shape_specs::operator::{Operator, Version};

use super::address;
use super::frame::{File, Frame, Link, facts};
use super::opset::{Opsets, opsets};
use super::site::Site;
use crate::json::SCHEMA_VERSION;

#[derive(Template)]
#[template(path = "docs/domain.html")]
struct Page<'s> {
    frame: Frame,
    operators: Vec<Row<'s>>,
    opsets: Opsets,
}

/// The facts of the page of a domain.
#[derive(Serialize)]
struct Facts<'s> {
    schema_version: u32,
    domain: &'s str,
    operators: Vec<OfOperator<'s>>,
}

#[derive(Serialize)]
struct OfOperator<'s> {
    name: &'s str,
    summary: &'s str,
    versions: Vec<u32>,
}

/// An operator, and its versions with the newest first.
pub(super) struct Row<'s> {
    pub(super) operator: Link,
    pub(super) newest: &'s Version,
    pub(super) versions: Vec<Link>,
}

impl<'s> Row<'s> {
    pub(super) fn new(operator: &'s Operator) -> Option<Self> {
        let version = |of: &Version| Link::new(&address::version(operator, of.since), of.since.to_string());
        Some(Self {
            operator: Link::new(&address::operator(operator), &*operator.name),
            newest: operator.versions.last()?,
            versions: operator.versions.iter().rev().map(version).collect(),
        })
    }
}

#[derive(Template)]
#[template(path = "docs/index.html")]
struct Index {
    frame: Frame,
    operators: usize,
    versions: usize,
    domains: Vec<(Link, usize)>,
    runtimes: Vec<(Link, usize)>,
    /// All operators of the default domain.
    first: Vec<Link>,
}

pub(super) fn files<'s>(site: &'s Site<'s>, domain: &'s str) -> Result<Vec<File>, String> {
    let operator = |of: &'s Operator| OfOperator {
        name: &of.name,
        summary: &of.summary,
        versions: of.versions.iter().map(|version| version.since).collect(),
    };
    let of_page =
        Facts { schema_version: SCHEMA_VERSION, domain, operators: site.of_domain(domain).map(operator).collect() };
    let page = Page {
        frame: Frame::new(domain, domain, format!("The operators of the ONNX domain {domain}")).with_json(),
        operators: site.of_domain(domain).filter_map(Row::new).collect(),
        opsets: opsets(site, domain),
    };
    Ok(vec![Frame::page(domain, &page)?, facts(domain, &of_page)?])
}

pub(super) fn index(site: &Site<'_>) -> Result<Vec<File>, String> {
    let count = |domain: &str| site.of_domain(domain).count();
    let mut runtimes: Vec<(Link, usize)> = Vec::new();
    for operator in &site.own {
        let Some(runtime) = operator.beside_onnx() else { continue };
        match runtimes.last_mut() {
            Some((link, count)) if link.text == runtime => *count += 1,
            _ => runtimes.push((Link::new(&format!("runtimes/{runtime}"), runtime), 1)),
        }
    }
    let page = Index {
        frame: Frame::new(
            "",
            "ONNX operators",
            "All operators of ONNX in all their versions: facts, changes, examples",
        ),
        operators: site.all().count(),
        versions: site.all().map(|operator| operator.versions.len()).sum(),
        domains: site.domains().into_iter().map(|domain| (Link::new(domain, domain), count(domain))).collect(),
        runtimes,
        first: (site.of_domain("ai.onnx"))
            .map(|operator| Link::new(&address::operator(operator), &*operator.name))
            .collect(),
    };
    Ok(vec![Frame::page("", &page)?])
}
