//! Products of matrices.

use super::broadcast::common;
use super::parameters::{Gemm, Matmul};
use super::refuse::mismatch;
use crate::dimension::Dimension;
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

const INNER: &str = "the first matrix has another number of columns than the second one has rows";

/// A factor: the axes before its matrices, and the rows and columns of these. A left one that is 1-D has no rows, a right one
/// no columns.
struct Factor<'d, D> {
    batch: &'d [D],
    rows: Option<&'d D>,
    columns: Option<&'d D>,
}

impl<'d, D> Factor<'d, D> {
    /// `transposed` matrices have the columns first; where the batch is `within`, it stands between the two.
    fn of(dims: &'d [D], is_left: bool, transposed: bool, within: bool) -> Result<Self, Problem<'static>> {
        let (batch, first, second) = match dims {
            [] => {
                return Err(Problem::rank(
                    "an input is a scalar; it must have at least 1 dimension",
                    Detail::Text("1 dimension or more"),
                    0,
                ));
            }
            [inner] if is_left => return Ok(Self { batch: &[], rows: None, columns: Some(inner) }),
            [inner] => return Ok(Self { batch: &[], rows: Some(inner), columns: None }),
            [first, batch @ .., second] if within => (batch, first, second),
            [batch @ .., first, second] => (batch, first, second),
        };
        let (rows, columns) = if transposed { (second, first) } else { (first, second) };
        Ok(Self { batch, rows: Some(rows), columns: Some(columns) })
    }
}

/// One of two descriptions of the same thing.
fn either<T>(one: Result<T, UnknownCause>, other: Result<T, UnknownCause>) -> Result<T, UnknownCause> {
    one.or_else(|cause| other.map_err(|_| cause))
}

pub(super) fn matmul<D: Dimension>(
    Matmul { a, b, trans_a, trans_b, trans_batch_a, trans_batch_b }: Matmul<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    output.multiply_adds_of_each(&|| {
        let columns = a.dims().map(|dims| Factor::of(dims, true, trans_a, trans_batch_a).ok()?.columns.cloned());
        let rows = b.dims().map(|dims| Factor::of(dims, false, trans_b, trans_batch_b).ok()?.rows.cloned());
        either(columns, rows)?.ok_or(UnknownCause::NotGiven)
    });
    let (a, b) = (a.dims()?, b.dims()?);
    let Factor { batch: a_batch, rows: row, columns: inner_a } = Factor::of(a, true, trans_a, trans_batch_a)?;
    let Factor { batch: b_batch, rows: inner_b, columns: column } = Factor::of(b, false, trans_b, trans_batch_b)?;
    if let (Some(inner_a), Some(inner_b)) = (inner_a, inner_b) {
        if !inner_a.may_equal(inner_b) {
            return Err(mismatch(INNER, inner_a.known(), inner_b.known()).into());
        }
        output.implies_equal(inner_a, inner_b);
    }
    let batch = a_batch.len().max(b_batch.len());
    let of = |dims: &[D], at: usize| (at + dims.len()).checked_sub(batch).and_then(|at| dims.get(at)).cloned();
    let dim = |at: usize| match (of(a_batch, at), of(b_batch, at)) {
        (Some(a), Some(b)) => common(&a, &b),
        (one, other) => one.or(other).ok_or(Some(UnknownCause::NotGiven)),
    };
    for at in 0..batch {
        if let Err(None) = dim(at) {
            let side = |dims| of(dims, at).and_then(|dim| dim.known());
            let message = "the batch dimensions cannot be broadcast: two sizes differ, and neither is 1";
            return Err(mismatch(message, side(a_batch), side(b_batch)).into());
        }
    }
    let rank = batch + usize::from(row.is_some()) + usize::from(column.is_some());
    let all = |at: usize| match at.checked_sub(batch) {
        None => dim(at).map_err(|cause| cause.unwrap_or(UnknownCause::MayDiffer)),
        Some(0) if row.is_some() => row.cloned().ok_or(UnknownCause::NotGiven),
        Some(_) => column.cloned().ok_or(UnknownCause::NotGiven),
    };
    output.dims(Dims::Each(rank, &all));
    Ok(())
}

pub(super) fn gemm<D: Dimension>(Gemm { a, b, trans_a, trans_b }: Gemm<'_, D>, output: &mut Output<'_, D>) -> Done {
    let side = |input: &Input<'_, D>, transposed: bool| -> Result<Result<(D, D), UnknownCause>, Problem<'static>> {
        Ok(match input.dims() {
            Err(cause) => Err(cause),
            Ok([rows, columns]) if transposed => Ok((columns.clone(), rows.clone())),
            Ok([rows, columns]) => Ok((rows.clone(), columns.clone())),
            Ok(dims) => {
                return Err(Problem::rank("an input is not a matrix", Detail::Text("2 dimensions"), dims.len()));
            }
        })
    };
    output.multiply_adds_of_each(&|| {
        let [columns, rows] = [(&a, !trans_a), (&b, trans_b)].map(|(input, at)| input.dim(usize::from(at)));
        either(columns, rows)
    });
    let (a, b) = (side(&a, trans_a)?, side(&b, trans_b)?);
    if let (Ok((_, columns)), Ok((rows, _))) = (&a, &b) {
        if !columns.may_equal(rows) {
            return Err(mismatch(INNER, columns.known(), rows.known()).into());
        }
        output.implies_equal(columns, rows);
    }
    output.each_dim(&[a.map(|(rows, _)| rows), b.map(|(_, columns)| columns)]);
    Ok(())
}
