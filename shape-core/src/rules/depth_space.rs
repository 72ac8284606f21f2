//! Blocks of an image that become channels, and back.

use super::parameters::{DepthToSpace, SpaceToDepth};
use super::refuse::{has_rank, mismatch};
use crate::dimension::Dimension;
use crate::facts::UnknownCause;
use crate::problem::Problem;
use crate::rule::{Done, Output};

const IMAGE: &str = "the input must have 4 dimensions: batch, channels, height and width";

/// The number of blocks in a size.
///
/// # Errors
/// The size is not a multiple of the block.
fn blocks<D: Dimension>(
    size: Result<D, UnknownCause>,
    block: Result<D, UnknownCause>,
    message: &'static str,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    match (size, block) {
        (Err(cause), _) | (_, Err(cause)) => Ok(Err(cause)),
        (Ok(size), Ok(block)) => {
            size.div_exact(&block).map(Ok).ok_or_else(|| mismatch(message, block.known(), size.known()))
        }
    }
}

pub(super) fn space_to_depth<D: Dimension>(
    SpaceToDepth { input, blocksize }: SpaceToDepth<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    has_rank(&input, 4, IMAGE)?;
    let block = blocksize.size();
    let side = |axis: usize| {
        blocks(input.dim(axis), block.clone(), "the height or the width is not a multiple of the block size")
    };
    let channels = input.dim(1).and_then(|channels| {
        let block = block.clone()?;
        channels.mul(&block).and_then(|channels| channels.mul(&block)).ok_or(UnknownCause::PastLargest)
    });
    output.each_dim(&[input.dim(0), channels, side(2)?, side(3)?]);
    Ok(())
}

pub(super) fn depth_to_space<D: Dimension>(
    DepthToSpace { input, blocksize }: DepthToSpace<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    has_rank(&input, 4, IMAGE)?;
    let block = blocksize.size();
    let area = block.clone().and_then(|block| block.mul(&block).ok_or(UnknownCause::PastLargest));
    let channels = blocks(input.dim(1), area, "the number of channels is not a multiple of the squared block size")?;
    let side = |axis: usize| input.dim(axis)?.mul(&block.clone()?).ok_or(UnknownCause::PastLargest);
    output.each_dim(&[input.dim(0), channels, side(2), side(3)]);
    Ok(())
}
