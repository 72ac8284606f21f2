//! The index that the search of the site reads: a script that sets a variable, since a page from a disk may read no other
//! file.

use serde::Serialize;
use shape_core::code::Code;

use super::address;
use super::frame::{File, Link};
use super::site::{Site, full, link};

/// What can be found: its kind, its name, its address, and what is said of it.
#[derive(Serialize)]
struct Entry<'s>(&'static str, String, String, &'s str);

pub(super) fn files(site: &Site<'_>) -> Result<Vec<File>, String> {
    let mut bytes = b"window.shapeIndex = ".to_vec();
    let failed = |error: std::io::Error| format!("the index for the search cannot be made: {error}");
    crate::json::write(&mut bytes, &entries(site)).map_err(failed)?;
    bytes.insert(bytes.len().saturating_sub(1), b';');
    Ok(vec![File { path: "search-index.js".to_owned(), bytes }])
}

fn entries<'s>(site: &Site<'s>) -> Vec<Entry<'s>> {
    let entry = |kind, Link { to, text }, says| Entry(kind, text, to, says);
    let mut entries = Vec::new();
    for operator in site.all() {
        entries.push(entry("operator", link(operator), &*operator.summary));
        for version in operator.versions.iter().rev() {
            let name = full(operator, &format!("{}-{}", operator.name, version.since));
            entries.push(entry(
                "version",
                Link::new(&address::version(operator, version.since), name),
                &*version.summary,
            ));
        }
        let Some(newest) = operator.versions.last() else { continue };
        let part = |kind: &'static str, name: &str, says: &'s str| {
            let place = format!("{kind}-{name}");
            let to = Link::new(&address::operator(operator), format!("{name} of {}", link(operator).text)).at(&place);
            entry(kind, to, says)
        };
        entries.extend(newest.attributes.iter().map(|of| part("attribute", &of.name, &of.doc)));
        entries.extend(newest.inputs.iter().map(|of| part("input", &of.name, &of.doc)));
        entries.extend(newest.outputs.iter().map(|of| part("output", &of.name, &of.doc)));
    }
    for domain in site.domains() {
        entries.push(entry("domain", Link::new(domain, domain), ""));
        entries.extend(site.opsets(domain).into_iter().rev().map(|opset| {
            entry("opset", Link::new(&address::opset(domain, opset), format!("opset {opset} of {domain}")), "")
        }));
    }
    for element in &site.tables.elements {
        entries.push(entry("type", Link::new(&format!("types/{}", element.name), &*element.name), ""));
    }
    entries.extend(
        site.tables
            .groups
            .iter()
            .map(|(name, _)| entry("type", Link::new("types", &**name).at(&format!("group-{name}")), "")),
    );
    entries.extend(
        Code::all().map(|code| entry("code", Link::new(&address::code(code.name()), code.name()), code.title())),
    );
    for profile in &site.sources.profiles {
        entries.extend(profile.rules.iter().map(|rule| {
            entry("profile rule", Link::new(&address::profile_rule(&profile.name, &rule.id), &*rule.id), &*rule.title)
        }));
    }
    entries.extend(
        site.tables.rules().map(|rule| entry("rule", Link::new("rules", &*rule.name).at(&rule.name), &*rule.doc)),
    );
    for of in &site.sources.manifests {
        let folder = address::manifest(of.runtime, of.release);
        entries.push(entry("runtime", Link::new(&folder, format!("{} {}", of.runtime, of.release)), ""));
    }
    for (folder, title) in
        [("errata", "Errata"), ("releases", "Releases and opsets"), ("rules/terms", "The language of dimensions")]
    {
        entries.push(entry("page", Link::new(folder, title), ""));
    }
    entries
}
