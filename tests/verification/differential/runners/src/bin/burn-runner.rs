//! Reads cases with the importer of burn, which writes Rust for a model and does not run it: the outputs are what it infers
//! of their types and dims, without elements.

use onnx_ir::{ArgType, Argument, DType, OnnxGraphBuilder};
use shape_runners::{Case, Data, Refusal, Runtime};

struct Burn;

const TYPES: [(DType, i32); 12] = [
    (DType::F32, 1),
    (DType::U8, 2),
    (DType::I8, 3),
    (DType::U16, 4),
    (DType::I16, 5),
    (DType::I32, 6),
    (DType::I64, 7),
    (DType::F16, 10),
    (DType::F64, 11),
    (DType::U32, 12),
    (DType::U64, 13),
    (DType::BF16, 16),
];

fn data(argument: &Argument) -> Data {
    let (dtype, dims) = match &argument.ty {
        // The dims of a tensor, which it holds as an array of integers.
        ArgType::Shape(rank) => (DType::I64, vec![Some(*rank)]),
        ArgType::ScalarTensor(dtype) | ArgType::ScalarNative(dtype) => (*dtype, Vec::new()),
        ArgType::Tensor(tensor) => {
            (tensor.dtype, tensor.static_shape.clone().unwrap_or_else(|| vec![None; tensor.rank]))
        }
    };
    let known = TYPES.iter().find(|(known, _)| *known == dtype).map(|(_, code)| *code);
    let code = known.unwrap_or(if dtype.is_bool() { 9 } else { 0 });
    Data { code, inferred: Some(dims), ..Data::default() }
}

impl Runtime for Burn {
    const PACKAGE: &'static str = "onnx-ir";
    const NAME: &'static str = "burn";

    fn run(case: &Case) -> Result<Vec<Data>, Refusal> {
        let graph = OnnxGraphBuilder::new().parse_file(case.model()).map_err(|error| format!("{error:?}"))?;
        Ok(graph.outputs.iter().map(data).collect())
    }
}

fn main() -> Result<(), Refusal> {
    shape_runners::main::<Burn>()
}
