//! What decides an output: calls of rules, or terms.

use super::argument::Argument;
use super::function::Rule;
use super::term::Term;
use super::type_source::TypeSource;

/// What decides an output.
#[derive(Clone, Copy, Debug)]
pub struct OutputRule {
    /// The index of the output in [`Schema::outputs`](crate::Schema::outputs); for a variadic output, its values are at this
    /// index and all later ones.
    pub output: usize,
    /// Where its type comes from, if the inputs do not decide it; the first source with a type does.
    pub types: &'static [TypeSource],
    /// What computes its dimensions, and its elements if the rule computes them too.
    pub dims: Option<DimsRule>,
    /// The rule that computes its elements, if it is a separate one.
    pub elements: Option<Call>,
}

impl OutputRule {
    /// The rule of a custom operator that implements [`Infer`](crate::Infer): it computes all outputs at once.
    #[doc(hidden)]
    #[must_use]
    pub const fn whole(rule: Rule) -> Self {
        Self { output: 0, types: &[], dims: Some(DimsRule::Call(Call { rule, arguments: &[] })), elements: None }
    }

    /// The same with sources of its type.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_types(self, types: &'static [TypeSource]) -> Self {
        Self { types, ..self }
    }

    /// The same with a rule that computes its elements.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_elements(self, rule: Rule, arguments: &'static [Argument]) -> Self {
        Self { elements: Some(Call { rule, arguments }), ..self }
    }

    /// The indices of the inputs that it reads; for a variadic input, the first one.
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

    /// Whether it computes elements: all of them, if all elements that it reads are known.
    #[must_use]
    pub fn gives_elements(&self) -> bool {
        let by_dims = matches!(self.dims, Some(DimsRule::Call(call)) if call.rule.gives_elements());
        by_dims || self.elements.is_some()
    }
}

/// What computes the dimensions of an output.
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
