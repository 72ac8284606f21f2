//! Slices of ranges with a step along each axis.

use super::axes::{Axes, axes};
use super::grid::{Grid, moved, same_dims};
use super::parameters::Slice;
use super::refuse::length;
use crate::code::Code;
use crate::dimension::Dimension;
use crate::elements::Scalar;
use crate::facts::Dims;
use crate::problem::{Detail, Problem};
use crate::rule::size;
use crate::rule::{Done, List, Numbers, Output};

/// Exporters write at least this for the end of an axis of any length; backwards, its negative.
const FAR: i64 = i32::MAX as i64;

/// The starts, ends and steps of a slice.
struct Parts<'a, D: Dimension> {
    starts: Numbers<'a, D>,
    ends: Numbers<'a, D>,
    steps: Option<Numbers<'a, D>>,
}

pub(super) fn slice<D: Dimension>(
    Slice { data, starts, ends, axes: listed, steps }: Slice<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = data.dims()?;
    let axes = axes(listed, dims.len())?;
    let read = || {
        if let Axes::Unknown(cause, _) = axes {
            return Err(cause);
        }
        let steps = steps.map(|steps| steps.numbers()).transpose()?;
        Ok(Parts { starts: starts.numbers()?, ends: ends.numbers()?, steps })
    };
    let parts = match read() {
        Ok(parts) => parts,
        Err(cause) => {
            // The size of a listed axis is unknown; the others are unchanged.
            let stays = |at: usize| !matches!(axes, Axes::Unknown(..) | Axes::All) && !axes.has(at);
            let dim = |at: usize| dims.get(at).filter(|_| stays(at)).cloned().ok_or(cause);
            output.dims(Dims::Each(dims.len(), &dim));
            return Err(cause.into());
        }
    };
    // Without axes, the lists apply to the first axes.
    let count = if matches!(axes, Axes::All) { parts.starts.len().min(dims.len()) } else { axes.count(dims.len()) };
    for list in [Some(parts.starts), Some(parts.ends), parts.steps].into_iter().flatten() {
        if list.len() != count {
            return Err(length("the starts, ends, axes and steps have different lengths", count, list.len()).into());
        }
    }
    if let Some(steps) = parts.steps
        && let Some(index) = (0..steps.len()).find(|index| steps.int(*index) == Some(0))
    {
        return Err(Problem::Refused {
            code: Code::DimsMismatch,
            message: "a step is zero",
            expected: Detail::Text("steps other than 0"),
            found: Detail::Entry { index, value: 0 },
        }
        .into());
    }
    let position = |at: usize| axes.position(at).filter(|index| *index < count);
    let open = |list: &&List<'_, D>| !list.numbers().is_ok_and(|numbers| numbers.all_ints());
    let cause =
        || [Some(&starts), Some(&ends), steps.as_ref()].into_iter().flatten().find(open).unwrap_or(&starts).cause();
    let dim = |at: usize| {
        let dim = data.dim(at)?;
        match position(at) {
            None => Ok(dim),
            Some(index) => parts.length(index, &dim).ok_or_else(cause),
        }
    };
    output.dims(Dims::Each(dims.len(), &dim));
    // Forwards and as long as the axis, it is the whole axis.
    if (0..count).all(|index| parts.step(index) == Some(1)) && same_dims(dims, dims.len(), |at| dim(at).ok()) {
        output.elements_of(&data);
        return Ok(());
    }
    let to = Grid::new(dims.len(), |at| dim(at).ok()?.known());
    moved(&data, output, to, |coordinate, axis| {
        let at = coordinate(axis);
        let Some(index) = position(axis) else { return Some(at) };
        let (start, step, _) = parts.range(index, dims.get(axis)?.known()?)?;
        usize::try_from(start.checked_add(i64::try_from(at).ok()?.checked_mul(step)?)?).ok()
    });
    Ok(())
}

impl<D: Dimension> Parts<'_, D> {
    fn step(&self, index: usize) -> Option<i64> {
        self.steps.map_or(Some(1), |steps| steps.int(index))
    }

    /// The start, the step and the number of elements along an axis whose size is a number.
    fn range(&self, index: usize, whole: u64) -> Option<(i64, i64, usize)> {
        let whole = i64::try_from(whole).ok()?;
        let (start, end, step) = (self.starts.int(index)?, self.ends.int(index)?, self.step(index)?);
        if whole == 0 {
            return Some((0, step, 0));
        }
        let from_end = |at: i64| if at < 0 { at.saturating_add(whole) } else { at };
        let (min, max) = if step > 0 { (0, whole) } else { (-1, whole - 1) };
        let start = from_end(start).clamp(0, max);
        let end = from_end(end).clamp(min, max);
        let span = if step > 0 { end.checked_sub(start)? } else { start.checked_sub(end)? };
        let count = u64::try_from(span).unwrap_or(0).div_ceil(step.unsigned_abs());
        Some((start, step, usize::try_from(count).ok()?))
    }

    /// The number of elements along an axis; `None` if it is not known.
    fn length(&self, index: usize, whole: &D) -> Option<D> {
        if let Some((_, _, count)) = whole.known().and_then(|whole| self.range(index, whole)) {
            return Some(D::from(count as u64));
        }
        let step = self.step(index).filter(|step| *step != 0)?;
        // The bounds are exclusive on one side; backwards, they shift by one.
        let shift = u64::from(step < 0);
        // A start or an end that is a size does not count from the end; an expression might.
        let bound = |numbers: &Numbers<'_, D>| match numbers.get(index)? {
            Scalar::Int(at) if at <= -FAR => Some(D::from(0)),
            Scalar::Int(at) if at >= FAR => Some(whole.clone()),
            Scalar::Int(at) if at < 0 => match at.unsigned_abs() - shift {
                0 => Some(whole.clone()),
                // At or before the start of the axis.
                back => whole.sub(&D::from(back).min(whole)?),
            },
            Scalar::Expression(at) if at.lower_bound().is_none_or(|lower| lower < 0) => {
                from_either_end(at, whole, shift)
            }
            element => size(element)?.add(&D::from(shift))?.min(whole),
        };
        let (start, end) = (bound(&self.starts)?, bound(&self.ends)?);
        let (low, high) = match self.starts.int(index) {
            _ if step > 0 => (start, end),
            // A start before the axis is clamped to its start.
            Some(..-1) => (end, start.max(&D::from(1).min(whole)?)?),
            _ => (end, start),
        };
        let span = match (low.known(), high.same_as(whole)) {
            (Some(0), _) => high,
            // Both are clamped to the axis, so that the difference is not negative.
            (_, true) => high.sub(&low)?,
            // A negative difference is not a size, but would be taken for one.
            _ => high.sub(&low.min(&high)?)?,
        };
        if step.unsigned_abs() == 1 { Some(span) } else { span.ceil_div(step.unsigned_abs()) }
    }
}

/// Where a bound lies on an axis, if it is an expression that may be negative, and then counts from the end; `None` if
/// that is not known.
fn from_either_end<D: Dimension>(at: D, whole: &D, shift: u64) -> Option<D> {
    let element = |dim: &D| Scalar::Expression(dim.clone());
    let (at, whole) = (Scalar::Expression(at), element(whole));
    let from_end = whole.add(&at);
    // The two readings agree where a negative bound lies at or before the start: whole - 1 is -1 only if whole is 0.
    match whole.sub(&at) {
        // It is the axis without so many elements.
        Scalar::Int(1..=2) if shift == 0 => size(at.max(&Scalar::Int(0))),
        _ if shift == 0 && matches!(from_end, Scalar::Int(0)) => Some(D::from(0)),
        _ => None,
    }
}
