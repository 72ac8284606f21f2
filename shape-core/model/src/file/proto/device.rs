//! Models that run on several devices; since IR 11.

use super::super::wire::{message, oneof};

message! {
    /// A set of devices.
    pub struct DeviceConfigurationProto {
        /// The configuration's name.
        pub name: String = 1,
        /// The number of devices.
        pub num_devices: Option<i32> = 2,
        /// A name for each of them, if they have names.
        pub device: Vec<String> = 3,
    }

    /// How one configuration runs a node.
    pub struct NodeDeviceConfigurationProto {
        /// The name of the configuration.
        pub configuration_id: String = 1,
        /// How the node's tensors are distributed.
        pub sharding_spec: Vec<ShardingSpecProto> = 2,
        /// The pipeline stage that the node belongs to.
        pub pipeline_stage: Option<i32> = 3,
    }

    /// How one input or output of a node is distributed over devices.
    pub struct ShardingSpecProto {
        /// The input or output.
        pub tensor_name: String = 1,
        /// The devices, or groups of devices, that hold a part each.
        pub device: Vec<i64> = 2,
        /// The devices of each group.
        pub index_to_device_group_map: Vec<IntIntListEntryProto> = 3,
        /// How the tensor is split along its axes.
        pub sharded_dim: Vec<ShardedDimProto> = 4,
    }

    /// A number and the numbers that it represents.
    pub struct IntIntListEntryProto {
        /// The number.
        pub key: Option<i64> = 1,
        /// The numbers that it represents.
        pub value: Vec<i64> = 2,
    }

    /// How a tensor is split along one axis.
    pub struct ShardedDimProto {
        /// The axis; a negative one counts from the last.
        pub axis: Option<i64> = 1,
        /// The splits: one, or several if the axis combines several axes.
        pub simple_sharding: Vec<SimpleShardedDimProto> = 2,
    }

    /// A dimension that is split into equal parts.
    pub struct SimpleShardedDimProto {
        /// The dimension.
        pub dim: Option<SimpleShardedDim> = 1 | 2,
        /// The number of parts.
        pub num_shards: Option<i64> = 3,
    }
}

oneof! {
    /// The size of a dimension that is split.
    pub enum SimpleShardedDim {
        /// `dim_value`: its size.
        DimValue(i64) = 1,
        /// `dim_param`: the symbol that stands for its size.
        DimParam(String) = 2,
    }
}
