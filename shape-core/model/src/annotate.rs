//! Writes what was inferred as `value_info` of the model's file.

use std::collections::{HashMap, HashSet};

use crate::analysis::Analysis;
use crate::file::GraphEdit;
use crate::file::proto::{
    Dimension, DimensionValue, TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use crate::graph::edit_of;
use crate::value::{Origin, Value};
use shape_core::symbolic::{Dim, Symbols};

/// The `value_info` entries that the model is missing: for each value that a node computes and that is not a graph
/// output, its type and its known dimensions. A declaration that already says as much is left as it is.
///
/// Write it with [`crate::file::ModelFile::write`].
#[must_use]
pub fn annotate(analysis: &Analysis<'_>) -> GraphEdit {
    let mut edit = GraphEdit::default();
    let mut values: HashMap<usize, Vec<&Value<'_>>> = HashMap::new();
    for value in &analysis.values {
        if matches!(value.origin, Origin::Node { .. }) {
            values.entry(value.graph).or_default().push(value);
        }
    }
    for (id, info) in analysis.graphs.iter().enumerate() {
        let (Some(proto), Some(values)) = (info.proto, values.get(&id)) else { continue };
        let outputs: HashSet<&str> = proto.outputs().iter().map(|output| &*output.name).collect();
        let declared: HashMap<&str, &ValueInfoProto> =
            proto.value_info().iter().map(|info| (&*info.name, info)).collect();
        for value in values.iter().filter(|value| !outputs.contains(value.name)) {
            let old = declared.get(value.name).and_then(|info| info.r#type.as_ref());
            if let Some(new) = refined(value, old, &analysis.symbols)
                && Some(&new) != old
                && let Some(edit) = edit_of(&mut edit, &analysis.graphs, id)
            {
                edit.value_info.push((value.name.to_owned(), new));
            }
        }
    }
    edit
}

impl Analysis<'_> {
    /// For each value, whether more is known about it than the model declares. Always false for initializers and for
    /// values in the bodies of functions, which have no declarations.
    #[must_use]
    pub fn inferred(&self) -> Vec<bool> {
        let mut declared: HashMap<(usize, &str), &TypeProto> = HashMap::new();
        for (id, info) in self.graphs.iter().enumerate() {
            let Some(proto) = info.proto else { continue };
            let entries = proto.value_info().iter().chain(proto.outputs()).chain(proto.inputs());
            declared.extend(entries.filter_map(|entry| Some(((id, &*entry.name), entry.r#type.as_ref()?))));
        }
        let says_more = |value: &Value<'_>| {
            let followed = self.graphs.get(value.graph).is_some_and(|graph| graph.proto.is_some());
            if !followed || value.origin == Origin::Initializer {
                return false;
            }
            let old = declared.get(&(value.graph, value.name)).copied();
            match refined(value, old, &self.symbols) {
                Some(new) => Some(&new) != old,
                // The declaration of a map has no dimensions to complete.
                None => old.is_none() && value.ty.is_ok(),
            }
        };
        self.values.iter().map(says_more).collect()
    }
}

/// The declaration completed with what is known; `None` unless the value is a tensor of a known type and is declared as
/// a tensor, or not at all; or is declared as a sequence or an optional of tensors.
pub(crate) fn refined(value: &Value<'_>, old: Option<&TypeProto>, symbols: &Symbols) -> Option<TypeProto> {
    let element = value.ty.as_ref().ok()?.element();
    let mut new = old.cloned().unwrap_or_default();
    let tensor = if let Some(element) = element {
        let empty = TypeValue::TensorType(TensorType::default());
        let TypeValue::TensorType(tensor) = new.value.get_or_insert(empty) else { return None };
        tensor.elem_type = tensor.elem_type.filter(|number| *number != 0).or(Some(element.number().into()));
        tensor
    } else {
        tensor_in(&mut new)?
    };
    if let Ok(dims) = &value.dims {
        let shape = tensor
            .shape
            .get_or_insert_with(|| TensorShapeProto { dim: dims.iter().map(|_| Dimension::default()).collect() });
        for (dim, known) in shape.dim.iter_mut().zip(dims) {
            let known = match known {
                Dim::Known(size) => i64::try_from(*size).ok().map(DimensionValue::DimValue),
                Dim::Symbol(_) | Dim::Expression(_) => {
                    Some(DimensionValue::DimParam(known.display(symbols).to_string()))
                }
                Dim::Unknown(_) => None,
            };
            let open = match &dim.value {
                None => true,
                Some(DimensionValue::DimParam(name)) => {
                    name.is_empty() || matches!(known, Some(DimensionValue::DimValue(_)))
                }
                // It is read as unknown.
                Some(DimensionValue::DimValue(size)) => *size == -1,
            };
            if open && known.is_some() {
                dim.value = known;
            }
        }
    }
    Some(new)
}

/// The type of the tensors in a sequence or an optional.
fn tensor_in(of: &mut TypeProto) -> Option<&mut TensorType> {
    match of.value.as_mut()? {
        TypeValue::TensorType(tensor) => Some(tensor),
        TypeValue::SequenceType(of) => tensor_in(of.elem_type.as_mut()?),
        TypeValue::OptionalType(of) => tensor_in(of.elem_type.as_mut()?),
        _ => None,
    }
}
