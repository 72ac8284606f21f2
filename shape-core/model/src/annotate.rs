//! Writes what was inferred as `value_info` of the model's file.

use std::collections::{HashMap, HashSet};

use crate::analysis::Analysis;
use crate::file::GraphEdit;
use crate::file::proto::{
    Dimension, DimensionValue, MapType, OptionalType, SequenceType, SparseTensorType, TensorShapeProto, TensorType,
    TypeProto, TypeValue, ValueInfoProto,
};
use crate::graph::edit_of;
use crate::value::{Origin, Value};
use shape_core::symbolic::{Dim, Symbols};
use shape_core::types::Type;

/// What [`annotate`] writes beside the types and the known dimensions of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Whether sizes that the model does not name get names: `n0` and so on, as [`Symbols::name_fresh`] gives them. Else
    /// such a dimension is left open. Inputs get them too; values of subgraphs do not, since a name is that of one size and
    /// theirs are of one round.
    pub fresh_symbols: bool,
    /// Whether the declarations of graph outputs are completed too.
    pub outputs: bool,
}

/// The `value_info` entries that the model is missing: for each value that a node computes and that is not a graph
/// output, its type and its known dimensions. Inputs are declared with the sizes that the options of the analysis give them,
/// since what follows from these holds for no other. A declaration that already says as much is left as it is.
///
/// Write it with [`crate::file::ModelFile::write`].
///
/// ```
/// use shape_model::{Annotations, ModelFile, Options, analyse, annotate};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/acme.onnx");
/// let model = ModelFile::open(path)?;
/// let analysis = analyse(model.model(), &Options::of(&model))?;
/// let edit = annotate(&analysis, Annotations { outputs: true, ..Annotations::default() });
/// assert!(edit.declarations.iter().any(|(name, _)| name == "rows"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn annotate(analysis: &Analysis<'_>, annotations: Annotations) -> GraphEdit {
    let mut edit = GraphEdit::default();
    let mut values: HashMap<usize, Vec<&Value<'_>>> = HashMap::new();
    for value in &analysis.values {
        let is_input = value.graph == 0 && value.origin == Origin::Input;
        if is_input || matches!(value.origin, Origin::Node { .. }) {
            values.entry(value.graph).or_default().push(value);
        }
    }
    for (id, info) in analysis.graphs.iter().enumerate() {
        let (Some(proto), Some(values)) = (info.proto, values.get(&id)) else { continue };
        let outputs: HashSet<&str> = proto.outputs().iter().map(|output| &*output.name).collect();
        let infos = proto.value_info().iter().chain(proto.inputs()).chain(proto.outputs());
        let declared: HashMap<&str, &ValueInfoProto> = infos.map(|info| (&*info.name, info)).collect();
        for value in values {
            let (is_input, is_output) = (value.origin == Origin::Input, outputs.contains(value.name));
            let old = declared.get(value.name).and_then(|info| info.r#type.as_ref());
            let fresh = annotations.fresh_symbols && id == 0;
            if (annotations.outputs || !is_output)
                && let Some(new) = refined(value, old, &analysis.symbols, fresh)
                && Some(&new) != old
                && let Some(edit) = edit_of(&mut edit, &analysis.graphs, id)
            {
                let entries = if is_input || is_output { &mut edit.declarations } else { &mut edit.value_info };
                entries.push((value.name.to_owned(), new));
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
            refined(value, old, &self.symbols, false).is_some_and(|new| Some(&new) != old)
        };
        self.values.iter().map(says_more).collect()
    }
}

/// The declaration completed with what is known; `None` if the type is not known, or declared as another one. Fresh symbols
/// are written only if asked for.
pub(crate) fn refined(value: &Value<'_>, old: Option<&TypeProto>, symbols: &Symbols, fresh: bool) -> Option<TypeProto> {
    let ty = *value.ty.as_ref().ok()?;
    let mut new = old.cloned().unwrap_or_default();
    if new.value.is_none() {
        new.value = type_proto(ty)?.value;
    }
    let (element, shape) = tensor_in(&mut new)?;
    if let Some(of) = ty.element() {
        *element = element.filter(|number| *number != 0).or(Some(of.number().into()));
    }
    if let Ok(dims) = &value.dims {
        let shape =
            shape.get_or_insert_with(|| TensorShapeProto { dim: dims.iter().map(|_| Dimension::default()).collect() });
        for (dim, known) in shape.dim.iter_mut().zip(dims) {
            let known = match known {
                Dim::Known(size) => i64::try_from(*size).ok().map(DimensionValue::DimValue),
                dim if !fresh && dim.fresh().is_some() => None,
                Dim::Symbol(_) | Dim::Expression(_) => {
                    Some(DimensionValue::DimParam(known.display(symbols).to_string()))
                }
                Dim::Unknown(_) => None,
            };
            let open = match &dim.value {
                None => true,
                Some(DimensionValue::DimParam(_)) => {
                    dim.symbol().is_none() || matches!(known, Some(DimensionValue::DimValue(_)))
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

/// A type without dimensions.
fn type_proto(ty: Type) -> Option<TypeProto> {
    let inner = |ty: Type| Some(Some(Box::new(type_proto(ty)?)));
    let value = if let Some(element) = ty.element() {
        TypeValue::TensorType(TensorType { elem_type: Some(element.number().into()), shape: None })
    } else if let Some(element) = ty.in_sparse_tensor() {
        TypeValue::SparseTensorType(SparseTensorType { elem_type: Some(element.number().into()), shape: None })
    } else if let Some(of) = ty.in_sequence() {
        TypeValue::SequenceType(SequenceType { elem_type: inner(of)? })
    } else if let Some(of) = ty.in_optional() {
        TypeValue::OptionalType(OptionalType { elem_type: inner(of)? })
    } else {
        let (key, of) = ty.key().zip(ty.in_map())?;
        TypeValue::MapType(MapType { key_type: Some(key.number().into()), value_type: inner(of)? })
    };
    Some(TypeProto { value: Some(value), ..TypeProto::default() })
}

/// The number of the element type and the dimensions of a tensor, of one in a sequence or an optional, or of a value in a
/// map.
pub(crate) fn tensor_in(of: &mut TypeProto) -> Option<(&mut Option<i32>, &mut Option<TensorShapeProto>)> {
    match of.value.as_mut()? {
        TypeValue::TensorType(tensor) => Some((&mut tensor.elem_type, &mut tensor.shape)),
        TypeValue::SparseTensorType(tensor) => Some((&mut tensor.elem_type, &mut tensor.shape)),
        TypeValue::SequenceType(of) => tensor_in(of.elem_type.as_mut()?),
        TypeValue::OptionalType(of) => tensor_in(of.elem_type.as_mut()?),
        TypeValue::MapType(of) => tensor_in(of.value_type.as_mut()?),
        TypeValue::OpaqueType(_) => None,
    }
}
