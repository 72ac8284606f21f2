//! What the messages keep of a file.

use std::fmt::Debug;

use super::super::Packed;
use super::super::cursor::Cursor;
use super::super::scan;
use super::super::store::Store;
use super::*;

#[track_caller]
fn check<M: Message + PartialEq + Debug>(bytes: impl AsRef<[u8]>, expected: M) {
    assert_eq!(M::decode(bytes.as_ref().to_vec()), Ok(expected));
}

#[test]
fn a_model_survives_the_round_trip() {
    let model = sample();
    let bytes = model.encode_to_vec();
    assert_eq!(of_views(read(bytes).unwrap().model()), model);
}

#[test]
fn presence_is_kept() {
    check([], AttributeProto::default());
    check(varint(3, 0), AttributeProto { i: Some(0), ..AttributeProto::default() });
    check([0x15, 0, 0, 0, 0], AttributeProto { f: Some(0.0), ..AttributeProto::default() });
    check(field(4, ""), AttributeProto { s: Some(Bytes::new()), ..AttributeProto::default() });
    check(varint(20, 0), AttributeProto { r#type: Some(0), ..AttributeProto::default() });
    check(varint(2, 0), OperatorSetIdProto { version: Some(0), ..OperatorSetIdProto::default() });
    check(varint(1, 0), Dimension { value: Some(DimensionValue::DimValue(0)), ..Dimension::default() });
    check(field(2, ""), Dimension { value: Some(DimensionValue::DimParam(String::new())), ..Dimension::default() });
    check(field(2, ""), TensorType { shape: Some(TensorShapeProto::default()), ..TensorType::default() });
}

#[test]
fn numbers_come_packed_and_one_by_one() {
    let ints = |ints: &[i64]| AttributeProto { ints: ints.to_vec(), ..AttributeProto::default() };
    check(field(8, [1, 2]), ints(&[1, 2]));
    check([varint(8, 1), varint(8, 2)].concat(), ints(&[1, 2]));
    check([varint(8, 1), field(8, [2, 3]), varint(8, 4)].concat(), ints(&[1, 2, 3, 4]));
    check(varint(8, u64::MAX), ints(&[-1]));

    let data = |values: &[i64]| TensorProto { int64_data: values.iter().copied().collect(), ..TensorProto::default() };
    check(field(7, [1, 2]), data(&[1, 2]));
    check([varint(7, 1), varint(7, 300)].concat(), data(&[1, 300]));
    check([varint(7, 1), field(7, [2, 3]), field(7, [4]), varint(7, 5)].concat(), data(&[1, 2, 3, 4, 5]));

    let one = [&[0x25][..], &1.5_f32.to_le_bytes()].concat();
    let two = field(4, 2.5_f32.to_le_bytes());
    let floats: Packed<f32> = [1.5, 2.5].into_iter().collect();
    check([one, two].concat(), TensorProto { float_data: floats, ..TensorProto::default() });
}

#[test]
fn an_element_list_says_where_it_is_broken() {
    for (bytes, good) in [(&[1, 2, 0x80][..], 2), (&[0x80][..], 0), (&[0xff; 12][..], 0)] {
        let tensor = TensorProto::decode(field(7, bytes)).unwrap();
        let read: Vec<_> = tensor.int64_data.iter().collect();
        assert_eq!(read.len(), good + 1, "{bytes:?}");
        assert!(read.last().unwrap().is_err() && read.iter().rev().skip(1).all(Result::is_ok), "{bytes:?}");
    }
}

#[test]
fn what_comes_twice_is_merged() {
    check(
        [varint(1, 5), field(2, "N")].concat(),
        Dimension { value: Some(DimensionValue::DimParam("N".to_owned())), ..Dimension::default() },
    );
    let twice = [field(1, varint(1, 7)), field(1, field(2, ""))].concat();
    check(twice, tensor_type(7, &[]));
    check(
        [field(1, varint(1, 7)), field(4, "")].concat(),
        TypeProto { value: Some(TypeValue::SequenceType(SequenceType::default())), ..TypeProto::default() },
    );
    check([field(3, "old"), field(3, "new")].concat(), NodeProto { name: "new".to_owned(), ..NodeProto::default() });
}

#[test]
fn what_is_unknown_is_skipped() {
    let group = [&[0x9b, 0x06][..], &varint(1, 1), &[0x9c, 0x06]].concat(); // field 99 as a group
    let bytes = [varint(90, 1), field(91, "x"), group, field(3, "n"), vec![0xd5, 0x05, 0, 0, 0, 0]].concat();
    check(bytes, NodeProto { name: "n".to_owned(), ..NodeProto::default() });
}

#[test]
fn elements_are_views_of_the_file() {
    let tensor = TensorProto {
        raw_data: Some(Bytes::from_static(&[1; 64])),
        float_data: [1.0, 2.0].into_iter().collect(),
        int64_data: [1, 2].into_iter().collect(),
        string_data: vec![Bytes::from_static(b"text")],
        ..TensorProto::default()
    };
    let graph = GraphProto { initializer: vec![tensor], ..GraphProto::default() };
    let file = read(ModelProto { graph: Some(graph), ..ModelProto::default() }.encode_to_vec()).unwrap();
    let tensor = file.model().graph().unwrap().initializers().get(0).unwrap();
    for part in [
        tensor.raw_data.as_ref().unwrap(),
        tensor.float_data.as_bytes(),
        tensor.int64_data.as_bytes(),
        &tensor.string_data[0],
    ] {
        assert!(lies_in(part, file.bytes()));
    }
}

/// A message with a field that is not declared behind the others, which the quick reader leaves to the careful one, and
/// so in the messages in it: `inner` says which fields those are, and what is in them.
fn marked(bytes: &[u8], inner: &Inner) -> Vec<u8> {
    let store = Store::from(Bytes::copy_from_slice(bytes));
    let mut made = Vec::new();
    for found in scan::fields(Cursor::new(&store, 0, store.len(), usize::MAX)) {
        let found = found.unwrap();
        match inner.0.iter().find(|(number, _)| *number == found.number) {
            Some((number, inner)) => made.extend(field(*number, marked(&bytes[found.payload], inner))),
            None => made.extend(&bytes[found.whole]),
        }
    }
    made.extend(varint(1000, 1));
    made
}

struct Inner(&'static [(u32, Inner)]);

const LEAF: Inner = Inner(&[]);
const NODE: Inner = Inner(&[(5, Inner(&[(6, Inner(&[(1, LEAF)]))]))]);
const GRAPH: Inner = Inner(&[(1, NODE), (5, LEAF), (11, LEAF), (12, LEAF), (13, LEAF)]);

/// What is read quickly is what careful reading gives.
#[test]
fn quick_and_careful_agree() {
    let attribute = |fill: &dyn Fn(&mut AttributeProto)| {
        let mut attribute = AttributeProto { name: "a".into(), r#type: Some(1), ..AttributeProto::default() };
        fill(&mut attribute);
        attribute
    };
    let dense = TensorProto { name: "t".into(), float_data: [1.0, 2.0].into_iter().collect(), ..tensor(1, &[2]) };
    let node = NodeProto {
        input: vec!["größer".into(), String::new(), "a name of more than sixteen bytes".into()],
        output: vec!["out".into(), "größer".into()],
        name: "größer still".into(),
        domain: "domain".into(),
        overload: "overload".into(),
        attribute: vec![
            attribute(&|of| of.f = Some(0.5)),
            attribute(&|of| of.i = Some(i64::MIN)),
            attribute(&|of| of.s = Some(Bytes::from_static(b"text"))),
            attribute(&|of| of.t = Some(Box::new(dense.clone()))),
            attribute(&|of| of.ints = vec![1, -1, 300]),
            attribute(&|of| (of.floats, of.ints) = (vec![0.5, -1.0], vec![7])),
            attribute(&|of| (of.ref_attr_name, of.doc_string) = ("of".into(), "what".into())),
            attribute(&|of| of.r#type = None),
        ],
        ..NodeProto::default()
    };
    let quick = field(1, node.encode_to_vec());
    let late = field(1, [field(1, "a"), field(2, "b"), field(1, "c"), field(2, "d")].concat());
    let packed = field(1, field(5, [field(8, [1, 2, 0x80, 1]), varint(8, 5), field(7, [0; 8])].concat()));
    let twice = field(1, field(5, [varint(3, 1), varint(3, 2)].concat()));
    let mut models = vec![sample().encode_to_vec()];
    models.push(field(7, [&*quick, &*late, &*packed, &*twice, &*field(5, dense.encode_to_vec()), &*quick].concat()));
    for name in ["attention", "acme"] {
        let path = format!("{}/../../tests/models/{name}.onnx", env!("CARGO_MANIFEST_DIR"));
        models.push(std::fs::read(path).unwrap());
    }
    for model in models {
        let careful = marked(&model, &Inner(&[(7, GRAPH)]));
        let [quick, careful] = [model, careful].map(|bytes| of_views(read(bytes).unwrap().model()));
        assert_eq!(quick, careful);
    }
}
