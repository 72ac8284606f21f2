//! What decides an output: calls of rules, or terms.

use super::argument::Argument;
use super::function::Rule;
use super::term::Term;
use super::type_source::TypeSource;
use crate::signature::{Claim, Expression};

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
    /// How many multiply-adds it takes in all, if the rule does not say it: the first amount whose condition holds.
    pub multiply_adds: &'static [Amount],
}

/// An amount under a condition.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// The condition, as the descriptor says it; empty if it always holds.
    pub text: &'static str,
    /// When it holds: all claims of at least one of these groups hold.
    pub condition: &'static [&'static [Claim]],
    /// The amount.
    pub number: Expression,
}

impl OutputRule {
    /// The rule of a custom operator that implements [`Infer`](crate::Infer): it computes all outputs at once.
    #[doc(hidden)]
    #[must_use]
    pub const fn whole(rule: Rule) -> Self {
        Self {
            output: 0,
            types: &[],
            dims: Some(DimsRule::Call(Call { rule, arguments: &[] })),
            elements: None,
            multiply_adds: &[],
        }
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

    /// Passes the indices of the inputs that it reads to a closure; for a variadic input, the first one.
    pub fn each_input(&self, put: &mut dyn FnMut(usize)) {
        if let Some(dims) = self.dims {
            dims.each_input(put);
        }
        if let Some(elements) = self.elements {
            elements.each_input(put);
        }
    }

    /// Whether it computes elements: all of them, if all elements that it reads are known.
    #[must_use]
    pub fn gives_elements(&self) -> bool {
        self.elements.is_some() || self.dims.is_some_and(DimsRule::gives_elements)
    }
}

/// What computes the dimensions of an output.
#[derive(Clone, Copy, Debug)]
pub enum DimsRule {
    /// A rule.
    Call(Call),
    /// The dimensions one by one.
    Terms(&'static [Term]),
    /// Several, of which the first one whose condition holds decides.
    Alternatives(&'static [Alternative]),
}

/// What computes the dimensions of an output under a condition.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    /// The condition, as the descriptor says it; empty if it always holds.
    pub text: &'static str,
    /// When it holds: all claims of at least one of these groups hold.
    pub condition: &'static [&'static [Claim]],
    /// What computes them; it is not [`DimsRule::Alternatives`] again.
    pub dims: DimsRule,
}

impl DimsRule {
    fn each_input(self, put: &mut dyn FnMut(usize)) {
        match self {
            Self::Call(call) => call.each_input(put),
            Self::Terms(terms) => terms.iter().for_each(|term| term.each_input(put)),
            Self::Alternatives(alternatives) => {
                for Alternative { condition, dims, .. } in alternatives {
                    condition.iter().copied().flatten().for_each(|claim| claim.each_input(put));
                    dims.each_input(put);
                }
            }
        }
    }

    /// Whether it computes elements too, whatever the node.
    #[must_use]
    pub fn gives_elements(self) -> bool {
        match self {
            Self::Call(call) => call.rule.gives_elements(),
            Self::Terms(_) => false,
            Self::Alternatives(alternatives) => alternatives.iter().all(|of| of.dims.gives_elements()),
        }
    }
}

/// A rule with its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The rule.
    pub rule: Rule,
    /// The arguments, in the order of its parameters.
    pub arguments: &'static [Argument],
}

impl Call {
    fn each_input(self, put: &mut dyn FnMut(usize)) {
        self.arguments.iter().filter_map(|argument| argument.input()).for_each(put);
    }
}
