//! Fixes initializers that nothing reads, that have no name, or that share a name.

use std::collections::{BTreeSet, HashMap};

use super::context::{Changes, Context};
use crate::file::Name;
use crate::file::proto::TensorProto;
use crate::graph::GraphAt;
use crate::validity::{Mentioned, listed};
use shape_core::code::Code;

/// Removes initializers that nothing reads: no node, in whatever graph or function, no output of a graph, no annotation of
/// quantization, no training. One that is an input of its graph too stays.
///
/// The model computes the same, since it is computed from what is read.
pub(super) fn unused(context: &Context<'_, '_>, changes: &mut Changes) {
    let mentioned = Mentioned::of(context.model);
    for graph in context.graphs {
        let unread = graph.proto.map(|graph| mentioned.unread_initializers(graph)).unwrap_or_default();
        let what = if unread.len() == 1 { "an initializer" } else { &*format!("{} initializers", unread.len()) };
        let message = format!("removes {what} that nothing reads");
        remove(context, changes, *graph, (Code::InitializerUnused, message), &unread);
    }
}

/// Removes initializers without a name.
///
/// The model computes the same, since a node reads an initializer by its name, and an empty one reads nothing.
pub(super) fn unnamed(context: &Context<'_, '_>, changes: &mut Changes) {
    for graph in context.graphs {
        let names = graph.proto.iter().flat_map(|graph| graph.initializers().names());
        let unnamed: Vec<(usize, Name)> = names.enumerate().filter(|(_, name)| name.is_empty()).collect();
        let message = "removes an initializer without a name, which nothing can read".to_owned();
        remove(context, changes, *graph, (Code::FieldMissing, message), &unnamed);
    }
}

/// Keeps one of several initializers with the same name, if they are equal.
///
/// The model computes the same, since it is the same tensor that is read.
pub(super) fn twice(context: &Context<'_, '_>, changes: &mut Changes) {
    for graph in context.graphs {
        let Some(proto) = graph.proto else { continue };
        let mut first: HashMap<Name, usize> = HashMap::new();
        let mut further: HashMap<Name, Vec<usize>> = HashMap::new();
        for (index, name) in proto.initializers().names().enumerate().filter(|(_, name)| !name.is_empty()) {
            if let Some(first) = first.insert(name, index) {
                further.entry(name).or_default().push(first);
            }
        }
        let equal = |left: usize, right: usize| {
            let tensors: [Option<&TensorProto>; 2] = [left, right].map(|index| proto.initializers().get(index));
            matches!(tensors, [Some(left), Some(right)] if left == right)
        };
        // The last one with a name stays.
        let all_equal = |(name, others): &(Name, Vec<usize>)| {
            first.get(name).is_some_and(|last| others.iter().all(|other| equal(*other, *last)))
        };
        let mut equal: Vec<(Name, Vec<usize>)> = further.into_iter().filter(all_equal).collect();
        equal.sort_by(|(_, left), (_, right)| left.cmp(right));
        for (name, others) in equal {
            let text = context.model.text(name);
            let message = format!("keeps one of {} equal initializers called `{text}`", others.len() + 1);
            let removed: Vec<(usize, Name)> = others.into_iter().map(|index| (index, name)).collect();
            remove(context, changes, *graph, (Code::ValueRedefined, message), &removed);
        }
    }
}

fn remove(
    context: &Context<'_, '_>,
    changes: &mut Changes,
    graph: GraphAt<'_, '_>,
    (code, message): (Code, String),
    initializers: &[(usize, Name)],
) {
    let Some((_, name)) = initializers.first() else { return };
    let fix = context.fix(code, Some(graph), message).of(context.model.text(*name));
    let Some(edit) = changes.graph(context, graph.id) else { return };
    let indices: BTreeSet<usize> = initializers.iter().map(|(index, _)| *index).collect();
    edit.initializers.remove.extend(indices);
    changes.fixes.push(fix.from(listed(context.model, initializers)));
}
