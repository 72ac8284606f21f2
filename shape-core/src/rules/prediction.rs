//! What classical models predict for the rows of a table, of which a 1-D tensor is one row.

use super::arguments::Count;
use super::parameters::{Prediction, PredictionScores};
use super::refuse::rank_not;
use super::{Done, Output};
use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Input, UnknownCause};

/// The rows of a table.
fn rows<D: Dimension>(table: &Input<'_, D>) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    Ok(match table.dims() {
        Err(cause) => Err(cause),
        Ok([_]) => Ok(D::from(1)),
        Ok([rows, _]) => Ok(rows.clone()),
        Ok(dims) => {
            return Err(rank_not("a table has rows and columns", Detail::Text("1 or 2 dimensions"), dims.len()));
        }
    })
}

pub(super) fn prediction<D: Dimension>(Prediction { x }: Prediction<'_, D>, output: &mut Output<'_, D>) -> Done {
    output.each_dim(&[rows(&x)?]);
    Ok(())
}

pub(super) fn prediction_scores<D: Dimension>(
    PredictionScores { x, count, or }: PredictionScores<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let scores = match count.or(or) {
        Some(Count::Number(number)) => u64::try_from(number).map(D::from).map_err(|_| UnknownCause::Data),
        Some(Count::Listed(labels @ 2..)) => Ok(D::from(labels)),
        Some(Count::Listed(_)) | None => Err(UnknownCause::Data),
    };
    output.each_dim(&[rows(&x)?, scores]);
    Ok(())
}
