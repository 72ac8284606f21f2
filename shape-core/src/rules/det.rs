//! Determinants.

use super::parameters::Det;
use super::refuse::{mismatch, rank_not};
use super::{Done, Output};
use crate::check::Detail;
use crate::dims::{Dimension, Dims};

pub(super) fn det<D: Dimension>(Det { x }: Det<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = x.dims()?;
    let [stack @ .., rows, columns] = dims else {
        return Err(rank_not(
            "the input must have at least 2 dimensions",
            Detail::Text("2 dimensions or more"),
            dims.len(),
        )
        .into());
    };
    if !rows.may_equal(columns) {
        return Err(mismatch("the matrices are not square", rows.known(), columns.known()).into());
    }
    output.dims(Dims::Known(stack));
    Ok(())
}
