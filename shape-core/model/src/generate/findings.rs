//! Runs the check on a generated model: whether it has no error, or only the one that is wanted.

use shape_core::code::{Code, Severity};
use shape_core::registry::Registry;

use crate::check::check;
use crate::file::Model;
use crate::file::proto::ModelProto;
use crate::finding::Finding;
use crate::options::Options;

/// Whether the only error of a model has this code; with `None`, whether it has no error.
pub(super) fn says(registry: &Registry, model: &ModelProto, code: Option<Code>) -> bool {
    errors(registry, model).is_some_and(|errors| errors.iter().map(|error| error.code).eq(code))
}

/// The errors of a model; `None` if it cannot be read.
pub(super) fn errors(registry: &Registry, model: &ModelProto) -> Option<Vec<Finding>> {
    let model = Model::of(model).ok()?;
    let options = Options { registry: registry.clone(), ..Options::default() };
    let mut findings = check(&model, &options).ok()?;
    findings.retain(|finding| finding.code.severity() == Severity::Error);
    Some(findings)
}
