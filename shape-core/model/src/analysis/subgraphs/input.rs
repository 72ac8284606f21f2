//! What a node passes to an input of its subgraph.

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
}
