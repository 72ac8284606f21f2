//! Why a rule stops before its output is complete.

use crate::facts::UnknownCause;
use crate::problem::Problem;

/// Why a rule stops before its output is complete.
#[derive(Debug)]
pub enum Stop<'a> {
    /// The rest of the output is unknown, for this cause.
    Unknown(UnknownCause),
    /// The node is invalid.
    Refused(Problem<'a>),
}

impl From<UnknownCause> for Stop<'_> {
    fn from(cause: UnknownCause) -> Self {
        Self::Unknown(cause)
    }
}

impl<'a> From<Problem<'a>> for Stop<'a> {
    fn from(problem: Problem<'a>) -> Self {
        Self::Refused(problem)
    }
}

/// The result of a rule.
pub type Done = Result<(), Stop<'static>>;
