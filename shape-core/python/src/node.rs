//! Nodes, with the versions of their operators.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shape_core::Registry;
use shape_core::schema::Schema;
use shape_model::{Analysis, GraphKind, Model, NodeUse, UsedOperator};

use crate::schema::OpSchema;

/// A node of a model.
#[pyclass(module = "onnxspec", frozen, get_all)]
pub(crate) struct Node {
    index: usize,
    name: String,
    graph: Option<String>,
    op_type: String,
    domain: String,
    opset: Option<u32>,
    since_version: Option<u32>,
    why_no_version: Option<String>,
    inputs: Py<PyTuple>,
    outputs: Py<PyTuple>,
    schema: Option<Py<OpSchema>>,
}

impl Node {
    /// The nodes of all graphs of a model, and of its functions.
    pub(crate) fn all<'m>(
        py: Python<'_>,
        analysis: &Analysis<'m>,
        model: &'m Model,
        registry: &Registry,
    ) -> PyResult<Vec<Self>> {
        analysis.usage(model, registry).iter().map(|used| Self::new(py, analysis, used)).collect()
    }

    fn new(py: Python<'_>, analysis: &Analysis<'_>, used: &NodeUse<'_>) -> PyResult<Self> {
        let graph = analysis.graphs.get(used.graph);
        let node = graph.and_then(|graph| graph.nodes.get(used.index));
        let inputs: Vec<&str> = node.map(|node| node.inputs().iter().collect()).unwrap_or_default();
        let (schema, why_no_version) = match used.operator {
            UsedOperator::Version(schema) => (Some(schema), None),
            UsedOperator::Function => (None, Some("it calls a function of the model".to_owned())),
            UsedOperator::NotImported => (None, Some("the model does not import its domain".to_owned())),
            UsedOperator::Missing(missing) => (None, Some(missing.to_string())),
        };
        Ok(Self {
            index: used.index,
            name: used.name.to_owned(),
            graph: graph.filter(|graph| graph.kind != GraphKind::Main).map(|graph| graph.path.clone()),
            op_type: used.op_type.to_owned(),
            domain: used.domain.to_owned(),
            opset: used.opset,
            since_version: schema.map(|schema: &Schema| schema.since_version),
            why_no_version,
            inputs: PyTuple::new(py, inputs)?.unbind(),
            outputs: PyTuple::new(py, used.outputs.iter())?.unbind(),
            schema: schema.map(|schema| Py::new(py, OpSchema::from(schema))).transpose()?,
        })
    }
}

#[pymethods]
impl Node {
    fn __repr__(&self, py: Python<'_>) -> String {
        let list =
            |names: &Py<PyTuple>| names.bind(py).iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", ");
        let version = self.since_version.map(|since| format!("-{since}")).unwrap_or_default();
        format!("{} = {}{version}({})", list(&self.outputs), self.op_type, list(&self.inputs))
    }
}
