//! Why a rule ends before it has said all of an output.

use crate::facts::UnknownCause;
use crate::problem::Problem;

/// Why a rule ends before it has said all of an output.
#[derive(Debug)]
pub enum Stop<'a> {
    /// What is left is unknown, and why.
    Unknown(UnknownCause),
    /// The node is wrong.
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

/// What a rule returns.
pub type Done = Result<(), Stop<'static>>;
