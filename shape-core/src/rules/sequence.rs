//! Rules of sequences, whose dimensions are those that each tensor in them has.

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Outputs, UnknownCause};
use crate::rules::Arguments;
use crate::rules::axes::axis;
use crate::rules::given::rank;
use crate::rules::layout::size;

type Done = Result<(), Problem<'static>>;

/// `alike(inputs...)`: what the dimensions of all of them have in common.
pub(super) fn alike<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let mut all = given.rest(0);
    let Some(first) = all.next() else { return Ok(()) };
    let Some(dims) = first.fact.dims else { return given.unknown(outputs, UnknownCause::Dims(first.index)) };
    for input in all.clone() {
        match input.fact.dims {
            None => return given.unknown(outputs, UnknownCause::Dims(input.index)),
            Some(other) if other.len() != dims.len() => return given.unknown(outputs, UnknownCause::Varies),
            Some(_) => {}
        }
    }
    let dim = |at: usize| {
        let dim = dims.get(at).ok_or(UnknownCause::Dims(first.index))?;
        let same = all
            .clone()
            .all(|input| input.fact.dims.and_then(|dims| dims.get(at)).is_some_and(|other| dim.same_as(other)));
        // One that is unknown is not even the same as itself, and tells why.
        if same || !dim.same_as(dim) { Ok(dim.clone()) } else { Err(UnknownCause::Varies) }
    };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `pieces(input, split?, axis, keepdims)`: of the parts of a tensor along an axis, each as large as `split` says or of
/// the size 1; without `split` they may lose that axis.
pub(super) fn pieces<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let along = axis(given.int(2).unwrap_or(0), dims.len())?;
    if given.input(1).is_none() && given.int(3) == Some(0) {
        let dim = |at: usize| dims.get(if at < along { at } else { at + 1 }).cloned().ok_or(UnknownCause::Varies);
        given.give(outputs, Dims::Each(dims.len() - 1, &dim));
        return Ok(());
    }
    let scalar = given.input(1).and_then(|input| input.fact.dims).is_some_and(<[D]>::is_empty);
    let piece = match given.numbers(1) {
        Ok(None) => Ok(D::from(1)),
        Err(because) => Err(because),
        Ok(Some(numbers)) => {
            let first = numbers.get(0).and_then(size);
            let equal = (1..numbers.len()).all(|index| {
                first
                    .as_ref()
                    .zip(numbers.get(index).and_then(size))
                    .is_some_and(|(first, other)| first.same_as(&other))
            });
            // The last piece of equal ones is what is left.
            let whole = |piece: &D| dims.get(along).and_then(D::known).zip(piece.known());
            let fits = |piece: &D| !scalar || whole(piece).is_some_and(|(of, by)| of.checked_rem(by) == Some(0));
            first.filter(|first| equal && fits(first)).ok_or(UnknownCause::Varies)
        }
    };
    let dim = |at: usize| if at == along { piece.clone() } else { dims.get(at).cloned().ok_or(UnknownCause::Varies) };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `joined(sequence, axis, new_axis)`: of the tensors of a sequence one behind the other, of which nobody knows how many
/// there are.
pub(super) fn joined<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let new = given.int(2).unwrap_or(0) != 0;
    if dims.is_empty() && !new {
        return Err(rank("scalars have no axis to be joined along", Detail::Text("1 dimension or more"), 0));
    }
    let along = axis(given.int(1).unwrap_or(0), dims.len() + usize::from(new))?;
    let dim = |at: usize| {
        let behind = usize::from(new && at > along);
        if at == along { Err(UnknownCause::Data) } else { dims.get(at - behind).cloned().ok_or(UnknownCause::Varies) }
    };
    given.give(outputs, Dims::Each(dims.len() + usize::from(new), &dim));
    Ok(())
}
