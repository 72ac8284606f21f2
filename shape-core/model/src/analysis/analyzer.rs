//! What is carried through a model while it is analysed: the names that are in scope, and what is known so far.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::result::Analysis;
use crate::declaration::{Declared, Reader};
use crate::file::proto::{TypeProto, ValueInfoProto};
use crate::finding::Finding;
use crate::functions::Functions;
use crate::imports::Imports;
use crate::names::{Names, RandomState};
use crate::options::Options;
use crate::text::dims_text;
use crate::value::{Known, Origin, Value};
use shape_core::code::Code;
use shape_core::elements::Scalar;
use shape_core::node::AttributeValue;
use shape_core::schema::Schema;
use shape_core::symbolic::Dim;
use shape_core::types::Type;

/// What is carried from graph to graph and from node to node.
pub(super) struct Analyzer<'m, 'o> {
    pub(super) options: &'o Options,
    pub(super) analysis: Analysis<'m>,
    pub(super) imports: Imports,
    pub(super) functions: Functions<'m>,
    pub(super) calls: Calls<'m>,
    /// For each operator without a descriptor: its finding, and the number of its nodes.
    pub(super) undescribed: HashMap<(&'m str, &'m str), (usize, usize)>,
    /// The domains of which it was said, in the graph or function at hand, that they are not imported.
    pub(super) unimported: HashSet<&'m str>,
    /// The names of the graph at hand, and before it those of the graphs around it.
    pub(super) scopes: Vec<Names<'m, u32>>,
    /// The versions that are in force, by domain, operator and opset.
    pub(super) resolved: HashMap<(&'m str, &'m str, u32), &'static Schema, RandomState>,
    pub(super) scratch: Scratch,
    /// How many values were walked again, in all, to see what stays the same from round to round.
    pub(super) repeated_values: usize,
    pub(super) ir_version: i64,
}

/// How far the analyzer has come, to go back to.
pub(super) struct Checkpoint<'m> {
    values: usize,
    graphs: usize,
    findings: usize,
    undescribed: HashMap<(&'m str, &'m str), (usize, usize)>,
    unimported: HashSet<&'m str>,
}

impl<'m> Checkpoint<'m> {
    pub(super) fn of(analyzer: &Analyzer<'m, '_>) -> Self {
        Self {
            values: analyzer.analysis.values.len(),
            graphs: analyzer.analysis.graphs.len(),
            findings: analyzer.analysis.findings.len(),
            undescribed: analyzer.undescribed.clone(),
            unimported: analyzer.unimported.clone(),
        }
    }

    /// How many values there were.
    pub(super) fn values(&self) -> usize {
        self.values
    }

    /// Forgets what came since, and gives what was found.
    pub(super) fn restore(self, analyzer: &mut Analyzer<'m, '_>) -> Vec<Finding> {
        analyzer.analysis.values.truncate(self.values);
        analyzer.analysis.graphs.truncate(self.graphs);
        analyzer.undescribed = self.undescribed;
        analyzer.unimported = self.unimported;
        analyzer.analysis.findings.split_off(self.findings)
    }
}

/// Lists about the node at hand, whose memory serves the next node again.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) given: Vec<bool>,
    pub(super) types: Vec<Option<Type>>,
}

/// The attributes that a call gives to a function, by name.
pub(super) type Bound<'m> = HashMap<&'m str, AttributeValue<'m>>;

/// What is known of calls so far.
#[derive(Default)]
pub(super) struct Calls<'m> {
    /// The functions that are being followed.
    pub(super) active: HashSet<usize>,
    /// The attributes of the call that is being followed; `None` where a body is walked by itself.
    pub(super) bound: Option<Bound<'m>>,
    /// How many graphs there are around the body at hand.
    pub(super) depth: usize,
    pub(super) nodes: usize,
    /// What is wrong with the body of a function whoever calls it.
    pub(super) errors_of_all: HashMap<usize, HashSet<(Code, String, Option<usize>)>>,
}

/// What the model declares of the values of one graph, by name.
pub(super) type Declarations<'m> = Names<'m, &'m ValueInfoProto>;

impl<'m> Analyzer<'m, '_> {
    pub(super) fn path(&self, graph: usize) -> &str {
        self.analysis.graphs.get(graph).map_or("", |info| &info.path)
    }

    pub(super) fn next_value(&self) -> u32 {
        // More values than u32 counts would need a file of more bytes than that, each at least two of them.
        u32::try_from(self.analysis.values.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn read(&mut self, name: &str, ty: Option<&TypeProto>, value: u32, graph: usize) -> Declared {
        let path = self.analysis.graphs.get(graph).map(|info| info.path.as_str()).unwrap_or_default();
        Reader { symbols: &mut self.analysis.symbols, findings: &mut self.analysis.findings, graph: path }
            .read(name, ty, value)
    }

    /// The value behind a name, in this graph or one around it.
    pub(super) fn lookup(&self, name: &str) -> Option<u32> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// The same, and what is known of it.
    pub(super) fn value_of(&self, name: &str) -> Option<&Value<'m>> {
        self.analysis.values.get(self.lookup(name)? as usize)
    }

    /// Gives a name to a value of the graph at hand. The first definition of a name in a graph holds.
    pub(super) fn define(
        &mut self,
        name: &'m str,
        graph: usize,
        origin: Origin<'m>,
        Declared { ty, dims }: Declared,
        elements: Known<Box<[Scalar<Dim>]>>,
    ) {
        let id = self.next_value();
        let Some((scope, outer)) = self.scopes.split_last_mut() else { return };
        let entry = scope.entry(name);
        let in_graph = matches!(entry, Entry::Occupied(_));
        let node = matches!(origin, Origin::Node { .. });
        let taken = in_graph || (node && outer.iter().any(|scope| scope.contains_key(name)));
        entry.or_insert(id);
        if taken {
            let around = if in_graph { "" } else { " in an outer graph" };
            let message = format!("`{name}` is already defined{around}");
            let mut found = Finding::new(Code::ValueRedefined, self.path(graph), message);
            found = found.expected("a unique name").found(name);
            found.node = origin.node_ref();
            self.analysis.findings.push(found.help("rename one of the two"));
        }
        if !in_graph {
            self.analysis.values.push(Value { name, graph, origin, ty, dims, elements });
        }
    }

    pub(super) fn show(&self, dims: &[Dim]) -> String {
        dims_text(dims, &self.analysis.symbols)
    }
}
