//! Values that are the same are computed once.
//!
//! Equal for every value of the symbols: two nodes of one deterministic operator version with the same inputs and attributes
//! compute the same; and two tensors of whole numbers of one type are the same where their elements are the same numbers and
//! expressions.

use std::collections::HashMap;

use super::draft::{Draft, NodeId, ValueId};
use super::pass::Pass;
use crate::file::Message as _;
use crate::file::proto::NodeProto;
use shape_core::elements::Scalar;
use shape_core::symbolic::Dim;
use shape_core::types::Type;

pub(super) const SAME: Pass = Pass { name: "same", summary: "Values that are computed twice are computed once", run };

/// How many elements of a tensor are compared.
const MAX_ELEMENTS: usize = 64;

fn run(draft: &mut Draft<'_, '_>) -> usize {
    same_nodes(draft) + same_elements(draft)
}

/// What decides the outputs of a node: its operator, its attributes and its inputs.
type Key = (Vec<u8>, Vec<Option<ValueId>>, usize);

fn same_nodes(draft: &mut Draft<'_, '_>) -> usize {
    let mut known: HashMap<Key, Vec<NodeId>> = HashMap::new();
    let mut count = 0;
    for node in draft.live() {
        let Some(key) = key(draft, node) else { continue };
        let others = known.entry(key).or_default();
        let first = others.iter().copied().find(|other| {
            draft.output(*other, 0).is_some_and(|output| draft.sees(node, output)) && !draft.is_removed(*other)
        });
        match first {
            Some(first) => count += usize::from(merge(draft, node, first)),
            None => others.push(node),
        }
    }
    count
}

fn key(draft: &Draft<'_, '_>, node: NodeId) -> Option<Key> {
    let found = draft.node(node)?;
    if !found.schema?.deterministic || draft.has_graphs(node) {
        return None;
    }
    let proto = match (found.file, &found.attributes) {
        (Some(file), None) => {
            let NodeProto { op_type, domain, overload, attribute, .. } = file.proto();
            NodeProto { op_type, domain, overload, attribute, ..NodeProto::default() }
        }
        (_, attributes) => NodeProto {
            op_type: found.schema?.name.to_owned(),
            attribute: attributes.clone().unwrap_or_default(),
            ..NodeProto::default()
        },
    };
    let is_large = proto.attribute.iter().any(|attribute| attribute.t.is_some() || !attribute.tensors.is_empty());
    (!is_large).then(|| (sorted(proto).encode_to_vec(), found.inputs.clone(), found.outputs.len()))
}

/// The order of attributes has no meaning, and neither has their documentation.
fn sorted(mut proto: NodeProto) -> NodeProto {
    for attribute in &mut proto.attribute {
        attribute.doc_string.clear();
    }
    proto.attribute.sort_by(|left, right| left.name.cmp(&right.name));
    proto
}

fn merge(draft: &mut Draft<'_, '_>, node: NodeId, first: NodeId) -> bool {
    let outputs = draft.node(node).map_or(0, |node| node.outputs.len());
    let pairs: Vec<(ValueId, ValueId)> =
        (0..outputs).filter_map(|index| Some((draft.output(node, index)?, draft.output(first, index)?))).collect();
    // An output that only this node gives stays with it.
    if pairs.len() != draft.node(node).map_or(0, |node| node.outputs.iter().flatten().count()) {
        return false;
    }
    let what: Vec<String> = pairs
        .iter()
        .map(|(value, same)| format!("`{}` is computed already, as `{}`", draft.name(*value), draft.name(*same)))
        .collect();
    let reference = draft.reference(node);
    let moved: usize = pairs.iter().map(|(value, same)| draft.replace(*value, *same)).sum();
    if moved > 0
        && let Some(reference) = reference
    {
        draft.change_of(SAME.name, reference, what.join("; "));
    }
    draft.remove_unread([node]);
    moved > 0
}

fn same_elements(draft: &mut Draft<'_, '_>) -> usize {
    let mut known: HashMap<(Type, Vec<String>), Vec<ValueId>> = HashMap::new();
    let mut count = 0;
    for value in 0..draft.values.len() {
        let Some(key) = elements_key(draft, value).filter(|_| draft.is_there(value)) else { continue };
        let others = known.entry(key).or_default();
        let candidates = others.clone();
        others.push(value);
        let Some((node, _)) = draft.giver(value).filter(|_| draft.is_read(value)) else { continue };
        let same = candidates.into_iter().find(|other| {
            draft.sees(node, *other)
                && draft.same_form(value, *other)
                && draft.elements(value) == draft.elements(*other)
        });
        let Some(same) = same else { continue };
        let what = format!("`{}` has the elements of `{}`", draft.name(value), draft.name(same));
        let reference = draft.reference(node);
        if draft.replace(value, same) > 0 {
            if let Some(reference) = reference {
                draft.change_of(SAME.name, reference, what);
            }
            draft.remove_unread([node]);
            count += 1;
        }
    }
    count
}

/// What two values with the same elements have in common; `None` for a value that is not compared.
fn elements_key(draft: &Draft<'_, '_>, value: ValueId) -> Option<(Type, Vec<String>)> {
    let ty = draft.ty(value)?;
    let elements = draft.elements(value).filter(|elements| elements.len() <= MAX_ELEMENTS && draft.is_whole(value))?;
    let of_element = |element: &Scalar<Dim>| match element {
        Scalar::Int(_) | Scalar::Bool(_) => Some(format!("{element:?}")),
        Scalar::Size(dim) | Scalar::Expression(dim) if !matches!(dim, Dim::Unknown(_)) => Some(format!("{dim:?}")),
        _ => None,
    };
    Some((ty, elements.iter().map(of_element).collect::<Option<_>>()?))
}
