//! Tensors concatenated along an axis.

use super::axes::axis;
use super::grid::{Grid, nothing, placed, same_dims};
use super::parameters::{Concat, ConcatDims};
use super::refuse::{mismatch, rank};
use crate::dimension::Dimension;
use crate::elements::Scalar;
use crate::facts::{Dims, Input, UnknownCause};
use crate::rule::{Done, InputList, Integer, Output, Stop};

pub(super) fn concat<D: Dimension>(Concat { axis: along, inputs }: Concat<'_, D>, output: &mut Output<'_, D>) -> Done {
    let (rank, along) = joined_dims(along, &inputs, output)?;
    let dim = |at: usize| dim(&inputs, along, at).ok();
    // The others are empty.
    let is_all = |input: &Input<'_, D>| input.fact.dims.is_some_and(|dims| same_dims(dims, rank, dim));
    if let Some(only) = inputs.iter().find(is_all) {
        output.elements_of(&only);
        return Ok(());
    }
    match rank {
        1 => joined(&inputs, output),
        _ => stacked(&inputs, output, along, Grid::new(rank, |at| dim(at)?.known())),
    }
    Ok(())
}

pub(super) fn concat_dims<D: Dimension>(
    ConcatDims { axis: along, inputs }: ConcatDims<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    joined_dims(along, &inputs, output)?;
    Ok(())
}

/// Sets the dimensions of tensors that are concatenated; returns the rank and the axis.
fn joined_dims<D: Dimension>(
    along: Integer<'_, D>,
    inputs: &InputList<'_, D>,
    output: &mut Output<'_, D>,
) -> Result<(usize, usize), Stop<'static>> {
    let unknown = || inputs.iter().next().map_or(UnknownCause::NotGiven, |input| UnknownCause::Dims(input.index));
    let first = inputs.iter().find_map(|input| input.fact.dims).ok_or_else(unknown)?;
    let along = axis(along.known().unwrap_or(1), first.len())?;
    for dims in inputs.iter().filter_map(|input| input.fact.dims) {
        if dims.len() != first.len() {
            return Err(rank("the inputs have different ranks", first.len(), dims.len()).into());
        }
        // Runtimes pass over an input without elements, whatever its dimensions are.
        let both_filled = is_filled(first) && is_filled(dims);
        for (_, (left, right)) in first.iter().zip(dims).enumerate().filter(|(at, _)| *at != along) {
            if !left.may_equal(right) {
                return Err(mismatch(
                    "the inputs have different sizes along another axis than the one to concatenate",
                    left.known(),
                    right.known(),
                )
                .into());
            }
            if both_filled {
                output.implies_equal(left, right);
            }
        }
    }
    output.dims(Dims::Each(first.len(), &|at| dim(inputs, along, at)));
    Ok((first.len(), along))
}

/// The size of an axis of tensors that are concatenated.
fn dim<D: Dimension>(inputs: &InputList<'_, D>, along: usize, at: usize) -> Result<D, UnknownCause> {
    if at != along {
        let known = inputs.iter().filter_map(|input| input.dim(at).ok());
        return known.reduce(D::refine).ok_or(UnknownCause::NotGiven);
    }
    let mut sum = D::from(0);
    for input in inputs.iter() {
        sum = sum.add(&input.dim(at)?).ok_or(UnknownCause::PastLargest)?;
    }
    Ok(sum)
}

/// Whether there are elements, whatever the symbols are.
fn is_filled<D: Dimension>(dims: &[D]) -> bool {
    dims.iter().all(|dim| dim.lower_bound().is_some_and(|least| least > 0))
}

/// The elements of lists, one list after the other.
fn joined<D: Dimension>(inputs: &InputList<'_, D>, output: &mut Output<'_, D>) {
    let length = |input: &Input<'_, D>| input.fact.elements.map_or(0, |elements| elements.len());
    let count = inputs.iter().fold(0_usize, |count, input| count.saturating_add(length(&input)));
    if let Some(unknown) = inputs.iter().find(|input| input.fact.elements.is_none()) {
        return output.elements(Err(UnknownCause::Elements(unknown.index)));
    }
    let each = |index: usize| {
        let mut index = index;
        for input in inputs.iter() {
            let length = length(&input);
            if index < length {
                return input.fact.elements.and_then(|elements| elements.get(index)).unwrap_or(Scalar::Int(0));
            }
            index -= length;
        }
        Scalar::Int(0)
    };
    output.elements(Ok((count, &each)));
}

/// The elements of tensors, concatenated along an axis.
fn stacked<D: Dimension>(inputs: &InputList<'_, D>, output: &mut Output<'_, D>, along: usize, to: Option<Grid>) {
    let unknown = inputs.iter().find(|input| placed(input).is_none());
    let Some(to) = to.filter(|_| unknown.is_none()) else {
        let cause = unknown.map_or(UnknownCause::NotGiven, |input| UnknownCause::Elements(input.index));
        return output.elements(Err(cause));
    };
    let each = |index: usize| {
        let mut at = to.coordinate(index, along);
        for (elements, grid) in inputs.iter().filter_map(|input| placed(&input)) {
            let Some(rest) = at.checked_sub(grid.size(along)) else {
                let source = grid.index_of(|axis| Some(if axis == along { at } else { to.coordinate(index, axis) }));
                return source.and_then(|source| elements.get(source)).unwrap_or_else(nothing);
            };
            at = rest;
        }
        nothing()
    };
    output.elements(Ok((to.count(), &each)));
}
