//! Opening files, and saying what is wrong with those that are no model.

use std::fs;
use std::io;

use super::*;

#[test]
fn a_file_is_mapped_and_knows_its_path() {
    let (_directory, path) = scratch();
    let mut model = sample();
    model.graph.as_mut().unwrap().initializer[0].raw_data = Some(vec![1; 1 << 12].into());
    let bytes = model.encode_to_vec();
    fs::write(&path, &bytes).unwrap();
    let file = ModelFile::open(&path).unwrap();
    assert_eq!((file.path(), &file.bytes()[..], of_views(file.model())), (Some(&*path), &bytes[..], model));
    let raw = file.model().graph().unwrap().initializers().get(0).unwrap().raw_data.as_ref().unwrap();
    assert!(lies_in(raw, file.bytes()));
    assert_eq!(read(bytes).unwrap().path(), None);
}

#[test]
fn a_file_reads_as_memory_does() {
    // Names and data that lie across every kind of border of the reader's window.
    let initializer = (0..600)
        .map(|index| TensorProto {
            name: "n".repeat(index * 7),
            data_type: Some(3),
            raw_data: Some(vec![1; index * index % 9000].into()),
            int32_data: (0..600).collect(),
            ..TensorProto::default()
        })
        .collect();
    let graph = GraphProto { initializer, ..GraphProto::default() };
    let bytes = ModelProto { graph: Some(graph), ..ModelProto::default() }.encode_to_vec();
    let (_directory, path) = scratch();
    for tail in 0..20 {
        let bytes = [field(99, vec![0; tail]), bytes.clone()].concat();
        fs::write(&path, &bytes).unwrap();
        assert_eq!(of_views(ModelFile::open(&path).unwrap().model()), of_views(read(bytes).unwrap().model()));
    }
}

#[test]
fn what_is_no_model_is_named() {
    let page = "\n<!DOCTYPE HTML><html><body>404</body></html>";
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    for (content, says) in [
        ("".as_bytes(), "is empty"),
        (pointer.as_bytes(), "is a git-LFS pointer, not an ONNX model; fetch the model itself with `git lfs pull`"),
        (page.as_bytes(), "is a web page, not an ONNX model; the download failed"),
        (br#"{"ir_version": 8}"#, "is text, not an ONNX model"),
        ("ir_version: 8 # größer".as_bytes(), "is text"),
        (&varint(99, 1), "is not an ONNX model: none of a model's fields is in it"),
        (&varint(1, 8), "has no graph; it may be cut short"),
        (b"\x89PNG\r\n\x1a\n", "is not a valid ONNX model, as seen at byte"),
    ] {
        let (_directory, path) = scratch();
        fs::write(&path, content).unwrap();
        let error = ModelFile::open(&path).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("model.onnx"), "{error}");
    }
}

#[test]
fn what_cannot_be_opened_is_named() {
    let (directory, path) = scratch();
    match ModelFile::open(&path) {
        Err(ModelError::Read { reason, .. }) => assert_eq!(reason.kind(), io::ErrorKind::NotFound),
        other => panic!("{other:?}"),
    }
    let error = ModelFile::open(directory.path()).unwrap_err();
    assert!(error.to_string().ends_with("is a directory; name the model file in it"), "{error}");
}

#[test]
fn a_library_of_functions_is_a_model() {
    let functions = vec![FunctionProto::default()];
    assert!(read(ModelProto { functions, ..ModelProto::default() }.encode_to_vec()).is_ok());
}

#[test]
fn a_file_that_was_written_is_told() {
    let (_directory, path) = scratch();
    let bytes = sample().encode_to_vec();
    fs::write(&path, &bytes).unwrap();
    let model = ModelFile::open(&path).unwrap();
    model.check_unchanged().unwrap();
    fs::write(&path, [bytes, varint(99, 1)].concat()).unwrap();
    let error = model.check_unchanged().unwrap_err();
    assert!(matches!(error, ModelError::Changed { .. }), "{error}");
}
