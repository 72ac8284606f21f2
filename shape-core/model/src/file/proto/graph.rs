//! A graph, its nodes and its values.

use super::super::wire::message;
use super::attribute::AttributeProto;
use super::device::NodeDeviceConfigurationProto;
use super::entry::StringStringEntryProto;
use super::tensor::{SparseTensorProto, TensorProto};
use super::types::TypeProto;

message! {
    /// Nodes in execution order, and the values between them.
    pub struct GraphProto {
        /// The nodes.
        pub node: Vec<NodeProto> = 1,
        /// The graph's name.
        pub name: String = 2,
        /// Constants by name; up to IR 3 each is an input too.
        pub initializer: Vec<TensorProto> = 5,
        /// Constants stored sparsely; since IR 6.
        pub sparse_initializer: Vec<SparseTensorProto> = 15,
        /// Documentation for people.
        pub doc_string: String = 10,
        /// The inputs.
        pub input: Vec<ValueInfoProto> = 11,
        /// The outputs.
        pub output: Vec<ValueInfoProto> = 12,
        /// Types of values that are neither input nor output.
        pub value_info: Vec<ValueInfoProto> = 13,
        /// How tensors are quantized; since IR 5.
        pub quantization_annotation: Vec<TensorAnnotation> = 14,
        /// Pairs that tools attach to the graph; since IR 10.
        pub metadata_props: Vec<StringStringEntryProto> = 16,
    }

    /// One use of an operator.
    pub struct NodeProto {
        /// Names of the values that it reads; an empty name means that an optional input is left out.
        pub input: Vec<String> = 1,
        /// Names of the values that it computes; an empty name means that an optional output is left out.
        pub output: Vec<String> = 2,
        /// The node's name, which is optional.
        pub name: String = 3,
        /// The operator's name.
        pub op_type: String = 4,
        /// The operator's domain; empty means `ai.onnx`.
        pub domain: String = 7,
        /// Selects one of several functions with the same name; since IR 10.
        pub overload: String = 8,
        /// The attributes.
        pub attribute: Vec<AttributeProto> = 5,
        /// Documentation for people.
        pub doc_string: String = 6,
        /// Pairs that tools attach to the node; since IR 10.
        pub metadata_props: Vec<StringStringEntryProto> = 9,
        /// How the node is distributed over devices; since IR 11.
        pub device_configurations: Vec<NodeDeviceConfigurationProto> = 10,
    }

    /// The type of a named value.
    pub struct ValueInfoProto {
        /// The value's name.
        pub name: String = 1,
        /// Its type; absent when nothing is known.
        pub r#type: Option<TypeProto> = 2,
        /// Documentation for people.
        pub doc_string: String = 3,
        /// Pairs that tools attach to the value; since IR 10.
        pub metadata_props: Vec<StringStringEntryProto> = 4,
    }

    /// The tensors that hold a quantized tensor's parameters.
    pub struct TensorAnnotation {
        /// The quantized tensor.
        pub tensor_name: String = 1,
        /// Maps each parameter, such as `SCALE_TENSOR`, to the tensor that holds it.
        pub quant_parameter_tensor_names: Vec<StringStringEntryProto> = 2,
    }
}
