//! Runs one node: applies the rules of its operator to known dimensions and elements.

use std::collections::HashMap;

use super::outcome::Stop;
use super::value::{Data, Value};
use crate::file::{Attribute, Node};
use crate::imports::Imports;
use shape_core::check;
use shape_core::data_type::DataType;
use shape_core::elements::Elements;
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::infer::TypeQuery;
use shape_core::registry::Registry;
use shape_core::types::Type;

/// Computes the outputs of a node.
pub(super) fn run(
    node: Node<'_>,
    imports: &Imports,
    registry: &Registry,
    values: &HashMap<&str, Value>,
) -> Result<Vec<Value>, Stop> {
    let operator = node.op_type();
    // The model has no errors, so a missing version means that the registry lacks it.
    let schema = imports
        .get(node.domain())
        .and_then(|opset| registry.resolve(node.domain(), operator, opset).ok())
        .ok_or_else(|| Stop::skip(format!("{operator} has no descriptor")))?;
    let inputs = node.inputs().iter().map(|name| match (values.get(name), name) {
        (Some(value), _) => Ok(Some(value)),
        (None, "") => Ok(None),
        (None, name) => Err(Stop::fail(format!("nothing computes `{name}`"))),
    });
    let inputs: Vec<Option<&Value>> = inputs.collect::<Result<_, _>>()?;
    let types: Vec<Option<Type>> =
        inputs.iter().map(|value| value.map(|value| Type::tensor(value.data_type))).collect();
    let mut problem = None;
    // The analysis checked the model, but not with the values of this data set.
    let bindings = check::types(schema, &types, &[], &mut |found| problem = Some(found));
    if let Some(problem) = problem {
        return Err(Stop::fail(format!("{operator}: {problem}, found {}", problem.found())));
    }
    let facts: Vec<Option<Fact<'_>>> = inputs.iter().map(|value| value.map(fact)).collect();
    let attributes: Vec<_> = node.attributes().iter().filter_map(Attribute::view).collect();
    let present: Vec<bool> = inputs.iter().map(Option::is_some).collect();
    let query = TypeQuery { attributes: &attributes, given: &present, inputs: &types, within: &|_, _| None };
    let ty = |index: usize| {
        let decided = schema.decided(index, &query).ok().flatten();
        decided.or_else(|| bindings.resolve(schema.output(index)?)).and_then(Type::element)
    };
    let outputs = node.outputs().len();
    let mut collected = Collected { outputs: vec![Output::default(); outputs], types: (0..outputs).map(ty).collect() };
    schema
        .infer(&attributes, Inputs(&facts), &mut collected)
        .map_err(|problem| Stop::fail(format!("{operator}: {problem}, found {}", problem.found())))?;
    let Collected { outputs, types } = collected;
    let outputs = outputs.into_iter().zip(types).enumerate().map(|(index, (Output { dims, elements }, ty))| {
        let (Some(data_type), Some(dims)) = (ty, dims) else {
            return Err(Stop::skip(format!(
                "what output {index} of {operator} is does not follow from its inputs alone"
            )));
        };
        let data = match elements {
            Known::Not => Data::Unknown,
            Known::Bytes(bytes) => Data::Bytes(bytes.into()),
            Known::OfInput(input) => match inputs.get(input).copied().flatten() {
                Some(input) => {
                    let reshaped = input.reshaped(dims);
                    return reshaped.map_err(|error| Stop::fail(format!("{operator}: {error}")));
                }
                None => Data::Unknown,
            },
        };
        Ok(Value { data_type, dims, data })
    });
    outputs.collect()
}

/// The maximum number of elements of a tensor that rules see; larger ones are weights or data, which no rule computes
/// with.
const MAX_ELEMENTS: usize = 1024;

fn fact(value: &Value) -> Fact<'_> {
    let width = Elements::<'_, u64>::width(value.data_type);
    let elements = match (&value.data, width) {
        (Data::Bytes(bytes), Some(width)) if bytes.len() <= MAX_ELEMENTS * width => {
            Some(Elements::Bytes(value.data_type, bytes))
        }
        _ => None,
    };
    Fact { ty: Some(Type::tensor(value.data_type)), dims: Some(&value.dims), elements }
}

/// What a rule reported about one output.
#[derive(Clone, Default)]
struct Output {
    dims: Option<Vec<u64>>,
    elements: Known,
}

/// What a rule reported about an output's elements.
#[derive(Clone, Default)]
enum Known {
    #[default]
    Not,
    /// All of them, little-endian.
    Bytes(Vec<u8>),
    /// The same as those of this input.
    OfInput(usize),
}

/// Collects what a rule reports about each output.
struct Collected {
    outputs: Vec<Output>,
    types: Vec<Option<DataType>>,
}

impl Outputs<u64> for Collected {
    fn count(&self) -> usize {
        self.outputs.len()
    }

    fn dims(&mut self, output: usize, dims: Dims<'_, u64>) {
        if let Some(found) = self.outputs.get_mut(output) {
            found.dims = dims.rank().and_then(|rank| (0..rank).map(|axis| dims.dim(axis)).collect()).ok();
        }
    }

    fn elements(&mut self, output: usize, elements: Result<EachElement<'_, u64>, UnknownCause>) {
        let ty = self.types.get(output).copied().flatten();
        let (Some(found), Some(ty), Ok((count, each))) = (self.outputs.get_mut(output), ty, elements) else { return };
        let mut bytes = Vec::new();
        for index in 0..count {
            match each(index).of_type(Some(ty)).bytes(ty) {
                Some(element) => bytes.extend_from_slice(element.as_ref()),
                None => return,
            }
        }
        found.elements = Known::Bytes(bytes);
    }

    fn elements_of(&mut self, output: usize, input: usize) {
        if let Some(found) = self.outputs.get_mut(output) {
            found.elements = Known::OfInput(input);
        }
    }
}
