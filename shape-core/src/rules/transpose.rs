//! Axes in another order.

use super::axes::{Axes, axes, axis};
use super::grid::{Grid, moved};
use super::parameters::Transpose;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn transpose<D: Dimension>(Transpose { data, perm }: Transpose<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = match data.dims() {
        Ok(dims) => dims,
        Err(cause) => {
            output.rank(perm.and_then(|perm| perm.len()).ok_or(cause)?, cause);
            return Ok(());
        }
    };
    let order = axes(perm, dims.len())?;
    if let Axes::Listed(perm, _) = order
        && perm.len() != dims.len()
    {
        let expected = Detail::Counted(dims.len() as u64, "axes");
        return Err(Problem::rank(
            "the permutation and the input have different numbers of axes",
            expected,
            perm.len(),
        )
        .into());
    }
    // Without an order, the axes are reversed.
    let last = dims.len().saturating_sub(1);
    let from = |at: usize| match &order {
        Axes::Listed(perm, _) => axis(perm.int(at)?, dims.len()).ok(),
        _ => last.checked_sub(at),
    };
    let source_axis =
        |axis: usize| if let Axes::Listed(..) = order { order.position(axis) } else { last.checked_sub(axis) };
    let dim = |at: usize| from(at).and_then(|from| dims.get(from)).cloned().ok_or(UnknownCause::NotGiven);
    output.dims(Dims::Each(dims.len(), &dim));
    // Axes of size 1 may move without a change of the order.
    let long = |axis: &usize| dims.get(*axis).is_some_and(|size| size.known() != Some(1));
    if (0..dims.len()).map_while(from).filter(long).is_sorted() {
        output.elements_of(&data);
        return Ok(());
    }
    let to = Grid::new(dims.len(), |at| dim(at).ok()?.known());
    moved(&data, output, to, |coordinate, axis| Some(coordinate(source_axis(axis)?)));
    Ok(())
}
