//! Any bytes as a model, converted to any opset: what is written has no error that the model did not have, and nothing is
//! left to convert.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shape_core::Registry;
use shape_fuzz::{choice, written};
use shape_model::convert;
use shape_model::file::{Bytes, ModelFile};

fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = ModelFile::from_bytes(Bytes::copy_from_slice(bytes)) else { return };
    let registry = Registry::builtin();
    let newest = registry.newest_opset("").expect("a domain of this build");
    let opset = 1 + (choice(bytes) % u64::from(newest)) as u32;
    let Ok(conversion) = convert(&model, opset, registry) else { return };
    let Some(again) = written(&model, &conversion.edit) else { return };
    let left = convert(&again, opset, registry).expect("what was converted is right");
    assert!(left.nodes.is_empty(), "nothing is left to convert");
});
