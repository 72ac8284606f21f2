//! What a node passes to an input of its subgraph.

use std::collections::HashSet;

use crate::file::Graph;
use crate::file::proto::ValueInfoProto;
use crate::value::Known;
use shape_core::elements::Scalar;
use shape_core::symbolic::Dim;
use shape_core::types::Type;

/// What a node passes to an input of its subgraph.
#[derive(Clone, Debug)]
pub(in crate::analysis) struct SubgraphInput {
    pub(in crate::analysis) ty: Option<Type>,
    pub(in crate::analysis) dims: Known<Box<[Dim]>>,
    pub(in crate::analysis) elements: Option<Box<[Scalar<Dim>]>>,
    /// Whether the node passes one element that the subgraph may declare as a list: runtimes then pass a list.
    pub(in crate::analysis) follows_declaration: bool,
}

/// Whether the node of a subgraph supplies an input of it: not an initializer, which up to IR 3 is an input too.
pub(in crate::analysis) fn supplied(graph: Graph<'_>, ir_version: i64) -> impl Fn(&ValueInfoProto) -> bool {
    let initialized = graph.initializers().iter().filter(|_| ir_version < 4);
    let initialized: HashSet<&str> = initialized.map(|tensor| &*tensor.name).collect();
    move |input| !initialized.contains(&*input.name)
}
