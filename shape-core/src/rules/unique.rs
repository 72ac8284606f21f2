//! Unique elements or slices.

use super::axes::axis;
use super::compress::some_slices;
use super::parameters::{Unique, UniqueEntries, UniqueInverse};
use crate::dimension::{Dimension, Product};
use crate::facts::UnknownCause;
use crate::rule::{Done, Output};

pub(super) fn unique<D: Dimension>(Unique { x, axis }: Unique<'_, D>, output: &mut Output<'_, D>) -> Done {
    some_slices(x, axis, UnknownCause::Common, output)
}

/// As many as [`unique`] gives, which refuses what is wrong with the axis.
pub(super) fn unique_entries<D: Dimension>(_: UniqueEntries<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.each_dim(&[Err(UnknownCause::Common)]);
    Ok(())
}

pub(super) fn unique_inverse<D: Dimension>(
    UniqueInverse { x, axis: along }: UniqueInverse<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let count = match (x.dims(), along.and_then(|along| along.known())) {
        (Err(cause), _) => Err(cause),
        (Ok(dims), Some(along)) => x.dim(axis(along, dims.len())?),
        (Ok(dims), None) => Product::of(dims).ok_or(UnknownCause::PastLargest),
    };
    output.each_dim(&[count]);
    Ok(())
}
