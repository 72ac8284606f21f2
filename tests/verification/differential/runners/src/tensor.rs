//! Tensors as files of ONNX hold them.

use prost::Message;

use crate::Refusal;

/// The names of the types of elements, at the place of their number in ONNX.
const NAMES: [&str; 17] = [
    "undefined",
    "float",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "int32",
    "int64",
    "string",
    "bool",
    "float16",
    "double",
    "uint32",
    "uint64",
    "complex64",
    "complex128",
    "bfloat16",
];

#[derive(Clone, PartialEq, Message)]
struct TensorProto {
    #[prost(int64, repeated, tag = "1")]
    dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    data_type: i32,
    #[prost(float, repeated, tag = "4")]
    float_data: Vec<f32>,
    #[prost(int32, repeated, tag = "5")]
    int32_data: Vec<i32>,
    #[prost(bytes = "vec", repeated, tag = "6")]
    string_data: Vec<Vec<u8>>,
    #[prost(int64, repeated, tag = "7")]
    int64_data: Vec<i64>,
    #[prost(string, tag = "8")]
    name: String,
    #[prost(bytes = "vec", tag = "9")]
    raw_data: Vec<u8>,
    #[prost(double, repeated, tag = "10")]
    double_data: Vec<f64>,
    #[prost(uint64, repeated, tag = "11")]
    uint64_data: Vec<u64>,
}

/// A tensor: the bytes of its elements, least significant first, or its strings.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// The number of the type of the elements.
    pub code: i32,
    /// How many elements there are along each axis.
    pub dims: Vec<usize>,
    /// The elements, where they are not strings.
    pub bytes: Vec<u8>,
    /// The elements, where they are strings.
    pub strings: Vec<Vec<u8>>,
    /// What is known of the dims where a tool infers them, and has no elements.
    pub inferred: Option<Vec<Option<usize>>>,
}

impl Data {
    /// Reads what a file of a tensor holds.
    pub fn decode(file: &[u8]) -> Result<Self, Refusal> {
        let proto = TensorProto::decode(file)?;
        let dims = proto.dims.iter().map(|&dim| usize::try_from(dim)).collect::<Result<_, _>>()?;
        Ok(Self { code: proto.data_type, dims, bytes: bytes(&proto), strings: proto.string_data, inferred: None })
    }

    /// What a file of this tensor holds.
    #[must_use]
    pub fn encode(&self, name: &str) -> Vec<u8> {
        let dims = self.dims.iter().filter_map(|&dim| i64::try_from(dim).ok()).collect();
        TensorProto {
            dims,
            data_type: self.code,
            name: name.to_owned(),
            raw_data: self.bytes.clone(),
            string_data: self.strings.clone(),
            ..TensorProto::default()
        }
        .encode_to_vec()
    }

    /// The type as the manifest has it.
    #[must_use]
    pub fn type_name(&self) -> String {
        let name = usize::try_from(self.code).ok().and_then(|code| NAMES.get(code)).copied();
        format!("tensor({})", name.unwrap_or("other"))
    }
}

/// The elements that bytes hold, each read by `read`.
pub fn elements<T, const N: usize>(bytes: &[u8], read: fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(|chunk| read(*chunk)).collect()
}

/// The bytes of the elements, in whichever field they are.
fn bytes(proto: &TensorProto) -> Vec<u8> {
    if !proto.raw_data.is_empty() {
        return proto.raw_data.clone();
    }
    let width = match proto.data_type {
        2 | 3 | 9 => 1,
        4 | 5 | 10 | 16 => 2,
        1 | 6 | 12 | 14 => 4,
        _ => 8,
    };
    let mut all = Vec::new();
    all.extend(proto.float_data.iter().flat_map(|value| value.to_le_bytes()));
    all.extend(proto.int32_data.iter().flat_map(|value| value.to_le_bytes().into_iter().take(width)));
    all.extend(proto.int64_data.iter().flat_map(|value| value.to_le_bytes()));
    all.extend(proto.double_data.iter().flat_map(|value| value.to_le_bytes()));
    all.extend(proto.uint64_data.iter().flat_map(|value| value.to_le_bytes().into_iter().take(width)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_from_the_field_of_their_type() {
        let proto = TensorProto { dims: vec![2], data_type: 2, int32_data: vec![1, 200], ..TensorProto::default() };
        let data = Data::decode(&proto.encode_to_vec()).unwrap();
        assert_eq!((data.bytes, data.dims), (vec![1, 200], vec![2]));
        let proto = TensorProto { dims: vec![1], data_type: 12, uint64_data: vec![7], ..TensorProto::default() };
        assert_eq!(Data::decode(&proto.encode_to_vec()).unwrap().bytes, [7, 0, 0, 0]);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let data = Data { code: 1, dims: vec![0, 2], ..Data::default() };
        let read = Data::decode(&data.encode("y")).unwrap();
        assert_eq!((read.type_name(), read.dims), ("tensor(float)".to_owned(), vec![0, 2]));
    }
}
