//! Reads a model into the operators of a runtime: `cargo run --example importer MODEL`.
//!
//! It is what an importer does, without its kernels. Each node is read in the version that the model imports, lifted to
//! the newest version, and becomes an operator with typed attributes; attributes that are inputs by now are constants
//! among them. What is not supported, or wrong, is told with the name of its node.
//!
//! ```text
//! input x: [batch, seq, 64]
//! 1 constants, 16 bytes
//! rows = Reshape { keep_zeros: false } [Value("copies"), Value("target")]
//! not imported: the node `extent` (Extent): the operator has no descriptor
//! not imported: the node `copies` (Copies): the operator has no descriptor
//! not imported: the node `none` (Copies): the operator has no descriptor
//! ```

use std::error::Error;
use std::path::{Path, PathBuf};

use shape_core::code::Code;
use shape_core::convert::Numbers;
use shape_core::data_type::DataType;
use shape_core::operators::ai_onnx::{AnyOperator as Any, conv, gelu, lstm, pad, resize};
use shape_core::symbolic::Symbols;
use shape_model::{Analysis, Graph, ModelFile, Node, NodeError, NodeReader, Operand as Given, Options, Value, analyse};

/// The operators of the runtime.
#[rustfmt::skip]
#[derive(Debug)]
#[expect(dead_code, reason = "it is printed and does not run")]
enum Op {
    /// Each element of one tensor, or of two.
    Unary(&'static str),
    Binary(&'static str),
    LeakyRelu { alpha: f32 },
    Gelu { by_tanh: bool },
    Sum,
    Clip,
    Cast { to: DataType, saturate: bool },
    Conv { same: bool, strides: Vec<i64>, dilations: Vec<i64>, pads: Vec<i64>, groups: i64 },
    Pool { max: bool, kernel: Vec<i64>, strides: Vec<i64>, pads: Vec<i64>, round_up: bool },
    GlobalAveragePool,
    LocalNorm { size: i64, alpha: f32, beta: f32, bias: f32 },
    Gemm { alpha: f32, beta: f32, transposed: [bool; 2] },
    MatMul,
    BatchNorm { epsilon: f32 },
    LayerNorm { axis: i64, epsilon: f32 },
    Softmax { axis: i64 },
    Reduce { kind: &'static str, keep_dims: bool, all_if_no_axes: bool },
    Reshape { keep_zeros: bool },
    Squeeze,
    Unsqueeze,
    Transpose { permutation: Vec<i64> },
    Concat { axis: i64 },
    Split { axis: i64 },
    Slice,
    Gather { axis: i64, by_element: bool },
    Pad { constant: bool },
    Resize { linear: bool },
    Expand,
    Where,
    Range,
    Shape { start: i64, end: Option<i64> },
    Constant,
    Full,
    Lstm { hidden: Option<i64>, reverse: bool, both: bool },
    If(Vec<Plan>),
    Loop(Vec<Plan>),
}

/// The steps of a graph, in an order in which they can run.
type Plan = Vec<Step>;

#[derive(Debug)]
struct Step {
    op: Op,
    inputs: Vec<Operand>,
    outputs: Vec<String>,
}

/// What a step reads.
#[derive(Debug)]
#[expect(dead_code, reason = "it is printed and does not run")]
enum Operand {
    Absent,
    Value(String),
    /// What was an attribute in the version of the file.
    Constant(DataType, Numbers),
}

/// A node that is read.
#[derive(Clone, Copy)]
struct At<'r, 'a, 'm> {
    reader: &'r NodeReader<'a, 'm>,
    graph: usize,
    node: Node<'m>,
}

/// Imports graphs.
struct Importer<'a, 'm> {
    analysis: &'a Analysis<'m>,
    reader: NodeReader<'a, 'm>,
    refused: Vec<NodeError>,
}

impl<'m> Importer<'_, 'm> {
    fn plan(&mut self, graph: Graph<'m>) -> Plan {
        let mut plan = Plan::new();
        for node in graph.nodes() {
            match self.step(graph, node) {
                Ok(step) => plan.push(step),
                Err(refused) => self.refused.push(refused),
            }
        }
        plan
    }

    fn step(&mut self, graph: Graph<'m>, node: Node<'m>) -> Result<Step, NodeError> {
        let refuse = |code, reason| NodeError::new(node, code, reason);
        let graph = self.analysis.graph(graph).ok_or_else(|| refuse(Code::ValueUndefined, "its graph never runs"))?;
        let at = At { reader: &self.reader, graph, node };
        let made = match &node.operator()? {
            Any::If(_) => Some((Op::If(self.inside(node, &["then_branch", "else_branch"])), given(node))),
            Any::Loop(_) => Some((Op::Loop(self.inside(node, &["body"])), given(node))),
            any => [of_elements, layer, of_dims].into_iter().find_map(|read| read(at, any).transpose()).transpose()?,
        };
        let (op, inputs) = made.ok_or_else(|| refuse(Code::OperatorUnknown, "the runtime has no such operator"))?;
        Ok(Step { op, inputs, outputs: node.outputs().iter().map(str::to_owned).collect() })
    }

    /// The plans of the graphs in a node.
    fn inside(&mut self, node: Node<'m>, names: &[&str]) -> Vec<Plan> {
        names.iter().filter_map(|name| node.subgraph(name)).map(|graph| self.plan(graph)).collect()
    }
}

/// An operator of any version as one of the newest, and its inputs.
macro_rules! lifted {
    ($at:expr, $any:expr, |$latest:pat_param| $op:expr) => {
        lifted!(@ $at.reader.lift($at.graph, $at.node, $any)?, |$latest| $op)
    };
    (@ $lifted:expr, |$latest:pat_param| $op:expr) => {{
        let lifted = $lifted;
        let $latest = lifted.operator()?;
        ($op, lifted.inputs().into_iter().map(operand).collect())
    }};
    ($at:expr, $any:expr, $op:expr) => {
        lifted!($at, $any, |_| $op)
    };
}

/// What computes each element by itself.
fn of_elements<'m>(at: At<'_, '_, 'm>, any: &Any<'m>) -> Result<Option<(Op, Vec<Operand>)>, NodeError> {
    Ok(Some(match any {
        Any::Identity(any) => lifted!(at, any, Op::Unary("identity")),
        Any::Dropout(any) => lifted!(at, any, Op::Unary("identity")),
        Any::Relu(any) => lifted!(at, any, Op::Unary("relu")),
        Any::Sigmoid(any) => lifted!(at, any, Op::Unary("sigmoid")),
        Any::Tanh(any) => lifted!(at, any, Op::Unary("tanh")),
        Any::Erf(any) => lifted!(at, any, Op::Unary("erf")),
        Any::Sqrt(any) => lifted!(at, any, Op::Unary("sqrt")),
        Any::Exp(any) => lifted!(at, any, Op::Unary("exp")),
        Any::Log(any) => lifted!(at, any, Op::Unary("log")),
        Any::Neg(any) => lifted!(at, any, Op::Unary("neg")),
        Any::Abs(any) => lifted!(at, any, Op::Unary("abs")),
        Any::Not(any) => lifted!(at, any, Op::Unary("not")),
        Any::Add(any) => lifted!(at, any, Op::Binary("add")),
        Any::Sub(any) => lifted!(at, any, Op::Binary("sub")),
        Any::Mul(any) => lifted!(at, any, Op::Binary("mul")),
        Any::Div(any) => lifted!(at, any, Op::Binary("div")),
        Any::Pow(any) => lifted!(at, any, Op::Binary("pow")),
        Any::Min(any) => lifted!(at, any, Op::Binary("min")),
        Any::Max(any) => lifted!(at, any, Op::Binary("max")),
        Any::Equal(any) => lifted!(at, any, Op::Binary("equal")),
        Any::Less(any) => lifted!(at, any, Op::Binary("less")),
        Any::Greater(any) => lifted!(at, any, Op::Binary("greater")),
        Any::LeakyRelu(any) => lifted!(at, any, |of| Op::LeakyRelu { alpha: of.alpha }),
        Any::Gelu(any) => lifted!(at, any, |of| Op::Gelu { by_tanh: of.approximate == gelu::Approximate::Tanh }),
        Any::Sum(any) => lifted!(at, any, Op::Sum),
        Any::Clip(any) => lifted!(at, any, Op::Clip),
        Any::Cast(any) => lifted!(at, any, |of| {
            let to = i32::try_from(of.to).ok().and_then(DataType::from_number);
            Op::Cast {
                to: to.ok_or_else(|| NodeError::new(at.node, Code::AttributeValue, "`to` is no element type"))?,
                saturate: of.saturate(),
            }
        }),
        _ => return Ok(None),
    }))
}

/// What has weights, windows or axes.
fn layer<'m>(at: At<'_, '_, 'm>, any: &Any<'m>) -> Result<Option<(Op, Vec<Operand>)>, NodeError> {
    Ok(Some(match any {
        Any::Conv(any) => lifted!(at, any, |of| Op::Conv {
            same: !matches!(of.auto_pad, conv::AutoPad::Notset | conv::AutoPad::Valid),
            strides: list(of.strides),
            dilations: list(of.dilations),
            pads: list(of.pads),
            groups: of.group,
        }),
        Any::MaxPool(any) => lifted!(at, any, |of| Op::Pool {
            max: true,
            kernel: of.kernel_shape.to_vec(),
            strides: list(of.strides),
            pads: list(of.pads),
            round_up: of.ceil_mode(),
        }),
        Any::AveragePool(any) => lifted!(at, any, |of| Op::Pool {
            max: false,
            kernel: of.kernel_shape.to_vec(),
            strides: list(of.strides),
            pads: list(of.pads),
            round_up: of.ceil_mode(),
        }),
        Any::GlobalAveragePool(any) => lifted!(at, any, Op::GlobalAveragePool),
        Any::LRN(any) => {
            lifted!(at, any, |of| { Op::LocalNorm { size: of.size, alpha: of.alpha, beta: of.beta, bias: of.bias } })
        }
        Any::Gemm(any) => lifted!(at, any, |of| {
            Op::Gemm { alpha: of.alpha, beta: of.beta, transposed: [of.trans_a(), of.trans_b()] }
        }),
        Any::MatMul(any) => lifted!(at, any, Op::MatMul),
        Any::BatchNormalization(any) => lifted!(at, any, |of| Op::BatchNorm { epsilon: of.epsilon }),
        Any::LayerNormalization(any) => lifted!(at, any, |of| Op::LayerNorm { axis: of.axis, epsilon: of.epsilon }),
        Any::Softmax(any) => lifted!(at, any, |of| Op::Softmax { axis: of.axis }),
        Any::ReduceMean(any) => lifted!(at, any, |of| reduce("mean", of.keepdims(), of.noop_with_empty_axes())),
        Any::ReduceSum(any) => lifted!(at, any, |of| reduce("sum", of.keepdims(), of.noop_with_empty_axes())),
        Any::ReduceMax(any) => lifted!(at, any, |of| reduce("max", of.keepdims(), of.noop_with_empty_axes())),
        Any::ReduceMin(any) => lifted!(at, any, |of| reduce("min", of.keepdims(), of.noop_with_empty_axes())),
        Any::LSTM(any) => lifted!(at, any, |of| Op::Lstm {
            hidden: of.hidden_size,
            reverse: of.direction == lstm::Direction::Reverse,
            both: of.direction == lstm::Direction::Bidirectional,
        }),
        _ => return Ok(None),
    }))
}

/// What changes dimensions, moves elements or makes them.
fn of_dims<'m>(at: At<'_, '_, 'm>, any: &Any<'m>) -> Result<Option<(Op, Vec<Operand>)>, NodeError> {
    Ok(Some(match any {
        Any::Reshape(any) => lifted!(at, any, |of| Op::Reshape { keep_zeros: of.allowzero() }),
        Any::Squeeze(any) => lifted!(at, any, Op::Squeeze),
        Any::Unsqueeze(any) => lifted!(at, any, Op::Unsqueeze),
        Any::Transpose(any) => lifted!(at, any, |of| Op::Transpose { permutation: list(of.perm) }),
        Any::Concat(any) => lifted!(at, any, |of| Op::Concat { axis: of.axis }),
        Any::Split(any) => lifted!(at, any, |of| Op::Split { axis: of.axis }),
        Any::Slice(any) => lifted!(at, any, Op::Slice),
        Any::Gather(any) => lifted!(at, any, |of| Op::Gather { axis: of.axis, by_element: false }),
        Any::GatherElements(any) => lifted!(at, any, |of| Op::Gather { axis: of.axis, by_element: true }),
        Any::Pad(any) => lifted!(at, any, |of| Op::Pad { constant: of.mode == pad::Mode::Constant }),
        // An Upsample is a Resize now.
        Any::Resize(_) | Any::Upsample(_) => {
            lifted!(@ at.reader.latest::<resize::Resize<'_>>(at.graph, at.node)?, |of| {
                Op::Resize { linear: of.mode == resize::Mode::Linear }
            })
        }
        Any::Expand(any) => lifted!(at, any, Op::Expand),
        Any::Where(any) => lifted!(at, any, Op::Where),
        Any::Range(any) => lifted!(at, any, Op::Range),
        Any::Shape(any) => lifted!(at, any, |of| Op::Shape { start: of.start, end: of.end }),
        Any::Constant(any) => lifted!(at, any, Op::Constant),
        Any::ConstantOfShape(any) => lifted!(at, any, Op::Full),
        _ => return Ok(None),
    }))
}

fn list(numbers: Option<&[i64]>) -> Vec<i64> {
    numbers.unwrap_or_default().to_vec()
}

fn reduce(kind: &'static str, keep_dims: bool, nothing_if_no_axes: bool) -> Op {
    Op::Reduce { kind, keep_dims, all_if_no_axes: !nothing_if_no_axes }
}

/// The inputs that a node has in the file.
fn given(node: Node<'_>) -> Vec<Operand> {
    node.input_names().into_iter().map(|name| operand(name.map(Given::Value))).collect()
}

fn operand(input: Option<Given<'_>>) -> Operand {
    match input {
        Some(Given::Value(name)) => Operand::Value(name.to_owned()),
        Some(Given::Constant(constant)) => Operand::Constant(constant.element, constant.numbers.clone()),
        None => Operand::Absent,
    }
}

/// Writes what a runtime would keep for a value.
fn value(of: &Value<'_>, symbols: &Symbols) -> String {
    let dims = of.dims.as_ref().map(|dims| dims.iter().map(|dim| dim.display(symbols).to_string()).collect::<Vec<_>>());
    format!("{}: [{}]", of.name, dims.map_or_else(|_| "?".to_owned(), |dims| dims.join(", ")))
}

fn import(path: &Path) -> Result<(), Box<dyn Error>> {
    let file = ModelFile::open(path)?;
    // An importer need not refuse a file for the order of its nodes.
    let model = file.model().sorted()?;
    let analysis = analyse(&model, &Options::of(&file))?;
    let graph = model.graph().ok_or("the model has no graph")?;
    let mut importer = Importer { analysis: &analysis, reader: analysis.reader(file.external()), refused: Vec::new() };
    let plan = importer.plan(graph);
    for input in graph.inputs() {
        let known = importer.reader.scopes().value(0, &input.name).map(|of| value(of, &analysis.symbols));
        println!("input {}", known.unwrap_or_default());
    }
    let mut bytes = 0;
    for tensor in graph.initializers() {
        bytes += file.external().elements(tensor).map_or(0, |elements| elements.len());
    }
    println!("{} constants, {bytes} bytes", graph.initializers().len());
    for Step { op, inputs, outputs } in &plan {
        println!("{} = {op:?} {inputs:?}", outputs.join(", "));
    }
    importer.refused.iter().for_each(|refused| println!("not imported: {refused}"));
    Ok(())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/acme.onnx");
    let given = std::env::args_os().nth(1).map(PathBuf::from);
    import(&given.filter(|path| path.is_file()).unwrap_or_else(|| model.into()))
}
