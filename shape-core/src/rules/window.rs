//! Rules of windows that slide over the axes of space: convolutions and pools.
//!
//! Along an axis of the size n a window of k places, d apart, moves by s, with p places before and behind: it fits
//! (n + p - d (k - 1) - 1) / s + 1 times, rounded down, or up where a last window may reach past the end.

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Outputs, UnknownCause};
use crate::node::AttributeValue;
use crate::rules::given::{mismatch, rank};
use crate::rules::{Arguments, Numbers};

type Done = Result<(), Problem<'static>>;

/// The attributes of a window, in their order among the parameters.
pub(super) struct Window<'a, D: Dimension> {
    pub(super) kernel: Option<Numbers<'a, D>>,
    pub(super) strides: Option<Numbers<'a, D>>,
    pub(super) pads: Option<Numbers<'a, D>>,
    pub(super) dilations: Option<Numbers<'a, D>>,
    pub(super) auto_pad: &'a [u8],
    ceil: bool,
}

impl<'a, D: Dimension> Window<'a, D> {
    /// The attributes from a parameter on: `kernel_shape, strides, pads, dilations, auto_pad, ceil_mode`.
    pub(super) fn read(given: &Arguments<'a, D>, from: usize) -> Self {
        let numbers = |parameter: usize| given.numbers(from + parameter).ok().flatten();
        Self {
            kernel: numbers(0),
            strides: numbers(1),
            pads: numbers(2),
            dilations: numbers(3),
            auto_pad: match given.value(from + 4) {
                Some(AttributeValue::String(text)) => text,
                _ => b"NOTSET",
            },
            ceil: given.int(from + 5).unwrap_or(0) != 0,
        }
    }

    /// That each list has a number for each axis of space, the pads two.
    pub(super) fn check(&self, space: usize) -> Done {
        for (list, each) in [(&self.kernel, 1), (&self.strides, 1), (&self.pads, 2), (&self.dilations, 1)] {
            if let Some(list) = list.filter(|list| list.len() != space * each) {
                let expected = Detail::Counted((space * each) as u64, "numbers");
                return Err(rank("a list has another length than there are axes of space", expected, list.len()));
            }
        }
        Ok(())
    }

    pub(super) fn number(list: Option<&Numbers<'a, D>>, at: usize, absent: u64) -> u64 {
        list.and_then(|list| list.int(at)).and_then(|number| u64::try_from(number).ok()).unwrap_or(absent)
    }

    /// How often the window fits along an axis; `None` where it never does.
    fn fits(&self, axis: usize, space: usize, size: &D, kernel: &D) -> Result<Option<D>, UnknownCause> {
        let stride = Self::number(self.strides.as_ref(), axis, 1).max(1);
        let dilation = Self::number(self.dilations.as_ref(), axis, 1);
        let too_large = UnknownCause::TooLarge;
        if self.auto_pad.starts_with(b"SAME") {
            return size.ceil_div(stride).ok_or(too_large).map(Some);
        }
        let pad = |at: usize| if self.auto_pad == b"VALID" { 0 } else { Self::number(self.pads.as_ref(), at, 0) };
        let pads = pad(axis).saturating_add(pad(axis + space));
        // The places from the first to the last of the window.
        let reach = kernel.mul(&D::from(dilation)).and_then(|reach| reach.add(&D::from(1))).ok_or(too_large)?;
        let Some(reach) = reach.sub(&D::from(dilation)) else { return Ok(None) };
        let padded = size.add(&D::from(pads)).ok_or(too_large)?;
        let Some(room) = padded.sub(&reach) else {
            // Rounded up, a window that lacks less than a step is one.
            let lacks = reach.sub(&padded).and_then(|lacks| lacks.known());
            let one = self.ceil && lacks.is_some_and(|lacks| lacks < stride);
            return Ok(one.then(|| D::from(1)));
        };
        let steps = if self.ceil { room.ceil_div(stride) } else { room.floor_div(stride) };
        let count = steps.and_then(|steps| steps.add(&D::from(1))).ok_or(too_large)?;
        // A window that begins behind the tensor and what is put before it is left out.
        if self.ceil {
            let starts = size.add(&D::from(pad(axis))).and_then(|places| places.ceil_div(stride)).ok_or(too_large)?;
            // So many places of the last window cannot lie in what is put behind.
            let inside = reach.known().and_then(|reach| reach.checked_sub(pad(axis + space)));
            return match (count.known(), starts.known(), inside) {
                (Some(found), Some(starts), _) => Ok(Some(D::from(if found > starts { found - 1 } else { found }))),
                (_, _, Some(inside)) if inside >= stride => Ok(Some(count)),
                (_, _, Some(_)) => Ok(Some(starts)),
                _ => count.min(&starts).ok_or(too_large).map(Some),
            };
        }
        Ok(Some(count))
    }

    /// The axes of space, each as often as the window fits. Of one that never does, tools make no window or one.
    fn give(
        &self,
        given: &Arguments<'_, D>,
        outputs: &mut dyn Outputs<D>,
        (batch, channels): (&D, Result<D, UnknownCause>),
        space: &[D],
        kernel: &dyn Fn(usize) -> Result<D, UnknownCause>,
    ) -> Done {
        let fits = |axis: usize| {
            let size = space.get(axis).ok_or(UnknownCause::Dims(usize::MAX))?;
            self.fits(axis, space.len(), size, &kernel(axis)?)
        };
        let dim = |at: usize| match at {
            0 => Ok(batch.clone()),
            1 => channels.clone(),
            at => fits(at - 2).and_then(|count| count.ok_or(UnknownCause::TooLarge)),
        };
        given.give(outputs, Dims::Each(space.len() + 2, &dim));
        Ok(())
    }
}

/// `pool(X, kernel_shape, strides, pads, dilations, auto_pad, ceil_mode)`: the batch and the channels, and the windows.
pub(super) fn pool<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return open(given, outputs, because, [None, given.length(1)], &Err(because)),
    };
    let [batch, channels, space @ ..] = dims else {
        return Err(rank("a pool needs a batch, channels and space", Detail::Text("3 dimensions or more"), dims.len()));
    };
    let window = Window::read(given, 1);
    window.check(space.len())?;
    let same = window.auto_pad.starts_with(b"SAME");
    let kernel = |axis: usize| match Window::number(window.dilations.as_ref(), axis, 1) {
        // Tools pad such a pool as if its places stood side by side.
        2.. if same => Err(UnknownCause::TooLarge),
        _ => Ok(D::from(Window::number(window.kernel.as_ref(), axis, 1))),
    };
    window.give(given, outputs, (batch, Ok(channels.clone())), space, &kernel)
}

/// `conv(X, W, kernel_shape, strides, pads, dilations, auto_pad)`: the batch, a channel for each filter, and the windows.
pub(super) fn conv<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let filters = given.dims(1);
    let channels = filters.and_then(|filters| filters.first().cloned().ok_or(UnknownCause::Dims(usize::MAX)));
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => {
            return open(given, outputs, because, [filters.ok().map(<[D]>::len), given.length(2)], &channels);
        }
    };
    let [batch, _, space @ ..] = dims else {
        return Err(rank(
            "a convolution needs a batch, channels and space",
            Detail::Text("3 dimensions or more"),
            dims.len(),
        ));
    };
    let window = Window::read(given, 2);
    window.check(space.len())?;
    if let Some(found) = filters.ok().map(<[D]>::len).filter(|found| *found != dims.len()) {
        let expected = Detail::Counted(dims.len() as u64, "dimensions");
        return Err(rank("the filters have another rank than the tensor", expected, found));
    }
    let kernel = |axis: usize| match window.kernel {
        Some(_) => Ok(D::from(Window::number(window.kernel.as_ref(), axis, 1))),
        None => filters.and_then(|filters| filters.get(axis + 2).cloned().ok_or(UnknownCause::Dims(usize::MAX))),
    };
    for (axis, size) in space.iter().enumerate() {
        if let Ok(kernel) = kernel(axis)
            && let Ok(None) = window.fits(axis, space.len(), size, &kernel)
        {
            return Err(mismatch("the window is larger than what it slides over", kernel.known(), size.known()));
        }
    }
    window.give(given, outputs, (batch, channels), space, &kernel)
}

/// What is known where the tensor is not: the channels, and of how many axes there is a filter or a window.
fn open<D: Dimension>(
    given: &Arguments<'_, D>,
    outputs: &mut dyn Outputs<D>,
    because: UnknownCause,
    [filters, space]: [Option<usize>; 2],
    channels: &Result<D, UnknownCause>,
) -> Done {
    let dim = |at: usize| if at == 1 { channels.clone() } else { Err(because) };
    match filters.or_else(|| space?.checked_add(2)) {
        Some(rank) => given.give(outputs, Dims::Each(rank, &dim)),
        None => given.give(outputs, Dims::Unknown(because)),
    }
    Ok(())
}
