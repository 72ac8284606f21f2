//! Folders of test cases: a folder for each model with the data of its inputs, and a manifest that lists them.
//!
//! `shape generate` and `shape suite` write them; what runs them is told what to expect by the manifest alone.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use shape_core::registry::Registry;
use shape_model::generate::{Case, Expected, Value, value_bytes};
use shape_model::test_case::Tolerance;

use crate::input;
use crate::json::SCHEMA_VERSION;
use crate::output::Inputs;

/// The name of the list of the cases of a folder.
const MANIFEST: &str = "manifest.json";
/// The folder of the data of a case.
const DATA: &str = "test_data_set_0";
/// Who computes the elements that a generated case expects.
const RULES: &str = "rules";

/// What is in a folder of cases.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Manifest {
    schema_version: u32,
    /// The seed of random cases.
    seed: u64,
    /// The opset that all models import, if that was asked for.
    #[serde(default)]
    pub(crate) opset: Option<u32>,
    pub(crate) cases: Vec<Entry>,
}

/// A case.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// `node` or `graph`.
    kind: String,
    pub(crate) valid: bool,
    /// The code of the one finding of an invalid model, and its message.
    pub(crate) code: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    pub(crate) domain: Option<String>,
    pub(crate) operator: Option<String>,
    pub(crate) version: Option<u32>,
    /// What the model imports of the domain.
    opset: u32,
    /// The types of the values of each type variable.
    #[serde(default)]
    pub(crate) types: BTreeMap<String, Vec<String>>,
    /// The choices of a valid node, in which nodes of its version differ.
    #[serde(default)]
    pub(crate) choices: Vec<String>,
    inputs: Vec<Slot>,
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
    /// Who computed the expected elements of an output; left out if no elements are expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Agreement>,
}

/// Which implementations agree on the elements of an output, and by how much another one may differ from them.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Agreement {
    pub(crate) by: Vec<String>,
    relative: f64,
    absolute: f64,
}

impl Agreement {
    pub(crate) fn new(by: Vec<String>, tolerance: Tolerance) -> Self {
        Self { by, relative: tolerance.relative, absolute: tolerance.absolute }
    }

    /// Whether the elements come from the operator's rules, and not from implementations.
    pub(crate) fn is_by_rules(&self) -> bool {
        self.by == [RULES]
    }

    pub(crate) fn tolerance(&self) -> Tolerance {
        Tolerance { relative: self.relative, absolute: self.absolute }
    }
}

/// A folder that cases are written into, one after the other; the manifest comes last.
pub(crate) struct Cases<'i> {
    path: PathBuf,
    inputs: &'i Inputs,
    registry: &'i Registry,
    manifest: Manifest,
}

impl<'i> Cases<'i> {
    /// Fails if the folder exists and is not empty.
    pub(crate) fn create(
        path: &Path,
        (seed, opset): (u64, Option<u32>),
        registry: &'i Registry,
        inputs: &'i Inputs,
    ) -> Result<Self, String> {
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
        let manifest = Manifest { schema_version: SCHEMA_VERSION, seed, opset, cases: Vec::new() };
        Ok(Self { path: path.to_owned(), inputs, registry, manifest })
    }

    /// How many cases there are.
    pub(crate) fn len(&self) -> usize {
        self.manifest.cases.len()
    }

    /// Writes a case.
    pub(crate) fn write(&mut self, case: &Case) -> Result<(), String> {
        let folder = self.path.join(&case.name);
        make(&folder.join(DATA))?;
        self.inputs.replace(&folder.join("model.onnx"), &case.model_bytes())?;
        for (index, (name, value)) in case.inputs.iter().enumerate() {
            if let Some(bytes) = value_bytes(value, name) {
                self.inputs.replace(&folder.join(DATA).join(format!("input_{index}.pb")), &bytes)?;
            }
        }
        let mut outputs = Vec::new();
        for (index, expected) in case.outputs.iter().enumerate() {
            let value = expected.value.clone().map(Value::Tensor);
            let bytes = value.and_then(|value| value_bytes(&value, &expected.name));
            if let Some(bytes) = &bytes {
                self.inputs.replace(&output_file(&self.path, &case.name, index), bytes)?;
            }
            outputs.push(output(expected, bytes.is_some()));
        }
        let reason = case.finding(self.registry).map(|finding| finding.message);
        self.manifest.cases.push(entry(case, reason, outputs));
        Ok(())
    }

    /// Puts the cases of each version together, the valid ones first.
    pub(crate) fn sort(&mut self) {
        let key = |case: &Entry| (case.domain.clone(), case.operator.clone(), case.version, !case.valid);
        self.manifest.cases.sort_by_cached_key(key);
    }

    /// Writes a file beside the cases.
    pub(crate) fn write_beside(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        self.inputs.replace(&self.path.join(name), bytes)
    }

    /// Writes the manifest.
    pub(crate) fn finish(self) -> Result<(), String> {
        self.manifest.write(&self.path, self.inputs)
    }
}

/// The file of an output that is expected in a case of a folder.
pub(crate) fn output_file(folder: &Path, case: &str, index: usize) -> PathBuf {
    folder.join(case).join(DATA).join(format!("output_{index}.pb"))
}

impl Manifest {
    /// Reads the manifest of a folder. Fails with all that is wrong with it.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let manifest: Self = json(&folder.join(MANIFEST), "no folder that `shape suite` or `shape generate` wrote")?;
        let mut names = HashSet::new();
        let wrong = manifest.cases.iter().filter_map(|case| {
            let is_folder = matches!(&*Path::new(&case.name).components().collect::<Vec<_>>(), [Component::Normal(_)]);
            if !is_folder {
                return Some(format!("the name of a case, `{}`, is not that of a folder in it", case.name));
            }
            (!names.insert(&case.name)).then(|| format!("the case `{}` occurs twice", case.name))
        });
        let wrong: Vec<String> = wrong.collect();
        if !wrong.is_empty() {
            return Err(format!("{}: {}", folder.join(MANIFEST).display(), wrong.join("; ")));
        }
        match manifest.schema_version {
            SCHEMA_VERSION => Ok(manifest),
            other => Err(version(&folder.join(MANIFEST), other)),
        }
    }

    /// Writes the manifest into a folder.
    pub(crate) fn write(&self, folder: &Path, inputs: &Inputs) -> Result<(), String> {
        let mut bytes = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        bytes.push(b'\n');
        inputs.replace(&folder.join(MANIFEST), &bytes)
    }
}

/// Reads a JSON file; `what` is the part of the error message that says what the file is not.
pub(crate) fn json<T: serde::de::DeserializeOwned>(path: &Path, what: &str) -> Result<T, String> {
    let bytes = input::text(path)?;
    let read = serde_json::from_slice(&bytes);
    read.map_err(|error| format!("{} is of {what}: {error}", path.display()))
}

/// The error message for a file of another version.
pub(crate) fn version(path: &Path, found: u32) -> String {
    format!(
        "{} has the schema_version {found}; this command reads {SCHEMA_VERSION}: write it again with the same release of \
         shape that reads it",
        path.display()
    )
}

fn make(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("cannot create {}: {error}", path.display()))
}

fn output(expected: &Expected, has_data: bool) -> Slot {
    let data = has_data.then(|| Agreement::new(vec![RULES.to_owned()], Tolerance::EXACT));
    Slot { name: expected.name.clone(), ty: expected.ty.to_string(), dims: expected.dims.clone(), data }
}

fn entry(case: &Case, reason: Option<String>, outputs: Vec<Slot>) -> Entry {
    let known = |dims: &[u64]| dims.iter().copied().map(Some).collect();
    let input = |(name, value): &(String, Value)| Slot {
        name: name.clone(),
        ty: value.ty().to_string(),
        dims: value.dims().map(known),
        data: None,
    };
    let types = case.types.iter().map(|(variable, types)| {
        let types = types.iter().map(ToString::to_string).collect();
        ((*variable).to_owned(), types)
    });
    Entry {
        name: case.name.clone(),
        kind: if case.schema.is_some() { "node" } else { "graph" }.to_owned(),
        valid: case.code.is_none(),
        code: case.code.map(|code| code.name().to_owned()),
        reason,
        domain: case.schema.map(|schema| schema.domain.to_owned()),
        operator: case.schema.map(|schema| schema.name.to_owned()),
        version: case.schema.map(|schema| schema.since_version),
        opset: case.opset,
        types: types.collect(),
        choices: case.choices.clone(),
        inputs: case.inputs.iter().map(input).collect(),
        outputs,
    }
}
