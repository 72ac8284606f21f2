//! Outputs with the dimensions of an input.

use super::parameters::{Identity, Same};
use super::{Done, Output};
use crate::dims::{Dimension, Dims};

pub(super) fn same<D: Dimension>(Same { x }: Same<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.dims(Dims::Known(x.dims()?));
    Ok(())
}

pub(super) fn identity<D: Dimension>(Identity { x }: Identity<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.elements_of(&x);
    output.dims(Dims::Known(x.dims()?));
    Ok(())
}
