//! Merges what is inferred about a value with what the model declares.

use super::analyzer::Analyzer;
use super::claims::Verdict;
use crate::declaration::Declared;
use crate::file::proto::ValueInfoProto;
use crate::finding::{Finding, NodeRef};
use crate::graph::NodeAt;
use shape_core::code::Code;
use shape_core::dimension::Dimension as _;
use shape_core::symbolic::{Cause, Dim, Reason};

impl<'m> Analyzer<'m, '_> {
    /// Merges an inferred value with its declaration: a contradiction is a finding, otherwise both are combined.
    pub(super) fn merge(
        &mut self,
        name: &str,
        inferred: Declared,
        declaration: &'m ValueInfoProto,
        value: u32,
        graph: usize,
        at: Option<NodeAt<'m>>,
    ) -> Declared {
        let declared = self.read(name, declaration.r#type.as_ref(), value, graph);
        let verdicts = match (&inferred.dims, &declared.dims) {
            (Ok(inferred), Ok(declared)) => {
                self.analysis.verdicts(inferred, declared, &|symbol| self.assumptions.equal(symbol))
            }
            _ => None,
        };
        let contradiction = |analyzer: &mut Self, code, what: &str, expected: String, found: String| {
            let s = if what == "type" { "s" } else { "" };
            let message = format!("the declared {what} of `{name}` contradict{s} the inferred {what}");
            let finding = Finding::new(code, analyzer.path(graph), message).expected(expected).found(found);
            let finding =
                finding.help("correct or remove the declaration: `expected` is inferred, `found` is declared");
            analyzer.analysis.findings.push(match at {
                Some(at) => finding.at(at).of_declaration(),
                None => finding.of_declaration(),
            });
        };
        let ty = match (inferred.ty, declared.ty) {
            (Ok(inferred), Ok(declared)) if inferred != declared => {
                contradiction(self, Code::OutputType, "type", format!("{inferred}"), format!("{declared}"));
                Ok(inferred)
            }
            (Ok(ty), _) | (Err(_), Ok(ty)) => Ok(ty),
            (Err(reason), Err(_)) => Err(reason),
        };
        let dims = match (inferred.dims, declared.dims) {
            (Ok(inferred), Ok(declared)) => match verdicts.filter(|all| !all.contains(&Verdict::Contradicts)) {
                Some(verdicts) => {
                    self.claimed((name, graph, at.map(NodeRef::from)), (&inferred, &declared), &verdicts);
                    Ok(self.with_claims(inferred, declared, &verdicts, value))
                }
                None => {
                    let (expected, found) = (self.show(&inferred), self.show(&declared));
                    contradiction(self, Code::OutputDims, "dimensions", expected, found);
                    Ok(inferred)
                }
            },
            (Ok(dims), Err(_)) => Ok(dims),
            // A dimension that the declaration leaves open is unknown for the reason of the inference.
            (Err(reason), Ok(declared)) if self.options.declared => {
                self.claimed.push(value);
                let or_reason = |dim| match dim {
                    Dim::Unknown(Reason { cause: Cause::NotDeclared, .. }) => Dim::Unknown(reason.clone()),
                    dim => dim,
                };
                Ok(declared.into_iter().map(or_reason).collect())
            }
            // A value that is declared as something other than a tensor has no dimensions.
            (Err(_), Err(declared)) if declared.cause == Cause::NotATensor => Err(declared),
            (Err(reason), _) => Err(reason),
        };
        Declared { ty, dims }
    }

    /// The inferred dimensions, with declared ones where nothing follows from the inputs.
    fn with_claims(
        &mut self,
        inferred: Box<[Dim]>,
        declared: Box<[Dim]>,
        verdicts: &[Verdict],
        value: u32,
    ) -> Box<[Dim]> {
        if !self.options.declared || !verdicts.contains(&Verdict::Open) {
            return inferred;
        }
        let before = inferred.clone();
        let each = inferred.into_iter().zip(declared).zip(verdicts);
        let merged: Box<[Dim]> = each
            .map(|((inferred, declared), verdict)| match verdict {
                Verdict::Open => inferred.refine(declared),
                _ => inferred,
            })
            .collect();
        if merged != before {
            self.claimed.push(value);
        }
        merged
    }
}
