//! Sequences; the dimensions of one are those that its tensors share.

use super::axes::axis;
use super::parameters::{ConcatFromSequence, Sequence, SplitToSequence};
use super::refuse::{add_up, mismatch, negative};
use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::size;
use crate::rule::{Done, List, Numbers, Output};

pub(super) fn sequence<D: Dimension>(Sequence { inputs }: Sequence<'_, D>, output: &mut Output<'_, D>) -> Done {
    let mut all = inputs.iter();
    let Some(first) = all.next() else { return Ok(()) };
    let dims = first.dims()?;
    for input in all.clone() {
        if input.dims()?.len() != dims.len() {
            return Err(UnknownCause::Varies.into());
        }
    }
    let dim = |at: usize| {
        let dim = dims.get(at).ok_or(UnknownCause::Dims(first.index))?;
        let same = all.clone().all(|input| input.dim(at).is_ok_and(|other| dim.same_as(&other)));
        // Only an unknown size differs from itself; it carries the reason.
        if same || !dim.same_as(dim) { Ok(dim.clone()) } else { Err(UnknownCause::Varies) }
    };
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}

pub(super) fn split_to_sequence<D: Dimension>(
    SplitToSequence { input, split, axis: along, keepdims }: SplitToSequence<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = input.dims()?;
    let along = axis(along.known().unwrap_or(0), dims.len())?;
    let Some(split) = split else {
        let dim = |at: usize| match at {
            at if keepdims && at == along => Ok(D::from(1)),
            at => input.dim(if keepdims || at < along { at } else { at + 1 }),
        };
        output.dims(Dims::Each(dims.len() - usize::from(!keepdims), &dim));
        return Ok(());
    };
    // A scalar is the size of all parts.
    let is_size = matches!(split, List::Input(input) if input.fact.dims.is_some_and(<[D]>::is_empty));
    if let Ok(sizes) = split.numbers() {
        fit(&sizes, is_size, dims.get(along).and_then(D::known))?;
    }
    let piece = split.numbers().and_then(|numbers| {
        let first = numbers.get(0).and_then(size).ok_or(UnknownCause::Varies)?;
        let equal = (1..numbers.len()).all(|index| split.size(index).is_ok_and(|other| first.same_as(&other)));
        // The last of equal parts may be smaller.
        let divides = || {
            let whole = dims.get(along).and_then(D::known).zip(first.known());
            whole.is_some_and(|(whole, part)| whole.checked_rem(part) == Some(0))
        };
        if equal && (!is_size || divides()) { Ok(first) } else { Err(UnknownCause::Varies) }
    });
    output.dims(Dims::Each(dims.len(), &|at| if at == along { piece.clone() } else { input.dim(at) }));
    Ok(())
}

/// Checks that an axis can be split into parts of these sizes, or into parts of one size.
///
/// # Errors
/// There is no size, one is negative, the one size is zero, or they do not add up.
fn fit<D: Dimension>(sizes: &Numbers<'_, D>, is_size: bool, whole: Option<u64>) -> Result<(), Problem<'static>> {
    if sizes.is_empty() {
        let (message, expected) = ("the list of part sizes is empty", Detail::Text("1 number or more"));
        let found = Detail::Counted(0, "numbers");
        return Err(Problem::Refused { code: Code::RankMismatch, message, expected, found });
    }
    negative("a part has a negative size", sizes)?;
    if is_size {
        return match sizes.int(0) {
            Some(0) => Err(mismatch("the size of the parts is zero", whole, Some(0))),
            _ => Ok(()),
        };
    }
    add_up(sizes, whole)
}

pub(super) fn concat_from_sequence<D: Dimension>(
    ConcatFromSequence { input_sequence, axis: along, new_axis }: ConcatFromSequence<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = input_sequence.dims()?;
    if dims.is_empty() && !new_axis {
        let expected = Detail::Text("1 dimension or more");
        return Err(Problem::rank("the tensors are scalars; they must have at least 1 dimension", expected, 0).into());
    }
    let rank = dims.len() + usize::from(new_axis);
    let along = axis(along.known().unwrap_or(0), rank)?;
    let dim = |at: usize| match at {
        at if at == along => Err(UnknownCause::Data),
        at => input_sequence.dim(at - usize::from(new_axis && at > along)),
    };
    output.dims(Dims::Each(rank, &dim));
    Ok(())
}
