//! The outcome of a test case.

use std::fmt;

/// The outcome of a test case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every output is as expected, in every data set.
    Pass,
    /// Every output has the expected type and dimensions, but no rule computes the elements of some of them.
    Dims,
    /// An output differs, or the model has errors.
    Fail,
    /// The model needs something that is not supported yet.
    Skip,
    /// The folder cannot be read.
    Error,
}

impl Outcome {
    /// The word in reports: `pass`, `dims`, `fail`, `skip` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Dims => "dims",
            Self::Fail => "fail",
            Self::Skip => "skip",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// Why a test case ended early.
pub(super) struct Stop(pub(super) Outcome, pub(super) String);

impl Stop {
    pub(super) fn fail(detail: impl Into<String>) -> Self {
        Self(Outcome::Fail, detail.into())
    }

    pub(super) fn skip(detail: impl Into<String>) -> Self {
        Self(Outcome::Skip, detail.into())
    }

    pub(super) fn error(detail: impl Into<String>) -> Self {
        Self(Outcome::Error, detail.into())
    }
}
