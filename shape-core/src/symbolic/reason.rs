//! Why something is unknown.

use alloc::sync::Arc;
use core::fmt;

use super::{Dim, Symbols};
use crate::elements::arithmetic::Undecided;

/// Why something is unknown: what happened, and to which value it happened first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What happened.
    pub cause: Cause,
    /// The number of the value that it happened to, in the analysis that found it; [`Reason::HERE`] while it is not
    /// settled which one that is.
    pub value: u32,
}

impl Reason {
    /// The value at hand: what arithmetic says, which knows no values.
    pub const HERE: u32 = u32::MAX;

    /// What happened to the value at hand.
    #[must_use]
    pub fn here(cause: Cause) -> Self {
        Self { cause, value: Self::HERE }
    }

    /// The reason with the value at hand given.
    #[must_use]
    pub fn at(self, value: u32) -> Self {
        if self.value == Self::HERE { Self { value, ..self } } else { self }
    }
}

/// What can happen to make something unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The model declares the value without saying so much.
    NotDeclared,
    /// The operator that gives the value has no descriptor.
    NoDescriptor,
    /// The operator that gives the value has a descriptor and no rule.
    NoRule,
    /// Which version of the operator holds is not known: its domain or opset is not.
    NoVersion,
    /// The value comes out of a call of a model-local function that is not followed: calls lie too deep in each other, or
    /// there are too many.
    FunctionCall,
    /// An attribute of the node that gives the value is what a caller of the function gives.
    Referred,
    /// The node that gives the value has a mistake, which is a finding of its own.
    Refused,
    /// Nothing gives the value, which is a finding of its own.
    Undefined,
    /// The value is not a tensor.
    NotATensor,
    /// The declaration cannot be read, which is a finding of its own.
    BadDeclaration,
    /// The elements are what the caller gives.
    GivenAtRun,
    /// The elements are a default that the caller may replace: an initializer that is an input too.
    Replaceable,
    /// The elements are of a type that is not followed.
    ElementsNotFollowed,
    /// There are more elements than are followed.
    TooManyElements,
    /// The elements cannot be read, which is a finding of its own.
    BadElements,
    /// There are more dimensions than are followed.
    TooManyDims,
    /// The first may not be a multiple of the second.
    MayNotDivide(Arc<(Dim, Dim)>),
    /// Two dimensions that are stretched to each other may differ, and either may be 1.
    MayDiffer,
    /// Tools that run such a node give different sizes.
    ToolsDiffer,
    /// What is in a sequence need not be alike.
    Varies,
    /// It need not be the same in each round of a loop.
    Rounds,
    /// The branches need not give the same.
    Branches,
    /// It depends on what the elements of an input are when the model runs.
    DependsOnData,
    /// An expression has more terms, factors or operations, or larger coefficients than are followed.
    ExpressionTooLarge,
    /// Arithmetic on its elements has no answer.
    Arithmetic(Undecided),
}

impl Cause {
    /// The text of the cause, with its dimensions by the names of their symbols.
    #[must_use]
    pub fn display<'s>(&'s self, symbols: &'s Symbols) -> DisplayCause<'s> {
        DisplayCause { cause: self, symbols }
    }
}

/// See [`Cause::display`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayCause<'s> {
    cause: &'s Cause,
    symbols: &'s Symbols,
}

impl fmt::Display for DisplayCause<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbols = self.symbols;
        formatter.write_str(match self.cause {
            Cause::NotDeclared => "the model does not declare it",
            Cause::NoDescriptor => "its operator has no descriptor",
            Cause::NoRule => "its operator has no rule for it yet",
            Cause::NoVersion => "the version of its operator is unknown",
            Cause::FunctionCall => {
                "the function call that computes it is nested too deeply, or there are too many calls"
            }
            Cause::Referred => "the caller of the function sets an attribute of its node",
            Cause::Refused => "its node has an error",
            Cause::Undefined => "nothing computes it",
            Cause::NotATensor => "it is not a tensor",
            Cause::BadDeclaration => "its declaration is invalid",
            Cause::GivenAtRun => "its elements are known only when the model runs",
            Cause::Replaceable => "its elements are a default, which an input of the same name may replace",
            Cause::ElementsNotFollowed => "elements of its type are not computed",
            Cause::TooManyElements => "it has too many elements to compute",
            Cause::BadElements => "its elements cannot be read",
            Cause::TooManyDims => "it has too many dimensions to compute",
            Cause::MayDiffer => "two dimensions are broadcast to each other, and either may be 1",
            Cause::ToolsDiffer => "runtimes compute different sizes for such a node",
            Cause::Varies => "the tensors in it may differ",
            Cause::Rounds => "it may change from one iteration to the next",
            Cause::Branches => "the branches may return different results",
            Cause::DependsOnData => "it depends on elements that are known only when the model runs",
            Cause::ExpressionTooLarge => "an expression for it is too large",
            Cause::Arithmetic(why) => why.text(),
            Cause::MayNotDivide(sides) => {
                let (of, by) = (sides.0.display(symbols), sides.1.display(symbols));
                return write!(formatter, "{of} may not be a multiple of {by}");
            }
        })
    }
}
