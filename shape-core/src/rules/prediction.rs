//! Predictions of classical models for the rows of a table.

use super::parameters::{Prediction, PredictionScores};
use crate::dimension::Dimension;
use crate::facts::{Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::Count;
use crate::rule::{Done, Output};

/// The rows of a table; a list may be one row.
fn rows<D: Dimension>(table: &Input<'_, D>, list: bool) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    Ok(match table.dims() {
        Err(cause) => Err(cause),
        Ok([_]) if list => Ok(D::from(1)),
        Ok([rows, _]) => Ok(rows.clone()),
        Ok(dims) => {
            let expected = if list { "1 or 2 dimensions" } else { "2 dimensions" };
            return Err(Problem::rank(
                "the input must be a table with rows and columns",
                Detail::Text(expected),
                dims.len(),
            ));
        }
    })
}

pub(super) fn prediction<D: Dimension>(Prediction { list, x }: Prediction<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.each_dim(&[rows(&x, list)?]);
    Ok(())
}

pub(super) fn prediction_scores<D: Dimension>(
    PredictionScores { list, x, count, or }: PredictionScores<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let scores = match count.or(or) {
        Some(Count::Number(number)) => u64::try_from(number).map(D::from).map_err(|_| UnknownCause::Data),
        Some(Count::Listed(labels @ 2..)) => Ok(D::from(labels)),
        Some(Count::Listed(_)) | None => Err(UnknownCause::Data),
    };
    output.each_dim(&[rows(&x, list)?, scores]);
    Ok(())
}
