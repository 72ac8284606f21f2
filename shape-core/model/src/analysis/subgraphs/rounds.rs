//! Passes dimensions and elements from a node to its subgraphs, round by round.

use super::input::SubgraphInput;
use super::signature::{Role, Rounds, Signature, signature};
use crate::analysis::analyzer::{Analyzer, Checkpoint};
use crate::file::SubgraphPosition;
use crate::file::{Attribute, Graph};
use crate::finding::Finding;
use crate::graph::{GraphInfo, GraphKind, NodeAt};
use crate::text::shortened;
use crate::value::{Known, Value};
use shape_core::code::Code;
use shape_core::data_type::DataType;
use shape_core::dimension::Dimension as _;
use shape_core::elements::Scalar;
use shape_core::opset::canonical_domain;
use shape_core::rules;
use shape_core::symbolic::{Cause, Dim, Reason};
use shape_core::types::Type;

/// The maximum number of values that are walked again, in total, to find what stays the same in each round. The limit
/// protects against hostile models: nested loops multiply the repetitions.
const MAX_REPEATED_VALUES: usize = 1 << 18;

/// The maximum number of walks of a graph before the values that it carries are treated as unknown.
const MAX_ROUNDS: usize = 3;

/// The codes of findings about dimensions that do not fit.
const OF_DIMS: [Code; 13] = [
    Code::AxisRange,
    Code::DimsMismatch,
    Code::DimsNegative,
    Code::DimsTooLarge,
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

impl<'m> Analyzer<'m, '_> {
    /// Walks the subgraphs of a node, each with the names around it in scope.
    pub(in crate::analysis) fn subgraphs(&mut self, at: NodeAt<'m>) {
        if at.node.attributes().iter().all(|attribute| attribute.graph().is_none() && attribute.graphs().is_empty()) {
            return;
        }
        let signature = self.signature(at);
        if let Some(signature) = &signature {
            self.single_elements(at, signature);
        }
        let branches = signature.as_ref().is_some_and(|signature| signature.rounds == Rounds::Branch);
        let mut first = true;
        for (attribute, proto) in at.node.attributes().iter().enumerate() {
            let inner = proto.subgraphs();
            for (index, graph) in inner.enumerate() {
                let (op_type, name) = (shortened(at.node.op_type()), shortened(proto.name()));
                let path = format!("{}/{}:{op_type}.{name}", shortened(self.path(at.graph)), at.index);
                let path = if index == 0 { path } else { format!("{path}[{index}]") };
                // The attribute `graphs` has indices of its own; a `g` next to it is an attribute of the wrong kind.
                let index = if proto.graph().is_some() { index.saturating_sub(1) } else { index };
                let position = SubgraphPosition { node: at.index, attribute, index };
                // A node with rounds has one body; each further one is an error, and would get all of its inputs.
                let signature = signature.as_ref().filter(|_| branches || first);
                first = false;
                self.subgraph(at, (graph, path, position), signature);
            }
        }
    }

    /// Checks that the inputs which control a node have one element each.
    fn single_elements(&mut self, at: NodeAt<'m>, signature: &Signature) {
        let count = match signature.rounds {
            Rounds::Branch => 1,
            Rounds::Counted => 2,
            Rounds::Scanned | Rounds::Elements => 0,
        };
        for (index, name) in at.node.inputs().iter().take(count).enumerate() {
            let Ok(dims) = self.outer(at, index, 0).1 else { continue };
            if dims.is_empty() {
                continue;
            }
            let path = self.path(at.graph);
            let found = if !dims.iter().all(|dim| dim.may_equal(&Dim::Known(1))) {
                let message = format!("input {index} (`{name}`) must have a single element");
                let found = Finding::new(Code::RankMismatch, path, message).expected("a scalar");
                found.help("the number of rounds and the condition are one value each")
            } else if signature.rounds == Rounds::Counted {
                let message = format!("input {index} (`{name}`) is not a scalar");
                let found = Finding::new(Code::SubgraphScalar, path, message).expected("a scalar");
                found.help("give the node a scalar; runtimes mostly take any tensor with a single element")
            } else {
                // A branch is chosen by any tensor with a single element.
                continue;
            };
            let found = found.at(at).found(self.show(&dims));
            self.analysis.findings.push(found);
        }
    }

    /// How the subgraphs of a node line up with it; errors of the node are not reported.
    fn signature(&self, at: NodeAt<'m>) -> Option<Signature> {
        let domain = canonical_domain(at.node.domain());
        let opset = self.imports.get(domain)?;
        let schema = self.options.registry.resolve(domain, at.node.op_type(), opset).ok()?;
        signature(schema, at.node)
    }

    /// Walks a subgraph. Carried values are assumed to be the same in each round; if one is not, the graph is walked
    /// again without that assumption.
    fn subgraph(
        &mut self,
        at: NodeAt<'m>,
        (proto, path, position): (Graph<'m>, String, SubgraphPosition),
        signature: Option<&Signature>,
    ) {
        let kind = GraphKind::Subgraph { parent: at.graph, position };
        let Some(signature) = signature else { return self.graph(proto, path, kind, &[]) };
        if signature.rounds == Rounds::Branch {
            let before = std::mem::take(&mut self.analysis.findings);
            let claims = self.claims.len();
            self.graph(proto, path, kind, &[]);
            // A branch that never runs may not fit the dimensions of this model.
            let never = self.chosen(at).is_some_and(|chosen| name_of(at, kind) != Some(chosen));
            if never {
                self.claims.truncate(claims);
            }
            let of_branch = std::mem::replace(&mut self.analysis.findings, before);
            self.analysis.findings.append(of_branch, |found| !never || !OF_DIMS.contains(&found.code));
            return;
        }
        let mut inputs = self.subgraph_inputs(at, signature);
        let carries = signature.inputs.iter().any(|role| matches!(role, Role::Carried(_)));
        for round in 1.. {
            if carries && (round == MAX_ROUNDS || self.repeated_values > MAX_REPEATED_VALUES) {
                for (input, role) in inputs.iter_mut().zip(&signature.inputs) {
                    if matches!(role, Role::Carried(_)) {
                        input.dims = Err(Reason::here(Cause::Rounds));
                    }
                }
            }
            let checkpoint = carries.then(|| Checkpoint::of(self));
            let id = self.analysis.graphs.len();
            self.graph(proto, path.clone(), kind, &inputs);
            let Some(checkpoint) = checkpoint else { return };
            if !self.widen(&mut inputs, signature, id) {
                return checkpoint.keep(self);
            }
            self.repeated_values += self.analysis.values.len().saturating_sub(checkpoint.values());
            checkpoint.restore(self);
        }
    }

    /// The type of a node's input, and its dimensions without the leading `batch` ones, which the subgraph does not
    /// see.
    fn outer(&self, at: NodeAt<'m>, input: usize, batch: usize) -> (Option<Type>, Known<Box<[Dim]>>) {
        let value =
            at.node.inputs().names().get(input).filter(|name| !name.is_empty()).and_then(|name| self.value_of(*name));
        let Some(value) = value else { return (None, Err(Reason::here(Cause::Undefined))) };
        let dims = self.memory.known(&value.dims, Reason::HERE);
        let dims = dims.map(|dims| if batch == 0 { dims } else { dims.get(batch..).unwrap_or_default().into() });
        (value.ty.as_ref().ok().copied(), dims)
    }

    fn subgraph_inputs(&self, at: NodeAt<'m>, signature: &Signature) -> Vec<SubgraphInput> {
        let input = |role: &Role| match *role {
            Role::Scalar { ty, first } => {
                let given = first.and_then(|input| self.outer(at, input, 0).1.ok());
                let follows_declaration = given.is_none();
                let dims = given.unwrap_or_default();
                // A round only begins if the condition holds.
                let holds = ty == Type::tensor(DataType::Bool) && dims.iter().all(|dim| dim.known() == Some(1));
                let elements = holds.then(|| Box::from([Scalar::Bool(true)]));
                SubgraphInput { ty: Some(ty), dims: Ok(dims), elements, follows_declaration }
            }
            Role::Carried(input) => {
                let (ty, dims) = self.outer(at, input, signature.batch);
                SubgraphInput { ty, dims, elements: None, follows_declaration: false }
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
                SubgraphInput { ty, dims: dims.and_then(without), elements: None, follows_declaration: false }
            }
            Role::ElementOf(input) => {
                let (ty, dims) = self.outer(at, input, 0);
                SubgraphInput {
                    ty: ty.map(|ty| ty.in_sequence().unwrap_or(ty)),
                    dims,
                    elements: None,
                    follows_declaration: false,
                }
            }
            Role::Output | Role::Stacked { .. } => SubgraphInput {
                ty: None,
                dims: Err(Reason::here(Cause::Undefined)),
                elements: None,
                follows_declaration: false,
            },
        };
        signature.inputs.iter().map(input).collect()
    }

    /// Makes unknown what a round changes; returns whether there was anything.
    fn widen(&self, inputs: &mut [SubgraphInput], signature: &Signature, graph: usize) -> bool {
        let Some(info) = self.analysis.graphs.get(graph) else { return false };
        let mut changed = false;
        for (input, role) in
            inputs.iter_mut().zip(&signature.inputs).filter(|(_, role)| matches!(role, Role::Carried(_)))
        {
            let Ok(before) = &mut input.dims else { continue };
            let left = signature.outputs.iter().position(|other| other == role);
            let left = left.and_then(|index| self.output_of(info, index)).and_then(|value| value.dims.as_ref().ok());
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
                    input.dims = Err(Reason::here(Cause::Rounds));
                    changed = true;
                }
            }
        }
        changed
    }

    fn output_of(&self, info: &GraphInfo<'m>, index: usize) -> Option<&Value<'m>> {
        self.analysis.values.get(info.outputs.get(index).copied().flatten()? as usize)
    }

    /// The branch that runs, if that is known.
    fn chosen(&self, at: NodeAt<'m>) -> Option<&'static str> {
        let condition = self.value_of(*at.node.inputs().names().first()?)?;
        match condition.elements.as_deref() {
            Ok([Scalar::Bool(true)]) => Some("then_branch"),
            Ok([Scalar::Bool(false)]) => Some("else_branch"),
            _ => None,
        }
    }
}

/// The name of the attribute that holds a subgraph of a node.
fn name_of<'m>(at: NodeAt<'m>, kind: GraphKind) -> Option<&'m str> {
    let GraphKind::Subgraph { position, .. } = kind else { return None };
    at.node.attributes().get(position.attribute).map(Attribute::name)
}
