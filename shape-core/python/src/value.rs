//! What is known of a value.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbols};
use shape_model::{Analysis, GraphKind, Origin};

/// What is known of a value of a model.
#[pyclass(module = "onnxspec", frozen, get_all)]
pub(crate) struct Value {
    name: String,
    graph: Option<String>,
    origin: String,
    node: Option<usize>,
    op_type: Option<String>,
    r#type: Option<String>,
    dims: Option<Py<PyTuple>>,
    elements: Option<Py<PyTuple>>,
    reason: Option<String>,
    declared_dims: Py<PyTuple>,
    declared_elements: Py<PyTuple>,
}

impl Value {
    /// The values of a model, but for initializers and the bodies of functions.
    pub(crate) fn all(py: Python<'_>, analysis: &Analysis<'_>) -> PyResult<Vec<Self>> {
        let listed = |value: &&shape_model::Value<'_>| {
            let graph = analysis.graphs.get(value.graph);
            value.origin != Origin::Initializer && graph.is_some_and(|graph| graph.kind != GraphKind::Function)
        };
        analysis.values.iter().filter(listed).map(|value| Self::new(py, analysis, value)).collect()
    }

    fn new(py: Python<'_>, analysis: &Analysis<'_>, value: &shape_model::Value<'_>) -> PyResult<Self> {
        let graph = analysis.graphs.get(value.graph).filter(|graph| graph.kind != GraphKind::Main);
        let symbols = &analysis.symbols;
        let (origin, node) = match value.origin {
            Origin::Input => ("input", None),
            Origin::Initializer => ("initializer", None),
            Origin::Node { index } => ("node", Some(index)),
        };
        let r#type = value.ty.as_ref().ok().map(|ty| match ty.element() {
            Some(element) => element.name().to_owned(),
            None => ty.to_string(),
        });
        let dims = value.dims.as_deref().ok();
        let elements = value.elements.as_deref().ok();
        let declared = value.declared.as_deref();
        let places =
            |places: Option<&Vec<usize>>| tuple(py, places.map_or(&[], Vec::as_slice), |place| place.into_py_any(py));
        Ok(Self {
            name: value.name.to_owned(),
            graph: graph.map(|graph| graph.path.clone()),
            origin: origin.to_owned(),
            node,
            op_type: analysis.node(value).map(|node| node.op_type().to_owned()),
            r#type,
            dims: dims.map(|dims| tuple(py, dims, |dim| size(py, dim, symbols))).transpose()?,
            elements: elements.map(|elements| tuple(py, elements, |each| element(py, each, symbols))).transpose()?,
            reason: analysis.unknown(value).map(|reason| analysis.explain(reason)),
            declared_dims: places(declared.map(|declared| &declared.dims))?,
            declared_elements: places(declared.map(|declared| &declared.elements))?,
        })
    }
}

fn tuple<T>(py: Python<'_>, items: &[T], convert: impl Fn(&T) -> PyResult<Py<PyAny>>) -> PyResult<Py<PyTuple>> {
    let items: Vec<Py<PyAny>> = items.iter().map(convert).collect::<PyResult<_>>()?;
    Ok(PyTuple::new(py, items)?.unbind())
}

/// A number, an expression as text, or None.
fn size(py: Python<'_>, dim: &Dim, symbols: &Symbols) -> PyResult<Py<PyAny>> {
    match dim {
        Dim::Known(size) => size.into_py_any(py),
        Dim::Symbol(_) | Dim::Expression(_) => dim.display(symbols).to_string().into_py_any(py),
        Dim::Unknown(_) => Ok(py.None()),
    }
}

fn element(py: Python<'_>, element: &Scalar<Dim>, symbols: &Symbols) -> PyResult<Py<PyAny>> {
    match element {
        Scalar::Int(number) => number.into_py_any(py),
        Scalar::Size(dim) | Scalar::Expression(dim) => size(py, dim, symbols),
        Scalar::Bool(value) => value.into_py_any(py),
        Scalar::Float(number) => number.into_py_any(py),
        Scalar::Ratio(_) => element.display(symbols).to_string().into_py_any(py),
        Scalar::Unknown(_) => Ok(py.None()),
    }
}

#[pymethods]
impl Value {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the fields, for copies that are made in another process")]
    fn copy(
        name: String,
        graph: Option<String>,
        origin: String,
        node: Option<usize>,
        op_type: Option<String>,
        r#type: Option<String>,
        dims: Option<Py<PyTuple>>,
        elements: Option<Py<PyTuple>>,
        reason: Option<String>,
        declared_dims: Py<PyTuple>,
        declared_elements: Py<PyTuple>,
    ) -> Self {
        Self { name, graph, origin, node, op_type, r#type, dims, elements, reason, declared_dims, declared_elements }
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { name, graph, origin, node, op_type, r#type, dims, elements, reason, .. } = self;
        let declared = (&self.declared_dims, &self.declared_elements);
        (name, graph, origin, *node, op_type, r#type, dims, elements, reason, declared.0, declared.1).into_pyobject(py)
    }

    /// Whether its type and each of its dimensions is a number or an expression over the symbols of the model.
    #[getter]
    fn is_known(&self) -> bool {
        self.reason.is_none()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let list = |items: &Py<PyTuple>, declared: &Py<PyTuple>| {
            let declared = declared.bind(py);
            let text = |(place, item): (usize, Bound<'_, PyAny>)| {
                let mark = if declared.contains(place).unwrap_or(false) { "?" } else { "" };
                if item.is_none() { "?".to_owned() } else { format!("{item}{mark}") }
            };
            format!("[{}]", items.bind(py).iter().enumerate().map(text).collect::<Vec<_>>().join(", "))
        };
        let mut text = format!("{}: {}", self.name, self.r#type.as_deref().unwrap_or("?"));
        match &self.dims {
            Some(dims) => text.push_str(&list(dims, &self.declared_dims)),
            None if self.r#type.as_deref().is_some_and(|ty| ty.contains('(')) => {}
            None => text.push_str("[...]"),
        }
        if let Some(elements) = &self.elements {
            text.push_str(" = ");
            text.push_str(&list(elements, &self.declared_elements));
        }
        text
    }
}
