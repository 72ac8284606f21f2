//! Makes targets that depend on symbols constant, where a marker such as 0 or -1 stands for the symbolic entry.
//!
//! - Reshape: an entry that is the size of the same axis of the data is 0, which copies it; one entry may be -1.
//! - Expand: an entry that is the size of the axis that it meets is 1, which keeps it.
//! - Slice: an end that is the size of the axis is the largest number, which stands for it.
//!
//! Equal for every value of the symbols: a copied size is the same expression, and the size for -1 follows from the number of
//! elements, which is the same before and after, if the product of all other sizes is not zero. So -1 is written only beside
//! sizes that are at least 1, or where the target had a -1 already, which fails for the same sizes.

use super::draft::{Draft, NodeId};
use super::pass::Pass;
use shape_core::data_type::DataType;
use shape_core::dimension::Dimension as _;
use shape_core::elements::Scalar;
use shape_core::rule::Call;
use shape_core::symbolic::Dim;
use shape_core::types::Type;

pub(super) const TARGETS: Pass = Pass {
    name: "targets",
    summary: "Targets of Reshape, Expand and Slice that depend on symbols are written as constants, with -1, 0 and 1 and the largest number",
    run,
};

/// The end of an axis of any length.
const END: i64 = i64::MAX;

fn run(draft: &mut Draft<'_, '_>) -> usize {
    draft.live().filter(|node| of_node(draft, *node)).count()
}

fn of_node(draft: &mut Draft<'_, '_>, node: NodeId) -> bool {
    let Some(call) = draft.rule(node, 0) else { return false };
    if draft.node(node).is_none_or(|node| node.file.is_none()) {
        return false;
    }
    let (found, index) = match call.rule.name() {
        "reshape" => (reshape(draft, node, call), 1),
        "expand" => (expand(draft, node, call), 1),
        "slice" => (slice(draft, node, call), 2),
        _ => return false,
    };
    let Some((input, old)) = draft.argument(node, call, index) else { return false };
    let is_wide = draft.ty(old) == Some(Type::tensor(DataType::Int64));
    if draft.integers(old).is_some() || !is_wide {
        return false;
    }
    let list = match found {
        Ok(list) => list,
        Err(why) => {
            draft.refuse(TARGETS.name, node, |_| why);
            return false;
        }
    };
    let (like, giver) = (draft.name(old).to_owned(), draft.giver(old));
    let Some(new) = draft.integers_for(node, &list.numbers, &like) else { return false };
    let what = format!("the target `{like}` is written as {:?}", list.numbers);
    if list.no_allowzero && !draft.clear_attribute(node, call, 2) {
        return false;
    }
    draft.change(TARGETS.name, node, what);
    draft.set_input(node, input, new);
    draft.remove_unread(giver.map(|(giver, _)| giver));
    true
}

/// A target, and whether it needs a 0 to copy where the node says that it does not.
struct Target {
    numbers: Vec<i64>,
    no_allowzero: bool,
}

impl From<Vec<i64>> for Target {
    fn from(numbers: Vec<i64>) -> Self {
        Self { numbers, no_allowzero: false }
    }
}

fn not_zero(dim: &Dim) -> bool {
    dim.lower_bound().is_some_and(|least| least >= 1)
}

/// The size that an element is.
fn size(element: &Scalar<Dim>) -> Option<Dim> {
    match element {
        Scalar::Int(number) => u64::try_from(*number).ok().map(Dim::Known),
        Scalar::Size(dim) | Scalar::Expression(dim) => Some(dim.clone()),
        _ => None,
    }
}

/// How an entry of a Reshape can be written.
#[derive(Clone, Copy, PartialEq)]
enum Entry {
    /// As this number of at least 1.
    Number(i64),
    /// As 0, which copies the size; whether a -1 may stand beside it.
    Copy(bool),
    /// As -1 only; whether it was -1 before.
    Rest(bool),
    /// The literal 0 of a target that says it means zero.
    Zero,
}

fn reshape(draft: &Draft<'_, '_>, node: NodeId, call: Call) -> Result<Target, String> {
    let (Some((_, data)), Some((_, target)), Some(output)) =
        (draft.argument(node, call, 0), draft.argument(node, call, 1), draft.output(node, 0))
    else {
        return Err("its inputs are not known".to_owned());
    };
    let Some(elements) = draft.elements(target) else {
        return Err(format!("nothing is known of the elements of `{}`", draft.name(target)));
    };
    let zero_is_zero = draft.integer_attribute(node, call, 2).and_then(|(_, number)| number) == Some(1);
    // With a -1, the node fails where another size is zero.
    let was_rest = elements.iter().any(|element| matches!(element, Scalar::Int(-1)));
    let of_data = |axis: usize| draft.dims(data).and_then(|dims| dims.get(axis));
    let of_output = |axis: usize| draft.dims(output).and_then(|dims| dims.get(axis));
    let entry = |(axis, element): (usize, &Scalar<Dim>)| match element {
        Scalar::Int(number @ 1..) => Entry::Number(*number),
        Scalar::Int(0) if zero_is_zero => Entry::Zero,
        Scalar::Int(0) => Entry::Copy(was_rest || of_data(axis).is_some_and(not_zero)),
        Scalar::Int(-1) => match of_output(axis) {
            Some(Dim::Known(size @ 1..)) => i64::try_from(*size).map_or(Entry::Rest(true), Entry::Number),
            _ => Entry::Rest(true),
        },
        element => {
            let size = size(element);
            match (of_output(axis), &size) {
                (Some(Dim::Known(size @ 1..)), _) => i64::try_from(*size).map_or(Entry::Rest(false), Entry::Number),
                (_, Some(size)) if of_data(axis).is_some_and(|dim| dim.same_as(size)) => {
                    Entry::Copy(was_rest || not_zero(size))
                }
                _ => Entry::Rest(false),
            }
        }
    };
    let mut entries: Vec<Entry> = elements.iter().enumerate().map(entry).collect();
    let symbolic = elements.iter().filter(|element| !matches!(element, Scalar::Int(_))).count();
    let rest = |entries: &[Entry]| entries.iter().filter(|entry| matches!(entry, Entry::Rest(_))).count();
    // A -1 that is another axis' size may be written as a copy of it.
    if rest(&entries) > 1 {
        for (axis, entry) in entries.iter_mut().enumerate() {
            if *entry == Entry::Rest(true)
                && let (Some(of_data), Some(of_output)) = (of_data(axis), of_output(axis))
                && of_data.same_as(of_output)
            {
                *entry = Entry::Copy(not_zero(of_data));
            }
        }
    }
    if symbolic == 0 || elements.iter().any(|element| matches!(element, Scalar::Int(..-1))) {
        return Err("its target is not known, or not valid".to_owned());
    }
    if rest(&entries) > 1 {
        return Err(format!("{} entries of the target are neither numbers nor sizes of the same axis", rest(&entries)));
    }
    let copies = entries.iter().any(|entry| matches!(entry, Entry::Copy(_)));
    if copies && entries.contains(&Entry::Zero) {
        return Err("the target has a 0 that stands for zero, so that none can copy a size".to_owned());
    }
    let new_rest = entries.iter().any(|entry| matches!(entry, Entry::Rest(_)));
    if new_rest && entries.iter().any(|entry| matches!(entry, Entry::Copy(false) | Entry::Zero)) {
        return Err("a size that the target copies may be zero, beside which no -1 can stand".to_owned());
    }
    let number = |entry: &Entry| match entry {
        Entry::Number(number) => *number,
        Entry::Copy(_) | Entry::Zero => 0,
        Entry::Rest(_) => -1,
    };
    let numbers = entries.iter().map(number).collect();
    Ok(Target { numbers, no_allowzero: copies && zero_is_zero })
}

fn expand(draft: &Draft<'_, '_>, node: NodeId, call: Call) -> Result<Target, String> {
    let (Some((_, data)), Some((_, target))) = (draft.argument(node, call, 0), draft.argument(node, call, 1)) else {
        return Err("its inputs are not known".to_owned());
    };
    let (Some(elements), Some(dims)) = (draft.elements(target), draft.dims(data)) else {
        return Err("the target or the dimensions of the data are not known".to_owned());
    };
    let entry = |(axis, element): (usize, &Scalar<Dim>)| match element {
        Scalar::Int(number) => Ok(*number),
        element => {
            let size = size(element);
            let met = (axis + dims.len()).checked_sub(elements.len()).and_then(|axis| dims.get(axis));
            match met.zip(size) {
                Some((met, size)) if met.same_as(&size) => Ok(1),
                _ => Err(format!("entry {axis} of the target is neither a number nor the size of its axis")),
            }
        }
    };
    elements.iter().enumerate().map(entry).collect::<Result<Vec<i64>, String>>().map(Target::from)
}

fn slice(draft: &Draft<'_, '_>, node: NodeId, call: Call) -> Result<Target, String> {
    let value = |index: usize| draft.argument(node, call, index).map(|(_, value)| value);
    let (Some(data), Some(ends)) = (value(0), value(2)) else { return Err("its inputs are not known".to_owned()) };
    let (Some(elements), Some(dims)) = (draft.elements(ends), draft.dims(data)) else {
        return Err("the ends or the dimensions of the data are not known".to_owned());
    };
    let is_given = |index: usize| !matches!(call.arguments.get(index), None | Some(shape_core::rule::Argument::Absent));
    let list = |index: usize, default: Vec<i64>| match value(index) {
        Some(value) => draft.integers(value),
        None => Some(default),
    };
    let first = (0..).take(elements.len()).collect();
    let (Some(axes), Some(steps)) = (
        if is_given(3) { list(3, first) } else { Some(first) },
        if is_given(4) { list(4, vec![1; elements.len()]) } else { Some(vec![1; elements.len()]) },
    ) else {
        return Err("the axes or the steps are not known".to_owned());
    };
    let rank = i64::try_from(dims.len()).unwrap_or(i64::MAX);
    let entry = |(index, element): (usize, &Scalar<Dim>)| {
        let axis = axes.get(index).map(|axis| if *axis < 0 { axis + rank } else { *axis });
        let dim = axis.and_then(|axis| dims.get(usize::try_from(axis).ok()?));
        match (element, size(element), dim) {
            (Scalar::Int(number), ..) => Ok(*number),
            (_, Some(size), Some(dim)) if steps.get(index) == Some(&1) && size.same_as(dim) => Ok(END),
            _ => Err(format!("end {index} is neither a number nor the size of its axis")),
        }
    };
    elements.iter().enumerate().map(entry).collect::<Result<Vec<i64>, String>>().map(Target::from)
}
