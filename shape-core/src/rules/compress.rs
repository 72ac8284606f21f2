//! Slices that a condition selects.

use super::axes::axis;
use super::parameters::Compress;
use crate::dimension::Dimension;
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Integer, Output};

pub(super) fn compress<D: Dimension>(Compress { input, axis }: Compress<'_, D>, output: &mut Output<'_, D>) -> Done {
    if matches!(input.dims(), Ok([])) {
        return Err(Problem::rank(
            "the input is a scalar; it must have at least 1 dimension",
            Detail::Text("1 dimension or more"),
            0,
        )
        .into());
    }
    some_slices(input, axis, output)
}

/// As many slices of a tensor along an axis as the condition selects; without an axis, a list of the selected elements.
pub(super) fn some_slices<D: Dimension>(
    input: Input<'_, D>,
    along: Option<Integer<'_, D>>,
    output: &mut Output<'_, D>,
) -> Done {
    let Some(along) = along.and_then(|along| along.known()) else {
        output.each_dim(&[Err(UnknownCause::Data)]);
        return Ok(());
    };
    let dims = input.dims()?;
    let along = axis(along, dims.len())?;
    let dim = |at: usize| dims.get(at).filter(|_| at != along).cloned().ok_or(UnknownCause::Data);
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}
