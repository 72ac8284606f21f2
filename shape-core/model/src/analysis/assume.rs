//! Adds assumptions that follow from nodes which must run; see `assumptions.rs`.
//!
//! Only nodes that run in every run tell something: those of the main graph, and of functions that it calls, from which an
//! output of the model follows. A branch may not run, a loop may run no round, and a node that nothing needs may be removed.

use std::collections::HashSet;

use super::analyzer::Analyzer;
use super::assumptions::{Assumption, Told, is_before, substitute, unmarked};
use super::inferred::InferredValue;
use super::result::Analysis;
use crate::file::{List, Name, Node};
use crate::finding::Finding;
use crate::graph::{GraphKind, NodeAt};
use shape_core::code::Code;
use shape_core::dimension::{Dimension as _, Product};
use shape_core::symbolic::{Dim, Symbol};

/// How many assumptions are made. Each makes later nodes look whether they have its symbol.
const MAX_ASSUMPTIONS: usize = 256;

impl Told {
    /// Adds that an output has as many elements as the input whose elements it keeps. If one dimension of it is not
    /// known, this is what the others leave.
    pub(super) fn add_sizes<'d>(&mut self, outputs: &mut [InferredValue], input: impl Fn(usize) -> Option<&'d [Dim]>) {
        for (output, from) in std::mem::take(&mut self.kept) {
            let Some(after) = outputs.get_mut(output).and_then(|output| output.dims.as_deref_mut().ok()) else {
                continue;
            };
            let Some(before) = input(from).filter(|before| **before != *after) else { continue };
            let Some(count) = Product::of(before) else { continue };
            let mut unknown = after.iter().enumerate().filter(|(_, dim)| matches!(dim, Dim::Unknown(_)));
            match (unknown.next().map(|(at, _)| at), unknown.next()) {
                (None, _) => {
                    // An entry of a target that is 0 may stand for another size.
                    let is_size = |(at, dim): (usize, &Dim)| {
                        before.get(at) == Some(dim) || dim.lower_bound().is_some_and(|least| least >= 1)
                    };
                    if after.iter().enumerate().all(is_size)
                        && let Some(after) = Product::of(after)
                    {
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
}

impl<'m> Analyzer<'m, '_> {
    /// Adds the assumptions that follow from a node, if every run runs it, and applies them to its outputs.
    pub(super) fn assume(&mut self, at: NodeAt<'m>, told: Told, outputs: &mut [InferredValue]) {
        // Marks belong to one node.
        if self.assumptions.marks() {
            for InferredValue { dims, elements, .. } in &mut *outputs {
                substitute(dims, elements, &unmarked);
            }
        }
        let before = self.assumptions.equalities();
        self.add_told(at, told, outputs);
        if self.assumptions.equalities() > before {
            for InferredValue { dims, elements, .. } in outputs {
                substitute(dims, elements, &|symbol| self.assumptions.equal(symbol));
            }
        }
    }

    fn add_told(&mut self, at: NodeAt<'m>, told: Told, outputs: &[InferredValue]) {
        // An element that is a dimension is a size.
        let integer = |dim: &Dim| if let Dim::Symbol(symbol) = dim { Some(*symbol) } else { None };
        let dims = outputs.iter().flat_map(|output| output.dims.iter().flatten()).filter_map(integer);
        let mut sizes = dims.filter(|symbol| !symbol.is_size()).peekable();
        if (told.is_empty() && sizes.peek().is_none()) || !self.options.assume || !self.always_runs(at) {
            return;
        }
        let value = self.next_value();
        for symbol in sizes {
            if self.assumptions.count() < MAX_ASSUMPTIONS && self.assumptions.equal(symbol).is_none() {
                let size = Dim::Symbol(symbol.as_size());
                self.analysis.assumptions.push(Assumption { symbol, size: Some(size.clone()), value });
                self.assumptions.add_equal(symbol, size);
            }
        }
        for (left, right) in told.equal {
            let [left, right] = [left, right].map(|dim| {
                let dim = dim.substituted(&unmarked).unwrap_or(dim);
                dim.substituted(&|symbol| self.assumptions.equal(symbol)).unwrap_or(dim)
            });
            if self.assumptions.count() < MAX_ASSUMPTIONS
                && let Some((symbol, size)) = left.solved(&right)
            {
                if symbol.fresh().is_none() {
                    self.tell_equal(at, symbol, &size);
                }
                self.analysis.assumptions.push(Assumption { symbol, size: Some(size.clone()), value });
                self.assumptions.add_equal(symbol, size);
            }
        }
        for symbol in told.not_zero {
            if self.assumptions.count() < MAX_ASSUMPTIONS && self.assumptions.add_not_zero(symbol) {
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

    /// Whether every run runs a node.
    fn always_runs(&mut self, at: NodeAt<'m>) -> bool {
        let callers = std::mem::take(&mut self.calls.callers);
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

impl Analysis<'_> {
    pub(super) fn forget_assumptions(&mut self, from: usize) {
        let stays = |size: &Option<Dim>| size.as_ref().is_none_or(|size| !size.has_fresh(from));
        self.assumptions.retain(|assumed| is_before(from, assumed.symbol) && stays(&assumed.size));
    }

    /// The facts that hold in every run that succeeds, since nodes could not run otherwise, in the order of the nodes.
    /// What is known of the values after a node rests on it.
    #[must_use]
    pub fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }
}
