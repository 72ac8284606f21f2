//! The symbols of a model.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// A symbol of a [`Symbols`] table: equal symbols are the same number everywhere in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

/// The symbols of a model by name, and the fixed sizes of some of them.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<String>,
    by_name: BTreeMap<String, Symbol>,
    fixed: BTreeMap<String, FixedSize>,
}

/// The size that the user set for a symbol, and whether a dimension uses the symbol.
#[derive(Clone, Copy, Debug)]
struct FixedSize {
    size: u64,
    used: bool,
}

/// The meaning of a name.
pub(super) enum Named {
    /// The size that was set for it.
    Number(u64),
    /// Its symbol.
    Symbol(Symbol),
}

impl Symbols {
    /// Whether the name has a symbol or a fixed size.
    pub(super) fn has(&self, name: &str) -> bool {
        self.fixed.contains_key(name) || self.by_name.contains_key(name)
    }

    /// Sets the size of a symbol: from now on [`Symbols::dim`] returns this number for its name. Dimensions that already exist
    /// do not change, so set sizes before a model is read.
    pub fn give(&mut self, name: &str, size: u64) {
        self.fixed.insert(String::from(name), FixedSize { size, used: false });
    }

    /// The names with a set size that no dimension uses.
    pub fn never_asked(&self) -> impl Iterator<Item = &str> {
        self.fixed.iter().filter(|(_, fixed)| !fixed.used).map(|(name, _)| name.as_str())
    }

    /// The names of the symbols, in the order of first use.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The size that was set for a name.
    #[must_use]
    pub fn given(&self, name: &str) -> Option<u64> {
        self.fixed.get(name).map(|fixed| fixed.size)
    }

    /// The meaning of a name that is not an expression.
    pub(super) fn named(&mut self, name: &str) -> Named {
        if let Some(fixed) = self.fixed.get_mut(name) {
            fixed.used = true;
            return Named::Number(fixed.size);
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
