//! The model, its opset imports, training information and functions.

use super::super::wire::message;
use super::attribute::AttributeProto;
use super::device::DeviceConfigurationProto;
use super::entry::StringStringEntryProto;
use super::graph::{GraphProto, NodeProto, ValueInfoProto};

message! {
    /// A model: the content of a `.onnx` file.
    pub struct ModelProto {
        /// The version of the format, `ir_version`.
        pub ir_version: Option<i64> = 1,
        /// The operator sets that the nodes use.
        pub opset_import: Vec<OperatorSetIdProto> = 8,
        /// The tool that wrote the model.
        pub producer_name: String = 2,
        /// That tool's version.
        pub producer_version: String = 3,
        /// The owner of the model, as a reversed host name.
        pub domain: String = 4,
        /// The version of the model itself.
        pub model_version: Option<i64> = 5,
        /// Documentation for people.
        pub doc_string: String = 6,
        /// The graph that is executed.
        pub graph: Option<GraphProto> = 7,
        /// Pairs that tools attach to the model.
        pub metadata_props: Vec<StringStringEntryProto> = 14,
        /// How the model is trained; since IR 7.
        pub training_info: Vec<TrainingInfoProto> = 20,
        /// Functions that nodes of the model call; since IR 8.
        pub functions: Vec<FunctionProto> = 25,
        /// Sets of devices that nodes refer to; since IR 11.
        pub configuration: Vec<DeviceConfigurationProto> = 26,
    }

    /// The version of one domain's operators that a model or a function uses.
    pub struct OperatorSetIdProto {
        /// The domain; empty means `ai.onnx`.
        pub domain: String = 1,
        /// The opset version.
        pub version: Option<i64> = 2,
    }

    /// How tensors are initialized and updated in training.
    pub struct TrainingInfoProto {
        /// Computes the initial values.
        pub initialization: Option<GraphProto> = 1,
        /// Computes one training step.
        pub algorithm: Option<GraphProto> = 2,
        /// Which output of `initialization` each initializer is set to.
        pub initialization_binding: Vec<StringStringEntryProto> = 3,
        /// Which output of `algorithm` each initializer is set to.
        pub update_binding: Vec<StringStringEntryProto> = 4,
    }

    /// An operator that is defined by a graph of other operators.
    pub struct FunctionProto {
        /// The operator's name.
        pub name: String = 1,
        /// Names of the inputs.
        pub input: Vec<String> = 4,
        /// Names of the outputs.
        pub output: Vec<String> = 5,
        /// Names of the attributes that have no default.
        pub attribute: Vec<String> = 6,
        /// Attributes with their defaults; since IR 9.
        pub attribute_proto: Vec<AttributeProto> = 11,
        /// The body.
        pub node: Vec<NodeProto> = 7,
        /// Documentation for people.
        pub doc_string: String = 8,
        /// The operator sets that the body uses.
        pub opset_import: Vec<OperatorSetIdProto> = 9,
        /// The operator's domain.
        pub domain: String = 10,
        /// Distinguishes functions with the same domain and name; since IR 10.
        pub overload: String = 13,
        /// Types of the body's values; since IR 10.
        pub value_info: Vec<ValueInfoProto> = 12,
        /// Pairs that tools attach to the function; since IR 10.
        pub metadata_props: Vec<StringStringEntryProto> = 14,
    }
}
