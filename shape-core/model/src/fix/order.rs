//! Fixes nodes that come before the nodes whose outputs they read.

use super::context::{Changes, Context};
use crate::file::order;
use crate::text::first_few;
use shape_core::code::Code;

/// Sorts the nodes of each graph, so that each comes after those that it reads; the others keep their places as far as
/// they can. Nodes that read each other in a cycle stay as they are.
///
/// The model computes the same, since a node reads values by their names, and each name is that of one value: where one
/// is defined twice, nothing is sorted, because the order tells there which of the two is read.
pub(super) fn sort(context: &Context<'_, '_>, changes: &mut Changes) {
    if context.has(Code::ValueRedefined) {
        return;
    }
    for graph in context.graphs {
        let Ok(order) = order(graph.nodes) else { continue };
        let moved: Vec<usize> = (0..order.len()).filter(|place| order.get(*place) != Some(place)).collect();
        if moved.is_empty() {
            continue;
        }
        let label = |index: usize| {
            let node = context.node(*graph, index);
            node.map(|node| format!("node {} ({})", node.index, node.op_type)).unwrap_or_default()
        };
        let now = moved.iter().filter_map(|place| order.get(*place).copied()).collect::<Vec<_>>();
        let message = format!("sorts the nodes, of which {} of {} get other places", moved.len(), order.len());
        let fix = context.fix(Code::ValueUndefined, Some(*graph), message);
        let fix = fix
            .from(first_few(moved.iter().map(|place| label(*place))))
            .to(first_few(now.iter().map(|node| label(*node))));
        let Some(edit) = changes.graph(context, graph.id) else { continue };
        edit.order = Some(order);
        changes.fixes.push(fix);
    }
}
