//! What flows between a node and the graphs inside of it: dimensions and elements.

use super::signature::{Role, Rounds, Signature, signature};
use crate::analysis::report::At;
use crate::analysis::walk::{Mark, Walk};
use crate::analysis::{GraphInfo, GraphKind, Known, Value};
use crate::file::Subgraph;
use crate::file::proto::GraphProto;
use shape_core::code::Code;
use shape_core::data_type::DataType;
use shape_core::dimension::Dimension as _;
use shape_core::elements::Scalar;
use shape_core::opset::canonical_domain;
use shape_core::rules;
use shape_core::symbolic::{Cause, Dim, Reason};
use shape_core::types::Type;

/// How many values may be walked again, in all, to see what stays the same from round to round. A model that asks for
/// more was made to: each loop around a loop asks for it anew.
const MOST_AGAIN: usize = 1 << 18;

/// How often a graph is walked before what it carries is given up.
const MOST_ROUNDS: usize = 3;

/// What is found where dimensions do not fit.
const OF_DIMS: [Code; 12] = [
    Code::AxisRange,
    Code::DimsMismatch,
    Code::DimsNegative,
    Code::ElementCount,
    Code::ElementOverflow,
    Code::OutputDims,
    Code::RankMismatch,
    Code::TargetEntry,
    Code::TargetLength,
    Code::TargetMissing,
    Code::TargetRank,
    Code::TargetZero,
];

/// What an input of a graph gets from the node.
#[derive(Clone, Debug)]
pub(in crate::analysis) struct Fed {
    pub(in crate::analysis) ty: Option<Type>,
    pub(in crate::analysis) dims: Known<Box<[Dim]>>,
    pub(in crate::analysis) elements: Option<Box<[Scalar<Dim>]>>,
}

impl<'m> Walk<'m, '_> {
    /// How the graphs of a node line up with it, without a word about what is wrong with the node.
    pub(in crate::analysis) fn signature(&self, at: At<'m>) -> Option<Signature> {
        let domain = canonical_domain(&at.node.domain);
        let opset = self.imports.get(domain)?;
        let schema = self.options.registry.resolve(domain, &at.node.op_type, opset).ok()?;
        signature(schema, at.node)
    }

    /// A graph inside of a node. What it carries from round to round is taken for the same in each, and where it turns
    /// out not to be, the graph is walked again with less.
    pub(in crate::analysis) fn body(
        &mut self,
        at: At<'m>,
        (proto, path, place): (&'m GraphProto, String, Subgraph),
        signature: Option<&Signature>,
    ) {
        let kind = GraphKind::Subgraph { parent: at.graph, place };
        let Some(signature) = signature else { return self.graph(proto, path, kind, &[]) };
        if signature.rounds == Rounds::Branch {
            let before = self.analysis.findings.len();
            self.graph(proto, path, kind, &[]);
            if self.chosen(at).is_some_and(|chosen| name_of(at, kind) != Some(chosen)) {
                // What never runs is written for other dimensions than there are.
                let of_branch = self.analysis.findings.split_off(before);
                self.analysis.findings.extend(of_branch.into_iter().filter(|found| !OF_DIMS.contains(&found.code)));
            }
            return;
        }
        let mut fed = self.fed(at, signature);
        let carries = signature.inputs.iter().any(|role| matches!(role, Role::Carried(_)));
        for round in 1.. {
            if carries && (round == MOST_ROUNDS || self.again > MOST_AGAIN) {
                for (fed, role) in fed.iter_mut().zip(&signature.inputs) {
                    if matches!(role, Role::Carried(_)) {
                        fed.dims = Err(Reason::here(Cause::Rounds));
                    }
                }
            }
            let mark = carries.then(|| Mark::of(self));
            let id = self.analysis.graphs.len();
            self.graph(proto, path.clone(), kind, &fed);
            let Some(mark) = mark.filter(|_| self.widen(&mut fed, signature, id)) else { return };
            self.again += self.analysis.values.len().saturating_sub(mark.values());
            mark.restore(self);
        }
    }

    /// The input of a node, and its dimensions behind those that the graphs do not know of.
    fn outer(&self, at: At<'m>, input: usize, batch: usize) -> (Option<Type>, Known<Box<[Dim]>>) {
        let value = at.node.input.get(input).filter(|name| !name.is_empty()).and_then(|name| self.value_of(name));
        let Some(value) = value else { return (None, Err(Reason::here(Cause::Undefined))) };
        let dims = value.dims.clone().map(|dims| dims.get(batch..).unwrap_or_default().into());
        (value.ty.as_ref().ok().copied(), dims)
    }

    fn fed(&self, at: At<'m>, signature: &Signature) -> Vec<Fed> {
        let feed = |role: &Role| match *role {
            Role::Fixed(ty) => Fed {
                ty: Some(ty),
                dims: Ok(Box::default()),
                // A round begins only where the condition holds.
                elements: (ty == Type::tensor(DataType::Bool)).then(|| Box::from([Scalar::Bool(true)])),
            },
            Role::Carried(input) => {
                let (ty, dims) = self.outer(at, input, signature.batch);
                Fed { ty, dims, elements: None }
            }
            Role::Scanned { input, axis } => {
                let (ty, dims) = self.outer(at, input, signature.batch);
                let without = |dims: Box<[Dim]>| match rules::axis(axis, dims.len()) {
                    Ok(at) => {
                        let (before, behind) = (dims.get(..at), dims.get(at + 1..));
                        Ok([before.unwrap_or_default(), behind.unwrap_or_default()].concat().into())
                    }
                    Err(_) => Err(Reason::here(Cause::Refused)),
                };
                Fed { ty, dims: dims.and_then(without), elements: None }
            }
            Role::ElementOf(input) => {
                let (ty, dims) = self.outer(at, input, 0);
                Fed { ty: ty.map(|ty| ty.in_sequence().unwrap_or(ty)), dims, elements: None }
            }
            Role::Output | Role::Stacked { .. } => {
                Fed { ty: None, dims: Err(Reason::here(Cause::Undefined)), elements: None }
            }
        };
        signature.inputs.iter().map(feed).collect()
    }

    /// Takes back what a round does not leave as it found it; whether there was such a thing.
    fn widen(&self, fed: &mut [Fed], signature: &Signature, graph: usize) -> bool {
        let Some(info) = self.analysis.graphs.get(graph) else { return false };
        let mut changed = false;
        for (fed, role) in fed.iter_mut().zip(&signature.inputs).filter(|(_, role)| matches!(role, Role::Carried(_))) {
            let Ok(before) = &mut fed.dims else { continue };
            let left = signature.outputs.iter().position(|other| other == role);
            let left = left.and_then(|place| self.output_of(info, place)).and_then(|value| value.dims.as_ref().ok());
            match left.filter(|left| left.len() == before.len()) {
                Some(left) => {
                    for (before, left) in before.iter_mut().zip(left) {
                        if !matches!(before, Dim::Unknown(_)) && !before.same_as(left) {
                            *before = Dim::Unknown(Reason::here(Cause::Rounds));
                            changed = true;
                        }
                    }
                }
                None => {
                    fed.dims = Err(Reason::here(Cause::Rounds));
                    changed = true;
                }
            }
        }
        changed
    }

    fn output_of(&self, info: &GraphInfo<'m>, place: usize) -> Option<&Value<'m>> {
        self.analysis.values.get(info.outputs.get(place).copied().flatten()? as usize)
    }

    /// The branch that runs, where that is known.
    fn chosen(&self, at: At<'m>) -> Option<&'static str> {
        let condition = self.value_of(at.node.input.first()?)?;
        match condition.elements.as_deref() {
            Ok([Scalar::Bool(true)]) => Some("then_branch"),
            Ok([Scalar::Bool(false)]) => Some("else_branch"),
            _ => None,
        }
    }
}

/// The attribute of a node that a graph inside of it is.
fn name_of<'m>(at: At<'m>, kind: GraphKind) -> Option<&'m str> {
    let GraphKind::Subgraph { place, .. } = kind else { return None };
    at.node.attribute.get(place.attribute).map(|attribute| &*attribute.name)
}
