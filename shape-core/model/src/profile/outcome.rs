//! What a check says of its subject, and the reason: pass, fail, or undetermined where only a run can tell.

/// The verdict on a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The rule holds, whatever the inputs of the model are.
    Pass,
    /// The rule does not hold.
    Fail,
    /// Whether the rule holds depends on something that is not known before the model runs, or is not tracked.
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

/// The result of a check: the verdict and the reason.
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

/// The maximum number of names in a reason.
pub(super) const MAX_NAMED: usize = 8;

/// The names for a reason, up to [`MAX_NAMED`].
pub(super) fn named<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMED).map(|name| format!("`{}`", name.as_ref())).collect();
    let more = names.len().saturating_sub(MAX_NAMED);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
