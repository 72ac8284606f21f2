//! The pages of runtimes: their manifests, and what they have on their own in the domains of ONNX.

use askama::Template;
use shape_specs::operator::Version;
use shape_specs::tables::Runtime;

use super::address;
use super::domain::Row;
use super::frame::{File, Frame, Link};
use super::site::{Site, link};
use super::sources::RuntimeManifest;
use super::support;

#[derive(Template)]
#[template(path = "docs/runtimes.html")]
struct Index<'s> {
    frame: Frame,
    manifests: Vec<(Link, &'s RuntimeManifest, usize)>,
    own: Vec<(Link, usize)>,
}

#[derive(Template)]
#[template(path = "docs/runtime.html")]
struct Page<'s> {
    frame: Frame,
    of: &'s RuntimeManifest,
    operators: Vec<OperatorRow>,
    /// What it takes of other domains, and nothing describes.
    others: Vec<String>,
}

/// An operator, and each version with whether the runtime takes it.
struct OperatorRow {
    operator: Link,
    versions: Vec<(Link, bool)>,
}

#[derive(Template)]
#[template(path = "docs/own.html")]
struct Own<'s> {
    frame: Frame,
    table: Option<&'s Runtime>,
    operators: Vec<Row<'s>>,
}

pub(super) fn files(site: &Site<'_>) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    let mut manifests = Vec::new();
    for (index, of) in site.sources.manifests.iter().enumerate() {
        let folder = address::manifest(of.runtime, of.release);
        let title = format!("{} {}", of.runtime, of.release);
        let mut operators = Vec::new();
        for operator in site.all() {
            let takes = |version: &Version| {
                support::of_manifest(of, &site.entries(operator, version, index), operator, version)
                    .iter()
                    .any(|support| support.takes)
            };
            let version = |version: &Version| {
                let to = Link::new(&address::version(operator, version.since), version.since.to_string());
                (to, takes(version))
            };
            let row = OperatorRow {
                operator: link(operator),
                versions: operator.versions.iter().rev().map(version).collect(),
            };
            if row.versions.iter().any(|(_, takes)| *takes) {
                operators.push(row);
            }
        }
        let is_described = |domain: &str, name: &str| site.all().any(|of| of.domain == domain && of.name == name);
        let entries = of.manifest.entries.iter().filter(|entry| !is_described(&entry.domain, &entry.operator));
        let mut others: Vec<String> = entries.map(|entry| format!("{}::{}", entry.domain, entry.operator)).collect();
        others.sort_unstable();
        others.dedup();
        manifests.push((Link::new(&folder, &*title), of, operators.len() + others.len()));
        let about = format!("The operators and versions that {title} takes");
        let frame = Frame::new(&*folder, title, about).below([Link::new("runtimes", "Runtimes")]);
        files.push(Frame::page(&folder, &Page { frame, of, operators, others })?);
    }
    let mut own = Vec::new();
    let mut runtimes: Vec<&str> = site.own.iter().filter_map(|operator| operator.runtime.as_deref()).collect();
    runtimes.dedup();
    for runtime in runtimes {
        let folder = format!("runtimes/{runtime}");
        let of_runtime = site.own.iter().copied().filter(|operator| operator.runtime.as_deref() == Some(runtime));
        let operators: Vec<Row<'_>> = of_runtime.filter_map(Row::new).collect();
        own.push((Link::new(&folder, runtime), operators.len()));
        let title = format!("Operators that {runtime} has on its own in domains of ONNX");
        let table = site.tables.runtimes.iter().find(|table| table.runtime == runtime);
        let frame = Frame::new(&*folder, &*title, &*title).below([Link::new("runtimes", "Runtimes")]);
        files.push(Frame::page(&folder, &Own { frame, table, operators })?);
    }
    let frame = Frame::new("runtimes", "Runtimes", "Which runtimes take which operators, versions and types");
    files.push(Frame::page("runtimes", &Index { frame, manifests, own })?);
    Ok(files)
}
