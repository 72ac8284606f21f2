//! Combines two edits into one: the second applies to the result of the first.
//!
//! Indices in the second edit count what is left after the first, in its order. Of an edit only those parts are followed
//! that fixes use: no fix adds a node, an initializer or an input.

use std::collections::BTreeSet;

use crate::file::proto::OperatorSetIdProto;
use crate::file::{FunctionEdit, GraphEdit, ListEdit, ModelEdit, NodeEdit, SubgraphPosition};
use shape_core::opset::canonical_domain;

/// One edit that does what both edits do one after the other.
pub(super) fn then(first: &ModelEdit, second: &ModelEdit) -> ModelEdit {
    let mut edit = first.clone();
    edit.ir_version = second.ir_version.or(edit.ir_version);
    imports(&mut edit.opset_import, &second.opset_import);
    graph(&mut edit.graph, &second.graph);
    for (index, of_function) in &second.functions {
        let FunctionEdit { opset_import, body } = edit.functions.entry(*index).or_default();
        imports(opset_import, &of_function.opset_import);
        graph(body, &of_function.body);
    }
    edit
}

fn imports(first: &mut Vec<OperatorSetIdProto>, second: &[OperatorSetIdProto]) {
    let is_same = |left: &OperatorSetIdProto, right: &OperatorSetIdProto| {
        canonical_domain(&left.domain) == canonical_domain(&right.domain)
    };
    first.retain(|import| !second.iter().any(|other| is_same(import, other)));
    first.extend_from_slice(second);
}

fn graph(first: &mut GraphEdit, second: &GraphEdit) {
    first.name = second.name.clone().or(first.name.take());
    let before = first.order.clone();
    let original = |node: usize| before.as_ref().map_or(Some(node), |order| order.get(node).copied());
    for (node, edit) in &second.nodes {
        let Some(node) = original(*node) else { continue };
        let NodeEdit { name, .. } = first.nodes.entry(node).or_default();
        *name = edit.name.clone().or(name.take());
    }
    for (position, edit) in &second.subgraphs {
        let Some(node) = original(position.node) else { continue };
        graph(first.subgraphs.entry(SubgraphPosition { node, ..*position }).or_default(), edit);
    }
    if let Some(order) = &second.order {
        first.order = Some(order.iter().filter_map(|node| original(*node)).collect());
    }
    let of_values = [(&mut first.value_info, &second.value_info), (&mut first.declarations, &second.declarations)];
    for (first, second) in of_values {
        first.extend_from_slice(second);
    }
    remove(&mut first.forgotten, &second.forgotten);
    list(&mut first.initializers, &second.initializers);
    list(&mut first.inputs, &second.inputs);
}

fn list<T>(first: &mut ListEdit<T>, second: &ListEdit<T>) {
    remove(&mut first.remove, &second.remove);
}

/// Removes entries by their indices among those that are left.
fn remove(removed: &mut BTreeSet<usize>, second: &BTreeSet<usize>) {
    let mut left = (0..).filter(|index| !removed.contains(index));
    let mut at = 0;
    let mut further = Vec::with_capacity(second.len());
    for index in second {
        further.extend(left.by_ref().nth(index - at));
        at = index + 1;
    }
    removed.extend(further);
}
