//! Rules that stretch dimensions of the size 1 to those of another tensor, and the products of matrices.

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Input, Outputs, UnknownCause};
use crate::rules::Arguments;
use crate::rules::given::{mismatch, rank};
use crate::rules::grid::{Grid, moved};
use crate::rules::layout::size;

type Done = Result<(), Problem<'static>>;

/// The common size of two.
///
/// # Errors
/// There is none (`None`), or it is not known which of the two it is.
pub(super) fn common<D: Dimension>(left: &D, right: &D) -> Result<D, Option<UnknownCause>> {
    match (left.known(), right.known()) {
        (Some(1), _) => Ok(right.clone()),
        (_, Some(1)) => Ok(left.clone()),
        (Some(left), Some(right)) if left != right => Err(None),
        // What is stretched to a size above 1 has that size, whatever it is: it was 1, or the size itself.
        (Some(_), _) => Ok(left.clone()),
        (_, Some(_)) => Ok(right.clone()),
        (None, None) if left.same_as(right) => Ok(left.clone()),
        // What is not even itself is unknown, and tells why.
        (None, None) if !left.same_as(left) => Ok(left.clone()),
        (None, None) if !right.same_as(right) => Ok(right.clone()),
        (None, None) => Err(Some(UnknownCause::MayDiffer)),
    }
}

/// Why there is no common size.
enum NoSize {
    /// It is not known.
    Open(UnknownCause),
    /// These two differ, and neither is 1.
    Differ(Option<u64>, Option<u64>),
}

impl NoSize {
    fn because(self) -> UnknownCause {
        match self {
            Self::Open(because) => because,
            Self::Differ(..) => UnknownCause::MayDiffer,
        }
    }
}

/// The size along an axis, counted from the last one, of several tensors that are stretched to each other.
fn stretched<'a, D: Dimension + 'a>(
    inputs: &(impl Iterator<Item = Input<'a, D>> + Clone),
    from_last: usize,
) -> Result<D, NoSize> {
    let mut found: Option<D> = None;
    let mut open = None;
    for input in inputs.clone() {
        let Some(dims) = input.fact.dims else { return Err(NoSize::Open(UnknownCause::Dims(input.index))) };
        let Some(dim) = dims.len().checked_sub(from_last + 1).and_then(|at| dims.get(at)) else { continue };
        match found.as_ref().map(|found| common(found, dim)) {
            None => found = Some(dim.clone()),
            Some(Ok(dim)) => found = Some(dim),
            Some(Err(None)) => return Err(NoSize::Differ(found.and_then(|found| found.known()), dim.known())),
            // A later number settles it.
            Some(Err(Some(because))) => open = Some(because),
        }
    }
    let settled = found.as_ref().is_some_and(|found| found.known().is_some_and(|size| size != 1));
    match open.filter(|_| !settled) {
        Some(because) => Err(NoSize::Open(because)),
        None => found.ok_or(NoSize::Open(UnknownCause::Dims(usize::MAX))),
    }
}

/// Gives the dimensions of tensors that are stretched to each other.
fn give<'a, D: Dimension + 'a>(
    given: &Arguments<'_, D>,
    inputs: &(impl Iterator<Item = Input<'a, D>> + Clone),
    outputs: &mut dyn Outputs<D>,
) -> Done {
    let mut rank = 0;
    for input in inputs.clone() {
        let Some(dims) = input.fact.dims else { return given.unknown(outputs, UnknownCause::Dims(input.index)) };
        rank = rank.max(dims.len());
    }
    for from_last in 0..rank {
        if let Err(NoSize::Differ(left, right)) = stretched(inputs, from_last) {
            return Err(mismatch("the inputs have different sizes along an axis, and neither is 1", left, right));
        }
    }
    let dim = |at: usize| stretched(inputs, rank - 1 - at).map_err(NoSize::because);
    given.give(outputs, Dims::Each(rank, &dim));
    Ok(())
}

/// `broadcast(inputs...)`: the dimensions of the inputs stretched to each other.
pub(super) fn broadcast<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    give(given, &given.rest(0), outputs)
}

/// `expand(input, shape)`: the dimensions of a tensor and those that the elements of `shape` are, stretched to each other.
pub(super) fn expand<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let numbers = match given.numbers(1) {
        Ok(Some(numbers)) => numbers,
        Ok(None) => return Ok(()),
        Err(because) => {
            match given.length(1) {
                Some(length) => {
                    let rank = length.max(dims.len());
                    let own = |at: usize| (at + dims.len()).checked_sub(rank).and_then(|at| dims.get(at));
                    // As below: what is 2 or more stays.
                    let stays = |dim: &&D| dim.known().is_some_and(|size| size > 1);
                    given.give(outputs, Dims::Each(rank, &|at| own(at).filter(stays).cloned().ok_or(because)));
                }
                None => given.give(outputs, Dims::Unknown(because)),
            }
            return Ok(());
        }
    };
    let rank = dims.len().max(numbers.len());
    let because = given.because_of(1);
    let own = |at: usize| (at + dims.len()).checked_sub(rank).and_then(|at| dims.get(at));
    let asked = |at: usize| match (at + numbers.len()).checked_sub(rank) {
        None => Ok(D::from(1)),
        Some(at) => numbers.get(at).and_then(size).ok_or(because),
    };
    let dim = |at: usize| match (own(at), asked(at)) {
        (None, asked) => asked.map_err(Some),
        (Some(own), Ok(asked)) => common(own, &asked),
        // A number of 2 or more can only be stretched to itself.
        (Some(own), Err(_)) if own.known().is_some_and(|size| size > 1) => Ok(own.clone()),
        (_, Err(because)) => Err(Some(because)),
    };
    for at in 0..rank {
        if let Err(None) = dim(at) {
            let asked = asked(at).ok().and_then(|asked| asked.known());
            return Err(mismatch(
                "a size is asked for that the tensor cannot be stretched to",
                own(at).and_then(D::known),
                asked,
            ));
        }
    }
    given.give(outputs, Dims::Each(rank, &|at| dim(at).map_err(|because| because.unwrap_or(UnknownCause::MayDiffer))));
    let to = Grid::new(rank, |at| dim(at).ok()?.known());
    let before = rank - dims.len();
    moved(given, outputs, 0, to, |coordinate, axis| {
        let stretched = dims.get(axis).and_then(D::known) == Some(1);
        Some(if stretched { 0 } else { coordinate(before + axis) })
    });
    Ok(())
}

/// `matmul(A, B)`: the product of the last two axes, the others stretched to each other; a vector is a row on the left
/// and a column on the right.
pub(super) fn matmul<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let (a, b) = match (given.dims(0), given.dims(1)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(because), _) | (_, Err(because)) => return given.unknown(outputs, because),
    };
    let ([a_rest @ .., inner_a], [b_rest @ .., b_last]) = (a, b) else {
        return Err(rank("a scalar has no product of matrices", Detail::Text("1 dimension or more"), 0));
    };
    let (b_batch, inner_b) = match b_rest {
        [batch @ .., inner] => (batch, inner),
        [] => (&[] as &[D], b_last),
    };
    if !inner_a.may_equal(inner_b) {
        let message = "the columns of the first and the rows of the second differ in number";
        return Err(mismatch(message, inner_a.known(), inner_b.known()));
    }
    let (a_batch, row) = match a_rest {
        [batch @ .., row] => (batch, Some(row)),
        [] => (&[] as &[D], None),
    };
    let column = (b.len() > 1).then_some(b_last);
    let batch = a_batch.len().max(b_batch.len());
    let of = |dims: &[D], at: usize| (at + dims.len()).checked_sub(batch).and_then(|at| dims.get(at)).cloned();
    let dim = |at: usize| match (of(a_batch, at), of(b_batch, at)) {
        (Some(a), Some(b)) => common(&a, &b),
        (one, other) => one.or(other).ok_or(Some(UnknownCause::Dims(usize::MAX))),
    };
    for at in 0..batch {
        if let Err(None) = dim(at) {
            let side = |dims| of(dims, at).and_then(|dim| dim.known());
            return Err(mismatch(
                "the stacks of matrices have different sizes, and neither is 1",
                side(a_batch),
                side(b_batch),
            ));
        }
    }
    let rank = batch + usize::from(row.is_some()) + usize::from(column.is_some());
    let all = |at: usize| match at.checked_sub(batch) {
        None => dim(at).map_err(|because| because.unwrap_or(UnknownCause::MayDiffer)),
        Some(0) if row.is_some() => row.cloned().ok_or(UnknownCause::Dims(usize::MAX)),
        Some(_) => column.cloned().ok_or(UnknownCause::Dims(usize::MAX)),
    };
    given.give(outputs, Dims::Each(rank, &all));
    Ok(())
}

/// `gemm(A, B, transA, transB)`: the product of two matrices, either of them transposed first.
pub(super) fn gemm<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let side = |parameter: usize| -> Result<Result<(D, D), UnknownCause>, Problem<'static>> {
        let turned = given.int(parameter + 2).unwrap_or(0) != 0;
        Ok(match given.dims(parameter) {
            Err(because) => Err(because),
            Ok([rows, columns]) if turned => Ok((columns.clone(), rows.clone())),
            Ok([rows, columns]) => Ok((rows.clone(), columns.clone())),
            Ok(dims) => return Err(rank("not a matrix", Detail::Text("2 dimensions"), dims.len())),
        })
    };
    let (a, b) = (side(0)?, side(1)?);
    if let (Ok((_, columns)), Ok((rows, _))) = (&a, &b)
        && !columns.may_equal(rows)
    {
        let message = "the columns of the first and the rows of the second differ in number";
        return Err(mismatch(message, columns.known(), rows.known()));
    }
    let dim = |at: usize| match at {
        0 => a.as_ref().map(|(rows, _)| rows.clone()).map_err(|because| *because),
        _ => b.as_ref().map(|(_, columns)| columns.clone()).map_err(|because| *because),
    };
    given.give(outputs, Dims::Each(2, &dim));
    Ok(())
}
