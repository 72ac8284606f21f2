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
        return Err(
            Problem::rank("a matrix has rows and columns", Detail::Text("2 dimensions or more"), dims.len()).into()
        );
    };
    if !rows.may_equal(columns) {
        return Err(mismatch("a matrix is not square", rows.known(), columns.known()).into());
    }
    output.dims(Dims::Known(stack));
    Ok(())
}
