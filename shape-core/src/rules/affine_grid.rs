//! The sampling grid of an affine map.

use super::parameters::AffineGrid;
use super::refuse::{has_rank, mismatch, shared};
use crate::dimension::Dimension;
use crate::facts::Dims;
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn affine_grid<D: Dimension>(
    AffineGrid { theta, size }: AffineGrid<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    has_rank(&theta, 3, "the matrices must have 3 dimensions: batch, rows and columns")?;
    let rows = theta.dim(1).ok().and_then(|rows| usize::try_from(rows.known()?).ok());
    let rank = size.len().or_else(|| rows?.checked_add(2)).ok_or(size.cause())?;
    if rank != 4 && rank != 5 {
        return Err(Problem::rank(
            "the size must have 4 or 5 entries: batch, channels and 2 or 3 spatial dimensions",
            Detail::Text("4 or 5 numbers"),
            rank,
        )
        .into());
    }
    let space = rank - 2;
    if let Some(rows) = rows.filter(|rows| *rows != space) {
        let message = "the matrices and the size have different numbers of spatial dimensions";
        return Err(mismatch(message, Some(space as u64), Some(rows as u64)).into());
    }
    _ = shared([theta.dim(0), size.size(0)], "the matrices and the size have different batches")?;
    let dim = |at: usize| match at {
        0 => match (size.size(0), theta.dim(0)) {
            (Ok(batch), Ok(other)) => Ok(batch.refine(other)),
            (batch, other) => other.or(batch),
        },
        at if at + 1 == rank => Ok(D::from(space as u64)),
        at => size.size(at + 1),
    };
    output.dims(Dims::Each(rank, &dim));
    Ok(())
}
