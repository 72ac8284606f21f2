//! Why settings cannot be used.

use shape_specs::SpecErrors;

/// Why a file cannot be used.
#[derive(Debug)]
pub(crate) enum ConfigError {
    /// It cannot be read.
    Unread(String),
    /// There are mistakes in it.
    Mistakes(SpecErrors),
}
