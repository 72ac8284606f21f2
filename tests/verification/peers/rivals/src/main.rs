//! Shape inference of other crates, in nanoseconds and as JSON: the crate, and a model. The time of the inference alone,
//! with the model in memory, and that from the file on.

use std::env;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use tract_onnx::prelude::*;

type Failure = Box<dyn std::error::Error>;

/// Once so much has passed, no more calls are begun.
const ENOUGH: Duration = Duration::from_millis(200);
const CALLS: usize = 200;

/// The median of the nanoseconds of several calls, each of which tells its own time.
fn median(mut call: impl FnMut() -> Result<Duration, Failure>) -> Result<f64, Failure> {
    let start = Instant::now();
    let mut times = Vec::new();
    while times.is_empty() || (times.len() < CALLS && start.elapsed() < ENOUGH) {
        times.push(call()?.as_secs_f64() * 1e9);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// What the inference alone takes, and what it takes from the file on.
fn onnx_std(path: &Path) -> Result<[f64; 2], Failure> {
    let times = |from_file: bool| {
        median(|| {
            let whole = Instant::now();
            let mut model = onnx_std::load_model(path)?;
            let alone = Instant::now();
            black_box(onnx_std::infer_shapes(&mut model)?);
            Ok(if from_file { whole.elapsed() } else { alone.elapsed() })
        })
    };
    Ok([times(false)?, times(true)?])
}

fn tract(path: &Path) -> Result<[f64; 2], Failure> {
    let times = |from_file: bool| {
        median(|| {
            let whole = Instant::now();
            let mut model = tract_onnx::onnx().model_for_path(path)?;
            let alone = Instant::now();
            model.analyse(true)?;
            Ok(if from_file { whole.elapsed() } else { alone.elapsed() })
        })
    };
    Ok([times(false)?, times(true)?])
}

/// Its inference is part of loading, so that alone it is the difference between loading with it and without.
fn rten(path: &Path) -> Result<[f64; 2], Failure> {
    let load = |mode: rten::ShapeInferenceMode| {
        let mut options = rten::ModelOptions::with_all_ops();
        options.shape_inference(mode);
        median(move || {
            let start = Instant::now();
            black_box(options.load(std::fs::read(path)?)?);
            Ok(start.elapsed())
        })
    };
    let with = load(rten::ShapeInferenceMode::On)?;
    Ok([with - load(rten::ShapeInferenceMode::Off)?, with])
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [rival, path] = &*arguments else { return Err("usage: rivals onnx-std|tract|rten MODEL".into()) };
    let path = Path::new(path);
    let [infer, file] = match &**rival {
        "onnx-std" => onnx_std(path)?,
        "tract" => tract(path)?,
        "rten" => rten(path)?,
        _ => return Err(format!("no rival is called {rival}").into()),
    };
    println!("{{\"infer\": {infer:.1}, \"file\": {file:.1}}}");
    Ok(())
}
