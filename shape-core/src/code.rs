//! The stable codes of findings, each with its severity and its explanation.

use core::fmt;

// The enum, one variant a row of `specs/codes.yaml`, and the table of their texts.
shape_macros::tables!(codes);

/// The texts of a [`Code`].
pub(crate) struct Row {
    pub(crate) code: Code,
    pub(crate) name: &'static str,
    pub(crate) severity: Severity,
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
}

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something to know.
    Info,
    /// Something that is read in one way here and may be read in another elsewhere.
    Warning,
    /// Something that makes the model, or what it claims, wrong.
    Error,
}

impl Severity {
    /// The word in reports: `error`, `warning` or `info`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl Code {
    /// The stable text: `attribute-unknown`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The code with this text.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.code)
    }

    /// All codes, in the order of `codes.yaml`.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.code)
    }

    /// The severity of a finding with this code.
    #[must_use]
    pub fn severity(self) -> Severity {
        self.row().severity
    }

    /// One line.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// What it means, and what to do: the page of `shape explain`.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        self.row().explanation
    }

    fn row(self) -> &'static Row {
        // The table has one row a variant, in their order.
        &ROWS[self as usize]
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
