//! The messages of ONNX, IR versions 3 to 14.
//!
//! Field names and numbers are those of `onnx-ml.proto`. A message that is nested there has a flat name here:
//! `TypeProto.Tensor` is [`TensorType`]. Numbers of enumerations stay `i32`, so that a value which is newer than this
//! crate survives decoding.
//!
//! An `Option` distinguishes an absent field from one with its default value. ONNX does not do so for strings: an
//! absent one is empty.

mod attribute;
mod device;
mod entry;
mod graph;
mod model;
mod tensor;
mod types;

pub use attribute::AttributeProto;
pub use device::{
    DeviceConfigurationProto, IntIntListEntryProto, NodeDeviceConfigurationProto, ShardedDimProto, ShardingSpecProto,
    SimpleShardedDim, SimpleShardedDimProto,
};
pub use entry::StringStringEntryProto;
pub use graph::{GraphProto, NodeProto, TensorAnnotation, ValueInfoProto};
pub use model::{FunctionProto, ModelProto, OperatorSetIdProto, TrainingInfoProto};
pub use tensor::{DataLocation, Segment, SparseTensorProto, TensorProto};
pub use types::{
    Dimension, DimensionValue, MapType, OpaqueType, OptionalType, SequenceType, SparseTensorType, TensorShapeProto,
    TensorType, TypeProto, TypeValue,
};
