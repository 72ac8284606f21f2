//! A case: a model, the data of its inputs, and what is expected of it.

use bytes::Bytes;
use fastrand::Rng;
use shape_core::code::Code;
use shape_core::data_type::DataType;
use shape_core::elements::Scalar;
use shape_core::registry::Registry;
use shape_core::schema::Schema;
use shape_core::types::Type;

use super::fill;
use super::findings::errors;
use super::judge::Inferred;
use super::value::{Data, Tensor, Value};
use crate::file::Message as _;
use crate::file::proto::ModelProto;
use crate::finding::Finding;

/// A model with data for its inputs. `Debug` writes it as a text to read.
#[derive(Clone)]
pub struct Case {
    /// Its name, which no other case of a generator has: `Conv_11_3`.
    pub name: String,
    /// The version of its node; `None` for a graph of several.
    pub schema: Option<&'static Schema>,
    /// The opset that the model imports of the domain of the node, or of `ai.onnx`.
    pub opset: u32,
    /// The model.
    pub model: ModelProto,
    /// The inputs of its graph, in order, with their data.
    pub inputs: Vec<(String, Value)>,
    /// The outputs of its graph, in order. Empty for an invalid model.
    pub outputs: Vec<Expected>,
    /// The code of the one finding that an invalid model has; `None` for a valid one.
    pub code: Option<Code>,
    /// The type variables of a valid node with the types of their values. Empty for other models, and after a reduction.
    pub types: Vec<(&'static str, Vec<Type>)>,
    /// The choices of a valid node (see [`Coverage`](super::Coverage)), as text: `auto_pad=VALID`, `rank 3`. Empty for
    /// other models, and after a reduction.
    pub choices: Vec<String>,
}

/// What is expected of an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its dimensions with the data of the case: `None` if the rank depends on what only a run shows, an entry `None` if the
    /// size does.
    pub dims: Option<Vec<Option<u64>>>,
    /// Its value, where rules compute all of its elements.
    pub value: Option<Tensor>,
}

impl Case {
    /// The finding that an invalid model has; `None` for a valid one.
    #[must_use]
    pub fn finding(&self, registry: &Registry) -> Option<Finding> {
        errors(registry, &self.model)?.into_iter().find(|finding| Some(finding.code) == self.code)
    }

    /// The bytes of the model.
    #[must_use]
    pub fn model_bytes(&self) -> Bytes {
        Bytes::from(self.model.encode_to_vec())
    }
}

/// What is expected of an output with this name; `None` if its type is not known.
pub(super) fn expected(name: &str, inferred: &Inferred) -> Option<Expected> {
    let ty = inferred.ty?;
    let known: Option<Vec<u64>> = inferred.dims.as_ref().and_then(|dims| dims.iter().copied().collect());
    // The last bit of a float depends on who computes it.
    let is_exact = |element: &DataType| !matches!(element, DataType::Float | DataType::Double);
    let value = ty.element().filter(is_exact).zip(known);
    let value = value.and_then(|(element, dims)| tensor(element, dims, inferred.elements.as_ref()?));
    Some(Expected { name: name.to_owned(), ty, dims: inferred.dims.clone(), value })
}

/// A tensor of elements that rules computed; `None` where one is not a number of the type.
pub(super) fn tensor(ty: DataType, dims: Vec<u64>, elements: &[Scalar<u64>]) -> Option<Tensor> {
    let float = |element: &Scalar<u64>| if let Scalar::Float(number) = element { Some(*number) } else { None };
    if let Some(floats) = elements.iter().map(float).collect::<Option<Vec<f64>>>() {
        let bytes = match ty {
            DataType::Float => floats.iter().flat_map(|number| (*number as f32).to_le_bytes()).collect(),
            DataType::Double => floats.iter().flat_map(|number| number.to_le_bytes()).collect(),
            _ => return None,
        };
        return Some(Tensor { ty, dims, data: Data::Bytes(bytes) });
    }
    let int = |element: &Scalar<u64>| match element {
        Scalar::Int(number) => Some(*number),
        Scalar::Size(size) => i64::try_from(*size).ok(),
        Scalar::Bool(is) => Some(i64::from(*is)),
        _ => None,
    };
    let ints: Vec<i64> = elements.iter().map(int).collect::<Option<_>>()?;
    let small = ints.iter().all(|number| number.unsigned_abs() < 1 << 59);
    let tensor = fill::of_ints(ty, dims, &ints);
    (small && tensor.len() == ints.len()).then_some(tensor)
}

/// The bytes of the file of a value in a test case: a `TensorProto`, `SequenceProto` or `OptionalProto`. `None` for a value
/// without data.
#[must_use]
pub fn value_bytes(value: &Value, name: &str) -> Option<Bytes> {
    let mut bytes = Vec::new();
    put_value(value, name, &mut bytes)?;
    Some(Bytes::from(bytes))
}

/// The kinds of elements of `SequenceProto` and `OptionalProto`.
const TENSOR: u8 = 1;
const SEQUENCE: u8 = 3;

fn put_value(value: &Value, name: &str, to: &mut Vec<u8>) -> Option<()> {
    match value {
        Value::Tensor(tensor) => to.extend_from_slice(&tensor.to_proto(name).encode_to_vec()),
        Value::Sequence(_, tensors) => {
            put_name(name, to);
            put_number(2, TENSOR, to);
            for tensor in tensors {
                put_message(3, &tensor.to_proto("").encode_to_vec(), to);
            }
        }
        Value::Optional(inner, held) => {
            put_name(name, to);
            let (kind, field) = if inner.in_sequence().is_some() { (SEQUENCE, 5) } else { (TENSOR, 3) };
            // With a kind, the package looks for a value of it.
            if let Some(held) = held {
                put_number(2, kind, to);
                let mut message = Vec::new();
                put_value(held, "", &mut message)?;
                put_message(field, &message, to);
            }
        }
        Value::Computed(..) => return None,
    }
    Some(())
}

fn put_name(name: &str, to: &mut Vec<u8>) {
    if !name.is_empty() {
        put_message(1, name.as_bytes(), to);
    }
}

fn put_number(field: u8, number: u8, to: &mut Vec<u8>) {
    to.extend([field << 3, number]);
}

fn put_message(field: u8, message: &[u8], to: &mut Vec<u8>) {
    to.push((field << 3) | 2);
    let mut length = message.len();
    while length >= 0x80 {
        to.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    to.push((length & 0x7f) as u8);
    to.extend_from_slice(message);
}

/// Whether a value may be an initializer.
pub(super) fn may_be_constant(value: &Value, rng: &mut Rng) -> bool {
    match value {
        Value::Tensor(Tensor { data: Data::Bytes(_) | Data::Strings(_), .. }) => rng.u8(0..3) == 0,
        _ => false,
    }
}
