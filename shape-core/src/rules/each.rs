//! Rules of operators whose outputs have dimensions from here and there: of inputs, of attributes, and of data.

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Outputs, Product, UnknownCause};
use crate::node::AttributeValue;
use crate::rules::Arguments;
use crate::rules::axes::axis;
use crate::rules::given::rank;

type Done = Result<(), Problem<'static>>;

/// `each(source?, place, ...)`: as many dimensions as there are pairs: of an input its dimension at the place, of an
/// attribute its number there, a number itself; without a source it depends on data.
pub(super) fn each<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let count = given.arguments() / 2;
    let place = |at: usize| given.int(2 * at + 1).and_then(|place| usize::try_from(place).ok()).unwrap_or(0);
    for at in 0..count {
        if let Ok(dims) = given.dims(2 * at)
            && dims.len() <= place(at)
        {
            let expected = Detail::Counted(place(at) as u64 + 1, "dimensions or more");
            return Err(rank("the input has too few dimensions", expected, dims.len()));
        }
    }
    let dim = |at: usize| match given.input(2 * at) {
        Some(_) => given.dim(2 * at, place(at)),
        None => given.entry(2 * at, place(at)),
    };
    given.give(outputs, Dims::Each(count, &dim));
    Ok(())
}

/// `some(X, axis?)`: as many places along an axis as data says, or a list of so many elements.
pub(super) fn some<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let Some(number) = given.int(1) else {
        given.give_each(outputs, &[Err(UnknownCause::Data)]);
        return Ok(());
    };
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let along = axis(number, dims.len())?;
    let dim = |at: usize| dims.get(at).filter(|_| at != along).cloned().ok_or(UnknownCause::Data);
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `count(X, axis?)`: a list, an entry for each place along an axis, or for each element.
pub(super) fn count<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let count = match (given.dims(0), given.int(1)) {
        (Err(because), _) => Err(because),
        (Ok(dims), Some(number)) => given.dim(0, axis(number, dims.len())?),
        (Ok(dims), None) => dims.iter().collect::<Product<D>>().finish().ok_or(UnknownCause::TooLarge),
    };
    given.give_each(outputs, &[count]);
    Ok(())
}

/// `insert(X, axis, count?, other?)`: an axis put in, of as many places as a number says or a list has entries; without either
/// data says how many.
pub(super) fn insert<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let rank = dims.len() + 1;
    let along = axis(given.int(1).unwrap_or(-1), rank)?;
    let count = given.counted(2);
    let dim = |at: usize| {
        if at == along {
            return count.clone();
        }
        dims.get(if at < along { at } else { at - 1 }).cloned().ok_or(UnknownCause::Dims(usize::MAX))
    };
    given.give(outputs, Dims::Each(rank, &dim));
    Ok(())
}

/// The rows of a table, of which a list is one.
fn rows_of<D: Dimension>(given: &Arguments<'_, D>) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    Ok(match given.dims(0) {
        Err(because) => Err(because),
        Ok([_]) => Ok(D::from(1)),
        Ok([rows, _]) => Ok(rows.clone()),
        Ok(dims) => return Err(rank("a table has rows and columns", Detail::Text("1 or 2 dimensions"), dims.len())),
    })
}

/// `rows(X)`: a number for each row of a table.
pub(super) fn rows<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.give_each(outputs, &[rows_of(given)?]);
    Ok(())
}

/// `columns(X, count?, other?)`: for each row of a table as many as a number says or a list has entries. What has one label
/// may have a column for its opposite, too.
pub(super) fn columns<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let listed =
        (1..given.arguments()).any(|parameter| !matches!(given.value(parameter), None | Some(AttributeValue::Int(_))));
    let count = given.counted(1).and_then(|count| match count.known() {
        Some(0 | 1) if listed => Err(UnknownCause::Data),
        _ => Ok(count),
    });
    given.give_each(outputs, &[rows_of(given)?, count]);
    Ok(())
}

/// `picked(X, places)`: along the last axis as many as there are places; a list is one row.
pub(super) fn picked<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok([]) => return Err(rank("a scalar has no axes", Detail::Text("1 dimension or more"), 0)),
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let count =
        given.dims(1).and_then(|places| places.iter().collect::<Product<D>>().finish().ok_or(UnknownCause::TooLarge));
    let rank = dims.len().max(2);
    let dim = |at: usize| match dims.get(at) {
        _ if at + 1 == rank => count.clone(),
        Some(dim) if dims.len() > 1 => Ok(dim.clone()),
        _ => Ok(D::from(1)),
    };
    given.give(outputs, Dims::Each(rank, &dim));
    Ok(())
}

/// `counts(X, indexes)`: in place of the last axis one place for each index up to the largest that is listed.
pub(super) fn counts<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) if matches!(dims.len(), 1 | 2) => dims,
        Ok(dims) => {
            return Err(rank("words stand in a row or in several", Detail::Text("1 or 2 dimensions"), dims.len()));
        }
        Err(because) => return given.unknown(outputs, because),
    };
    let listed = given.numbers(1).ok().flatten();
    let largest = listed.and_then(|list| (0..list.len()).filter_map(|at| list.int(at)).max());
    let count = largest.and_then(|largest| u64::try_from(largest).ok()?.checked_add(1)).map(D::from);
    let dim = |at: usize| {
        if at + 1 == dims.len() { count.clone().ok_or(UnknownCause::Data) } else { given.dim(0, at) }
    };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `updated(groups, inputs...)`: of as many groups of tensors, each with its own second one, the first and all from the
/// third on.
pub(super) fn updated<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let groups = given.int(0).and_then(|groups| usize::try_from(groups).ok()).unwrap_or(1).max(1);
    let (first, count) = given.span(1);
    let each = count / groups;
    let (part, _) = given.part();
    // The second group are the gradients, which nothing is made of.
    let index = if part < each { part } else { part.saturating_add(each) };
    match given.placed(first.saturating_add(index)) {
        Ok(dims) if index < count => given.give(outputs, Dims::Known(dims)),
        Err(because) if index < count => given.give(outputs, Dims::Unknown(because)),
        _ => given.give(outputs, Dims::Unknown(UnknownCause::Dims(usize::MAX))),
    }
    Ok(())
}

/// `pixels(format)`: a height and a width that lie in the data, and a place for each colour.
pub(super) fn pixels<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let colours = D::from(if given.text(0) == b"Grayscale" { 1 } else { 3 });
    given.give_each(outputs, &[Err(UnknownCause::Data), Err(UnknownCause::Data), Ok(colours)]);
    Ok(())
}
