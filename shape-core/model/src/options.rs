//! The options of an analysis.

use crate::file::{External, ModelFile};
use shape_core::registry::Registry;

/// The options of an analysis.
#[derive(Clone, Debug)]
pub struct Options {
    /// The known operators.
    pub registry: Registry,
    /// Sizes for symbols, by name: `batch` is 4.
    pub symbols: Vec<(String, u64)>,
    /// Dimensions for graph inputs, by name.
    pub inputs: Vec<(String, Vec<u64>)>,
    /// Reads the elements of initializers. By default [`External::none`]: the elements of initializers in other files
    /// stay unknown.
    pub external: External,
}

impl Options {
    /// The options for a model that was opened from a file: elements in files next to it are read.
    #[must_use]
    pub fn of(file: &ModelFile) -> Self {
        Self { external: file.external().clone(), ..Self::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            registry: Registry::builtin().clone(),
            symbols: Vec::new(),
            inputs: Vec::new(),
            external: External::none(),
        }
    }
}

/// A name in the [`Options`] that the model does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// No graph input has the name.
    #[error("the model has no input `{name}`; its inputs are {}", list(known))]
    NoSuchInput {
        /// The name in the options.
        name: String,
        /// The inputs of the model.
        known: Vec<String>,
    },
    /// No dimension of the model has the name.
    #[error("the model has no symbol `{name}`; its symbols are {}", list(known))]
    NoSuchSymbol {
        /// The name in the options.
        name: String,
        /// The symbols of the model.
        known: Vec<String>,
    },
}

fn list(names: &[String]) -> String {
    const MAX_NAMES: usize = 16;
    match names {
        [] => String::from("none"),
        [first @ .., _] if first.len() >= MAX_NAMES => {
            format!("{} and {} more", names.get(..MAX_NAMES).unwrap_or_default().join(", "), names.len() - MAX_NAMES)
        }
        names => names.join(", "),
    }
}
