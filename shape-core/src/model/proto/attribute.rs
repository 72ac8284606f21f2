//! Attributes of a node.

use bytes::Bytes;

use super::super::wire::message;
use super::{GraphProto, SparseTensorProto, TensorProto, TypeProto};

message! {
    /// A named attribute, which has exactly one value: the field that `type` names.
    pub struct AttributeProto {
        /// The attribute's name.
        pub name: String = 1,
        /// In a function's body, the function's attribute that this one takes its value from.
        pub ref_attr_name: String = 21,
        /// Text for people.
        pub doc_string: String = 13,
        /// Which field holds the value: the number of an [`AttributeType`]. Always there since IR 2.
        pub r#type: Option<i32> = 20,
        /// A number with a fraction.
        pub f: Option<f32> = 2,
        /// A whole number.
        pub i: Option<i64> = 3,
        /// A string, which should be UTF-8.
        pub s: Option<Bytes> = 4,
        /// A tensor.
        pub t: Option<Box<TensorProto>> = 5,
        /// A graph, such as the body of a loop.
        pub g: Option<Box<GraphProto>> = 6,
        /// A sparse tensor; since IR 6.
        pub sparse_tensor: Option<Box<SparseTensorProto>> = 22,
        /// A type; since IR 8.
        pub tp: Option<Box<TypeProto>> = 14,
        /// Numbers with a fraction.
        pub floats: Vec<f32> = 7,
        /// Whole numbers.
        pub ints: Vec<i64> = 8,
        /// Strings, which should be UTF-8.
        pub strings: Vec<Bytes> = 9,
        /// Tensors.
        pub tensors: Vec<TensorProto> = 10,
        /// Graphs.
        pub graphs: Vec<GraphProto> = 11,
        /// Sparse tensors; since IR 6.
        pub sparse_tensors: Vec<SparseTensorProto> = 23,
        /// Types; since IR 8.
        pub type_protos: Vec<TypeProto> = 15,
    }
}

impl AttributeProto {
    /// Which field holds the value, or `None` if the file does not say so or gives a number that is not known here.
    #[must_use]
    pub fn attribute_type(&self) -> Option<AttributeType> {
        AttributeType::from_number(self.r#type?)
    }
}

/// `AttributeProto.AttributeType`: what kind of value an attribute has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum AttributeType {
    /// None: the attribute is not valid.
    Undefined = 0,
    /// In the field `f`.
    Float = 1,
    /// In the field `i`.
    Int = 2,
    /// In the field `s`.
    String = 3,
    /// In the field `t`.
    Tensor = 4,
    /// In the field `g`.
    Graph = 5,
    /// In the field `floats`.
    Floats = 6,
    /// In the field `ints`.
    Ints = 7,
    /// In the field `strings`.
    Strings = 8,
    /// In the field `tensors`.
    Tensors = 9,
    /// In the field `graphs`.
    Graphs = 10,
    /// In the field `sparse_tensor`.
    SparseTensor = 11,
    /// In the field `sparse_tensors`.
    SparseTensors = 12,
    /// In the field `tp`.
    TypeProto = 13,
    /// In the field `type_protos`.
    TypeProtos = 14,
}

impl AttributeType {
    const ALL: [Self; 15] = [
        Self::Undefined,
        Self::Float,
        Self::Int,
        Self::String,
        Self::Tensor,
        Self::Graph,
        Self::Floats,
        Self::Ints,
        Self::Strings,
        Self::Tensors,
        Self::Graphs,
        Self::SparseTensor,
        Self::SparseTensors,
        Self::TypeProto,
        Self::TypeProtos,
    ];

    /// The kind with ONNX's number `number`.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.number() == number)
    }

    /// ONNX's number of the kind.
    #[must_use]
    pub const fn number(self) -> i32 {
        self as i32
    }
}
