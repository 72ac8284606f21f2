//! Regions of interest, each pooled to cells.

use super::parameters::{MaxRoiPool, RoiAlign};
use super::refuse::{has_rank, length, mismatch, shared};
use crate::dimension::Dimension;
use crate::facts::{Input, UnknownCause};
use crate::problem::Problem;
use crate::rule::{Done, Output};

/// How many regions there are, each a row of so many numbers, in maps that have height and width.
fn regions<D: Dimension>(
    x: &Input<'_, D>,
    rois: &Input<'_, D>,
    numbers: u64,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    has_rank(&x, 4, "the maps have a batch, channels, a height and a width")?;
    has_rank(&rois, 2, "the regions are no rows")?;
    if let Some(found) = rois.dim(1).ok().filter(|found| !found.may_equal(&D::from(numbers))) {
        return Err(mismatch("a region has another number of coordinates", Some(numbers), found.known()));
    }
    Ok(rois.dim(0))
}

pub(super) fn max_roi_pool<D: Dimension>(
    MaxRoiPool { x, rois, pooled_shape }: MaxRoiPool<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let regions = regions(&x, &rois, 5)?;
    if let Some(found) = pooled_shape.len().filter(|found| *found != 2) {
        return Err(length("a region is pooled to a height and a width", 2, found).into());
    }
    output.each_dim(&[regions, x.dim(1), pooled_shape.size(0), pooled_shape.size(1)]);
    Ok(())
}

pub(super) fn roi_align<D: Dimension>(
    RoiAlign { x, rois, batch_indices, output_height, output_width }: RoiAlign<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let regions = regions(&x, &rois, 4)?;
    has_rank(&batch_indices, 1, "the indices are no list")?;
    let regions = shared([regions, batch_indices.dim(0)], "there are other numbers of regions and of indices")?;
    output.each_dim(&[regions, x.dim(1), output_height.size(), output_width.size()]);
    Ok(())
}
