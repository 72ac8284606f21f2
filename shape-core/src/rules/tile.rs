//! Tensors repeated along their axes.

use super::axes::axis;
use super::grid::{Grid, moved, same_dims};
use super::parameters::Tile;
use super::refuse::{length, negative};
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::rule::{Done, Output};

pub(super) fn tile<D: Dimension>(
    Tile { input, repeats, axis: along }: Tile<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = input.dims()?;
    let along = match along.map(|along| along.size()) {
        None => None,
        Some(Err(cause)) => {
            output.rank(dims.len(), cause);
            return Ok(());
        }
        Some(Ok(number)) => {
            let number = number.known().and_then(|number| i64::try_from(number).ok()).unwrap_or(i64::MAX);
            Some(axis(number, dims.len())?)
        }
    };
    let count = if along.is_some() { 1 } else { dims.len() };
    if let Ok(numbers) = repeats.numbers() {
        if numbers.len() != count {
            return Err(length("the numbers of repeats and dimensions differ", count, numbers.len()).into());
        }
        negative("a repeat is negative", &numbers)?;
    }
    let dim = |at: usize| {
        let index = match along {
            Some(along) if along != at => return input.dim(at),
            Some(_) => 0,
            None => at,
        };
        input.dim(at)?.mul(&repeats.size(index)?).ok_or(UnknownCause::PastLargest)
    };
    output.dims(Dims::Each(dims.len(), &dim));
    if same_dims(dims, dims.len(), |at| dim(at).ok()) {
        output.elements_of(&input);
        return Ok(());
    }
    let to = Grid::new(dims.len(), |at| dim(at).ok()?.known());
    moved(&input, output, to, |coordinate, axis| {
        let size = dims.get(axis).and_then(D::known).and_then(|size| usize::try_from(size).ok())?;
        coordinate(axis).checked_rem(size)
    });
    Ok(())
}
