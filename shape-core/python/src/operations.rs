//! The functions that take a model, and give one or the findings about it.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use shape_core::code::{Code, Severity};
use shape_model::file::{GraphEdit, ModelEdit};
use shape_model::{Annotations, Finding, ModelFile, Options, SimplifyOptions, Target, analyse, annotate};

use crate::error;
use crate::registry::{operators, released};
use crate::rule::undetached;
use crate::source::{Source, edited, write};
use crate::view::fit;

/// Which errors of the model an inference does not pass over.
#[derive(Clone, Copy)]
enum Strictness {
    None,
    Types,
    All,
}

impl Strictness {
    fn new(check_type: bool, strict: bool) -> Self {
        match (strict, check_type) {
            (true, _) => Self::All,
            (false, true) => Self::Types,
            (false, false) => Self::None,
        }
    }

    fn refuses(self, finding: &Finding) -> bool {
        let of_types = [Code::TypeNotAllowed, Code::TypeMismatch, Code::OutputType];
        finding.severity() == Severity::Error
            && match self {
                Self::None => false,
                Self::Types => of_types.contains(&finding.code),
                Self::All => true,
            }
    }
}

/// What an inference adds to the graph of a model; fails with an `InferenceError` if a finding is an error that counts.
fn inferred(
    py: Python<'_>,
    model: &ModelFile,
    strictness: Strictness,
    name_unknowns: bool,
    specs: &[PathBuf],
) -> PyResult<GraphEdit> {
    let options = Options { registry: operators(py, specs)?, ..Options::of(model) };
    let annotations = Annotations { fresh_symbols: name_unknowns, outputs: true };
    let result = undetached(py, || {
        analyse(model.model(), &options).map(|mut analysis| {
            let findings: Vec<Finding> = std::mem::take(&mut analysis.findings).into();
            (annotate(&analysis, annotations), findings)
        })
    })?;
    let (edit, mut findings) = result.map_err(|problem| error::options(py, &problem))?;
    findings.retain(|finding| strictness.refuses(finding));
    if findings.is_empty() { Ok(edit) } else { Err(error::findings(py, "InferenceError", findings)) }
}

/// The bytes of a model with the types and dimensions that were inferred.
#[pyfunction]
#[pyo3(signature = (source, check_type, strict_mode, name_unknowns, specs))]
pub(crate) fn infer<'py>(
    py: Python<'py>,
    source: Source,
    check_type: bool,
    strict_mode: bool,
    name_unknowns: bool,
    specs: Vec<PathBuf>,
) -> PyResult<Bound<'py, PyBytes>> {
    let model = source.open(py)?;
    let graph = inferred(py, &model, Strictness::new(check_type, strict_mode), name_unknowns, &specs)?;
    edited(py, &model, &ModelEdit { graph, ..ModelEdit::default() })
}

/// Writes a model with the types and dimensions that were inferred to a file, which may be its own.
#[pyfunction]
pub(crate) fn infer_file(
    py: Python<'_>,
    path: PathBuf,
    target: PathBuf,
    check_type: bool,
    strict_mode: bool,
    specs: Vec<PathBuf>,
) -> PyResult<()> {
    let model = Source::Path(path).open(py)?;
    let graph = inferred(py, &model, Strictness::new(check_type, strict_mode), false, &specs)?;
    write(py, &model, &ModelEdit { graph, ..ModelEdit::default() }, &target)
}

/// Everything that is wrong with a model: fails with a `ValidationError` if that includes an error.
#[pyfunction]
#[pyo3(signature = (source, without_opsets, custom_domains, runtime, specs))]
pub(crate) fn check(
    py: Python<'_>,
    source: Source,
    without_opsets: bool,
    custom_domains: bool,
    runtime: Option<&str>,
    specs: Vec<PathBuf>,
) -> PyResult<()> {
    let model = source.open(py)?;
    let options = Options { registry: released(py, &specs, runtime)?, ..Options::of(&model) };
    let found = undetached(py, || shape_model::check(model.model(), &options))?;
    let mut found = found.map_err(|problem| error::options(py, &problem))?;
    model.check_unchanged().map_err(|problem| error::model(py, &problem))?;
    let of_opsets = [
        Code::OpsetTooNew,
        Code::OperatorTooNew,
        Code::OperatorUnknown,
        Code::OperatorDeprecated,
        Code::DomainNotImported,
    ];
    found.retain(|finding| match finding.code {
        Code::NoDescriptor => custom_domains,
        code if of_opsets.contains(&code) => !without_opsets && finding.severity() == Severity::Error,
        _ => finding.severity() == Severity::Error,
    });
    if found.is_empty() { Ok(()) } else { Err(error::findings(py, "ValidationError", found)) }
}

/// The bytes of a model in another opset: fails with a `ConvertError` if that would lose something.
#[pyfunction]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    source: Source,
    opset: u32,
    specs: Vec<PathBuf>,
) -> PyResult<Bound<'py, PyBytes>> {
    let model = source.open(py)?;
    let registry = operators(py, &specs)?;
    let conversion = undetached(py, || shape_model::convert(&model, Target::from(opset), &registry))?;
    let conversion = conversion.map_err(|found| error::findings(py, "ConvertError", found))?;
    edited(py, &model, &conversion.edit)
}

/// The bytes of a model without what it computes and need not, for these sizes of its symbols and inputs if there are any:
/// fails with a `SimplifyError` if the model has errors.
#[pyfunction]
pub(crate) fn simplify<'py>(
    py: Python<'py>,
    source: Source,
    symbols: Vec<(String, u64)>,
    inputs: Vec<(String, Vec<u64>)>,
    max_constant: usize,
    specs: Vec<PathBuf>,
) -> PyResult<Bound<'py, PyBytes>> {
    fit(&symbols, &inputs)?;
    let model = source.open(py)?;
    let registry = operators(py, &specs)?;
    let mut options = SimplifyOptions { max_constant, ..SimplifyOptions::of(&model) };
    options.analysis = Options { registry, symbols, inputs, ..options.analysis };
    let simplified = undetached(py, || shape_model::simplify(&model, &options))?;
    let simplified = simplified.map_err(|problem| error::simplify(py, problem))?.edited;
    PyBytes::new_with(py, simplified.len(), |whole| {
        py.detach(|| simplified.write_to(whole)).map_err(|problem| error::model(py, &problem))
    })
}

/// Runs the command `shape` with a command line, and returns its exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| shape_cli::run(arguments))
}
