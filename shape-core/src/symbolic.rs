//! Dimensions that are numbers, symbols, or unknown for a reason.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::dims::Dimension;

/// A dimension of a tensor in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dim {
    /// A number of elements.
    Known(u64),
    /// Whatever number the symbol stands for: a `dim_param`.
    Symbol(Symbol),
    /// Nothing is known, for this reason.
    Unknown(Reason),
}

impl From<u64> for Dim {
    fn from(size: u64) -> Self {
        Self::Known(size)
    }
}

impl Dimension for Dim {
    fn known(&self) -> Option<u64> {
        match self {
            Self::Known(size) => Some(*size),
            _ => None,
        }
    }
}

impl Dim {
    /// Whether this and another can be the same number. Two symbols can, and so can anything unknown.
    #[must_use]
    pub fn agrees(self, other: Self) -> bool {
        match (self, other) {
            (Self::Known(left), Self::Known(right)) => left == right,
            _ => true,
        }
    }

    /// The one of two dimensions of the same place that says more: a number before a symbol before nothing, this one
    /// where both say as much.
    #[must_use]
    pub fn refine(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(_), _) | (Self::Symbol(_), Self::Symbol(_)) => self,
            (_, Self::Known(_) | Self::Symbol(_)) => other,
            _ => self,
        }
    }

    /// The text of the dimension, the symbol by its name, the unknown as `?`.
    #[must_use]
    pub fn display(self, symbols: &Symbols) -> DisplayDim<'_> {
        DisplayDim { dim: self, symbols }
    }
}

/// See [`Dim::display`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayDim<'s> {
    dim: Dim,
    symbols: &'s Symbols,
}

impl fmt::Display for DisplayDim<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dim {
            Dim::Known(size) => write!(formatter, "{size}"),
            Dim::Symbol(symbol) => formatter.write_str(self.symbols.name(symbol)),
            Dim::Unknown(_) => formatter.write_str("?"),
        }
    }
}

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

    /// The dimension that a name stands for: the number that it was given, or its symbol, a new one at first sight.
    ///
    /// ```
    /// use shape_core::symbolic::{Dim, Symbols};
    /// let mut symbols = Symbols::default();
    /// let batch = symbols.dim("batch");
    /// assert_eq!(symbols.dim("batch"), batch);
    /// assert_eq!(batch.display(&symbols).to_string(), "batch");
    /// symbols.give("seq", 128);
    /// assert_eq!(symbols.dim("seq"), Dim::Known(128));
    /// ```
    pub fn dim(&mut self, name: &str) -> Dim {
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

/// Why something is unknown: what happened, and to which value it happened first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What happened.
    pub cause: Cause,
    /// The number of the value that it happened to, in the analysis that found it.
    pub value: u32,
}

/// What can happen to make something unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The model declares the value without saying so much.
    NotDeclared,
    /// The operator that gives the value has no descriptor.
    NoDescriptor,
    /// The operator that gives the value has a descriptor and no rule.
    NoRule,
    /// Which version of the operator holds is not known: its domain or opset is not.
    NoVersion,
    /// The value comes out of a call of a model-local function.
    FunctionCall,
    /// The node that gives the value has a mistake, which is a finding of its own.
    Refused,
    /// Nothing gives the value, which is a finding of its own.
    Undefined,
    /// The value is not a tensor.
    NotATensor,
    /// The declaration cannot be read, which is a finding of its own.
    BadDeclaration,
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotDeclared => "the model does not declare it",
            Self::NoDescriptor => "its operator has no descriptor yet",
            Self::NoRule => "its operator has no rule for it yet",
            Self::NoVersion => "the version of its operator is not known",
            Self::FunctionCall => "it comes out of a function of the model, which is not followed yet",
            Self::Refused => "its node is refused",
            Self::Undefined => "nothing gives it",
            Self::NotATensor => "it is not a tensor",
            Self::BadDeclaration => "its declaration cannot be read",
        })
    }
}
