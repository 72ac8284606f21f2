//! Analyses one node: resolves its operator version and defines its outputs.

use std::collections::HashMap;

use super::analyzer::{Analyzer, Declarations};
use super::declared::Before;
use super::inferred::InferredValue;
use super::repeats::{LEFT_OUT, Operation, UNDEFINED};
use super::unknown_operator::{is_undescribed, registered, undescribed};
use crate::declaration::Declared;
use crate::finding::Finding;
use crate::graph::NodeAt;
use crate::value::{Origin, Shared};
use shape_core::code::Code;
use shape_core::opset::canonical_domain;
use shape_core::registry::Missing;
use shape_core::symbolic::{Cause, Reason};

/// For how many unknown operators the nearest names are looked for.
const MAX_SUGGESTED: usize = 200;

impl<'m> Analyzer<'m, '_> {
    /// Analyses a node whose inputs are these values; `None` for inputs that are left out or undefined.
    pub(super) fn node(&mut self, at: NodeAt<'m>, inputs: &[Option<u32>], declarations: &Declarations<'m>) {
        let fresh = self.analysis.origins.len();
        self.subgraphs(at);
        let node = at.node;
        let mut outputs = std::mem::take(&mut self.scratch.outputs);
        outputs.clear();
        let operation = self.operation(at);
        if let Ok((Operation::Call(_), _)) = operation {
            // The import has no influence on the function, but must exist wherever it is called.
            _ = self.opset(at, canonical_domain(node.domain()));
        }
        match operation {
            Ok((operation, opset)) => {
                self.answer((at, fresh), operation, inputs, &mut outputs, |analyzer| match operation {
                    Operation::Version(schema) => analyzer.operator(at, (schema, opset), inputs, declarations),
                    Operation::Call(called) => analyzer.call(at, inputs, called),
                });
            }
            Err(cause) => {
                // An attribute has a name and a kind, whatever the operator.
                if !node.op_type().is_empty() {
                    self.attributes(at);
                }
                let nothing = self.nothing(at, &cause);
                self.share_all(nothing, &mut outputs, fresh);
            }
        }
        for (name, mut known) in node.outputs().names().iter().zip(outputs.drain(..)) {
            if name.is_empty() {
                continue;
            }
            if let Some(info) = declarations.get(name).filter(|_| self.options.declared) {
                known = self.declared(*info, Before::Inferred(&known), self.next_value(), at.graph, Some(at));
            }
            self.define(*name, at.graph, Origin::Node { index: at.index }, known);
        }
        self.scratch.outputs = outputs;
    }

    /// The outputs of a node: those of an earlier node that says the same, or what `infer` finds.
    fn answer(
        &mut self,
        (at, fresh): (NodeAt<'m>, usize),
        operation: Operation,
        inputs: &[Option<u32>],
        outputs: &mut Vec<Shared>,
        infer: impl FnOnce(&mut Self) -> Vec<InferredValue>,
    ) {
        let Self { repeats, analysis, assumptions, calls, memory, .. } = self;
        let value = |id: &Option<u32>| analysis.values.get((*id)? as usize).map(|value| &value.shared);
        let numbers = at.node.inputs().names().iter().zip(inputs).map(|(name, id)| {
            let left_out = || name.is_empty() || calls.absent.contains(name);
            value(id).map_or_else(|| if left_out() { LEFT_OUT } else { UNDEFINED }, |known| known.facts.number)
        });
        let numbers = numbers.chain([assumptions.count() as u64]);
        let question = match repeats.ask(operation, at.node, numbers) {
            Ok(known) if memory.pay(known.iter().map(|output| output.facts.again).sum()) => {
                let from = |input: usize| Some(value(inputs.get(input)?)?.elements_from);
                return outputs.extend(known.iter().map(|output| output.of(from)));
            }
            // The outputs become unknown.
            Ok(_) => None,
            Err(question) => Some(question),
        };
        let (first, findings, mark) = (self.next_value(), self.analysis.findings.added(), self.memory.mark());
        self.scratch.declared = false;
        let found = infer(self);
        let any_new = self.share_all(found, outputs, fresh);
        let Self { repeats, analysis, .. } = self;
        // A fresh symbol is of this node alone.
        let is_clean =
            analysis.findings.added() == findings && analysis.origins.len() == fresh && !self.scratch.declared;
        let values = inputs.iter().map(|id| analysis.values.get((*id)? as usize).map(|value| &value.shared));
        let kept = question.filter(|_| is_clean).map_or(0, |question| repeats.keep(question, &values, outputs, first));
        // The outputs of a call stay when what its body found is forgotten.
        if !any_new && matches!(operation, Operation::Version(_)) {
            self.memory.restore(mark);
            self.memory.pay(outputs.iter().map(|known| known.facts.again).sum());
        }
        self.memory.keep(mark, kept);
    }

    /// Shares the facts of outputs; returns whether any of them are new.
    /// `fresh` is the number of fresh symbols before the node.
    fn share_all(&mut self, found: Vec<InferredValue>, outputs: &mut Vec<Shared>, fresh: usize) -> bool {
        let mut any_new = false;
        let mut common = None;
        for InferredValue { value, ty, mut dims, mut elements } in found {
            self.name_common(value, &mut dims, &mut common);
            let mut declared = Declared { ty, dims };
            self.of_all_rounds(value, &mut declared, fresh);
            self.name_unknown(value, &mut declared, &mut elements);
            let Declared { ty, dims } = declared;
            let (known, is_new) = self.shared.share(value, ty, dims, elements, &self.memory);
            any_new |= is_new;
            outputs.push(known);
        }
        any_new
    }

    /// Outputs that are unknown, all for the same reason.
    pub(super) fn nothing(&self, at: NodeAt<'m>, cause: &Cause) -> Vec<InferredValue> {
        let mut value = self.next_value();
        let mut outputs = Vec::with_capacity(at.node.outputs().len());
        for name in at.node.outputs().names() {
            let reason = || Reason { cause: cause.clone(), value };
            outputs.push(InferredValue { value, ty: Err(reason()), dims: Err(reason()), elements: Err(reason()) });
            value += u32::from(!name.is_empty());
        }
        outputs
    }

    /// The opset of a node's domain. If there is none, adds a finding and returns the reason.
    pub(super) fn opset(&mut self, at: NodeAt<'m>, domain: &'m str) -> Result<u32, Cause> {
        if let Some(opset) = self.imports.get(domain) {
            return Ok(opset);
        }
        // An import without a version was already reported.
        if !self.imports.is_broken(domain) && self.unimported.insert(domain) {
            let message = format!("the domain {domain} is not imported");
            let found = Finding::new(Code::DomainNotImported, self.path(at.graph), message).at(at).found(domain);
            let found = found.expected(format!("an import of {domain}"));
            self.analysis.findings.push(found.help(format!("add {domain} with its version to opset_import")));
        }
        Err(Cause::NoVersion)
    }

    /// What a node does, and the opset that selects its version. If that cannot be told, adds a finding and returns the
    /// reason.
    fn operation(&mut self, at: NodeAt<'m>) -> Result<(Operation, u32), Cause> {
        let imports = self.imports.id();
        let known = self.operations.get(at.node.operator_index()).copied().flatten();
        if let Some((_, operation, opset)) = known.filter(|(of, ..)| *of == imports) {
            return Ok((operation, opset));
        }
        let (operation, opset) = match self.find_operation(at) {
            Ok(found) => found,
            // Each of its nodes is counted in a finding, so that it is not remembered.
            Err(cause) => {
                let (domain, op_type) = (canonical_domain(at.node.domain()), at.node.op_type());
                let opset = self.imports.get(domain).ok_or(cause.clone())?;
                let found = self.options.registry.resolve_or_of_runtime(domain, op_type, opset);
                return found.map(|schema| (Operation::Version(schema), opset)).map_err(|_| cause);
            }
        };
        if let Some(slot) = self.operations.get_mut(at.node.operator_index()) {
            *slot = Some((imports, operation, opset));
        }
        Ok((operation, opset))
    }

    fn find_operation(&mut self, at: NodeAt<'m>) -> Result<(Operation, u32), Cause> {
        let (domain, op_type) = (canonical_domain(at.node.domain()), at.node.op_type());
        if op_type.is_empty() {
            let found = Finding::new(Code::FieldMissing, self.path(at.graph), "the node has no operator").at(at);
            let found = found.expected("an operator").found("an empty name");
            self.analysis.findings.push(found.help("name the operator, or remove the node"));
            return Err(Cause::Refused);
        }
        if let Some(called) = self.functions.called(at.node) {
            return Ok((Operation::Call(called), 0));
        }
        let opset = self.opset(at, domain)?;
        match self.options.registry.resolve(domain, op_type, opset) {
            Ok(schema) => Ok((Operation::Version(schema), opset)),
            // Already reported at the import.
            Err(Missing::OpsetTooNew { .. }) => Err(Cause::NoVersion),
            Err(Missing::OperatorTooNew { since }) => {
                let message = format!("{op_type} needs opset {since} of {domain}; the model imports opset {opset}");
                let found = Finding::new(Code::OperatorTooNew, self.path(at.graph), message)
                    .at(at)
                    .expected(format!("opset {since} of {domain} or later"))
                    .found(format!("opset {opset}"));
                let help = match registered(domain, op_type, opset) {
                    Some(by) => format!("import a later opset; {by}, but other runtimes need not know it"),
                    None => "import a later opset".to_owned(),
                };
                self.analysis.findings.push(found.help(help));
                Err(Cause::NoVersion)
            }
            Err(Missing::ReleaseTooOld { first }) => {
                let meant = self.options.registry.release().map_or(String::new(), |release| release.to_string());
                let message = format!("{op_type} exists from {first} on; the operators of {meant} are meant");
                let found = Finding::new(Code::OperatorTooNew, self.path(at.graph), message).at(at);
                let found = found.expected(format!("{first} or later")).found(meant);
                self.analysis.findings.push(found.help("ask for a later release, or run the model with one"));
                Err(Cause::NoVersion)
            }
            Err(Missing::NoDescriptor) => {
                let path = self.path(at.graph).to_owned();
                if self.undescribed.count((domain, op_type), &path, at.index) {
                    let operator =
                        if domain == "ai.onnx" { op_type.to_owned() } else { format!("{domain}::{op_type}") };
                    // The nearest names of a few are enough: they are looked for among all operators.
                    let few = self.undescribed.operators.len() < MAX_SUGGESTED;
                    let found = undescribed(&self.options.registry, domain, op_type, &operator, (opset, few));
                    self.analysis.findings.push(Finding { graph: path, ..found.at(at) });
                }
                Err(Cause::NoDescriptor)
            }
        }
    }

    /// Adds the number of nodes to the finding of each operator without a descriptor.
    pub(super) fn count_undescribed(&mut self) {
        let counts: HashMap<(&str, usize), usize> =
            self.undescribed.operators.values().map(|(graph, index, nodes)| ((&**graph, *index), *nodes)).collect();
        for finding in self.analysis.findings.iter_mut().filter(|found| is_undescribed(found.code)) {
            let node = finding.node.as_ref().map_or(0, |node| node.index);
            if let Some(nodes) = counts.get(&(&*finding.graph, node)) {
                finding.found = Some(if *nodes == 1 { "1 node".to_owned() } else { format!("{nodes} nodes") });
            }
        }
    }
}
