//! Runs cases in the evaluator of candle.
//!
//! It holds bool as uint8: outputs that the model declares so are taken back.

use std::collections::HashMap;

use candle_core::{DType, Tensor};
use candle_onnx::onnx::{ModelProto, TensorProto, type_proto};
use candle_onnx::{eval, read_file, simple_eval};
use prost::Message;
use shape_runners::{Case, Data, Refusal, Runtime};

struct Candle;

fn tensor(data: &Data, name: &str) -> Result<Tensor, Refusal> {
    let proto = TensorProto::decode(data.encode(name).as_slice())?;
    Ok(eval::get_tensor(&proto, name)?)
}

/// The bytes of the elements and the number of their type.
fn bytes(flat: &Tensor, declared: &str) -> Result<(i32, Vec<u8>), Refusal> {
    Ok(match flat.dtype() {
        DType::U8 => (if declared == "tensor(bool)" { 9 } else { 2 }, flat.to_vec1::<u8>()?),
        DType::U32 => (12, flat.to_vec1::<u32>()?.into_iter().flat_map(u32::to_le_bytes).collect()),
        DType::I64 => (7, flat.to_vec1::<i64>()?.into_iter().flat_map(i64::to_le_bytes).collect()),
        DType::F32 => (1, flat.to_vec1::<f32>()?.into_iter().flat_map(f32::to_le_bytes).collect()),
        DType::F64 => (11, flat.to_vec1::<f64>()?.into_iter().flat_map(f64::to_le_bytes).collect()),
        DType::F16 => {
            let halves = flat.to_vec1::<half::f16>()?;
            (10, halves.into_iter().flat_map(half::f16::to_le_bytes).collect())
        }
        other => return Err(format!("the runner has no name for {other:?}").into()),
    })
}

/// The names of the outputs, which the results of the evaluator are kept under.
fn names(model: &ModelProto) -> Vec<String> {
    let outputs = model.graph.iter().flat_map(|graph| graph.output.iter());
    outputs.filter(|output| output.r#type.as_ref().is_none_or(is_tensor)).map(|output| output.name.clone()).collect()
}

fn is_tensor(declared: &candle_onnx::onnx::TypeProto) -> bool {
    matches!(declared.value, None | Some(type_proto::Value::TensorType(_)))
}

impl Runtime for Candle {
    const PACKAGE: &'static str = "candle-onnx";
    const NAME: &'static str = "candle";

    fn run(case: &Case) -> Result<Vec<Data>, Refusal> {
        let model = read_file(case.model())?;
        let mut inputs = HashMap::new();
        for (input, data) in case.inputs.iter().zip(case.data()?) {
            inputs.insert(input.name.clone(), tensor(&data, &input.name)?);
        }
        let outputs = simple_eval(&model, inputs)?;
        let mut all = Vec::new();
        for (name, declared) in names(&model).iter().zip(&case.outputs) {
            let value = outputs.get(name).ok_or_else(|| format!("no output {name} was given"))?;
            let (code, bytes) = bytes(&value.flatten_all()?, &declared.type_name)?;
            all.push(Data { code, dims: value.dims().to_vec(), bytes, ..Data::default() });
        }
        Ok(all)
    }
}

fn main() -> Result<(), Refusal> {
    shape_runners::main::<Candle>()
}
