//! Rules that put the dimensions of their inputs in another order, or side by side.

use crate::check::{Detail, Problem};
use crate::code::Code;
use crate::dims::{Dimension, Dims, LARGEST, Outputs, Product, UnknownCause};
use crate::elements::Scalar;
use crate::rules::Arguments;
use crate::rules::axes::{Axes, axes, axis};
use crate::rules::given::{mismatch, rank, shared_out};
use crate::rules::grid::{Grid, moved, nothing, placed};

type Done = Result<(), Problem<'static>>;

/// `same(X)`: the dimensions of X.
pub(super) fn same<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    match given.dims(0) {
        Ok(dims) => given.give(outputs, Dims::Known(dims)),
        Err(because) => given.give(outputs, Dims::Unknown(because)),
    }
    Ok(())
}

/// `identity(X)`: X as it is.
pub(super) fn identity<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.give_elements_of(outputs, 0);
    same(given, outputs)
}

/// `size_of(X)`: a scalar, how many elements X has.
pub(super) fn size_of<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.give(outputs, Dims::Known(&[]));
    match given.dims(0) {
        Err(because) => given.give_elements(outputs, Err(because)),
        Ok(dims) => match dims.iter().collect::<Product<D>>().finish() {
            Some(count) => given.give_elements(outputs, Ok((1, &|_| Scalar::size(count.clone())))),
            None => given.give_elements(outputs, Err(UnknownCause::TooLarge)),
        },
    }
    Ok(())
}

/// `scalar()`: none.
pub(super) fn scalar<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.give(outputs, Dims::Known(&[]));
    Ok(())
}

/// `sizes(shape, rank?)`: those that the elements of `shape` are, of which there may be a fixed number.
pub(super) fn sizes<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let numbers = match given.numbers(0) {
        Ok(Some(numbers)) => numbers,
        Ok(None) => return Ok(()),
        Err(because) => {
            match given.length(0).or_else(|| usize::try_from(given.int(1)?).ok()) {
                Some(rank) => given.give(outputs, Dims::Each(rank, &|_| Err(because))),
                None => given.give(outputs, Dims::Unknown(because)),
            }
            return Ok(());
        }
    };
    for index in 0..numbers.len() {
        if let Some(value) = numbers.int(index).filter(|size| *size < 0) {
            return Err(Problem::Refused {
                code: Code::DimsNegative,
                message: "a dimension is asked for that is negative",
                expected: Detail::Text("sizes of at least 0"),
                found: Detail::Entry { index, value },
            });
        }
    }
    let size = |index: usize| {
        let because = given.because_of(0);
        numbers.get(index).and_then(size).ok_or(because)
    };
    given.give(outputs, Dims::Each(numbers.len(), &size));
    Ok(())
}

/// A float without what comes behind its point, where that is a size.
pub(super) fn whole(number: f64) -> Option<u64> {
    (0.0..=LARGEST as f64).contains(&number).then_some(number as u64)
}

/// An element as a dimension.
pub(super) fn size<D: Dimension>(scalar: Scalar<D>) -> Option<D> {
    match scalar {
        Scalar::Int(number) => u64::try_from(number).ok().map(D::from),
        Scalar::Size(size) | Scalar::Expression(size) => Some(size),
        // A dimension may tell why it is unknown.
        Scalar::Unknown(reason) => D::unknown(reason),
        Scalar::Float(number) => whole(number).filter(|size| *size as f64 == number).map(D::from),
        Scalar::Bool(_) => None,
    }
}

/// `concat(axis, inputs...)`: the dimensions of the inputs, which are the same but along one axis, where they add up.
pub(super) fn concat<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let inputs = given.rest(1);
    let Some(first) = inputs.clone().find_map(|input| input.fact.dims) else {
        let unknown =
            inputs.clone().next().map_or(UnknownCause::Dims(usize::MAX), |input| UnknownCause::Dims(input.index));
        return given.unknown(outputs, unknown);
    };
    let along = axis(given.int(0).unwrap_or(1), first.len())?;
    for input in inputs.clone() {
        let Some(dims) = input.fact.dims else { continue };
        if dims.len() != first.len() {
            return Err(rank(
                "inputs to be joined have different ranks",
                Detail::Counted(first.len() as u64, "dimensions"),
                dims.len(),
            ));
        }
        let differ =
            first.iter().zip(dims).enumerate().find(|(at, (left, right))| *at != along && !left.may_equal(right));
        if let Some((_, (left, right))) = differ {
            return Err(mismatch("inputs to be joined differ in another axis", left.known(), right.known()));
        }
    }
    let dim = |at: usize| {
        let of = |input: crate::dims::Input<'_, D>| {
            input.fact.dims.and_then(|dims| dims.get(at)).cloned().ok_or(UnknownCause::Dims(input.index))
        };
        if at != along {
            // The one that says most: a number before all others.
            let known = inputs.clone().filter_map(|input| of(input).ok());
            return known
                .reduce(|left, right| {
                    if left.known().is_some() {
                        left
                    } else if right.known().is_some() {
                        right
                    } else {
                        left
                    }
                })
                .ok_or(UnknownCause::Dims(usize::MAX));
        }
        let mut sum = D::from(0);
        for input in inputs.clone() {
            sum = sum.add(&of(input)?).ok_or(UnknownCause::TooLarge)?;
        }
        Ok(sum)
    };
    given.give(outputs, Dims::Each(first.len(), &dim));
    match first.len() {
        1 => joined(given, outputs),
        rank => stacked(given, outputs, along, Grid::new(rank, |at| dim(at).ok()?.known())),
    }
    Ok(())
}

/// The elements of lists, one list behind the other.
fn joined<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) {
    let length = |input: &crate::dims::Input<'_, D>| input.fact.elements.map_or(0, |elements| elements.len());
    let count = given.rest(1).fold(0_usize, |count, input| count.saturating_add(length(&input)));
    let unknown = given.rest(1).find(|input| input.fact.elements.is_none());
    if let Some(unknown) = unknown {
        given.give_elements(outputs, Err(UnknownCause::Elements(unknown.index)));
        return;
    }
    let each = |index: usize| {
        let mut index = index;
        for input in given.rest(1) {
            let length = length(&input);
            if index < length {
                return input.fact.elements.and_then(|elements| elements.get(index)).unwrap_or(Scalar::Int(0));
            }
            index -= length;
        }
        Scalar::Int(0)
    };
    given.give_elements(outputs, Ok((count, &each)));
}

/// The elements of tensors, one tensor behind the other along an axis.
fn stacked<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>, along: usize, to: Option<Grid>) {
    let unknown = given.rest(1).find(|input| placed(input).is_none());
    let Some(to) = to.filter(|_| unknown.is_none()) else {
        let because = unknown.map_or(usize::MAX, |input| input.index);
        return given.give_elements(outputs, Err(UnknownCause::Elements(because)));
    };
    let each = |index: usize| {
        let mut at = to.coordinate(index, along);
        for (elements, grid) in given.rest(1).filter_map(|input| placed(&input)) {
            let Some(behind) = at.checked_sub(grid.size(along)) else {
                let place = grid.place(|axis| Some(if axis == along { at } else { to.coordinate(index, axis) }));
                return place.and_then(|place| elements.get(place)).unwrap_or_else(nothing);
            };
            at = behind;
        }
        nothing()
    };
    given.give_elements(outputs, Ok((to.count(), &each)));
}

/// `split(input, axis, split?, num_outputs?)`: the parts of a tensor along an axis: of the given sizes, or of equal ones
/// and a smaller last one.
pub(super) fn split<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let along = axis(given.int(1).unwrap_or(0), dims.len())?;
    let whole = dims.get(along).cloned().unwrap_or_else(|| D::from(0));
    let (part, parts) = given.part();
    let count = given.int(3).and_then(|count| u64::try_from(count).ok()).unwrap_or(parts as u64);
    let each = whole.known().map(|whole| whole.div_ceil(count.max(1)));
    let own = match given.numbers(2) {
        Err(because) => Err(because),
        Ok(Some(numbers)) => {
            if numbers.len() != parts {
                return Err(Problem::Refused {
                    code: Code::DimsMismatch,
                    message: "there are other numbers of sizes and of outputs",
                    expected: Detail::Counted(parts as u64, "sizes"),
                    found: Detail::Counted(numbers.len() as u64, "sizes"),
                });
            }
            let sum = (0..parts).try_fold(0_i64, |sum, index| sum.checked_add(numbers.int(index)?));
            if let (Some(sum), Some(whole)) = (sum.and_then(|sum| u64::try_from(sum).ok()), whole.known())
                && sum != whole
            {
                return Err(mismatch("the sizes of the parts do not add up to the axis", Some(whole), Some(sum)));
            }
            let because = given.because_of(2);
            numbers.get(part).and_then(size).ok_or(because)
        }
        Ok(None) => match whole.known().zip(each) {
            // Before there was a number of outputs, the parts had to be equal.
            Some((whole, _)) if given.int(3).is_none() && whole.checked_rem(count) != Some(0) => {
                return Err(mismatch("the axis cannot be split into equal parts", Some(whole), Some(count)));
            }
            Some((whole, each)) => {
                let rest = whole.saturating_sub(each.saturating_mul(part as u64));
                Ok(D::from(each.min(rest)))
            }
            None if count == 1 => Ok(whole),
            None => match given.int(3) {
                None => shared_out(&whole, &D::from(count)),
                Some(_) => whole.div_exact(&D::from(count)),
            }
            .ok_or(UnknownCause::Dims(given.input(0).map_or(usize::MAX, |input| input.index))),
        },
    };
    let dim = |at: usize| match dims.get(at) {
        Some(dim) if at != along => Ok(dim.clone()),
        _ => own.clone(),
    };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    let before = match given.numbers(2).ok().flatten() {
        Some(numbers) => (0..part).try_fold(0_i64, |sum, index| sum.checked_add(numbers.int(index)?)),
        None => each.zip(i64::try_from(part).ok()).and_then(|(each, part)| i64::try_from(each).ok()?.checked_mul(part)),
    };
    let before = before.and_then(|before| usize::try_from(before).ok());
    let to = Grid::new(dims.len(), |at| dim(at).ok()?.known());
    moved(given, outputs, 0, to, |coordinate, axis| {
        let at = coordinate(axis);
        if axis == along { at.checked_add(before?) } else { Some(at) }
    });
    Ok(())
}

/// `squeeze(data, axes?)`: without the axes, each of which has the size 1; without any named, all of that size.
pub(super) fn squeeze<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.give_elements_of(outputs, 0);
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let axes = axes(given, 1, dims.len(), true)?;
    let goes = |at: usize, dim: &D| match &axes {
        Axes::All => dim.known() == Some(1),
        axes => axes.has(at),
    };
    match &axes {
        Axes::Open(because, count) => {
            match count.and_then(|count| dims.len().checked_sub(count)) {
                Some(rank) => given.give(outputs, Dims::Each(rank, &|_| Err(*because))),
                None => given.give(outputs, Dims::Unknown(*because)),
            }
            return Ok(());
        }
        // A symbol may be 1, so that even the rank is open.
        Axes::All if dims.iter().any(|dim| dim.known().is_none()) => {
            return given.unknown(outputs, UnknownCause::Dims(given.input(0).map_or(usize::MAX, |input| input.index)));
        }
        Axes::Listed(..) => {
            let large =
                dims.iter().enumerate().find(|(at, dim)| axes.has(*at) && dim.known().is_some_and(|size| size != 1));
            if let Some((_, dim)) = large {
                return Err(mismatch("an axis that is to go has another size than 1", Some(1), dim.known()));
            }
        }
        Axes::All => {}
    }
    let stays = || dims.iter().enumerate().filter(|(at, dim)| !goes(*at, dim)).map(|(_, dim)| dim);
    let dim = |at: usize| stays().nth(at).cloned().ok_or(UnknownCause::Dims(usize::MAX));
    given.give(outputs, Dims::Each(stays().count(), &dim));
    Ok(())
}

/// `unsqueeze(data, axes)`: with an axis of the size 1 put in at each of the places.
pub(super) fn unsqueeze<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.give_elements_of(outputs, 0);
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let Some(count) = given.length(1) else {
        let because = given.because_of(1);
        return given.unknown(outputs, because);
    };
    let rank = dims.len().saturating_add(count);
    let axes = axes(given, 1, rank, false)?;
    if let Axes::Open(because, _) = axes {
        given.give(outputs, Dims::Each(rank, &|_| Err(because)));
        return Ok(());
    }
    let dim = |at: usize| {
        if axes.has(at) {
            return Ok(D::from(1));
        }
        let before = (0..at).filter(|before| !axes.has(*before)).count();
        dims.get(before).cloned().ok_or(UnknownCause::Dims(usize::MAX))
    };
    given.give(outputs, Dims::Each(rank, &dim));
    Ok(())
}

/// `flatten(input, axis)`: two dimensions: what stands before an axis, and what stands from it on.
pub(super) fn flatten<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.give_elements_of(outputs, 0);
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => {
            given.give(outputs, Dims::Each(2, &|_| Err(because)));
            return Ok(());
        }
    };
    let number = given.int(1).unwrap_or(1);
    // The axis may stand behind the last one.
    let at = if usize::try_from(number) == Ok(dims.len()) { dims.len() } else { axis(number, dims.len())? };
    let (before, behind) = dims.split_at_checked(at).unwrap_or((dims, &[]));
    let product = |dims: &[D]| dims.iter().collect::<Product<D>>().finish().ok_or(UnknownCause::TooLarge);
    given.give(outputs, Dims::Each(2, &|side| product(if side == 0 { before } else { behind })));
    Ok(())
}

/// `transpose(data, perm?)`: in the order that `perm` says, or the other way round.
pub(super) fn transpose<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => {
            match given.numbers(1) {
                Ok(Some(perm)) => given.give(outputs, Dims::Each(perm.len(), &|_| Err(because))),
                _ => given.give(outputs, Dims::Unknown(because)),
            }
            return Ok(());
        }
    };
    let last = dims.len().saturating_sub(1);
    match axes(given, 1, dims.len(), true)? {
        Axes::Listed(perm, _) => {
            if perm.len() != dims.len() {
                let expected = Detail::Counted(dims.len() as u64, "axes");
                return Err(rank("the order has another number of axes than the tensor", expected, perm.len()));
            }
            let dim = |at: usize| {
                let from = perm.int(at).and_then(|number| axis(number, dims.len()).ok());
                from.and_then(|from| dims.get(from)).cloned().ok_or(UnknownCause::Dims(usize::MAX))
            };
            given.give(outputs, Dims::Each(dims.len(), &dim));
            let to = Grid::new(dims.len(), |at| dim(at).ok()?.known());
            let place = |axis: usize| {
                (0..perm.len())
                    .find(|at| perm.int(*at).and_then(|number| self::axis(number, dims.len()).ok()) == Some(axis))
            };
            moved(given, outputs, 0, to, |coordinate, axis| Some(coordinate(place(axis)?)));
        }
        _ => {
            let dim = |at: usize| {
                last.checked_sub(at).and_then(|at| dims.get(at)).cloned().ok_or(UnknownCause::Dims(usize::MAX))
            };
            given.give(outputs, Dims::Each(dims.len(), &dim));
            let to = Grid::new(dims.len(), |at| dim(at).ok()?.known());
            moved(given, outputs, 0, to, |coordinate, axis| Some(coordinate(last.checked_sub(axis)?)));
        }
    }
    Ok(())
}

/// `pad(data, pads, axes?)`: each dimension with what is put before it and behind it, which may be negative.
pub(super) fn pad<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let (dims, pads) = match (given.dims(0), given.numbers(1)) {
        (Err(because), _) => return given.unknown(outputs, because),
        (Ok(dims), Err(because)) => {
            given.give(outputs, Dims::Each(dims.len(), &|_| Err(because)));
            return Ok(());
        }
        (Ok(_), Ok(None)) => return Ok(()),
        (Ok(dims), Ok(Some(pads))) => (dims, pads),
    };
    let axes = axes(given, 2, dims.len(), true)?;
    if let Axes::Open(because, _) = axes {
        given.give(outputs, Dims::Each(dims.len(), &|_| Err(because)));
        return Ok(());
    }
    let count = axes.count(dims.len());
    if pads.len() != count * 2 {
        let expected = Detail::Counted((count * 2) as u64, "numbers");
        return Err(rank("there are not two pads for each axis", expected, pads.len()));
    }
    let because = given.because_of(1);
    let dim = |at: usize| {
        let dim = dims.get(at).cloned().ok_or(UnknownCause::Dims(usize::MAX))?;
        let Some(place) = axes.place(at) else { return Ok(dim) };
        let both = pads.int(place).zip(pads.int(place + count)).ok_or(because)?;
        let sum = both.0.checked_add(both.1).ok_or(UnknownCause::TooLarge)?;
        let by = D::from(sum.unsigned_abs());
        if sum < 0 { dim.sub(&by) } else { dim.add(&by) }.ok_or(UnknownCause::TooLarge)
    };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `tile(input, repeats, axis?)`: each dimension so many times, or the one of an axis alone.
pub(super) fn tile<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let along = match given.input(2).map(|_| given.size(2)) {
        None => None,
        Some(Err(because)) => {
            given.give(outputs, Dims::Each(dims.len(), &|_| Err(because)));
            return Ok(());
        }
        Some(Ok(number)) => {
            let number = number.known().and_then(|number| i64::try_from(number).ok()).unwrap_or(i64::MAX);
            Some(axis(number, dims.len())?)
        }
    };
    let numbers = given.numbers(1);
    let count = if along.is_some() { 1 } else { dims.len() };
    if let Ok(Some(numbers)) = &numbers
        && numbers.len() != count
    {
        let expected = Detail::Counted(count as u64, "numbers");
        return Err(rank("there are other numbers of repeats and of dimensions", expected, numbers.len()));
    }
    let dim = |at: usize| {
        let place = match along {
            Some(along) if along != at => return given.dim(0, at),
            Some(_) => 0,
            None => at,
        };
        let because = given.because_of(1);
        let repeats = numbers.as_ref().map_err(|because| *because)?;
        let repeats = repeats.and_then(|repeats| repeats.get(place)).and_then(size).ok_or(because)?;
        dims.get(at).and_then(|dim| dim.mul(&repeats)).ok_or(UnknownCause::TooLarge)
    };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    let to = Grid::new(dims.len(), |at| dim(at).ok()?.known());
    moved(given, outputs, 0, to, |coordinate, axis| {
        let size = dims.get(axis).and_then(D::known).and_then(|size| usize::try_from(size).ok())?;
        coordinate(axis).checked_rem(size)
    });
    Ok(())
}
