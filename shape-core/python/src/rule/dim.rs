//! Dimensions as Python has them: trees of operations on the dimensions and elements that a function was given.

use std::sync::Arc;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyZeroDivisionError};
use pyo3::prelude::*;
use shape_core::dimension::{Dimension, Operation};
use shape_core::elements::Scalar;

/// How many operations an expression may have: more is unknown to the arithmetic of symbols anyway.
const MAX_NODES: usize = 1000;

/// What a [`Dim`] is made of.
#[derive(Debug, PartialEq)]
enum Tree {
    Number(i64),
    /// A dimension or an element of an input: its place among all that the function was given.
    Given(usize),
    Operation(Operation, Arc<Tree>, Arc<Tree>),
}

/// A dimension, or an element of a tensor of sizes, that is not a number.
#[pyclass(module = "onnxspec", frozen, from_py_object)]
#[derive(Clone)]
pub(crate) struct Dim {
    /// The run of a function that it is of.
    run: u64,
    tree: Arc<Tree>,
    nodes: usize,
    text: String,
}

/// What may stand beside a dimension.
#[derive(FromPyObject)]
enum Operand {
    Number(i64),
    Dim(Dim),
}

impl Dim {
    /// What a function was given at a place.
    pub(super) fn given(run: u64, place: usize, text: String) -> Self {
        Self { run, tree: Arc::new(Tree::Given(place)), nodes: 1, text }
    }

    /// The run of a function that it is of.
    pub(super) fn run(&self) -> u64 {
        self.run
    }

    /// Its value, from what the function was given.
    pub(super) fn value<D: Dimension>(&self, given: &[Scalar<D>]) -> Scalar<D> {
        evaluate(&self.tree, given)
    }

    fn operand(&self, other: &Operand) -> Self {
        match other {
            Operand::Dim(dim) => dim.clone(),
            Operand::Number(number) => {
                Self { run: self.run, tree: Arc::new(Tree::Number(*number)), nodes: 1, text: number.to_string() }
            }
        }
    }

    /// The two sides of an operation, the second way round if `reversed`.
    fn with(&self, operation: Operation, other: &Operand, reversed: bool) -> PyResult<Self> {
        let other = self.operand(other);
        let (left, right) = if reversed { (&other, self) } else { (self, &other) };
        if left.run != right.run {
            return Err(PyTypeError::new_err("these two dimensions are of different nodes"));
        }
        let divides = matches!(operation, Operation::FloorDiv | Operation::Mod);
        if divides && *right.tree == Tree::Number(0) {
            return Err(PyZeroDivisionError::new_err("division of a dimension by zero"));
        }
        let nodes = left.nodes + right.nodes + 1;
        if nodes > MAX_NODES {
            return Err(PyOverflowError::new_err(format!("an expression of more than {MAX_NODES} operations")));
        }
        let tree = Tree::Operation(operation, Arc::clone(&left.tree), Arc::clone(&right.tree));
        let text = match operation {
            Operation::Min => format!("min({}, {})", left.text, right.text),
            Operation::Max => format!("max({}, {})", left.text, right.text),
            _ => format!("({} {} {})", left.text, sign(operation), right.text),
        };
        Ok(Self { run: self.run, tree: Arc::new(tree), nodes, text })
    }
}

fn sign(operation: Operation) -> &'static str {
    match operation {
        Operation::Add => "+",
        Operation::Sub => "-",
        Operation::Mul => "*",
        Operation::FloorDiv => "//",
        Operation::Mod => "%",
        Operation::Min => "min",
        Operation::Max => "max",
    }
}

fn evaluate<D: Dimension>(tree: &Tree, given: &[Scalar<D>]) -> Scalar<D> {
    match tree {
        Tree::Number(number) => Scalar::Int(*number),
        Tree::Given(place) => given.get(*place).cloned().unwrap_or(Scalar::Int(0)),
        Tree::Operation(operation, left, right) => evaluate(left, given).compute(*operation, &evaluate(right, given)),
    }
}

#[pymethods]
impl Dim {
    fn __add__(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::Add, &other, false)
    }

    fn __radd__(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::Add, &other, true)
    }

    fn __sub__(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::Sub, &other, false)
    }

    fn __rsub__(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::Sub, &other, true)
    }

    fn __mul__(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::Mul, &other, false)
    }

    fn __rmul__(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::Mul, &other, true)
    }

    fn __floordiv__(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::FloorDiv, &other, false)
    }

    fn __rfloordiv__(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::FloorDiv, &other, true)
    }

    fn __mod__(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::Mod, &other, false)
    }

    fn __rmod__(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::Mod, &other, true)
    }

    /// The smaller of two; `min` of Python would have to know which one that is.
    fn min(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::Min, &other, false)
    }

    /// The larger of two.
    fn max(&self, other: Operand) -> PyResult<Self> {
        self.with(Operation::Max, &other, false)
    }

    /// Whether two are the same expression; they may be equal numbers even if not.
    fn __eq__(&self, other: &Self) -> bool {
        self.run == other.run && self.tree == other.tree
    }

    fn __hash__(&self) -> usize {
        self.nodes
    }

    fn __repr__(&self) -> &str {
        &self.text
    }
}
