//! Filters that slide over the spatial axes.

use super::parameters::{CausalConvState, Conv, ConvTranspose};
use super::refuse::{length, mismatch, rank, rank_not, shared};
use super::window::{Window, leaves_something, number};
use super::{Done, Output};
use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Input, UnknownCause};

fn too_few_axes(found: usize) -> Problem<'static> {
    rank_not("a convolution needs a batch, channels and space", Detail::Text("3 dimensions or more"), found)
}

/// That the filters have the rank of the tensor.
fn same_rank<D: Dimension>(w: &Input<'_, D>, dims: &[D]) -> Result<(), Problem<'static>> {
    match w.dims() {
        Ok(filters) if filters.len() != dims.len() => {
            Err(rank("the filters have another rank than the tensor", dims.len(), filters.len()))
        }
        _ => Ok(()),
    }
}

pub(super) fn conv<D: Dimension>(
    Conv { x, w, kernel_shape, strides, pads, dilations, auto_pad }: Conv<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let channels = w.dim(0);
    let dims = match x.dims() {
        Ok(dims) => dims,
        Err(cause) => {
            let space = || kernel_shape.and_then(|kernel| kernel.len()?.checked_add(2));
            let rank = w.dims().ok().map(<[D]>::len).or_else(space).ok_or(cause)?;
            output.dims(Dims::Each(rank, &|at| if at == 1 { channels.clone() } else { Err(cause) }));
            return Ok(());
        }
    };
    let [batch, _, space @ ..] = dims else { return Err(too_few_axes(dims.len()).into()) };
    let window = Window::new([kernel_shape, strides, pads, dilations], auto_pad, false, space.len())?;
    same_rank(&w, dims)?;
    let kernel = |axis: usize| window.kernel(axis).map_or_else(|| w.dim(axis + 2), Ok);
    for (axis, size) in space.iter().enumerate() {
        if let Ok(kernel) = kernel(axis)
            && let Ok(None) = window.fits(axis, space.len(), size, &kernel)
        {
            let message = "the window is larger than what it slides over";
            return Err(mismatch(message, kernel.known(), size.known()).into());
        }
    }
    window.give(output, (batch, &channels), space, &kernel);
    Ok(())
}

pub(super) fn conv_transpose<D: Dimension>(
    ConvTranspose { x, w, kernel_shape, strides, pads, dilations, auto_pad, output_padding, output_shape, group }: ConvTranspose<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = match x.dims() {
        Ok(dims) => dims,
        Err(cause) => {
            output.rank(w.dims().map_err(|_| cause)?.len(), cause);
            return Ok(());
        }
    };
    let [batch, channels, space @ ..] = dims else { return Err(too_few_axes(dims.len()).into()) };
    same_rank(&w, dims)?;
    if let Some(taken) = w.dim(0).ok().filter(|taken| !taken.may_equal(channels)) {
        let message = "there are other numbers of channels and of filters";
        return Err(mismatch(message, taken.known(), channels.known()).into());
    }
    let window = Window::new([kernel_shape, strides, pads, dilations], auto_pad, false, space.len())?;
    let [padding, asked] = [output_padding, output_shape].map(|list| list.and_then(|list| list.numbers().ok()));
    if let Some(list) = [padding, asked].into_iter().flatten().find(|list| list.len() != space.len()) {
        let message = "a list has another length than there are axes of space";
        return Err(length(message, space.len(), list.len()).into());
    }
    let reach = |axis: usize| {
        if let Some(asked) = output_shape.filter(|_| asked.is_some()) {
            return asked.size(axis).map(Some).map_err(|_| UnknownCause::Data);
        }
        let count = space.get(axis).ok_or(UnknownCause::NotGiven)?;
        let kernel = window.kernel(axis).map_or_else(|| w.dim(axis + 2), Ok)?;
        window.reach(axis, space.len(), count, &kernel, number(padding.as_ref(), axis, 0))
    };
    leaves_something(space, &reach)?;
    let dim = |at: usize| match at {
        0 => Ok(batch.clone()),
        1 => w.dim(1)?.mul(&group.size()?).ok_or(UnknownCause::TooLarge),
        at => reach(at - 2)?.ok_or(UnknownCause::TooLarge),
    };
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}

pub(super) fn causal_conv_state<D: Dimension>(
    CausalConvState { input, weight, past_state }: CausalConvState<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let past = past_state.unwrap_or_default();
    input.has_rank(3, "the input has a batch, channels and steps")?;
    weight.has_rank(3, "filters")?;
    past.has_rank(3, "a state has a batch, channels and steps")?;
    let batch = shared([input.dim(0), past.dim(0)], "the input and the state are of different batches")?;
    let message = "the inputs have different numbers of channels";
    let channels = shared([input.dim(1), weight.dim(0), past.dim(1)], message)?;
    let less = match weight.dim(2) {
        Ok(steps) => {
            Ok(steps.sub(&D::from(1)).ok_or_else(|| mismatch("a filter has no steps", None, steps.known()))?)
        }
        Err(cause) => Err(cause),
    };
    let steps = match (less, past.dim(2)) {
        (Ok(less), Ok(past)) if !less.may_equal(&past) => {
            let message = "the state has other steps than a filter but one";
            return Err(mismatch(message, less.known(), past.known()).into());
        }
        (Ok(less), _) => Ok(less),
        (Err(_), Ok(past)) => Ok(past),
        (Err(cause), Err(_)) => Err(cause),
    };
    output.each_dim(&[batch, channels, steps]);
    Ok(())
}
