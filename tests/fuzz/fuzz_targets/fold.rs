//! Any bytes as a model, folded with sizes and without: what is written has no error that the model did not have, and its
//! outputs have the dimensions that they had.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shape_fuzz::{choice, written};
use shape_model::file::proto::{DimensionValue, TypeValue};
use shape_model::file::{Bytes, ModelFile};
use shape_model::{Graph, Options, fold};

fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = ModelFile::from_bytes(Bytes::copy_from_slice(bytes)) else { return };
    let choice = choice(bytes);
    let mut options = Options::of(&model);
    let sizes = |model: &ModelFile| {
        let symbols = if choice % 2 == 0 { symbols(model) } else { Vec::new() };
        symbols.into_iter().map(|symbol| (symbol, choice / 2 % 5)).collect()
    };
    options.symbols = sizes(&model);
    let with_sizes = !options.symbols.is_empty();
    let Ok(folding) = fold(&model, &options) else { return };
    let Some(again) = written(&model, &folding.edit) else { return };
    // With the same sizes, as far as the folded model still has these symbols.
    let mut options = Options::of(&again);
    options.symbols = sizes(&again);
    let Ok(folded) = fold(&again, &options) else { return };
    let outputs = |folding: &shape_model::Folding<'_>, model: &ModelFile| {
        let names = model.model().graph().into_iter().flat_map(Graph::outputs).map(|output| output.name.clone());
        let analysis = &folding.analysis;
        let dims = |name: &str| {
            let value = analysis.values.iter().find(|value| value.graph == 0 && value.name == name)?;
            let dims = value.dims.as_ref().ok()?.iter();
            Some(dims.map(|dim| dim.display(&analysis.symbols).to_string()).collect::<Vec<_>>())
        };
        names.map(|name| (dims(&name), name)).collect::<Vec<_>>()
    };
    // With sizes, a symbol may be left that nothing but the declarations of a body spoke of.
    let alike = |(before, after): (&String, &String)| before == after || with_sizes && after.parse::<u64>().is_err();
    for ((before, name), (after, _)) in outputs(&folding, &model).iter().zip(&outputs(&folded, &again)) {
        let same = match (before, after) {
            (Some(before), Some(after)) => before.len() == after.len() && before.iter().zip(after).all(alike),
            (before, after) => before == after,
        };
        assert!(same, "the output {name} stays as it is: {before:?}, {after:?}");
    }
});

/// The symbols among the dimensions of the inputs.
fn symbols(model: &ModelFile) -> Vec<String> {
    let inputs = model.model().graph().into_iter().flat_map(Graph::inputs);
    let tensors = inputs.filter_map(|input| match input.r#type.as_ref()?.value.as_ref()? {
        TypeValue::TensorType(tensor) => tensor.shape.as_ref(),
        _ => None,
    });
    let mut symbols: Vec<String> = tensors
        .flat_map(|shape| &shape.dim)
        .filter_map(|dim| match &dim.value {
            Some(DimensionValue::DimParam(symbol)) => Some(symbol.clone()),
            _ => None,
        })
        .collect();
    symbols.sort();
    symbols.dedup();
    symbols
}
