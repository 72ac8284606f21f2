//! Rules that move elements between the channels of an image and its height and width, block by block.

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Outputs, Product, UnknownCause};
use crate::rules::Arguments;
use crate::rules::given::{mismatch, rank, shared_out};
use crate::rules::layout::size;

type Done = Result<(), Problem<'static>>;

const IMAGE: &str = "an image has a batch, channels, a height and a width";

/// How many blocks a size has.
fn blocks_of<D: Dimension>(
    size: Result<D, UnknownCause>,
    among: Option<&D>,
    message: &'static str,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    match (size, among) {
        (Err(because), _) => Ok(Err(because)),
        (Ok(_), None) => Ok(Err(UnknownCause::TooLarge)),
        (Ok(size), Some(among)) => {
            shared_out(&size, among).map(Ok).ok_or_else(|| mismatch(message, among.known(), size.known()))
        }
    }
}

/// `space_to_depth(X, blocksize)`: a block of the image as so many channels of one place.
pub(super) fn space_to_depth<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.ranked(0, 4, IMAGE)?;
    let block = given.size(1);
    let side =
        |axis: usize| blocks_of(given.dim(0, axis), block.as_ref().ok(), "the image has no whole number of blocks");
    let channels = given.dim(0, 1).and_then(|channels| {
        let block = block.clone()?;
        channels.mul(&block).and_then(|channels| channels.mul(&block)).ok_or(UnknownCause::TooLarge)
    });
    given.give_each(outputs, &[given.dim(0, 0), channels, side(2)?, side(3)?]);
    Ok(())
}

/// `depth_to_space(X, blocksize)`: so many channels of one place as a block of the image.
pub(super) fn depth_to_space<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.ranked(0, 4, IMAGE)?;
    let block = given.size(1);
    let area = block.as_ref().ok().and_then(|block| block.mul(block));
    let channels = blocks_of(given.dim(0, 1), area.as_ref(), "the channels are no whole number of blocks")?;
    let side =
        |axis: usize| given.dim(0, axis).and_then(|size| size.mul(&block.clone()?).ok_or(UnknownCause::TooLarge));
    given.give_each(outputs, &[given.dim(0, 0), channels, side(2), side(3)]);
    Ok(())
}

/// `col2im(X, image_shape, block_shape)`: the batch, the channels, of which each column has a block, and the image.
pub(super) fn col2im<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.ranked(0, 3, "columns have a batch, blocks and places")?;
    let image = given.numbers(1);
    let Some(space) = given.length(1).or_else(|| given.length(2)) else {
        let because = given.because_of(1);
        return given.unknown(outputs, because);
    };
    let elements = |parameter: usize| given.because_of(parameter);
    let channels = match given.numbers(2) {
        Err(because) => Err(because),
        Ok(None) => Err(elements(2)),
        Ok(Some(block)) => {
            if block.len() != space {
                let expected = Detail::Counted(space as u64, "numbers");
                return Err(rank("the image and the block have different numbers of axes", expected, block.len()));
            }
            let mut product = Product::default();
            let mut open = None;
            for at in 0..block.len() {
                match block.get(at).and_then(size) {
                    Some(size) => product.push(&size),
                    None => open = Some(elements(2)),
                }
            }
            match (open, product.finish()) {
                (Some(because), _) => Err(because),
                (None, block) => blocks_of(given.dim(0, 1), block.as_ref(), "a column has no whole number of blocks")?,
            }
        }
    };
    let dim = |at: usize| match at {
        0 => given.dim(0, 0),
        1 => channels.clone(),
        at => image
            .as_ref()
            .map_err(|because| *because)?
            .and_then(|image| image.get(at - 2))
            .and_then(size)
            .ok_or(elements(1)),
    };
    let Some(rank) = space.checked_add(2) else { return given.unknown(outputs, UnknownCause::TooLarge) };
    given.give(outputs, Dims::Each(rank, &dim));
    Ok(())
}
