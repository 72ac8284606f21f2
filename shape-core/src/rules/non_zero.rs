//! The places of elements that are not zero.

use super::parameters::NonZero;
use super::{Done, Output};
use crate::dims::{Dimension, UnknownCause};

pub(super) fn non_zero<D: Dimension>(NonZero { x }: NonZero<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.each_dim(&[x.dims().map(|dims| D::from(dims.len() as u64)), Err(UnknownCause::Data)]);
    Ok(())
}
