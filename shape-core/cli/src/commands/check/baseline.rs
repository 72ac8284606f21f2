//! A baseline is a file of known findings: these are not reported, and those that are gone are listed.
//!
//! A finding is known again by its model, code, graph, operator, the name of its node, and its message; the index of the
//! node is not compared, so that a model may get other nodes. Of findings that are counted and not listed, the number is
//! compared.

mod key;
mod known;
mod relative;

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shape_model::Finding;

use crate::input;
use crate::json::SCHEMA_VERSION;
use key::Key;
use known::Known;
pub(super) use known::Stale;
use relative::relative;

/// The file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema_version: u32,
    findings: Vec<Entry>,
}

/// A finding of the file, or several that are the same.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The path from the folder of the file.
    model: String,
    code: String,
    graph: String,
    operator: Option<String>,
    /// The name of the node; it may be empty.
    node: Option<String>,
    message: String,
    /// How often it is there.
    count: usize,
    /// How many more like it are not listed; left out if there are none.
    #[serde(default, skip_serializing_if = "is_none")]
    more: usize,
}

fn is_none(more: &usize) -> bool {
    *more == 0
}

/// The name of standard input as a model.
const STDIN: &str = "<stdin>";

/// The known findings of models.
#[derive(Debug)]
pub(super) struct Baseline {
    path: PathBuf,
    /// The folder that the paths of models are relative to.
    folder: PathBuf,
    models: BTreeMap<String, Known>,
    /// The models of the run.
    seen: HashSet<String>,
    /// The known findings of these models that were not found.
    gone: Vec<Gone>,
}

impl Baseline {
    /// One without findings that is to be written to a file, whose [full](crate::config::full()) path is `full`.
    fn empty(path: &Path, full: &Path) -> Self {
        let folder = full.parent().unwrap_or(full).to_owned();
        Self { path: path.to_owned(), folder, models: BTreeMap::new(), seen: HashSet::new(), gone: Vec::new() }
    }

    /// Reads a file; fails with a message that names it.
    pub(super) fn read(path: &Path, full: &Path) -> Result<Self, String> {
        let bytes = input::text(path)?;
        let wrong = |error: String| format!("{} is no baseline: {error}", path.display());
        let document: Document = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if document.schema_version != SCHEMA_VERSION {
            let version = document.schema_version;
            return Err(wrong(format!("its `schema_version` is {version}, and this program reads {SCHEMA_VERSION}")));
        }
        let mut baseline = Self::empty(path, full);
        for Entry { model, code, graph, operator, node, message, count, more } in document.findings {
            let key = Key { code, graph, operator, node, message };
            baseline.models.entry(model).or_default().add(key, count, more);
        }
        Ok(baseline)
    }

    /// Reads a file that is to be written anew, or begins one if there is none.
    pub(super) fn read_or_begin(path: &Path, full: &Path) -> Result<Self, String> {
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::empty(path, full)),
            _ => Self::read(path, full),
        }
    }

    /// Takes out the findings of a model that are known. `full` is the full path of the model.
    pub(super) fn take_out(&mut self, full: &Path, findings: &mut Vec<Finding>) -> Vec<Finding> {
        let model = self.name(full);
        let mut known = self.models.get(&model).cloned().unwrap_or_default();
        let taken = known.take_out(findings);
        if self.seen.insert(model.clone()) {
            self.gone.extend(known.rest().into_iter().map(|stale| Gone { model: model.clone(), stale }));
        }
        taken
    }

    /// The known findings that were not found in the models of the run, and those of models whose files are gone.
    pub(super) fn gone(&self) -> impl Iterator<Item = Gone> {
        let absent = self.models.iter().filter(|(model, _)| !self.seen.contains(*model) && !self.has(model));
        let absent = absent
            .flat_map(|(model, known)| known.rest().into_iter().map(|stale| Gone { model: model.clone(), stale }));
        self.gone.iter().cloned().chain(absent)
    }

    /// Whether a model is there; standard input always is.
    fn has(&self, model: &str) -> bool {
        model == STDIN || self.folder.join(model).exists()
    }

    /// The name of a model in the file.
    fn name(&self, full: &Path) -> String {
        if input::label(Path::new("-")) == full { STDIN.to_owned() } else { relative(full, &self.folder) }
    }

    /// Replaces the known findings of a model by these.
    pub(super) fn put(&mut self, full: &Path, findings: &[Finding]) {
        let mut known = Known::default();
        for finding in findings {
            known.add(Key::of(finding), 1, finding.more);
        }
        self.models.insert(self.name(full), known);
    }

    /// The text of the file; models whose files are gone are left out.
    pub(super) fn text(&self) -> serde_json::Result<String> {
        let mut findings = Vec::new();
        for (model, known) in self.models.iter().filter(|(model, _)| self.has(model)) {
            for (key, count, more) in known.entries() {
                let (model, Key { code, graph, operator, node, message }) = (model.clone(), key.clone());
                findings.push(Entry { model, code, graph, operator, node, message, count, more });
            }
        }
        let document = Document { schema_version: SCHEMA_VERSION, findings };
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    /// The path as it was given.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// A known finding that was not found.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Gone {
    /// The path from the folder of the file.
    pub(super) model: String,
    #[serde(flatten)]
    pub(super) stale: Stale,
}
