//! Raises IR versions that are too low for what a model uses.

use std::collections::{BTreeSet, HashSet};

use super::context::{Changes, Context};
use crate::file::Name;
use crate::graph::GraphAt;
use crate::validity::needed_ir_version;
use shape_core::code::Code;

/// The first IR version in which an initializer need not be an input, and in which one that is may be replaced by callers.
const INITIALIZERS_ALONE: i64 = 4;

/// Raises the IR version to the lowest that has what the model uses: its opsets, functions, types and other parts.
///
/// The model computes the same, since the IR version decides of the meaning of one thing alone, of initializers that are
/// inputs too, and there are none, or they mean the same before and after.
pub(super) fn raise(context: &Context<'_, '_>, changes: &mut Changes) {
    let Some((from, to)) = needed(context).filter(|(from, to)| !crosses(context, *from, *to)) else { return };
    set(
        context,
        changes,
        (from, to),
        format!("raises the IR version to {to}, the lowest that has what the model uses"),
    );
}

/// Raises the IR version past 3, from which on an initializer that is an input too may be replaced by callers: these
/// inputs are removed, so that the initializers stay constants.
///
/// The model computes the same, but a reader finds fewer inputs, and a caller cannot pass values that were ignored before.
pub(super) fn raise_past_3(context: &Context<'_, '_>, changes: &mut Changes) {
    let Some((from, to)) = needed(context).filter(|(from, to)| crosses(context, *from, *to)) else { return };
    if !context.model.training_info().is_empty() {
        return;
    }
    for graph in context.graphs {
        let remove = initialized(*graph);
        if let Some(edit) = changes.graph(context, graph.id).filter(|_| !remove.is_empty()) {
            edit.inputs.remove.extend(remove);
        }
    }
    let what = "and removes the inputs that are initializers, which stay constants so";
    set(context, changes, (from, to), format!("raises the IR version to {to}, {what}"));
}

fn needed(context: &Context<'_, '_>) -> Option<(i64, i64)> {
    let from = context.model.ir_version().filter(|version| *version > 0)?;
    let to = needed_ir_version(context.model, &context.analysis.graphs, context.options);
    (from < to).then_some((from, to))
}

fn crosses(context: &Context<'_, '_>, from: i64, to: i64) -> bool {
    (from..to).contains(&(INITIALIZERS_ALONE - 1)) && context.graphs.iter().any(|graph| !initialized(*graph).is_empty())
}

/// The inputs of a graph that are initializers too, by their indices.
fn initialized(graph: GraphAt<'_, '_>) -> BTreeSet<usize> {
    let Some(graph) = graph.proto else { return BTreeSet::new() };
    let constants = graph.initializers().names().chain(graph.sparse_initializers().names());
    let constants: HashSet<Name> = constants.collect();
    let inputs = graph.inputs().names().enumerate();
    inputs.filter(|(_, name)| constants.contains(name)).map(|(index, _)| index).collect()
}

fn set(context: &Context<'_, '_>, changes: &mut Changes, (from, to): (i64, i64), message: String) {
    let too_old = context.has(Code::IrVersionTooOld);
    let code = if too_old { Code::IrVersionTooOld } else { Code::InitializerNotInput };
    let texts = (format!("IR version {from}"), format!("IR version {to}"));
    changes.fixes.push(context.fix(code, None, message).from(texts.0).to(texts.1));
    changes.edit.ir_version = Some(to);
}
