//! Tests with folders that hold every kind of tensor.

use std::fs;
use std::path::PathBuf;

use super::{Case, Outcome, run};
use crate::file::proto::{
    DataLocation, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, SequenceType, StringStringEntryProto,
    TensorProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use crate::file::{Bytes, Message as _};
use shape_core::data_type::DataType;
use shape_core::registry::Registry;

/// A test-case folder under construction.
struct Folder {
    root: tempfile::TempDir,
}

impl Folder {
    fn new(model: &ModelProto) -> Self {
        let folder = Self { root: tempfile::tempdir().unwrap() };
        fs::create_dir(folder.path("test_data_set_0")).unwrap();
        fs::write(folder.path("model.onnx"), model.encode_to_vec()).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// `input_0` or `output_0`, and so on.
    fn tensor(self, name: &str, tensor: &TensorProto) -> Self {
        self.file(&format!("test_data_set_0/{name}.pb"), &tensor.encode_to_vec())
    }

    fn file(self, name: &str, content: &[u8]) -> Self {
        fs::write(self.path(name), content).unwrap();
        self
    }

    fn run(&self) -> (Outcome, String) {
        let Case { outcome, detail, .. } = run(self.root.path(), Registry::builtin());
        (outcome, detail.unwrap_or_default())
    }

    #[track_caller]
    fn assert_outcome(&self, outcome: Outcome, says: &str) {
        let (found, detail) = self.run();
        assert!(found == outcome && detail.contains(says), "{found}: {detail}\nnot {outcome}: {says}");
    }
}

fn declared(name: &str, value: TypeValue) -> ValueInfoProto {
    let ty = TypeProto { value: Some(value), ..TypeProto::default() };
    ValueInfoProto { name: name.into(), r#type: Some(ty), ..ValueInfoProto::default() }
}

fn value(name: &str, data_type: DataType) -> ValueInfoProto {
    declared(name, TypeValue::TensorType(TensorType { elem_type: Some(data_type.number().into()), shape: None }))
}

fn model(opset: i64, graph: GraphProto) -> ModelProto {
    ModelProto {
        ir_version: Some(12),
        opset_import: vec![OperatorSetIdProto { version: Some(opset), ..OperatorSetIdProto::default() }],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

fn node(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input: names(inputs), output: names(outputs), ..NodeProto::default() }
}

/// `y = Reshape(x, target)`
fn reshape(data_type: DataType) -> ModelProto {
    let graph = GraphProto {
        node: vec![node("Reshape", &["x", "target"], &["y"])],
        input: vec![value("x", data_type), value("target", DataType::Int64)],
        output: vec![value("y", data_type)],
        ..GraphProto::default()
    };
    model(25, graph)
}

/// A model that returns its input.
fn identity(data_type: DataType) -> ModelProto {
    let graph =
        GraphProto { input: vec![value("x", data_type)], output: vec![value("x", data_type)], ..GraphProto::default() };
    model(25, graph)
}

fn tensor(data_type: DataType, dims: &[i64]) -> TensorProto {
    TensorProto { data_type: Some(data_type.number().into()), dims: dims.to_vec(), ..TensorProto::default() }
}

fn raw(data_type: DataType, dims: &[i64], bytes: &[u8]) -> TensorProto {
    TensorProto { raw_data: Some(Bytes::copy_from_slice(bytes)), ..tensor(data_type, dims) }
}

fn int64(dims: &[i64], values: &[i64]) -> TensorProto {
    TensorProto { int64_data: values.iter().copied().collect(), ..tensor(DataType::Int64, dims) }
}

fn strings(dims: &[i64], values: &[&str]) -> TensorProto {
    let values = values.iter().map(|value| Bytes::copy_from_slice(value.as_bytes())).collect();
    TensorProto { string_data: values, ..tensor(DataType::String, dims) }
}

fn external(data_type: DataType, dims: &[i64], location: &str, offset: usize) -> TensorProto {
    let entry = |key: &str, value: String| StringStringEntryProto { key: key.into(), value };
    TensorProto {
        data_location: Some(DataLocation::External.number()),
        external_data: vec![entry("location", location.to_owned()), entry("offset", offset.to_string())],
        ..tensor(data_type, dims)
    }
}

/// Elements as one stream of bits, from the low bits up.
fn packed(width: usize, elements: &[u128]) -> Vec<u8> {
    let bits: Vec<bool> =
        elements.iter().flat_map(|element| (0..width).map(move |bit| element >> bit & 1 == 1)).collect();
    bits.chunks(8).map(|byte| byte.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))).collect()
}

/// The same elements in the list that ONNX has for their type.
fn listed(data_type: DataType, dims: &[i64], elements: &[u128]) -> TensorProto {
    use DataType::*;
    let mut tensor = tensor(data_type, dims);
    let low = |element: &u128| *element as u64;
    let parts = elements.iter().flat_map(|element| [*element as u64, (element >> 64) as u64]);
    let halves = elements.iter().flat_map(|element| [*element as u32, (element >> 32) as u32]);
    match data_type {
        Float => tensor.float_data = elements.iter().map(|element| f32::from_bits(*element as u32)).collect(),
        Complex64 => tensor.float_data = halves.map(f32::from_bits).collect(),
        Double => tensor.double_data = elements.iter().map(low).map(f64::from_bits).collect(),
        Complex128 => tensor.double_data = parts.map(f64::from_bits).collect(),
        Int64 => tensor.int64_data = elements.iter().map(|element| *element as i64).collect(),
        Uint32 | Uint64 => tensor.uint64_data = elements.iter().map(low).collect(),
        Int8 => tensor.int32_data = elements.iter().map(|element| i32::from(*element as i8)).collect(),
        Int16 => tensor.int32_data = elements.iter().map(|element| i32::from(*element as i16)).collect(),
        Int4 | Uint4 | Float4e2m1 => tensor.int32_data = packed(4, elements).into_iter().map(i32::from).collect(),
        Int2 | Uint2 => tensor.int32_data = packed(2, elements).into_iter().map(i32::from).collect(),
        _ => tensor.int32_data = elements.iter().map(|element| *element as i32).collect(),
    }
    tensor
}

/// The offset of external tensors in their files.
const OFFSET: usize = 3;

/// A tensor in every encoding, and the content of the external file for the last of them.
fn encodings(data_type: DataType, dims: &[i64], elements: &[u128]) -> ([TensorProto; 3], Vec<u8>) {
    let bytes = packed(data_type.bits().unwrap().into(), elements);
    let file = [&[0xee; OFFSET], &bytes[..], &[0xee]].concat();
    let tensors = [
        raw(data_type, dims, &bytes),
        listed(data_type, dims, elements),
        external(data_type, dims, "elements.bin", OFFSET),
    ];
    (tensors, file)
}

/// Elements of many bits. Bit 6 of each byte is clear, so that no exponent is all ones, and none is NaN, which would
/// equal others.
fn elements(data_type: DataType, count: usize) -> Vec<u128> {
    let mask = match data_type.bits().unwrap() {
        _ if data_type == DataType::Bool => 1,
        128 => u128::MAX,
        width => (1 << width) - 1,
    };
    let clear = u128::from_le_bytes([0xbf; 16]);
    (1..=count as u128)
        .map(|index| index.wrapping_mul(0x3143_2a0b_1d5c_3a69_2b17_5d3c_1a4e_2d37) & mask & clear)
        .collect()
}

/// Every type, in every encoding as input and as output; right, wrong in its last element, and with bits set in the
/// padding.
#[test]
fn every_type_in_every_encoding() {
    for data_type in DataType::all().filter(|data_type| *data_type != DataType::String) {
        // Six-bit floats came later than any version of Reshape.
        let reshapes = !matches!(data_type, DataType::Float6e2m3 | DataType::Float6e3m2);
        for count in [0, 1, 3, 6, 8] {
            let rows = i64::try_from(count).unwrap();
            let after: &[i64] = if reshapes { &[rows, 1] } else { &[rows] };
            let elements = elements(data_type, count);
            let (inputs, file) = encodings(data_type, &[rows], &elements);
            let (outputs, _) = encodings(data_type, after, &elements);
            let model = if reshapes { reshape(data_type) } else { identity(data_type) };
            let mut folder = Folder::new(&model)
                .file("test_data_set_0/elements.bin", &file)
                .tensor("input_1", &int64(&[2], &[0, 1]));
            for input in &inputs {
                for output in &outputs {
                    folder = folder.tensor("input_0", input).tensor("output_0", output);
                    assert_eq!(folder.run(), (Outcome::Pass, String::new()), "{input:?} {output:?}");
                }
            }
            let Some(last) = elements.len().checked_sub(1) else { continue };
            let mut wrong = elements.clone();
            wrong[last] ^= 1;
            folder = folder.tensor("output_0", &listed(data_type, after, &wrong));
            folder.assert_outcome(
                Outcome::Fail,
                &format!("at {:?}, expected ", if reshapes { vec![last, 0] } else { vec![last] }),
            );

            let width = usize::from(data_type.bits().unwrap());
            let mut bytes = packed(width, &elements);
            let padding = bytes.len() * 8 - count * width;
            if padding > 0 {
                *bytes.last_mut().unwrap() |= 0xff << (8 - padding);
                folder = folder.tensor("output_0", &raw(data_type, after, &bytes));
                // Of the bits behind the last element, only those of six-bit types have to be zero, as in the package.
                let (outcome, _) = folder.run();
                let expected = if width == 6 { Outcome::Error } else { Outcome::Pass };
                assert_eq!(outcome, expected, "{data_type} {count}");
            }
        }
    }
}

#[test]
fn nan_is_nan_and_minus_zero_is_not_zero() {
    let bits = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    for (data_type, dims, found, expected, detail) in [
        (DataType::Float, [2], bits(&[0x7fc0_0000, 1]), bits(&[0xffc0_0001, 1]), None),
        (DataType::Float, [2], bits(&[0, 0x8000_0000]), bits(&[0, 0]), Some("is -0 at [1], expected 0")),
        (DataType::Float, [1], bits(&[0x7fc0_0000]), bits(&[0x7f80_0000]), Some("is NaN at [0], expected inf")),
        (DataType::Complex64, [1], bits(&[5, 0x7fc0_0000]), bits(&[5, 0x7fc0_0001]), None),
        (
            DataType::Int32,
            [1],
            bits(&[0x7fc0_0000]),
            bits(&[0x7fc0_0001]),
            Some("is 2143289344 at [0], expected 2143289345"),
        ),
        (DataType::Float8e4m3fn, [1], vec![0x7f], vec![0xff], None),
        (DataType::Float8e4m3fnuz, [1], vec![0x7f], vec![0xff], Some("is 0x7f at [0], expected 0xff")),
    ] {
        let folder = Folder::new(&identity(data_type))
            .tensor("input_0", &raw(data_type, &dims, &found))
            .tensor("output_0", &raw(data_type, &dims, &expected));
        match detail {
            Some(detail) => folder.assert_outcome(Outcome::Fail, detail),
            None => folder.assert_outcome(Outcome::Pass, ""),
        }
    }
}

#[test]
fn string_tensors() {
    let folder = Folder::new(&reshape(DataType::String)).tensor("input_1", &int64(&[2], &[2, -1]));
    let folder = folder
        .tensor("input_0", &strings(&[4], &["a", "", "größer", "d"]))
        .tensor("output_0", &strings(&[2, 2], &["a", "", "größer", "d"]));
    folder.assert_outcome(Outcome::Pass, "");
    let folder = folder.tensor("output_0", &strings(&[2, 2], &["a", "", "c", "d"]));
    folder.assert_outcome(Outcome::Fail, "output 0 `y` is b\"gr\\xc3\\xb6\\xc3\\x9fer\" at [1, 0], expected b\"c\"");
    let folder = folder.tensor("output_0", &strings(&[4], &["a", "", "größer", "d"]));
    folder.assert_outcome(Outcome::Fail, "output 0 `y` is string [2, 2], expected string [4]");
    let folder = folder.tensor("output_0", &strings(&[2, 2], &["a"]));
    folder.assert_outcome(Outcome::Error, "output_0.pb: the dims ask for 4 strings and string_data has 1");
    let folder = folder.tensor("output_0", &external(DataType::String, &[2, 2], "elements.bin", 0));
    folder.assert_outcome(Outcome::Error, "output_0.pb: strings cannot lie in another file");
    folder.tensor("input_0", &strings(&[3], &["a", "b", "c"])).assert_outcome(Outcome::Fail, "Reshape: ");
}

#[test]
fn tensors_without_elements_or_dims() {
    for (from, target, to) in [
        // The 0 copies the 3, and nine elements are not zero elements.
        (&[0_i64, 3][..], &[3_i64, 0][..], &[3_i64, 3][..]),
        (&[2, 0, 3], &[0, -1, 5], &[2, 0, 5]),
        (&[0], &[0, 7], &[0, 7]),
        (&[1, 1], &[], &[]),
        (&[], &[1, 1, 1], &[1, 1, 1]),
        (&[], &[-1], &[1]),
    ] {
        let count = |dims: &[i64]| usize::try_from(dims.iter().product::<i64>()).unwrap();
        let fits = count(from) == count(to);
        let folder = Folder::new(&reshape(DataType::Float16))
            .tensor("input_0", &raw(DataType::Float16, from, &vec![1; count(from) * 2]))
            .tensor("input_1", &int64(&[i64::try_from(target.len()).unwrap()], target))
            .tensor("output_0", &raw(DataType::Float16, to, &vec![1; count(to) * 2]));
        let (outcome, detail) = folder.run();
        assert_eq!(outcome == Outcome::Pass, fits, "{from:?} {target:?}: {outcome} {detail}");
    }
}

/// The numbers of the target become the output's dims, in whatever form the target is stored.
#[test]
fn a_target_in_every_encoding() {
    let (targets, file) = encodings(DataType::Int64, &[2], &[3, u64::MAX.into()]);
    let x = raw(DataType::Uint8, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    let y = raw(DataType::Uint8, &[3, 2], &[1, 2, 3, 4, 5, 6]);
    for target in targets {
        let mut initialized = reshape(DataType::Uint8);
        let graph = initialized.graph.as_mut().unwrap();
        graph.input.pop();
        graph.initializer.push(TensorProto { name: "target".into(), ..target.clone() });
        let folder = Folder::new(&initialized).file("elements.bin", &file);
        folder.tensor("input_0", &x).tensor("output_0", &y).assert_outcome(Outcome::Pass, "");
        let folder = Folder::new(&reshape(DataType::Uint8)).file("test_data_set_0/elements.bin", &file);
        let folder = folder.tensor("input_0", &x).tensor("output_0", &y).tensor("input_1", &target);
        folder.assert_outcome(Outcome::Pass, "");
        let folder = folder.tensor("output_0", &raw(DataType::Uint8, &[2, 3], &[1, 2, 3, 4, 5, 6]));
        folder.assert_outcome(Outcome::Fail, "output 0 `y` is uint8 [3, 2], expected uint8 [2, 3]");
    }
}

/// The target that Reshape gets at run time is the output of Shape.
#[test]
fn elements_flow_from_node_to_node() {
    let graph = GraphProto {
        node: vec![
            node("Shape", &["like"], &["dims"]),
            node("Reshape", &["x", "dims"], &["z"]),
            node("Reshape", &["dims", "column"], &["w"]),
            node("Reshape", &["z", "list"], &["y"]),
        ],
        initializer: vec![
            TensorProto { name: "list".into(), ..int64(&[1], &[-1]) },
            TensorProto { name: "column".into(), ..int64(&[2], &[-1, 1]) },
        ],
        input: vec![value("x", DataType::Int4), value("like", DataType::Bool)],
        output: vec![value("z", DataType::Int4), value("y", DataType::Int4), value("w", DataType::Int64)],
        ..GraphProto::default()
    };
    let folder = Folder::new(&model(21, graph))
        .tensor("input_0", &raw(DataType::Int4, &[6], &[0x21, 0x43, 0x65]))
        .tensor("input_1", &raw(DataType::Bool, &[2, 3], &[0; 6]))
        .tensor("output_0", &raw(DataType::Int4, &[2, 3], &[0x21, 0x43, 0x65]))
        .tensor("output_1", &raw(DataType::Int4, &[6], &[0x21, 0x43, 0x65]))
        .tensor("output_2", &int64(&[2, 1], &[2, 3]));
    folder.assert_outcome(Outcome::Pass, "");
    let folder = folder.tensor("output_1", &raw(DataType::Int4, &[6], &[0x21, 0x4b, 0x65]));
    folder.assert_outcome(Outcome::Fail, "output 1 `y` is 3 at [2], expected -5");
    let folder = folder.tensor("output_1", &raw(DataType::Uint4, &[6], &[0x21, 0x43, 0x65]));
    folder.assert_outcome(Outcome::Fail, "output 1 `y` is int4 [6], expected uint4 [6]");
}

#[test]
fn data_that_are_not_there_or_not_the_model_s() {
    let x = |location: &str| external(DataType::Uint8, &[4], location, 0);
    let y = raw(DataType::Uint8, &[4], &[1; 4]);
    let mut folder = Folder::new(&identity(DataType::Uint8))
        .file("elements.bin", &[1; 4])
        .file("test_data_set_0/short.bin", &[1; 3])
        .tensor("output_0", &y);
    for (location, says) in [
        ("../elements.bin", "input_0.pb: the location `../elements.bin` is refused"),
        ("/etc/passwd", "input_0.pb: the location `/etc/passwd` is refused"),
        ("absent.bin", "input_0.pb: there is no file"),
        (".", "is no regular file"),
        ("short.bin", "short.bin has 3 bytes, and 4 are needed from byte 0 on"),
    ] {
        folder = folder.tensor("input_0", &x(location));
        folder.assert_outcome(Outcome::Error, says);
    }
    let mut initialized = identity(DataType::Uint8);
    let graph = initialized.graph.as_mut().unwrap();
    graph.initializer.push(TensorProto { name: "w".into(), ..x("../elements.bin") });
    graph.output.push(value("w", DataType::Uint8));
    let folder = Folder::new(&initialized).tensor("input_0", &y).tensor("output_0", &y).tensor("output_1", &y);
    folder.assert_outcome(Outcome::Error, "`w`: the location `../elements.bin` is refused");
    // A target is checked before anything runs.
    let mut initialized = reshape(DataType::Uint8);
    let graph = initialized.graph.as_mut().unwrap();
    graph.input.pop();
    let target = external(DataType::Int64, &[2], "../elements.bin", 0);
    graph.initializer.push(TensorProto { name: "target".into(), ..target });
    let folder = Folder::new(&initialized).tensor("input_0", &y).tensor("output_0", &y);
    folder.assert_outcome(Outcome::Fail, "(external-data-outside)");
}

#[test]
fn files_that_are_no_tensor() {
    let y = raw(DataType::Uint8, &[], &[1]);
    let mut folder = Folder::new(&identity(DataType::Uint8)).tensor("output_0", &y);
    folder.assert_outcome(Outcome::Error, "input_0.pb: ");
    for (bytes, says) in [
        (&b""[..], "input_0.pb: data_type 0 is no element type"),
        (b"\x4a\xff\xff\xff\xff\x0f", "input_0.pb: no tensor, as seen at byte"),
        (b"<html>", "input_0.pb: no tensor"),
    ] {
        folder = folder.file("test_data_set_0/input_0.pb", bytes);
        folder.assert_outcome(Outcome::Error, says);
    }
    folder = folder.tensor("input_0", &tensor(DataType::Uint8, &[-1]));
    folder.assert_outcome(Outcome::Error, "dimension 0 is -1");
    folder = folder.tensor("input_0", &raw(DataType::Uint8, &[1 << 40], &[1]));
    folder.assert_outcome(Outcome::Error, "the dims ask for 1099511627776 bytes");
}

#[test]
fn what_is_not_followed_yet() {
    let sequence = declared("x", TypeValue::SequenceType(SequenceType { elem_type: None }));
    let graph = GraphProto { input: vec![sequence.clone()], output: vec![sequence], ..GraphProto::default() };
    let folder = Folder::new(&model(25, graph)).file("test_data_set_0/input_0.pb", &[0xff; 9]);
    folder.assert_outcome(Outcome::Skip, "`x` is no tensor, and nothing else is followed yet");
    for (domain, operator, says) in [
        ("", "Unique", "what output 0 of Unique is does not follow from its inputs alone"),
        ("com.acme", "Relu", "Relu has no descriptor"),
    ] {
        let folder =
            Folder::new(&unary(domain, operator, &["y"])).tensor("input_0", &raw(DataType::Float, &[1], &[0; 4]));
        folder.assert_outcome(Outcome::Skip, says);
    }
}

/// `y = operator(x)`, and as many more outputs.
fn unary(domain: &str, operator: &str, outputs: &[&str]) -> ModelProto {
    let nodes = outputs.iter().map(|output| NodeProto { domain: domain.into(), ..node(operator, &["x"], &[output]) });
    let graph = GraphProto {
        node: nodes.collect(),
        input: vec![value("x", DataType::Float)],
        output: outputs.iter().map(|output| value(output, DataType::Float)).collect(),
        ..GraphProto::default()
    };
    let mut model = model(25, graph);
    model.opset_import.push(OperatorSetIdProto { domain: "com.acme".into(), version: Some(1) });
    model
}

/// If no rule computes the elements, the types and dimensions are still compared.
#[test]
fn elements_that_no_rule_computes() {
    let (x, longer) = (raw(DataType::Float, &[2], &[0; 8]), raw(DataType::Float, &[3], &[0; 12]));
    let says = "output 0 `y` has the type and dimensions expected; no rule computes its elements";
    let folder = Folder::new(&unary("", "Relu", &["y"])).tensor("input_0", &x);
    let folder = folder.tensor("output_0", &raw(DataType::Float, &[2], &[7; 8]));
    folder.assert_outcome(Outcome::Dims, says);
    folder.tensor("output_0", &longer).assert_outcome(Outcome::Fail, "output 0 `y` is float [2], expected float [3]");
    // A failure after it is still reported.
    let folder = Folder::new(&unary("", "Relu", &["y", "z"])).tensor("input_0", &x).tensor("output_0", &x);
    let folder = folder.tensor("output_1", &x);
    folder.assert_outcome(Outcome::Dims, says);
    let folder = folder.tensor("output_1", &longer);
    folder.assert_outcome(Outcome::Fail, "output 1 `z` is float [2], expected float [3]");
    let folder = folder.tensor("output_1", &x);
    fs::create_dir(folder.path("test_data_set_1")).unwrap();
    let of_second = |name: &str, tensor: &TensorProto| (format!("test_data_set_1/{name}.pb"), tensor.encode_to_vec());
    let mut folder = folder;
    for (name, bytes) in [of_second("input_0", &x), of_second("output_0", &x), of_second("output_1", &longer)] {
        folder = folder.file(&name, &bytes);
    }
    folder.assert_outcome(Outcome::Fail, "test_data_set_1: output 1 `z` is float [2], expected float [3]");
}

/// A tensor's bytes are mapped and passed on, so their number does not matter: those of a sparse file take no memory
/// either.
#[test]
fn a_tensor_of_four_gigabytes() {
    let len = 1_i64 << 32;
    let folder = Folder::new(&reshape(DataType::Uint8));
    let file = fs::File::create(folder.path("test_data_set_0/elements.bin")).unwrap();
    if file.set_len(len.cast_unsigned()).is_err() || usize::try_from(len).is_err() {
        return;
    }
    let folder = folder
        .tensor("input_0", &external(DataType::Uint8, &[len], "elements.bin", 0))
        .tensor("input_1", &int64(&[2], &[1 << 16, -1]))
        .tensor("output_0", &raw(DataType::Uint8, &[1 << 16, 1], &vec![0; 1 << 16]));
    folder.assert_outcome(Outcome::Fail, "output 0 `y` is uint8 [65536, 65536], expected uint8 [65536, 1]");
}
