//! The opsets that a model or a function imports.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::file::proto::OperatorSetIdProto;
use crate::finding::{Finding, Findings};
use shape_core::code::Code;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;

/// Maps domains to opsets; `None` for an import without a version. A copy is cheap: each call of a function makes one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Imports(Arc<BTreeMap<String, Option<u32>>>);

impl Imports {
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
        let mut read = BTreeMap::new();
        for import in imports {
            // If a domain is imported several times, the first import counts.
            let version = read.entry(canonical_domain(&import.domain).to_owned()).or_insert(None);
            *version = version.or(import.version.filter(|stated| *stated > 0).map(saturated));
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
        let mut firsts = BTreeMap::new();
        for import in imports {
            let domain = canonical_domain(&import.domain);
            let stated = import.version.unwrap_or(0);
            if stated < 1 {
                findings.push(
                    Finding::new(Code::FieldMissing, graph, format!("the import of {domain} has no version"))
                        .expected("a version, 1 or greater")
                        .found(stated)
                        .help("write the version that the nodes were written for"),
                );
                continue;
            }
            if let Some(first) = firsts.get(domain) {
                findings.push(
                    Finding::new(Code::OpsetDuplicate, graph, format!("{domain} is imported twice"))
                        .expected(format!("one import, such as opset {first}"))
                        .found(format!("a second import, of opset {stated}"))
                        .help("keep one of the two"),
                );
                continue;
            }
            firsts.insert(domain, saturated(stated));
            if let Some(newest) = registry.newest_opset(domain).filter(|newest| stated > i64::from(*newest)) {
                let release = registry.releases().last().map_or("", |release| release.release);
                findings.push(
                    Finding::new(
                        Code::OpsetTooNew,
                        graph,
                        format!("opset {stated} of {domain} is unknown; the newest known one is {newest}"),
                    )
                    .expected(format!("at most {newest}, the newest known (ONNX {release})"))
                    .found(stated)
                    .help("its nodes are not checked; correct the import, or use a newer version of this program"),
                );
            } else if stated > i64::from(i32::MAX) {
                findings.push(
                    Finding::new(Code::OpsetTooNew, graph, format!("{stated} is not a valid opset of {domain}"))
                        .expected(format!("at most {}, because readers store opsets in 32 bits", i32::MAX))
                        .found(stated)
                        .help("correct the version of the import"),
                );
            }
        }
    }
}

/// A version as 32 bits: no larger version exists.
fn saturated(stated: i64) -> u32 {
    u32::try_from(stated).unwrap_or(u32::MAX)
}
