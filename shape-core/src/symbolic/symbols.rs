//! The symbols of a model.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// A symbol of a [`Symbols`] table: equal symbols are the same number wherever they stand in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

/// The symbols of a model by name, and the numbers that some of them were given.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<String>,
    by_name: BTreeMap<String, Symbol>,
    given: BTreeMap<String, Given>,
}

/// A number that a symbol was given, and whether anybody asked for the symbol.
#[derive(Clone, Copy, Debug)]
struct Given {
    size: u64,
    asked: bool,
}

/// What a name stands for.
pub(super) enum Named {
    /// The number that it was given.
    Number(u64),
    /// Its symbol.
    Symbol(Symbol),
}

impl Symbols {
    /// Whether the name was met or given a number.
    pub(super) fn has(&self, name: &str) -> bool {
        self.given.contains_key(name) || self.by_name.contains_key(name)
    }

    /// Gives a symbol a number, from now on: [`Symbols::dim`] of its name is that number. It does not change what was
    /// asked before, so that numbers are given before a model is looked at.
    pub fn give(&mut self, name: &str, size: u64) {
        self.given.insert(String::from(name), Given { size, asked: false });
    }

    /// The names that were given a number and never asked for: no dimension has them.
    pub fn never_asked(&self) -> impl Iterator<Item = &str> {
        self.given.iter().filter(|(_, given)| !given.asked).map(|(name, _)| name.as_str())
    }

    /// The names of the symbols, in the order in which they were met.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The number that a name was given.
    #[must_use]
    pub fn given(&self, name: &str) -> Option<u64> {
        self.given.get(name).map(|given| given.size)
    }

    /// What a name that is no expression stands for.
    pub(super) fn named(&mut self, name: &str) -> Named {
        if let Some(given) = self.given.get_mut(name) {
            given.asked = true;
            return Named::Number(given.size);
        }
        if let Some(symbol) = self.by_name.get(name) {
            return Named::Symbol(*symbol);
        }
        // A model cannot have more names than bytes, and a file of 2^32 names is past what can be opened.
        let symbol = Symbol(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(String::from(name));
        self.by_name.insert(String::from(name), symbol);
        Named::Symbol(symbol)
    }

    /// The name of a symbol of this table.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.0 as usize).map_or("?", |name| name)
    }
}
