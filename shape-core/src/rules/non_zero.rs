//! The indices of elements that are not zero.

use super::parameters::NonZero;
use crate::dimension::Dimension;
use crate::facts::UnknownCause;
use crate::rule::{Done, Output};

pub(super) fn non_zero<D: Dimension>(NonZero { x }: NonZero<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.each_dim(&[x.dims().map(|dims| D::from(dims.len() as u64)), Err(UnknownCause::Data)]);
    Ok(())
}
