//! What decides an output: calls of rules, or terms.

use super::argument::Argument;
use super::function::Rule;
use super::term::Term;
use super::type_source::TypeSource;

/// What decides an output.
#[derive(Clone, Copy, Debug)]
pub struct OutputRule {
    /// The place of the output in [`Schema::outputs`](crate::Schema::outputs); a variadic one stands for every place from its own on.
    pub output: usize,
    /// Where its type comes from, if the inputs leave it open; the first that says something decides.
    pub types: &'static [TypeSource],
    /// What gives its dimensions, and where the rule gives elements, these too.
    pub dims: Option<DimsRule>,
    /// What gives its elements, where that is another rule.
    pub elements: Option<Call>,
}

impl OutputRule {
    /// What an operator of one's own does that implements [`Infer`](crate::Infer): it gives all its outputs at once.
    #[doc(hidden)]
    #[must_use]
    pub const fn whole(rule: Rule) -> Self {
        Self { output: 0, types: &[], dims: Some(DimsRule::Call(Call { rule, arguments: &[] })), elements: None }
    }

    /// The places of the inputs that it reads; of a variadic one the first.
    pub fn inputs(&self) -> impl Iterator<Item = usize> {
        let (call, terms) = match self.dims {
            Some(DimsRule::Call(call)) => (call.arguments, &[][..]),
            Some(DimsRule::Terms(terms)) => (&[][..], terms),
            None => (&[][..], &[][..]),
        };
        let arguments = call.iter().chain(self.elements.map_or(&[][..], |call| call.arguments));
        let inputs =
            arguments.filter_map(|argument| if let Argument::Input(index) = argument { Some(*index) } else { None });
        inputs.chain(terms.iter().flat_map(Term::inputs).flatten())
    }

    /// Whether elements are given, all of them where all that are read are known.
    #[must_use]
    pub fn gives_elements(&self) -> bool {
        let by_dims = matches!(self.dims, Some(DimsRule::Call(call)) if call.rule.gives_elements());
        by_dims || self.elements.is_some()
    }
}

/// What gives the dimensions of an output.
#[derive(Clone, Copy, Debug)]
pub enum DimsRule {
    /// A rule.
    Call(Call),
    /// The dimensions one by one.
    Terms(&'static [Term]),
}

/// A rule with its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The rule.
    pub rule: Rule,
    /// The arguments, in the order of its parameters.
    pub arguments: &'static [Argument],
}
