//! The largest or smallest elements along an axis.

use super::axes::axis;
use super::parameters::TopK;
use super::{Done, Output};
use crate::dims::{Dimension, Dims};

pub(super) fn top_k<D: Dimension>(TopK { x, k, axis: along }: TopK<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = x.dims()?;
    let along = axis(along.known().unwrap_or(-1), dims.len())?;
    output.dims(Dims::Each(dims.len(), &|at| if at == along { k.size() } else { x.dim(at) }));
    Ok(())
}
