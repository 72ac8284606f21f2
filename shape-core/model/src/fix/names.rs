//! Fixes names of graphs that are empty, and names that several nodes share.

use std::collections::{HashMap, HashSet};

use super::context::{Changes, Context};
use crate::graph::GraphKind;
use crate::text::first_few;
use shape_core::code::Code;

/// Names graphs that have no name: the main graph `graph`, another one as the attribute that it is in.
///
/// The model computes the same, since nothing refers to a graph by its name.
pub(super) fn of_graphs(context: &Context<'_, '_>, changes: &mut Changes) {
    for graph in context.graphs.iter().filter(|graph| graph.proto.is_some_and(|graph| graph.name().is_empty())) {
        let attribute = graph.path.rsplit(['.', ':']).next();
        let name = match graph.kind {
            GraphKind::Main => "graph",
            GraphKind::Subgraph { .. } | GraphKind::Function => attribute.unwrap_or("graph"),
        };
        let fix = context.fix(Code::FieldMissing, Some(*graph), format!("names the graph `{name}`")).of("the graph");
        let Some(edit) = changes.graph(context, graph.id) else { continue };
        edit.name = Some(name.to_owned());
        changes.fixes.push(fix.to(name));
    }
}

/// Gives each node of a graph a name of its own: the first of several that share one keeps it, the others get a number.
///
/// The model computes the same, since nodes refer to each other by the names of values; the name of a node is for people.
pub(super) fn of_nodes(context: &Context<'_, '_>, changes: &mut Changes) {
    for graph in context.graphs {
        let mut shared: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, node) in graph.nodes.iter().enumerate().filter(|(_, node)| !node.name().is_empty()) {
            shared.entry(node.name()).or_default().push(index);
        }
        let mut taken: HashSet<String> = shared.keys().map(|name| (*name).to_owned()).collect();
        let mut shared: Vec<(&str, Vec<usize>)> = shared.into_iter().filter(|(_, nodes)| nodes.len() > 1).collect();
        shared.sort_by(|(_, left), (_, right)| left.cmp(right));
        for (name, nodes) in shared {
            let mut numbered = (1..).map(|number: u64| format!("{name}_{number}"));
            let renamed = nodes.iter().skip(1).filter_map(|index| {
                let new = numbered.find(|new| !taken.contains(new))?;
                taken.insert(new.clone());
                Some((*index, new))
            });
            let renamed: Vec<(usize, String)> = renamed.collect();
            let message = format!("renames all but the first of {} nodes called `{name}`", nodes.len());
            let fix = context.fix(Code::NodeNameDuplicate, Some(*graph), message).of(name);
            let node = renamed.first().and_then(|(index, _)| context.node(*graph, *index));
            let after = std::iter::once(name).chain(renamed.iter().map(|(_, new)| &**new)).collect::<Vec<_>>();
            let fix = fix.at(node).from(first_few(nodes.iter().map(|_| name))).to(first_few(after.iter()));
            let Some(edit) = changes.graph(context, graph.id) else { continue };
            for (index, new) in renamed {
                edit.nodes.entry(index).or_default().name = Some(new);
            }
            changes.fixes.push(fix);
        }
    }
}
