//! Behaviour of the whole module: what it reads, what it refuses, what it writes.

mod by_prost;
mod decode;
mod edit;
mod external;
mod hostile;
mod open;
mod tensor;

use std::path::PathBuf;

use super::model::Model;
use super::proto::*;
use super::wire::put_varint;
use super::{Attribute, Function, Graph, List, Message, ModelError, ModelFile, Node, Training};
use bytes::Bytes;
use shape_core::node::AttributeKind;

/// A pipe, whose readers find its end after a minute: a test must not wait for ever for what it says is refused.
#[cfg(unix)]
pub(super) fn pipe(path: PathBuf) {
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_secs(60));
        // It has a writer for a moment.
        drop(std::fs::OpenOptions::new().write(true).open(path));
    });
}

/// A varint field.
fn varint(number: u32, value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_varint(u64::from(number) << 3, &mut bytes);
    put_varint(value, &mut bytes);
    bytes
}

/// A length-delimited field.
fn field(number: u32, payload: impl AsRef<[u8]>) -> Vec<u8> {
    let payload = payload.as_ref();
    let mut bytes = Vec::new();
    put_varint(u64::from(number) << 3 | 2, &mut bytes);
    put_varint(payload.len() as u64, &mut bytes);
    bytes.extend_from_slice(payload);
    bytes
}

fn read(bytes: impl Into<Bytes>) -> Result<ModelFile, ModelError> {
    ModelFile::from_bytes(bytes.into())
}

/// The message of a model, put together from the views of its parts. It must be the one that decoding its bytes gives.
#[track_caller]
fn of_views(model: &Model) -> ModelProto {
    fn strings<'m>(names: List<'m, &'m str>) -> Vec<String> {
        names.iter().map(str::to_owned).collect()
    }
    fn cloned<T: Clone>(list: impl IntoIterator<Item = impl std::ops::Deref<Target = T>>) -> Vec<T> {
        list.into_iter().map(|entry| entry.clone()).collect()
    }
    fn attributes<'m>(list: List<'m, Attribute<'m>>, decoded: &[AttributeProto]) -> Vec<AttributeProto> {
        let docs = decoded.iter().map(|attribute| attribute.doc_string.clone());
        list.iter()
            .zip(docs)
            .map(|(attribute, doc_string)| AttributeProto { doc_string, ..attribute.proto() })
            .collect()
    }
    fn node(node: Node<'_>) -> NodeProto {
        let decoded = node.proto();
        NodeProto {
            input: strings(node.inputs()),
            output: strings(node.outputs()),
            name: node.name().to_owned(),
            op_type: node.op_type().to_owned(),
            domain: node.domain().to_owned(),
            overload: node.overload().to_owned(),
            attribute: attributes(node.attributes(), &decoded.attribute),
            ..decoded
        }
    }
    fn graph(of: Graph<'_>) -> GraphProto {
        GraphProto {
            node: of.nodes().iter().map(node).collect(),
            name: of.name().to_owned(),
            initializer: cloned(of.initializers()),
            sparse_initializer: cloned(of.sparse_initializers()),
            input: cloned(of.inputs()),
            output: cloned(of.outputs()),
            value_info: cloned(of.value_info()),
            doc_string: of.proto().doc_string,
            ..of.header()
        }
    }
    let function = |function: Function<'_>| {
        let decoded = function.proto();
        FunctionProto {
            name: function.name().to_owned(),
            input: strings(function.inputs()),
            output: strings(function.outputs()),
            attribute: strings(function.attributes()),
            attribute_proto: attributes(function.defaults(), &decoded.attribute_proto),
            node: function.nodes().iter().map(node).collect(),
            opset_import: function.opset_import().to_vec(),
            domain: function.domain().to_owned(),
            overload: function.overload().to_owned(),
            value_info: cloned(function.value_info()),
            metadata_props: function.metadata_props(),
            ..decoded
        }
    };
    let training = |training: Training<'_>| TrainingInfoProto {
        initialization: training.initialization().map(graph),
        algorithm: training.algorithm().map(graph),
        ..training.header()
    };
    let whole = ModelProto {
        ir_version: model.ir_version(),
        opset_import: model.opset_import().to_vec(),
        graph: model.graph().map(graph),
        functions: model.functions().iter().map(function).collect(),
        training_info: model.training_info().iter().map(training).collect(),
        ..model.header()
    };
    assert_eq!(whole, model.proto());
    for list in [model.graph().map(Graph::inputs), model.graph().map(Graph::value_info)].into_iter().flatten() {
        assert!(list.names().zip(list).all(|(name, info)| model.text(name) == info.name));
    }
    whole
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
