//! A model with sizes for its symbols and inputs.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use shape_core::Registry;
use shape_core::dimension::LARGEST;
use shape_core::symbolic::Reason;
use shape_model::file::ModelEdit;
use shape_model::{Analysis, Annotations, ModelFile, Options, OptionsError, analyse, annotate};

use crate::error;
use crate::finding::Finding;
use crate::node::Node;
use crate::registry::released;
use crate::rule::undetached;
use crate::source::{Source, edited, write};
use crate::support::Support;
use crate::value::Value;

/// A model with sizes for its symbols and inputs. Views of one model share it.
#[pyclass(module = "onnxspec._native", frozen)]
pub(crate) struct View {
    file: Arc<ModelFile>,
    registry: Registry,
    symbols: Vec<(String, u64)>,
    inputs: Vec<(String, Vec<u64>)>,
}

impl View {
    fn options(&self) -> Options {
        let (symbols, inputs) = (self.symbols.clone(), self.inputs.clone());
        Options { registry: self.registry.clone(), symbols, inputs, ..Options::of(&self.file) }
    }

    /// Runs what needs an analysis, without Python's lock.
    fn analysed<T: Send>(
        &self,
        py: Python<'_>,
        then: impl for<'a> FnOnce(Analysis<'a>, &'a ModelFile) -> T + Send,
    ) -> PyResult<T> {
        let found =
            undetached(py, || analyse(self.file.model(), &self.options()).map(|found| then(found, &self.file)))?;
        let found = found.map_err(|problem| error::options(py, &problem))?;
        self.file.check_unchanged().map_err(|problem| error::model(py, &problem))?;
        Ok(found)
    }

    /// What is known, as an edit of the model.
    fn edit(&self, py: Python<'_>, name_unknowns: bool) -> PyResult<ModelEdit> {
        let annotations = Annotations { fresh_symbols: name_unknowns, outputs: true };
        let graph = self.analysed(py, |analysis, _| annotate(&analysis, annotations))?;
        Ok(ModelEdit { graph, ..ModelEdit::default() })
    }
}

/// Fails if a size does not fit into the `int64` of a model.
pub(crate) fn fit(symbols: &[(String, u64)], inputs: &[(String, Vec<u64>)]) -> PyResult<()> {
    let mut sizes = symbols.iter().map(|(_, size)| size).chain(inputs.iter().flat_map(|(_, dims)| dims));
    match sizes.find(|size| **size > LARGEST) {
        Some(size) => Err(PyOverflowError::new_err(format!("{size} is larger than any dimension, which are int64"))),
        None => Ok(()),
    }
}

#[pymethods]
impl View {
    #[new]
    #[pyo3(signature = (source, runtime, specs))]
    fn new(py: Python<'_>, source: Source, runtime: Option<&str>, specs: Vec<PathBuf>) -> PyResult<Self> {
        let registry = released(py, &specs, runtime)?;
        Ok(Self { file: Arc::new(source.open(py)?), registry, symbols: Vec::new(), inputs: Vec::new() })
    }

    /// The same model with more sizes. A name that it does not have is an error.
    fn with_sizes(
        &self,
        py: Python<'_>,
        symbols: Vec<(String, u64)>,
        inputs: Vec<(String, Vec<u64>)>,
    ) -> PyResult<Self> {
        fn joined<T: Clone>(before: &[(String, T)], more: Vec<(String, T)>) -> Vec<(String, T)> {
            let kept = before.iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
            kept.cloned().chain(more.clone()).collect()
        }
        fit(&symbols, &inputs)?;
        let (symbols, inputs) = (joined(&self.symbols, symbols), joined(&self.inputs, inputs));
        let view = Self { file: Arc::clone(&self.file), registry: self.registry.clone(), symbols, inputs };
        let checked =
            undetached(py, || -> Result<(), OptionsError> { analyse(view.file.model(), &view.options()).map(drop) })?;
        checked.map_err(|problem| error::options(py, &problem))?;
        Ok(view)
    }

    /// The values and the nodes.
    fn values_and_nodes(&self, py: Python<'_>) -> PyResult<(Vec<Value>, Vec<Node>)> {
        self.analysed(py, |analysis, file| {
            Python::attach(|py| {
                let nodes = Node::all(py, &analysis, file.model(), &self.registry)?;
                Ok((Value::all(py, &analysis)?, nodes))
            })
        })?
    }

    /// Everything that is wrong with the model.
    fn findings(&self, py: Python<'_>) -> PyResult<Vec<Finding>> {
        let found = undetached(py, || shape_model::check(self.file.model(), &self.options()))?;
        let found = found.map_err(|problem| error::options(py, &problem))?;
        self.file.check_unchanged().map_err(|problem| error::model(py, &problem))?;
        Ok(found.into_iter().map(Finding::from).collect())
    }

    /// What a runtime supports of the model.
    fn support(&self, py: Python<'_>, runtime: &str) -> PyResult<Support> {
        let found = undetached(py, || shape_cli::support(&self.file, &self.options(), runtime))?;
        self.file.check_unchanged().map_err(|problem| error::model(py, &problem))?;
        Support::new(py, found.map_err(|message| error::runtime(py, &message))?)
    }

    /// How a value was inferred, as text.
    fn why(&self, py: Python<'_>, value: &str) -> PyResult<String> {
        let found =
            self.analysed(py, |analysis, file| shape_cli::why(&analysis, file.model(), &self.registry, value))?;
        found.map_err(|message| error::value(py, &message))
    }

    /// The names of the symbols that the model has, in the order of first use.
    fn symbols(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.analysed(py, |analysis, _| analysis.symbols.names().map(str::to_owned).collect())
    }

    /// The fresh symbols, which stand for sizes that the model does not name, each with what it is.
    fn fresh(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        self.analysed(py, |analysis, _| {
            let named = |(name, reason): (&str, &Reason)| (name.to_owned(), analysis.explain(reason));
            analysis.fresh_symbols().map(named).collect()
        })
    }

    /// The sizes that were set for symbols.
    #[getter]
    fn sizes(&self) -> Vec<(String, u64)> {
        self.symbols.clone()
    }

    /// The opset of each imported domain.
    #[getter]
    fn opsets(&self) -> Vec<(String, i64)> {
        let imports = self.file.model().opset_import().iter();
        let domain = |name: &str| shape_core::opset::canonical_domain(name).to_owned();
        imports.map(|import| (domain(&import.domain), import.version.unwrap_or(0))).collect()
    }

    #[getter]
    fn ir_version(&self) -> Option<i64> {
        self.file.model().ir_version()
    }

    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.file.path().map(std::path::Path::to_owned)
    }

    /// Writes the model with what is known to a file.
    fn save(&self, py: Python<'_>, target: PathBuf, name_unknowns: bool) -> PyResult<()> {
        write(py, &self.file, &self.edit(py, name_unknowns)?, &target)
    }

    /// The bytes of the model with what is known written into it.
    fn to_bytes<'py>(&self, py: Python<'py>, name_unknowns: bool) -> PyResult<Bound<'py, PyBytes>> {
        edited(py, &self.file, &self.edit(py, name_unknowns)?)
    }
}
