//! Assumptions: facts about symbols that hold in every run that succeeds.
//!
//! A node that runs has accepted its inputs: the matrices of a product agree in a size, a squeezed axis has size 1, an axis
//! that an entry is gathered from has one. So the node tells of a symbol that it equals another, or is not 0, and nodes
//! after it use that. What is printed holds for every run that succeeds, since each of them has run the node.

use std::collections::{HashMap, HashSet};

use crate::value::{Facts, Known};
use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbol};

/// A fact about a symbol that holds in every run that succeeds, since a node could not run otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assumption {
    /// The symbol that the fact is about.
    pub symbol: Symbol,
    /// What it equals; the same symbol [as a size](Symbol::as_size), if it is an element that must be a size; `None` if
    /// it is only known not to be 0.
    pub size: Option<Dim>,
    /// The first output of the node, by its index in [`Analysis::values`](crate::Analysis::values); for a node in the body of a function, that of
    /// the call.
    pub value: u32,
}

/// The assumptions that hold for the current node.
#[derive(Debug, Default)]
pub(super) struct Assumptions {
    equal: HashMap<Symbol, Dim>,
    not_zero: HashSet<Symbol>,
    /// For the main graph and for each function, which nodes its outputs depend on; see `assume.rs`.
    pub(super) needed: HashMap<Option<usize>, Vec<bool>>,
}

/// What is known of an input with the assumptions, where they add to its facts.
#[derive(Default)]
pub(super) struct Assumed {
    pub(super) dims: Option<Box<[Dim]>>,
    pub(super) elements: Option<Box<[Scalar<Dim>]>>,
}

impl Assumptions {
    /// How many there are. It grows with each.
    pub(super) fn count(&self) -> usize {
        self.equal.len() + self.not_zero.len()
    }

    /// What a symbol is replaced by where a node reads it.
    fn read(&self, symbol: Symbol) -> Option<Dim> {
        let marked = |symbol: Symbol| self.not_zero.contains(&symbol).then(|| Dim::Symbol(symbol.marked_not_zero()));
        match self.equal.get(&symbol) {
            Some(size) => Some(size.substituted(&marked).unwrap_or_else(|| size.clone())),
            None => marked(symbol),
        }
    }

    /// Applies the assumptions to the facts of an input.
    pub(super) fn of(&self, facts: &Facts) -> Assumed {
        if self.count() == 0 {
            return Assumed::default();
        }
        let read = |symbol: Symbol| self.read(symbol);
        Assumed {
            dims: facts.dims.as_deref().ok().and_then(|dims| each(dims, |dim| dim.substituted(&read))),
            elements: facts.elements.as_deref().ok().and_then(|all| each(all, |element| element.substituted(&read))),
        }
    }

    /// Whether symbols that a node reads are marked as not 0.
    pub(super) fn marks(&self) -> bool {
        !self.not_zero.is_empty()
    }

    /// How many symbols are known to equal something.
    pub(super) fn equalities(&self) -> usize {
        self.equal.len()
    }

    /// What a symbol is known to equal.
    pub(super) fn equal(&self, symbol: Symbol) -> Option<Dim> {
        self.equal.get(&symbol).cloned()
    }

    /// Adds that a symbol is not 0; returns whether that is new.
    pub(super) fn add_not_zero(&mut self, symbol: Symbol) -> bool {
        !self.equal.contains_key(&symbol) && self.not_zero.insert(symbol)
    }

    /// Adds what a symbol equals.
    pub(super) fn add_equal(&mut self, symbol: Symbol, size: Dim) {
        let read = |other: Symbol| (other == symbol).then(|| size.clone());
        for known in self.equal.values_mut() {
            if let Some(more) = known.substituted(&read) {
                *known = more;
            }
        }
        self.equal.insert(symbol, size);
    }

    /// Forgets what is assumed of fresh symbols from an index on.
    pub(super) fn forget_fresh(&mut self, from: usize) {
        self.equal.retain(|symbol, size| is_before(from, *symbol) && !size.has_fresh(from));
        self.not_zero.retain(|symbol| is_before(from, *symbol));
    }
}

/// The symbol without its mark, which belongs to one node; `None` if it has none.
pub(super) fn unmarked(symbol: Symbol) -> Option<Dim> {
    symbol.is_not_zero().then(|| Dim::Symbol(symbol.unmarked()))
}

/// Replaces symbols in what is known of an output.
pub(super) fn substitute(
    dims: &mut Known<Box<[Dim]>>,
    elements: &mut Known<Box<[Scalar<Dim>]>>,
    sizes: &dyn Fn(Symbol) -> Option<Dim>,
) {
    if let Ok(list) = dims
        && let Some(all) = each(list, |dim| dim.substituted(sizes))
    {
        *list = all;
    }
    if let Ok(list) = elements
        && let Some(all) = each(list, |element| element.substituted(sizes))
    {
        *list = all;
    }
}

/// A list with what becomes of each item; `None` if they all stay.
fn each<T: Clone>(list: &[T], replaced: impl Fn(&T) -> Option<T>) -> Option<Box<[T]>> {
    let first = list.iter().position(|item| replaced(item).is_some())?;
    let item = |(index, item): (usize, &T)| {
        let replaced = if index < first { None } else { replaced(item) };
        replaced.unwrap_or_else(|| item.clone())
    };
    Some(list.iter().enumerate().map(item).collect())
}

/// How many equal sizes a node tells: it may have any number of inputs.
const MAX_TOLD: usize = 64;

/// What follows from a node if it runs; it is used only once the node has no error.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) equal: Vec<(Dim, Dim)>,
    pub(super) not_zero: Vec<Symbol>,
    /// Outputs that have all elements of an input: their indices.
    pub(super) kept: Vec<(usize, usize)>,
}

impl Told {
    pub(super) fn equal(&mut self, left: &Dim, right: &Dim) {
        if left != right && self.equal.len() < MAX_TOLD {
            self.equal.push((left.clone(), right.clone()));
        }
    }

    pub(super) fn not_zero(&mut self, dim: &Dim) {
        if let Dim::Symbol(symbol) = dim
            && !symbol.is_not_zero()
        {
            self.not_zero.push(*symbol);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.equal.is_empty() && self.not_zero.is_empty()
    }
}

/// Whether a symbol is not a fresh one with this index or a later one.
pub(super) fn is_before(from: usize, symbol: Symbol) -> bool {
    symbol.fresh().is_none_or(|index| index < from)
}
