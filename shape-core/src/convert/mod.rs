//! Converts a node from one version of its operator to another.
//!
//! [`convert`] steps from version to version, up or down, and compares their schemas: an attribute or input that the next
//! version has is kept, one that it does not have is dropped if nothing is lost, and everything else is a [`Refusal`]. What
//! the schemas cannot express is an [`Adapter`](crate::schema::Adapter), which the descriptor names.
//!
//! Parameters are matched by name: a new name is a new parameter.

mod adapter;
mod draft;
mod incompatibility;
mod node;
mod step;

use alloc::vec::Vec;

use crate::check;
use crate::code::Severity;
use crate::problem::Problem;
use crate::schema::Schema;
use crate::types::Type;

pub use draft::Step;
pub use incompatibility::{Incompatibility, Refusal};
pub use node::{Input, Node, constant_type};

/// Converts a node from one version of its operator to another, which may be the older one.
///
/// `versions` are those of the operator, oldest first, as [`Registry::operator`](crate::Registry::operator) returns them.
/// An unknown type counts as one that every version allows.
///
/// # Errors
/// Everything that the conversion would lose, each at the first step that loses it; or, if the node is invalid at the
/// version `from`, its problems.
///
/// ```
/// use shape_core::convert::{Input, Node, convert};
/// use shape_core::node::{AttributeValue, NodeAttribute};
/// use shape_core::{DataType, Registry, Type};
///
/// let versions = Registry::builtin().operator("", "Shape");
/// let (new, old) = (versions[2], versions[1]);
/// let ty = Some(Type::tensor(DataType::Float));
/// let node = |start| Node {
///     attributes: vec![NodeAttribute::new("start", AttributeValue::Int(start))],
///     inputs: vec![Input::Given { index: 0, ty, constant: None }],
///     outputs: vec![None],
/// };
/// assert!(convert(versions, new, old, node(0)).unwrap().attributes.is_empty());
/// let refusals = convert(versions, new, old, node(1)).unwrap_err();
/// assert_eq!(refusals[0].to_string(), "Shape-13 has no attribute `start`");
/// ```
pub fn convert<'a>(
    versions: &[&'static Schema],
    from: &'static Schema,
    to: &'static Schema,
    node: Node<'a>,
) -> Result<Node<'a>, Vec<Refusal<'a>>> {
    let mut refusals: Vec<Refusal<'a>> = Vec::new();
    if from.since_version == to.since_version {
        return Ok(node);
    }
    let step = Step { from, to };
    check_node(from, &node, &mut |problem| {
        if problem.code().severity() == Severity::Error {
            refusals.push(Refusal { step, reason: Incompatibility::Wrong(problem) });
        }
    });
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let (low, high) = (from.since_version.min(to.since_version), from.since_version.max(to.since_version));
    let mut path: Vec<&'static Schema> =
        versions.iter().copied().filter(|schema| (low + 1..high).contains(&schema.since_version)).collect();
    if from.since_version > to.since_version {
        path.reverse();
    }
    path.push(to);
    let (mut node, mut from) = (node, from);
    for to in path {
        let step = Step { from, to };
        node = step.convert(node, &mut |reason: Incompatibility<'a>| {
            // Later steps continue with the rest of the node to find more; each refusal is reported once.
            if !refusals.iter().any(|refusal| refusal.reason.is_about_the_same(&reason)) {
                refusals.push(Refusal { step, reason });
            }
        });
        from = to;
    }
    if refusals.is_empty() { Ok(node) } else { Err(refusals) }
}

/// Reports what is wrong with a node at a version.
fn check_node<'a>(schema: &'static Schema, node: &Node<'a>, report: &mut dyn FnMut(Problem<'a>)) {
    check::attributes(schema, &node.attributes, report);
    let present: Vec<bool> = node.inputs.iter().map(|input| *input != Input::Absent).collect();
    check::counts(schema, &present, node.outputs.len(), &mut |problem| report(problem));
    check::exclusive(schema, &node.attributes, &present, &mut |problem| report(problem));
    let types: Vec<Option<Type>> = node.inputs.iter().map(Input::ty).collect();
    check::types(schema, &types, &node.outputs, &mut |problem| report(problem));
}
