//! Elements put around a tensor.

use super::axes::{Axes, axes};
use super::parameters::Pad;
use super::refuse::length;
use super::{Done, Output};
use crate::dims::{Dimension, Dims, UnknownCause};

pub(super) fn pad<D: Dimension>(Pad { data, pads, axes: listed }: Pad<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = data.dims()?;
    let axes = axes(listed, dims.len())?;
    if let Axes::Unknown(cause, _) = axes {
        output.rank(dims.len(), cause);
        return Ok(());
    }
    let numbers = match pads.numbers() {
        Ok(numbers) => numbers,
        Err(cause) => {
            output.rank(dims.len(), cause);
            return Ok(());
        }
    };
    let count = axes.count(dims.len());
    if numbers.len() != count * 2 {
        return Err(length("there are not two pads for each axis", count * 2, numbers.len()).into());
    }
    let dim = |at: usize| {
        let dim = data.dim(at)?;
        let Some(place) = axes.place(at) else { return Ok(dim) };
        let (before, behind) = numbers.int(place).zip(numbers.int(place + count)).ok_or(pads.cause())?;
        let sum = before.checked_add(behind).ok_or(UnknownCause::TooLarge)?;
        let by = D::from(sum.unsigned_abs());
        if sum < 0 { dim.sub(&by) } else { dim.add(&by) }.ok_or(UnknownCause::TooLarge)
    };
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}
