//! The data that all pages are made from, by name.

use std::collections::HashMap;

use shape_specs::Tables;
use shape_specs::manifest::Entry;
use shape_specs::operator::{Operator, Version};
use shape_specs::tables::Release;

use super::address;
use super::frame::Link;
use super::sources::{RuntimeManifest, Sources};
use crate::descriptors::Descriptors;

pub(super) struct Site<'s> {
    /// By domain and name.
    pub(super) operators: Vec<&'s Operator>,
    /// What runtimes have on their own in the domains of ONNX, by runtime, domain and name.
    pub(super) own: Vec<&'s Operator>,
    pub(super) tables: &'static Tables,
    pub(super) sources: &'s Sources,
    /// The entries of each manifest, by domain and operator.
    entries: HashMap<(&'s str, &'s str), Vec<(usize, &'s Entry)>>,
}

impl<'s> Site<'s> {
    pub(super) fn new(descriptors: &'s Descriptors, sources: &'s Sources) -> Self {
        let key = |operator: &Operator| {
            (operator.beside_onnx().map(str::to_owned), operator.domain.clone(), operator.name.clone())
        };
        let (own, mut operators): (Vec<&Operator>, Vec<&Operator>) =
            descriptors.operators().iter().partition(|operator| operator.beside_onnx().is_some());
        // A descriptor of `--specs` replaces the one of this build.
        let more = sources.own.iter().filter(|of| own.iter().all(|other| key(other) != key(of)));
        let mut own: Vec<&Operator> = own.iter().copied().chain(more).collect();
        operators.sort_by_key(|operator| key(operator));
        own.sort_by_key(|operator| key(operator));
        let mut entries: HashMap<_, Vec<_>> = HashMap::new();
        for (index, RuntimeManifest { manifest, .. }) in sources.manifests.iter().enumerate() {
            for entry in &manifest.entries {
                entries.entry((&*entry.domain, &*entry.operator)).or_default().push((index, entry));
            }
        }
        Self { operators, own, tables: descriptors.tables, sources, entries }
    }

    /// All operators, those that runtimes have on their own last.
    pub(super) fn all(&self) -> impl Iterator<Item = &'s Operator> {
        self.operators.iter().chain(&self.own).copied()
    }

    /// The domains, each once.
    pub(super) fn domains(&self) -> Vec<&'s str> {
        let mut domains: Vec<&str> = self.operators.iter().map(|operator| &*operator.domain).collect();
        domains.dedup();
        domains
    }

    pub(super) fn of_domain(&self, domain: &str) -> impl Iterator<Item = &'s Operator> {
        self.operators.iter().copied().filter(move |operator| operator.domain == domain)
    }

    /// The operator of a domain of ONNX or of others, but not one that a runtime has on its own.
    pub(super) fn operator(&self, domain: &str, name: &str) -> Option<&'s Operator> {
        self.operators.iter().copied().find(|operator| operator.domain == domain && operator.name == name)
    }

    /// The opsets of a domain, the oldest first: all where ONNX counts them, otherwise those that brought a version.
    pub(super) fn opsets(&self, domain: &str) -> Vec<u32> {
        if let Some(newest) = self.tables.newest_opset(domain) {
            return (1..=newest).collect();
        }
        let mut opsets: Vec<u32> =
            self.of_domain(domain).flat_map(|operator| &operator.versions).map(|version| version.since).collect();
        opsets.sort_unstable();
        opsets.dedup();
        opsets
    }

    /// The first release of ONNX with an opset.
    pub(super) fn release(&self, domain: &str, opset: u32) -> Option<&'s Release> {
        self.tables.releases.iter().find(|release| release.newest(domain).is_some_and(|newest| newest >= opset))
    }

    /// What a manifest says of a version of an operator.
    pub(super) fn entries(&self, operator: &Operator, version: &Version, manifest: usize) -> Vec<&'s Entry> {
        let of_operator = self.entries.get(&(&*operator.domain, &*operator.name)).into_iter().flatten();
        let of_version = of_operator.filter(|(index, entry)| *index == manifest && entry.has_version(version.since));
        of_version.map(|(_, entry)| *entry).collect()
    }
}

/// The links that lead from the top of the site to an operator.
pub(super) fn above(operator: &Operator) -> Vec<Link> {
    match operator.beside_onnx() {
        None => vec![Link::new(&operator.domain, &*operator.domain)],
        Some(runtime) => {
            vec![Link::new("runtimes", "Runtimes"), Link::new(&format!("runtimes/{runtime}"), runtime)]
        }
    }
}

/// An operator, by its name alone where it is of ONNX's default domain.
pub(super) fn link(operator: &Operator) -> Link {
    Link::new(&address::operator(operator), full(operator, &operator.name))
}

/// The name of an operator, or that of a version of it, with the domain or the runtime if it is not of ONNX's default
/// domain.
pub(super) fn full(operator: &Operator, name: &str) -> String {
    match (&*operator.domain, operator.beside_onnx()) {
        (_, Some(runtime)) => format!("{name} of {runtime}"),
        ("ai.onnx", None) => name.to_owned(),
        (domain, None) => format!("{domain}::{name}"),
    }
}

/// The name for the heading of its page: without the domain, which stands above it, but with the runtime if there is
/// one.
pub(super) fn heading(operator: &Operator, name: &str) -> String {
    if operator.beside_onnx().is_some() { full(operator, name) } else { name.to_owned() }
}
