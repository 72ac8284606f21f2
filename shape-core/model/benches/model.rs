//! Opening and inferring models of 100 to 100,000 Shape nodes: microseconds a node, which stay the same where the time
//! is linear.

use std::time::Instant;

use shape_model::file::proto::{
    Dimension, DimensionValue, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorShapeProto, TensorType,
    TypeProto, TypeValue, ValueInfoProto,
};
use shape_model::file::{Message as _, ModelFile};
use shape_model::{Options, analyse};

fn model(nodes: usize) -> ModelProto {
    let dim = |name: &str| Dimension { value: Some(DimensionValue::DimParam(name.into())), ..Dimension::default() };
    let shape = TensorShapeProto { dim: vec![dim("batch"), dim("seq"), dim("hidden")] };
    let ty = TypeProto {
        value: Some(TypeValue::TensorType(TensorType { elem_type: Some(1), shape: Some(shape) })),
        ..TypeProto::default()
    };
    let node = |index: usize| NodeProto {
        input: vec!["x".to_owned()],
        output: vec![format!("dims_{index}")],
        name: format!("/layers/{index}/Shape"),
        op_type: "Shape".to_owned(),
        ..NodeProto::default()
    };
    let graph = GraphProto {
        name: "shapes".to_owned(),
        input: vec![ValueInfoProto { name: "x".to_owned(), r#type: Some(ty), ..ValueInfoProto::default() }],
        node: (0..nodes).map(node).collect(),
        ..GraphProto::default()
    };
    ModelProto {
        ir_version: Some(10),
        opset_import: vec![OperatorSetIdProto { version: Some(21), ..OperatorSetIdProto::default() }],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    println!("  nodes   open us/node   infer us/node   open + infer ms");
    for nodes in [100, 1_000, 10_000, 100_000] {
        let path = folder.path().join("model.onnx");
        std::fs::write(&path, model(nodes).encode_to_vec())?;
        let rounds = (300_000 / nodes).clamp(5, 1_000);
        let (mut open, mut infer) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let start = Instant::now();
            let file = ModelFile::open(&path)?;
            open.push(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let analysis = analyse(file.model(), &Options::default())?;
            infer.push(start.elapsed().as_secs_f64());
            assert_eq!(analysis.values.len(), nodes + 1);
            assert!(analysis.values.iter().all(|value| analysis.unknown(value).is_none()));
        }
        let (open, infer) = (median(open), median(infer));
        let each = 1e6 / f64::from(u32::try_from(nodes)?);
        println!("{nodes:7} {:14.3} {:15.3} {:17.3}", open * each, infer * each, (open + infer) * 1e3);
    }
    Ok(())
}
