//! Runs rules that expect the channels after the batch on tensors whose channels are the last axis.

use super::argument::Argument;
use super::arguments::RuleArguments;
use super::call::Call;
use super::function::RuleDimension;
use super::output::Output;
use super::stop::Stop;
use crate::facts::{Fact, Inputs, UnknownCause};

/// The largest rank, and the largest number of inputs, of a node with another layout.
const LARGEST: usize = 16;

/// Where the axis of a tensor with the channels behind the batch is in one with the channels last.
const fn with_channels_last(axis: usize, rank: usize) -> usize {
    match axis {
        0 => 0,
        1 => rank - 1,
        within => within - 1,
    }
}

/// Runs a rule, which sees the channels after the batch in its output and in each [`Argument::ChannelsLast`] of the
/// call.
pub(crate) fn run<'a, D: RuleDimension>(
    call: &Call,
    arguments: &RuleArguments<'_, 'a, D>,
    output: &mut Output<'_, D>,
) -> Result<(), Stop<'a>> {
    let function = D::function(call.rule);
    if !call.arguments.iter().any(|argument| matches!(argument, Argument::ChannelsLast(_))) {
        return function(arguments, output);
    }
    output.put_channels_last();
    with_moved(call.arguments, arguments, &mut |arguments| function(arguments, output))
}

/// Calls a closure with the arguments in which the channels of all inputs from the first argument of a list on are moved.
fn with_moved<'a, D: RuleDimension>(
    list: &'static [Argument],
    arguments: &RuleArguments<'_, 'a, D>,
    call: &mut dyn FnMut(&RuleArguments<'_, 'a, D>) -> Result<(), Stop<'a>>,
) -> Result<(), Stop<'a>> {
    let [argument, others @ ..] = list else { return call(arguments) };
    let Argument::ChannelsLast(index) = *argument else { return with_moved(others, arguments, call) };
    let fact = arguments.inputs().required(index).fact;
    let Some([first, rest @ ..]) = fact.dims else { return with_moved(others, arguments, call) };
    let mut facts: [Option<Fact<'_, D>>; LARGEST] = [None; LARGEST];
    let (given, rank) = (arguments.inputs().0, 1 + rest.len());
    let (true, Some(facts)) = (rank <= LARGEST, facts.get_mut(..given.len())) else {
        return Err(UnknownCause::TooLarge.into());
    };
    let moved: [D; LARGEST] = core::array::from_fn(|axis| {
        let from = if axis < rank { with_channels_last(axis, rank) } else { 0 };
        from.checked_sub(1).and_then(|from| rest.get(from)).unwrap_or(first).clone()
    });
    facts.copy_from_slice(given);
    if let Some(place) = facts.get_mut(index) {
        *place = Some(Fact { dims: moved.get(..rank), ..fact });
    }
    with_moved(others, &RuleArguments { inputs: Inputs(facts), ..*arguments }, call)
}
