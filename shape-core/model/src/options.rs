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
    /// Whether the analysis of later nodes uses what a node requires of its inputs, which holds for every run that
    /// succeeds; see [`Analysis::assumptions`](crate::Analysis::assumptions). By default it is.
    pub assume: bool,
    /// Whether the analysis uses the declared dimensions of the values that nodes compute, where nothing follows from the
    /// inputs; [`Value::declared`](crate::Value::declared) marks what rests on them. Such a declaration may be true in one
    /// run alone. By default they are used.
    pub declared: bool,
    /// About how many bytes the dimensions and elements that are found may take. Those past it are unknown: a small
    /// file may have any number of long lists. By default 64 MiB, and for a file more, in proportion to it.
    pub memory: usize,
}

/// What every model may take; a file of 10,000 nodes takes a few.
const MEMORY: usize = 16 << 20;

/// What it may take for each byte of the file; a node has some hundred bytes, and its values as many.
const MEMORY_PER_BYTE: usize = 6;

impl Options {
    /// The options for a model that was opened from a file: elements in files next to it are read.
    #[must_use]
    pub fn of(file: &ModelFile) -> Self {
        let memory = MEMORY.saturating_add(file.bytes().len().saturating_mul(MEMORY_PER_BYTE));
        Self { external: file.external().clone(), memory, ..Self::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            registry: Registry::builtin().clone(),
            symbols: Vec::new(),
            inputs: Vec::new(),
            external: External::none(),
            assume: true,
            declared: true,
            memory: 64 << 20,
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
