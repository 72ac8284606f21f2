//! Types through the functions of a model.
//!
//! The body of a function is walked once, with nothing known of its inputs. What a call makes of them is followed here:
//! for the types of its inputs those of its outputs, and whether a node of the body refuses them. Each function is gone
//! through once for each list of types.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::attributes::view;
use super::declared::type_of;
use super::functions::{Functions, name};
use crate::check::{self, Problem, Side};
use crate::model::proto::{FunctionProto, NodeProto};
use crate::node::{AttributeValue, NodeAttribute};
use crate::opset::canonical_domain;
use crate::registry::Registry;
use crate::rules::Asked;
use crate::types::Type;

/// How deep calls are followed; what is deeper stays unknown.
const DEEPEST: usize = 64;

/// How many nodes are looked at for all calls together. A model that asks for more was made to.
const MOST_NODES: usize = 1 << 20;

/// A function, and the types that it is called with.
type Call = (usize, Box<[Option<Type>]>);

/// What is known of calls so far.
#[derive(Default)]
pub(super) struct Calls {
    known: HashMap<Call, Rc<Outcome>>,
    /// The functions that are being followed.
    active: HashSet<usize>,
    nodes: usize,
}

/// What a call gives.
#[derive(Default)]
pub(super) struct Outcome {
    /// The types of its outputs, as far as they follow.
    pub(super) outputs: Vec<Option<Type>>,
    /// What a node of the body refuses.
    pub(super) refused: Option<Refused>,
}

/// A node of a body, and what it refuses.
#[derive(Clone)]
pub(super) struct Refused {
    pub(super) problem: Problem<'static>,
    /// The function and the node: `my::F, node 1 (Relu)`.
    pub(super) place: String,
}

impl Calls {
    /// A call of a function with inputs of these types. It refuses what its body takes of no caller, too.
    pub(super) fn outcome(
        &mut self,
        functions: &Functions<'_>,
        registry: &Registry,
        called: usize,
        mut inputs: Vec<Option<Type>>,
    ) -> Rc<Outcome> {
        let Some(function) = functions.get(called) else { return Rc::default() };
        // What is not known is as good as not given, so that lists which differ in that alone are one.
        inputs.truncate(function.input.len());
        while inputs.pop_if(|ty| ty.is_none()).is_some() {}
        let key = (called, inputs.into_boxed_slice());
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        if self.active.len() >= DEEPEST || !self.active.insert(called) {
            return Rc::default();
        }
        let outcome = Rc::new(self.body(functions, registry, (called, function), &key.1));
        self.active.remove(&called);
        self.known.insert(key, Rc::clone(&outcome));
        outcome
    }

    fn body(
        &mut self,
        functions: &Functions<'_>,
        registry: &Registry,
        (place, function): (usize, &FunctionProto),
        inputs: &[Option<Type>],
    ) -> Outcome {
        let mut types: HashMap<&str, Option<Type>> = HashMap::new();
        types.extend(function.input.iter().map(String::as_str).zip(inputs.iter().copied()));
        let mut refused = None;
        for (index, node) in function.node.iter().enumerate() {
            self.nodes += 1;
            if self.nodes > MOST_NODES {
                break;
            }
            let given: Vec<Option<Type>> =
                node.input.iter().map(|name| types.get(&**name).copied().flatten()).collect();
            let names = node.output.iter().map(String::as_str);
            let problem = match functions.called(node) {
                Some(called) => {
                    let outcome = self.outcome(functions, registry, called, given);
                    types.extend(names.zip(outcome.outputs.iter().copied()));
                    outcome.refused.clone()
                }
                None => {
                    let (outputs, problem) = of_operator(functions, registry, place, node, &given);
                    types.extend(names.zip(outputs));
                    let place = || format!("{}, node {index} ({})", name(function), node.op_type);
                    problem.map(|problem| Refused { problem, place: place() })
                }
            };
            refused = refused.or(problem);
        }
        let outputs = function.output.iter().map(|name| types.get(&**name).copied().flatten()).collect();
        Outcome { outputs, refused }
    }
}

/// The types of a node's outputs, as far as they follow from its inputs, and the first that it refuses.
fn of_operator(
    functions: &Functions<'_>,
    registry: &Registry,
    function: usize,
    node: &NodeProto,
    inputs: &[Option<Type>],
) -> (Vec<Option<Type>>, Option<Problem<'static>>) {
    let domain = canonical_domain(&node.domain);
    let opset = functions.imports(Some(function)).get(domain);
    let schema = opset.and_then(|opset| registry.resolve(domain, &node.op_type, opset).ok());
    let Some(schema) = schema else { return (Vec::new(), None) };
    let mut first = None;
    let bindings = check::types(schema, inputs, &[], &mut |problem| {
        let of_input = matches!(
            problem,
            Problem::TypeNotAllowed { side: Side::Input, .. } | Problem::TypeMismatch { side: Side::Input, .. }
        );
        if of_input && first.is_none() {
            first = Some(problem);
        }
    });
    let attributes: Vec<NodeAttribute<'_>> = node.attribute.iter().filter_map(view).collect();
    let given: Vec<bool> = node.input.iter().map(|name| !name.is_empty()).collect();
    let within = |value: AttributeValue<'_>, _| match value {
        AttributeValue::TypeProto(ty) => type_of(ty.get()?),
        _ => None,
    };
    let asked = Asked { attributes: &attributes, given: &given, inputs, within: &within };
    let output = |index| {
        let decided = schema.decided(index, &asked).ok().flatten();
        decided.or_else(|| bindings.resolve(schema.output(index)?))
    };
    ((0..node.output.len()).map(output).collect(), first)
}
