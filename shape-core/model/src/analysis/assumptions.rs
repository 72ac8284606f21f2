//! What a run that succeeds must have.
//!
//! A node that runs has accepted its inputs: the matrices of a product agree in a size, a squeezed axis has size 1, an axis that an
//! entry is gathered from has one. So the node tells of a symbol that it equals another, or is not 0, and nodes after it
//! use that. What is printed holds for every run that succeeds, since each of them has run the node.
//!
//! Only nodes that run in every run tell something: those of the main graph, and of functions that it calls, from which an
//! output of the model follows. A branch may not run, a loop may run no round, and a node that nothing needs may be removed.

use std::collections::{HashMap, HashSet};
use std::mem;

use super::analyzer::Analyzer;
use super::inferred::InferredValue;
use super::result::Analysis;
use crate::file::{List, Name, Node};
use crate::finding::Finding;
use crate::graph::{GraphKind, NodeAt};
use crate::value::Facts;
use shape_core::code::Code;
use shape_core::dimension::{Dimension as _, Product};
use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbol};

/// How many assumptions are made. Each makes later nodes look whether they have its symbol.
const MAX_ASSUMPTIONS: usize = 256;

/// What every run that succeeds has, since a node could not run otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assumption {
    /// The symbol that is known more of.
    pub symbol: Symbol,
    /// What it equals; `None` if it is only known not to be 0.
    pub size: Option<Dim>,
    /// The first output of the node, by its index in [`Analysis::values`]; for a node in the body of a function, that of
    /// the call.
    pub value: u32,
}

/// The assumptions that hold for the node of now.
#[derive(Debug, Default)]
pub(super) struct Assumptions {
    equal: HashMap<Symbol, Dim>,
    not_zero: HashSet<Symbol>,
    /// For the main graph and for each function, which nodes its outputs follow from; see [`Analyzer::is_needed`].
    needed: HashMap<Option<usize>, Vec<bool>>,
}

/// What is known of an input, where an assumption says more than its facts.
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

    /// What the assumptions make of the facts of an input.
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

    /// Takes the marks from the outputs of a node, to which they belong.
    pub(super) fn unmark(&self, outputs: &mut [InferredValue]) {
        if !self.not_zero.is_empty() {
            outputs.iter_mut().for_each(|output| substitute(output, &unmarked));
        }
    }

    fn add(&mut self, symbol: Symbol, size: Dim) {
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

fn substitute(InferredValue { dims, elements, .. }: &mut InferredValue, sizes: &dyn Fn(Symbol) -> Option<Dim>) {
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

fn unmarked(symbol: Symbol) -> Option<Dim> {
    symbol.is_not_zero().then(|| Dim::Symbol(symbol.unmarked()))
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

/// What a node tells, kept until it is known that it is in order.
#[derive(Debug, Default)]
pub(super) struct Told {
    equal: Vec<(Dim, Dim)>,
    not_zero: Vec<Symbol>,
    /// Outputs that have all elements of an input: their indices.
    kept: Vec<(usize, usize)>,
}

impl Told {
    pub(super) fn equal(&mut self, left: &Dim, right: &Dim) {
        if left != right {
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

    pub(super) fn kept(&mut self, output: usize, input: usize) {
        self.kept.push((output, input));
    }

    /// Adds that an output has as many elements as the input that it has them from. If one dimension of it is not known, this
    /// is what the others leave.
    pub(super) fn sizes<'d>(&mut self, outputs: &mut [InferredValue], input: impl Fn(usize) -> Option<&'d [Dim]>) {
        for (output, from) in mem::take(&mut self.kept) {
            let Some(after) = outputs.get_mut(output).and_then(|output| output.dims.as_deref_mut().ok()) else {
                continue;
            };
            let Some(before) = input(from).filter(|before| **before != *after) else { continue };
            let Some(count) = Product::of(before) else { continue };
            let mut unknown = after.iter().enumerate().filter(|(_, dim)| matches!(dim, Dim::Unknown(_)));
            match (unknown.next().map(|(at, _)| at), unknown.next()) {
                (None, _) => {
                    if let Some(after) = Product::of(after) {
                        self.equal(&count, &after);
                    }
                }
                (Some(missing), None) => {
                    let (left, right) = (after.get(..missing), after.get(missing + 1..));
                    let others = left.into_iter().chain(right).flatten().collect::<Product<Dim>>().finish();
                    // Of no elements, it may be any number.
                    if let Some(others) = others.filter(|others| others.lower_bound().is_some_and(|least| least >= 1))
                        && let Some(size) = count.div_exact(&others).filter(|size| !matches!(size, Dim::Unknown(_)))
                        && let Some(dim) = after.get_mut(missing)
                    {
                        *dim = size;
                    }
                }
                _ => {}
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.equal.is_empty() && self.not_zero.is_empty()
    }
}

impl<'m> Analyzer<'m, '_> {
    /// Assumes what a node tells, if it runs in every run; its outputs follow from it too.
    pub(super) fn assume(&mut self, at: NodeAt<'m>, told: Told, outputs: &mut [InferredValue]) {
        let before = self.assumptions.equal.len();
        self.add_told(at, told);
        if self.assumptions.equal.len() > before {
            let equal = |symbol: Symbol| self.assumptions.equal.get(&symbol).cloned();
            outputs.iter_mut().for_each(|output| substitute(output, &equal));
        }
    }

    fn add_told(&mut self, at: NodeAt<'m>, told: Told) {
        if told.is_empty() || !self.options.assume || !self.always_runs(at) {
            return;
        }
        let value = self.next_value();
        for (left, right) in told.equal {
            let [left, right] = [left, right].map(|dim| {
                let dim = dim.substituted(&unmarked).unwrap_or(dim);
                dim.substituted(&|symbol| self.assumptions.equal.get(&symbol).cloned()).unwrap_or(dim)
            });
            if self.assumptions.count() < MAX_ASSUMPTIONS
                && let Some((symbol, size)) = left.solved(&right)
            {
                if symbol.fresh().is_none() {
                    self.tell_equal(at, symbol, &size);
                }
                self.analysis.assumptions.push(Assumption { symbol, size: Some(size.clone()), value });
                self.assumptions.add(symbol, size);
            }
        }
        for symbol in told.not_zero {
            if self.assumptions.count() < MAX_ASSUMPTIONS
                && !self.assumptions.equal.contains_key(&symbol)
                && self.assumptions.not_zero.insert(symbol)
            {
                self.analysis.assumptions.push(Assumption { symbol, size: None, value });
            }
        }
    }

    /// Tells that a symbol of the model equals another, or a number.
    fn tell_equal(&mut self, at: NodeAt<'m>, symbol: Symbol, size: &Dim) {
        let symbols = &self.analysis.symbols;
        let (name, size) = (symbols.name(symbol).to_owned(), size.display(symbols).to_string());
        let message = format!("`{name}` is always {size}: otherwise this node could not run");
        let found = Finding::new(Code::SymbolsEqual, self.path(at.graph), message).at(at);
        let found = found.expected(size.clone()).found(name.clone());
        self.analysis.findings.push(found.help(format!("declare {size} where the model says `{name}`")));
    }

    fn always_runs(&mut self, at: NodeAt<'m>) -> bool {
        let callers = mem::take(&mut self.calls.callers);
        // The first of them is in the main graph, unless the body of a function is walked by itself.
        let starts_in = callers.first().map_or(at, |(caller, _)| *caller).graph;
        let is_main = self.analysis.graphs.get(starts_in).is_some_and(|graph| graph.kind == GraphKind::Main);
        let mut function = None;
        let mut runs = is_main;
        for (node, called) in callers.iter().map(|(node, called)| (*node, Some(*called))).chain([(at, None)]) {
            runs = runs && self.is_needed(node, function);
            function = called;
        }
        self.calls.callers = callers;
        runs
    }

    /// Whether an output of the main graph, or of the function that the node is in, follows from it; false for a node of a
    /// subgraph.
    fn is_needed(&mut self, at: NodeAt<'m>, function: Option<usize>) -> bool {
        let Some(graph) = self.analysis.graphs.get(at.graph) else { return false };
        if matches!(graph.kind, GraphKind::Subgraph { .. }) {
            return false;
        }
        let nodes = graph.nodes;
        let (functions, model) = (&self.functions, self.model);
        let needed = self.assumptions.needed.entry(function).or_insert_with(|| {
            let outputs: Vec<Name> = match function {
                Some(function) => functions.get(function).map_or_else(Vec::new, |of| of.outputs().names().to_vec()),
                None => model.graph().into_iter().flat_map(|graph| graph.outputs().names()).collect(),
            };
            needed(nodes, outputs)
        });
        needed.get(at.index).copied().unwrap_or(false)
    }
}

/// Which nodes outputs follow from.
fn needed<'m>(nodes: List<'m, Node<'m>>, outputs: Vec<Name>) -> Vec<bool> {
    let mut read: HashSet<Name> = outputs.into_iter().collect();
    let mut needed = vec![false; nodes.len()];
    for (node, needed) in nodes.iter().zip(&mut needed).rev() {
        *needed = node.outputs().names().iter().any(|output| read.contains(output));
        if *needed {
            read.extend(node.reads());
        }
    }
    needed
}

fn is_before(from: usize, symbol: Symbol) -> bool {
    symbol.fresh().is_none_or(|index| index < from)
}

impl Analysis<'_> {
    pub(super) fn forget_assumptions(&mut self, from: usize) {
        let stays = |size: &Option<Dim>| size.as_ref().is_none_or(|size| !size.has_fresh(from));
        self.assumptions.retain(|assumed| is_before(from, assumed.symbol) && stays(&assumed.size));
    }

    /// What every run that succeeds has, since nodes could not run otherwise, in the order of the nodes. What is known of
    /// the values after a node rests on it.
    #[must_use]
    pub fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }
}
