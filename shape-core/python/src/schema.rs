//! The versions of operators, with the attributes that `onnx.defs.OpSchema` has.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyTuple, PyType};
use pyo3::{IntoPyObjectExt as _, PyTypeInfo as _};
use shape_core::Registry;
use shape_core::node::AttributeValue;
use shape_core::opset::canonical_domain;
use shape_core::schema::{self, ParameterOption, ParameterType, Schema, arity};
use shape_core::types::Type;

/// What `OpSchema` says where any number of values is allowed.
const ANY_NUMBER: usize = i32::MAX as usize;

/// How many values a formal parameter takes.
#[pyclass(module = "onnxspec", frozen, eq, eq_int, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FormalParameterOption {
    Single = 0,
    Optional = 1,
    Variadic = 2,
}

/// The support level of an operator.
#[pyclass(module = "onnxspec", frozen, eq, eq_int, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::upper_case_acronyms, reason = "the names are ONNX's own")]
pub(crate) enum SupportType {
    EXPERIMENTAL = 0,
    COMMON = 1,
}

/// The kind of an attribute, with the number that it has in `AttributeProto`.
#[pyclass(module = "onnxspec", frozen, eq, eq_int, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::upper_case_acronyms, non_camel_case_types, reason = "the names are ONNX's own")]
pub(crate) enum AttrType {
    FLOAT = 1,
    INT = 2,
    STRING = 3,
    TENSOR = 4,
    GRAPH = 5,
    FLOATS = 6,
    INTS = 7,
    STRINGS = 8,
    TENSORS = 9,
    GRAPHS = 10,
    SPARSE_TENSOR = 11,
    SPARSE_TENSORS = 12,
    TYPE_PROTO = 13,
    TYPE_PROTOS = 14,
}

impl AttrType {
    fn of(kind: shape_core::node::AttributeKind) -> Self {
        use shape_core::node::AttributeKind as Kind;
        match kind {
            Kind::Float => Self::FLOAT,
            Kind::Int => Self::INT,
            Kind::String => Self::STRING,
            Kind::Tensor => Self::TENSOR,
            Kind::Graph => Self::GRAPH,
            Kind::Floats => Self::FLOATS,
            Kind::Ints => Self::INTS,
            Kind::Strings => Self::STRINGS,
            Kind::Tensors => Self::TENSORS,
            Kind::Graphs => Self::GRAPHS,
            Kind::SparseTensor => Self::SPARSE_TENSOR,
            Kind::SparseTensors => Self::SPARSE_TENSORS,
            Kind::TypeProto => Self::TYPE_PROTO,
            Kind::TypeProtos => Self::TYPE_PROTOS,
        }
    }
}

/// An attribute of an operator version.
#[pyclass(module = "onnxspec", frozen)]
pub(crate) struct Attribute(&'static schema::Attribute);

#[pymethods]
impl Attribute {
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    #[getter]
    fn description(&self) -> &'static str {
        self.0.doc
    }

    #[getter]
    fn r#type(&self) -> AttrType {
        AttrType::of(self.0.kind)
    }

    #[getter]
    fn required(&self) -> bool {
        self.0.required
    }

    /// The default as an object with the fields of an `AttributeProto`.
    #[getter]
    fn default_value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.0.default.map(|value| plain(py, value)).transpose()?.flatten();
        let class = py.import("onnxspec._schema")?.getattr("AttributeValue")?;
        class.call1((self.0.name, value.as_ref().map_or(0, |_| self.0.kind.number()), value))
    }

    /// The values that are allowed; empty if any is.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let values: Vec<_> = self.0.values.iter().map(|value| plain(py, *value)).collect::<PyResult<_>>()?;
        PyTuple::new(py, values)
    }

    fn __repr__(&self) -> String {
        format!("<Attribute {}: {}>", self.0.name, self.0.kind)
    }
}

/// An attribute as a plain value of Python; strings are bytes, as in `AttributeProto`. None for a tensor, a graph and a type.
pub(crate) fn plain(py: Python<'_>, value: AttributeValue<'_>) -> PyResult<Option<Py<PyAny>>> {
    let plain = match value {
        AttributeValue::Int(number) => number.into_py_any(py)?,
        AttributeValue::Float(number) => number.into_py_any(py)?,
        AttributeValue::String(text) => PyBytes::new(py, text).into_py_any(py)?,
        AttributeValue::Ints(numbers) => numbers.to_vec().into_py_any(py)?,
        AttributeValue::Floats(numbers) => numbers.to_vec().into_py_any(py)?,
        AttributeValue::Strings(texts) => {
            texts.iter().map(|text| PyBytes::new(py, text)).collect::<Vec<_>>().into_py_any(py)?
        }
        _ => return Ok(None),
    };
    Ok(Some(plain))
}

/// A formal input or output of an operator version.
#[pyclass(module = "onnxspec", frozen)]
pub(crate) struct FormalParameter {
    schema: &'static Schema,
    parameter: &'static schema::FormalParameter,
}

#[pymethods]
impl FormalParameter {
    #[getter]
    fn name(&self) -> &'static str {
        self.parameter.name
    }

    #[getter]
    fn description(&self) -> &'static str {
        self.parameter.doc
    }

    /// The name of a type variable, or a type.
    #[getter]
    fn type_str(&self) -> String {
        match self.parameter.ty {
            ParameterType::Variable(index) => {
                self.schema.types.get(index).map_or(String::new(), |variable| variable.name.to_owned())
            }
            ParameterType::Fixed(ty) => type_text(ty),
        }
    }

    #[getter]
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        let types: Vec<Type> = match self.parameter.ty {
            ParameterType::Variable(index) => {
                self.schema.types.get(index).map(|variable| variable.allow.iter().collect()).unwrap_or_default()
            }
            ParameterType::Fixed(ty) => vec![ty],
        };
        PyFrozenSet::new(py, types.into_iter().map(type_text))
    }

    #[getter]
    fn option(&self) -> FormalParameterOption {
        match self.parameter.option {
            ParameterOption::Single => FormalParameterOption::Single,
            ParameterOption::Optional => FormalParameterOption::Optional,
            ParameterOption::Variadic => FormalParameterOption::Variadic,
        }
    }

    #[getter]
    fn is_homogeneous(&self) -> bool {
        self.parameter.homogeneous
    }

    #[getter]
    fn min_arity(&self) -> u32 {
        self.parameter.min_arity
    }

    fn __repr__(&self) -> String {
        format!("<FormalParameter {}: {}>", self.parameter.name, self.type_str())
    }
}

/// A type variable of an operator version.
#[pyclass(module = "onnxspec", frozen)]
pub(crate) struct TypeConstraint(&'static schema::TypeConstraint);

#[pymethods]
impl TypeConstraint {
    #[getter]
    fn type_param_str(&self) -> &'static str {
        self.0.name
    }

    #[getter]
    fn description(&self) -> &'static str {
        self.0.doc
    }

    #[getter]
    fn allowed_type_strs(&self) -> Vec<String> {
        self.0.allow.iter().map(|ty| ty.to_string()).collect()
    }

    fn __repr__(&self) -> String {
        format!("<TypeConstraint {}: {}>", self.0.name, self.0.allow)
    }
}

/// A version of an operator.
#[pyclass(module = "onnxspec", frozen)]
pub(crate) struct OpSchema(&'static Schema);

impl From<&'static Schema> for OpSchema {
    fn from(schema: &'static Schema) -> Self {
        Self(schema)
    }
}

impl OpSchema {
    fn parameters(&self, list: &'static [schema::FormalParameter]) -> Vec<FormalParameter> {
        list.iter().map(|parameter| FormalParameter { schema: self.0, parameter }).collect()
    }
}

#[pymethods]
impl OpSchema {
    #[classattr]
    #[pyo3(name = "FormalParameterOption")]
    fn formal_parameter_option(py: Python<'_>) -> Bound<'_, PyType> {
        FormalParameterOption::type_object(py)
    }

    #[classattr]
    #[pyo3(name = "SupportType")]
    fn support_type(py: Python<'_>) -> Bound<'_, PyType> {
        SupportType::type_object(py)
    }

    #[classattr]
    #[pyo3(name = "AttrType")]
    fn attr_type(py: Python<'_>) -> Bound<'_, PyType> {
        AttrType::type_object(py)
    }

    #[classattr]
    #[pyo3(name = "FormalParameter")]
    fn formal_parameter(py: Python<'_>) -> Bound<'_, PyType> {
        FormalParameter::type_object(py)
    }

    #[classattr]
    #[pyo3(name = "Attribute")]
    fn attribute_class(py: Python<'_>) -> Bound<'_, PyType> {
        Attribute::type_object(py)
    }

    #[classattr]
    #[pyo3(name = "TypeConstraintParam")]
    fn type_constraint(py: Python<'_>) -> Bound<'_, PyType> {
        TypeConstraint::type_object(py)
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// The domain; empty for the default one, as in the onnx package.
    #[getter]
    fn domain(&self) -> &'static str {
        if canonical_domain("") == self.0.domain { "" } else { self.0.domain }
    }

    #[getter]
    fn since_version(&self) -> u32 {
        self.0.since_version
    }

    #[getter]
    fn deprecated(&self) -> bool {
        self.0.deprecated
    }

    #[getter]
    fn support_level(&self) -> SupportType {
        match self.0.support_level {
            schema::SupportLevel::Common => SupportType::COMMON,
            schema::SupportLevel::Experimental => SupportType::EXPERIMENTAL,
        }
    }

    #[getter]
    fn doc(&self) -> String {
        let Schema { summary, details, .. } = self.0;
        if details.is_empty() { (*summary).to_owned() } else { format!("{summary}\n\n{details}") }
    }

    #[getter]
    fn inputs(&self) -> Vec<FormalParameter> {
        self.parameters(self.0.inputs)
    }

    #[getter]
    fn outputs(&self) -> Vec<FormalParameter> {
        self.parameters(self.0.outputs)
    }

    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = PyDict::new(py);
        for attribute in self.0.attributes {
            attributes.set_item(attribute.name, Attribute(attribute))?;
        }
        Ok(attributes)
    }

    #[getter]
    fn type_constraints(&self) -> Vec<TypeConstraint> {
        self.0.types.iter().map(TypeConstraint).collect()
    }

    #[getter]
    fn min_input(&self) -> usize {
        arity(self.0.inputs).0
    }

    #[getter]
    fn max_input(&self) -> usize {
        arity(self.0.inputs).1.unwrap_or(ANY_NUMBER)
    }

    #[getter]
    fn min_output(&self) -> usize {
        arity(self.0.outputs).0
    }

    #[getter]
    fn max_output(&self) -> usize {
        arity(self.0.outputs).1.unwrap_or(ANY_NUMBER)
    }

    #[getter]
    fn has_function(&self) -> bool {
        self.0.has_function
    }

    #[getter]
    fn has_type_and_shape_inference_function(&self) -> bool {
        self.0.infers()
    }

    #[getter]
    fn has_data_propagation_function(&self) -> bool {
        self.0.rules.iter().any(shape_core::rule::OutputRule::gives_elements)
    }

    #[getter]
    fn deterministic(&self) -> bool {
        self.0.deterministic
    }

    fn __eq__(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }

    fn __hash__(&self) -> usize {
        std::ptr::from_ref(self.0).addr()
    }

    fn __repr__(&self) -> String {
        format!("<OpSchema {}::{}-{}>", self.0.domain, self.0.name, self.0.since_version)
    }
}

/// A type as the onnx package writes it, which tells that the values of a map are tensors.
fn type_text(ty: Type) -> String {
    if let Some((key, of)) = ty.key().zip(ty.in_map()) {
        return format!("map({},{})", key.name(), type_text(of));
    }
    if let Some(of) = ty.in_sequence() {
        return format!("seq({})", type_text(of));
    }
    ty.in_optional().map_or_else(|| ty.to_string(), |of| format!("optional({})", type_text(of)))
}

/// The versions of an operator, oldest first.
#[pyfunction]
pub(crate) fn schemas(name: &str, domain: &str) -> Vec<OpSchema> {
    Registry::builtin().operator(domain, name).iter().copied().map(OpSchema::from).collect()
}

/// All versions of all operators.
#[pyfunction]
pub(crate) fn all_schemas() -> Vec<OpSchema> {
    Registry::builtin().operators().flatten().copied().map(OpSchema::from).collect()
}

/// The newest known opset of a domain; None for a domain that ONNX does not define.
#[pyfunction]
pub(crate) fn newest_opset(domain: &str) -> Option<u32> {
    Registry::builtin().newest_opset(domain)
}
