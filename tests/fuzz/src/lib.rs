//! What the targets share that write models.

use std::collections::BTreeSet;

use shape_core::Registry;
use shape_core::code::Severity;
use shape_model::file::{Bytes, ModelEdit, ModelFile};
use shape_model::{Options, check};

/// A number that differs with the bytes, so that a run covers all choices that a target makes by it.
pub fn choice(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Writes a model with the changes of a command that succeeded, reads it again as every reader does, and compares what
/// `shape check` says of both: the command adds no kind of error. Returns the model that was written; `None` if it cannot
/// be written, for which the bytes have a reason, such as a graph in several pieces.
pub fn written(model: &ModelFile, edit: &ModelEdit) -> Option<ModelFile> {
    let mut bytes = Vec::new();
    model.rewrite_to(edit, &mut bytes).ok()?;
    Some(read_again(model, bytes))
}

/// The same for the bytes of the changed model.
pub fn read_again(model: &ModelFile, bytes: Vec<u8>) -> ModelFile {
    let again = ModelFile::from_bytes(Bytes::from(bytes)).expect("what was written reads back");
    let before: BTreeSet<&str> = errors(model).into_iter().map(|(code, _)| code).collect();
    let new: Vec<_> = errors(&again).into_iter().filter(|(code, _)| !before.contains(code)).collect();
    assert!(new.is_empty(), "errors that the model did not have: {new:#?}");
    again
}

/// The codes of the errors of a model, each with the finding as text.
pub fn errors(model: &ModelFile) -> Vec<(&'static str, String)> {
    let options = Options { registry: Registry::builtin().clone(), ..Options::of(model) };
    let findings = check(model.model(), &options).expect("options that name nothing");
    let errors = findings.into_iter().filter(|finding| finding.severity() == Severity::Error);
    errors.map(|finding| (finding.code.name(), format!("{finding:?}"))).collect()
}
