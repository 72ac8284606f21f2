//! Values that are known as numbers become constants.
//!
//! Equal for every value of the symbols, since the elements have no symbol in them and hold whatever the inputs are. Numbers
//! that the type of the value, or of one that it was computed from, cannot represent are left to the run.

use super::draft::{Draft, NodeId, ValueId};
use super::numbers::{bytes, exact, tensor};
use super::pass::Pass;
use shape_core::opset::canonical_domain;

pub(super) const CONSTANTS: Pass =
    Pass { name: "constants", summary: "Values that are known as numbers become constants", run };

fn run(draft: &mut Draft<'_, '_>) -> usize {
    let exact = exact(draft.analysis, &draft.analysis.scopes(), &draft.functions);
    let constant = draft.operator("constant").map(|schema| schema.name);
    let mut count = 0;
    for node in draft.live() {
        let Some(found) = draft.node(node) else { continue };
        let Some(file) = found.file else { continue };
        let is_constant = constant == Some(file.op_type()) && canonical_domain(file.domain()) == "ai.onnx";
        let outputs: Vec<ValueId> = found.outputs.iter().flatten().copied().collect();
        if is_constant || draft.has_graphs(node) || !outputs.iter().any(|output| draft.is_read(*output)) {
            continue;
        }
        match outputs.iter().try_for_each(|output| is_known(draft, *output, &exact)) {
            Ok(()) => count += usize::from(replace(draft, node, &outputs)),
            Err(why) => draft.refuse(CONSTANTS.name, node, |_| why),
        }
    }
    count
}

/// Why a value cannot be a constant.
fn is_known(draft: &Draft<'_, '_>, value: ValueId, exact: &[bool]) -> Result<(), String> {
    let name = draft.name(value);
    let Some(known) = draft.analysis.values.get(value) else { return Err(format!("`{name}` is new")) };
    let Some(bytes) = bytes(known) else {
        let reason = known.without_elements();
        return Err(match reason {
            Some(reason) => format!("`{name}` is not known before the model runs: {}", draft.analysis.explain(&reason)),
            None => format!("`{name}` is not a number for all sizes of the symbols"),
        });
    };
    if exact.get(value) != Some(&true) {
        return Err(format!("a run may round `{name}`, or what it is computed from, to other numbers"));
    }
    if bytes.len() > draft.max_constant() {
        return Err(format!("`{name}` has {} bytes, more than the limit for a constant", bytes.len()));
    }
    let fits = || known.ty.as_ref().is_ok_and(|ty| draft.constant_may_be_node(*ty));
    if draft.is_constant_node(value) && !fits() {
        return Err(format!("no node can hold `{name}` in this opset"));
    }
    Ok(())
}

fn replace(draft: &mut Draft<'_, '_>, node: NodeId, outputs: &[ValueId]) -> bool {
    let tensors: Option<Vec<_>> =
        outputs.iter().map(|output| draft.analysis.values.get(*output).and_then(tensor)).collect();
    let Some(tensors) = tensors else { return false };
    let names: Vec<String> = outputs.iter().map(|output| format!("`{}`", draft.name(*output))).collect();
    draft.change(CONSTANTS.name, node, format!("{} known before the model runs", are(&names)));
    for (output, tensor) in outputs.iter().zip(tensors) {
        draft.make_constant(*output, tensor);
    }
    draft.remove_unread([node]);
    true
}

/// Names in a sentence, with the verb.
fn are(names: &[String]) -> String {
    match names {
        [one] => format!("{one} is"),
        many => format!("{} are", many.join(", ")),
    }
}
