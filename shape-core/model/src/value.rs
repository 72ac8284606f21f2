//! What is known of a value of a graph, and what gives it.

use crate::finding::NodeRef;
use shape_core::dimension::Dimension as _;
use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Reason};
use shape_core::types::Type;

/// The most elements of a tensor that are followed. A tensor of sizes has as many as another has dimensions; a file that
/// asks for more is after the memory.
pub const MAX_ELEMENTS: usize = 256;

/// The most dimensions of a tensor that are followed, for the same reason.
pub const MAX_DIMS: usize = 1024;

/// Something that may be known, or is not for a reason.
pub type Known<T> = Result<T, Reason>;

/// A value of a graph.
#[derive(Clone, Debug)]
pub struct Value<'m> {
    /// Its name.
    pub name: &'m str,
    /// Its graph, by its index in [`Analysis::graphs`](crate::Analysis::graphs).
    pub graph: usize,
    /// What gives it.
    pub origin: Origin<'m>,
    /// Its type.
    pub ty: Known<Type>,
    /// Its dimensions, outermost first, or those that each tensor has which is in it, where it is a sequence or an
    /// optional; the error where not even the rank is known.
    pub dims: Known<Box<[Dim]>>,
    /// Its elements in row-major order, where it is a tensor of integers, floats or truth values that is known before the
    /// model runs, and has at most [`MAX_ELEMENTS`] of them.
    pub elements: Known<Box<[Scalar<Dim>]>>,
}

/// What gives a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'m> {
    /// It is an input of its graph.
    Input,
    /// It is an initializer of its graph.
    Initializer,
    /// A node gives it.
    Node {
        /// The node's index in its graph.
        index: usize,
        /// The node's name.
        name: &'m str,
        /// The node's operator.
        op_type: &'m str,
        /// The operator's domain, `ai.onnx` for the default one.
        domain: &'m str,
    },
}

impl Value<'_> {
    /// Why something of the value is unknown; `None` where its type and every dimension are known or symbolic.
    #[must_use]
    pub fn unknown(&self) -> Option<&Reason> {
        match &self.ty {
            Err(reason) => return Some(reason),
            // A sequence or a map has no dimensions to know.
            Ok(ty) if ty.element().is_none() => return None,
            Ok(_) => {}
        }
        match &self.dims {
            Err(reason) => Some(reason),
            Ok(dims) => dims.iter().find_map(|dim| match dim {
                Dim::Unknown(reason) => Some(reason),
                _ => None,
            }),
        }
    }
}

impl Origin<'_> {
    /// The node that gives the value.
    pub(crate) fn node_ref(self) -> Option<NodeRef> {
        let Self::Node { index, name, op_type, domain } = self else { return None };
        Some(NodeRef { index, name: name.to_owned(), op_type: op_type.to_owned(), domain: domain.to_owned() })
    }
}

/// Dimensions with the reasons of what is unknown settled: it happened at a value.
pub(crate) fn dims_at(dims: Known<Box<[Dim]>>, value: u32) -> Known<Box<[Dim]>> {
    match dims {
        Ok(dims) => Ok(dims.into_iter().map(|dim| dim.at(value)).collect()),
        Err(reason) => Err(reason.at(value)),
    }
}

/// Whether dimensions can be the same: as many, and none that differ as numbers.
pub(crate) fn may_be_same(left: &[Dim], right: &[Dim]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.may_equal(right))
}
