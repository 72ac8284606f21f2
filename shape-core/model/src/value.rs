//! What is known about a value of a graph, and where it comes from.

use shape_core::dimension::Dimension as _;
use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Reason};
use shape_core::types::Type;

/// The maximum number of elements of a tensor that are tracked. A tensor of sizes has as many elements as another has
/// dimensions; more than this only costs memory.
pub const MAX_ELEMENTS: usize = 256;

/// The maximum number of dimensions of a tensor that are tracked, for the same reason.
pub const MAX_DIMS: usize = 1024;

/// Something known, or the reason why it is unknown.
pub type Known<T> = Result<T, Reason>;

/// A value of a graph.
#[derive(Clone, Debug)]
pub struct Value<'m> {
    /// Its name.
    pub name: &'m str,
    /// Its graph, by its index in [`Analysis::graphs`](crate::Analysis::graphs).
    pub graph: usize,
    /// Where it comes from.
    pub origin: Origin,
    /// Its type.
    pub ty: Known<Type>,
    /// Its dimensions, outermost first; for a sequence or an optional, those of each tensor in it. An error if not even
    /// the rank is known.
    pub dims: Known<Box<[Dim]>>,
    /// Its elements in row-major order, if it is a tensor of integers, floats or booleans that is known before the
    /// model runs and has at most [`MAX_ELEMENTS`] of them.
    pub elements: Known<Box<[Scalar<Dim>]>>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is an input of its graph.
    Input,
    /// It is an initializer of its graph.
    Initializer,
    /// It is an output of a node.
    Node {
        /// The node's index in [`GraphInfo::nodes`](crate::GraphInfo::nodes).
        index: usize,
    },
}

impl Value<'_> {
    /// Why something about the value is unknown; `None` if its type is known and every dimension is known or symbolic.
    #[must_use]
    pub fn unknown(&self) -> Option<&Reason> {
        match &self.ty {
            Err(reason) => return Some(reason),
            // A sequence or a map has no dimensions.
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

/// Sets `value` as the origin of dimensions that became unknown at it.
pub(crate) fn dims_at(dims: Known<Box<[Dim]>>, value: u32) -> Known<Box<[Dim]>> {
    match dims {
        Ok(dims) => Ok(dims.into_iter().map(|dim| dim.at(value)).collect()),
        Err(reason) => Err(reason.at(value)),
    }
}

/// Whether two lists of dimensions may be the same: of equal length, and with no two different numbers.
pub(crate) fn may_be_same(left: &[Dim], right: &[Dim]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.may_equal(right))
}
