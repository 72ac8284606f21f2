//! An attribute of a node: its name, kind and value.

use core::fmt;

use super::held::{
    GraphView, GraphsView, SparseTensorView, SparseTensorsView, TensorsView, TypeProtoView, TypeProtosView,
};
use super::strings::StringsView;
use super::tensor::TensorView;

/// The kind of an attribute: `AttributeProto.AttributeType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are ONNX's own and say all there is")]
pub enum AttributeKind {
    Float = 1,
    Int = 2,
    String = 3,
    Tensor = 4,
    Graph = 5,
    Floats = 6,
    Ints = 7,
    Strings = 8,
    Tensors = 9,
    Graphs = 10,
    SparseTensor = 11,
    SparseTensors = 12,
    TypeProto = 13,
    TypeProtos = 14,
}

const KINDS: [(AttributeKind, &str); 14] = [
    (AttributeKind::Float, "FLOAT"),
    (AttributeKind::Int, "INT"),
    (AttributeKind::String, "STRING"),
    (AttributeKind::Tensor, "TENSOR"),
    (AttributeKind::Graph, "GRAPH"),
    (AttributeKind::Floats, "FLOATS"),
    (AttributeKind::Ints, "INTS"),
    (AttributeKind::Strings, "STRINGS"),
    (AttributeKind::Tensors, "TENSORS"),
    (AttributeKind::Graphs, "GRAPHS"),
    (AttributeKind::SparseTensor, "SPARSE_TENSOR"),
    (AttributeKind::SparseTensors, "SPARSE_TENSORS"),
    (AttributeKind::TypeProto, "TYPE_PROTO"),
    (AttributeKind::TypeProtos, "TYPE_PROTOS"),
];

impl AttributeKind {
    /// All kinds in the order of their numbers, which begin with 1.
    pub(crate) const ALL: [Self; 14] = {
        let (mut all, mut index) = ([Self::Float; 14], 0);
        while index < KINDS.len() {
            all[index] = KINDS[index].0;
            index += 1;
        }
        all
    };

    /// The kind with this number in `AttributeProto.type`; `None` for 0 (undefined) and for numbers that ONNX does not
    /// have.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        KINDS.get(index).map(|(kind, _)| *kind)
    }

    /// The number in `AttributeProto.type`.
    #[must_use]
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// ONNX's name of the kind: `INTS`.
    #[must_use]
    pub fn name(self) -> &'static str {
        KINDS[self as usize - 1].1
    }
}

impl fmt::Display for AttributeKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// The value of an attribute, as a view of its storage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttributeValue<'a> {
    /// INT
    Int(i64),
    /// FLOAT
    Float(f32),
    /// STRING: bytes, which ONNX means to be UTF-8.
    String(&'a [u8]),
    /// INTS
    Ints(&'a [i64]),
    /// FLOATS
    Floats(&'a [f32]),
    /// STRINGS
    Strings(StringsView<'a>),
    /// TENSOR
    Tensor(TensorView<'a>),
    /// GRAPH
    Graph(GraphView<'a>),
    /// `SPARSE_TENSOR`
    SparseTensor(SparseTensorView<'a>),
    /// `TYPE_PROTO`
    TypeProto(TypeProtoView<'a>),
    /// TENSORS
    Tensors(TensorsView<'a>),
    /// GRAPHS
    Graphs(GraphsView<'a>),
    /// `SPARSE_TENSORS`
    SparseTensors(SparseTensorsView<'a>),
    /// `TYPE_PROTOS`
    TypeProtos(TypeProtosView<'a>),
    /// A value of this kind that is not available: the caller of a function passes it (a reference), or the file does not
    /// have it.
    Other(AttributeKind),
}

impl AttributeValue<'_> {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> AttributeKind {
        match self {
            Self::Int(_) => AttributeKind::Int,
            Self::Float(_) => AttributeKind::Float,
            Self::String(_) => AttributeKind::String,
            Self::Ints(_) => AttributeKind::Ints,
            Self::Floats(_) => AttributeKind::Floats,
            Self::Strings(_) => AttributeKind::Strings,
            Self::Tensor(_) => AttributeKind::Tensor,
            Self::Graph(_) => AttributeKind::Graph,
            Self::SparseTensor(_) => AttributeKind::SparseTensor,
            Self::TypeProto(_) => AttributeKind::TypeProto,
            Self::Tensors(_) => AttributeKind::Tensors,
            Self::Graphs(_) => AttributeKind::Graphs,
            Self::SparseTensors(_) => AttributeKind::SparseTensors,
            Self::TypeProtos(_) => AttributeKind::TypeProtos,
            Self::Other(kind) => *kind,
        }
    }
}

impl fmt::Display for AttributeValue<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(formatter, "{value}"),
            Self::Float(value) => write!(formatter, "{value:?}"),
            Self::String(value) => write!(formatter, "\"{}\"", value.escape_ascii()),
            Self::Ints(values) => write!(formatter, "{values:?}"),
            Self::Floats(values) => write!(formatter, "{values:?}"),
            Self::Strings(values) => write!(formatter, "{values}"),
            Self::Tensor(value) => write!(formatter, "{value}"),
            hidden => write!(formatter, "{}", hidden.kind()),
        }
    }
}

/// An attribute of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeAttribute<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value; zero or empty if the file has none.
    pub value: AttributeValue<'a>,
    /// Whether the file has a value, and not only its kind.
    pub has_value: bool,
}

impl<'a> NodeAttribute<'a> {
    /// An attribute with a value.
    #[must_use]
    pub const fn new(name: &'a str, value: AttributeValue<'a>) -> Self {
        Self { name, value, has_value: true }
    }
}
