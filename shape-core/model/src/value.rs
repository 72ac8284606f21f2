//! What is known about a value of a graph, and where it comes from.

use std::ops::Deref;
use std::sync::Arc;

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

/// A value of a graph: a name, where it comes from, and what is known of it, which it gives by reference:
/// `value.dims` are those of its [`Facts`].
#[derive(Clone, Debug)]
pub struct Value<'m> {
    /// Its name.
    pub name: &'m str,
    /// Its graph, by its index in [`Analysis::graphs`](crate::Analysis::graphs).
    pub graph: usize,
    /// Where it comes from.
    pub origin: Origin,
    /// What of it rests on declarations of values that nodes compute, since nothing follows from the inputs.
    pub declared: Option<Box<DeclaredSizes>>,
    pub(crate) shared: Shared,
}

/// What of a value is known only because the model declares it, of this value or of one before it. A run may have other
/// sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredSizes {
    /// The axes of its dimensions.
    pub dims: Vec<usize>,
    /// The indices of its elements.
    pub elements: Vec<usize>,
    /// Whether it is the declaration of this value that was used.
    pub begins: bool,
    /// Why nothing follows from the inputs.
    pub reason: Option<Reason>,
}

/// What is known of a value, in a form that several values can share.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    /// The facts; values with the same facts share one object.
    pub(crate) facts: Arc<Facts>,
    /// If none of its elements is known, the value where that begins: [`Reason::HERE`] for the value itself, until it has
    /// an index. It is not among the facts, so that values are alike that have no elements by themselves.
    pub(crate) elements_from: u32,
}

impl Facts {
    /// Whether the type is known and no dimension is a hole: each is a number or an expression over symbols.
    pub(crate) fn has_no_hole(&self) -> bool {
        let is_hole = |dim: &Dim| matches!(dim, Dim::Unknown(_));
        self.ty.is_ok() && self.dims.as_ref().is_ok_and(|dims| !dims.iter().any(is_hole))
    }

    /// The number of elements; `None` if it is not a number.
    pub(crate) fn element_count(&self) -> Option<u64> {
        element_count(self.dims.as_deref().ok()?)
    }
}

/// The number of elements of a tensor with these dimensions; `None` if it is not a number.
pub(crate) fn element_count(dims: &[Dim]) -> Option<u64> {
    dims.iter().try_fold(1_u64, |count, dim| count.checked_mul(dim.known()?))
}

impl Shared {
    /// The same of the value with this index.
    pub(crate) fn at(self, value: u32) -> Self {
        if self.elements_from == Reason::HERE { Self { elements_from: value, ..self } } else { self }
    }
}

impl Value<'_> {
    /// Why none of its elements is known, with the index of the value where that begins; `None` if there are any known.
    #[must_use]
    pub fn without_elements(&self) -> Option<Reason> {
        Some(self.elements.as_ref().err()?.clone().at(self.shared.elements_from))
    }
}

impl Deref for Value<'_> {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.shared.facts
    }
}

/// What is known of a value.
#[derive(Clone, Debug)]
pub struct Facts {
    /// A number that no other facts of the analysis have.
    pub(crate) number: u64,
    /// How many bytes of the memory allowance each further value with these facts takes.
    pub(crate) again: usize,
    /// Its type.
    pub ty: Known<Type>,
    /// Its dimensions, outermost first; for a sequence or an optional, those of each tensor in it. An error if not even
    /// the rank is known.
    pub dims: Known<Box<[Dim]>>,
    /// Its elements in row-major order, if it is a tensor of integers, floats or booleans that is known before the
    /// model runs and has at most [`MAX_ELEMENTS`] of them. An error says why; [`Value::without_elements`] says where
    /// that begins too.
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
