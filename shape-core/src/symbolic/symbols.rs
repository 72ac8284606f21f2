//! The symbols of a model.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::Dim;
use super::parse::parse;

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

impl Symbols {
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

    /// The dimension that a `dim_param` stands for: the number that it was given, the expression that it writes out, or
    /// its symbol, a new one at first sight.
    ///
    /// ONNX calls a `dim_param` a name and leaves open what is in it. Exporters write `past_sequence_length + 1`, and so
    /// does this project what it infers; such a text is read as the expression. It has sums and differences with a space
    /// on either side of the sign, products, quotients that are rounded down, remainders (`N//2`, `N % 2`), `max(N, 1)`,
    /// `min(N, 1)`, parentheses, whole numbers, and names of letters, digits, `_` and `.`; any other text is a symbol as
    /// a whole, `batch-size` among them.
    ///
    /// ```
    /// use shape_core::symbolic::{Dim, Symbols};
    /// let mut symbols = Symbols::default();
    /// let batch = symbols.dim("batch");
    /// assert_eq!(symbols.dim("batch"), batch);
    /// assert_eq!(batch.display(&symbols).to_string(), "batch");
    /// symbols.give("seq", 128);
    /// assert_eq!(symbols.dim("seq"), Dim::Known(128));
    /// assert_eq!(symbols.dim("2*seq + 1"), Dim::Known(257));
    /// assert_eq!(symbols.dim("batch + batch"), symbols.dim("2 * batch"));
    /// assert_eq!(symbols.dim("max(batch//2, 0)//3"), symbols.dim("batch//6"));
    /// ```
    pub fn dim(&mut self, name: &str) -> Dim {
        if self.given.contains_key(name) || self.by_name.contains_key(name) {
            return self.symbol(name);
        }
        match parse(name, self) {
            Some(dim) => dim,
            None => self.symbol(name),
        }
    }

    /// The dimension of a name that is no expression.
    pub(super) fn symbol(&mut self, name: &str) -> Dim {
        if let Some(given) = self.given.get_mut(name) {
            given.asked = true;
            return Dim::Known(given.size);
        }
        if let Some(symbol) = self.by_name.get(name) {
            return Dim::Symbol(*symbol);
        }
        // A model cannot have more names than bytes, and a file of 2^32 names is past what can be opened.
        let symbol = Symbol(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(String::from(name));
        self.by_name.insert(String::from(name), symbol);
        Dim::Symbol(symbol)
    }

    /// The name of a symbol of this table.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.0 as usize).map_or("?", |name| name)
    }
}
