//! The fix that a finding suggests.

use std::fmt;

/// Whether a person must look at a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// The model computes the same, and its inputs and outputs stay as they were.
    Safe,
    /// Users of the model may see a change: another declared type of an output, for example.
    Unsafe,
}

impl Safety {
    /// The word in reports: `safe` or `unsafe`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

impl fmt::Display for Safety {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// The fix of a finding, which [`fix`](crate::fix::fix) would make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// Whether a person must look at it.
    pub safety: Safety,
    /// What it would do.
    pub message: String,
}
