//! Indices as vectors with a single one.

use super::axes::axis;
use super::parameters::OneHot;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn one_hot<D: Dimension>(
    OneHot { indices, axis: along, depth }: OneHot<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = indices.dims()?;
    if dims.is_empty() {
        return Err(Problem::rank(
            "the indices are a scalar; they must have at least 1 dimension",
            Detail::Text("1 dimension or more"),
            0,
        )
        .into());
    }
    let rank = dims.len() + 1;
    let along = axis(along.known().ok_or(along.cause())?, rank)?;
    let dim = |at: usize| {
        if at == along {
            return depth.size();
        }
        dims.get(at - usize::from(at > along)).cloned().ok_or(UnknownCause::NotGiven)
    };
    output.dims(Dims::Each(rank, &dim));
    Ok(())
}
