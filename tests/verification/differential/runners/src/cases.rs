//! The manifest of a folder of cases.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{Data, Refusal};

/// An input or output as the manifest declares it.
#[derive(Clone, Debug, Deserialize)]
pub struct Value {
    /// Its name in the graph.
    pub name: String,
    /// Its type, such as `tensor(float)`.
    #[serde(rename = "type")]
    pub type_name: String,
}

/// One model with data for its inputs.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// The name of its folder.
    pub name: String,
    /// The inputs of the graph.
    pub inputs: Vec<Value>,
    /// The outputs of the graph.
    pub outputs: Vec<Value>,
    /// Where its files are.
    #[serde(skip)]
    pub folder: PathBuf,
}

#[derive(Deserialize)]
struct Manifest {
    cases: Vec<Case>,
}

impl Case {
    /// The cases of a folder.
    pub fn all(folder: &Path) -> Result<Vec<Self>, Refusal> {
        let manifest: Manifest = serde_json::from_slice(&fs::read(folder.join("manifest.json"))?)?;
        Ok(manifest.cases.into_iter().map(|case| Self { folder: folder.join(&case.name), ..case }).collect())
    }

    /// The file of the model.
    #[must_use]
    pub fn model(&self) -> PathBuf {
        self.folder.join("model.onnx")
    }

    /// The tensors for the inputs.
    pub fn data(&self) -> Result<Vec<Data>, Refusal> {
        let read = |(at, input): (usize, &Value)| {
            let file = self.folder.join(format!("test_data_set_0/input_{at}.pb"));
            if !input.type_name.starts_with("tensor(") {
                return Err(format!("the runner gives tensors alone, and not {}", input.type_name).into());
            }
            Data::decode(&fs::read(file)?)
        };
        self.inputs.iter().enumerate().map(read).collect()
    }
}
