//! Axes cropped or padded to sizes.

use super::axes::{Axes, axes};
use super::parameters::CenterCropPad;
use super::refuse::length;
use crate::dimension::Dimension;
use crate::facts::Dims;
use crate::rule::{Done, Output};

pub(super) fn center_crop_pad<D: Dimension>(
    CenterCropPad { input_data, shape, axes: listed }: CenterCropPad<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = input_data.dims()?;
    let axes = axes(listed, dims.len())?;
    let count = axes.count(dims.len());
    if let Some(found) = shape.len().filter(|found| *found != count && !matches!(axes, Axes::Unknown(..))) {
        return Err(length("the numbers of sizes and axes differ", count, found).into());
    }
    let dim = |at: usize| match (&axes, axes.position(at)) {
        (Axes::Unknown(cause, _), _) => Err(*cause),
        (_, None) => input_data.dim(at),
        (_, Some(index)) => shape.size(index),
    };
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}
