//! Rules of signals and their frequencies. The last axis of a signal has a number for each of its parts, the real one or
//! both.

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Outputs, UnknownCause};
use crate::rules::Arguments;
use crate::rules::axes::axis;
use crate::rules::given::{mismatch, rank};

type Done = Result<(), Problem<'static>>;

/// The frequencies of so many steps of which there is one for each two, and one that stands for itself.
fn half<D: Dimension>(steps: &D) -> Result<D, UnknownCause> {
    steps.floor_div(2).and_then(|half| half.add(&D::from(1))).ok_or(UnknownCause::TooLarge)
}

/// `dft(X, length?, axis?, onesided?, inverse?)`: along an axis the frequencies, all of them or one half; or back. The axis
/// is the one before the last, if not another.
pub(super) fn dft<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let [space @ .., parts] = dims else {
        return Err(rank("a signal has steps and parts", Detail::Text("2 dimensions or more"), dims.len()));
    };
    let (onesided, inverse) = (given.int(3) == Some(1), given.int(4) == Some(1));
    let real = D::from(if inverse { 2 } else { 1 });
    if onesided && !parts.may_equal(&real) {
        return Err(mismatch("a half of the frequencies belongs to a real signal", real.known(), parts.known()));
    }
    let along = match (given.numbers(2), given.int(2)) {
        (Ok(None), _) => Ok(axis(-2, dims.len())?),
        (Ok(Some(_)), Some(number)) => Ok(axis(number, dims.len())?),
        (Ok(Some(_)), None) => Err(given.because_of(2)),
        (Err(because), _) => Err(because),
    };
    if along.is_ok_and(|along| along == space.len()) {
        let message = "the last axis has the parts of a number, and no steps";
        return Err(rank(message, Detail::Text("an axis before the last"), dims.len()));
    }
    let length = given.input(1).map(|_| given.size(1));
    let own = |dim: &D| match (&length, onesided, inverse) {
        (None, false, _) => Ok(dim.clone()),
        (Some(length), false, _) | (Some(length), true, true) => length.clone(),
        (Some(length), true, false) => half(&length.clone()?),
        (None, true, false) => half(dim),
        // Of an even number of steps, as is taken for granted.
        (None, true, true) => {
            dim.sub(&D::from(1)).and_then(|pairs| pairs.mul(&D::from(2))).ok_or(UnknownCause::TooLarge)
        }
    };
    let dim = |at: usize| {
        let Some(dim) = space.get(at) else { return Ok(D::from(if onesided && inverse { 1 } else { 2 })) };
        match along {
            Ok(along) if at == along => own(dim),
            Err(because) if onesided || length.is_some() => Err(because),
            _ => Ok(dim.clone()),
        }
    };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `stft(signal, frame_step, window?, frame_length?, onesided)`: the batch, the frames that fit into the signal, the
/// frequencies of each, all or one half, and the two parts of a number.
pub(super) fn stft<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    if let Ok(dims) = given.dims(0)
        && dims.len() != 2
    {
        given.ranked(0, 3, "a signal has a batch, steps and parts")?;
    }
    given.ranked(2, 1, "a window has one axis")?;
    let window = given.input(2).map(|_| given.dim(2, 0));
    let length = match (given.input(3).map(|_| given.size(3)), window) {
        (Some(Ok(length)), Some(Ok(window))) if !length.may_equal(&window) => {
            return Err(mismatch("the window has another length than a frame", length.known(), window.known()));
        }
        (Some(Ok(length)), _) => Ok(length),
        (_, Some(window)) => window,
        (Some(Err(because)), None) => Err(because),
        (None, None) => given.dim(0, 1),
    };
    let frames = || {
        let (signal, length) = (given.dim(0, 1)?, length.clone()?);
        let step = given.size(1)?.known().filter(|step| *step > 0).ok_or(UnknownCause::TooLarge)?;
        let room = signal.sub(&length).ok_or(UnknownCause::TooLarge)?;
        room.floor_div(step).and_then(|room| room.add(&D::from(1))).ok_or(UnknownCause::TooLarge)
    };
    if let (Ok(signal), Ok(length)) = (given.dim(0, 1), &length)
        && signal.sub(length).is_none()
    {
        return Err(mismatch("a frame is longer than the signal", length.known(), signal.known()));
    }
    let bins = length.clone().and_then(|length| if given.int(4) == Some(0) { Ok(length) } else { half(&length) });
    given.give_each(outputs, &[given.dim(0, 0), frames(), bins, Ok(D::from(2))]);
    Ok(())
}

/// `mel(num_mel_bins, dft_length)`: one half of the frequencies, and the bins.
pub(super) fn mel<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let frequencies = given.size(1).and_then(|length| half(&length));
    given.give_each(outputs, &[frequencies, given.size(0)]);
    Ok(())
}
