//! Whether an operator that is a Rust type has a rule: what the derive asks, for the schema to carry it.
//!
//! A constant of a type comes before that of a trait, so that `Probe::<O>::RULE` is the one below where its conditions
//! hold, and that of the trait where they do not. It works for a type that is written out, as a derive has it, not for a
//! parameter.

use core::marker::PhantomData;

use super::{Infer, Operator, Rule};

/// The question.
#[derive(Debug)]
pub struct Probe<O>(PhantomData<O>);

/// The answer for a type without a rule.
pub trait NoRule {
    /// There is none.
    const RULE: Option<Rule> = None;
}

impl<O> NoRule for Probe<O> {}

impl<O: Operator> Probe<O>
where
    for<'a> O::Of<'a>: Infer,
{
    /// Its own.
    pub const RULE: Option<Rule> = Some(Rule::of::<O>());
}
