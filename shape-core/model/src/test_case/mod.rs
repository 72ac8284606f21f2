//! Runs ONNX test-case folders: a model, inputs, and the expected outputs.
//!
//! A folder holds `model.onnx` and folders `test_data_set_N` with `input_M.pb` and `output_M.pb`, each a `TensorProto`,
//! in the order of the graph's inputs and outputs. This is the form in which ONNX itself ships its node tests.
//!
//! Tensors of every element type are supported, in the file or external, and none is copied. An output must equal the
//! expected one in every bit of every element; only NaN equals NaN whatever its bits.

mod element;
mod node;
mod outcome;
mod set;
#[cfg(test)]
#[cfg(feature = "ai-onnx")]
mod tests;
mod tolerance;
mod value;

use std::fs;
use std::path::{Path, PathBuf};

pub use outcome::Outcome;
pub use tolerance::Tolerance;
pub use value::{Difference, Value};

use crate::analysis::analyse;
use crate::file::ModelFile;
use crate::options::Options;
use outcome::Stop;
use shape_core::code::Severity;
use shape_core::registry::Registry;

/// The result of a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The folder's name.
    pub name: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The reason, unless it passed.
    pub detail: Option<String>,
}

/// Runs the test case in a folder: runs the model on the inputs of each data set, and compares the outputs with the
/// expected ones.
#[must_use]
pub fn run(folder: &Path, registry: &Registry) -> Case {
    let name = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match run_folder(folder, registry) {
        Ok(()) => Case { name, outcome: Outcome::Pass, detail: None },
        Err(Stop(outcome, detail)) => Case { name, outcome, detail: Some(detail) },
    }
}

fn run_folder(folder: &Path, registry: &Registry) -> Result<(), Stop> {
    let file = ModelFile::open(folder.join("model.onnx")).map_err(|error| Stop::error(error.to_string()))?;
    let options = Options { registry: registry.clone(), ..Options::of(&file) };
    let analysis = analyse(file.model(), &options).map_err(|error| Stop::error(error.to_string()))?;
    if let Some(finding) = analysis.findings.iter().find(|finding| finding.severity() == Severity::Error) {
        return Err(Stop::fail(format!("the model is refused: {} ({})", finding.message, finding.code)));
    }
    let sets = data_sets(folder)?;
    if sets.is_empty() {
        return Err(Stop::error("there is no folder test_data_set_N beside the model"));
    }
    let mut by_dims = Ok(());
    for set in sets {
        let label = set.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let run = set::run(&file, &set, registry);
        match run.map_err(|Stop(outcome, detail)| Stop(outcome, format!("{label}: {detail}"))) {
            Err(Stop(Outcome::Dims, detail)) => by_dims = by_dims.and(Err(Stop(Outcome::Dims, detail))),
            other => other?,
        }
    }
    by_dims
}

fn data_sets(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let entries = fs::read_dir(folder).map_err(|error| Stop::error(format!("{}: {error}", folder.display())))?;
    let mut sets = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Stop::error(format!("{}: {error}", folder.display())))?;
        if entry.file_name().to_string_lossy().starts_with("test_data_set_") {
            sets.push(entry.path());
        }
    }
    sets.sort();
    Ok(sets)
}
