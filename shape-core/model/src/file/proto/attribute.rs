//! Attributes of a node.

use bytes::Bytes;

use super::super::wire::message;
use super::graph::GraphProto;
use super::tensor::{SparseTensorProto, TensorProto};
use super::types::TypeProto;

message! {
    /// A named attribute, which has exactly one value: the field that `type` names.
    pub struct AttributeProto {
        /// The attribute's name.
        pub name: String = 1,
        /// In a function's body, the function's attribute that this one takes its value from.
        pub ref_attr_name: String = 21,
        /// Documentation for people.
        pub doc_string: String = 13,
        /// The field that holds the value: the number of an [`AttributeKind`](shape_core::node::AttributeKind).
        /// Required since IR 2.
        pub r#type: Option<i32> = 20,
        /// A floating-point number.
        pub f: Option<f32> = 2,
        /// An integer.
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
        /// Floating-point numbers.
        pub floats: Vec<f32> = 7,
        /// Integers.
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
