//! One node of a run: its operator's rule on known dimensions and elements.

use std::collections::HashMap;

use super::Stop;
use super::value::{Data, Value};
use crate::analysis::attributes;
use crate::analysis::imports::Imports;
use crate::check;
use crate::data_type::DataType;
use crate::dims::{Dims, Fact, Inputs, Outputs};
use crate::elements::Elements;
use crate::model::proto::NodeProto;
use crate::registry::Registry;
use crate::types::Type;

/// The outputs of a node.
pub(super) fn run(
    node: &NodeProto,
    imports: &Imports,
    registry: &Registry,
    values: &HashMap<&str, Value>,
) -> Result<Vec<Value>, Stop> {
    let operator = &node.op_type;
    // Whatever else keeps it from being found is an error of the model, which has none.
    let schema = imports
        .get(&node.domain)
        .and_then(|opset| registry.resolve(&node.domain, operator, opset).ok())
        .ok_or_else(|| Stop::skip(format!("no descriptor for {operator}")))?;
    if schema.rule.is_none() {
        return Err(Stop::skip(format!("no rule for {operator} yet")));
    }
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
    let facts: Vec<Option<Fact<'_>>> = inputs.iter().map(|value| value.map(fact)).collect();
    let attributes: Vec<_> = node.attribute.iter().filter_map(attributes::view).collect();
    let mut collected = Collected(vec![Output::default(); node.output.len()]);
    schema
        .infer(&attributes, Inputs(&facts), &mut collected)
        .map_err(|problem| Stop::fail(format!("{operator}: {problem}, found {}", problem.found())))?;
    let outputs = collected.0.into_iter().enumerate().map(|(index, Output { dims, elements })| {
        let ty = schema.output(index).and_then(|parameter| bindings.resolve(parameter)).and_then(Type::element);
        let (Some(data_type), Some(dims)) = (ty, dims) else {
            return Err(Stop::skip(format!("no rule for output {index} of {operator} yet")));
        };
        let data = match elements {
            Known::Not => Data::Unknown,
            Known::Sizes(bytes) => Data::Bytes(bytes.into()),
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

fn fact(value: &Value) -> Fact<'_> {
    let elements = match &value.data {
        Data::Bytes(bytes) if value.data_type == DataType::Int64 => Some(Elements::Bytes(DataType::Int64, bytes)),
        _ => None,
    };
    Fact { ty: Some(Type::tensor(value.data_type)), dims: Some(&value.dims), elements }
}

/// What a rule has said of one output.
#[derive(Clone, Default)]
struct Output {
    dims: Option<Vec<u64>>,
    elements: Known,
}

/// What a rule has said of an output's elements.
#[derive(Clone, Default)]
enum Known {
    #[default]
    Not,
    /// They are sizes: int64, little-endian.
    Sizes(Vec<u8>),
    /// They are those of this input.
    OfInput(usize),
}

/// Takes what a rule says of each output.
struct Collected(Vec<Output>);

impl Outputs<u64> for Collected {
    fn dims(&mut self, output: usize, dims: Dims<'_, u64>) {
        if let Some(found) = self.0.get_mut(output) {
            found.dims = dims.rank().and_then(|rank| (0..rank).map(|axis| dims.dim(axis)).collect()).ok();
        }
    }

    fn sizes(&mut self, output: usize, sizes: &[u64]) {
        if let Some(found) = self.0.get_mut(output) {
            found.elements = Known::Sizes(sizes.iter().flat_map(|size| size.to_le_bytes()).collect());
        }
    }

    fn elements_of(&mut self, output: usize, input: usize) {
        if let Some(found) = self.0.get_mut(output) {
            found.elements = Known::OfInput(input);
        }
    }
}
