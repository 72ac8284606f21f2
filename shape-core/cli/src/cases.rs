//! Folders of test cases: a folder for each model with the data of its inputs, and a manifest that lists them.
//!
//! `shape generate` and `shape suite` write them; what runs them is told what to expect by the manifest alone.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shape_model::generate::{Case, Value, value_bytes};

use crate::json::SCHEMA_VERSION;
use crate::output::Inputs;

/// The name of the list of the cases of a folder.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The folder of the data of a case.
const DATA: &str = "test_data_set_0";

/// What is in a folder of cases.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Manifest {
    pub(crate) schema_version: u32,
    /// The seed of random cases.
    pub(crate) seed: Option<u64>,
    pub(crate) cases: Vec<Entry>,
}

/// A case.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// `node` or `graph`.
    pub(crate) kind: String,
    pub(crate) valid: bool,
    /// The code of the one finding of an invalid model.
    pub(crate) code: Option<String>,
    pub(crate) domain: Option<String>,
    pub(crate) operator: Option<String>,
    pub(crate) version: Option<u32>,
    /// What the model imports of the domain.
    pub(crate) opset: u32,
    pub(crate) inputs: Vec<Slot>,
    pub(crate) outputs: Vec<Slot>,
}

/// An input with its data, or an output as it is expected.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Slot {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) ty: String,
    /// `null` for an unknown rank; an entry is `null` for an unknown size.
    pub(crate) dims: Option<Vec<Option<u64>>>,
}

/// A folder that cases are written into, one after the other; the manifest comes last.
pub(crate) struct Cases<'i> {
    path: PathBuf,
    inputs: &'i Inputs,
    manifest: Manifest,
}

impl<'i> Cases<'i> {
    /// Fails if the folder exists and is not empty.
    pub(crate) fn create(path: &Path, seed: Option<u64>, inputs: &'i Inputs) -> Result<Self, String> {
        let shown = path.display();
        match fs::read_dir(path) {
            Ok(mut entries) => {
                if let Some(entry) = entries.next() {
                    let name = entry.map_err(|error| format!("cannot read {shown}: {error}"))?.file_name();
                    let name = name.to_string_lossy();
                    return Err(format!(
                        "{shown} has files already, such as `{name}`; give a folder that is new or empty"
                    ));
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => make(path)?,
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return Err(format!("{shown} is a file; `-o` takes a folder"));
            }
            Err(error) => return Err(format!("cannot read {shown}: {error}")),
        }
        let manifest = Manifest { schema_version: SCHEMA_VERSION, seed, cases: Vec::new() };
        Ok(Self { path: path.to_owned(), inputs, manifest })
    }

    /// How many cases there are.
    pub(crate) fn len(&self) -> usize {
        self.manifest.cases.len()
    }

    /// Writes a case.
    pub(crate) fn write(&mut self, case: &Case) -> Result<(), String> {
        let folder = self.path.join(&case.name);
        let data = folder.join(DATA);
        make(&data)?;
        self.inputs.replace(&folder.join("model.onnx"), &case.model_bytes())?;
        for (index, (name, value)) in case.inputs.iter().enumerate() {
            if let Some(bytes) = value_bytes(value, name) {
                self.inputs.replace(&data.join(format!("input_{index}.pb")), &bytes)?;
            }
        }
        for (index, output) in case.outputs.iter().enumerate() {
            let value = output.value.clone().map(Value::Tensor);
            if let Some(bytes) = value.and_then(|value| value_bytes(&value, &output.name)) {
                self.inputs.replace(&data.join(format!("output_{index}.pb")), &bytes)?;
            }
        }
        self.manifest.cases.push(entry(case));
        Ok(())
    }

    /// Writes the manifest.
    pub(crate) fn finish(self) -> Result<(), String> {
        let mut bytes = serde_json::to_vec(&self.manifest).map_err(|error| error.to_string())?;
        bytes.push(b'\n');
        self.inputs.replace(&self.path.join(MANIFEST), &bytes)
    }
}

fn make(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("cannot create {}: {error}", path.display()))
}

fn entry(case: &Case) -> Entry {
    let known = |dims: &[u64]| dims.iter().copied().map(Some).collect();
    let input = |(name, value): &(String, Value)| Slot {
        name: name.clone(),
        ty: value.ty().to_string(),
        dims: value.dims().map(known),
    };
    let output = |output: &shape_model::generate::Expected| Slot {
        name: output.name.clone(),
        ty: output.ty.to_string(),
        dims: output.dims.clone(),
    };
    Entry {
        name: case.name.clone(),
        kind: if case.schema.is_some() { "node" } else { "graph" }.to_owned(),
        valid: case.code.is_none(),
        code: case.code.map(|code| code.name().to_owned()),
        domain: case.schema.map(|schema| schema.domain.to_owned()),
        operator: case.schema.map(|schema| schema.name.to_owned()),
        version: case.schema.map(|schema| schema.since_version),
        opset: case.opset,
        inputs: case.inputs.iter().map(input).collect(),
        outputs: case.outputs.iter().map(output).collect(),
    }
}
