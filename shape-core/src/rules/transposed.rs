//! Rules of windows that are spread over a larger tensor: what convolutions and pools do, the other way round.
//!
//! n windows of k places, d apart, each s behind the one before, reach over s (n - 1) + d (k - 1) + 1 places, of which p
//! are taken away before and behind.

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Outputs, UnknownCause};
use crate::rules::Arguments;
use crate::rules::given::{mismatch, rank};
use crate::rules::layout::size;
use crate::rules::window::Window;

type Done = Result<(), Problem<'static>>;

impl<D: Dimension> Window<'_, D> {
    /// How far as many windows as an axis has reach; `None` where the pads take more away.
    fn reach(&self, axis: usize, space: usize, count: &D, kernel: &D, behind: u64) -> Result<Option<D>, UnknownCause> {
        let stride = Self::number(self.strides.as_ref(), axis, 1);
        let dilation = Self::number(self.dilations.as_ref(), axis, 1);
        let too_large = UnknownCause::TooLarge;
        let all = count.mul(&D::from(stride)).ok_or(too_large)?;
        let own = kernel.mul(&D::from(dilation)).and_then(|own| own.add(&D::from(1))).ok_or(too_large)?;
        let pads = if self.auto_pad.starts_with(b"SAME") {
            let own = own.sub(&D::from(dilation)).and_then(|own| own.known()).ok_or(too_large)?;
            match own.saturating_add(behind) {
                reach if reach <= stride => 0,
                // The pads take away what the last window reaches further than a step.
                _ if behind == 0 => return Ok(Some(all)),
                // Whether they take away what is put behind it too is not the same everywhere.
                _ => return Err(too_large),
            }
        } else if self.auto_pad == b"VALID" {
            0
        } else {
            let pad = |at: usize| Self::number(self.pads.as_ref(), at, 0);
            pad(axis).saturating_add(pad(axis + space))
        };
        let all = all.add(&own).and_then(|all| all.add(&D::from(behind))).ok_or(too_large)?;
        let less =
            D::from(stride).add(&D::from(dilation)).and_then(|less| less.add(&D::from(pads))).ok_or(too_large)?;
        Ok(all.sub(&less))
    }
}

/// `conv_transpose(X, W, kernel_shape?, strides?, pads?, dilations?, auto_pad?, output_padding?, output_shape?, group?)`:
/// the batch, the channels of each group, and as far as the windows reach, or as is asked for.
pub(super) fn conv_transpose<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let filters = given.dims(1);
    let dims = match (given.dims(0), filters) {
        (Ok(dims), _) => dims,
        (Err(because), Ok(filters)) => {
            given.give(outputs, Dims::Each(filters.len(), &|_| Err(because)));
            return Ok(());
        }
        (Err(because), Err(_)) => return given.unknown(outputs, because),
    };
    let [batch, channels, space @ ..] = dims else {
        let message = "a convolution needs a batch, channels and space";
        return Err(rank(message, Detail::Text("3 dimensions or more"), dims.len()));
    };
    if let Some(found) = filters.ok().map(<[D]>::len).filter(|found| *found != dims.len()) {
        let expected = Detail::Counted(dims.len() as u64, "dimensions");
        return Err(rank("the filters have another rank than the tensor", expected, found));
    }
    if let Some(taken) = filters.ok().and_then(<[D]>::first).filter(|taken| !taken.may_equal(channels)) {
        return Err(mismatch("there are other numbers of channels and of filters", taken.known(), channels.known()));
    }
    let window = Window::read(given, 2);
    window.check(space.len())?;
    let (padding, asked) = (given.numbers(7).ok().flatten(), given.numbers(8).ok().flatten());
    if let Some(list) = [padding, asked].into_iter().flatten().find(|list| list.len() != space.len()) {
        let expected = Detail::Counted(space.len() as u64, "numbers");
        return Err(rank("a list has another length than there are axes of space", expected, list.len()));
    }
    let kernel = |axis: usize| match window.kernel {
        Some(_) => Ok(D::from(Window::number(window.kernel.as_ref(), axis, 1))),
        None => given.dim(1, axis + 2),
    };
    let reach = |axis: usize| {
        if let Some(asked) = &asked {
            return asked.get(axis).and_then(size).map(Some).ok_or(UnknownCause::Data);
        }
        let count = space.get(axis).ok_or(UnknownCause::Dims(usize::MAX))?;
        let behind = Window::number(padding.as_ref(), axis, 0);
        window.reach(axis, space.len(), count, &kernel(axis)?, behind)
    };
    let groups = given.int(9).and_then(|groups| u64::try_from(groups).ok()).unwrap_or(1);
    let dim = |at: usize| match at {
        0 => Ok(batch.clone()),
        1 => given.dim(1, 1)?.mul(&D::from(groups)).ok_or(UnknownCause::TooLarge),
        at => reach(at - 2)?.ok_or(UnknownCause::TooLarge),
    };
    within(space, &reach)?;
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `unpool(X, output_shape?, kernel_shape, strides?, pads?)`: what is asked for, or the batch, the channels, and as far as
/// the windows reach.
pub(super) fn unpool<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => {
            match given.length(1).or_else(|| given.length(2).and_then(|space| space.checked_add(2))) {
                Some(rank) => given.give(outputs, Dims::Each(rank, &|_| Err(because))),
                None => given.give(outputs, Dims::Unknown(because)),
            }
            return Ok(());
        }
    };
    let [_, _, space @ ..] = dims else {
        return Err(rank("a pool needs a batch, channels and space", Detail::Text("2 dimensions or more"), dims.len()));
    };
    let window = Window::read(given, 2);
    window.check(space.len())?;
    if let Some(found) = given.length(1).filter(|found| *found != dims.len()) {
        let expected = Detail::Counted(dims.len() as u64, "numbers");
        return Err(rank("there are other numbers of sizes and of dimensions", expected, found));
    }
    let asked = given.numbers(1);
    let reach = |axis: usize| match &asked {
        Err(because) => Err(*because),
        Ok(Some(asked)) => {
            let because = given.because_of(1);
            asked.get(axis + 2).and_then(size).map(Some).ok_or(because)
        }
        Ok(None) => {
            let count = space.get(axis).ok_or(UnknownCause::Dims(usize::MAX))?;
            let kernel = D::from(Window::number(window.kernel.as_ref(), axis, 1));
            window.reach(axis, space.len(), count, &kernel, 0)
        }
    };
    let dim = |at: usize| match at.checked_sub(2) {
        None => given.dim(0, at),
        Some(axis) => reach(axis)?.ok_or(UnknownCause::TooLarge),
    };
    within(space, &reach)?;
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// That along each axis the pads leave something.
fn within<D: Dimension>(space: &[D], reach: &dyn Fn(usize) -> Result<Option<D>, UnknownCause>) -> Done {
    for (axis, size) in space.iter().enumerate() {
        // Of no windows at all nothing is said.
        if size.known() != Some(0) && matches!(reach(axis), Ok(None)) {
            return Err(mismatch("the pads take away more than there is", None, size.known()));
        }
    }
    Ok(())
}
