//! The sizes that the options give, and how the written model declares them.

use crate::analysis::{Analysis, Scopes, analyse};
use crate::annotate::refined;
use crate::file::proto::{DimensionValue, TypeProto, TypeValue, ValueInfoProto};
use crate::file::{Graph, Model};
use crate::options::{Options, OptionsError};

/// Why the options of an analysis do not fit a model that is written with the sizes in them.
pub(crate) enum Unfit {
    Options(OptionsError),
    /// A symbol with a size that is a dimension of no input, so that the written model could not declare its size.
    NotOfAnInput(String),
}

/// Analyses a model that is written with the sizes in the options.
pub(crate) fn analyse_with_sizes<'m>(model: &'m Model, options: &Options) -> Result<Analysis<'m>, Unfit> {
    let analysis = analyse(model, options).map_err(|error| {
        // A symbol may be one that the model declares of what its nodes compute, where no declaration of that is read.
        let declared = || analyse(model, &Options { declared: true, ..options.clone() }).is_ok();
        match error {
            OptionsError::NoSuchSymbol { name, .. } if declared() => Unfit::NotOfAnInput(name),
            error => Unfit::Options(error),
        }
    })?;
    let inputs = || model.graph().into_iter().flat_map(Graph::inputs);
    let mut names = options.symbols.iter().map(|(name, _)| name);
    match names.find(|name| !inputs().any(|input| mentions(input, name))) {
        Some(name) => Err(Unfit::NotOfAnInput(name.clone())),
        None => Ok(analysis),
    }
}

/// Whether the declaration of an input contains a symbol, possibly within an expression.
fn mentions(input: &ValueInfoProto, name: &str) -> bool {
    let Some(TypeValue::TensorType(tensor)) = input.r#type.as_ref().and_then(|ty: &TypeProto| ty.value.as_ref()) else {
        return false;
    };
    let mut dims = tensor.shape.iter().flat_map(|shape| &shape.dim);
    dims.any(|dim| match &dim.value {
        Some(DimensionValue::DimParam(text)) => {
            text == name
                || text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name)
        }
        _ => false,
    })
}

/// The inputs and outputs of the graph whose declarations the sizes in the options complete.
pub(crate) fn declarations(analysis: &Analysis<'_>, options: &Options) -> Vec<(String, TypeProto)> {
    if options.symbols.is_empty() && options.inputs.is_empty() {
        return Vec::new();
    }
    let Some(graph) = analysis.graphs.first().and_then(|graph| graph.proto) else { return Vec::new() };
    let scopes = Scopes::of(analysis);
    let declared = graph.inputs().iter().chain(graph.outputs()).filter_map(|entry| {
        let old = entry.r#type.as_ref()?;
        let new = refined(scopes.value(0, &entry.name)?, Some(old), &analysis.symbols, false)?;
        (new != *old).then(|| (entry.name.clone(), new))
    });
    declared.collect()
}
