//! Calls the function of a node, and reads what it returns.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use shape_core::code::Code;
use shape_core::dimension::Dimension;
use shape_core::elements::Scalar;
use shape_core::facts::{Dims, Fact, UnknownCause};
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::problem::{Detail, Problem};
use shape_core::rule::{Compute, Output, RuleArguments, Stop};
use shape_core::schema::Attribute;

use super::callees::{Callee, callee};
use super::dim::Dim;
use crate::schema::plain;

/// An input of a node, as a function gets it.
#[pyclass(module = "onnxspec", frozen, get_all)]
pub(crate) struct Input {
    r#type: Option<String>,
    dims: Option<Py<PyTuple>>,
    elements: Option<Py<PyTuple>>,
}

#[pymethods]
impl Input {
    /// How many dimensions it has; None if that is not known.
    #[getter]
    fn rank(&self, py: Python<'_>) -> Option<usize> {
        self.dims.as_ref().map(|dims| dims.bind(py).len())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let dims = self.dims.as_ref().map_or_else(|| "?".to_owned(), |dims| dims.bind(py).to_string());
        format!("<Input {} {dims}>", self.r#type.as_deref().unwrap_or("?"))
    }
}

thread_local! {
    /// What ends the program and not only the function, such as a press of Ctrl-C: it is raised when the analysis is done.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Runs an analysis without Python's lock, which the functions of operators take for as long as they run.
pub(crate) fn undetached<T: Send>(py: Python<'_>, analyse: impl FnOnce() -> T + Send) -> PyResult<T> {
    let result = py.detach(analyse);
    match RAISED.take() {
        Some(raised) => Err(raised),
        None => Ok(result),
    }
}

/// The rule that calls a function in Python; its only argument is the number of the callee.
pub(super) struct Runner;

impl Compute for Runner {
    fn compute<'a, D: Dimension>(
        arguments: &RuleArguments<'_, 'a, D>,
        output: &mut Output<'_, D>,
    ) -> Result<(), Stop<'a>> {
        Python::attach(|py| {
            let number = arguments.number(0);
            let found = callee(number, |of| (of.function.clone_ref(py), of.inputs, of.outputs, of.attributes));
            let Some((function, inputs, outputs, attributes)) = found else {
                return Err(UnknownCause::NotGiven.into());
            };
            let callee = Callee { function, inputs, outputs, attributes };
            let mut given = Given::new();
            let returned = given.call(py, &callee, arguments);
            let dims = returned.and_then(|returned| given.dims(&returned, outputs, output.all().count()));
            match dims {
                Ok(dims) => {
                    for (index, dims) in dims.into_iter().enumerate() {
                        let outputs = output.all();
                        match dims {
                            None => outputs.dims(index, Dims::Unknown(UnknownCause::Data)),
                            Some(dims) => {
                                let dim = |at: usize| dims.get(at).cloned().unwrap_or(Err(UnknownCause::NotGiven));
                                outputs.dims(index, Dims::Each(dims.len(), &dim));
                            }
                        }
                    }
                    Ok(())
                }
                Err(error) => Err(failed(py, error)),
            }
        })
    }
}

/// What a function was given: the dimensions and elements that its [`Dim`]s refer to.
struct Given<D: Dimension> {
    run: u64,
    all: Vec<Scalar<D>>,
}

/// The dimensions of an output, each of them or why it is not known; None for an unknown rank.
type OutputDims<D> = Option<Vec<Result<D, UnknownCause>>>;

impl<D: Dimension> Given<D> {
    fn new() -> Self {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        Self { run: RUNS.fetch_add(1, Ordering::Relaxed), all: Vec::new() }
    }

    fn call<'py>(
        &mut self,
        py: Python<'py>,
        callee: &Callee,
        arguments: &RuleArguments<'_, '_, D>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inputs = arguments.inputs();
        let mut passed: Vec<Option<Input>> = Vec::new();
        for (index, fact) in inputs.0.iter().enumerate() {
            passed.push(fact.map(|fact| self.input(py, index, fact)).transpose()?);
        }
        while passed.len() < callee.inputs {
            passed.push(None);
        }
        let named = PyDict::new(py);
        for declared in callee.attributes {
            if let Some(value) = attribute(py, declared, arguments.attributes())? {
                named.set_item(declared.name, value)?;
            }
        }
        callee.function.bind(py).call(PyTuple::new(py, passed)?, Some(&named))
    }

    fn input(&mut self, py: Python<'_>, index: usize, fact: Fact<'_, D>) -> PyResult<Input> {
        let mut list = |what: &str, items: &mut dyn Iterator<Item = Scalar<D>>| -> PyResult<Py<PyTuple>> {
            let mut listed: Vec<Py<PyAny>> = Vec::new();
            for (at, item) in items.enumerate() {
                listed.push(self.item(py, item, || format!("input {index} {what}[{at}]"))?);
            }
            Ok(PyTuple::new(py, listed)?.unbind())
        };
        let dims = fact.dims.map(|dims| list("dims", &mut dims.iter().cloned().map(Scalar::size))).transpose()?;
        let elements = fact.elements.map(|elements| list("elements", &mut elements.iter())).transpose()?;
        let r#type = fact.ty.map(|ty| ty.element().map_or_else(|| ty.to_string(), |of| of.name().to_owned()));
        Ok(Input { r#type, dims, elements })
    }

    /// A number as it is, None for what is unknown, and an expression as a [`Dim`]: the same one for the same expression.
    fn item(&mut self, py: Python<'_>, item: Scalar<D>, text: impl FnOnce() -> String) -> PyResult<Py<PyAny>> {
        match item {
            Scalar::Int(number) => number.into_py_any(py),
            Scalar::Bool(value) => value.into_py_any(py),
            Scalar::Float(number) => number.into_py_any(py),
            item if !item.is_known() => Ok(py.None()),
            item => {
                let same = self.all.iter().position(|other| other.same_as(&item));
                let place = same.unwrap_or_else(|| {
                    self.all.push(item);
                    self.all.len() - 1
                });
                Dim::given(self.run, place, text()).into_py_any(py)
            }
        }
    }

    /// The dimensions of the outputs that a function returned. For an operator with one output it returns its dimensions,
    /// otherwise those of each output.
    fn dims(&self, returned: &Bound<'_, PyAny>, declared: usize, count: usize) -> PyResult<Vec<OutputDims<D>>> {
        if returned.is_none() {
            return Ok((0..count).map(|_| None).collect());
        }
        if declared == 1 && count == 1 {
            return Ok(vec![self.of_output(returned)?]);
        }
        let outputs: Vec<Bound<'_, PyAny>> = returned.try_iter()?.collect::<PyResult<_>>()?;
        if outputs.len() < count {
            return Err(PyValueError::new_err(format!(
                "dimensions of {} outputs, and the node has {count}",
                outputs.len()
            )));
        }
        outputs.iter().take(count).map(|of| self.of_output(of)).collect()
    }

    fn of_output(&self, returned: &Bound<'_, PyAny>) -> PyResult<OutputDims<D>> {
        if returned.is_none() {
            return Ok(None);
        }
        let dims: Vec<Bound<'_, PyAny>> = returned.try_iter()?.collect::<PyResult<_>>()?;
        dims.iter().map(|dim| self.dim(dim)).collect::<PyResult<Vec<_>>>().map(Some)
    }

    fn dim(&self, returned: &Bound<'_, PyAny>) -> PyResult<Result<D, UnknownCause>> {
        if returned.is_none() {
            return Ok(Err(UnknownCause::Data));
        }
        let value = match returned.extract::<Dim>() {
            Ok(dim) if dim.run() != self.run => {
                return Err(PyTypeError::new_err(format!("{returned} is a dimension of another node")));
            }
            Ok(dim) => dim.value(&self.all),
            Err(_) => Scalar::Int(returned.extract::<i64>().map_err(|_| {
                PyTypeError::new_err(format!("a dimension is an int, a Dim or None, and not {returned}"))
            })?),
        };
        match value {
            Scalar::Int(number) => match u64::try_from(number) {
                Ok(size) => Ok(Ok(D::from(size))),
                Err(_) => Err(PyValueError::new_err(format!("{number} is not a size"))),
            },
            // What depends on symbols is taken to be a size, as rules take it.
            Scalar::Size(dim) | Scalar::Expression(dim) => Ok(Ok(dim)),
            Scalar::Unknown(reason) => Ok(D::unknown(reason).ok_or(UnknownCause::TooLarge)),
            Scalar::Bool(_) | Scalar::Float(_) | Scalar::Ratio(_) => Ok(Err(UnknownCause::Data)),
        }
    }
}

/// The value of an attribute at a node, or its default; text as `str`. None if there is none, or it is a tensor or a graph.
fn attribute(py: Python<'_>, declared: &Attribute, given: &[NodeAttribute<'_>]) -> PyResult<Option<Py<PyAny>>> {
    let set = given.iter().find(|given| given.name == declared.name).map(|given| given.value);
    match set.or(declared.default) {
        Some(AttributeValue::String(text)) => String::from_utf8_lossy(text).into_py_any(py).map(Some),
        Some(value) => plain(py, value),
        None => Ok(None),
    }
}

/// The problem of a node whose function raised an exception.
fn failed<'a>(py: Python<'_>, error: PyErr) -> Stop<'a> {
    if !error.is_instance_of::<PyException>(py) {
        RAISED.set(Some(error));
        return UnknownCause::NotGiven.into();
    }
    let place = error.traceback(py).and_then(|traceback| {
        let mut last = traceback.into_any();
        while let Ok(next) = last.getattr("tb_next")
            && !next.is_none()
        {
            last = next;
        }
        last.getattr("tb_lineno").ok()?.extract::<i64>().ok()
    });
    let name = error.get_type(py).qualname().map_or_else(|_| String::new(), |name| name.to_string());
    let at = place.map(|line| format!(", line {line}")).unwrap_or_default();
    let text = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
    Stop::Refused(Problem::Refused {
        code: Code::RuleFailed,
        message: "the function that infers this operator raised an exception",
        expected: Detail::Text("dimensions of the outputs"),
        found: Detail::Text(kept(&format!("{name}: {text}{at}"))),
    })
}

/// A text that lives as long as the process, as the texts of problems do: each once, and no more than some hundred of them.
fn kept(text: &str) -> &'static str {
    const MAX_TEXTS: usize = 500;
    const MAX_LETTERS: usize = 300;
    static KEPT: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let text: String = text.chars().take(MAX_LETTERS).collect();
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    match kept.get(&*text) {
        Some(known) => known,
        None if kept.len() >= MAX_TEXTS => "an exception; too many different ones to keep the message",
        None => {
            let text: &'static str = Box::leak(text.into_boxed_str());
            kept.insert(text);
            text
        }
    }
}
