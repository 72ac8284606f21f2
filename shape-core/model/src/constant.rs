//! The elements of values that are known before the model runs, as conversions of a node read them.

use crate::analysis::Analysis;
use crate::file::External;
use crate::value::{Origin, Value};
use shape_core::convert::{Constant, Numbers};
use shape_core::symbolic::Dim;

/// The largest number of elements that are read for a conversion: attributes hold sizes and scales, not weights.
const MOST: usize = 4096;

/// Whether a value is an initializer that callers cannot replace, in a model of an IR version.
pub(crate) fn is_fixed(value: &Value<'_>, ir_version: i64) -> bool {
    match value.origin {
        Origin::Initializer => true,
        // Up to IR 3 every initializer is an input.
        Origin::Input => ir_version < 4,
        Origin::Node { .. } => false,
    }
}

/// The elements of a value with at most one axis, if they are known before the model runs; no elements always are.
pub(crate) fn constant(
    analysis: &Analysis<'_>,
    value: &Value<'_>,
    external: &External,
    ir_version: i64,
) -> Option<Constant> {
    let dims = value.dims.as_ref().ok()?;
    let is_scalar = match dims.len() {
        0 => true,
        1 => false,
        _ => return None,
    };
    let element = value.ty.as_ref().ok()?.element()?;
    if **dims == [Dim::Known(0)] {
        return Constant::of(element, is_scalar, &Numbers::Ints(Vec::new()));
    }
    if let Ok(elements) = &value.elements {
        return Constant::of_scalars(element, is_scalar, elements.iter().cloned());
    }
    let fixed = is_fixed(value, ir_version).then(|| analysis.graphs.get(value.graph)?.proto).flatten()?;
    let tensor = fixed.initializer(value.name)?;
    let count: i64 = tensor.dims.iter().product();
    if !usize::try_from(count).is_ok_and(|count| count <= MOST) {
        return None;
    }
    Constant::from_bytes(element, is_scalar, &external.elements(tensor).ok()?)
}
