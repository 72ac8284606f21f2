//! Nodes that only move elements, one after the other, become one.

use super::draft::{Draft, NodeId};
use super::pass::Pass;
use shape_core::dimension::Dimension as _;
use shape_core::node::AttributeValue;

/// A Reshape of what another node has only given other dimensions reads the data before that node.
///
/// Equal for every value of the symbols, since the data has the same elements in the same order, and the target says all
/// dimensions: it copies none, or only such as both have.
pub(super) const RESHAPES: Pass = Pass {
    name: "reshapes",
    summary: "A Reshape of what was reshaped, squeezed or flattened before reads the data from before",
    run: reshapes,
};

/// An Unsqueeze of what another one gives inserts all axes at once.
///
/// Equal for every value of the symbols, since the axes of the first are counted where the second leaves them.
pub(super) const UNSQUEEZES: Pass =
    Pass { name: "unsqueezes", summary: "An Unsqueeze of an Unsqueeze inserts all axes at once", run: unsqueezes };

/// A Transpose of what another one gives takes both permutations at once.
///
/// Equal for every value of the symbols, since it gives axis i what the two give it.
pub(super) const TRANSPOSES: Pass =
    Pass { name: "transposes", summary: "A Transpose of a Transpose takes both permutations at once", run: transposes };

fn reshapes(draft: &mut Draft<'_, '_>) -> usize {
    draft.live().filter(|node| reshape(draft, *node).is_some()).count()
}

fn reshape(draft: &mut Draft<'_, '_>, node: NodeId) -> Option<()> {
    let call = draft.rule(node, 0).filter(|call| call.rule.name() == "reshape")?;
    let (input, data) = draft.argument(node, call, 0)?;
    let (_, target) = draft.argument(node, call, 1)?;
    let (giver, output) = draft.giver(data)?;
    draft.only_reader(data)?;
    let before = draft.kept(giver).get(output).copied().flatten().and_then(|input| draft.input(giver, input))?;
    if !draft.sees(node, before) || !draft.same_type(data, before) {
        return None;
    }
    let entries = draft.integers(target)?;
    let same = |axis: usize| {
        let of = |value| draft.dims(value).and_then(|dims| dims.get(axis));
        of(data).zip(of(before)).is_some_and(|(left, right)| left.same_as(right))
    };
    let zero_is_zero = draft.integer_attribute(node, call, 2).and_then(|(_, number)| number) == Some(1);
    if !zero_is_zero && !entries.iter().enumerate().all(|(axis, entry)| *entry != 0 || same(axis)) {
        draft.refuse(RESHAPES.name, node, |draft| {
            format!("its target copies a size of `{}` that `{}` does not have", draft.name(data), draft.name(before))
        });
        return None;
    }
    let what = format!("`{}` has the elements of `{}` in their order", draft.name(data), draft.name(before));
    draft.change(RESHAPES.name, node, what);
    draft.set_input(node, input, before);
    draft.remove_unread([giver]);
    Some(())
}

fn transposes(draft: &mut Draft<'_, '_>) -> usize {
    draft.live().filter(|node| transpose(draft, *node).is_some()).count()
}

/// The permutation of a Transpose.
fn permutation(draft: &Draft<'_, '_>, node: NodeId) -> Option<Vec<usize>> {
    draft.rule(node, 0).filter(|call| call.rule.name() == "transpose")?;
    let found = draft.node(node)?;
    let listed = match &found.attributes {
        Some(attributes) => attributes.iter().find(|attribute| attribute.name == "perm").map(|perm| perm.ints.clone()),
        None => {
            draft.attributes(node).iter().find(|attribute| attribute.name == "perm").and_then(|perm| match perm.value {
                AttributeValue::Ints(perm) => Some(perm.to_vec()),
                _ => None,
            })
        }
    };
    let rank = || Some(draft.dims(draft.output(node, 0)?)?.len());
    match listed {
        Some(listed) => listed.iter().map(|axis| usize::try_from(*axis).ok()).collect(),
        None => Some((0..rank()?).rev().collect()),
    }
}

fn transpose(draft: &mut Draft<'_, '_>, node: NodeId) -> Option<()> {
    let second = permutation(draft, node)?;
    let data = draft.input(node, 0)?;
    let (giver, _) = draft.giver(data)?;
    let first = permutation(draft, giver)?;
    let before = draft.input(giver, 0)?;
    draft.only_reader(data)?;
    if !draft.sees(node, before) || first.len() != second.len() {
        return None;
    }
    let both: Vec<usize> = second.iter().map(|axis| first.get(*axis).copied()).collect::<Option<_>>()?;
    let output = draft.output(node, 0)?;
    let what = format!("it takes the permutation of the Transpose before it too: {both:?}");
    let reference = draft.reference(node)?;
    if both.is_sorted() {
        let moved = draft.replace(output, before);
        let unread = if moved == 0 { draft.rename_to_output(before, output) } else { None };
        if moved == 0 && unread.is_none() {
            return None;
        }
        draft.change_of(TRANSPOSES.name, reference, what);
        draft.remove_unread(unread.into_iter().flatten().chain([node]));
    } else {
        let ints: Vec<i64> = both.iter().map(|axis| i64::try_from(*axis).ok()).collect::<Option<_>>()?;
        let perm = draft.attribute("perm", AttributeValue::Ints(&ints));
        draft.change_of(TRANSPOSES.name, reference, what);
        draft.set_attributes(node, vec![perm]);
        draft.set_input(node, 0, before);
        draft.remove_unread([giver]);
    }
    Some(())
}

fn unsqueezes(draft: &mut Draft<'_, '_>) -> usize {
    draft.live().filter(|node| unsqueeze(draft, *node).is_some()).count()
}

/// The axes that an Unsqueeze inserts, sorted, as axes of its output.
fn inserted(draft: &Draft<'_, '_>, node: NodeId) -> Option<(usize, Vec<usize>)> {
    let call = draft.rule(node, 0).filter(|call| call.rule.name() == "unsqueeze")?;
    let (input, axes) = draft.argument(node, call, 1)?;
    let listed = draft.integers(axes)?;
    let before = draft.dims(draft.argument(node, call, 0)?.1)?.len();
    let rank = i64::try_from(before + listed.len()).ok()?;
    let axis = |axis: &i64| usize::try_from(if *axis < 0 { axis + rank } else { *axis }).ok();
    let mut axes: Vec<usize> = listed.iter().map(axis).collect::<Option<_>>()?;
    axes.sort_unstable();
    Some((input, axes))
}

fn unsqueeze(draft: &mut Draft<'_, '_>, node: NodeId) -> Option<()> {
    let (input, second) = inserted(draft, node)?;
    let data = draft.input(node, 0)?;
    let (giver, _) = draft.giver(data)?;
    let (_, first) = inserted(draft, giver)?;
    let before = draft.input(giver, 0)?;
    draft.only_reader(data)?;
    if !draft.sees(node, before) {
        return None;
    }
    let rank = draft.dims(draft.output(node, 0)?)?.len();
    let kept: Vec<usize> = (0..rank).filter(|axis| !second.contains(axis)).collect();
    let mut all: Vec<usize> = first.iter().map(|axis| kept.get(*axis).copied()).collect::<Option<_>>()?;
    all.extend(second);
    all.sort_unstable();
    let all: Vec<i64> = all.iter().map(|axis| i64::try_from(*axis).ok()).collect::<Option<_>>()?;
    let axes = draft.integers_for(node, &all, "axes")?;
    draft.change(UNSQUEEZES.name, node, format!("it inserts the axes of the Unsqueeze before it too: {all:?}"));
    draft.set_input(node, 0, before);
    draft.set_input(node, input, axes);
    draft.remove_unread([giver]);
    Some(())
}
