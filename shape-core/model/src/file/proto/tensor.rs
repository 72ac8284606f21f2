//! Tensors. Element data is kept as it is stored in the file; `TensorProto::elements` reads it.

use bytes::Bytes;

use super::super::packed::Packed;
use super::super::wire::message;
use super::entry::StringStringEntryProto;

message! {
    /// A constant tensor. Its elements are in `raw_data`, in the one field that suits `data_type`, or in another file.
    pub struct TensorProto {
        /// The size of each dimension; none for a scalar.
        pub dims: Vec<i64> = 1,
        /// ONNX's number of the element type, such as 1 for float.
        pub data_type: Option<i32> = 2,
        /// The part of a larger tensor that this is. No known tool writes it.
        pub segment: Option<Segment> = 3,
        /// Elements that are float or, as pairs, complex64.
        pub float_data: Packed<f32> = 4,
        /// Elements that are integers of up to 32 bits except uint32, bools, or the bits of floats of up to 16.
        pub int32_data: Packed<i32> = 5,
        /// Elements that are strings, which should be UTF-8.
        pub string_data: Vec<Bytes> = 6,
        /// Elements that are int64.
        pub int64_data: Packed<i64> = 7,
        /// The tensor's name.
        pub name: String = 8,
        /// Documentation for people.
        pub doc_string: String = 12,
        /// Elements of any type except string: fixed width, little-endian, sub-byte ones packed from the low bits up.
        pub raw_data: Option<Bytes> = 9,
        /// The location of the elements in another file, as the pairs `location`, `offset`, `length` and `checksum`.
        pub external_data: Vec<StringStringEntryProto> = 13,
        /// Whether the elements are in the message or in another file: the number of a [`DataLocation`].
        pub data_location: Option<i32> = 14,
        /// Elements that are double or, as pairs, complex128.
        pub double_data: Packed<f64> = 10,
        /// Elements that are uint32 or uint64.
        pub uint64_data: Packed<u64> = 11,
        /// Pairs that tools attach to the tensor; since IR 10.
        pub metadata_props: Vec<StringStringEntryProto> = 16,
    }

    /// `TensorProto.Segment`: a range of a larger tensor's elements.
    pub struct Segment {
        /// The first element.
        pub begin: Option<i64> = 1,
        /// The element after the last one.
        pub end: Option<i64> = 2,
    }

    /// A tensor that only stores the elements that are not zero; since IR 6.
    pub struct SparseTensorProto {
        /// The stored elements, a list; its name is the sparse tensor's name.
        pub values: Option<TensorProto> = 1,
        /// The positions of the stored elements: a list of linear indices, or a matrix with a row of indices for each.
        pub indices: Option<TensorProto> = 2,
        /// The dims of the whole tensor.
        pub dims: Vec<i64> = 3,
    }
}

/// `TensorProto.DataLocation`: where a tensor's elements are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum DataLocation {
    /// In the message itself.
    Default = 0,
    /// In the file that `external_data` names.
    External = 1,
}

impl DataLocation {
    /// ONNX's number of the location.
    #[must_use]
    pub const fn number(self) -> i32 {
        self as i32
    }
}
