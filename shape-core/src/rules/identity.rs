//! Outputs with the dimensions of an input.

use super::parameters::{Identity, Same};
use crate::dimension::Dimension;
use crate::facts::Dims;
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn same<D: Dimension>(Same { x, least, most }: Same<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = x.dims()?;
    let rank = i64::try_from(dims.len()).unwrap_or(i64::MAX);
    if let Some(least) = least.known().filter(|least| rank < *least) {
        let expected = Detail::Counted(least.unsigned_abs(), "dimensions or more");
        return Err(Problem::rank("the input has too few dimensions", expected, dims.len()).into());
    }
    if let Some(most) = most.and_then(|most| most.known()).filter(|most| rank > *most) {
        let expected = Detail::Counted(most.unsigned_abs(), "dimensions or fewer");
        return Err(Problem::rank("the input has too many dimensions", expected, dims.len()).into());
    }
    output.dims(Dims::Known(dims));
    Ok(())
}

pub(super) fn identity<D: Dimension>(Identity { x }: Identity<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.elements_of(&x);
    output.dims(Dims::Known(x.dims()?));
    Ok(())
}
