//! Determinants.

use super::parameters::Det;
use super::refuse::mismatch;
use crate::dimension::Dimension;
use crate::facts::Dims;
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn det<D: Dimension>(Det { x }: Det<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = x.dims()?;
    let [stack @ .., rows, columns] = dims else {
        return Err(Problem::rank(
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
