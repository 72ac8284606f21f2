//! Why something is unknown.

use crate::dimension::Undecided;

/// Why something is unknown: the cause, and the first value that it affected.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reason {
    /// The cause.
    pub cause: Cause,
    /// The number of the value in the analysis that found it; [`Reason::HERE`] until it is determined.
    pub value: u32,
}

impl Reason {
    /// Stands for the current value: arithmetic uses it, since it does not know the numbers of values.
    pub const HERE: u32 = u32::MAX;

    /// The cause at the current value.
    #[must_use]
    pub fn here(cause: Cause) -> Self {
        Self { cause, value: Self::HERE }
    }

    /// The reason, with the current value filled in.
    #[must_use]
    pub fn at(self, value: u32) -> Self {
        if self.value == Self::HERE { Self { value, ..self } } else { self }
    }
}

/// What can make something unknown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The model's declaration of the value does not say it.
    NotDeclared,
    /// The operator that computes the value has no descriptor.
    NoDescriptor,
    /// The operator that computes the value has a descriptor but no rule.
    NoRule,
    /// The version of the operator is unknown, because its domain or opset is.
    NoVersion,
    /// The value comes from a call of a model-local function that is not analyzed: calls are nested too deeply, or there are
    /// too many.
    FunctionCall,
    /// An attribute of the node that computes the value is one that the caller of its function passes.
    Referred,
    /// The node that computes the value is invalid; a separate finding reports it.
    Refused,
    /// Nothing computes the value; a separate finding reports it.
    Undefined,
    /// The value is not a tensor.
    NotATensor,
    /// The declaration cannot be read; a separate finding reports it.
    BadDeclaration,
    /// The caller passes the elements.
    GivenAtRun,
    /// The elements are a default that the caller may replace: an initializer that is an input too.
    Replaceable,
    /// The elements have a type that is not computed.
    ElementsNotFollowed,
    /// There are more elements than are computed.
    TooManyElements,
    /// The elements cannot be read; a separate finding reports it.
    BadElements,
    /// There are more dimensions than are computed.
    TooManyDims,
    /// Two dimensions that are stretched to each other may differ, and either may be 1.
    MayDiffer,
    /// Runtimes compute different sizes for such a node.
    ToolsDiffer,
    /// The elements of a sequence may differ.
    Varies,
    /// It may change between the iterations of a loop.
    Rounds,
    /// The branches may differ.
    Branches,
    /// It is not known which of the alternative rules for its dimensions applies.
    Condition,
    /// It depends on what the elements of an input are when the model runs.
    DependsOnData,
    /// Likewise, and it is one size in all outputs of its node.
    Common,
    /// What is known of the values of the model takes too much memory already.
    TooLarge,
    /// An expression has more terms, factors or operations, or larger coefficients than are computed.
    ExpressionTooLarge,
    /// Arithmetic on its elements has no answer.
    Arithmetic(Undecided),
}
