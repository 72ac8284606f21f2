//! Tensors whose channels are last, for rules that know them behind the batch.

use super::arguments::RuleArguments;
use super::call::Call;
use super::function::RuleDimension;
use super::output::Output;
use super::stop::Stop;
use crate::facts::{Fact, Inputs, UnknownCause};

/// The largest rank, and the largest number of inputs, of a node with another layout.
const LARGEST: usize = 16;

/// Where the axis of a tensor with the channels behind the batch is in one with the channels last.
const fn after(axis: usize, rank: usize) -> usize {
    match axis {
        0 => 0,
        1 => rank - 1,
        within => within - 1,
    }
}

/// Runs a rule, with the channels behind the batch in the input that the call says to have them last, and in the output.
pub(crate) fn run<'a, D: RuleDimension>(
    call: &Call,
    arguments: &RuleArguments<'_, 'a, D>,
    output: &mut Output<'_, D>,
) -> Result<(), Stop<'a>> {
    let function = D::function(call.rule);
    let last = call.arguments.iter().find_map(|argument| argument.channels_last());
    let Some(index) = last else { return function(arguments, output) };
    output.put_channels_last();
    let fact = arguments.inputs().required(index).fact;
    let Some([first, rest @ ..]) = fact.dims else { return function(arguments, output) };
    let mut facts: [Option<Fact<'_, D>>; LARGEST] = [None; LARGEST];
    let (given, rank) = (arguments.inputs().0, 1 + rest.len());
    let (true, Some(facts)) = (rank <= LARGEST, facts.get_mut(..given.len())) else {
        return Err(UnknownCause::TooLarge.into());
    };
    let moved: [D; LARGEST] = core::array::from_fn(|axis| {
        let from = if axis < rank { after(axis, rank) } else { 0 };
        from.checked_sub(1).and_then(|from| rest.get(from)).unwrap_or(first).clone()
    });
    facts.copy_from_slice(given);
    if let Some(place) = facts.get_mut(index) {
        *place = Some(Fact { dims: moved.get(..rank), ..fact });
    }
    function(&RuleArguments { inputs: Inputs(facts), ..*arguments }, output)
}
