//! Thirty readers of operators that [rten] has in its registry of ONNX operators, written with this library: they give the
//! same operators of the runtime, which has the same limits. `IMPORTERS.md` compares the two.
//!
//! The program reads nodes that the two registries read differently, and prints what this one makes of them.
//!
//! ```text
//! Softmax of opset 11, over axes 1 to 3 at once: refused: Softmax-11 becomes Flatten-13 and Softmax-13 and Shape-13 and Reshape-13, and not one Softmax-13
//! Softmax of opset 11 without an axis: refused: Softmax-11 becomes Flatten-13 and Softmax-13 and Shape-13 and Reshape-13, and not one Softmax-13
//! Softmax of opset 11, over the last axis: Softmax { axis: 3 } [x]
//! QuantizeLinear without an axis: QuantizeLinear { axis: 1, output_dtype: None } [x, s, z]
//! MaxPool with SAME_LOWER: refused: unsupported: auto_pad SAME_LOWER
//! Resize of opset 13 with cubic: refused: unsupported: cubic
//! Resize of opset 10: Resize { linear: false, nearest_mode: Floor, coord_mode: Asymmetric } [x, -, scales]
//! Concat with an axis that is a FLOAT: refused: the attribute `axis` has the kind FLOAT; it must be INT
//! Reshape of opset 13 with allowzero: refused: Reshape-13 has no attribute `allowzero`
//! Gemm with transA=2: refused: the attribute `transA` is 2; allowed: 0, 1
//! Gelu of opset 19: refused: the operator came with opset 20
//! Pad of opset 1: Pad { mode: Constant } [x, [0, 0, 0, 0, 0, 0, 0, 0]]
//! Cast of opset 1: Cast { to: Float } [x]
//! Upsample of opset 1: Resize { linear: false, nearest_mode: Floor, coord_mode: Asymmetric } [x, -, [1.0, 1.0, 2.0, 2.0]]
//! Gemm of opset 6: Gemm { alpha: 1.0, beta: 1.0, transpose_a: false, transpose_b: false } [a, b, c]
//! ```
//!
//! [rten]: https://github.com/robertknight/rten/blob/c7f7bad90d1d14dce8080e243c3f2a6b6e9872cd/src/op_registry/onnx_registry.rs

use std::error::Error;

use shape_core::code::Code;
use shape_core::convert::{Constant, Numbers};
use shape_core::data_type::DataType as OnnxType;
use shape_core::node::{AttributeKind, TensorView};
use shape_core::operator::AnyVersion;
use shape_core::operators::ai_onnx::*;
use shape_model::file::External;
use shape_model::file::proto::{
    AttributeProto, Dimension, DimensionValue, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use shape_model::{Model, Node, NodeError, NodeReader, Operand, Options, analyse};

/// The operators of the runtime, as far as they are read here.
#[derive(Debug)]
#[expect(dead_code, reason = "they are printed and do not run")]
enum Op {
    ArgMax { axis: isize, keep_dims: bool },
    AveragePool { pool: Pool, count_include_pad: bool },
    BatchNormalization { epsilon: f32 },
    Cast { to: DataType },
    Clip,
    Concat { axis: isize },
    ConstantOfShape { value: Scalar },
    Conv(Conv),
    ConvTranspose { conv: Conv, output_padding: Option<Vec<usize>> },
    DequantizeLinear { axis: isize },
    DepthToSpace { column_first: bool, block_size: u32 },
    Flatten { axis: isize },
    Gather { axis: isize },
    Gelu { approximate: bool },
    Gemm { alpha: f32, beta: f32, transpose_a: bool, transpose_b: bool },
    LayerNormalization { axis: isize, epsilon: f32 },
    LogSoftmax { axis: isize },
    Lstm { direction: lstm::Direction, hidden_size: usize },
    MaxPool(Pool),
    Pad { mode: pad::Mode },
    QuantizeLinear { axis: isize, output_dtype: Option<DataType> },
    ReduceMean { keep_dims: bool, noop_with_empty_axes: bool },
    Reshape { allow_zero: bool },
    Resize { linear: bool, nearest_mode: resize::NearestMode, coord_mode: resize::CoordinateTransformationMode },
    Slice,
    Softmax { axis: isize },
    Split { axis: isize, num_outputs: Option<u32> },
    TopK { axis: isize, largest: bool, sorted: bool },
    Transpose { perm: Option<Vec<usize>> },
}

#[derive(Debug)]
#[expect(dead_code, reason = "they are printed and do not run")]
struct Conv {
    dilations: Vec<usize>,
    groups: usize,
    padding: Padding,
    strides: Vec<usize>,
}

#[derive(Debug)]
#[expect(dead_code, reason = "they are printed and do not run")]
struct Pool {
    ceil_mode: bool,
    kernel_size: Vec<usize>,
    padding: Padding,
    strides: Vec<usize>,
}

#[derive(Debug)]
#[expect(dead_code, reason = "they are printed and do not run")]
enum Padding {
    /// As `SAME_UPPER` says.
    Same,
    Fixed(Vec<usize>),
}

#[derive(Debug)]
enum DataType {
    Float,
    Int32,
    Int8,
    UInt8,
}

#[derive(Debug)]
#[expect(dead_code, reason = "they are printed and do not run")]
enum Scalar {
    Int(i64),
    Float(f64),
}

// The registry begins here.

/// What the runtime, or a field of it, does not have.
fn unsupported(node: Node<'_>, what: &str) -> NodeError {
    NodeError::new(node, Code::AttributeValue, format!("unsupported: {what}"))
}

fn cast<T: TryFrom<i64>>(node: Node<'_>, number: i64) -> Result<T, NodeError> {
    T::try_from(number).map_err(|_| unsupported(node, &format!("{number} is out of range")))
}

fn list(node: Node<'_>, numbers: Option<&[i64]>, default: &[i64]) -> Result<Vec<usize>, NodeError> {
    numbers.unwrap_or(default).iter().map(|number| cast(node, *number)).collect()
}

fn data_type(node: Node<'_>, number: i64) -> Result<DataType, NodeError> {
    Ok(match OnnxType::from_number(cast(node, number)?) {
        Some(OnnxType::Float | OnnxType::Float16 | OnnxType::Double) => DataType::Float,
        Some(OnnxType::Int32 | OnnxType::Int64 | OnnxType::Bool) => DataType::Int32,
        Some(OnnxType::Int8) => DataType::Int8,
        Some(OnnxType::Uint8) => DataType::UInt8,
        _ => return Err(unsupported(node, "the data type")),
    })
}

fn scalar(node: Node<'_>, value: Option<TensorView<'_>>) -> Result<Scalar, NodeError> {
    let Some(tensor) = value else { return Ok(Scalar::Float(0.0)) };
    let constant =
        tensor.data_type().and_then(|of| tensor.read(1, |bytes| Constant::from_bytes(of, true, bytes))).flatten();
    match constant.map(|constant| constant.numbers) {
        Some(Numbers::Ints(numbers)) => numbers.first().copied().map(Scalar::Int),
        Some(Numbers::Floats(numbers)) => numbers.first().copied().map(Scalar::Float),
        None => None,
    }
    .ok_or_else(|| unsupported(node, "a value that is not one number"))
}

/// Padding, as the operators with windows have it. `axes` is how many axes a window has, if the node says so.
macro_rules! padding {
    ($node:expr, $module:ident, $of:expr, $axes:expr) => {
        match $of.auto_pad {
            $module::AutoPad::SameUpper => Padding::Same,
            $module::AutoPad::SameLower => return Err(unsupported($node, "auto_pad SAME_LOWER")),
            _ => Padding::Fixed(list($node, $of.pads, &vec![0; 2 * $axes])?),
        }
    };
}

macro_rules! conv {
    ($node:expr, $module:ident, $of:expr) => {{
        let axes = $of.kernel_shape.map_or(0, <[i64]>::len);
        Conv {
            dilations: list($node, $of.dilations, &vec![1; axes])?,
            groups: cast($node, $of.group)?,
            padding: padding!($node, $module, $of, axes),
            strides: list($node, $of.strides, &vec![1; axes])?,
        }
    }};
}

macro_rules! pool {
    ($node:expr, $module:ident, $of:expr) => {{
        if $of.dilations.is_some_and(|dilations| dilations.iter().any(|dilation| *dilation != 1)) {
            return Err(unsupported($node, "dilations"));
        }
        Pool {
            ceil_mode: $of.ceil_mode(),
            kernel_size: list($node, Some($of.kernel_shape), &[])?,
            padding: padding!($node, $module, $of, $of.kernel_shape.len()),
            strides: list($node, $of.strides, &[])?,
        }
    }};
}

/// Refuses a node that uses what the runtime lacks.
fn lacks(node: Node<'_>, is_used: bool, what: &str) -> Result<(), NodeError> {
    if is_used { Err(unsupported(node, what)) } else { Ok(()) }
}

/// The newest version of an operator, whichever it is.
type Newest<'a, T> = <T as AnyVersion<'a>>::Newest;

fn lstm<'a>(node: Node<'_>, of: &Newest<'a, lstm::LSTM<'a>>) -> Result<Op, NodeError> {
    let lacks = |is_used, what| lacks(node, is_used, what);
    lacks(of.clip.is_some_and(|clip| clip != 0.0), "clip")?;
    lacks(of.layout(), "layout")?;
    lacks(of.input_forget(), "input_forget")?;
    lacks(of.activation_alpha.is_some_and(|list| !list.is_empty()), "activation_alpha")?;
    lacks(of.activation_beta.is_some_and(|list| !list.is_empty()), "activation_beta")?;
    lacks(
        of.activations.is_some_and(|list| {
            let usual = ["Sigmoid", "Tanh", "Tanh"].iter().cycle().map(|name| name.as_bytes());
            !list.iter().zip(usual).all(|(one, usual)| one == usual)
        }),
        "activations",
    )?;
    let hidden_size = of.hidden_size.ok_or_else(|| unsupported(node, "no hidden_size"))?;
    Ok(Op::Lstm { direction: of.direction, hidden_size: cast(node, hidden_size)? })
}

fn resize<'a>(node: Node<'_>, of: &Newest<'a, resize::Resize<'a>>) -> Result<Op, NodeError> {
    use resize::CoordinateTransformationMode::{AlignCorners, Asymmetric, HalfPixel, PytorchHalfPixel};
    let lacks = |is_used, what| lacks(node, is_used, what);
    lacks(of.antialias(), "antialias")?;
    lacks(of.mode == resize::Mode::Cubic, "cubic")?;
    lacks(of.exclude_outside(), "exclude_outside")?;
    let mode = of.coordinate_transformation_mode;
    lacks(!matches!(mode, AlignCorners | Asymmetric | HalfPixel | PytorchHalfPixel), "the coordinates")?;
    lacks(of.extrapolation_value != 0.0, "extrapolation_value")?;
    lacks(of.keep_aspect_ratio_policy != resize::KeepAspectRatioPolicy::Stretch, "keep_aspect_ratio_policy")?;
    Ok(Op::Resize { linear: of.mode == resize::Mode::Linear, nearest_mode: of.nearest_mode, coord_mode: mode })
}

/// Reads a node, in the newest version of its operator: the operator of the runtime, and what `inputs` makes of its inputs.
fn read<'m, T>(
    reader: &NodeReader<'_, 'm>,
    graph: usize,
    node: Node<'m>,
    inputs: impl Fn(&[Option<Operand<'_>>]) -> T,
) -> Result<(Op, T), NodeError> {
    let int = |number| cast::<isize>(node, number);
    let lacks = |is_used, what| lacks(node, is_used, what);
    macro_rules! latest {
        ($operator:ty, |$of:pat_param| $op:expr) => {{
            let latest = reader.latest::<$operator>(graph, node)?;
            let $of = latest.operator()?;
            ($op, inputs(&latest.inputs()))
        }};
    }
    Ok(match node.op_type() {
        "ArgMax" => latest!(arg_max::ArgMax, |of| {
            lacks(of.select_last_index(), "select_last_index")?;
            Op::ArgMax { axis: int(of.axis)?, keep_dims: of.keepdims() }
        }),
        "AveragePool" => latest!(average_pool::AveragePool<'_>, |of| {
            Op::AveragePool { pool: pool!(node, average_pool, of), count_include_pad: of.count_include_pad() }
        }),
        "BatchNormalization" => latest!(batch_normalization::BatchNormalization, |of| {
            lacks(of.training_mode(), "training_mode")?;
            Op::BatchNormalization { epsilon: of.epsilon }
        }),
        // `saturate` and `round_mode` are about types that the runtime does not have.
        "Cast" => latest!(cast::Cast, |of| Op::Cast { to: data_type(node, of.to)? }),
        "Clip" => latest!(clip::Clip<'_>, |_| Op::Clip),
        "Concat" => latest!(concat::Concat, |of| Op::Concat { axis: int(of.axis)? }),
        "ConstantOfShape" => latest!(constant_of_shape::ConstantOfShape<'_>, |of| {
            Op::ConstantOfShape { value: scalar(node, of.value)? }
        }),
        "Conv" => latest!(conv::Conv<'_>, |of| Op::Conv(conv!(node, conv, of))),
        "ConvTranspose" => latest!(conv_transpose::ConvTranspose<'_>, |of| {
            lacks(of.output_shape.is_some(), "output_shape")?;
            Op::ConvTranspose {
                conv: conv!(node, conv_transpose, of),
                output_padding: of.output_padding.map(|padding| list(node, Some(padding), &[])).transpose()?,
            }
        }),
        "DequantizeLinear" => latest!(dequantize_linear::DequantizeLinear, |of| {
            lacks(of.block_size != 0, "block_size")?;
            lacks(of.output_dtype != 0, "output_dtype")?;
            Op::DequantizeLinear { axis: int(of.axis)? }
        }),
        "DepthToSpace" => latest!(depth_to_space::DepthToSpace, |of| Op::DepthToSpace {
            column_first: of.mode == depth_to_space::Mode::Crd,
            block_size: cast(node, of.blocksize)?,
        }),
        "Flatten" => latest!(flatten::Flatten, |of| Op::Flatten { axis: int(of.axis)? }),
        "Gather" => latest!(gather::Gather, |of| Op::Gather { axis: int(of.axis)? }),
        "Gelu" => latest!(gelu::Gelu, |of| Op::Gelu { approximate: of.approximate == gelu::Approximate::Tanh }),
        "Gemm" => latest!(gemm::Gemm, |of| Op::Gemm {
            alpha: of.alpha,
            beta: of.beta,
            transpose_a: of.trans_a(),
            transpose_b: of.trans_b(),
        }),
        "LayerNormalization" => latest!(layer_normalization::LayerNormalization, |of| {
            lacks(of.stash_type != 1, "stash_type")?;
            Op::LayerNormalization { axis: int(of.axis)?, epsilon: of.epsilon }
        }),
        "LogSoftmax" => latest!(log_softmax::LogSoftmax, |of| Op::LogSoftmax { axis: int(of.axis)? }),
        "LSTM" => latest!(lstm::LSTM<'_>, |of| lstm(node, &of)?),
        "MaxPool" => latest!(max_pool::MaxPool<'_>, |of| {
            lacks(of.storage_order(), "storage_order")?;
            Op::MaxPool(pool!(node, max_pool, of))
        }),
        "Pad" => latest!(pad::Pad, |of| Op::Pad { mode: of.mode }),
        "QuantizeLinear" => latest!(quantize_linear::QuantizeLinear, |of| {
            lacks(of.block_size != 0, "block_size")?;
            lacks(of.precision != 0, "precision")?;
            Op::QuantizeLinear {
                axis: int(of.axis)?,
                output_dtype: (of.output_dtype != 0).then(|| data_type(node, of.output_dtype)).transpose()?,
            }
        }),
        "ReduceMean" => latest!(reduce_mean::ReduceMean, |of| {
            Op::ReduceMean { keep_dims: of.keepdims(), noop_with_empty_axes: of.noop_with_empty_axes() }
        }),
        "Reshape" => latest!(reshape::Reshape, |of| Op::Reshape { allow_zero: of.allowzero() }),
        "Resize" | "Upsample" => latest!(resize::Resize<'_>, |of| resize(node, &of)?),
        "Slice" => latest!(slice::Slice, |_| Op::Slice),
        "Softmax" => latest!(softmax::Softmax, |of| Op::Softmax { axis: int(of.axis)? }),
        "Split" => latest!(split::Split, |of| Op::Split {
            axis: int(of.axis)?,
            num_outputs: of.num_outputs.map(|outputs| cast(node, outputs)).transpose()?,
        }),
        "TopK" => {
            latest!(top_k::TopK, |of| { Op::TopK { axis: int(of.axis)?, largest: of.largest(), sorted: of.sorted() } })
        }
        "Transpose" => latest!(transpose::Transpose<'_>, |of| {
            Op::Transpose { perm: of.perm.map(|axes| list(node, Some(axes), &[])).transpose()? }
        }),
        _ => return Err(NodeError::new(node, Code::OperatorUnknown, "the runtime has no such operator")),
    })
}

// The registry ends here.

/// The inputs as text.
fn inputs(operands: &[Option<Operand<'_>>]) -> String {
    let text = |operand: &Option<Operand<'_>>| match operand {
        Some(Operand::Value(name)) => (*name).to_owned(),
        Some(Operand::Constant(constant)) => constant.to_string(),
        None => "-".to_owned(),
    };
    operands.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn attribute(name: &str, kind: AttributeKind, value: AttributeProto) -> AttributeProto {
    AttributeProto { name: name.into(), r#type: Some(kind.number()), ..value }
}

fn int(name: &str, value: i64) -> AttributeProto {
    attribute(name, AttributeKind::Int, AttributeProto { i: Some(value), ..AttributeProto::default() })
}

fn ints(name: &str, values: &[i64]) -> AttributeProto {
    attribute(name, AttributeKind::Ints, AttributeProto { ints: values.to_vec(), ..AttributeProto::default() })
}

fn float(name: &str, value: f32) -> AttributeProto {
    attribute(name, AttributeKind::Float, AttributeProto { f: Some(value), ..AttributeProto::default() })
}

fn text(name: &str, value: &str) -> AttributeProto {
    let s = Some(value.to_owned().into());
    attribute(name, AttributeKind::String, AttributeProto { s, ..AttributeProto::default() })
}

/// Reads a node at an opset; `x` has four axes, and `scales` are the constants 1, 1, 2, 2.
fn show(
    what: &str,
    opset: i64,
    op_type: &str,
    names: &[&str],
    attribute: Vec<AttributeProto>,
) -> Result<(), Box<dyn Error>> {
    let size = |size| Dimension { value: Some(DimensionValue::DimValue(size)), ..Dimension::default() };
    let shape = Some(TensorShapeProto { dim: [1, 3, 4, 4].map(size).to_vec() });
    let ty = TypeValue::TensorType(TensorType { elem_type: Some(1), shape });
    let ty = TypeProto { value: Some(ty), ..TypeProto::default() };
    let scales = TensorProto {
        name: "scales".into(),
        data_type: Some(1),
        dims: vec![4],
        float_data: [1.0, 1.0, 2.0, 2.0].into_iter().collect(),
        ..TensorProto::default()
    };
    let node = NodeProto {
        op_type: op_type.into(),
        input: names.iter().map(|name| (*name).to_owned()).collect(),
        output: vec!["y".into()],
        attribute,
        ..NodeProto::default()
    };
    let graph = GraphProto {
        node: vec![node],
        input: vec![ValueInfoProto { name: "x".into(), r#type: Some(ty), ..ValueInfoProto::default() }],
        initializer: vec![scales],
        ..GraphProto::default()
    };
    let model = Model::of(&ModelProto {
        ir_version: Some(8),
        opset_import: vec![OperatorSetIdProto { version: Some(opset), ..OperatorSetIdProto::default() }],
        graph: Some(graph),
        ..ModelProto::default()
    })?;
    let analysis = analyse(&model, &Options::default())?;
    let none = External::none();
    let node = model.graph().and_then(|graph| graph.nodes().first()).ok_or("no node")?;
    match read(&analysis.reader(&none), 0, node, inputs) {
        Ok((op, inputs)) => println!("{what}: {op:?} [{inputs}]"),
        Err(error) => println!("{what}: refused: {}", error.message),
    }
    Ok(())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let kernel = || ints("kernel_shape", &[2, 2]);
    show("Softmax of opset 11, over axes 1 to 3 at once", 11, "Softmax", &["x"], vec![int("axis", 1)])?;
    show("Softmax of opset 11 without an axis", 11, "Softmax", &["x"], vec![])?;
    show("Softmax of opset 11, over the last axis", 11, "Softmax", &["x"], vec![int("axis", 3)])?;
    show("QuantizeLinear without an axis", 13, "QuantizeLinear", &["x", "s", "z"], vec![])?;
    let same_lower = vec![kernel(), text("auto_pad", "SAME_LOWER")];
    show("MaxPool with SAME_LOWER", 13, "MaxPool", &["x"], same_lower)?;
    show("Resize of opset 13 with cubic", 13, "Resize", &["x", "", "scales"], vec![text("mode", "cubic")])?;
    show("Resize of opset 10", 10, "Resize", &["x", "scales"], vec![])?;
    show("Concat with an axis that is a FLOAT", 13, "Concat", &["x", "x"], vec![float("axis", 1.0)])?;
    show("Reshape of opset 13 with allowzero", 13, "Reshape", &["x", "t"], vec![int("allowzero", 1)])?;
    show("Gemm with transA=2", 13, "Gemm", &["a", "b"], vec![int("transA", 2)])?;
    show("Gelu of opset 19", 19, "Gelu", &["x"], vec![])?;
    let zeros = ints("paddings", &[0; 8]);
    show("Pad of opset 1", 1, "Pad", &["x"], vec![zeros])?;
    show("Cast of opset 1", 1, "Cast", &["x"], vec![text("to", "FLOAT16")])?;
    let factors = vec![float("height_scale", 2.0), float("width_scale", 2.0)];
    show("Upsample of opset 1", 1, "Upsample", &["x"], factors)?;
    show("Gemm of opset 6", 6, "Gemm", &["a", "b", "c"], vec![int("broadcast", 1)])
}
