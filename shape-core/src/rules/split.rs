//! Parts along an axis.

use super::axes::axis;
use super::grid::{Grid, moved};
use super::parameters::Split;
use super::refuse::{add_up, mismatch};
use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::size;
use crate::rule::{Done, List, Output};

pub(super) fn split<D: Dimension>(
    Split { input, axis: along, split, num_outputs }: Split<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = input.dims()?;
    let along = axis(along.known().unwrap_or(0), dims.len())?;
    let whole = dims.get(along).cloned().unwrap_or_else(|| D::from(0));
    let (part, parts) = output.part();
    let asked = num_outputs.and_then(|count| u64::try_from(count.known()?).ok());
    let count = asked.unwrap_or(parts as u64);
    if count < parts as u64 {
        return Err(Problem::Refused {
            code: Code::DimsMismatch,
            message: "the node has more outputs than parts",
            expected: Detail::Counted(count, "outputs"),
            found: Detail::Counted(parts as u64, "outputs"),
        }
        .into());
    }
    let each = whole.known().map(|whole| whole.div_ceil(count.max(1)));
    let sizes = split.as_ref().map(List::numbers);
    let part_size = match (&sizes, whole.known().zip(each)) {
        (Some(Err(cause)), _) => Err(*cause),
        (Some(Ok(sizes)), _) => {
            if sizes.len() != parts {
                return Err(Problem::Refused {
                    code: Code::DimsMismatch,
                    message: "the numbers of sizes and outputs differ",
                    expected: Detail::Counted(parts as u64, "sizes"),
                    found: Detail::Counted(sizes.len() as u64, "sizes"),
                }
                .into());
            }
            add_up(sizes, whole.known())?;
            sizes.get(part).and_then(size).ok_or(split.map_or(UnknownCause::NotGiven, |split| split.cause()))
        }
        // Versions without `num_outputs` require equal parts.
        (None, Some((whole, _))) if num_outputs.is_none() && whole.checked_rem(count) != Some(0) => {
            return Err(mismatch("the axis cannot be split into equal parts", Some(whole), Some(count)).into());
        }
        (None, Some((whole, each))) => {
            let rest = whole.saturating_sub(each.saturating_mul(part as u64));
            Ok(D::from(each.min(rest)))
        }
        (None, None) => match num_outputs {
            None => whole.div_exact(&D::from(count)),
            Some(_) => rounded_up(&whole, count, part as u64),
        }
        .ok_or(UnknownCause::Dims(input.index)),
    };
    let dim = |at: usize| match dims.get(at) {
        Some(dim) if at != along => Ok(dim.clone()),
        _ => part_size.clone(),
    };
    output.dims(Dims::Each(dims.len(), &dim));
    let before = match sizes.and_then(Result::ok) {
        Some(sizes) => (0..part).try_fold(0_i64, |sum, index| sum.checked_add(sizes.int(index)?)),
        None => each.zip(i64::try_from(part).ok()).and_then(|(each, part)| i64::try_from(each).ok()?.checked_mul(part)),
    };
    let before = before.and_then(|before| usize::try_from(before).ok());
    let to = Grid::new(dims.len(), |at| dim(at).ok()?.known());
    moved(&input, output, to, |coordinate, axis| {
        let at = coordinate(axis);
        if axis == along { at.checked_add(before?) } else { Some(at) }
    });
    Ok(())
}

/// One of so many parts of an axis that are as large as the quotient, rounded up, as far as the axis goes.
fn rounded_up<D: Dimension>(whole: &D, count: u64, part: u64) -> Option<D> {
    let each = whole.ceil_div(count)?;
    match part {
        0 => Some(each),
        1 if count == 2 => whole.floor_div(2),
        _ => each.min(&whole.sub(&each.mul(&D::from(part))?.min(whole)?)?),
    }
}
