//! What the releases of a runtime say of a node: a runtime changes its own operators in place, without a new version.

use crate::analysis::Analysis;
use crate::declaration::type_of;
use crate::file::{Model, Node};
use crate::graph::graphs;
use crate::needs::{Beside, Need, newest};
use crate::usage::{Usage, UsedOperator, given};
use shape_core::registry::{Missing, Registry};
use shape_core::runtime::ReleaseNumber;
use shape_core::schema::Schema;
use std::cell::LazyCell;
use std::collections::HashMap;

/// A node of an operator that releases of a runtime have changed or brought.
#[derive(Clone, Debug)]
pub struct ReleasedNode<'m> {
    /// The graph of the node, by its index in [`Analysis::graphs`].
    pub graph: usize,
    /// The node's index in its graph.
    pub index: usize,
    /// The node.
    pub node: Node<'m>,
    /// Its version, as the newest release has it.
    pub schema: &'static Schema,
    /// What some releases allow of the node and others do not, in the order of its parts.
    pub needs: Vec<Need>,
    /// Whether each of [`Schema::by_release`] takes the node.
    taken: Vec<bool>,
}

impl ReleasedNode<'_> {
    /// Whether a release has all that the node uses. What is wrong with the node in every release does not count.
    #[must_use]
    pub fn is_taken(&self, release: ReleaseNumber) -> bool {
        let releases = self.schema.by_release().zip(&self.taken);
        let until = releases.filter(|(schema, _)| schema.release.is_none_or(|first| first.number <= release));
        until.last().is_some_and(|(_, taken)| *taken)
    }
}

impl<'m> Analysis<'m> {
    /// The nodes whose operators the releases of a runtime have changed or brought, with what they need of a release.
    ///
    /// `model` is the analysed model, `registry` that of its [`Options`](crate::Options).
    #[must_use]
    pub fn released(&self, model: &'m Model, registry: &Registry) -> Vec<ReleasedNode<'m>> {
        let usage = Usage::of(self, model, registry);
        let mut released = Vec::new();
        for graph in graphs(&self.graphs, model) {
            let declared = LazyCell::new(|| {
                let infos = graph.proto.into_iter().flat_map(|graph| graph.value_info().iter().chain(graph.outputs()));
                infos.map(|info| (&*info.name, info)).collect::<HashMap<_, _>>()
            });
            let declared = |name: &str| type_of(declared.get(name)?.r#type.as_ref()?);
            for (index, node) in graph.nodes.iter().enumerate() {
                let used = usage.node(&graph, index, node);
                let schema = match used.operator {
                    UsedOperator::Version(schema) => Some(newest(schema, registry)),
                    // The registry is that of a release.
                    UsedOperator::Missing(Missing::ReleaseTooOld { .. }) => registry
                        .operator(used.domain, used.op_type)
                        .iter()
                        .copied()
                        .rfind(|schema| used.opset.is_some_and(|opset| schema.since_version <= opset)),
                    _ => None,
                };
                let Some(schema) = schema.filter(|schema| schema.by_release().any(|of| of.release.is_some())) else {
                    continue;
                };
                let known = |name| usage.scopes.value(graph.id, name).and_then(|value| value.ty.as_ref().ok().copied());
                let given = given(node, known, declared);
                let beside = Beside::new(schema, &given);
                let (needs, taken) = (beside.needs(), beside.taken());
                released.push(ReleasedNode { graph: graph.id, index, node, schema, needs, taken });
            }
        }
        released
    }
}
