//! Fourier transforms. The last axis of a signal has one entry for the real part of a number, or two for both parts.

use super::axes::axis;
use super::parameters::{Dft, Stft};
use super::refuse::{has_rank, mismatch};
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

/// The number of frequencies of a real signal: half the steps, rounded down, plus 1.
fn half<D: Dimension>(steps: &D) -> Result<D, UnknownCause> {
    steps.floor_div(2).and_then(|half| half.add(&D::from(1))).ok_or(UnknownCause::PastLargest)
}

pub(super) fn dft<D: Dimension>(
    Dft { input, dft_length, axis: along, onesided, inverse }: Dft<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = input.dims()?;
    let Some((parts, steps)) = dims.split_last().filter(|(_, steps)| !steps.is_empty()) else {
        return Err(Problem::rank(
            "the signal must have at least 2 dimensions",
            Detail::Text("2 dimensions or more"),
            dims.len(),
        )
        .into());
    };
    let real = D::from(if inverse { 2 } else { 1 });
    if onesided && !parts.may_equal(&real) {
        let message = "the last dimension does not match a one-sided transform, whose signal is real";
        return Err(mismatch(message, real.known(), parts.known()).into());
    }
    let along = match along.known() {
        Some(number) => Ok(axis(number, dims.len())?),
        None => Err(along.cause()),
    };
    if along.is_ok_and(|along| along == steps.len()) {
        let message = "the axis must not be the last one, which has the real and imaginary parts";
        return Err(Problem::rank(message, Detail::Text("an axis before the last"), dims.len()).into());
    }
    let length = dft_length.map(|length| length.size());
    let transformed = |dim: &D| match (&length, onesided, inverse) {
        (None, false, _) => Ok(dim.clone()),
        (Some(length), false, _) | (Some(length), true, true) => length.clone(),
        (Some(length), true, false) => half(&length.clone()?),
        (None, true, false) => half(dim),
        // An even number of steps is assumed.
        (None, true, true) => {
            let pairs = dim.sub(&D::from(1)).ok_or(UnknownCause::TooLarge)?;
            pairs.mul(&D::from(2)).ok_or(UnknownCause::PastLargest)
        }
    };
    let dim = |at: usize| {
        let Some(dim) = steps.get(at) else { return Ok(D::from(if onesided && inverse { 1 } else { 2 })) };
        match along {
            Ok(along) if at == along => transformed(dim),
            Err(cause) if onesided || length.is_some() => Err(cause),
            _ => Ok(dim.clone()),
        }
    };
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}

pub(super) fn stft<D: Dimension>(
    Stft { signal, frame_step, window, frame_length, onesided }: Stft<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    if !matches!(signal.dims(), Ok([_, _])) {
        has_rank(&signal, 3, "the signal must have 3 dimensions: batch, samples, and real and imaginary parts")?;
    }
    let window_size = match window {
        Some(window) => {
            has_rank(&window, 1, "the window must have 1 dimension")?;
            Some(window.dim(0))
        }
        None => None,
    };
    let length = match (frame_length.map(|length| length.size()), window_size) {
        (Some(Ok(length)), Some(Ok(window_size))) if !length.may_equal(&window_size) => {
            let message = "the window and the frame have different lengths";
            return Err(mismatch(message, length.known(), window_size.known()).into());
        }
        (Some(Ok(length)), _) => Ok(length),
        (_, Some(window_size)) => window_size,
        (Some(Err(cause)), None) => Err(cause),
        (None, None) => signal.dim(1),
    };
    let frames = || {
        let (steps, length) = (signal.dim(1)?, length.clone()?);
        let by = frame_step.size()?.known().ok_or(UnknownCause::TooLarge)?;
        let room = steps.sub(&length).ok_or(UnknownCause::TooLarge)?;
        room.floor_div(by).ok_or(UnknownCause::TooLarge)?.add(&D::from(1)).ok_or(UnknownCause::PastLargest)
    };
    if let (Ok(steps), Ok(length)) = (signal.dim(1), &length)
        && steps.sub(length).is_none()
    {
        return Err(mismatch("the frame is longer than the signal", length.known(), steps.known()).into());
    }
    let bins = length.clone().and_then(|length| if onesided { half(&length) } else { Ok(length) });
    output.each_dim(&[signal.dim(0), frames(), bins, Ok(D::from(2))]);
    Ok(())
}
