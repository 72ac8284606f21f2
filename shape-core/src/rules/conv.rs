//! Filters that slide over the spatial axes.

use super::parameters::{CausalConvState, Conv, ConvTranspose};
use super::refuse::{has_rank, length, mismatch, rank, shared};
use super::window::{Rounding, Window, counted, leaves_something, number};
use crate::dimension::{Dimension, Product};
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

fn too_few_axes(found: usize) -> Problem<'static> {
    Problem::rank(
        "the input must have at least 3 dimensions: batch, channels and spatial dimensions",
        Detail::Text("3 dimensions or more"),
        found,
    )
}

/// Checks that the filters have the rank of the tensor.
fn same_rank<D: Dimension>(w: &Input<'_, D>, dims: &[D]) -> Result<(), Problem<'static>> {
    match w.dims() {
        Ok(filters) if filters.len() != dims.len() => {
            Err(rank("the weights and the input have different ranks", dims.len(), filters.len()))
        }
        _ => Ok(()),
    }
}

/// Checks that the filters are not empty along an axis.
fn has_places<D: Dimension>(kernel: &D) -> Result<(), Problem<'static>> {
    match kernel.known() {
        Some(0) => Err(mismatch("the kernel has a size of 0 along an axis", None, Some(0))),
        _ => Ok(()),
    }
}

/// The number of elements of one filter: the channels that it reads, and its size.
fn of_filter<D: Dimension>(w: &Input<'_, D>) -> Result<D, UnknownCause> {
    Product::of(w.dims()?.get(1..).unwrap_or_default()).ok_or(UnknownCause::PastLargest)
}

pub(super) fn conv<D: Dimension>(
    Conv { x, w, kernel_shape, strides, pads, dilations, auto_pad }: Conv<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    output.multiply_adds_of_each(&|| of_filter(&w));
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
    let ([batch, _, _, ..], Some(space)) = (dims, dims.get(2..)) else { return Err(too_few_axes(dims.len()).into()) };
    let pads = counted(pads, auto_pad);
    let window = Window::new([kernel_shape, strides, pads, dilations], auto_pad, Rounding::Down, space.len())?;
    same_rank(&w, dims)?;
    let kernel = |axis: usize| window.kernel(axis).map_or_else(|| w.dim(axis + 2), Ok);
    for (axis, size) in space.iter().enumerate() {
        let Ok(kernel) = kernel(axis) else { continue };
        has_places(&kernel)?;
        if let Ok(None) = window.fits(axis, space.len(), size, &kernel) {
            let message = "the kernel is larger than the padded input";
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
    // Each element of the input goes through the filters once, also where what it gives is cut off.
    output.multiply_adds(&|| {
        let elements = Product::of(x.dims()?).ok_or(UnknownCause::PastLargest)?;
        elements.mul(&of_filter(&w)?).ok_or(UnknownCause::PastLargest)
    });
    let dims = match x.dims() {
        Ok(dims) => dims,
        Err(cause) => {
            output.rank(w.dims().map_err(|_| cause)?.len(), cause);
            return Ok(());
        }
    };
    let ([batch, _, _, ..], Some(space)) = (dims, dims.get(2..)) else {
        return Err(too_few_axes(dims.len()).into());
    };
    same_rank(&w, dims)?;
    let window = Window::new([kernel_shape, strides, pads, dilations], auto_pad, Rounding::Down, space.len())?;
    let [padding, asked] = [output_padding, output_shape].map(|list| list.and_then(|list| list.numbers().ok()));
    if let Some(list) = [padding, asked].into_iter().flatten().find(|list| list.len() != space.len()) {
        let message = "the length of a list differs from the number of spatial dimensions";
        return Err(length(message, space.len(), list.len()).into());
    }
    let kernel = |axis: usize| window.kernel(axis).map_or_else(|| w.dim(axis + 2), Ok);
    for kernel in (0..space.len()).filter_map(|axis| kernel(axis).ok()) {
        has_places(&kernel)?;
    }
    let reach = |axis: usize| {
        if let Some(asked) = output_shape.filter(|_| asked.is_some()) {
            return asked.size(axis).map(Some).map_err(|_| UnknownCause::Data);
        }
        let count = space.get(axis).ok_or(UnknownCause::NotGiven)?;
        window.reach(axis, space.len(), count, &kernel(axis)?, number(padding.as_ref(), axis, 0))
    };
    leaves_something(space, &reach)?;
    let dim = |at: usize| match at {
        0 => Ok(batch.clone()),
        1 => w.dim(1)?.mul(&group.size()?).ok_or(UnknownCause::PastLargest),
        at => reach(at - 2)?.ok_or(UnknownCause::TooLarge),
    };
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}

pub(super) fn causal_conv_state<D: Dimension>(
    CausalConvState { input, weight, bias, past_state }: CausalConvState<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let (bias, past) = (bias.unwrap_or_default(), past_state.unwrap_or_default());
    has_rank(&input, 3, "the input must have 3 dimensions: batch, channels and sequence")?;
    has_rank(&weight, 3, "the weights must have 3 dimensions: channels, 1 and kernel size")?;
    has_rank(&bias, 1, "the bias must have 1 dimension")?;
    has_rank(&past, 3, "the past state must have 3 dimensions: batch, channels and sequence")?;
    let batch = shared([input.dim(0), past.dim(0)], "the input and the state have different batch sizes")?;
    let message = "the inputs have different numbers of channels";
    let channels = shared([input.dim(1), weight.dim(0), bias.dim(0), past.dim(1)], message)?;
    if let Some(found) = weight.dim(1).ok().filter(|found| !found.may_equal(&D::from(1))) {
        return Err(mismatch("dimension 1 of the weights must be 1", Some(1), found.known()).into());
    }
    let less = match weight.dim(2) {
        Ok(steps) => {
            Ok(steps.sub(&D::from(1)).ok_or_else(|| mismatch("the kernel size must not be 0", None, steps.known()))?)
        }
        Err(cause) => Err(cause),
    };
    let steps = shared([less, past.dim(2)], "the length of the state must be the kernel size minus 1")?;
    output.each_dim(&[batch, channels, steps]);
    Ok(())
}
