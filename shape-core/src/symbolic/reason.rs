//! Why something is unknown.

use alloc::sync::Arc;

use super::dim::Dim;
use crate::dimension::Undecided;

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
