//! Regions of interest, each pooled to cells.

use super::parameters::{CropAndResize, MaxRoiPool, RoiAlign};
use super::refuse::{has_rank, length, mismatch, shared};
use crate::dimension::Dimension;
use crate::facts::{Input, UnknownCause};
use crate::problem::Problem;
use crate::rule::{Done, Output};

/// The number of regions, each a row of so many `numbers`, in maps with height and width.
fn regions<D: Dimension>(
    x: &Input<'_, D>,
    rois: &Input<'_, D>,
    numbers: u64,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    has_rank(x, 4, "the input must have 4 dimensions: batch, channels, height and width")?;
    has_rank(rois, 2, "the regions must have 2 dimensions")?;
    if let Some(found) = rois.dim(1).ok().filter(|found| !found.may_equal(&D::from(numbers))) {
        return Err(mismatch("the regions have a wrong number of coordinates", Some(numbers), found.known()));
    }
    Ok(rois.dim(0))
}

pub(super) fn max_roi_pool<D: Dimension>(
    MaxRoiPool { x, rois, pooled_shape }: MaxRoiPool<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let regions = regions(&x, &rois, 5)?;
    if let Some(found) = pooled_shape.len().filter(|found| *found != 2) {
        return Err(length("the pooled shape must have 2 entries: height and width", 2, found).into());
    }
    output.each_dim(&[regions, x.dim(1), pooled_shape.size(0), pooled_shape.size(1)]);
    Ok(())
}

/// The number of regions whose maps have an index each.
fn indexed<D: Dimension>(
    x: &Input<'_, D>,
    rois: &Input<'_, D>,
    batch_indices: &Input<'_, D>,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    let regions = regions(x, rois, 4)?;
    has_rank(batch_indices, 1, "the indices must have 1 dimension")?;
    shared([regions, batch_indices.dim(0)], "the numbers of regions and indices differ")
}

pub(super) fn crop_and_resize<D: Dimension>(
    CropAndResize { x, rois, batch_indices, crop_size }: CropAndResize<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let regions = indexed(&x, &rois, &batch_indices)?;
    if let Some(found) = crop_size.len().filter(|found| *found != 2) {
        return Err(length("the size must have 2 entries: height and width", 2, found).into());
    }
    output.each_dim(&[regions, x.dim(1), crop_size.size(0), crop_size.size(1)]);
    Ok(())
}

pub(super) fn roi_align<D: Dimension>(
    RoiAlign { x, rois, batch_indices, output_height, output_width }: RoiAlign<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let regions = indexed(&x, &rois, &batch_indices)?;
    output.each_dim(&[regions, x.dim(1), output_height.size(), output_width.size()]);
    Ok(())
}
