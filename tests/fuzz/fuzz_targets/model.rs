//! Any bytes as a model file: an error or findings, initializers with as many bytes as they ask for or an error, which is
//! that of a check of them, and what is written reads back with nothing left to add.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use shape_model::file::{Bytes, GraphEdit, ModelFile};
use shape_model::profile::{self, SONNX};
use shape_model::{Annotations, Graph, Options, analyse, annotate, check};

/// A file for this process to write to, over and over.
fn target() -> &'static std::path::Path {
    static TARGET: OnceLock<std::path::PathBuf> = OnceLock::new();
    TARGET.get_or_init(|| std::env::temp_dir().join(format!("shape-fuzz-{}.onnx", std::process::id())))
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = ModelFile::from_bytes(Bytes::copy_from_slice(bytes)) else { return };
    for tensor in model.model().graph().into_iter().flat_map(Graph::initializers) {
        let elements = model.external().elements(tensor);
        if tensor.data_type != Some(8) {
            assert_eq!(model.external().check(tensor).err(), elements.as_ref().err().cloned());
        }
        if let Ok(elements) = elements {
            let (data_type, count) = (tensor.element_type().expect("a type"), tensor.count().expect("a number"));
            assert_eq!(data_type.bytes(count), Some(elements.len() as u64));
        }
    }
    let analysis = analyse(model.model(), &Options::default()).expect("options that name nothing");
    let _ = analysis.strict_findings();
    check(model.model(), &Options::of(&model)).expect("options that name nothing");
    let report = profile::check(model.model(), &Options::of(&model), &SONNX, &["no-defaults"]).expect("the same");
    assert!(report.judgements.len() >= report.nodes, "a rule for each node");
    let edit = annotate(&analysis, Annotations::default());
    if model.write(&edit, target()).is_err() {
        return;
    }
    let again = ModelFile::open(target()).expect("what was written reads back");
    let analysis = analyse(again.model(), &Options::default()).expect("options that name nothing");
    assert_eq!(annotate(&analysis, Annotations::default()), GraphEdit::default(), "writing leaves nothing to write");
    if edit == GraphEdit::default() {
        assert_eq!(std::fs::read(target()).expect("the file"), bytes, "nothing to write changes nothing");
    }
});
