//! Findings about values that are not fully known.

use crate::analysis::Analysis;
use crate::finding::{Finding, Findings, NodeRef};
use crate::graph::GraphKind;
use shape_core::code::Code;

impl Analysis<'_> {
    /// A finding for each value that is not fully known, except those in the bodies of functions, which only a call
    /// would make known. Of those that are alike, the first few are listed.
    #[must_use]
    pub fn strict_findings(&self) -> Findings {
        let mut findings = Findings::default();
        for value in &self.values {
            let Some(graph) = self.graphs.get(value.graph) else { continue };
            let Some(reason) = self.unknown(value) else { continue };
            if graph.kind == GraphKind::Function {
                continue;
            }
            let mut found =
                Finding::new(Code::DimsUnknown, &graph.path, format!("`{}` is not fully known", value.name));
            found.node = self.node_of(value.graph, value.origin).map(NodeRef::from);
            findings.push(found.found(self.explain(reason)));
        }
        findings
    }
}
