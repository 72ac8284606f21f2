//! Calls of the functions of a model.
//!
//! What a call makes of its inputs is found by walking the function's body with them, as if it stood in place of the
//! call; what was found of the values in it is forgotten then, but for the outputs. The body by itself, with nothing
//! known of its inputs, is walked once more for what is wrong with it whoever calls.

use std::collections::{HashMap, HashSet};

use super::Value;
use super::attributes::view;
use super::functions::name;
use super::names::Names;
use super::node::Found;
use super::report::{At, finding};
use super::walk::{Mark, Walk};
use crate::code::{Code, Severity};
use crate::elements::Scalar;
use crate::finding::Finding;
use crate::model::proto::FunctionProto;
use crate::node::AttributeValue;
use crate::symbolic::{Cause, Dim, Reason};

/// How deep graphs and calls are followed together; what is deeper stays unknown.
const DEEPEST: usize = 128;

/// How many nodes are looked at for all calls together, beside so many for each node of the file. A model that asks for
/// more was made to: functions that each call the next one twice.
const MOST_NODES: usize = 1 << 16;
const MOST_FOR_EACH: usize = 16;

/// The attributes that a call gives to a function, by name.
pub(super) type Bound<'m> = HashMap<&'m str, AttributeValue<'m>>;

/// What is known of calls so far.
#[derive(Default)]
pub(super) struct Calls<'m> {
    /// The functions that are being followed.
    active: HashSet<usize>,
    /// The attributes of the call that is being followed; `None` where a body is walked by itself.
    pub(super) bound: Option<Bound<'m>>,
    /// How many graphs there are around the body at hand.
    depth: usize,
    nodes: usize,
    /// What is wrong with the body of a function whoever calls it.
    of_all: HashMap<usize, HashSet<(Code, String, Option<usize>)>>,
}

impl<'m> Walk<'m, '_> {
    /// What a call of a function gives.
    pub(super) fn call(&mut self, at: At<'m>, values: &[Option<u32>], domain: &'m str, called: usize) -> Vec<Found> {
        // The version says nothing of a function, but the import must be there.
        _ = self.opset(at, domain);
        let outputs = self.nothing(at, &Cause::FunctionCall);
        let Some(function) = self.functions.get(called) else { return outputs };
        let sides = [
            (Code::InputCount, "inputs", at.node.input.len(), function.input.len()),
            (Code::OutputCount, "outputs", at.node.output.len(), function.output.len()),
        ];
        for (code, what, found, most) in sides {
            if found > most {
                let message = format!("the call has {found} {what}; the function {} has {most}", function.name);
                let found =
                    finding(code, self.path(at.graph), message).at(at).expected(format!("at most {most}")).found(found);
                self.analysis.findings.push(found.help(format!("remove the additional {what}")));
            }
        }
        let deep = self.calls.depth + self.scopes.len() >= DEEPEST;
        let most = MOST_NODES.saturating_add(self.functions.nodes().saturating_mul(MOST_FOR_EACH));
        if deep || self.calls.nodes > most || self.calls.active.contains(&called) {
            return outputs;
        }
        let inputs = values.iter().map(|id| self.analysis.values.get((*id)? as usize).cloned()).collect();
        let defaults = function.attribute_proto.iter().chain(&at.node.attribute);
        let mut bound = Bound::new();
        for view in defaults.filter_map(|attribute| self.seen(attribute)) {
            bound.insert(view.name, view.value);
        }
        let first = self.next_value();
        let (values, findings) = self.followed(called, function, Some((inputs, bound)));
        self.refuse(at, called, function, &findings);
        let settle = |(output, value): (Found, Option<Value<'m>>)| match value {
            Some(value) => Found::from_body(output.value, value, first),
            None => output,
        };
        let count = outputs.len();
        let values = values.into_iter().chain(std::iter::repeat(None)).take(count);
        outputs.into_iter().zip(values).map(settle).collect()
    }

    /// Walks the body of a function, and gives its outputs and what was found. Without inputs and attributes, nothing is
    /// known of them.
    fn followed(
        &mut self,
        called: usize,
        function: &'m FunctionProto,
        given: Option<(Vec<Option<Value<'m>>>, Bound<'m>)>,
    ) -> (Vec<Option<Value<'m>>>, Vec<Finding>) {
        // Of the operators that nobody describes, the body by itself tells.
        let undescribed = std::mem::take(&mut self.undescribed);
        let mark = Mark::of(self);
        let (inputs, bound) = given.map_or((Vec::new(), None), |(inputs, bound)| (inputs, Some(bound)));
        let scopes = std::mem::replace(&mut self.scopes, vec![Names::default()]);
        let imports = std::mem::replace(&mut self.imports, self.functions.imports(Some(called)).clone());
        let unimported = std::mem::take(&mut self.unimported);
        let outer = std::mem::replace(&mut self.calls.bound, bound);
        self.calls.active.insert(called);
        self.calls.depth += scopes.len();
        self.calls.nodes += function.node.len();

        self.function_body(function, format!("function {}", name(function)), inputs);
        let outputs = function.output.iter().map(|name| self.value_of(name).cloned()).collect();

        self.calls.depth -= scopes.len();
        self.calls.active.remove(&called);
        self.calls.bound = outer;
        self.unimported = unimported;
        self.imports = imports;
        self.scopes = scopes;
        let findings = mark.restore(self);
        self.undescribed = undescribed;
        (outputs, findings)
    }

    /// Tells of a call with which something is wrong in the body that is not wrong whoever calls.
    fn refuse(&mut self, at: At<'m>, called: usize, function: &'m FunctionProto, findings: &[Finding]) {
        let errors = || findings.iter().filter(|found| found.code.severity() == Severity::Error);
        if errors().next().is_none() {
            return;
        }
        let key = |found: &Finding| (found.code, found.graph.clone(), found.node.as_ref().map(|node| node.index));
        if !self.calls.of_all.contains_key(&called) {
            let (_, found) = self.followed(called, function, None);
            self.calls.of_all.insert(called, found.iter().map(key).collect());
        }
        let of_all = self.calls.of_all.get(&called);
        let own = errors().find(|found| of_all.is_none_or(|of_all| !of_all.contains(&key(found))));
        let Some(own) = own else { return };
        let place = own.node.as_ref().map(|node| format!(", node {} ({})", node.index, node.op_type));
        let graph = own.graph.strip_prefix("function ").unwrap_or(&own.graph);
        let message =
            format!("the call does not match the function: in {graph}{}, {}", place.unwrap_or_default(), own.message);
        let mut found = finding(own.code, self.path(at.graph), message).at(at);
        (found.expected, found.found) = (own.expected.clone(), own.found.clone());
        let found = found.help("change the call, or change the function so that it accepts the call");
        self.analysis.findings.push(found);
    }

    /// The view of an attribute; inside of a function that is called, of what the caller gives for it.
    pub(super) fn seen(
        &self,
        attribute: &'m crate::model::proto::AttributeProto,
    ) -> Option<crate::node::NodeAttribute<'m>> {
        match &self.calls.bound {
            Some(bound) if !attribute.ref_attr_name.is_empty() => {
                let value = bound.get(&*attribute.ref_attr_name)?;
                Some(crate::node::NodeAttribute::new(&attribute.name, *value))
            }
            _ => view(attribute),
        }
    }
}

impl Found {
    /// An output of a call, by what the body gives. What is unknown because of a value in the body, of which nobody knows
    /// any more, is so because of the output.
    fn from_body(own: u32, value: Value<'_>, first: u32) -> Self {
        let reason = |reason: Reason| if reason.value >= first { Reason { value: own, ..reason } } else { reason };
        let dim = |dim: Dim| match dim {
            Dim::Unknown(of) => Dim::Unknown(reason(of)),
            dim => dim,
        };
        let element = |element: Scalar<Dim>| match element {
            Scalar::Unknown(of) => Scalar::Unknown(reason(of)),
            Scalar::Size(size) => Scalar::Size(dim(size)),
            element => element,
        };
        Self {
            value: own,
            ty: value.ty.map_err(reason),
            dims: value.dims.map(|dims| dims.into_iter().map(dim).collect()).map_err(reason),
            elements: value.elements.map(|elements| elements.into_iter().map(element).collect()).map_err(reason),
        }
    }
}
