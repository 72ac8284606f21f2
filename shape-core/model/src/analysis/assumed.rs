//! Marks what is known of values only because the model declares it.
//!
//! Inference uses a claim where nothing follows from the inputs, and goes on from it. What rests on claims is what is not
//! known without them, so that a model with such claims is analysed a second time, without.

use std::collections::{HashMap, HashSet};

use super::result::Analysis;
use crate::value::{DeclaredSizes, Value};
use shape_core::elements::Scalar;
use shape_core::symbolic::Dim;

/// Marks the values of an analysis by another one of the same model, which uses no claims. `claimed` are the values of
/// which a claim was used.
pub(super) fn mark(analysis: &mut Analysis<'_>, without: &Analysis<'_>, claimed: &[u32]) {
    let places: HashMap<(usize, &str), &Value<'_>> =
        without.values.iter().map(|value| ((value.graph, value.name), value)).collect();
    let claimed: HashSet<u32> = claimed.iter().copied().collect();
    let mut marks = Vec::new();
    for (index, value) in (0..).zip(&analysis.values) {
        let Some(other) = places.get(&(value.graph, value.name)) else { continue };
        let reason = other.without_elements();
        let dims = value.dims.iter().flatten().map(|dim| (is_told(dim), missing(analysis, dim)));
        let dims = resting(dims, |axis| match &other.dims {
            Ok(dims) => dims.get(axis).map(|dim| missing(without, dim)).unwrap_or_default(),
            Err(reason) => vec![reason.value],
        });
        let elements = value.elements.iter().flatten();
        let elements = elements.map(|element| (element.dim().is_none_or(is_told), missing_of(analysis, element)));
        let elements = resting(elements, |at| match &other.elements {
            Ok(elements) => elements.get(at).map(|element| missing_of(without, element)).unwrap_or_default(),
            Err(_) => reason.iter().map(|reason| reason.value).collect(),
        });
        if !dims.is_empty() || !elements.is_empty() {
            let reason = without.unknown(other).cloned().or(reason);
            marks.push((index, DeclaredSizes { dims, elements, begins: claimed.contains(&index), reason }));
        }
    }
    for (index, mark) in marks {
        if let Some(value) = analysis.values.get_mut(index as usize) {
            value.declared = Some(Box::new(mark));
        }
    }
}

/// The places of sizes of which something is told, and that lack less than without claims. What a size lacks is told by the
/// values where that begins.
fn resting(sizes: impl Iterator<Item = (bool, Vec<u32>)>, without: impl Fn(usize) -> Vec<u32>) -> Vec<usize> {
    let rests = |(at, (is_told, lacks)): &(usize, (bool, Vec<u32>))| {
        *is_told && without(*at).iter().any(|origin| !lacks.contains(origin))
    };
    sizes.enumerate().filter(rests).map(|(at, _)| at).collect()
}

/// Whether anything is told of a size: more than that it is one.
fn is_told(dim: &Dim) -> bool {
    !matches!(dim, Dim::Symbol(symbol) if symbol.fresh().is_some())
}

/// The values where what is not known of a dimension begins.
fn missing(analysis: &Analysis<'_>, dim: &Dim) -> Vec<u32> {
    let mut missing = Vec::new();
    if let Dim::Unknown(reason) = dim {
        missing.push(reason.value);
    }
    dim.each_symbol(&mut |symbol| missing.extend(analysis.origin(symbol).map(|origin| origin.value)));
    missing
}

fn missing_of(analysis: &Analysis<'_>, element: &Scalar<Dim>) -> Vec<u32> {
    match element {
        Scalar::Unknown(reason) => vec![reason.value],
        element => element.dim().map(|dim| missing(analysis, dim)).unwrap_or_default(),
    }
}
