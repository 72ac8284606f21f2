//! Running the binary.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value as Json;
use shape_model::file::Message as _;
use shape_model::file::proto::ModelProto;
use shape_tests::ending;
use tempfile::TempDir;

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) notes: String,
}

impl Run {
    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// What is said of a value of the model's own graph. An expression with a symbol that the model does not name is null:
    /// which one it is depends on what is before it.
    pub(crate) fn value(&self, name: &str) -> Json {
        let json = self.json();
        let values = json["values"].as_array().unwrap();
        let named = |value: &&Json| value["name"] == name && value["graph"].is_null();
        let mut value = values.iter().rfind(named).unwrap().clone();
        let symbols = json["symbols"].as_array().unwrap().iter();
        let symbols: Vec<&str> = symbols.map(|symbol| symbol["name"].as_str().unwrap()).collect();
        let is_fresh = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| symbols.contains(&word));
        for list in ["dims", "value"].map(|list| value[list].take()).into_iter().zip(["dims", "value"]) {
            let (mut list, place) = list;
            for item in list.as_array_mut().into_iter().flatten() {
                if item.as_str().is_some_and(is_fresh) {
                    item.take();
                }
            }
            let nothing = place == "value" && list.as_array().is_some_and(|list| list.iter().all(Json::is_null));
            value[place] = if nothing && list != serde_json::json!([]) { Json::Null } else { list };
        }
        value
    }

    /// The dimensions of a value: `[N, 3, ?]`, or `?` where not even the rank is known.
    pub(crate) fn dims(&self, name: &str) -> String {
        list(&self.value(name)["dims"]).unwrap_or_else(|| "?".to_owned())
    }

    /// The findings, each as `code graph#node`; but for outputs that are not declared, as the models of most tests leave
    /// them.
    pub(crate) fn findings(&self) -> Vec<String> {
        let mut findings = self.all_findings();
        findings.retain(|finding| !finding.starts_with("declaration-incomplete "));
        findings
    }

    /// The findings, each as `code graph#node`.
    pub(crate) fn all_findings(&self) -> Vec<String> {
        let json = self.json();
        let findings = json["findings"].as_array().unwrap();
        let texts = findings.iter().map(|finding| {
            let (code, graph) = (finding["code"].as_str().unwrap(), finding["graph"].as_str().unwrap());
            let node = finding["node"]["index"].as_u64().map(|index| format!("#{index}")).unwrap_or_default();
            format!("{code} {graph}{node}").trim_end().to_owned()
        });
        texts.collect()
    }

    /// The whole run for a snapshot.
    pub(crate) fn page(&self) -> String {
        let Self { code, out, notes } = self;
        format!("{out}\n--- stderr\n{notes}--- exit code {code}\n")
    }
}

/// Dimensions or elements as text, `?` for what is unknown; none where there is no list.
pub(crate) fn list(list: &Json) -> Option<String> {
    let item = |item: &Json| match item.as_str() {
        Some(symbol) => symbol.to_owned(),
        None if item.is_null() => "?".to_owned(),
        None => item.to_string(),
    };
    Some(format!("[{}]", list.as_array()?.iter().map(item).collect::<Vec<_>>().join(", ")))
}

/// A folder to run in, so that paths in the output are short and the same everywhere.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn model(&self, name: impl AsRef<Path>, model: &ModelProto) -> PathBuf {
        self.write(name, model.encode_to_vec())
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> ModelProto {
        ModelProto::decode(fs::read(self.path().join(name)).unwrap()).unwrap()
    }

    pub(crate) fn command(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shape"));
        ending(&mut command).current_dir(self.path()).args(args).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn shape(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
        run(&mut self.command(args))
    }
}

pub(crate) fn run(command: &mut Command) -> Run {
    let output = ending(command).output().unwrap();
    let run = Run {
        code: output.status.code().unwrap_or_else(|| panic!("{command:?}: {output:?}")),
        out: String::from_utf8(output.stdout).unwrap(),
        notes: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!run.notes.contains("panicked"), "{run:?}");
    run
}

/// `shape check` on one model, as JSON.
pub(crate) fn check(model: &ModelProto) -> Run {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    folder.shape(["check", "model.onnx", "--format", "json"])
}

/// `shape infer` on one model, as JSON, with more arguments.
pub(crate) fn infer(model: &ModelProto, args: &[&str]) -> Run {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    folder.shape(["infer", "model.onnx", "--format", "json"].iter().chain(args))
}

/// The newest release of a runtime that the descriptors know.
pub(crate) fn newest_release(runtime: &str) -> String {
    let tables = shape_specs::Tables::builtin().unwrap();
    let runtime = tables.runtimes.iter().find(|of| of.runtime == runtime).unwrap();
    runtime.releases.last().unwrap().to_string()
}
