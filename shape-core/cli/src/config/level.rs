//! The severity of a finding, or that it is not reported.

use shape_core::code::Severity;
use shape_specs::names::suggest;

/// What a severity can be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// It is reported with this severity.
    Reported(Severity),
    /// It is not reported.
    Off,
}

impl Level {
    /// The words, each with what it stands for.
    pub(super) const WORDS: [(&'static str, Self); 4] = [
        ("error", Self::Reported(Severity::Error)),
        ("warning", Self::Reported(Severity::Warning)),
        ("info", Self::Reported(Severity::Info)),
        ("off", Self::Off),
    ];

    /// The level of a word; fails with what is wrong and what is meant.
    pub(super) fn parse(word: &str) -> Result<Self, (String, Option<String>)> {
        let found = Self::WORDS.iter().find(|(name, _)| *name == word);
        found.map(|(_, level)| *level).ok_or_else(|| {
            let help = suggest(word, Self::WORDS.map(|(name, _)| name));
            (format!("there is no level `{word}`"), help)
        })
    }

    /// The severity; `None` if it is not reported.
    pub(super) fn severity(self) -> Option<Severity> {
        match self {
            Self::Reported(severity) => Some(severity),
            Self::Off => None,
        }
    }
}
