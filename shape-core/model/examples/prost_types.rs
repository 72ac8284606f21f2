//! Reads typed operators from messages of one's own, here such as `prost` generates: `cargo run --example prost_types
//! MODEL`.
//!
//! A program that has a reader of model files already needs `onnxspec-core` alone, and one implementation of
//! [`AttributeSource`] for a reference to its node. What it keeps of a message is viewed and not copied.
//!
//! ```text
//! MatMul
//! Add
//! Shape { start: 0 }
//! Gather { axis: 0 }
//! Unsqueeze
//! Concat { axis: 0 }
//! Reshape { allowzero: 0 }
//! Transpose { perm: [0, 2, 1, 3] }
//! Cast { to: 1, saturate: 1 }
//! Sqrt
//! Div
//! Softmax { axis: -1 }
//! ```

use std::any::Any;
use std::collections::HashSet;
use std::error::Error;
use std::path::PathBuf;

use prost::Message;
use shape_core::data_type::DataType;
use shape_core::node::{
    AttributeKind, AttributeSource, AttributeValue, GraphView, NodeAttribute, TensorStorage, TensorView,
};
use shape_core::operator::ReadNode as _;
use shape_core::operators::ai_onnx::AnyOperator;

// What `prost-build` makes of `onnx.proto`, as far as it is needed here.

#[derive(Clone, PartialEq, Message)]
struct ModelProto {
    #[prost(message, optional, tag = "7")]
    graph: Option<GraphProto>,
    #[prost(message, repeated, tag = "8")]
    opset_import: Vec<OperatorSetIdProto>,
}

#[derive(Clone, PartialEq, Message)]
struct OperatorSetIdProto {
    #[prost(string, optional, tag = "1")]
    domain: Option<String>,
    #[prost(int64, optional, tag = "2")]
    version: Option<i64>,
}

#[derive(Clone, PartialEq, Message)]
struct GraphProto {
    #[prost(message, repeated, tag = "1")]
    node: Vec<NodeProto>,
}

#[derive(Clone, PartialEq, Message)]
struct NodeProto {
    #[prost(string, optional, tag = "3")]
    name: Option<String>,
    #[prost(string, optional, tag = "4")]
    op_type: Option<String>,
    #[prost(message, repeated, tag = "5")]
    attribute: Vec<AttributeProto>,
    #[prost(string, optional, tag = "7")]
    domain: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
struct AttributeProto {
    #[prost(string, optional, tag = "1")]
    name: Option<String>,
    #[prost(float, optional, tag = "2")]
    f: Option<f32>,
    #[prost(int64, optional, tag = "3")]
    i: Option<i64>,
    #[prost(bytes = "vec", optional, tag = "4")]
    s: Option<Vec<u8>>,
    #[prost(message, optional, tag = "5")]
    t: Option<TensorProto>,
    #[prost(message, optional, tag = "6")]
    g: Option<GraphProto>,
    #[prost(float, repeated, tag = "7")]
    floats: Vec<f32>,
    #[prost(int64, repeated, tag = "8")]
    ints: Vec<i64>,
    #[prost(bytes = "vec", repeated, tag = "9")]
    strings: Vec<Vec<u8>>,
    #[prost(int32, optional, tag = "20")]
    r#type: Option<i32>,
    #[prost(string, optional, tag = "21")]
    ref_attr_name: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
struct TensorProto {
    #[prost(int64, repeated, packed = "false", tag = "1")]
    dims: Vec<i64>,
    #[prost(int32, optional, tag = "2")]
    data_type: Option<i32>,
    #[prost(float, repeated, tag = "4")]
    float_data: Vec<f32>,
    #[prost(int64, repeated, tag = "7")]
    int64_data: Vec<i64>,
    #[prost(bytes = "vec", optional, tag = "9")]
    raw_data: Option<Vec<u8>>,
}

/// The attributes of a node, for `onnxspec-core`.
impl<'a> AttributeSource<'a> for &'a NodeProto {
    fn attributes(&self) -> impl Iterator<Item = NodeAttribute<'a>> {
        self.attribute.iter().filter_map(view)
    }

    fn without_kind(&self) -> Option<&'a str> {
        self.attribute.iter().find(|attribute| view(attribute).is_none()).map(AttributeProto::name)
    }
}

fn view(attribute: &AttributeProto) -> Option<NodeAttribute<'_>> {
    let kind = AttributeKind::from_number(attribute.r#type())?;
    let value = match kind {
        // The value is that of the function's caller.
        _ if !attribute.ref_attr_name().is_empty() => None,
        AttributeKind::Int => attribute.i.map(AttributeValue::Int),
        AttributeKind::Float => attribute.f.map(AttributeValue::Float),
        AttributeKind::String => attribute.s.as_deref().map(AttributeValue::String),
        AttributeKind::Ints => Some(AttributeValue::Ints(&attribute.ints)),
        AttributeKind::Floats => Some(AttributeValue::Floats(&attribute.floats)),
        AttributeKind::Strings => Some(AttributeValue::Strings((&attribute.strings).into())),
        AttributeKind::Tensor => attribute.t.as_ref().map(|tensor| AttributeValue::Tensor(TensorView::new(tensor))),
        AttributeKind::Graph => attribute.g.as_ref().map(|graph| AttributeValue::Graph(GraphView::new(graph))),
        _ => None,
    };
    // A value that is not there, or that this program does not keep, is refused where it is needed.
    Some(NodeAttribute::new(attribute.name(), value.unwrap_or(AttributeValue::Other(kind))))
}

/// What rules read of a tensor, such as the value that a `ConstantOfShape` repeats.
impl TensorStorage for TensorProto {
    fn data_type(&self) -> Option<DataType> {
        DataType::from_number(Self::data_type(self))
    }

    fn rank(&self) -> usize {
        self.dims.len()
    }

    fn dim(&self, axis: usize) -> Option<u64> {
        u64::try_from(*self.dims.get(axis)?).ok()
    }

    fn bytes(&self) -> Option<&[u8]> {
        self.raw_data.as_deref()
    }

    fn read(&self, max: usize, read: &mut dyn FnMut(&[u8])) {
        let fits = |count: usize| count <= max;
        match (TensorStorage::data_type(self), self.bytes()) {
            (Some(of), Some(raw)) if of.bits().is_some_and(|bits| fits(raw.len() * 8 / usize::from(bits))) => read(raw),
            (Some(DataType::Float), None) if fits(self.float_data.len()) => {
                read(&self.float_data.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>());
            }
            (Some(DataType::Int64), None) if fits(self.int64_data.len()) => {
                read(&self.int64_data.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>());
            }
            // Not read, and so not known.
            _ => {}
        }
    }

    fn same_as(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    let given = std::env::args_os().nth(1).map(PathBuf::from).filter(|path| path.is_file());
    let model = ModelProto::decode(&*std::fs::read(given.unwrap_or_else(|| path.into()))?)?;
    let import =
        model.opset_import.iter().find(|import| import.domain().is_empty()).ok_or("ai.onnx is not imported")?;
    let opset = u32::try_from(import.version())?;
    // The first node of each operator.
    let mut shown = HashSet::new();
    for node in model.graph.iter().flat_map(|graph| &graph.node).filter(|node| shown.insert(node.op_type())) {
        match AnyOperator::read_node(node.domain(), node.op_type(), opset, node) {
            Ok(operator) => println!("{operator:?}"),
            Err(error) => println!("{} ({}): {error}", node.name(), node.op_type()),
        }
    }
    Ok(())
}
