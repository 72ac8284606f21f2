//! Valid models: the check finds no error in them, and what folding and simplifying write has none either, with the same
//! outputs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shape_fuzz::{errors, read_again, written};
use shape_model::file::ModelFile;
use shape_model::generate::Case;
use shape_model::{Graph, Options, SimplifyOptions, fold, simplify};

fuzz_target!(|case: Case| {
    let model = ModelFile::from_bytes(case.model_bytes()).expect("a generated model is read");
    let found = errors(&model);
    assert!(found.is_empty(), "a valid model has errors: {found:#?} {case:?}");
    let folding = fold(&model, &Options::of(&model)).expect("a valid model is folded");
    let folded = written(&model, &folding.edit).expect("a valid model is written");
    assert_eq!(outputs(&folded), outputs(&model));
    let simplified = simplify(&model, &SimplifyOptions::of(&model)).expect("a valid model is simplified");
    let mut bytes = Vec::new();
    simplified.edited.write_to(&mut bytes).expect("a vector takes all bytes");
    assert_eq!(outputs(&read_again(&model, bytes)), outputs(&model));
});

fn outputs(model: &ModelFile) -> Vec<String> {
    model.model().graph().into_iter().flat_map(Graph::outputs).map(|output| output.name.clone()).collect()
}
