//! Inference of whole models, in nanoseconds and as JSON: what `tests/verification/peers/run` holds against other
//! engines. Its arguments are the models; of each it tells the time of the analysis alone, with the model in memory, and
//! that from the file on.
//!
//! With `--memory MODEL` it infers that one alone, and tells the milliseconds and the most memory that it took; with
//! `--write MODEL OUT` it writes the annotated model besides.

mod measure;

use std::env;
use std::hint::black_box;
use std::time::Instant;

use measure::{Failure, median, peak};
use shape_core::code::Severity;
use shape_model::ModelFile;
use shape_model::{Analysis, Options, analyse, annotate};

const ROUNDS: usize = 25;

fn infer(file: &ModelFile) -> Result<Analysis<'_>, Failure> {
    let analysis = analyse(file.model(), &Options::of(file))?;
    match analysis.findings.iter().find(|found| found.severity() == Severity::Error) {
        Some(found) => Err(found.message.clone().into()),
        None => Ok(analysis),
    }
}

/// The dimensions of all values, and how many of them are unknown.
fn unknown(analysis: &Analysis<'_>) -> (usize, usize) {
    let values = analysis.values.len();
    (values, analysis.values.iter().filter(|value| analysis.unknown(value).is_some()).count())
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [mode, path, out @ ..] = &*arguments
        && mode.starts_with("--")
    {
        let start = Instant::now();
        let file = ModelFile::open(path)?;
        let analysis = infer(&file)?;
        if let [out] = out {
            file.write(&annotate(&analysis, shape_model::Annotations::default()), out)?;
        }
        println!("{{\"ms\": {:.1}, \"kb\": {}}}", start.elapsed().as_secs_f64() * 1e3, peak()?);
        return Ok(());
    }
    let mut lines = Vec::new();
    for path in &arguments {
        let file = ModelFile::open(path)?;
        let (values, unknown) = unknown(&infer(&file)?);
        let alone = median(ROUNDS, || {
            black_box(infer(black_box(&file))?);
            Ok(())
        })?;
        let whole = median(ROUNDS, || {
            black_box(infer(&ModelFile::open(black_box(path))?)?.values.len());
            Ok(())
        })?;
        lines.push(format!(
            "  {path:?}: {{\"infer\": {alone:.1}, \"file\": {whole:.1}, \"values\": {values}, \"unknown\": {unknown}}}"
        ));
    }
    println!("{{\n{}\n}}", lines.join(",\n"));
    Ok(())
}
