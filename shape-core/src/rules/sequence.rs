//! Sequences; the dimensions of one are those that its tensors share.

use super::arguments::size;
use super::axes::axis;
use super::parameters::{ConcatFromSequence, Sequence, SplitToSequence};
use super::refuse::rank_not;
use super::{Done, Output};
use crate::check::Detail;
use crate::dims::{Dimension, Dims, UnknownCause};

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
        // One that is unknown is not even the same as itself, and tells why.
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
    let piece = split.numbers().and_then(|numbers| {
        let first = numbers.get(0).and_then(size).ok_or(UnknownCause::Varies)?;
        let equal = (1..numbers.len()).all(|index| split.size(index).is_ok_and(|other| first.same_as(&other)));
        // The last of equal parts is what is left.
        let is_size = matches!(split, super::List::Input(input) if input.fact.dims.is_some_and(<[D]>::is_empty));
        let divides = || {
            let whole = dims.get(along).and_then(D::known).zip(first.known());
            whole.is_some_and(|(whole, part)| whole.checked_rem(part) == Some(0))
        };
        if equal && (!is_size || divides()) { Ok(first) } else { Err(UnknownCause::Varies) }
    });
    output.dims(Dims::Each(dims.len(), &|at| if at == along { piece.clone() } else { input.dim(at) }));
    Ok(())
}

pub(super) fn concat_from_sequence<D: Dimension>(
    ConcatFromSequence { input_sequence, axis: along, new_axis }: ConcatFromSequence<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = input_sequence.dims()?;
    if dims.is_empty() && !new_axis {
        let expected = Detail::Text("1 dimension or more");
        return Err(rank_not("scalars have no axis to be joined along", expected, 0).into());
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
