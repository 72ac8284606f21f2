//! Runs cases in rten.
//!
//! It holds int64 and bool as int32, and float16 and double as float: inputs are given to it in these types, and outputs that the
//! model declares in the others are taken back.

use rten::{Model, Value, ValueOrView, ValueView};
use rten_tensor::prelude::*;
use shape_runners::{Case, Data, Refusal, Runtime, elements};

struct Rten;

fn value(data: &Data) -> Result<Value, Refusal> {
    let (dims, bytes) = (data.dims.as_slice(), data.bytes.as_slice());
    Ok(match data.code {
        1 => Value::from_shape(dims, elements(bytes, f32::from_le_bytes))?,
        2 => Value::from_shape(dims, elements(bytes, u8::from_le_bytes))?,
        3 => Value::from_shape(dims, elements(bytes, i8::from_le_bytes))?,
        6 => Value::from_shape(dims, elements(bytes, i32::from_le_bytes))?,
        7 => {
            let narrow = elements(bytes, i64::from_le_bytes).into_iter().map(narrow);
            Value::from_shape(dims, narrow.collect::<Result<Vec<i32>, _>>()?)?
        }
        9 => Value::from_shape(dims, elements(bytes, |[byte]: [u8; 1]| i32::from(byte != 0)))?,
        10 => Value::from_shape(dims, elements(bytes, |bytes| half::f16::from_le_bytes(bytes).to_f32()))?,
        #[expect(clippy::cast_possible_truncation, reason = "the runtime documents that it holds doubles as floats")]
        11 => Value::from_shape(dims, elements(bytes, |bytes| f64::from_le_bytes(bytes) as f32))?,
        _ => return Err(format!("rten has no type for {}", data.type_name()).into()),
    })
}

/// The ends of int64 mean "to the end" in slices, which those of int32 mean too.
fn narrow(value: i64) -> Result<i32, Refusal> {
    match value {
        i64::MAX => Ok(i32::MAX),
        i64::MIN => Ok(i32::MIN),
        _ => i32::try_from(value).map_err(|_| format!("rten holds int64 as int32, which {value} is not in").into()),
    }
}

fn data(value: &Value, declared: &str) -> Result<Data, Refusal> {
    let dims = value.as_view().shape().to_vec();
    let (code, bytes) = match value.as_view() {
        ValueView::FloatTensor(tensor) if declared == "tensor(double)" => {
            (11, tensor.iter().flat_map(|value| f64::from(*value).to_le_bytes()).collect())
        }
        ValueView::FloatTensor(tensor) if declared == "tensor(float16)" => {
            (10, tensor.iter().flat_map(|value| half::f16::from_f32(*value).to_le_bytes()).collect())
        }
        ValueView::FloatTensor(tensor) => (1, tensor.iter().flat_map(|value| value.to_le_bytes()).collect()),
        ValueView::Int32Tensor(tensor) if declared == "tensor(int64)" => {
            (7, tensor.iter().flat_map(|value| i64::from(*value).to_le_bytes()).collect())
        }
        ValueView::Int32Tensor(tensor) if declared == "tensor(bool)" => {
            (9, tensor.iter().map(|value| u8::from(*value != 0)).collect())
        }
        ValueView::Int32Tensor(tensor) => (6, tensor.iter().flat_map(|value| value.to_le_bytes()).collect()),
        ValueView::Int8Tensor(tensor) => (3, tensor.iter().flat_map(|value| value.to_le_bytes()).collect()),
        ValueView::UInt8Tensor(tensor) => (2, tensor.iter().copied().collect()),
        _ => return Err("the runner takes tensors alone".into()),
    };
    Ok(Data { code, dims, bytes, ..Data::default() })
}

impl Runtime for Rten {
    const PACKAGE: &'static str = "rten";
    const NAME: &'static str = "rten";

    fn run(case: &Case) -> Result<Vec<Data>, Refusal> {
        let model = Model::load_file(case.model())?;
        let mut inputs = Vec::new();
        for (input, data) in case.inputs.iter().zip(case.data()?) {
            inputs.push((model.node_id(&input.name)?, ValueOrView::from(value(&data)?)));
        }
        let outputs = model.run(inputs, model.output_ids(), None)?;
        let declared = case.outputs.iter().map(|output| output.type_name.as_str());
        outputs.iter().zip(declared).map(|(output, declared)| data(output, declared)).collect()
    }
}

fn main() -> Result<(), Refusal> {
    shape_runners::main::<Rten>()
}
