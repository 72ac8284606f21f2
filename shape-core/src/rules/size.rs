//! The number of elements of a tensor.

use super::parameters::Size;
use super::{Done, Output};
use crate::dims::{Dimension, Dims, Product, UnknownCause};
use crate::elements::Scalar;

pub(super) fn size<D: Dimension>(Size { data }: Size<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.dims(Dims::Known(&[]));
    let count = Product::of(data.dims()?).ok_or(UnknownCause::TooLarge)?;
    output.elements(Ok((1, &|_| Scalar::size(count.clone()))));
    Ok(())
}
