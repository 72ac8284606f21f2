//! What all calls of a function agree on: the types and sizes of its inputs.
//!
//! A body is analysed by itself, with inputs that are unknown. If every call hands in the same, it is known in the body
//! too, and a node there can be converted that needs to know it.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::analysis::analyse;
use crate::annotate::refined;
use crate::file::proto::{Dimension, DimensionValue, ModelProto, TypeProto, TypeValue, ValueInfoProto};
use crate::functions::Functions;
use crate::graph::graphs;
use crate::options::Options;

/// The number of calls inside of each other that types are followed through.
const MAX_ROUNDS: usize = 4;

/// The model, with a declaration in each function for the inputs that all calls agree on.
pub(super) fn with_inputs<'m>(mut model: Cow<'m, ModelProto>, options: &Options) -> Cow<'m, ModelProto> {
    // Training calls functions too, and is not followed here.
    if !model.training_info.is_empty() || model.functions.is_empty() {
        return model;
    }
    for _ in 0..MAX_ROUNDS {
        let agreed = agreed(&model, options);
        let is_new = |(function, input): &&(usize, String)| {
            let declared = model.functions.get(*function).map(|function| &function.value_info);
            !declared.into_iter().flatten().any(|info| info.name == *input)
        };
        let new: Vec<(usize, String)> = agreed.keys().filter(is_new).cloned().collect();
        if new.is_empty() {
            break;
        }
        for (function, name) in new {
            let Some(ty) = agreed.get(&(function, name.clone())) else { continue };
            if let Some(function) = model.to_mut().functions.get_mut(function) {
                let r#type = Some(ty.clone());
                function.value_info.push(ValueInfoProto { name, r#type, ..ValueInfoProto::default() });
            }
        }
    }
    model
}

/// For each function, by its index, and each of its inputs: the type, with the sizes, that all calls hand in.
fn agreed(model: &ModelProto, options: &Options) -> HashMap<(usize, String), TypeProto> {
    let mut agreed: HashMap<(usize, String), Option<TypeProto>> = HashMap::new();
    let Ok(analysis) = analyse(model, options) else { return HashMap::new() };
    let functions = Functions::of(model);
    let scopes = analysis.scopes();
    for graph in graphs(&analysis.graphs, model) {
        for node in graph.nodes {
            let Some((called, function)) = functions.called(node).and_then(|at| Some((at, functions.get(at)?))) else {
                continue;
            };
            for (index, input) in function.input.iter().enumerate() {
                let name = node.input.get(index).map_or("", String::as_str);
                let given =
                    scopes.value(graph.id, name).and_then(|value| sizes_of(refined(value, None, &analysis.symbols)?));
                let ty = agreed.entry((called, input.clone())).or_insert_with(|| given.clone());
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
