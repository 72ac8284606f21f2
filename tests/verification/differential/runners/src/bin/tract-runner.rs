//! Runs cases in tract, optimised as its documents show it.

use shape_runners::{Case, Data, Refusal, Runtime, elements};
use tract_onnx::prelude::*;
use tract_onnx::tract_hir::internal::tract_smallvec::SmallVec;
use tract_onnx::tract_hir::internal::{f16, tract_ndarray};

struct Tract;

/// The Rust type, its type in tract and its number in ONNX; and how it is read from bytes.
macro_rules! of_type {
    ($data:expr, $($code:literal $read:expr),+ $(,)?) => {
        match $data.code {
            $($code => Tensor::from_shape(&$data.dims, &elements(&$data.bytes, $read))?,)+
            8 => {
                let strings = $data.strings.into_iter().map(String::from_utf8).collect::<Result<Vec<_>, _>>()?;
                tract_ndarray::ArrayD::from_shape_vec($data.dims, strings)?.into()
            }
            _ => return Err(format!("tract has no type for {}", $data.type_name()).into()),
        }
    };
}

fn tensor(data: Data) -> Result<Tensor, Refusal> {
    Ok(of_type!(
        data,
        1 f32::from_le_bytes, 2 u8::from_le_bytes, 3 i8::from_le_bytes, 4 u16::from_le_bytes, 5 i16::from_le_bytes,
        6 i32::from_le_bytes, 7 i64::from_le_bytes, 9 |[byte]: [u8; 1]| byte != 0,
        10 |bytes| f16::from_bits(u16::from_le_bytes(bytes)), 11 f64::from_le_bytes, 12 u32::from_le_bytes,
        13 u64::from_le_bytes,
    ))
}

const TYPES: [(DatumType, i32); 13] = [
    (DatumType::F32, 1),
    (DatumType::U8, 2),
    (DatumType::I8, 3),
    (DatumType::U16, 4),
    (DatumType::I16, 5),
    (DatumType::I32, 6),
    (DatumType::I64, 7),
    (DatumType::String, 8),
    (DatumType::Bool, 9),
    (DatumType::F16, 10),
    (DatumType::F64, 11),
    (DatumType::U32, 12),
    (DatumType::U64, 13),
];

fn data(tensor: &Tensor) -> Result<Data, Refusal> {
    // A dimension that tract keeps as a symbolic expression is an integer of ONNX once it is known.
    let cast = if tensor.datum_type() == DatumType::TDim {
        tensor.cast_to::<i64>()?
    } else {
        tensor.cast_to_dt(tensor.datum_type())?
    };
    let code = TYPES.iter().find(|(known, _)| *known == cast.datum_type().unquantized()).map_or(0, |(_, code)| *code);
    let mut data = Data { code, dims: cast.shape().to_vec(), ..Data::default() };
    if code == 8 {
        data.strings = cast.to_plain_array_view::<String>()?.iter().map(|text| text.clone().into_bytes()).collect();
    } else {
        data.bytes = cast.as_bytes().to_vec();
    }
    Ok(data)
}

impl Runtime for Tract {
    const PACKAGE: &'static str = "tract-onnx";
    const NAME: &'static str = "tract";

    fn run(case: &Case) -> Result<Vec<Data>, Refusal> {
        let mut model = tract_onnx::onnx().model_for_path(case.model())?;
        let mut inputs = SmallVec::new();
        for (at, data) in case.data()?.into_iter().enumerate() {
            let tensor = tensor(data)?;
            // It takes models whose inputs have all their dims alone, and tells its users to give them.
            model.set_input_fact(at, InferenceFact::dt_shape(tensor.datum_type(), tensor.shape()))?;
            inputs.push(tensor.into_tvalue());
        }
        let model = model.into_optimized()?.into_runnable()?;
        model.run(inputs)?.iter().map(|output| data(output)).collect()
    }
}

fn main() -> Result<(), Refusal> {
    shape_runners::main::<Tract>()
}
