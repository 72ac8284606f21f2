//! The number of elements of a tensor.

use super::parameters::Size;
use crate::dimension::{Dimension, Product};
use crate::elements::Scalar;
use crate::facts::{Dims, UnknownCause};
use crate::rule::{Done, Output};

pub(super) fn size<D: Dimension>(Size { data }: Size<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.dims(Dims::Known(&[]));
    let count = Product::of(data.dims()?).ok_or(UnknownCause::TooLarge)?;
    output.elements(Ok((1, &|_| Scalar::size(count.clone()))));
    Ok(())
}
