//! Rules that pick elements by their places, or tell places.

use core::cmp::Ordering;

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Outputs, UnknownCause};
use crate::elements::Scalar;
use crate::rules::Arguments;
use crate::rules::axes::axis;
use crate::rules::given::rank;
use crate::rules::grid::{Grid, moved};
use crate::rules::layout::size;

type Done = Result<(), Problem<'static>>;

/// `gather(data, indices, axis)`: the dimensions of `indices` in place of an axis.
pub(super) fn gather<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let (data, indices) = match (given.dims(0), given.dims(1)) {
        (Ok(data), Ok(indices)) => (data, indices),
        (Err(because), _) | (_, Err(because)) => return given.unknown(outputs, because),
    };
    let at = axis(given.int(2).unwrap_or(0), data.len())?;
    let (before, behind) = (data.get(..at).unwrap_or_default(), data.get(at + 1..).unwrap_or_default());
    let all = || before.iter().chain(indices).chain(behind);
    let dim = |at: usize| all().nth(at).cloned().ok_or(UnknownCause::Dims(usize::MAX));
    given.give(outputs, Dims::Each(all().count(), &dim));
    let to = Grid::new(all().count(), |at| dim(at).ok()?.known());
    let places = given.input(1).and_then(|input| input.fact.elements).zip(Grid::of(indices));
    let Some((places, grid)) = places else {
        let because = given.because_of(1);
        given.give_elements(outputs, Err(because));
        return Ok(());
    };
    let size = data.get(at).and_then(D::known).and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
    moved(given, outputs, 0, to, |coordinate, axis| match axis.cmp(&at) {
        Ordering::Less => Some(coordinate(axis)),
        Ordering::Equal => match places.get(grid.place(|axis| Some(coordinate(at + axis)))?)? {
            Scalar::Int(place) => self::axis(place, size).ok(),
            _ => None,
        },
        Ordering::Greater => Some(coordinate(axis + indices.len() - 1)),
    });
    Ok(())
}

/// `gather_nd(data, indices, batch_dims?)`: the last axis of `indices` counts through the axes of `data` from
/// `batch_dims` on.
pub(super) fn gather_nd<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let (data, indices) = match (given.dims(0), given.dims(1)) {
        (Ok(data), Ok(indices)) => (data, indices),
        (Err(because), _) | (_, Err(because)) => return given.unknown(outputs, because),
    };
    let [places @ .., last] = indices else {
        return Err(rank("the indices are a scalar", Detail::Text("1 dimension or more"), 0));
    };
    let batch = given.int(2).and_then(|batch| usize::try_from(batch).ok()).unwrap_or(0);
    let Some(last) = last.known() else {
        return given.unknown(outputs, UnknownCause::Dims(given.input(1).map_or(usize::MAX, |input| input.index)));
    };
    let from = usize::try_from(last).ok().and_then(|last| last.checked_add(batch)).unwrap_or(usize::MAX);
    let Some(behind) = data.get(from..) else {
        let expected = Detail::Counted(from as u64, "dimensions at least");
        return Err(rank("the indices count through more axes than there are", expected, data.len()));
    };
    let all = || places.iter().chain(behind);
    let dim = |at: usize| all().nth(at).cloned().ok_or(UnknownCause::Dims(usize::MAX));
    given.give(outputs, Dims::Each(all().count(), &dim));
    Ok(())
}

/// `topk(X, K, axis)`: K along an axis.
pub(super) fn topk<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let along = axis(given.int(2).unwrap_or(-1), dims.len())?;
    let because = given.because_of(1);
    let count = given.numbers(1).ok().flatten().and_then(|numbers| numbers.get(0)).and_then(size);
    let dim = |at: usize| match dims.get(at) {
        Some(dim) if at != along => Ok(dim.clone()),
        _ => count.clone().ok_or(because),
    };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `nonzero(X)`: a row for each axis, and a column for each element that is not zero, of which there is no telling.
pub(super) fn nonzero<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let rank = given.dims(0).map(|dims| D::from(dims.len() as u64));
    let dim = |at: usize| if at == 0 { rank.clone() } else { Err(UnknownCause::Data) };
    given.give(outputs, Dims::Each(2, &dim));
    Ok(())
}
