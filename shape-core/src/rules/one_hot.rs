//! Indices as vectors with a single one.

use super::axes::axis;
use super::parameters::OneHot;
use super::{Done, Output};
use crate::dims::{Dimension, Dims, UnknownCause};

pub(super) fn one_hot<D: Dimension>(
    OneHot { indices, axis: along, depth }: OneHot<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = indices.dims()?;
    let rank = dims.len() + 1;
    let along = axis(along.known().unwrap_or(-1), rank)?;
    let dim = |at: usize| {
        if at == along {
            return depth.size();
        }
        dims.get(if at < along { at } else { at - 1 }).cloned().ok_or(UnknownCause::NotGiven)
    };
    output.dims(Dims::Each(rank, &dim));
    Ok(())
}
