//! Finds the types and sizes of a function's inputs that all calls of the function agree on.
//!
//! A body is analysed by itself, with inputs that are unknown. If every call hands in the same, it is known in the body
//! too, and a node there can be converted that needs to know it.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::analysis::analyse;
use crate::annotate::refined;
use crate::file::proto::{Dimension, DimensionValue, TypeProto, TypeValue};
use crate::file::{Function, Model, ModelEdit, ModelFile};
use crate::functions::Functions;
use crate::graph::graphs;
use crate::options::Options;

/// The number of calls inside of each other that types are followed through.
const MAX_ROUNDS: usize = 4;

/// The model with the changes of `edit`, and with a declaration in each function for the inputs that all calls agree on.
pub(super) fn with_inputs<'m>(file: &'m ModelFile, mut edit: ModelEdit, options: &Options) -> Cow<'m, Model> {
    let edited = |edit: &ModelEdit| match *edit == ModelEdit::default() {
        true => Cow::Borrowed(file.model()),
        // Of what cannot be edited nothing can be written either, and `outcome` says so.
        false => file.preview(edit).map_or(Cow::Borrowed(file.model()), Cow::Owned),
    };
    let mut model = edited(&edit);
    // Training calls functions too, and is not followed here.
    if !model.training_info().is_empty() || model.functions().is_empty() {
        return model;
    }
    for _ in 0..MAX_ROUNDS {
        let agreed = agreed(&model, options);
        let is_new = |((function, input), _): &((usize, String), TypeProto)| {
            let declared = model.functions().get(*function).map(Function::value_info);
            !declared.into_iter().flatten().any(|info| info.name == *input)
        };
        let new: Vec<((usize, String), TypeProto)> = agreed.into_iter().filter(is_new).collect();
        if new.is_empty() {
            break;
        }
        for ((function, name), ty) in new {
            edit.functions.entry(function).or_default().body.value_info.push((name, ty));
        }
        model = edited(&edit);
    }
    model
}

/// For each function, by its index, and each of its inputs: the type, with the sizes, that all calls hand in.
fn agreed(model: &Model, options: &Options) -> HashMap<(usize, String), TypeProto> {
    let mut agreed: HashMap<(usize, String), Option<TypeProto>> = HashMap::new();
    let Ok(analysis) = analyse(model, options) else { return HashMap::new() };
    let functions = Functions::of(model);
    let scopes = analysis.scopes();
    for graph in graphs(&analysis.graphs, model) {
        for node in graph.nodes {
            let Some((called, function)) = functions.called(node).and_then(|at| Some((at, functions.get(at)?))) else {
                continue;
            };
            for (index, input) in function.inputs().iter().enumerate() {
                let name = node.inputs().get(index).unwrap_or_default();
                let given = scopes
                    .value(graph.id, name)
                    .and_then(|value| sizes_of(refined(value, None, &analysis.symbols, false)?));
                let ty = agreed.entry((called, input.to_owned())).or_insert_with(|| given.clone());
                *ty = ty.take().zip(given).and_then(|(one, other)| merged(one, &other));
            }
        }
    }
    agreed.into_iter().filter_map(|(of, ty)| Some((of, ty?))).collect()
}

/// A type without the names of its dimensions, which may differ between calls.
fn sizes_of(mut ty: TypeProto) -> Option<TypeProto> {
    let Some(TypeValue::TensorType(tensor)) = &mut ty.value else { return None };
    for dim in tensor.shape.iter_mut().flat_map(|shape| &mut shape.dim) {
        if !matches!(dim.value, Some(DimensionValue::DimValue(_))) {
            *dim = Dimension::default();
        }
    }
    Some(ty)
}

/// What two types have in common; `None` if not even the element type.
fn merged(mut one: TypeProto, other: &TypeProto) -> Option<TypeProto> {
    let (Some(TypeValue::TensorType(left)), Some(TypeValue::TensorType(right))) = (&mut one.value, &other.value) else {
        return None;
    };
    if left.elem_type != right.elem_type {
        return None;
    }
    let shapes = left.shape.take().zip(right.shape.as_ref());
    left.shape = shapes.filter(|(left, right)| left.dim.len() == right.dim.len()).map(|(mut left, right)| {
        for (left, _) in left.dim.iter_mut().zip(&right.dim).filter(|(left, right)| **left != **right) {
            *left = Dimension::default();
        }
        left
    });
    Some(one)
}
