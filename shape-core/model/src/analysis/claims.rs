//! What a model declares of a value that its nodes compute, held against what follows from the inputs.
//!
//! What is declared of an input is trusted: it says what a caller may give. What is declared of any other value is a claim.
//! A number, and an expression over sizes of inputs, follow whatever is claimed. A claim is used where nothing follows:
//! behind an operator without a descriptor, or for a size that depends on data.

use std::collections::HashSet;

use super::analyzer::{Analyzer, Checkpoint};
use super::claim::Claim;
use super::result::Analysis;
use crate::finding::NodeRef;
use crate::graph::GraphKind;
use crate::value::{Origin, Value};
use shape_core::code::Code;
use shape_core::dimension::Dimension as _;
use shape_core::symbolic::{Cause, Dim, Reason, Symbol};

/// How many claims are kept, so that a hostile file cannot have any number of them.
const MAX_CLAIMS: usize = 1 << 16;

/// What is to be said of a declared dimension beside the inferred one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is always true, or says nothing.
    Holds,
    /// It names a size in which one of an input has no name.
    Names,
    /// Nothing follows from the inputs, so that the declaration is all that is known.
    Open,
    /// It cannot be true, or for single sizes only, as `n` for `2*n`.
    Contradicts,
    /// It is a number for a size that a caller chooses.
    Fixes,
    /// It is another expression, or another name.
    Renames,
}

impl Verdict {
    /// The code of a claim that may be true in some runs.
    const fn code(self) -> Option<Code> {
        match self {
            Self::Fixes => Some(Code::DimsFixed),
            Self::Renames => Some(Code::DimsRenamed),
            _ => None,
        }
    }
}

impl Analysis<'_> {
    /// What a symbol must equal for the model to run.
    pub(crate) fn equal(&self, symbol: Symbol) -> Option<Dim> {
        self.assumptions.iter().find(|assumed| assumed.symbol == symbol)?.size.clone()
    }

    /// Whether a dimension follows from the sizes of inputs, named or not.
    fn follows(&self, dim: &Dim) -> bool {
        let mut follows = !matches!(dim, Dim::Unknown(_));
        dim.each_symbol(&mut |symbol| follows &= self.is_given(symbol));
        follows
    }

    /// Whether a symbol is a size of an input of the model, or of a function that is walked by itself.
    fn is_given(&self, symbol: Symbol) -> bool {
        let Some(index) = symbol.fresh() else { return self.given.contains(&symbol) };
        // What an input has as elements depends on data.
        let origin = self.origins.get(index).filter(|origin| matches!(origin.cause, Cause::NotDeclared));
        let value = origin.and_then(|origin| self.values.get(origin.value as usize));
        value.is_some_and(|value| self.is_input(value))
    }

    fn is_input(&self, value: &Value<'_>) -> bool {
        let kind = self.graphs.get(value.graph).map(|graph| graph.kind);
        value.origin == Origin::Input && matches!(kind, Some(GraphKind::Main | GraphKind::Function))
    }

    /// What is to be said of declared dimensions, each beside the inferred one; `None` if the ranks differ.
    pub(crate) fn verdicts(
        &self,
        inferred: &[Dim],
        declared: &[Dim],
        equal: &dyn Fn(Symbol) -> Option<Dim>,
    ) -> Option<Vec<Verdict>> {
        let settled = |dim: &Dim| dim.substituted(equal).unwrap_or_else(|| dim.clone());
        let each = || inferred.iter().zip(declared);
        (inferred.len() == declared.len())
            .then(|| each().map(|(inferred, declared)| self.verdict(&settled(inferred), &settled(declared))).collect())
    }

    fn verdict(&self, inferred: &Dim, declared: &Dim) -> Verdict {
        if !may_be_named(inferred, declared) && !inferred.may_equal(declared) {
            return Verdict::Contradicts;
        }
        if matches!(declared, Dim::Unknown(_)) || inferred.same_size(declared) {
            return Verdict::Holds;
        }
        if !self.follows(inferred) {
            return Verdict::Open;
        }
        match (inferred, declared) {
            (_, Dim::Known(_)) => Verdict::Fixes,
            (size, Dim::Symbol(name)) if size.fresh().is_some() && !self.is_given(*name) => Verdict::Names,
            _ if only_for_single_sizes(inferred, declared) => Verdict::Contradicts,
            _ => Verdict::Renames,
        }
    }
}

/// Whether a dimension is a name that another one does not contain, and so may have. Most claims are such names, and to look
/// whether an expression may equal them takes longer.
fn may_be_named(dim: &Dim, name: &Dim) -> bool {
    let Dim::Symbol(name) = name else { return false };
    let mut contains = false;
    dim.each_symbol(&mut |symbol| contains |= symbol.unmarked() == name.unmarked());
    !contains
}

/// Sizes that a symbol is tried with: all small ones, and some about which people round or cut.
fn tried() -> impl Iterator<Item = u64> {
    const LARGER: [u64; 11] = [63, 64, 100, 128, 255, 256, 512, 1000, 1024, 4096, 65_537];
    (0..=32).chain(LARGER)
}

/// Whether two different expressions over one symbol are equal for few of its sizes, as `n` and `2*n` are for 0.
fn only_for_single_sizes(left: &Dim, right: &Dim) -> bool {
    /// A difference of a higher degree than this is hardly ever met.
    const FEW: usize = 3;
    let mut symbols = HashSet::new();
    let mut expressions = 0;
    for dim in [left, right] {
        expressions += usize::from(!matches!(dim, Dim::Known(_)));
        dim.each_symbol(&mut |symbol| _ = symbols.insert(symbol.unmarked()));
    }
    let equal = |size: &u64| {
        let of = |dim: &Dim| dim.integer(&|_| Some(*size));
        of(left).is_some_and(|number| Some(number) == of(right))
    };
    expressions == 2 && symbols.len() == 1 && tried().filter(equal).nth(FEW).is_none()
}

impl Analyzer<'_, '_> {
    /// Trusts the sizes of an input.
    pub(super) fn trust(&mut self, dims: &[Dim]) {
        let Self { analysis, .. } = self;
        dims.iter().for_each(|dim| {
            dim.each_symbol(&mut |symbol| {
                if symbol.fresh().is_none() {
                    analysis.given.insert(symbol);
                }
            });
        });
    }

    /// Takes the claims since a checkpoint, for a caller that outlives it. Fresh symbols do not.
    pub(super) fn claims_since(&mut self, checkpoint: &Checkpoint) -> Vec<Claim> {
        let mut claims = self.claims.split_off(checkpoint.claims().min(self.claims.len()));
        for dim in claims.iter_mut().flat_map(|claim| &mut claim.inferred) {
            if dim.has_fresh(checkpoint.fresh()) {
                *dim = Dim::Unknown(Reason::here(Cause::Varies));
            }
        }
        claims
    }

    /// Notes each claim that may be true in some runs, and is not in all.
    pub(super) fn claimed(
        &mut self,
        (name, graph, node): (&str, usize, Option<NodeRef>),
        (inferred, declared): (&[Dim], &[Dim]),
        verdicts: &[Verdict],
    ) {
        for (axis, verdict) in verdicts.iter().enumerate() {
            let code = match (verdict, inferred.get(axis), declared.get(axis)) {
                // Two sizes with one name are claimed to be one.
                (Verdict::Names, Some(size), Some(Dim::Symbol(name))) => {
                    let first = self.names_of_sizes.entry(*name).or_insert_with(|| size.clone());
                    (first != size).then_some(Code::DimsRenamed)
                }
                _ => verdict.code(),
            };
            let Some(code) = code.filter(|_| self.claims.len() < MAX_CLAIMS) else { continue };
            self.claims.push(Claim {
                code,
                graph: self.path(graph).to_owned(),
                node: node.clone(),
                name: name.to_owned(),
                axis,
                inferred: inferred.into(),
                declared: declared.into(),
            });
        }
    }
}
