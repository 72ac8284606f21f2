//! The formats that `shape check` prints.

use clap::ValueEnum;

/// The output formats of `shape check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Text to read
    Text,
    /// One JSON object
    Json,
    /// Workflow commands of GitHub Actions, one a finding
    Github,
    /// A SARIF 2.1.0 log, for code scanning
    Sarif,
}
