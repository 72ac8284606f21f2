//! ONNX test-case folders: a model, inputs, and the outputs that they must give.
//!
//! A folder holds `model.onnx` and folders `test_data_set_N` with `input_M.pb` and `output_M.pb`, each a `TensorProto`,
//! in the order of the graph's inputs and outputs. This is the form in which ONNX itself ships its node tests.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::analysis::{Options, analyse, imports::Imports};
use crate::check;
use crate::code::Severity;
use crate::data_type::DataType;
use crate::dims::{Dims, Fact, Inputs, Outputs};
use crate::elements::Elements;
use crate::model::proto::{GraphProto, ModelProto, NodeProto, TensorProto};
use crate::model::{Bytes, Message as _, ModelFile};
use crate::registry::Registry;
use crate::tensor::Tensor;
use crate::types::Type;

/// What became of a test-case folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The folder's name.
    pub name: String,
    /// How it went.
    pub outcome: Outcome,
    /// Why, where it did not pass.
    pub detail: Option<String>,
}

/// How a test case went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every output is as it must be, in every data set.
    Pass,
    /// An output differs, or the model is refused.
    Fail,
    /// The model needs something that is not there yet.
    Skip,
    /// The folder cannot be read.
    Error,
}

impl Outcome {
    /// The word in reports: `pass`, `fail`, `skip` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Skip => "skip",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A case that ended before its end.
struct Stop(Outcome, String);

impl Stop {
    fn fail(detail: impl Into<String>) -> Self {
        Self(Outcome::Fail, detail.into())
    }

    fn skip(detail: impl Into<String>) -> Self {
        Self(Outcome::Skip, detail.into())
    }

    fn error(detail: impl Into<String>) -> Self {
        Self(Outcome::Error, detail.into())
    }
}

/// Runs the case in a folder: the model on the inputs of each data set, and the outputs compared with those that lie
/// beside them.
#[must_use]
pub fn run(folder: &Path) -> Case {
    let name = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match run_folder(folder) {
        Ok(()) => Case { name, outcome: Outcome::Pass, detail: None },
        Err(Stop(outcome, detail)) => Case { name, outcome, detail: Some(detail) },
    }
}

fn run_folder(folder: &Path) -> Result<(), Stop> {
    let model = ModelFile::open(folder.join("model.onnx")).map_err(|error| Stop::error(error.to_string()))?;
    let model = model.proto();
    let graph = model.graph.as_ref().ok_or_else(|| Stop::error("the model has no graph"))?;
    let analysis = analyse(model, &Options::default()).map_err(|error| Stop::error(error.to_string()))?;
    if let Some(finding) = analysis.findings.iter().find(|finding| finding.severity() == Severity::Error) {
        return Err(Stop::fail(format!("the model is refused: {} ({})", finding.message, finding.code)));
    }
    let sets = data_sets(folder)?;
    if sets.is_empty() {
        return Err(Stop::error("there is no folder test_data_set_N beside the model"));
    }
    for set in sets {
        let label = set.file_name().unwrap_or_default().to_string_lossy().into_owned();
        run_set(model, graph, &set).map_err(|Stop(outcome, detail)| Stop(outcome, format!("{label}: {detail}")))?;
    }
    Ok(())
}

fn data_sets(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let entries = fs::read_dir(folder).map_err(|error| Stop::error(format!("{}: {error}", folder.display())))?;
    let mut sets = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Stop::error(format!("{}: {error}", folder.display())))?;
        if entry.file_name().to_string_lossy().starts_with("test_data_set_") {
            sets.push(entry.path());
        }
    }
    sets.sort();
    Ok(sets)
}

/// A tensor, as far as a run follows it.
#[derive(Clone, Debug)]
struct Value {
    data_type: DataType,
    dims: Vec<u64>,
    /// The elements of an int64 tensor.
    elements: Option<Vec<i64>>,
}

impl Value {
    fn new(tensor: &TensorProto) -> Result<Self, String> {
        let number = tensor.data_type.unwrap_or(0);
        let data_type = DataType::from_number(number).ok_or_else(|| format!("there is no element type {number}"))?;
        let dims = tensor.dims.iter().map(|&dim| u64::try_from(dim));
        let dims = dims.collect::<Result<Vec<_>, _>>().map_err(|_| "a dimension is negative".to_owned())?;
        let elements = if data_type == DataType::Int64 {
            let bytes = tensor.elements().map_err(|error| error.to_string())?;
            let view = Tensor::new(data_type, &dims, &bytes).map_err(|error| error.to_string())?;
            view.elements().map(Iterator::collect)
        } else {
            None
        };
        Ok(Self { data_type, dims, elements })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {:?}", self.data_type, self.dims)?;
        match &self.elements {
            Some(elements) => write!(formatter, " {elements:?}"),
            None => Ok(()),
        }
    }
}

fn read_tensor(path: &Path) -> Result<Value, Stop> {
    let at_fault = |error: String| Stop::error(format!("{}: {error}", path.display()));
    let bytes = fs::read(path).map_err(|error| at_fault(error.to_string()))?;
    let tensor = TensorProto::decode(Bytes::from(bytes)).map_err(|error| at_fault(error.to_string()))?;
    Value::new(&tensor).map_err(at_fault)
}

fn run_set(model: &ModelProto, graph: &GraphProto, set: &Path) -> Result<(), Stop> {
    let mut values: HashMap<&str, Value> = HashMap::new();
    for initializer in &graph.initializer {
        let value = Value::new(initializer).map_err(|error| Stop::error(format!("`{}`: {error}", initializer.name)))?;
        values.insert(&initializer.name, value);
    }
    for (index, input) in graph.input.iter().enumerate() {
        let path = set.join(format!("input_{index}.pb"));
        // An input with a default may have no file.
        if path.exists() || !values.contains_key(&*input.name) {
            values.insert(&input.name, read_tensor(&path)?);
        }
    }
    let imports = Imports::read(&model.opset_import, model.ir_version.unwrap_or(0), "", &mut Vec::new());
    for node in &graph.node {
        let outputs = run_node(node, &imports, &values)?;
        values.extend(node.output.iter().map(String::as_str).zip(outputs).filter(|(name, _)| !name.is_empty()));
    }
    for (index, output) in graph.output.iter().enumerate() {
        let expected = read_tensor(&set.join(format!("output_{index}.pb")))?;
        let found = values.get(&*output.name).ok_or_else(|| Stop::fail(format!("nothing gives `{}`", output.name)))?;
        let same = found.data_type == expected.data_type && found.dims == expected.dims;
        if same && found.elements.is_none() {
            return Err(Stop::skip(format!("the elements of `{}` are not computed yet", output.name)));
        }
        if !same || found.elements != expected.elements {
            return Err(Stop::fail(format!("output {index} `{}` is {found}, expected {expected}", output.name)));
        }
    }
    Ok(())
}

fn run_node(node: &NodeProto, imports: &Imports, values: &HashMap<&str, Value>) -> Result<Vec<Value>, Stop> {
    let operator = &node.op_type;
    let schema = imports
        .get(&node.domain)
        .and_then(|opset| Registry::builtin().resolve(&node.domain, operator, opset).ok())
        .ok_or_else(|| Stop::skip(format!("no descriptor for {operator} yet")))?;
    let rule = schema.rule.ok_or_else(|| Stop::skip(format!("no rule for {operator} yet")))?;
    let inputs = node.input.iter().map(|name| match (values.get(&**name), &**name) {
        (Some(value), _) => Ok(Some(value)),
        (None, "") => Ok(None),
        (None, name) => Err(Stop::fail(format!("nothing gives `{name}`"))),
    });
    let inputs: Vec<Option<&Value>> = inputs.collect::<Result<_, _>>()?;
    let types: Vec<Option<Type>> =
        inputs.iter().map(|value| value.map(|value| Type::tensor(value.data_type))).collect();
    let mut problem = None;
    // The model was checked; what the values of this data set are was not.
    let bindings = check::types(schema, &types, &[], &mut |found| problem = Some(found));
    if let Some(problem) = problem {
        return Err(Stop::fail(format!("{operator}: {problem}, found {}", problem.found())));
    }
    let facts: Vec<Option<Fact<'_>>> = inputs
        .iter()
        .zip(&types)
        .map(|(value, ty)| {
            value.map(|value| Fact {
                ty: *ty,
                dims: Some(&value.dims),
                elements: value.elements.as_deref().map(Elements::Ints),
            })
        })
        .collect();
    let attributes: Vec<_> = node.attribute.iter().filter_map(crate::analysis::attributes::view).collect();
    let mut collected = Collected { inputs: &inputs, outputs: vec![Output::default(); node.output.len()] };
    rule.infer(&attributes, Inputs(&facts), &mut collected)
        .map_err(|problem| Stop::fail(format!("{operator}: {problem}")))?;
    let outputs = collected.outputs.into_iter().enumerate().map(|(index, Output { dims, elements })| {
        let ty = schema.output(index).and_then(|parameter| bindings.resolve(parameter)).and_then(Type::element);
        match (ty, dims) {
            (Some(data_type), Some(dims)) => Ok(Value { data_type, dims, elements }),
            _ => Err(Stop::skip(format!("no rule for output {index} of {operator} yet"))),
        }
    });
    outputs.collect()
}

/// What a rule has said of one output.
#[derive(Clone, Default)]
struct Output {
    dims: Option<Vec<u64>>,
    elements: Option<Vec<i64>>,
}

struct Collected<'v> {
    inputs: &'v [Option<&'v Value>],
    outputs: Vec<Output>,
}

impl Outputs<u64> for Collected<'_> {
    fn dims(&mut self, output: usize, dims: Dims<'_, u64>) {
        let Some(found) = self.outputs.get_mut(output) else { return };
        found.dims = dims.rank().and_then(|rank| (0..rank).map(|axis| dims.dim(axis)).collect()).ok();
    }

    fn sizes(&mut self, output: usize, sizes: &[u64]) {
        if let Some(found) = self.outputs.get_mut(output) {
            found.elements = sizes.iter().map(|&size| i64::try_from(size).ok()).collect();
        }
    }

    fn elements_of(&mut self, output: usize, input: usize) {
        let elements = self.inputs.get(input).and_then(|input| input.and_then(|input| input.elements.clone()));
        if let Some(found) = self.outputs.get_mut(output) {
            found.elements = elements;
        }
    }
}
