//! The sizes of values.

use crate::file::Node;
use crate::usage::{NodeUse, UsedOperator};
use crate::value::Value;
use shape_core::data_type::DataType;
use shape_core::dimension::{Dimension as _, Product};
use shape_core::symbolic::Dim;

/// The bytes that a value takes; `None` if they are not known, or it is not a tensor of elements of one size.
pub(super) fn bytes(value: &Value<'_>) -> Option<Dim> {
    let element = value.ty.as_ref().ok()?.element()?;
    bytes_of(element, &elements(value)?)
}

/// The number of elements of a value; `None` if it is not known.
pub(super) fn elements(value: &Value<'_>) -> Option<Dim> {
    known(Product::of(value.dims.as_deref().ok()?))
}

/// The bytes of a number of elements, packed ones rounded up to whole bytes.
fn bytes_of(element: DataType, count: &Dim) -> Option<Dim> {
    let bits = u64::from(element.bits()?);
    match bits % 8 {
        0 => known(count.mul(&Dim::from(bits / 8))),
        _ => known(count.mul(&Dim::from(bits))?.ceil_div(8)),
    }
}

/// A dimension, if it is a number or an expression.
pub(super) fn known(dim: Option<Dim>) -> Option<Dim> {
    dim.filter(|dim| !matches!(dim, Dim::Unknown(_)))
}

/// Whether a node computes a constant: it reads nothing, and its version gives the same each time.
pub(super) fn is_constant(used: &NodeUse<'_>, node: Node<'_>) -> bool {
    let reads_nothing = node.inputs().iter().all(str::is_empty);
    reads_nothing && matches!(used.operator, UsedOperator::Version(schema) if schema.deterministic)
}
