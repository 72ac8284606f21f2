//! Slices picked by indices.

use core::cmp::Ordering;

use super::axes::axis;
use super::grid::{Grid, moved, placed};
use super::parameters::{Gather, GatherElements, GatherNd};
use crate::code::Code;
use crate::dimension::Dimension;
use crate::elements::Scalar;
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn gather<D: Dimension>(
    Gather { data, indices, axis: along }: Gather<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let (dims, picks) = (data.dims()?, indices.dims()?);
    let along = axis(along.known().unwrap_or(0), dims.len())?;
    let (before, behind) = (dims.get(..along).unwrap_or_default(), dims.get(along + 1..).unwrap_or_default());
    let all = || before.iter().chain(picks).chain(behind);
    let dim = |at: usize| all().nth(at).cloned().ok_or(UnknownCause::NotGiven);
    output.dims(Dims::Each(all().count(), &dim));
    let to = Grid::new(all().count(), |at| dim(at).ok()?.known());
    let Some((picked, grid)) = indices.fact.elements.zip(Grid::of(picks)) else {
        output.elements(Err(UnknownCause::Elements(indices.index)));
        return Ok(());
    };
    // An index is that of an entry, so there is one.
    if !picked.is_empty()
        && let Some(dim) = dims.get(along)
    {
        output.implies_not_zero(dim);
    }
    let size = dims.get(along).and_then(D::known).and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
    moved(&data, output, to, |coordinate, at| match at.cmp(&along) {
        Ordering::Less => Some(coordinate(at)),
        Ordering::Equal => match picked.get(grid.index_of(|at| Some(coordinate(along + at)))?)? {
            Scalar::Int(index) => axis(index, size).ok(),
            _ => None,
        },
        Ordering::Greater => Some(coordinate(at + picks.len() - 1)),
    });
    Ok(())
}

pub(super) fn gather_elements<D: Dimension>(
    GatherElements { data, indices, axis: along }: GatherElements<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let (dims, picks) = (data.dims()?, indices.dims()?);
    let along = axis(along.known().unwrap_or(0), dims.len())?;
    let size = dims.get(along).and_then(D::known).and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
    let (picked, to) = placed(&indices).ok_or(UnknownCause::Elements(indices.index))?;
    if picks.len() != dims.len() {
        return Err(UnknownCause::MayDiffer.into());
    }
    moved(&data, output, Some(to), |coordinate, at| {
        if at != along {
            return Some(coordinate(at));
        }
        match picked.get(to.index_of(|at| Some(coordinate(at)))?)? {
            Scalar::Int(index) => axis(index, size).ok(),
            _ => None,
        }
    });
    Ok(())
}

pub(super) fn gather_nd<D: Dimension>(
    GatherNd { data, indices, batch_dims }: GatherNd<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let (dims, picks) = (data.dims()?, indices.dims()?);
    let [picks @ .., last] = picks else {
        return Err(Problem::rank(
            "the indices are a scalar; they must have at least 1 dimension",
            Detail::Text("1 dimension or more"),
            0,
        )
        .into());
    };
    let batch = batch_dims.known().and_then(|batch| usize::try_from(batch).ok()).unwrap_or(0);
    let last = last.known().ok_or(UnknownCause::Dims(indices.index))?;
    let from = usize::try_from(last).ok().and_then(|last| last.checked_add(batch));
    let Some(behind) = from.and_then(|from| dims.get(from..)) else {
        let expected = Detail::Counted(from.map_or(u64::MAX, |from| from as u64), "dimensions or more");
        return Err(
            Problem::rank("the indices address more dimensions than the input has", expected, dims.len()).into()
        );
    };
    let indexed = dims.get(batch..).unwrap_or_default();
    tuples_in_range(&indices, usize::try_from(last).unwrap_or(0), indexed)?;
    let all = || picks.iter().chain(behind);
    output.dims(Dims::Each(all().count(), &|at| all().nth(at).cloned().ok_or(UnknownCause::NotGiven)));
    Ok(())
}

/// Checks that each index of tuples of this length is one of its axis, as far as they are known.
///
/// # Errors
/// One of them is not.
pub(super) fn tuples_in_range<D: Dimension>(
    tuples: &Input<'_, D>,
    length: usize,
    sizes: &[D],
) -> Result<(), Problem<'static>> {
    let Some(elements) = tuples.fact.elements else { return Ok(()) };
    for index in 0..elements.len() {
        let size = index.checked_rem(length).and_then(|at| sizes.get(at)).and_then(D::known);
        let (Some(Scalar::Int(value)), Some(size)) = (elements.get(index), size) else { continue };
        if usize::try_from(size).is_ok_and(|size| axis(value, size).is_err()) {
            let (message, expected) = ("an index is out of range", Detail::Text("an index of its axis"));
            let found = Detail::Entry { index, value };
            return Err(Problem::Refused { code: Code::DimsMismatch, message, expected, found });
        }
    }
    Ok(())
}
