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
        let indices = spans.flat_map(|span| (0..span.count).filter_map(move |within| span.index(within)));
        indices.filter_map(move |index| list.inputs.0.get(index)?.map(|fact| Input { index, fact }))
    }

    /// The number of inputs, present or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.arguments.iter().filter_map(|argument| self.span(argument)).map(|span| span.count).sum()
    }

    /// The input at a position, present or not, and the number of inputs.
    pub(crate) fn at(&self, position: usize) -> (Input<'a, D>, usize) {
        (self.index(position).map_or_else(Input::default, |index| self.inputs.required(index)), self.count())
    }

    /// The index among the inputs of the node.
    fn index(&self, position: usize) -> Option<usize> {
        let mut before = 0_usize;
        for span in self.arguments.iter().filter_map(|argument| self.span(argument)) {
            match position.checked_sub(before) {
                Some(within) if within < span.count => return span.index(within),
                _ => before = before.saturating_add(span.count),
            }
        }
        None
    }

    /// The inputs of an argument.
    fn span(&self, argument: &Argument) -> Option<Span> {
        let first = argument.input()?;
        let step = if let Argument::Every(_, step) = *argument { step.max(1) } else { 1 };
        let is_variadic = self.formal.get(first).is_some_and(FormalParameter::is_variadic);
        let count = if is_variadic { self.inputs.0.len().saturating_sub(first).div_ceil(step) } else { 1 };
        Some(Span { first, step, count })
    }
}

/// The inputs of one argument: a variadic one has all from its index on, or every so many of them.
#[derive(Clone, Copy)]
struct Span {
    first: usize,
    step: usize,
    count: usize,
}

impl Span {
    /// The index of one of them among the inputs of the node.
    fn index(self, within: usize) -> Option<usize> {
        self.first.checked_add(within.checked_mul(self.step)?)
    }
}

copy!(InputList);
