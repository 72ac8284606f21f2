//! What a check says of a rule, and why.

/// What is said of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It holds, whatever the model is run with.
    Pass,
    /// It does not hold.
    Fail,
    /// Whether it holds depends on what is not known before the model runs, or is not followed.
    Undetermined,
}

impl Verdict {
    /// The word in reports: `pass`, `fail` or `undetermined`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Undetermined => "undetermined",
        }
    }
}

/// What a check says.
pub(super) struct Outcome {
    pub(super) verdict: Verdict,
    pub(super) reason: String,
}

pub(super) fn pass(reason: impl Into<String>) -> Outcome {
    Outcome { verdict: Verdict::Pass, reason: reason.into() }
}

pub(super) fn fail(reason: impl Into<String>) -> Outcome {
    Outcome { verdict: Verdict::Fail, reason: reason.into() }
}

pub(super) fn open(reason: impl Into<String>) -> Outcome {
    Outcome { verdict: Verdict::Undetermined, reason: reason.into() }
}

/// How many things are named in a reason.
pub(super) const MAX_NAMED: usize = 8;

/// Names in a reason, as many as are read.
pub(super) fn named<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMED).map(|name| format!("`{}`", name.as_ref())).collect();
    let more = names.len().saturating_sub(MAX_NAMED);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
