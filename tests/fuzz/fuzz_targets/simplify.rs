//! Any bytes as a model, simplified: what is written has no error that the model did not have, the passes never make one on
//! their way, and simplified again it is the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shape_fuzz::read_again;
use shape_model::file::{Bytes, ModelFile};
use shape_model::{NotSimplified, SimplifyOptions, simplify};

fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = ModelFile::from_bytes(Bytes::copy_from_slice(bytes)) else { return };
    let simplified = match simplify(&model, &SimplifyOptions::of(&model)) {
        Ok(simplified) => simplified,
        Err(NotSimplified::Broken(findings)) => panic!("a rewrite made errors: {findings:#?}"),
        Err(_) => return,
    };
    let mut written = Vec::new();
    simplified.edited.write_to(&mut written).expect("a vector takes all bytes");
    let again = read_again(&model, written);
    let twice = simplify(&again, &SimplifyOptions::of(&again)).expect("what was written is simplified again");
    assert!(twice.changes.is_empty(), "a second time it is another: {:#?}", twice.changes);
});
