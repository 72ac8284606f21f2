//! Columns combined to an image.

use super::parameters::Col2im;
use super::refuse::{has_rank, length, mismatch};
use crate::dimension::{Dimension, Product};
use crate::facts::{Dims, UnknownCause};
use crate::rule::{Done, Output};

pub(super) fn col2im<D: Dimension>(
    Col2im { input, image_shape, block_shape }: Col2im<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    has_rank(&input, 3, "the input must have 3 dimensions: batch, block elements and blocks")?;
    let space = image_shape.len().or_else(|| block_shape.len()).ok_or(image_shape.cause())?;
    if let Some(found) = block_shape.len().filter(|found| *found != space) {
        return Err(length("the image and the block have different numbers of dimensions", space, found).into());
    }
    let block = || {
        let mut block = Product::default();
        for axis in 0..space {
            block.push(&block_shape.size(axis)?);
        }
        block.finish().ok_or(UnknownCause::PastLargest)
    };
    let channels = match (input.dim(1), block()) {
        (Err(cause), _) | (_, Err(cause)) => Err(cause),
        (Ok(column), Ok(block)) => Ok(column.div_exact(&block).ok_or_else(|| {
            mismatch("the size of axis 1 is not a multiple of the block size", block.known(), column.known())
        })?),
    };
    let dim = |at: usize| match at {
        0 => input.dim(0),
        1 => channels.clone(),
        at => image_shape.size(at - 2),
    };
    output.dims(Dims::Each(space.checked_add(2).ok_or(UnknownCause::TooLarge)?, &dim));
    Ok(())
}
