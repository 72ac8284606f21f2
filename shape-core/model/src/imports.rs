//! The opsets that a model or a function imports.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::file::proto::OperatorSetIdProto;
use crate::finding::{Finding, Findings};
use crate::names::{Names, RandomState};
use shape_core::code::Code;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;

/// Maps domains to opsets; `None` for an import without a version. A copy is cheap: each call of a function makes one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Imports(Arc<BTreeMap<String, Option<u32>>>);

impl Imports {
    /// A number that these imports share with their copies alone.
    pub(crate) fn id(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// The opset of a domain.
    pub(crate) fn get(&self, domain: &str) -> Option<u32> {
        self.0.get(canonical_domain(domain)).copied().flatten()
    }

    /// The domains and their opsets.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0.iter().filter_map(|(domain, opset)| Some((&**domain, (*opset)?)))
    }

    /// Whether the domain is imported without a version.
    pub(crate) fn is_broken(&self, domain: &str) -> bool {
        self.0.get(canonical_domain(domain)).is_some_and(Option::is_none)
    }

    /// Reads the imports of a model or of a function, as far as they are valid.
    pub(crate) fn read(imports: &[OperatorSetIdProto], ir_version: i64) -> Self {
        // Before IR 3 there was a single operator set, and no imports.
        if imports.is_empty() && ir_version < 3 {
            return Self(Arc::new(BTreeMap::from([("ai.onnx".to_owned(), Some(1))])));
        }
        let mut read: BTreeMap<String, Option<u32>> = BTreeMap::new();
        for import in imports {
            // Of several imports of a domain, the highest counts: onnx.proto says so.
            let version = read.entry(canonical_domain(&import.domain).to_owned()).or_default();
            *version = (*version).max(stated(import).map(saturated));
        }
        Self(Arc::new(read))
    }

    /// Reports errors in the imports of the model (`graph` is empty) or of a function.
    pub(crate) fn check(
        imports: &[OperatorSetIdProto],
        ir_version: i64,
        graph: &str,
        registry: &Registry,
        findings: &mut Findings,
    ) {
        if imports.is_empty() && graph.is_empty() && ir_version >= 3 {
            findings.push(
                Finding::new(Code::OpsetMissing, graph, "the model imports no opset")
                    .expected("an opset of ai.onnx")
                    .found("none")
                    .help("add the opset that the nodes were written for to opset_import"),
            );
        }
        let mut places: Names<'_, usize> = HashMap::with_hasher(RandomState::default());
        let mut all: Vec<(&str, Stated)> = Vec::new();
        for import in imports {
            let domain = canonical_domain(&import.domain);
            let place = *places.entry(domain).or_insert(all.len());
            if place == all.len() {
                all.push((domain, Stated::default()));
            }
            if let Some((_, stated)) = all.get_mut(place) {
                stated.add(import);
            }
        }
        for (domain, stated) in &all {
            findings.extend(stated.findings(domain, graph, registry));
        }
    }
}

/// What all imports of one domain state.
#[derive(Default)]
struct Stated {
    /// The first versions, as many as a message shows.
    some: Vec<i64>,
    /// The number of imports with a version.
    count: usize,
    highest: i64,
    last: i64,
    /// The number of imports without a version, and what the first of them states instead.
    without: Option<(usize, i64)>,
}

impl Stated {
    /// The maximum number of versions in a message.
    const MAX_VERSIONS: usize = 8;

    fn add(&mut self, import: &OperatorSetIdProto) {
        let Some(version) = stated(import) else {
            let first = import.version.unwrap_or(0);
            self.without = Some(self.without.map_or((1, first), |(count, first)| (count + 1, first)));
            return;
        };
        self.count += 1;
        self.highest = self.highest.max(version);
        self.last = version;
        if self.some.len() < Self::MAX_VERSIONS {
            self.some.push(version);
        }
    }

    fn findings(&self, domain: &str, graph: &str, registry: &Registry) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let Some((count, first)) = self.without {
            let message = match count {
                1 => format!("the import of {domain} has no version"),
                count => format!("{count} imports of {domain} have no version"),
            };
            let found = Finding::new(Code::FieldMissing, graph, message).expected("a version, 1 or greater");
            findings.push(found.found(first).help("write the version that the nodes were written for"));
        }
        if self.count > 1 {
            findings.push(self.several(domain, graph));
        }
        let highest = self.highest;
        if let Some(newest) = registry.newest_opset(domain).filter(|newest| highest > i64::from(*newest)) {
            let release = registry.releases().last().map_or("", |release| release.release);
            findings.push(
                Finding::new(
                    Code::OpsetTooNew,
                    graph,
                    format!("opset {highest} of {domain} is unknown; the newest known one is {newest}"),
                )
                .expected(format!("at most {newest}, the newest known (ONNX {release})"))
                .found(highest)
                .help("its nodes are not checked; correct the import, or use a newer version of this program"),
            );
        } else if highest > i64::from(i32::MAX) {
            findings.push(
                Finding::new(Code::OpsetTooNew, graph, format!("{highest} is not a valid opset of {domain}"))
                    .expected(format!("at most {}, because readers store opsets in 32 bits", i32::MAX))
                    .found(highest)
                    .help("correct the version of the import"),
            );
        }
        findings
    }

    /// The finding for several imports, of which the highest counts.
    fn several(&self, domain: &str, graph: &str) -> Finding {
        let Self { some, count, highest, last, .. } = self;
        let times = if *count == 2 { "twice".to_owned() } else { format!("{count} times") };
        let versions = some.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let more = match count - some.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let help = if last == highest {
            format!("keep opset {highest} alone")
        } else {
            format!(
                "keep opset {highest} alone; it counts by the format and is used here, but onnxruntime and the checker \
                 of the onnx package use the last one, opset {last}"
            )
        };
        Finding::new(Code::OpsetDuplicate, graph, format!("{domain} is imported {times}"))
            .expected("one import")
            .found(format!("imports of the opsets {versions}{more}"))
            .help(help)
    }
}

/// The version of an import, if it has one: ONNX counts its opsets from 1, others may begin with 0.
fn stated(import: &OperatorSetIdProto) -> Option<i64> {
    let domain = canonical_domain(&import.domain);
    let of_onnx = domain == "ai.onnx" || domain.starts_with("ai.onnx.");
    import.version.filter(|version| *version >= i64::from(of_onnx))
}

/// A version as 32 bits: no larger version exists.
fn saturated(stated: i64) -> u32 {
    u32::try_from(stated).unwrap_or(u32::MAX)
}
