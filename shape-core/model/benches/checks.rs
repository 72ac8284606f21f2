//! Checks, in nanoseconds and as JSON: what `tests/verification/peers/run` holds against `onnx.checker`. Its arguments
//! are the models; with `--memory MODEL` it checks that one alone, and tells the most memory that it took.

mod measure;

use std::env;
use std::hint::black_box;

use measure::{Failure, median, peak};
use shape_core::code::Severity;
use shape_core::node::{AttributeKind, AttributeValue, NodeAttribute};
use shape_core::{DataType, Registry, Type, check};
use shape_model::file::proto::{AttributeProto, NodeProto};
use shape_model::file::{Bytes, Message as _, ModelFile};
use shape_model::{Options, analyse};

const ROUNDS: usize = 25;
const OPSET: u32 = 21;
/// Each list attribute of the node that is checked.
const LISTS: [(&str, &[i64]); 4] =
    [("dilations", &[1, 1]), ("kernel_shape", &[3, 3]), ("pads", &[1, 1, 1, 1]), ("strides", &[2, 2])];

/// The version looked up, and every check of a node by its schema, the types of its inputs included.
fn check_node(op_type: &str, attributes: &[NodeAttribute<'_>], inputs: &[Option<Type>]) -> Result<(), Failure> {
    let schema = Registry::builtin().resolve("", op_type, OPSET).map_err(|missing| format!("{missing:?}"))?;
    let mut wrong = 0_u32;
    check::attributes(schema, attributes, &mut |_| wrong += 1);
    check::counts(schema, &[true, true, true], 1, &mut |_| wrong += 1);
    let bound = check::types(schema, inputs, &[], &mut |_| wrong += 1);
    let ty = schema.output(0).and_then(|parameter| bound.resolve(parameter));
    if wrong == 0 && ty == inputs[0] { Ok(()) } else { Err("a finding".into()) }
}

fn node() -> Result<[f64; 2], Failure> {
    let inputs = [Some(Type::tensor(DataType::Float)); 3];
    let parsed = LISTS.map(|(name, ints)| NodeAttribute::new(name, AttributeValue::Ints(ints)));
    let attribute = |(name, ints): (&str, &[i64])| AttributeProto {
        name: name.to_owned(),
        r#type: Some(AttributeKind::Ints.number()),
        ints: ints.to_vec(),
        ..AttributeProto::default()
    };
    let proto = NodeProto {
        op_type: "Conv".to_owned(),
        input: ["x", "w", "b"].map(str::to_owned).into(),
        output: vec!["y".to_owned()],
        attribute: LISTS.map(attribute).into(),
        ..NodeProto::default()
    };
    let bytes = Bytes::from(proto.encode_to_vec());
    Ok([
        median(ROUNDS, || check_node(black_box("Conv"), black_box(&parsed), black_box(&inputs)))?,
        median(ROUNDS, || {
            let node = NodeProto::decode(black_box(bytes.clone()))?;
            let attributes: Vec<_> = node
                .attribute
                .iter()
                .map(|attribute| NodeAttribute::new(&attribute.name, AttributeValue::Ints(&attribute.ints)))
                .collect();
            check_node(&node.op_type, &attributes, &inputs)
        })?,
    ])
}

/// Opens and checks a model; an error where there is one in it.
fn check_model(path: &str) -> Result<(), Failure> {
    let file = ModelFile::open(path)?;
    let analysis = analyse(file.model(), &Options::of(&file))?;
    match analysis.findings.iter().find(|found| found.severity() == Severity::Error) {
        Some(found) => Err(format!("{path}: {}", found.message).into()),
        None => Ok(()),
    }
}

fn main() -> Result<(), Failure> {
    let mut arguments = env::args().skip(1).filter(|argument| argument != "--bench").peekable();
    if arguments.next_if(|argument| argument == "--memory").is_some() {
        check_model(&arguments.next().ok_or("a model")?)?;
        println!("{}", peak()?);
        return Ok(());
    }
    let lookup = median(ROUNDS, || {
        let schema = Registry::builtin().resolve(black_box(""), black_box("Conv"), black_box(OPSET));
        if black_box(schema).is_ok() { Ok(()) } else { Err("no Conv".into()) }
    })?;
    let [parsed, bytes] = node()?;
    let mut lines = vec![
        format!("  \"lookup\": {lookup:.1}"),
        format!("  \"node\": {parsed:.1}"),
        format!("  \"node_bytes\": {bytes:.1}"),
    ];
    for path in arguments {
        lines.push(format!("  {path:?}: {:.1}", median(ROUNDS, || check_model(black_box(&path)))?));
    }
    println!("{{\n{}\n}}", lines.join(",\n"));
    Ok(())
}
