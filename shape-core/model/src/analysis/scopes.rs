//! Looks up the values of a finished analysis by name: a graph sees its own values and those of the graphs around it.

use std::collections::HashMap;

use super::result::Analysis;
use crate::graph::GraphKind;
use crate::names::RandomState;
use crate::value::Value;

/// Looks up values by name.
#[derive(Debug)]
pub struct Scopes<'a, 'm> {
    analysis: &'a Analysis<'m>,
    values: HashMap<(usize, &'m str), u32, RandomState>,
}

impl<'a, 'm> Scopes<'a, 'm> {
    pub(crate) fn of(analysis: &'a Analysis<'m>) -> Self {
        let values = (0..).zip(&analysis.values).map(|(index, value)| ((value.graph, value.name), index)).collect();
        Self { analysis, values }
    }

    /// The index of the value with this name, in a graph or one around it; both indices are those of the [`Analysis`].
    #[must_use]
    pub fn index(&self, mut graph: usize, name: &str) -> Option<u32> {
        loop {
            if let Some(index) = self.values.get(&(graph, name)) {
                return Some(*index);
            }
            // A parent always has a smaller index than its subgraphs, so the loop ends.
            match self.analysis.graphs.get(graph)?.kind {
                GraphKind::Subgraph { parent, .. } if parent < graph => graph = parent,
                _ => return None,
            }
        }
    }

    /// The value with this name, in a graph or one around it.
    #[must_use]
    pub fn value(&self, graph: usize, name: &str) -> Option<&'a Value<'m>> {
        self.analysis.values.get(self.index(graph, name)? as usize)
    }
}

impl<'m> Analysis<'m> {
    /// A lookup of values by name.
    #[must_use]
    pub fn scopes(&self) -> Scopes<'_, 'm> {
        Scopes::of(self)
    }
}
