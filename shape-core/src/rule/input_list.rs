//! Inputs of any number that a rule is given.

use super::argument::Argument;
use crate::dimension::Dimension;
use crate::facts::{Input, Inputs, copy};
use crate::signature::FormalParameter;

/// Inputs of any number.
pub struct InputList<'a, D: Dimension> {
    pub(super) arguments: &'static [Argument],
    pub(super) formal: &'static [FormalParameter],
    pub(super) inputs: Inputs<'a, D>,
}

impl<'a, D: Dimension> InputList<'a, D> {
    /// Those that the node gives, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Input<'a, D>> + Clone + use<'a, D> {
        let list = *self;
        (0..self.count()).filter_map(move |place| {
            let index = list.index(place)?;
            list.inputs.0.get(index)?.map(|fact| Input { index, fact })
        })
    }

    /// How many places there are, given or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.arguments.iter().filter_map(|argument| self.span(argument)).map(|(_, count)| count).sum()
    }

    /// The one at a place, given or not, and how many places there are.
    pub(crate) fn place(&self, place: usize) -> (Input<'a, D>, usize) {
        (self.index(place).map_or_else(Input::default, |index| self.inputs.required(index)), self.count())
    }

    /// The place among the inputs of the node.
    fn index(&self, place: usize) -> Option<usize> {
        let mut before = 0_usize;
        for (first, count) in self.arguments.iter().filter_map(|argument| self.span(argument)) {
            match place.checked_sub(before) {
                Some(within) if within < count => return first.checked_add(within),
                _ => before = before.saturating_add(count),
            }
        }
        None
    }

    /// The first input that an argument stands for, and how many: a variadic one for all from its place on.
    fn span(&self, argument: &Argument) -> Option<(usize, usize)> {
        let Argument::Input(first) = *argument else { return None };
        let variadic = self.formal.get(first).is_some_and(FormalParameter::is_variadic);
        Some((first, if variadic { self.inputs.0.len().saturating_sub(first) } else { 1 }))
    }
}

copy!(InputList);
