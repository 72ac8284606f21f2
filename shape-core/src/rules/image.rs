//! Rules of operators that look at images, places in them and parts of them; and of losses.

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Outputs, UnknownCause};
use crate::rules::Arguments;
use crate::rules::axes::{Axes, axes};
use crate::rules::given::{mismatch, rank};
use crate::rules::layout::size;

type Done = Result<(), Problem<'static>>;

/// `grid_sample(X, grid)`: the batch, the channels, and the places of the grid.
pub(super) fn grid_sample<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let rank = match (given.dims(0), given.dims(1)) {
        (Ok(x), Ok(grid)) if x.len() != grid.len() => {
            let expected = Detail::Counted(x.len() as u64, "dimensions");
            return Err(rank("the grid has another rank than the tensor", expected, grid.len()));
        }
        (Ok(dims), _) | (_, Ok(dims)) if dims.len() < 3 => {
            let message = "there is a batch, channels and space";
            return Err(rank(message, Detail::Text("3 dimensions or more"), dims.len()));
        }
        (Ok(dims), _) | (_, Ok(dims)) => dims.len(),
        (Err(because), Err(_)) => return given.unknown(outputs, because),
    };
    let space = D::from((rank - 2) as u64);
    if let Ok(places) = given.dim(1, rank - 1)
        && !places.may_equal(&space)
    {
        let message = "a place in the grid has another number of axes than there are of space";
        return Err(mismatch(message, space.known(), places.known()));
    }
    let batch = given.shared(&[(0, 0), (1, 0)], "the tensor and the grid are of different batches")?;
    let dim = |at: usize| match at {
        0 => batch.clone(),
        1 => given.dim(0, 1),
        at => given.dim(1, at - 1),
    };
    given.give(outputs, Dims::Each(rank, &dim));
    Ok(())
}

/// `affine_grid(theta, size)`: the batch and the space that are asked for, and for each place as many numbers as axes of
/// space.
pub(super) fn affine_grid<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.ranked(0, 3, "there is a matrix for each of a batch")?;
    let rows = given.dim(0, 1).ok().and_then(|rows| usize::try_from(rows.known()?).ok());
    let Some(rank) = given.length(1).or_else(|| rows?.checked_add(2)) else {
        let because = given.because_of(1);
        return given.unknown(outputs, because);
    };
    if rank != 4 && rank != 5 {
        return Err(self::rank("a size has a batch, channels and space", Detail::Text("4 or 5 numbers"), rank));
    }
    if let Some(rows) = rows.filter(|rows| rows + 2 != rank) {
        let message = "the matrices are of another number of axes of space";
        return Err(mismatch(message, Some(rank as u64 - 2), Some(rows as u64)));
    }
    let asked = given.numbers(1);
    let because = given.because_of(1);
    let asked = |at: usize| match &asked {
        Err(because) => Err(*because),
        Ok(asked) => asked.and_then(|asked| asked.get(at)).and_then(size).ok_or(because),
    };
    let dim = |at: usize| match at {
        0 => asked(0).or_else(|because| given.dim(0, 0).map_err(|_| because)),
        at if at + 1 == rank => Ok(D::from(rank as u64 - 2)),
        at => asked(at + 1),
    };
    given.give(outputs, Dims::Each(rank, &dim));
    Ok(())
}

/// `fit(X, shape, axes?)`: with the sizes that are asked for along the axes.
pub(super) fn fit<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let axes = axes(given, 2, dims.len(), true)?;
    let count = axes.count(dims.len());
    if let Some(found) = given.length(1).filter(|found| *found != count && !matches!(axes, Axes::Open(..))) {
        let expected = Detail::Counted(count as u64, "numbers");
        return Err(rank("there are other numbers of sizes and of axes", expected, found));
    }
    let asked = given.numbers(1);
    let because = given.because_of(1);
    let dim = |at: usize| match (&axes, axes.place(at)) {
        (Axes::Open(because, _), _) => Err(*because),
        (_, None) => given.dim(0, at),
        (_, Some(place)) => match &asked {
            Err(because) => Err(*because),
            Ok(asked) => asked.and_then(|asked| asked.get(place)).and_then(size).ok_or(because),
        },
    };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `det(X)`: a number for each of a stack of square matrices.
pub(super) fn det<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let [stack @ .., rows, columns] = dims else {
        return Err(rank("a matrix has rows and columns", Detail::Text("2 dimensions or more"), dims.len()));
    };
    if !rows.may_equal(columns) {
        return Err(mismatch("a matrix is not square", rows.known(), columns.known()));
    }
    given.give(outputs, Dims::Known(stack));
    Ok(())
}

/// `loss(scores, labels, reduction)`: one number, or one for each label where nothing is reduced.
pub(super) fn loss<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let (scores, labels) = (given.dims(0), given.dims(1));
    if let Ok(scores) = scores {
        if scores.len() < 2 {
            return Err(rank("scores have a batch and classes", Detail::Text("2 dimensions or more"), scores.len()));
        }
        given.ranked(1, scores.len() - 1, "the labels have not one axis less than the scores")?;
    }
    let message = "the scores and the labels have different sizes";
    let own = |at: usize| given.shared(&[(1, at), (0, if at == 0 { 0 } else { at + 1 })], message);
    let rank = labels.map(<[D]>::len).or_else(|_| scores.map(|scores| scores.len() - 1));
    for at in 0..rank.unwrap_or(0) {
        _ = own(at)?;
    }
    match rank {
        _ if given.text(2) != b"none" => given.give(outputs, Dims::Known(&[])),
        Err(because) => given.give(outputs, Dims::Unknown(because)),
        Ok(rank) => given.give(outputs, Dims::Each(rank, &|at| own(at).unwrap_or(Err(UnknownCause::MayDiffer)))),
    }
    Ok(())
}
