//! The memory that the outputs of nodes take.

use std::collections::{HashMap, HashSet};

use super::size::{bytes, is_constant};
use crate::analysis::{Analysis, Scopes};
use crate::file::Model;
use crate::graph::{GraphKind, graphs};
use crate::usage::Usage;
use crate::value::Origin;
use shape_core::dimension::Dimension as _;
use shape_core::registry::Registry;
use shape_core::symbolic::Dim;

/// The values that the nodes of the main graph compute, without constants.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Activations {
    /// How many there are.
    pub values: usize,
    /// The sum of the bytes of those that are known; an unknown dimension if the sum is longer than an expression may be.
    pub bytes: Dim,
    /// The most bytes at one time, if the nodes run in order and each value except the graph outputs is freed after the
    /// last node that reads it; `None` if the bytes of a value are not a number. Inputs, constants and what nodes need
    /// besides are not in it.
    pub peak: Option<u64>,
    /// The values whose bytes are not known, by their indices in [`Analysis::values`]. They are in neither number.
    pub unknown: Vec<u32>,
    /// How many values there are in subgraphs, which run any number of times. They are in neither number.
    pub inside: usize,
}

impl<'m> Analysis<'m> {
    /// The memory of the values that the nodes of the main graph compute.
    ///
    /// `model` is the analysed model, `registry` that of its [`Options`](crate::Options).
    ///
    /// ```
    /// use shape_core::Registry;
    /// use shape_model::{ModelFile, Options, analyse};
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let symbols = vec![("batch".to_owned(), 2), ("seq".to_owned(), 16)];
    /// let analysis = analyse(model.model(), &Options { symbols, ..Options::of(&model) })?;
    /// let activations = analysis.activations(model.model(), Registry::builtin());
    /// assert_eq!((activations.bytes.value(&|_| None), activations.peak), (Some(180_480), Some(40_992)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn activations(&self, model: &'m Model, registry: &Registry) -> Activations {
        let constant = self.constant_nodes(model, registry);
        let outside = self.outside_functions();
        let mut found = Activations { values: 0, bytes: Dim::from(0), peak: None, unknown: Vec::new(), inside: 0 };
        // The bytes of the values of each node.
        let mut sizes: Vec<(u32, usize, Option<u64>)> = Vec::new();
        for (index, value) in (0..).zip(&self.values) {
            let Origin::Node { index: node } = value.origin else { continue };
            if value.graph != 0 {
                found.inside += usize::from(outside.get(value.graph) == Some(&true));
                continue;
            }
            if constant.get(node) == Some(&true) {
                continue;
            }
            found.values += 1;
            let sum = bytes(value).and_then(|bytes| Some((bytes.known(), found.bytes.add(&bytes)?)));
            match sum {
                Some((size, sum)) => {
                    found.bytes = sum;
                    sizes.push((index, node, size));
                }
                None => found.unknown.push(index),
            }
        }
        if found.unknown.is_empty() {
            found.peak = self.peak(&sizes);
        }
        found
    }

    /// For each node of the main graph, whether it computes a constant.
    fn constant_nodes(&self, model: &'m Model, registry: &Registry) -> Vec<bool> {
        let usage = Usage::of(self, model, registry);
        let Some(main) = graphs(&self.graphs, model).next() else { return Vec::new() };
        let nodes = main.nodes.iter().enumerate();
        nodes.map(|(index, node)| is_constant(&usage.node(&main, index, node), node)).collect()
    }

    /// The most bytes at one time of values, each with the node that computes it.
    fn peak(&self, sizes: &[(u32, usize, Option<u64>)]) -> Option<u64> {
        let main = self.graphs.first()?;
        let last = self.last_readers();
        let kept: HashSet<u32> = main.outputs.iter().flatten().copied().collect();
        // What begins and what ends with each node.
        let mut steps = vec![(0_u64, 0_u64); main.nodes.len()];
        for (value, node, size) in sizes {
            let size = (*size)?;
            let begin = steps.get_mut(*node)?;
            begin.0 = begin.0.checked_add(size)?;
            if !kept.contains(value) {
                let end = steps.get_mut(last.get(value).copied().unwrap_or(*node).max(*node))?;
                end.1 = end.1.checked_add(size)?;
            }
        }
        let (mut now, mut peak) = (0_u64, 0_u64);
        for (begins, ends) in steps {
            now = now.checked_add(begins)?;
            peak = peak.max(now);
            now = now.checked_sub(ends)?;
        }
        Some(peak)
    }

    /// The last node of the main graph that reads each of its values, itself or in its subgraphs.
    fn last_readers(&self) -> HashMap<u32, usize> {
        let scopes = Scopes::of(self);
        let mut last = HashMap::new();
        // For each graph, the node of the main graph that it is in.
        let mut within: Vec<Option<usize>> = Vec::with_capacity(self.graphs.len());
        for (id, info) in self.graphs.iter().enumerate() {
            let at = match info.kind {
                GraphKind::Subgraph { parent: 0, position } => Some(position.node),
                GraphKind::Subgraph { parent, .. } => within.get(parent).copied().flatten(),
                GraphKind::Main | GraphKind::Function => None,
            };
            within.push(at);
            let mut read = |value: Option<u32>, node: usize| {
                if let Some(value) = value {
                    let known = last.entry(value).or_insert(node);
                    *known = node.max(*known);
                }
            };
            for (index, node) in info.nodes.iter().enumerate() {
                let Some(reader) = at.or((id == 0).then_some(index)) else { continue };
                node.inputs().iter().for_each(|name| read(scopes.index(id, name), reader));
            }
            if let Some(reader) = at {
                info.outputs.iter().for_each(|value| read(*value, reader));
            }
        }
        last
    }
}
