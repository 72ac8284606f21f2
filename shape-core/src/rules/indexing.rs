//! Rules that pick elements by their places, or tell places.

use crate::check::{Detail, Problem};
use crate::dims::{Because, Dimension, Dims, Outputs};
use crate::elements::Scalar;
use crate::elements::arithmetic::Undecided;
use crate::rules::Arguments;
use crate::rules::axes::axis;
use crate::rules::given::rank;
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
    let dim = |at: usize| all().nth(at).cloned().ok_or(Because::Dims(usize::MAX));
    given.give(outputs, Dims::Each(all().count(), &dim));
    picked(given, data.len(), outputs);
    Ok(())
}

/// The elements of a list at places of it.
fn picked<D: Dimension>(given: &Arguments<'_, D>, rank: usize, outputs: &mut dyn Outputs<D>) {
    let elements = |parameter: usize| {
        let input = given.input(parameter);
        let because = Because::Elements(input.map_or(usize::MAX, |input| input.index));
        input.and_then(|input| input.fact.elements).filter(|_| parameter > 0 || rank == 1).ok_or(because)
    };
    match (elements(0), elements(1)) {
        (Err(because), _) | (_, Err(because)) => given.give_elements(outputs, Err(because)),
        (Ok(data), Ok(indices)) => {
            let each = |index: usize| {
                let place = match indices.get(index) {
                    Some(Scalar::Int(place)) => axis(place, data.len()).ok(),
                    _ => None,
                };
                place.and_then(|place| data.get(place)).unwrap_or_else(|| Scalar::undecided(Undecided::NotFollowed))
            };
            given.give_elements(outputs, Ok((indices.len(), &each)));
        }
    }
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
        return given.unknown(outputs, Because::Dims(given.input(1).map_or(usize::MAX, |input| input.index)));
    };
    let from = usize::try_from(last).ok().and_then(|last| last.checked_add(batch)).unwrap_or(usize::MAX);
    let Some(behind) = data.get(from..) else {
        let expected = Detail::Counted(from as u64, "dimensions at least");
        return Err(rank("the indices count through more axes than there are", expected, data.len()));
    };
    let all = || places.iter().chain(behind);
    let dim = |at: usize| all().nth(at).cloned().ok_or(Because::Dims(usize::MAX));
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
    let because = Because::Elements(given.input(1).map_or(usize::MAX, |input| input.index));
    let count = given.numbers(1).ok().flatten().and_then(|numbers| numbers.get(0)).and_then(size);
    let dim = |at: usize| match dims.get(at) {
        Some(dim) if at != along => Ok(dim.clone()),
        _ => count.clone().ok_or(because),
    };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `one_hot(indices, depth, axis)`: an axis of the size `depth` put in.
pub(super) fn one_hot<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let along = axis(given.int(2).unwrap_or(-1), dims.len() + 1)?;
    let because = Because::Elements(given.input(1).map_or(usize::MAX, |input| input.index));
    let depth = given.numbers(1).ok().flatten().and_then(|numbers| numbers.get(0)).and_then(size);
    let dim = |at: usize| {
        if at == along {
            return depth.clone().ok_or(because);
        }
        dims.get(if at < along { at } else { at - 1 }).cloned().ok_or(Because::Dims(usize::MAX))
    };
    given.give(outputs, Dims::Each(dims.len() + 1, &dim));
    Ok(())
}

/// `nonzero(X)`: a row for each axis, and a column for each element that is not zero, of which there is no telling.
pub(super) fn nonzero<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let rank = given.dims(0).map(|dims| D::from(dims.len() as u64));
    let dim = |at: usize| if at == 0 { rank.clone() } else { Err(Because::Data) };
    given.give(outputs, Dims::Each(2, &dim));
    Ok(())
}
