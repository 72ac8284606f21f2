//! A list of inputs as an argument of a rule.

use super::argument::Argument;
use crate::dimension::Dimension;
use crate::facts::{Input, Inputs, copy};
use crate::signature::FormalParameter;

/// Any number of inputs.
pub struct InputList<'a, D: Dimension> {
    pub(super) arguments: &'static [Argument],
    pub(super) formal: &'static [FormalParameter],
    pub(super) inputs: Inputs<'a, D>,
}

impl<'a, D: Dimension> InputList<'a, D> {
    /// The inputs that are present, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Input<'a, D>> + Clone + use<'a, D> {
        let list = *self;
        let spans = self.arguments.iter().filter_map(move |argument| list.span(argument));
        let indices = spans.flat_map(|(first, count)| (0..count).filter_map(move |within| first.checked_add(within)));
        indices.filter_map(move |index| list.inputs.0.get(index)?.map(|fact| Input { index, fact }))
    }

    /// The number of inputs, present or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.arguments.iter().filter_map(|argument| self.span(argument)).map(|(_, count)| count).sum()
    }

    /// The input at a position, present or not, and the number of inputs.
    pub(crate) fn at(&self, position: usize) -> (Input<'a, D>, usize) {
        (self.index(position).map_or_else(Input::default, |index| self.inputs.required(index)), self.count())
    }

    /// The index among the inputs of the node.
    fn index(&self, position: usize) -> Option<usize> {
        let mut before = 0_usize;
        for (first, count) in self.arguments.iter().filter_map(|argument| self.span(argument)) {
            match position.checked_sub(before) {
                Some(within) if within < count => return first.checked_add(within),
                _ => before = before.saturating_add(count),
            }
        }
        None
    }

    /// The first input of an argument, and how many it has: a variadic one has all from its index on.
    fn span(&self, argument: &Argument) -> Option<(usize, usize)> {
        let first = argument.input()?;
        let variadic = self.formal.get(first).is_some_and(FormalParameter::is_variadic);
        Some((first, if variadic { self.inputs.0.len().saturating_sub(first) } else { 1 }))
    }
}

copy!(InputList);
