//! A claim that is not always true, and what is told of all of them: one finding for each cause.

use std::collections::{HashMap, HashSet};

use super::result::Analysis;
use crate::finding::{Finding, Findings, NodeRef};
use crate::text::dims_text;
use shape_core::code::Code;
use shape_core::symbolic::Dim;

/// A claim that may be true in some runs, and is not in all.
#[derive(Debug)]
pub(super) struct Claim {
    pub(super) code: Code,
    pub(super) graph: String,
    pub(super) node: Option<NodeRef>,
    pub(super) name: String,
    pub(super) axis: usize,
    pub(super) inferred: Box<[Dim]>,
    pub(super) declared: Box<[Dim]>,
}

/// A finding for each cause of claims that are not always true, with the number of the others.
pub(super) fn findings(claims: &[Claim], analysis: &Analysis<'_>) -> Findings {
    let mut causes: HashMap<(Code, Dim, Dim), usize> = HashMap::new();
    let mut told: Vec<Finding> = Vec::new();
    let mut seen = HashSet::new();
    for claim in claims {
        let (Some(inferred), Some(declared)) = (claim.inferred.get(claim.axis), claim.declared.get(claim.axis)) else {
            continue;
        };
        // 16 for `8*n` has the same cause as 2 for `n`.
        let solved = (claim.code == Code::DimsFixed).then(|| inferred.solved(declared));
        let (size, is) = match solved.flatten() {
            Some((symbol, is)) => (Dim::Symbol(symbol), is),
            None => (inferred.clone(), declared.clone()),
        };
        let cause = *causes.entry((claim.code, size, is)).or_insert(told.len());
        // The body of a function is walked for each call.
        if !seen.insert((cause, &claim.graph, &claim.name)) {
            continue;
        }
        match told.get_mut(cause) {
            Some(finding) => finding.more += 1,
            None => told.push(claim.finding(inferred, declared, analysis)),
        }
    }
    let mut findings = Findings::default();
    for finding in told {
        findings.push(finding);
    }
    findings
}

impl Claim {
    fn finding(&self, inferred: &Dim, declared: &Dim, analysis: &Analysis<'_>) -> Finding {
        let symbols = &analysis.symbols;
        let (size, claimed) = (inferred.display(symbols).to_string(), declared.display(symbols).to_string());
        let (name, axis) = (&self.name, self.axis);
        let (message, help) = if self.code == Code::DimsFixed {
            (
                format!(
                    "dimension {axis} of `{name}` is declared as {claimed}, and is `{size}`, which a caller chooses"
                ),
                "correct or remove the declaration, or declare the number for the input too: runtimes allocate by it",
            )
        } else {
            (
                format!("dimension {axis} of `{name}` is declared as `{claimed}`, and is `{size}`"),
                "correct or remove the declaration: `expected` is inferred, `found` is declared",
            )
        };
        let found = Finding::new(self.code, &self.graph, message).of_declaration();
        let found = found.expected(dims_text(&self.inferred, symbols)).found(dims_text(&self.declared, symbols));
        Finding { node: self.node.clone(), ..found.help(help) }
    }
}
