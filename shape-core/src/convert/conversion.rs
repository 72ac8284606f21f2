//! The conversion of a node, from version to version.

use alloc::vec::Vec;

use super::adapter::Refuse;
use super::draft::{Draft, Operators, Step, in_force};
use super::formula::Before;
use super::incompatibility::{Incompatibility, Place, Refusal};
use super::node::{Converted, Node};
use super::rewrite::{self, Around};
use super::step::{actions, check_node};
use crate::adapter::Deed;
use crate::code::Severity;
use crate::schema::Schema;

/// Converts a node to another opset, which may be the older one.
///
/// `operators` finds the operators of the node's domain, as [`Registry::operator`](crate::Registry::operator) does. An
/// unknown type counts as one that every version allows. Most nodes stay one node; where the other opset needs several,
/// or another operator, all are returned in the order in which they run.
///
/// # Errors
/// Everything that the conversion would lose, each at the first step that loses it; or, if the node is invalid at the
/// version `from`, its problems.
///
/// ```
/// use shape_core::convert::{Attribute, Input, Known, Node, Output, convert};
/// use shape_core::node::AttributeValue;
/// use shape_core::{DataType, Registry, Type};
///
/// let registry = Registry::builtin();
/// let from = registry.resolve("", "Flatten", 13).unwrap();
/// let known = Known { ty: Some(Type::tensor(DataType::Float)), ..Known::default() };
/// let node = |axis| Node {
///     attributes: vec![Attribute::given("axis", AttributeValue::Int(axis))],
///     inputs: vec![Input::Given { index: 0, known }],
///     outputs: vec![Output::Given { index: 0, known: Known::default() }],
/// };
/// let operators = |name: &str| registry.operator("", name);
/// let converted = convert(&operators, from, 9, node(1)).unwrap();
/// assert_eq!(converted[0].schema.since_version, 9);
/// let refusals = convert(&operators, from, 9, node(-1)).unwrap_err();
/// assert_eq!(refusals[0].found(), "axes that are negative, or not known");
/// ```
pub fn convert<'a, 'o>(
    operators: &'o Operators<'o>,
    from: &'static Schema,
    opset: u32,
    node: Node<'a>,
) -> Result<Vec<Converted<'a>>, Vec<Refusal>> {
    if in_force(operators(from.name), opset).is_some_and(|to| to.since_version == from.since_version) {
        return Ok([Converted { schema: from, node }].into());
    }
    let mut conversion = Conversion { operators, opset, converted: Vec::new(), refusals: Vec::new(), fresh: 0 };
    wrong(from, &node, &mut conversion.refusals);
    if conversion.refusals.is_empty() {
        conversion.node(from, node);
    }
    if conversion.refusals.is_empty() { Ok(conversion.converted) } else { Err(conversion.refusals) }
}

/// Adds what is wrong with a node at its version.
pub(super) fn wrong(schema: &'static Schema, node: &Node<'_>, refusals: &mut Vec<Refusal>) {
    check_node(schema, node, &mut |problem| {
        if problem.code().severity() == Severity::Error {
            refusals.push(Refusal::new(Place::Version(schema), &Incompatibility::Wrong(problem)));
        }
    });
}

struct Conversion<'o, 'a> {
    operators: &'o Operators<'o>,
    opset: u32,
    converted: Vec<Converted<'a>>,
    refusals: Vec<Refusal>,
    /// The number of new values.
    fresh: usize,
}

impl<'a> Conversion<'_, 'a> {
    /// Converts a node from a version on. The recursion ends because each new node is nearer to the opset.
    fn node(&mut self, schema: &'static Schema, node: Node<'a>) {
        let mut after = Vec::new();
        self.steps(schema, node, &mut after);
        for (schema, node) in after {
            self.node(schema, node);
        }
    }

    /// Converts a node step by step; what it puts before itself is converted at once, and `after` gets what comes after
    /// it.
    fn steps(&mut self, mut schema: &'static Schema, mut node: Node<'a>, after: &mut Vec<(&'static Schema, Node<'a>)>) {
        let Self { operators, opset, .. } = *self;
        let was_deprecated = schema.deprecated;
        loop {
            let versions = operators(schema.name);
            let since = schema.since_version;
            let next = match in_force(versions, opset) {
                Some(target) if target.since_version == since => {
                    if schema.deprecated && !was_deprecated {
                        self.refuse(Place::Version(schema), &Incompatibility::Deprecated { schema, opset });
                    }
                    self.converted.push(Converted { schema, node });
                    return;
                }
                Some(target) if target.since_version > since => {
                    versions.iter().copied().find(|version| version.since_version > since)
                }
                _ => versions.iter().copied().rfind(|version| version.since_version < since),
            };
            let draft = Draft::of(schema, node);
            let place = next.map_or(Place::Version(schema), |to| Place::Step(Step { from: schema, to }));
            let is_up = next.is_some_and(|to| to.since_version > since);
            let before = Before { draft: &draft, schema, other: next };
            let with_actions = if is_up { next } else { Some(schema) };
            let actions = with_actions.map(|schema| actions(schema, is_up, &before)).unwrap_or_default();
            let rewrite =
                actions.last().and_then(|last| if let Deed::Rewrite(nodes) = last.deed { Some(nodes) } else { None });
            let rewritten = rewrite.map(|nodes| {
                let at = if let Place::Step(step) = place { step.opset() } else { since.saturating_sub(1) };
                let (mut fresh, mut refusals) = (self.fresh, Vec::new());
                let nodes = rewrite::nodes(nodes, &before, (operators, at), &mut fresh, &mut |reason| {
                    refusals.push(Refusal::new(place, &reason));
                });
                (nodes, fresh, refusals)
            });
            if let Some((nodes, fresh, refusals)) = rewritten {
                self.fresh = fresh;
                refusals.into_iter().for_each(|refusal| self.report(refusal));
                for (schema, node) in nodes {
                    check_node(schema, &node, &mut |problem| {
                        if problem.code().severity() == Severity::Error {
                            self.refuse(place, &Incompatibility::WrongAfter { schema, problem });
                        }
                    });
                    if self.refusals.is_empty() {
                        self.node(schema, node);
                    }
                }
                return;
            }
            match place {
                Place::Step(step) => {
                    let mut refusals = Vec::new();
                    let refuse: &mut Refuse<'_> = &mut |reason| refusals.push(Refusal::new(place, &reason));
                    node = step.convert(&before, &actions, refuse);
                    let mut around = Around::default();
                    for action in &actions {
                        if let Deed::Through(new) = &action.deed {
                            let in_force = (operators, step.opset());
                            around.send(new, &before, (step.to, &mut node), in_force, &mut self.fresh, refuse);
                        }
                    }
                    refusals.into_iter().for_each(|refusal| self.report(refusal));
                    for (schema, node) in around.inputs {
                        self.node(schema, node);
                    }
                    // What an earlier step put after the node comes after these.
                    after.splice(..0, around.outputs);
                    schema = step.to;
                }
                Place::Version(schema) => {
                    let reason = match actions.last().map(|last| last.deed) {
                        Some(Deed::Refuse { why }) => Incompatibility::Decided { why },
                        _ => Incompatibility::TooNew { schema, opset },
                    };
                    self.refuse(place, &reason);
                    return;
                }
            }
        }
    }

    fn refuse(&mut self, place: Place, reason: &Incompatibility<'_>) {
        self.report(Refusal::new(place, reason));
    }

    /// Later steps continue with the rest of the node to find more; each refusal is reported once.
    fn report(&mut self, refusal: Refusal) {
        if !self.refusals.iter().any(|other| other.is_about_the_same(&refusal)) {
            self.refusals.push(refusal);
        }
    }
}
