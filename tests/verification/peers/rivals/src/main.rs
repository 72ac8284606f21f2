//! Shape inference of other crates, in nanoseconds of processor time.
//!
//! `rivals CRATE MODEL` gives the medians of several calls as JSON: of the inference alone, and from the file on. Without
//! arguments it reads lines such as `infer tract 20 model.onnx`, and answers each with the nanoseconds of one call, the
//! mean of so many, or with `none` if the crate does not take the model. `infer` is from bytes in memory to the answer,
//! which is dropped again; `analyse` is the inference alone.
//!
//! `rivals dims MODEL` gives what onnx-runtime-shape-inference says of the dimensions, as JSON by value: numbers, the names
//! that the model has, and `_0`, `_1` and so on for other symbols; null where it says nothing.

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use onnx_runtime_ir::Dim;
use onnx_runtime_shape_inference::{InferenceRegistry, MergePolicy};
use rustix::time::{ClockId, clock_gettime};
use tract_onnx::prelude::*;

type Failure = Box<dyn std::error::Error>;

/// Once so much has passed, no more calls are begun.
const ENOUGH: Duration = Duration::from_millis(200);
const CALLS: usize = 200;

/// The processor time of this process so far, in nanoseconds.
fn now() -> i64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// What the inference alone takes, and what it takes from bytes on.
type Times = [i64; 2];

/// Loads what is dropped at the end, and infers it.
fn timed<M>(
    load: impl FnOnce() -> Result<M, Failure>,
    infer: impl FnOnce(&mut M) -> Result<(), Failure>,
) -> Result<Times, Failure> {
    let start = now();
    let mut model = load()?;
    let loaded = now();
    infer(&mut model)?;
    let inferred = now();
    drop(model);
    Ok([inferred - loaded, now() - start])
}

/// It has no function that takes bytes.
fn onnx_std(path: &Path) -> Result<Times, Failure> {
    timed(
        || Ok(onnx_std::load_model(path)?),
        |model| {
            black_box(onnx_std::infer_shapes(model)?);
            Ok(())
        },
    )
}

/// What `onnx_std` infers with, without its own model.
fn onnx_runtime(bytes: &[u8]) -> Result<Times, Failure> {
    timed(
        || Ok(onnx_runtime_loader::load_model_bytes(bytes)?),
        |graph| {
            let opsets = graph.opset_imports.clone();
            let registry = InferenceRegistry::default_registry();
            black_box(registry.infer_graph(graph, &opsets, MergePolicy::Permissive)?);
            Ok(())
        },
    )
}

fn tract(mut bytes: &[u8]) -> Result<Times, Failure> {
    timed(|| Ok(tract_onnx::onnx().model_for_read(&mut bytes)?), |model| Ok(model.analyse(true).map(drop)?))
}

/// Its inference is part of loading, so that alone it is the difference between loading with it and without.
fn rten(bytes: &[u8]) -> Result<Times, Failure> {
    let load = |mode: rten::ShapeInferenceMode| -> Result<i64, Failure> {
        let mut options = rten::ModelOptions::with_all_ops();
        options.shape_inference(mode);
        let start = now();
        drop(black_box(options.load(bytes.to_vec())?));
        Ok(now() - start)
    };
    let with = load(rten::ShapeInferenceMode::On)?;
    Ok([with - load(rten::ShapeInferenceMode::Off)?, with])
}

fn call(rival: &str, bytes: &[u8], path: &Path) -> Result<Times, Failure> {
    match rival {
        "onnx-std" => onnx_std(path),
        "onnx-runtime-shape-inference" => onnx_runtime(bytes),
        "tract" => tract(bytes),
        "rten" => rten(bytes),
        _ => Err(format!("no rival is called {rival}").into()),
    }
}

fn answer(line: &str) -> Result<i64, Failure> {
    let mut parts = line.splitn(4, ' ');
    let mut part = || parts.next().ok_or("a line is WORK CRATE CALLS MODEL");
    let (work, rival, calls, path) = (part()?, part()?, part()?.parse::<i64>()?, Path::new(part()?));
    let bytes = fs::read(path)?;
    let mut sum = 0;
    for _ in 0..calls {
        let [alone, whole] = call(rival, &bytes, path)?;
        sum += if work == "analyse" { alone } else { whole };
    }
    Ok(sum / calls.max(1))
}

fn medians(rival: &str, path: &Path) -> Result<Times, Failure> {
    let start = Instant::now();
    let mut times = [Vec::new(), Vec::new()];
    while times[0].is_empty() || (times[0].len() < CALLS && start.elapsed() < ENOUGH) {
        let before = now();
        let bytes = fs::read(path)?;
        let read = now() - before;
        let [alone, whole] = call(rival, &bytes, path)?;
        times[0].push(alone);
        times[1].push(read + whole);
    }
    Ok(times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    }))
}

fn dims(path: &Path) -> Result<String, Failure> {
    let mut graph = onnx_runtime_loader::load_model_bytes(&fs::read(path)?)?;
    let opsets = graph.opset_imports.clone();
    let report =
        InferenceRegistry::default_registry().infer_graph(&mut graph, &opsets, MergePolicy::Permissive)?;
    let dim = |dim: &Dim| match dim {
        Dim::Static(size) => size.to_string(),
        Dim::Symbolic(symbol) => {
            let name = graph.symbol_constraints.get(symbol).and_then(|known| known.name.clone());
            format!("{:?}", name.unwrap_or_else(|| format!("_{}", symbol.0)))
        }
    };
    let values = graph.values.iter().filter_map(|(id, value)| {
        let dims: Vec<String> = value.shape.iter().map(dim).collect();
        let dims = if report.resolved.contains(&id) { format!("[{}]", dims.join(", ")) } else { "null".to_owned() };
        Some(format!("{:?}: {dims}", value.name.as_ref()?))
    });
    Ok(format!("{{{}}}", values.collect::<Vec<_>>().join(", ")))
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &*arguments {
        [] => {
            for line in io::stdin().lock().lines() {
                match answer(&line?) {
                    Ok(nanoseconds) => println!("{nanoseconds}"),
                    Err(_) => println!("none"),
                }
                io::stdout().flush()?;
            }
        }
        [what, path] if what == "dims" => println!("{}", dims(Path::new(path))?),
        [rival, path] => {
            let [infer, file] = medians(rival, Path::new(path))?;
            println!("{{\"infer\": {infer}.0, \"file\": {file}.0}}");
        }
        _ => return Err("usage: rivals [CRATE MODEL | dims MODEL]".into()),
    }
    Ok(())
}
