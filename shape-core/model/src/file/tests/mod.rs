//! Behaviour of the whole module: what it reads, what it refuses, what it writes.

mod decode;
mod edit;
mod external;
mod hostile;
mod open;
mod tensor;

use std::path::PathBuf;

use bytes::Bytes;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};

use super::proto::*;
use super::{ModelError, ModelFile};
use shape_core::node::AttributeKind;

/// A varint field.
fn varint(number: u32, value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_key(number, WireType::Varint, &mut bytes);
    encode_varint(value, &mut bytes);
    bytes
}

/// A length-delimited field.
fn field(number: u32, payload: impl AsRef<[u8]>) -> Vec<u8> {
    let payload = payload.as_ref();
    let mut bytes = Vec::new();
    encode_key(number, WireType::LengthDelimited, &mut bytes);
    encode_varint(payload.len() as u64, &mut bytes);
    bytes.extend_from_slice(payload);
    bytes
}

fn read(bytes: impl Into<Bytes>) -> Result<ModelFile, ModelError> {
    ModelFile::from_bytes(bytes.into())
}

fn tensor_type(elem_type: i32, dims: &[i64]) -> TypeProto {
    let dim = dims
        .iter()
        .map(|&size| Dimension { value: Some(DimensionValue::DimValue(size)), ..Dimension::default() })
        .collect();
    TypeProto {
        value: Some(TypeValue::TensorType(TensorType {
            elem_type: Some(elem_type),
            shape: Some(TensorShapeProto { dim }),
        })),
        ..TypeProto::default()
    }
}

fn tensor(data_type: i32, dims: &[i64]) -> TensorProto {
    TensorProto { data_type: Some(data_type), dims: dims.to_vec(), ..TensorProto::default() }
}

/// A tensor whose elements lie in another file.
fn external(data_type: i32, dims: &[i64], entries: &[(&str, &str)]) -> TensorProto {
    let entry = |(key, value): &(&str, &str)| StringStringEntryProto { key: (*key).into(), value: (*value).into() };
    TensorProto {
        data_location: Some(DataLocation::External.number()),
        external_data: entries.iter().map(entry).collect(),
        ..tensor(data_type, dims)
    }
}

fn value_info(name: &str, r#type: TypeProto) -> ValueInfoProto {
    ValueInfoProto { name: name.to_owned(), r#type: Some(r#type), ..ValueInfoProto::default() }
}

/// A model with a value of nearly every kind, and with a graph inside of a graph.
fn sample() -> ModelProto {
    let inner = GraphProto {
        name: "inner".to_owned(),
        node: vec![NodeProto {
            output: vec!["c".to_owned()],
            op_type: "Constant".to_owned(),
            attribute: vec![AttributeProto {
                name: "value_ints".to_owned(),
                r#type: Some(AttributeKind::Ints.number()),
                ints: vec![1, -1, i64::MAX, i64::MIN],
                ..AttributeProto::default()
            }],
            ..NodeProto::default()
        }],
        ..GraphProto::default()
    };
    let branch = |name: &str| AttributeProto {
        name: name.to_owned(),
        r#type: Some(AttributeKind::Graph.number()),
        g: Some(Box::new(inner.clone())),
        ..AttributeProto::default()
    };
    ModelProto {
        ir_version: Some(10),
        producer_name: "test".to_owned(),
        model_version: Some(0),
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: Some(21) }],
        graph: Some(GraphProto {
            name: "outer".to_owned(),
            node: vec![
                NodeProto {
                    input: vec!["x".to_owned(), String::new()],
                    output: vec!["y".to_owned()],
                    op_type: "Identity".to_owned(),
                    ..NodeProto::default()
                },
                NodeProto {
                    input: vec!["cond".to_owned()],
                    output: vec!["z".to_owned()],
                    op_type: "If".to_owned(),
                    attribute: vec![branch("then_branch"), branch("else_branch")],
                    ..NodeProto::default()
                },
            ],
            initializer: vec![TensorProto {
                name: "w".to_owned(),
                dims: vec![2, 2],
                data_type: Some(1),
                raw_data: Some(Bytes::from_static(&[7; 16])),
                ..TensorProto::default()
            }],
            input: vec![value_info("x", tensor_type(1, &[1, 2]))],
            output: vec![value_info("z", TypeProto::default())],
            value_info: vec![value_info("y", tensor_type(1, &[]))],
            ..GraphProto::default()
        }),
        functions: vec![FunctionProto { name: "f".to_owned(), ..FunctionProto::default() }],
        ..ModelProto::default()
    }
}

fn scratch() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.onnx");
    (directory, path)
}

/// Whether `part` is a view of `whole`.
fn lies_in(part: &[u8], whole: &[u8]) -> bool {
    whole.as_ptr_range().start <= part.as_ptr_range().start && part.as_ptr_range().end <= whole.as_ptr_range().end
}
