//! Nodes that give a tensor back as it is: Identity, a Cast to the type that it has, a Reshape to the dimensions that it has,
//! a Slice of everything, a Concat of one tensor, and pairs such as Squeeze and Unsqueeze.
//!
//! Equal for every value of the symbols, since the rule of each such node says that the output has the elements of the input
//! in their order, and the type and the dimensions of the two are the same as expressions.

use super::draft::{Draft, NodeId, ValueId};
use super::pass::Pass;

pub(super) const NO_EFFECT: Pass = Pass {
    name: "no-effect",
    summary: "Nodes that give back what they get, alone or together with those before them, are left out",
    run,
};

fn run(draft: &mut Draft<'_, '_>) -> usize {
    let mut kept: Vec<Option<Vec<Option<usize>>>> = vec![None; draft.nodes.len()];
    let mut count = 0;
    for node in draft.live() {
        if draft.is_removed(node) {
            continue;
        }
        let outputs = draft.node(node).map_or(0, |node| node.outputs.len());
        for output in 0..outputs {
            let Some(value) = draft.output(node, output).filter(|value| draft.is_read(*value)) else { continue };
            let Some(same) = origin(draft, &mut kept, value) else { continue };
            count += usize::from(leave_out(draft, node, value, same));
        }
    }
    count
}

/// The earliest value that is the same as this one.
fn origin(draft: &Draft<'_, '_>, kept: &mut [Option<Vec<Option<usize>>>], value: ValueId) -> Option<ValueId> {
    /// How far back it looks.
    const STEPS: usize = 64;
    let (mut at, mut found) = (value, None);
    // Whether each step so far has the dimensions that it was given, whatever they are.
    let mut same = true;
    for _ in 0..STEPS {
        let Some((node, output)) = draft.giver(at) else { break };
        // A new node computes sizes.
        let Some(of_node) = kept.get_mut(node) else { break };
        let of_node = of_node.get_or_insert_with(|| draft.kept(node));
        let Some(input) = of_node.get(output).copied().flatten() else { break };
        let Some(from) = draft.input(node, input) else { break };
        same &= draft.keeps_dims(node, output);
        at = from;
        if draft.same_form(value, at) || (same && draft.same_type(value, at)) {
            found = Some(at);
        }
    }
    found
}

fn leave_out(draft: &mut Draft<'_, '_>, node: NodeId, value: ValueId, same: ValueId) -> bool {
    let what = format!("`{}` is `{}`", draft.name(value), draft.name(same));
    let reference = draft.reference(node);
    let is_output = draft.is_output(value);
    let moved = draft.replace(value, same);
    let is_free = is_output && draft.readers(value).len() == 1;
    let unread = if is_free { draft.rename_to_output(same, value) } else { None };
    if moved == 0 && unread.is_none() {
        draft.refuse(NO_EFFECT.name, node, |draft| {
            format!(
                "`{}` is `{}`, but is an output of its graph that needs a node of its own",
                draft.name(value),
                draft.name(same)
            )
        });
        return false;
    }
    if let Some(reference) = reference {
        draft.change_of(NO_EFFECT.name, reference, what);
    }
    draft.remove_unread(unread.into_iter().flatten().chain([node]));
    true
}
