//! An image sampled at the indices of a grid.

use super::parameters::GridSample;
use super::refuse::{mismatch, rank, shared};
use crate::dimension::Dimension;
use crate::facts::Dims;
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn grid_sample<D: Dimension>(GridSample { x, grid }: GridSample<'_, D>, output: &mut Output<'_, D>) -> Done {
    let rank = match (x.dims(), grid.dims()) {
        (Ok(x), Ok(grid)) if x.len() != grid.len() => {
            return Err(rank("the grid and the input have different ranks", x.len(), grid.len()).into());
        }
        (Ok(dims), _) | (_, Ok(dims)) => dims.len(),
        (Err(cause), Err(_)) => return Err(cause.into()),
    };
    if rank < 3 {
        let message = "the input must have at least 3 dimensions: batch, channels and spatial dimensions";
        return Err(Problem::rank(message, Detail::Text("3 dimensions or more"), rank).into());
    }
    let space = D::from((rank - 2) as u64);
    if let Ok(coordinates) = grid.dim(rank - 1)
        && !coordinates.may_equal(&space)
    {
        let message = "the last dimension of the grid differs from the number of spatial dimensions";
        return Err(mismatch(message, space.known(), coordinates.known()).into());
    }
    let batch = shared([x.dim(0), grid.dim(0)], "the input and the grid have different batch sizes")?;
    let dim = |at: usize| match at {
        0 => batch.clone(),
        1 => x.dim(1),
        at => grid.dim(at - 1),
    };
    output.dims(Dims::Each(rank, &dim));
    Ok(())
}
