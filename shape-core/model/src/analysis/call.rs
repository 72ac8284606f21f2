//! Calls of model functions.
//!
//! The outputs of a call are inferred by walking the function's body with the call's inputs, as if it were inlined;
//! afterwards only the outputs are kept. Each body is also walked once by itself, with unknown inputs, to find the
//! errors that do not depend on the caller.

use std::collections::HashSet;

use super::analyzer::{Analyzer, Bound, Checkpoint};
use super::inferred::InferredValue;
use crate::file::{Attribute, Function, Name};
use crate::finding::{Finding, Findings};
use crate::functions::path;
use crate::graph::NodeAt;
use crate::text::shortened;
use shape_core::code::{Code, Severity};
use shape_core::node::NodeAttribute;
use shape_core::symbolic::Cause;

/// The maximum nesting depth of graphs and calls; the outputs of deeper calls are unknown.
const MAX_DEPTH: usize = 128;

/// The number of nodes that all calls together may walk, and of names that they may declare, plus the same number for
/// each node of the file. The limit protects against hostile models, such as a chain of functions that each call the
/// next one twice.
const MAX_NODES: usize = 1 << 16;
const MAX_FOR_EACH: usize = 16;

/// What a call passes to its function.
struct Arguments<'v, 'm> {
    at: NodeAt<'m>,
    values: &'v [Option<u32>],
    /// The inputs of the function that the call leaves out.
    absent: HashSet<Name>,
    bound: Bound<'m>,
}

impl<'m> Analyzer<'m, '_> {
    /// The outputs of a call.
    pub(super) fn call(&mut self, at: NodeAt<'m>, values: &[Option<u32>], called: usize) -> Vec<InferredValue> {
        let outputs = self.nothing(at, &Cause::FunctionCall);
        let Some(function) = self.functions.get(called) else { return outputs };
        // A call may leave out its last inputs, but must have a place for each output.
        let sides = [
            (Code::InputCount, "inputs", at.node.inputs().len(), function.inputs().len(), 0),
            (Code::OutputCount, "outputs", at.node.outputs().len(), function.outputs().len(), function.outputs().len()),
        ];
        for (code, what, found, most, least) in sides {
            let (expected, help) = match found {
                found if found > most => (format!("at most {most}"), format!("remove the additional {what}")),
                found if found < least => {
                    (most.to_string(), format!("add the missing {what}; an empty name leaves an output unused"))
                }
                _ => continue,
            };
            let counted = if found == 1 { what.trim_end_matches('s') } else { what };
            let message =
                format!("the call has {found} {counted}; the function {} has {most}", shortened(function.name()));
            let found = Finding::new(code, self.path(at.graph), message).at(at).expected(expected).found(found);
            self.analysis.findings.push(found.help(help));
        }
        let deep = self.bindings.depth() >= MAX_DEPTH;
        let most = MAX_NODES.saturating_add(self.functions.nodes().saturating_mul(MAX_FOR_EACH));
        if deep || self.calls.nodes.max(self.calls.declared) > most || self.calls.active.contains(&called) {
            return outputs;
        }
        let defaults = function.defaults().iter().chain(at.node.attributes());
        let mut bound = Bound::new();
        for view in defaults.filter_map(|attribute| self.attribute_view(attribute)) {
            bound.insert(view.name, view.value);
        }
        let given = |index: usize| at.node.inputs().names().get(index).is_some_and(|name| !self.is_absent(*name));
        let absent = function.inputs().names().iter().enumerate().filter(|(index, _)| !given(*index));
        let arguments = Arguments { at, values, absent: absent.map(|(_, name)| *name).collect(), bound };
        let (first, fresh) = (self.next_value(), self.analysis.origins.len());
        let (values, findings) = self.followed(called, function, Some(arguments), outputs.len());
        self.refuse(at, called, function, &findings);
        // What began at a value of the body, which is removed, begins at the call.
        let call = outputs.first().map_or(first, |output| output.value);
        for origin in self.analysis.origins.iter_mut().skip(fresh).filter(|origin| origin.value >= first) {
            origin.value = call;
        }
        for assumed in self.analysis.assumptions.iter_mut().filter(|assumed| assumed.value >= first) {
            assumed.value = call;
        }
        let settle = |(output, value): (InferredValue, Option<InferredValue>)| match value {
            Some(value) => InferredValue::from_body(output.value, value, first),
            None => output,
        };
        let count = outputs.len();
        let values = values.into_iter().chain(std::iter::repeat_with(|| None)).take(count);
        outputs.into_iter().zip(values).map(settle).collect()
    }

    /// Walks the body of a function, and returns its outputs, as many as are asked for, and findings. Without
    /// `arguments`, its inputs and attributes are unknown.
    fn followed(
        &mut self,
        called: usize,
        function: Function<'m>,
        arguments: Option<Arguments<'_, 'm>>,
        asked: usize,
    ) -> (Vec<Option<InferredValue>>, Findings) {
        // Operators without a descriptor are reported when the body is walked by itself.
        let undescribed = std::mem::take(&mut self.undescribed);
        let mut checkpoint = Checkpoint::of(self);
        let is_called = arguments.is_some();
        let callers = arguments.as_ref().map_or_else(Vec::new, |arguments| {
            self.calls.callers.iter().copied().chain([(arguments.at, called)]).collect()
        });
        let callers = std::mem::replace(&mut self.calls.callers, callers);
        let (inputs, absent, bound) = arguments
            .map_or_else(Default::default, |Arguments { values, absent, bound, .. }| (values, absent, Some(bound)));
        let hidden = self.bindings.open_call();
        let imports = std::mem::replace(&mut self.imports, self.functions.imports(Some(called)).clone());
        let unimported = std::mem::take(&mut self.unimported);
        let outer = std::mem::replace(&mut self.calls.bound, bound);
        let outer_absent = std::mem::replace(&mut self.calls.absent, absent);
        self.calls.active.insert(called);
        self.calls.nodes += function.nodes().len();
        self.calls.declared += function.inputs().len() + function.outputs().len() + function.value_info().len();

        self.function_body(function, path(function), inputs);
        let body = self.memory.left();
        let outputs: Vec<Option<InferredValue>> =
            function.outputs().names().iter().take(asked).map(|name| self.output_of_body(*name)).collect();
        let outputs_take = body - self.memory.left();

        self.calls.active.remove(&called);
        self.calls.callers = callers;
        self.calls.bound = outer;
        self.calls.absent = outer_absent;
        self.unimported = unimported;
        self.imports = imports;
        self.bindings.close_call(hidden);
        if outputs.iter().flatten().any(|output| output.has_fresh(checkpoint.fresh())) {
            checkpoint.keep_fresh(self);
        }
        let claims = if is_called { self.claims_since(&checkpoint) } else { Vec::new() };
        let findings = checkpoint.restore(self);
        self.claims.extend(claims);
        self.memory.pay(outputs_take);
        self.undescribed = undescribed;
        (outputs, findings)
    }

    fn output_of_body(&self, name: Name) -> Option<InferredValue> {
        let value = self.lookup(name)?;
        let known = self.analysis.values.get(value as usize)?;
        let dims = self.memory.known(&known.dims, value);
        let elements = match known.without_elements() {
            Some(reason) => Err(reason),
            None => self.memory.known(&known.elements, value),
        };
        Some(InferredValue { value, ty: known.ty.clone(), dims, elements })
    }

    /// Reports a call that causes errors in the body which other calls do not.
    fn refuse(&mut self, at: NodeAt<'m>, called: usize, function: Function<'m>, findings: &Findings) {
        let errors = || findings.iter().filter(|found| found.code.severity() == Severity::Error);
        if errors().next().is_none() {
            return;
        }
        let key = |found: &Finding| (found.code, found.graph.clone(), found.node.as_ref().map(|node| node.index));
        if !self.calls.errors_of_all.contains_key(&called) {
            let (_, found) = self.followed(called, function, None, 0);
            self.calls.errors_of_all.insert(called, found.iter().map(key).collect());
        }
        let errors_of_all = self.calls.errors_of_all.get(&called);
        // An error of a declaration comes last, since the others prevent more.
        let error = errors()
            .filter(|found| errors_of_all.is_none_or(|errors_of_all| !errors_of_all.contains(&key(found))))
            .min_by_key(|found| found.of_declaration);
        let Some(error) = error else { return };
        let node = error.node.as_ref().map(|node| format!(", node {} ({})", node.index, node.op_type));
        let graph = error.graph.strip_prefix("function ").unwrap_or(&error.graph);
        let message =
            format!("the call does not match the function: in {graph}{}, {}", node.unwrap_or_default(), error.message);
        let mut found = Finding::new(error.code, self.path(at.graph), message).at(at);
        (found.expected, found.found) = (error.expected.clone(), error.found.clone());
        found.of_declaration = error.of_declaration;
        let found = found.help("change the call, or change the function so that it accepts the call");
        self.analysis.findings.push(found);
    }

    /// The view of an attribute; in the body of a called function, with references replaced by the caller's values.
    pub(super) fn attribute_view(&self, attribute: Attribute<'m>) -> Option<NodeAttribute<'m>> {
        match &self.calls.bound {
            Some(bound) if !attribute.reference().is_empty() => {
                let value = bound.get(attribute.reference())?;
                Some(NodeAttribute::new(attribute.name(), *value))
            }
            _ => attribute.view(),
        }
    }
}
