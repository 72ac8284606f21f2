//! Windows that slide over the spatial axes.

use super::parameters::{GlobalPool, MaxUnpool, Pool};
use super::refuse::{has_rank, length};
use super::window::{Rounding, Window, counted, leaves_something};
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, List, Output};

const AXES: &str = "the input must have a batch dimension, channels, and spatial dimensions";

pub(super) fn pool<D: Dimension>(
    Pool { x, kernel_shape, strides, pads, dilations, auto_pad, ceil_mode, drops_last }: Pool<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = match x.dims() {
        Ok(dims) => dims,
        Err(cause) => {
            output.rank(kernel_shape.len().and_then(|space| space.checked_add(2)).ok_or(cause)?, cause);
            return Ok(());
        }
    };
    let ([batch, channels, _, ..], Some(space)) = (dims, dims.get(2..)) else {
        return Err(Problem::rank(AXES, Detail::Text("3 dimensions or more"), dims.len()).into());
    };
    let rounding = match (ceil_mode, drops_last) {
        (false, _) => Rounding::Down,
        (true, true) => Rounding::Up,
        (true, false) => Rounding::UpOrOneMore,
    };
    let pads = counted(pads, auto_pad);
    let window = Window::new([Some(kernel_shape), strides, pads, dilations], auto_pad, rounding, space.len())?;
    let kernel = |axis: usize| match window.dilation(axis) {
        // Runtimes pad such a pool as if its window had no dilation.
        2.. if window.is_same() => Err(UnknownCause::ToolsDiffer),
        _ => window.kernel(axis).ok_or(UnknownCause::NotGiven),
    };
    window.give(output, (batch, &Ok(channels.clone())), space, &kernel);
    Ok(())
}

pub(super) fn global_pool<D: Dimension>(GlobalPool { x }: GlobalPool<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = x.dims()?;
    if dims.len() < 2 {
        let message = "the input must have at least 2 dimensions: batch and channels";
        return Err(Problem::rank(message, Detail::Text("2 dimensions or more"), dims.len()).into());
    }
    let dim = |at: usize| Ok(dims.get(at).filter(|_| at < 2).cloned().unwrap_or_else(|| D::from(1)));
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}

pub(super) fn max_unpool<D: Dimension>(
    MaxUnpool { x, output_shape, kernel_shape, strides, pads }: MaxUnpool<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    if let Some(List::Input(sizes)) = &output_shape {
        has_rank(sizes, 1, "the sizes must have 1 dimension")?;
    }
    let entries = output_shape.and_then(|sizes| sizes.len());
    let dims = match x.dims() {
        Ok(dims) => dims,
        Err(cause) => {
            let rank = entries.or_else(|| kernel_shape.len().and_then(|space| space.checked_add(2)));
            output.rank(rank.ok_or(cause)?, cause);
            return Ok(());
        }
    };
    let [_, _, space @ ..] = dims else {
        return Err(Problem::rank(AXES, Detail::Text("2 dimensions or more"), dims.len()).into());
    };
    let window = Window::new([Some(kernel_shape), strides, pads, None], b"NOTSET", Rounding::Down, space.len())?;
    if let Some(found) = entries.filter(|found| *found != dims.len()) {
        return Err(length("the numbers of sizes and dimensions differ", dims.len(), found).into());
    }
    let reach = |axis: usize| {
        if let Some(sizes) = output_shape {
            return sizes.size(axis + 2).map(Some);
        }
        let count = space.get(axis).ok_or(UnknownCause::NotGiven)?;
        let kernel = window.kernel(axis).ok_or(UnknownCause::NotGiven)?;
        window.reach(axis, space.len(), count, &kernel, 0)
    };
    leaves_something(space, &reach)?;
    let dim = |at: usize| match at.checked_sub(2) {
        None => x.dim(at),
        Some(axis) => reach(axis)?.ok_or(UnknownCause::TooLarge),
    };
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}
