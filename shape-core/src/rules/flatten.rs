//! Axes merged to two.

use super::axes::axis;
use super::parameters::Flatten;
use crate::dimension::{Dimension, Product};
use crate::facts::{Dims, UnknownCause};
use crate::rule::{Done, Output};

pub(super) fn flatten<D: Dimension>(Flatten { input, axis: from }: Flatten<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.elements_of(&input);
    let dims = match input.dims() {
        Ok(dims) => dims,
        Err(cause) => {
            output.rank(2, cause);
            return Ok(());
        }
    };
    let number = from.known().unwrap_or(1);
    // The axis may be one past the last.
    let at = if usize::try_from(number) == Ok(dims.len()) { dims.len() } else { axis(number, dims.len())? };
    let (before, behind) = dims.split_at_checked(at).unwrap_or((dims, &[]));
    let product = |dims: &[D]| Product::of(dims).ok_or(UnknownCause::PastLargest);
    output.dims(Dims::Each(2, &|side| product(if side == 0 { before } else { behind })));
    Ok(())
}
