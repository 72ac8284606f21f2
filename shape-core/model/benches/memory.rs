//! A model with 500 MB of weights, made on the spot: opened, inferred, and written with the `value_info` that it lacks,
//! as `shape infer -o` does. Goal: a peak resident set under 60 MB.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::time::Instant;

use shape_model::file::proto::{GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto};
use shape_model::file::{Bytes, Message as _, ModelFile};
use shape_model::{Options, analyse, annotate};

const WEIGHTS: usize = 125;
const FLOATS: i64 = 1_000_000;

/// Writes the model weight by weight, so that making it does not need the memory that using it must not.
fn write(path: &std::path::Path) -> std::io::Result<()> {
    let weight = |index: usize| TensorProto {
        name: format!("weight_{index}"),
        dims: vec![FLOATS],
        data_type: Some(1),
        raw_data: Some(Bytes::from(vec![0x3f; 4_000_000])),
        ..TensorProto::default()
    };
    let node = |index: usize| NodeProto {
        input: vec![format!("weight_{index}")],
        output: vec![format!("dims_{index}")],
        op_type: "Shape".to_owned(),
        ..NodeProto::default()
    };
    let head = ModelProto {
        ir_version: Some(10),
        opset_import: vec![OperatorSetIdProto { version: Some(21), ..OperatorSetIdProto::default() }],
        ..ModelProto::default()
    };
    let nodes = GraphProto { name: "big".to_owned(), node: (0..WEIGHTS).map(node).collect(), ..GraphProto::default() };
    let one = GraphProto { initializer: vec![weight(100)], ..GraphProto::default() };
    let lengths: usize = (0..WEIGHTS)
        .map(|index| one.encode_to_vec().len() - "weight_100".len() + format!("weight_{index}").len())
        .sum();
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(&head.encode_to_vec())?;
    // The field `graph`, with the length of all that follows.
    let mut key = vec![7 << 3 | 2];
    let mut length = nodes.encode_to_vec().len() + lengths;
    while length >= 0x80 {
        key.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    key.push(length as u8);
    file.write_all(&key)?;
    file.write_all(&nodes.encode_to_vec())?;
    for index in 0..WEIGHTS {
        file.write_all(&GraphProto { initializer: vec![weight(index)], ..GraphProto::default() }.encode_to_vec())?;
    }
    file.flush()
}

/// The peak resident set in megabytes, since the process began or the peak was last reset.
fn peak() -> Result<f64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("the kernel tells no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? / 1024.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let (path, target) = (folder.path().join("big.onnx"), folder.path().join("out.onnx"));
    write(&path)?;
    // Resets the peak, so that making the model does not count.
    std::fs::write("/proc/self/clear_refs", "5")?;
    let before = peak()?;
    let start = Instant::now();
    let model = ModelFile::open(&path)?;
    let analysis = analyse(model.model(), &Options::default())?;
    let edit = annotate(&analysis, shape_model::Annotations::default());
    model.write(&edit, &target)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:.0} MB of weights: open, infer, write in {seconds:.2} s, peak resident set {:.1} MB ({before:.1} MB before)",
        std::fs::metadata(&path)?.len() as f64 / 1e6,
        peak()?,
    );
    assert_eq!(edit.value_info.len(), WEIGHTS);
    Ok(())
}
