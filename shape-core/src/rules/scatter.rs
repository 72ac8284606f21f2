//! Updates written into a tensor at indices.

use super::axes::axis;
use super::gather::tuples_in_range;
use super::grid::{nothing, placed};
use super::parameters::{ScatterElements, ScatterNd};
use super::reduce::MAX_PAIRS;
use super::refuse::mismatch;
use crate::dimension::{Dimension, Operation, Undecided};
use crate::elements::{Elements, Scalar};
use crate::facts::UnknownCause;
use crate::rule::{Done, Output};

pub(super) fn scatter_elements<D: Dimension>(
    ScatterElements { data, indices, updates, axis: along, reduction }: ScatterElements<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let (into, to) = placed(&data).ok_or(UnknownCause::Elements(data.index))?;
    let (places, at) = placed(&indices).ok_or(UnknownCause::Elements(indices.index))?;
    let (updates, from) = placed(&updates).ok_or(UnknownCause::Elements(updates.index))?;
    let along = axis(along.known().unwrap_or(0), to.rank())?;
    if at != from || at.rank() != to.rank() {
        return Err(UnknownCause::MayDiffer.into());
    }
    let place = |update: usize| {
        to.index_of(|axis| match (axis == along, places.get(update)) {
            (false, _) => Some(at.coordinate(update, axis)),
            (true, Some(Scalar::Int(index))) => super::axis(index, to.size(axis)).ok(),
            (true, _) => None,
        })
    };
    written((into, to.count()), (updates, &place, indices.index), reduction, output)
}

pub(super) fn scatter_nd<D: Dimension>(
    ScatterNd { data, indices, updates, reduction }: ScatterNd<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    if let (Ok(dims), Ok([tuples @ .., last])) = (data.dims(), indices.dims())
        && let Some(length) = last.known().and_then(|last| usize::try_from(last).ok())
        && let Some(slice) = dims.get(length..)
    {
        tuples_in_range(&indices, length, dims)?;
        for (expected, found) in tuples.iter().chain(slice).zip(updates.dims().unwrap_or_default()) {
            if !expected.may_equal(found) {
                let message = "the updates must have the dimensions of the indices but the last, and those of a slice";
                return Err(mismatch(message, expected.known(), found.known()).into());
            }
        }
    }
    let (into, to) = placed(&data).ok_or(UnknownCause::Elements(data.index))?;
    let (places, at) = placed(&indices).ok_or(UnknownCause::Elements(indices.index))?;
    let (updates, _) = placed(&updates).ok_or(UnknownCause::Elements(updates.index))?;
    let length = at.rank().checked_sub(1).map_or(0, |last| at.size(last));
    if length > to.rank() {
        return Err(UnknownCause::MayDiffer.into());
    }
    // An update is a slice of this many elements.
    let slice: usize = (length..to.rank()).map(|axis| to.size(axis)).product();
    let tuples: usize = (0..at.rank().saturating_sub(1)).map(|axis| at.size(axis)).product();
    if tuples.saturating_mul(slice) != updates.len() {
        return Err(UnknownCause::MayDiffer.into());
    }
    let place = |update: usize| {
        let (tuple, rest) = (update.checked_div(slice)?, update.checked_rem(slice)?);
        let first = (0..length).try_fold(0_usize, |first, at| match places.get(tuple * length + at)? {
            Scalar::Int(index) => Some(first * to.size(at) + axis(index, to.size(at)).ok()?),
            _ => None,
        })?;
        Some(first * slice + rest)
    };
    written((into, to.count()), (updates, &place, indices.index), reduction, output)
}

/// Where an update goes; `None` where that is not known, or outside of the tensor.
type Place<'p> = &'p dyn Fn(usize) -> Option<usize>;

fn written<D: Dimension>(
    (into, count): (Elements<'_, D>, usize),
    (updates, place, indices): (Elements<'_, D>, Place<'_>, usize),
    reduction: &[u8],
    output: &mut Output<'_, D>,
) -> Done {
    let unknown = UnknownCause::Elements(indices);
    if count.saturating_mul(updates.len()) > MAX_PAIRS || !(0..updates.len()).all(|update| place(update).is_some()) {
        return Err(unknown.into());
    }
    let operation = match reduction {
        b"" | b"none" => None,
        b"add" => Some(Operation::Add),
        b"mul" => Some(Operation::Mul),
        b"max" => Some(Operation::Max),
        b"min" => Some(Operation::Min),
        _ => return Err(unknown.into()),
    };
    let each = |index: usize| {
        let old = into.get(index).unwrap_or_else(nothing);
        let mut new =
            (0..updates.len()).filter(|update| place(*update) == Some(index)).filter_map(|at| updates.get(at));
        let Some(first) = new.next() else { return old };
        match operation {
            // Which of several updates stays is open.
            None if new.all(|other| other.same_as(&first)) => first,
            None => Scalar::undecided(Undecided::NotFollowed),
            Some(operation) => new.fold(old.compute(operation, &first), |all, other| match all {
                // Each step may round, and their order is open.
                Scalar::Float(_) if matches!(operation, Operation::Add | Operation::Mul) => nothing(),
                all => all.compute(operation, &other),
            }),
        }
    };
    output.elements(Ok((count, &each)));
    Ok(())
}
