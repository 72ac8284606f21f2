//! Types of values.

use super::super::wire::{message, oneof};

message! {
    /// The type of a value.
    pub struct TypeProto {
        /// The kind of value, and the rest of the type; absent if nothing is known.
        pub value: Option<TypeValue> = 1 | 4 | 5 | 7 | 8 | 9,
        /// A word for what the value means, such as `IMAGE`.
        pub denotation: String = 6,
    }

    /// `TypeProto.Tensor`: a dense tensor.
    pub struct TensorType {
        /// ONNX's number of the element type.
        pub elem_type: Option<i32> = 1,
        /// The dims; absent if not even the rank is known.
        pub shape: Option<TensorShapeProto> = 2,
    }

    /// `TypeProto.Sequence`: a list of values of one type.
    pub struct SequenceType {
        /// The type of each value.
        pub elem_type: Option<Box<TypeProto>> = 1,
    }

    /// `TypeProto.Map`: from keys to values.
    pub struct MapType {
        /// ONNX's number of the key's element type: an integer or string.
        pub key_type: Option<i32> = 1,
        /// The type of each value.
        pub value_type: Option<Box<TypeProto>> = 2,
    }

    /// `TypeProto.Optional`: a value or nothing; since IR 8.
    pub struct OptionalType {
        /// The type of the value.
        pub elem_type: Option<Box<TypeProto>> = 1,
    }

    /// `TypeProto.SparseTensor`: a sparse tensor; since IR 8.
    pub struct SparseTensorType {
        /// ONNX's number of the element type.
        pub elem_type: Option<i32> = 1,
        /// The dims; absent if not even the rank is known.
        pub shape: Option<TensorShapeProto> = 2,
    }

    /// `TypeProto.Opaque`: a type that only its name describes.
    pub struct OpaqueType {
        /// The domain of the name; empty means the model's own.
        pub domain: String = 1,
        /// The name.
        pub name: String = 2,
    }

    /// The dims of a tensor.
    pub struct TensorShapeProto {
        /// One entry for each dimension; none for a scalar.
        pub dim: Vec<Dimension> = 1,
    }

    /// `TensorShapeProto.Dimension`: one dimension.
    pub struct Dimension {
        /// Its size or its symbol; absent if neither is known.
        pub value: Option<DimensionValue> = 1 | 2,
        /// A word for what the dimension means, such as `DATA_CHANNEL`.
        pub denotation: String = 3,
    }
}

oneof! {
    /// The kinds of types.
    pub enum TypeValue {
        /// `tensor_type`.
        TensorType(TensorType) = 1,
        /// `sequence_type`.
        SequenceType(SequenceType) = 4,
        /// `map_type`.
        MapType(MapType) = 5,
        /// `opaque_type`.
        OpaqueType(OpaqueType) = 7,
        /// `sparse_tensor_type`; since IR 8.
        SparseTensorType(SparseTensorType) = 8,
        /// `optional_type`; since IR 8.
        OptionalType(OptionalType) = 9,
    }

    /// The size or the symbol of a dimension.
    pub enum DimensionValue {
        /// `dim_value`: its size.
        DimValue(i64) = 1,
        /// `dim_param`: the symbol for its size.
        DimParam(String) = 2,
    }
}

/// What exporters write in the place of a name for a size that they do not know.
const PLACEHOLDERS: [&str; 5] = ["?", "None", "none", "-1", "*"];

impl Dimension {
    /// The name of its size, or an expression over names; `None` for a placeholder such as `?`, which two dimensions of
    /// different sizes may have.
    ///
    /// ```
    /// use shape_model::file::proto::{Dimension, DimensionValue};
    /// let called = |name: &str| Dimension { value: Some(DimensionValue::DimParam(name.into())), ..Dimension::default() };
    /// assert_eq!(called("batch").symbol(), Some("batch"));
    /// assert_eq!(called("?").symbol(), None);
    /// ```
    #[must_use]
    pub fn symbol(&self) -> Option<&str> {
        self.named().filter(|name| !is_placeholder(name))
    }

    /// What it has in the place of a name.
    pub(crate) fn placeholder(&self) -> Option<&str> {
        self.named().filter(|name| is_placeholder(name))
    }

    fn named(&self) -> Option<&str> {
        match &self.value {
            Some(DimensionValue::DimParam(name)) => Some(name).filter(|name| !name.is_empty()).map(String::as_str),
            _ => None,
        }
    }
}

fn is_placeholder(name: &str) -> bool {
    let name = name.trim();
    name.is_empty() || PLACEHOLDERS.contains(&name)
}
