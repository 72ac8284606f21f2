//! The state of an analysis while it goes through a model: the names in scope, and what is known of each value so far.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::assumptions::Assumptions;
use super::bindings::Bindings;
use super::claim::Claim;
use super::inferred::InnerGraphs;
use super::memory::{Mark, Memory};
use super::repeats::{Operation, Repeats};
use super::result::Analysis;
use super::shared::SharedFacts;
use crate::declaration::{Declared, Reader};
use crate::file::proto::{TypeProto, ValueInfoProto};
use crate::file::{Model, Name, Undecoded};
use crate::finding::{Finding, Findings, NodeRef};
use crate::functions::Functions;
use crate::graph::NodeAt;
use crate::imports::Imports;
use crate::names::RandomState;
use crate::options::Options;
use crate::text::dims_text;
use crate::value::{Facts, Known, Origin, Shared, Value};
use shape_core::code::Code;
use shape_core::elements::Scalar;
use shape_core::node::AttributeValue;
use shape_core::symbolic::{Dim, Symbol};
use shape_core::types::Type;

/// The state that is passed from graph to graph and from node to node.
pub(super) struct Analyzer<'m, 'o> {
    pub(super) options: &'o Options,
    pub(super) analysis: Analysis<'m>,
    pub(super) imports: Imports,
    pub(super) functions: Functions<'m>,
    pub(super) calls: Calls<'m>,
    pub(super) undescribed: Undescribed<'m>,
    /// The domains whose missing import was already reported in the current graph or function.
    pub(super) unimported: Unimported<'m>,
    pub(super) model: &'m Model,
    pub(super) assumptions: Assumptions,
    pub(super) bindings: Bindings,
    /// What the nodes of each operator do, with the id of the imports that were used, and the opset; by
    /// [`Node::operator_index`](crate::Node::operator_index).
    pub(super) operations: Vec<Option<(usize, Operation, u32)>>,
    /// The id of the last imports that were checked without a finding.
    pub(super) imports_in_order: Option<usize>,
    pub(super) scratch: Scratch,
    /// For each graph of the file, its index in the analysis; see [`InnerGraphs`].
    pub(super) walked: Vec<usize>,
    pub(super) memory: Memory,
    pub(super) shared: SharedFacts,
    pub(super) repeats: Repeats<'m>,
    /// The facts from declarations without a finding, by the bytes of the type and the number of the inferred facts.
    pub(super) declarations_read: HashMap<(&'m [u8], u64), Arc<Facts>, RandomState>,
    /// What is known of initializers without a finding, by their bytes without the name.
    pub(super) constants: HashMap<[&'m [u8]; 2], Shared, RandomState>,
    /// The number of values that were walked again, in total, to find what stays the same in each round.
    pub(super) repeated_values: usize,
    pub(super) ir_version: i64,
    /// Declarations that are not always true.
    pub(super) claims: Vec<Claim>,
    /// What sizes of inputs without a name are called elsewhere.
    pub(super) names_of_sizes: HashMap<Symbol, Dim>,
    /// The values of which a declaration was used.
    pub(super) claimed: Vec<u32>,
}

/// Nodes of operators without a descriptor.
#[derive(Default)]
pub(super) struct Undescribed<'m> {
    /// By domain and operator: the first node, as its graph and index, and the number of nodes.
    pub(super) operators: HashMap<(&'m str, &'m str), (String, usize, usize)>,
    /// The operator of each of the nodes, so that a state can be restored without a copy of it.
    nodes: Vec<(&'m str, &'m str)>,
}

impl<'m> Undescribed<'m> {
    /// Counts a node; returns whether it is the first of its operator.
    pub(super) fn count(&mut self, operator: (&'m str, &'m str), graph: &str, index: usize) -> bool {
        self.nodes.push(operator);
        let (.., nodes) = self.operators.entry(operator).or_insert_with(|| (graph.to_owned(), index, 0));
        *nodes += 1;
        *nodes == 1
    }

    fn truncate(&mut self, len: usize) {
        for operator in self.nodes.drain(len.min(self.nodes.len())..) {
            if let Entry::Occupied(mut entry) = self.operators.entry(operator) {
                entry.get_mut().2 -= 1;
                if entry.get().2 == 0 {
                    entry.remove();
                }
            }
        }
    }
}

/// The domains whose import is missing.
#[derive(Default)]
pub(super) struct Unimported<'m> {
    domains: HashSet<&'m str>,
    /// The same domains, in the order in which they were found.
    order: Vec<&'m str>,
}

impl<'m> Unimported<'m> {
    /// Adds a domain; returns whether it is new.
    pub(super) fn insert(&mut self, domain: &'m str) -> bool {
        let is_new = self.domains.insert(domain);
        if is_new {
            self.order.push(domain);
        }
        is_new
    }

    fn truncate(&mut self, len: usize) {
        for domain in self.order.drain(len.min(self.order.len())..) {
            self.domains.remove(domain);
        }
    }
}

/// A state of the analyzer that can be restored.
pub(super) struct Checkpoint {
    values: usize,
    graphs: usize,
    findings: Findings,
    memory: Mark,
    undescribed: usize,
    unimported: usize,
    fresh: usize,
    claims: usize,
    claimed: usize,
}

impl Checkpoint {
    /// Takes the findings away; [`Checkpoint::restore`] or [`Checkpoint::keep`] brings them back.
    pub(super) fn of(analyzer: &mut Analyzer<'_, '_>) -> Self {
        Self {
            values: analyzer.analysis.values.len(),
            graphs: analyzer.analysis.graphs.len(),
            findings: std::mem::take(&mut analyzer.analysis.findings),
            memory: analyzer.memory.mark(),
            undescribed: analyzer.undescribed.nodes.len(),
            unimported: analyzer.unimported.order.len(),
            fresh: analyzer.analysis.origins.len(),
            claims: analyzer.claims.len(),
            claimed: analyzer.claimed.len(),
        }
    }

    /// The number of values at the checkpoint.
    pub(super) fn values(&self) -> usize {
        self.values
    }

    /// Keeps the fresh symbols that were made since the checkpoint, for dimensions that outlive it.
    pub(super) fn keep_fresh(&mut self, analyzer: &Analyzer<'_, '_>) {
        self.fresh = analyzer.analysis.origins.len();
    }

    /// The number of claims at the checkpoint.
    pub(super) fn claims(&self) -> usize {
        self.claims
    }

    /// The number of fresh symbols at the checkpoint.
    pub(super) fn fresh(&self) -> usize {
        self.fresh
    }

    /// Keeps everything added since the checkpoint.
    pub(super) fn keep(self, analyzer: &mut Analyzer<'_, '_>) {
        let added = std::mem::replace(&mut analyzer.analysis.findings, self.findings);
        analyzer.analysis.findings.append(added, |_| true);
    }

    /// Removes everything added since the checkpoint, and returns the findings among it.
    pub(super) fn restore(self, analyzer: &mut Analyzer<'_, '_>) -> Findings {
        analyzer.analysis.values.truncate(self.values);
        analyzer.analysis.graphs.truncate(self.graphs);
        analyzer.undescribed.truncate(self.undescribed);
        analyzer.unimported.truncate(self.unimported);
        analyzer.claims.truncate(self.claims);
        analyzer.claimed.truncate(self.claimed);
        analyzer.forget_fresh(self.fresh);
        analyzer.memory.restore(self.memory);
        if analyzer.memory.is_scarce() {
            analyzer.shared.forget();
            analyzer.repeats.forget();
            analyzer.declarations_read.clear();
            analyzer.constants.clear();
            analyzer.memory.forget();
        }
        std::mem::replace(&mut analyzer.analysis.findings, self.findings)
    }
}

/// Lists for the current node; their memory is reused for the next node.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) outputs: Vec<Shared>,
    /// Whether the type of an output was taken from its declaration.
    pub(super) declared: bool,
    pub(super) present: Vec<bool>,
    pub(super) types: Vec<Option<Type>>,
}

/// The attributes that a call sets for a function, by name.
pub(super) type Bound<'m> = HashMap<&'m str, AttributeValue<'m>>;

/// The state of the calls.
#[derive(Default)]
pub(super) struct Calls<'m> {
    /// The functions on the call stack.
    pub(super) active: HashSet<usize>,
    /// The calls on the stack, each with its function; none if a body is walked by itself.
    pub(super) callers: Vec<(NodeAt<'m>, usize)>,
    /// The attributes of the current call; `None` if a body is walked by itself.
    pub(super) bound: Option<Bound<'m>>,
    /// The inputs of the function that the current call leaves out; none if a body is walked by itself.
    pub(super) absent: HashSet<Name>,
    pub(super) nodes: usize,
    /// The number of names that the functions of all calls declare.
    pub(super) declared: usize,
    /// The findings in the body of each function that do not depend on the caller.
    pub(super) errors_of_all: HashMap<usize, HashSet<(Code, String, Option<usize>)>>,
}

/// The declarations of the values of one graph, by name.
pub(super) type Declarations<'m> = HashMap<Name, Undecoded<'m, ValueInfoProto>, RandomState>;

impl<'m> Analyzer<'m, '_> {
    /// The subgraphs of the current node, which were already walked.
    pub(super) fn inner_graphs(&self) -> InnerGraphs<'_, 'm> {
        InnerGraphs { analysis: &self.analysis, walked: &self.walked }
    }

    pub(super) fn path(&self, graph: usize) -> &str {
        self.analysis.graphs.get(graph).map_or("", |info| &info.path)
    }

    pub(super) fn next_value(&self) -> u32 {
        // More than `u32::MAX` values need a file larger than any limit: each takes at least two bytes.
        u32::try_from(self.analysis.values.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn read(&mut self, name: &str, ty: Option<&TypeProto>, value: u32, graph: usize) -> Declared {
        let path = self.analysis.graphs.get(graph).map(|info| info.path.as_str()).unwrap_or_default();
        let named = &|name: &str| self.memory.symbol(name);
        Reader { symbols: &mut self.analysis.symbols, findings: &mut self.analysis.findings, graph: path, named }
            .read(name, ty, value)
    }

    /// The index of the value with this name, in the current graph or one around it.
    pub(super) fn lookup(&self, name: Name) -> Option<u32> {
        self.bindings.get(name)
    }

    /// Whether a name means that a node leaves out an input: it is empty, or an input of the function that the call
    /// leaves out.
    pub(super) fn is_absent(&self, name: Name) -> bool {
        name.is_empty() || (self.calls.absent.contains(&name) && self.lookup(name).is_none())
    }

    /// The value with this name, in the current graph or one around it.
    pub(super) fn value_of(&self, name: Name) -> Option<&Value<'m>> {
        self.analysis.values.get(self.lookup(name)? as usize)
    }

    /// The shared facts of the value with an index, from its declaration and its elements.
    pub(super) fn share(
        &mut self,
        value: u32,
        mut declared: Declared,
        mut elements: Known<Box<[Scalar<Dim>]>>,
    ) -> Shared {
        self.name_unknown(value, &mut declared, &mut elements);
        let Declared { ty, dims } = declared;
        self.shared.share(value, ty, dims, elements, &self.memory).0
    }

    /// Replaces what is known of a value.
    pub(super) fn replace(&mut self, value: u32, shared: Shared) {
        if let Some(known) = self.analysis.values.get_mut(value as usize) {
            known.shared = shared.at(value);
        }
    }

    /// Binds a name to a value of the current graph. The first definition of a name in a graph counts.
    pub(super) fn define(&mut self, name: Name, graph: usize, origin: Origin, shared: Shared) {
        let id = self.next_value();
        let text = self.model.text(name);
        let in_graph = self.bindings.here(name).is_some();
        let is_node = matches!(origin, Origin::Node { .. });
        if in_graph || (is_node && self.bindings.get(name).is_some()) {
            let around = if in_graph { "" } else { " in an outer graph" };
            let message = format!("`{text}` is already defined{around}");
            let mut found = Finding::new(Code::ValueRedefined, self.path(graph), message);
            found = found.expected("a unique name").found(text);
            found.node = self.analysis.node_of(graph, origin).map(NodeRef::from);
            self.analysis.findings.push(found.help("rename one of the two"));
        }
        if !in_graph {
            self.bindings.bind(name, id);
            self.analysis.values.push(Value { name: text, graph, origin, shared: shared.at(id), declared: None });
        }
    }

    pub(super) fn show(&self, dims: &[Dim]) -> String {
        dims_text(dims, &self.analysis.symbols)
    }
}
