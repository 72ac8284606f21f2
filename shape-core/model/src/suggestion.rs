//! What a finding says of its fix.

use std::fmt;

/// Whether a fix needs somebody who looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// The model computes the same, and takes and gives what it took and gave before.
    Safe,
    /// What a reader of the model sees may be another thing: a declared type of an output, say.
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
    /// Whether it needs somebody who looks at it.
    pub safety: Safety,
    /// What it would do.
    pub message: String,
}
