//! Files that were damaged, or made to do damage.

use super::*;

/// Nested messages by the numbers of their fields, outermost first, `levels` times over.
fn nest(path: &[u32], levels: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in path.iter().rev().cycle().take(path.len() * levels) {
        bytes = field(*number, bytes);
    }
    bytes
}

#[test]
fn a_cut_at_any_byte_is_an_error_or_a_smaller_model() {
    let bytes = Bytes::from(sample().encode_to_vec());
    let whole = sample();
    for len in 0..bytes.len() {
        match read(bytes.slice(..len)) {
            Ok(file) => assert_ne!(of_views(file.model()), whole, "{len}"),
            Err(error) => assert!(error.to_string().contains("<memory>"), "{error}"),
        }
    }
}

#[test]
fn any_changed_byte_is_an_error_or_another_model() {
    let bytes = sample().encode_to_vec();
    for at in 0..bytes.len() {
        for new in [0, 1, 0x7f, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = new;
            if let Ok(file) = read(bytes) {
                let edit = edit::edit_all(&of_views(file.model()));
                let (_directory, path) = scratch();
                drop(file.write(&edit, &path));
            }
        }
    }
}

#[test]
fn a_file_that_is_cut_short_says_where() {
    let mut bytes = sample().encode_to_vec();
    bytes.truncate(100);
    match read(bytes) {
        Err(ModelError::Truncated { offset, field: "graph", declared, left, .. }) => {
            assert!(declared > left && offset < 100);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_length_of_four_gigabytes_is_not_believed() {
    let prefix = |key: &[u8]| [key, &[0xff, 0xff, 0xff, 0xff, 0x0f]].concat();
    for (bytes, says) in [
        (prefix(&[0x3a]), "its field `graph` at byte 0 needs 4294967295 bytes, and 0 are left"),
        (prefix(&[0x12]), "its field `producer_name` at byte 0"),
        (field(7, prefix(&[0x12])), "GraphProto.name: ModelProto.graph: buffer underflow"),
        (field(7, field(5, prefix(&[0x4a]))), "TensorProto.raw_data"),
        (field(7, field(5, prefix(&[0x0a]))), "TensorProto.dims"),
        (field(7, field(5, prefix(&[0x3a]))), "TensorProto.int64_data"),
        (field(7, prefix(&[0xfa, 0x3f])), "ModelProto.graph"),
    ] {
        let error = read(bytes).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn a_field_that_leaves_its_message_is_refused() {
    // The name says 3 bytes, the graph around it 2; both fit the file.
    let bytes = [field(7, [0x12, 3]), field(2, "abc")].concat();
    assert!(matches!(read(bytes), Err(ModelError::Malformed { .. })));
}

#[test]
fn messages_may_nest_a_hundred_deep() {
    // graph, then node, attribute and g for each level
    let model = |levels| field(7, nest(&[1, 5, 6], levels));
    assert!(read(model(33)).is_ok());
    for bytes in [
        model(34),
        model(10_000),
        field(7, field(11, field(2, nest(&[4, 1], 10_000)))),
        field(7, field(1, field(5, field(14, nest(&[9, 1], 10_000))))),
    ] {
        match read(bytes) {
            Err(ModelError::TooDeep { levels: 100, .. }) => {}
            other => panic!("{other:?}"),
        }
    }
    // Unknown groups nest too, and nothing of the model is in them.
    let groups = [field(7, ""), [0x9b, 0x06].repeat(10_000)].concat();
    assert!(matches!(read(groups), Err(ModelError::Malformed { .. })));
}

#[test]
fn empty_messages_cost_what_a_file_may_cost() {
    let million = 1_000_000;
    for (what, bytes) in [
        ("nodes", [0x0a, 0].repeat(million)),
        ("initializers", [0x2a, 0].repeat(million)),
        ("attributes", field(1, [0x2a, 0].repeat(million))),
        ("boxes", field(1, [0x2a, 2, 0x2a, 0].repeat(million))),
    ] {
        match read(field(7, bytes)) {
            Err(ModelError::OverBudget { .. }) => {}
            other => panic!("{what}: {:?}", other.map(|_| ())),
        }
    }
    // Numbers and names are small enough.
    for bytes in [field(1, [0x0a, 0].repeat(million)), field(5, field(1, [0].repeat(million)))] {
        assert!(read(field(7, bytes)).is_ok());
    }
}

#[test]
fn a_refusal_does_not_outlive_the_file() {
    assert!(read(field(7, nest(&[1, 5, 6], 34))).is_err());
    assert!(read(field(7, [0x0a, 0].repeat(1_000_000))).is_err());
    assert!(read(sample().encode_to_vec()).is_ok());
}

#[test]
fn a_mistake_is_named_with_message_and_field() {
    for (bytes, says) in [
        (field(7, field(1, field(3, [0xff]))), "NodeProto.name: GraphProto.node: ModelProto.graph: invalid string"),
        (field(7, field(1, varint(3, 1))), "NodeProto.name"),
        (field(7, field(11, field(2, field(1, field(1, ""))))), "TensorType.elem_type"),
        (field(7, field(11, varint(2, 1))), "ValueInfoProto.type"),
        (field(7, field(1, [0])), "invalid tag value: 0"),
        (varint(7, 1), "ModelProto.graph"),
    ] {
        let error = read(bytes).unwrap_err().to_string();
        assert!(error.contains("at byte") && error.contains(says), "{error}");
    }
}
