//! The formats that `shape check` prints.

use clap::ValueEnum;

use crate::options::Format;

/// The output formats of `shape check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Text to read
    Text,
    /// One JSON object
    Json,
    /// A JSON object on each line: for each finding, for each model when it is done, and at the end
    Jsonl,
    /// Workflow commands of GitHub Actions, one a finding
    Github,
    /// A Code Quality report of GitLab
    Gitlab,
    /// An XML report in the form of `JUnit`: a suite for each model
    Junit,
    /// A table in Markdown, for comments and summaries
    Markdown,
    /// A SARIF 2.1.0 log, for code scanning
    Sarif,
}

impl CheckFormat {
    /// Whether it is for people or for programs.
    pub(crate) fn kind(self) -> Format {
        match self {
            Self::Text => Format::Text,
            _ => Format::Json,
        }
    }

    /// Whether it has a place for the numbers of findings by code.
    pub(super) fn has_statistics(self) -> bool {
        matches!(self, Self::Text | Self::Json | Self::Jsonl | Self::Markdown)
    }
}
