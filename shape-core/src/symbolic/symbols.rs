//! The symbols of a model: those that it names, and fresh ones for sizes that nothing names.
//!
//! A size that is not known is still one size. So it gets a symbol of its own, which equals itself and takes part in
//! arithmetic. The analysis that makes such a symbol knows where it comes from, and names it when all names of the model are
//! known.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// A symbol of a [`Symbols`] table: equal symbols are the same number everywhere in the model.
// Fresh symbols follow all others, so that they come last in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

/// What all fresh symbols have in their numbers.
const FRESH: u32 = 1 << 31;

/// What those have that may be negative.
const INTEGER: u32 = 1 << 30;

/// What those have that are known not to be 0.
const NOT_ZERO: u32 = 1 << 29;

impl Symbol {
    /// A fresh symbol that no dimension has: its index is larger than those of any table.
    pub(super) const PLACEHOLDER: Self = Self(FRESH | (NOT_ZERO - 1));

    /// The index of a fresh symbol among those of its table; `None` for a symbol that the model names.
    #[inline]
    #[must_use]
    pub const fn fresh(self) -> Option<usize> {
        if self.0 & FRESH == 0 { None } else { Some(self.index()) }
    }

    /// Its index among those of the model, or among the fresh ones.
    const fn index(self) -> usize {
        (self.0 & !(FRESH | INTEGER | NOT_ZERO)) as usize
    }

    /// Whether it is a size: 0 or more. Others are elements, which may be any integer.
    #[inline]
    #[must_use]
    pub const fn is_size(self) -> bool {
        self.0 & FRESH == 0 || self.0 & INTEGER == 0
    }

    /// The symbol, marked as a size of at least 1, which its bounds then take into account. It does not equal the
    /// symbol without the mark: where one is used, all dimensions must have it.
    ///
    /// ```
    /// use shape_core::dimension::Dimension as _;
    /// use shape_core::symbolic::{Dim, Symbols};
    /// let mut symbols = Symbols::default();
    /// let Dim::Symbol(n) = symbols.dim("N") else { unreachable!() };
    /// let (may_be_zero, is_not) = (Dim::Symbol(n), Dim::Symbol(n.marked_not_zero()));
    /// let without_first = |dim: &Dim| dim.sub(&dim.min(&Dim::from(1)).unwrap()).unwrap();
    /// assert_eq!(without_first(&may_be_zero).display(&symbols).to_string(), "N - min(N, 1)");
    /// assert_eq!(without_first(&is_not).display(&symbols).to_string(), "N - 1");
    /// assert_eq!(n.marked_not_zero().unmarked(), n);
    /// ```
    #[must_use]
    pub const fn marked_not_zero(self) -> Self {
        Self(self.0 | NOT_ZERO)
    }

    /// The symbol without the mark.
    #[must_use]
    pub const fn unmarked(self) -> Self {
        Self(self.0 & !NOT_ZERO)
    }

    /// The symbol, marked as a size (0 or more), for an element that turns out to be one. It has the same name and the
    /// same origin.
    #[must_use]
    pub const fn as_size(self) -> Self {
        Self(self.0 & !INTEGER)
    }

    /// Whether it is marked as a size of at least 1.
    #[must_use]
    pub const fn is_not_zero(self) -> bool {
        self.0 & NOT_ZERO != 0
    }
}

/// The symbols of a model by name, and the fixed sizes of some of them.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<String>,
    /// How many fresh symbols there are.
    fresh: u32,
    /// The names of the fresh symbols, empty for those that have none.
    fresh_names: Vec<String>,
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

    /// The name of a symbol of this table; `?` for a fresh one that has none yet.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        let name = match symbol.fresh() {
            Some(index) => self.fresh_names.get(index).filter(|name| !name.is_empty()),
            None => self.names.get(symbol.index()),
        };
        name.map_or("?", |name| name)
    }

    /// A symbol for a size that nothing names, or for an element, which may be any integer: it equals itself and no other
    /// symbol.
    ///
    /// ```
    /// use shape_core::symbolic::{Dim, Symbols};
    /// let mut symbols = Symbols::default();
    /// symbols.dim("n0");
    /// let (first, second) = (symbols.make_fresh(true), symbols.make_fresh(false));
    /// assert_ne!(first, second);
    /// assert_eq!(Dim::Symbol(first).display(&symbols).to_string(), "?");
    /// symbols.name_fresh([second, first]);
    /// assert_eq!([first, second].map(|symbol| symbols.name(symbol)), ["n2", "n1"]);
    /// ```
    #[must_use]
    pub fn make_fresh(&mut self, is_size: bool) -> Symbol {
        let kind = if is_size { FRESH } else { FRESH | INTEGER };
        let symbol = Symbol(kind | self.fresh);
        // A model with as many values is larger than any limit.
        self.fresh = (self.fresh + 1).min(NOT_ZERO - 1);
        symbol
    }

    /// How many fresh symbols there are.
    #[must_use]
    pub const fn fresh_count(&self) -> usize {
        self.fresh as usize
    }

    /// Forgets the fresh symbols from an index on, which nothing may have any more.
    pub fn forget_fresh(&mut self, from: usize) {
        self.fresh = self.fresh.min(u32::try_from(from).unwrap_or(u32::MAX));
        self.fresh_names.truncate(from);
    }

    /// Names fresh symbols in this order: `n0`, `n1` and so on, but for names that the model has itself.
    pub fn name_fresh(&mut self, order: impl IntoIterator<Item = Symbol>) {
        self.fresh_names = alloc::vec![String::new(); self.fresh as usize];
        let mut next = 0_u32;
        for index in order.into_iter().filter_map(Symbol::fresh) {
            let Some(slot) = self.fresh_names.get_mut(index).filter(|slot| slot.is_empty()) else { continue };
            loop {
                let name = alloc::format!("n{next}");
                next = next.saturating_add(1);
                if !self.by_name.contains_key(&name) && !self.fixed.contains_key(&name) {
                    *slot = name;
                    break;
                }
            }
        }
    }

    /// The fresh symbols that have names, by index.
    pub fn fresh_names(&self) -> impl Iterator<Item = (usize, &str)> {
        self.fresh_names.iter().map(String::as_str).enumerate().filter(|(_, name)| !name.is_empty())
    }

    /// The index of the fresh symbol with a name; see [`Symbol::fresh`].
    #[must_use]
    pub fn fresh_named(&self, name: &str) -> Option<usize> {
        self.fresh_names.iter().position(|of| of == name && !of.is_empty())
    }
}
