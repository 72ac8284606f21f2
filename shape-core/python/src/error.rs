//! Errors as the exceptions of `onnxspec._errors`, which have a code and the findings that they are about.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shape_model::file::{ModelError, RelocateError};
use shape_model::{NotSimplified, OptionsError};

use crate::finding::Finding;

/// An exception of `onnxspec._errors`: the name of its class, its code and its message.
fn exception(py: Python<'_>, class: &str, code: &str, message: &str, findings: Vec<Finding>) -> PyErr {
    let made = || -> PyResult<Bound<'_, PyAny>> {
        let class = py.import("onnxspec._errors")?.getattr(class)?;
        class.call1((message, code, PyTuple::new(py, findings)?))
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

/// A model that cannot be read or written.
pub(crate) fn model(py: Python<'_>, error: &ModelError) -> PyErr {
    exception(py, "ModelError", model_code(error), &error.to_string(), Vec::new())
}

/// The codes of what keeps a file from being a model.
fn model_code(error: &ModelError) -> &'static str {
    match error {
        ModelError::Read { .. } | ModelError::Directory { .. } => "model-unread",
        ModelError::Empty { .. } => "model-empty",
        ModelError::Text { .. } | ModelError::NotOnnx { .. } | ModelError::NoGraph { .. } => "model-other",
        ModelError::Truncated { .. } => "model-truncated",
        ModelError::TooDeep { .. } | ModelError::OverBudget { .. } => "model-hostile",
        ModelError::Changed { .. } => "model-changed",
        ModelError::Write { .. } => "model-unwritten",
        _ => "model-malformed",
    }
}

/// A model whose data would be out of reach where it is written to.
pub(crate) fn relocated(py: Python<'_>, error: &RelocateError) -> PyErr {
    exception(py, "ModelError", "model-data", &error.to_string(), Vec::new())
}

/// A name that the model does not have.
pub(crate) fn options(py: Python<'_>, error: &OptionsError) -> PyErr {
    let code = match error {
        OptionsError::NoSuchInput { .. } => "input-unknown",
        OptionsError::NoSuchSymbol { .. } => "symbol-unknown",
    };
    exception(py, "NameUnknownError", code, &error.to_string(), Vec::new())
}

/// A runtime that is not known, or a release of one.
pub(crate) fn runtime(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "NameUnknownError", "runtime-unknown", message, Vec::new())
}

/// A value that the model does not have.
pub(crate) fn value(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "NameUnknownError", "value-unknown", message, Vec::new())
}

/// Descriptors with mistakes.
pub(crate) fn specs(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "SpecsError", "specs", message, Vec::new())
}

/// A model that is not simplified.
pub(crate) fn simplify(py: Python<'_>, error: NotSimplified) -> PyErr {
    let message = error.to_string();
    match error {
        NotSimplified::Options(error) => options(py, &error),
        NotSimplified::File(error) => model(py, &error),
        NotSimplified::NotOfAnInput(_) => exception(py, "SimplifyError", "symbol-of-no-input", &message, Vec::new()),
        NotSimplified::Refused(mut found) => {
            found.retain(shape_model::Finding::prevents_edits);
            findings(py, "SimplifyError", found)
        }
        _ => exception(py, "SimplifyError", "not-simplified", &message, Vec::new()),
    }
}

/// What findings prevent: the class is that of the operation, the code that of the first error.
pub(crate) fn findings(py: Python<'_>, class: &str, findings: Vec<shape_model::Finding>) -> PyErr {
    let code = findings.first().map_or("", |finding| finding.code.name());
    let findings: Vec<Finding> = findings.into_iter().map(Finding::from).collect();
    let message: Vec<String> = findings.iter().map(Finding::text).collect();
    exception(py, class, code, &message.join("\n"), findings)
}
