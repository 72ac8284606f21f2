//! Reads the results that a runner wrote.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cases::{Manifest, json, version};
use crate::json::SCHEMA_VERSION;

/// The name of the file in a folder of results.
const RESULTS: &str = "results.json";

/// The results of a runtime for the cases of a suite.
#[derive(Debug)]
pub(super) struct Results {
    pub(super) runtime: Runtime,
    pub(super) folder: PathBuf,
    results: HashMap<String, Outcome>,
}

/// What ran the cases.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Runtime {
    pub(super) name: String,
    pub(super) version: String,
}

/// The result of a case.
#[derive(Debug, Deserialize)]
pub(super) struct Outcome {
    case: String,
    pub(super) outcome: How,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) outputs: Vec<Output>,
}

/// How a run of a case ended.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum How {
    Ran,
    Refused,
    Crashed,
    Hung,
}

/// An output as the runtime gives it.
#[derive(Debug, Deserialize)]
pub(super) struct Output {
    #[serde(rename = "type")]
    pub(super) ty: String,
    /// `null` for an unknown rank; an entry is `null` for an unknown size.
    pub(super) dims: Option<Vec<Option<u64>>>,
}

#[derive(Deserialize)]
struct File {
    schema_version: u32,
    runtime: Runtime,
    results: Vec<Outcome>,
}

impl Results {
    /// Reads the results of a suite from several folders. Fails with all that is wrong with them.
    pub(super) fn read_all(folders: &[PathBuf], suite: &Manifest) -> Result<Vec<Self>, String> {
        let (mut all, mut errors) = (Vec::new(), Vec::new());
        for folder in folders {
            match Self::read(folder, suite) {
                Ok(results) => all.push(results),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(all) } else { Err(errors.join("\n")) }
    }

    fn read(folder: &Path, suite: &Manifest) -> Result<Self, String> {
        let path = folder.join(RESULTS);
        let file: File = json(&path, "no results of a runner, as README.md of the suite describes them")?;
        if file.schema_version != SCHEMA_VERSION {
            return Err(version(&path, file.schema_version));
        }
        let names: HashSet<&str> = suite.cases.iter().map(|case| &*case.name).collect();
        let (mut results, mut wrong) = (HashMap::new(), Vec::new());
        for outcome in file.results {
            let case = outcome.case.clone();
            if !names.contains(&*case) {
                wrong.push(format!("the suite has no case `{case}`"));
            } else if results.insert(case.clone(), outcome).is_some() {
                wrong.push(format!("the case `{case}` occurs twice"));
            }
        }
        if let Some(more) = wrong.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            wrong.truncate(SHOWN);
            wrong.push(format!("and {more} more; are these the results of another suite?"));
        }
        if !wrong.is_empty() {
            return Err(format!("{}: {}", path.display(), wrong.join("; ")));
        }
        Ok(Self { runtime: file.runtime, folder: folder.to_owned(), results })
    }

    /// The result of a case; `None` if it was not run.
    pub(super) fn of(&self, case: &str) -> Option<&Outcome> {
        self.results.get(case)
    }

    /// The file of an output.
    pub(super) fn output(&self, case: &str, index: usize) -> PathBuf {
        self.folder.join(case).join(format!("output_{index}.pb"))
    }

    /// The runtime and its version.
    pub(super) fn label(&self) -> String {
        let Runtime { name, version } = &self.runtime;
        format!("{name} {version}")
    }
}

/// How many errors of one kind are told.
const SHOWN: usize = 10;
