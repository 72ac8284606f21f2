//! Windows of convolutions and pools, which slide over the spatial axes.
//!
//! Along an axis of size n, with kernel size k, dilation d, stride s and total padding p, a window fits
//! (n + p - d (k - 1) - 1) / s + 1 times, rounded down, or up if the last window may reach past the end. Transposed, n
//! windows cover s (n - 1) + d (k - 1) + 1 positions, of which the padding p is removed.
//!
//! Rounded up, the last window may start in the padding after the tensor. Newer versions of the pools leave it out. For
//! older versions, ONNX's inference counts it and runtimes differ, so the number is unknown there.

use super::refuse::{length, mismatch};
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::Problem;
use crate::rule::{List, Numbers, Output};

/// What the modes of `auto_pad` begin with whose pads follow from the other sizes.
const SAME: &[u8] = b"SAME";
/// The mode without padding.
const VALID: &[u8] = b"VALID";

/// How the number of windows is rounded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    /// Down.
    Down,
    /// Up, without a last window that starts after the tensor.
    Up,
    /// Up; runtimes differ in whether such a window counts.
    UpOrOneMore,
}

/// The pads that count where windows are put over a tensor: none with `VALID`, though the node may have some. Where windows are
/// put beside each other, in a transposed convolution, they are cut off all the same.
pub(super) fn counted<'a, D: Dimension>(pads: Option<List<'a, D>>, auto_pad: &[u8]) -> Option<List<'a, D>> {
    pads.filter(|_| auto_pad != VALID)
}

/// The attributes of a window.
pub(super) struct Window<'a, D: Dimension> {
    kernel: Option<Numbers<'a, D>>,
    strides: Option<Numbers<'a, D>>,
    pads: Option<Numbers<'a, D>>,
    dilations: Option<Numbers<'a, D>>,
    auto_pad: &'a [u8],
    rounding: Rounding,
    /// Why one of the lists is not known, if it decides sizes.
    unknown: Result<(), UnknownCause>,
}

impl<'a, D: Dimension> Window<'a, D> {
    pub(super) fn new(
        [kernel, strides, pads, dilations]: [Option<List<'a, D>>; 4],
        auto_pad: &'a [u8],
        rounding: Rounding,
        space: usize,
    ) -> Result<Self, Problem<'static>> {
        let is_same = auto_pad.starts_with(SAME);
        let lists = [kernel, strides, pads.filter(|_| !is_same), dilations];
        let numbers = |list: List<'a, D>| {
            let numbers = list.numbers()?;
            // An element that is a symbol is no number.
            let is_known = (0..numbers.len()).all(|at| numbers.int(at).is_some());
            if is_known { Ok(numbers) } else { Err(list.cause()) }
        };
        let lists = lists.map(|list| list.map(numbers).transpose());
        let unknown = lists.iter().find_map(|list| list.as_ref().err().copied()).map_or(Ok(()), Err);
        let [kernel, strides, pads, dilations] = lists.map(Result::unwrap_or_default);
        for (list, expected) in [(&kernel, space), (&strides, space), (&pads, 2 * space), (&dilations, space)] {
            if let Some(list) = list.filter(|list| list.len() != expected) {
                let message = "the length of a list differs from the number of spatial dimensions";
                return Err(length(message, expected, list.len()));
            }
        }
        Ok(Self { kernel, strides, pads, dilations, auto_pad, rounding, unknown })
    }

    /// The kernel size along an axis, if an attribute sets it.
    pub(super) fn kernel(&self, axis: usize) -> Option<D> {
        self.kernel.map(|_| D::from(number(self.kernel.as_ref(), axis, 1)))
    }

    /// Whether the output size is the input size divided by the stride (`SAME` padding).
    pub(super) fn is_same(&self) -> bool {
        self.auto_pad.starts_with(SAME)
    }

    /// The dilation along an axis.
    pub(super) fn dilation(&self, axis: usize) -> u64 {
        number(self.dilations.as_ref(), axis, 1)
    }

    fn pad(&self, at: usize) -> u64 {
        number(self.pads.as_ref(), at, 0)
    }

    /// How often the window fits along an axis; `None` if it never does.
    pub(super) fn fits(&self, axis: usize, space: usize, size: &D, kernel: &D) -> Result<Option<D>, UnknownCause> {
        self.unknown?;
        let stride = number(self.strides.as_ref(), axis, 1).max(1);
        let dilation = self.dilation(axis);
        let (too_large, past_largest) = (UnknownCause::TooLarge, UnknownCause::PastLargest);
        let Some(reach) = extent(kernel, dilation)? else { return Ok(None) };
        if self.is_same() {
            let rest = size.known().map(|size| size % stride).filter(|rest| *rest > 0).unwrap_or(stride);
            // Some runtimes count one more if the stride is larger than the window.
            if self.rounding == Rounding::UpOrOneMore && reach.known().is_some_and(|reach| reach < rest) {
                return Err(UnknownCause::ToolsDiffer);
            }
            return size.ceil_div(stride).ok_or(too_large).map(Some);
        }
        let (before, behind) = (self.pad(axis), self.pad(axis + space));
        let padded = size.add(&D::from(before.saturating_add(behind))).ok_or(past_largest)?;
        let room = padded.sub(&reach);
        if self.rounding == Rounding::Down {
            let steps = room.map(|room| room.floor_div(stride).ok_or(too_large)?.add(&D::from(1)).ok_or(past_largest));
            return steps.transpose();
        }
        let steps = match room {
            Some(room) => room.ceil_div(stride).ok_or(too_large)?,
            // A window that is short by less than a stride counts.
            None if reach.sub(&padded).and_then(|lacks| lacks.known()).is_some_and(|lacks| lacks < stride) => {
                D::from(0)
            }
            None => return Ok(None),
        };
        let count = steps.add(&D::from(1)).ok_or(past_largest)?;
        let reach = reach.known().ok_or(too_large)?;
        // The number of windows that start in the tensor, or before it.
        let begin = match reach.checked_sub(behind) {
            Some(inside) if inside >= stride => return Ok(Some(count)),
            Some(1..) => size.add(&D::from(before)).ok_or(past_largest)?.ceil_div(stride).ok_or(too_large)?,
            // The last window is entirely after the tensor.
            _ => steps,
        };
        if self.rounding == Rounding::UpOrOneMore && !begin.same_as(&count) {
            return Err(UnknownCause::ToolsDiffer);
        }
        Ok(Some(begin))
    }

    /// The number of windows along each spatial axis. If a window never fits, runtimes differ between none and one.
    pub(super) fn give(
        &self,
        output: &mut Output<'_, D>,
        (batch, channels): (&D, &Result<D, UnknownCause>),
        space: &[D],
        kernel: &dyn Fn(usize) -> Result<D, UnknownCause>,
    ) {
        let fits = |axis: usize| {
            let size = space.get(axis).ok_or(UnknownCause::NotGiven)?;
            self.fits(axis, space.len(), size, &kernel(axis)?)?.ok_or(UnknownCause::ToolsDiffer)
        };
        let dim = |at: usize| match at {
            0 => Ok(batch.clone()),
            1 => channels.clone(),
            at => fits(at - 2),
        };
        output.dims(Dims::Each(space.len() + 2, &dim));
    }

    /// The extent that the windows of an axis cover; `None` if the pads exceed it.
    pub(super) fn reach(
        &self,
        axis: usize,
        space: usize,
        count: &D,
        kernel: &D,
        behind: u64,
    ) -> Result<Option<D>, UnknownCause> {
        self.unknown?;
        let stride = number(self.strides.as_ref(), axis, 1);
        let dilation = self.dilation(axis);
        let past_largest = UnknownCause::PastLargest;
        let times_stride = |count: &D| count.mul(&D::from(stride)).ok_or(past_largest);
        let Some(extent) = extent(kernel, dilation)? else { return Ok(None) };
        let pads = if self.is_same() {
            match extent.known().ok_or(UnknownCause::TooLarge)?.saturating_add(behind) {
                reach if reach <= stride => 0,
                // The pads remove what the last window covers beyond its stride.
                _ if behind == 0 => return times_stride(count).map(Some),
                // Runtimes differ in whether they also remove the output padding.
                _ => return Err(UnknownCause::ToolsDiffer),
            }
        } else {
            self.pad(axis).saturating_add(self.pad(axis + space))
        };
        // The last window does not move on. Without windows, less than one is covered.
        let (moved, less) = match count.sub(&D::from(1)) {
            Some(moves) => (times_stride(&moves)?, pads),
            None => (D::from(0), pads.saturating_add(stride)),
        };
        let all = moved.add(&extent).and_then(|all| all.add(&D::from(behind))).ok_or(past_largest)?;
        Ok(all.sub(&D::from(less)))
    }
}

/// The extent of a window: its places, spread by the dilation; `None` if it has none.
fn extent<D: Dimension>(kernel: &D, dilation: u64) -> Result<Option<D>, UnknownCause> {
    let Some(gaps) = kernel.sub(&D::from(1)) else { return Ok(D::from(1).sub(&D::from(dilation))) };
    gaps.mul(&D::from(dilation)).and_then(|gaps| gaps.add(&D::from(1))).ok_or(UnknownCause::PastLargest).map(Some)
}

/// The entry of a list at an index, or a default.
pub(super) fn number<D: Dimension>(list: Option<&Numbers<'_, D>>, at: usize, absent: u64) -> u64 {
    list.and_then(|list| list.int(at)).and_then(|number| u64::try_from(number).ok()).unwrap_or(absent)
}

/// Checks that the pads leave something along each axis.
pub(super) fn leaves_something<D: Dimension>(
    space: &[D],
    reach: &dyn Fn(usize) -> Result<Option<D>, UnknownCause>,
) -> Result<(), Problem<'static>> {
    for (axis, size) in space.iter().enumerate() {
        // Without windows there is nothing to check.
        if size.known() != Some(0) && matches!(reach(axis), Ok(None)) {
            return Err(mismatch("negative pads remove more than the size of an axis", None, size.known()));
        }
    }
    Ok(())
}
