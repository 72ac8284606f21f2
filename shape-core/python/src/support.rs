//! What a runtime supports of a model.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shape_cli::RuntimeSupport;

/// What a runtime supports of a model.
#[pyclass(module = "onnxspec", frozen, get_all)]
pub(crate) struct Support {
    runtime: String,
    first_release: Option<String>,
    needs: Py<PyTuple>,
    lacks: Py<PyTuple>,
    may_lack: Py<PyTuple>,
}

impl Support {
    pub(crate) fn new(py: Python<'_>, found: RuntimeSupport) -> PyResult<Self> {
        let lacks = |of: Vec<shape_cli::Lack>| -> PyResult<Py<PyTuple>> {
            let of = of.into_iter().map(|lack| Lack::new(py, lack)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyTuple::new(py, of)?.unbind())
        };
        let RuntimeSupport { runtime, first: first_release, needs, lacks: certain, may_lack: possible, .. } = found;
        let needs = PyTuple::new(py, needs)?.unbind();
        Ok(Self { runtime, first_release, needs, lacks: lacks(certain)?, may_lack: lacks(possible)? })
    }
}

#[pymethods]
impl Support {
    fn __repr__(&self, py: Python<'_>) -> String {
        let Self { runtime, first_release, .. } = self;
        let first = first_release.iter().map(|first| format!("; {first} and later support all of it"));
        let lacks = self.lacks.bind(py).iter().map(|lack| format!("; lacks {lack}"));
        let may_lack = self.may_lack.bind(py).iter().map(|lack| format!("; may lack {lack}"));
        format!("<Support {runtime}{}>", first.chain(lacks).chain(may_lack).collect::<String>())
    }
}

/// What a runtime lacks for a model.
#[pyclass(module = "onnxspec", frozen, get_all)]
pub(crate) struct Lack {
    kind: &'static str,
    domain: String,
    op_type: String,
    since_version: Option<u32>,
    message: String,
    help: Py<PyTuple>,
    nodes: Py<PyTuple>,
}

impl Lack {
    fn new(py: Python<'_>, lack: shape_cli::Lack) -> PyResult<Self> {
        let shape_cli::Lack { kind, domain, op_type, since_version, message, help, nodes, .. } = lack;
        let (help, nodes) = (PyTuple::new(py, help)?.unbind(), PyTuple::new(py, nodes)?.unbind());
        Ok(Self { kind, domain, op_type, since_version, message, help, nodes })
    }
}

#[pymethods]
impl Lack {
    fn __str__(&self) -> &str {
        &self.message
    }

    fn __repr__(&self) -> String {
        format!("<Lack {}: {}>", self.kind, self.message)
    }
}
