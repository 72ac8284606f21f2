//! The hook for pre-commit, the action and the problem matcher for GitHub: what each says is run on models.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regex::Regex;
use serde_json::Value as Json;
use serde_yaml::Value as Yaml;

use crate::model::{Change as _, acme, function, in_graph, model, node, one, one_at, one_with, with_acme};
use crate::run::{Folder, Run, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn yaml(file: &str) -> Yaml {
    serde_yaml::from_slice(&fs::read(root().join(file)).unwrap()).unwrap()
}

/// The search path with the command on it.
fn search_path() -> std::ffi::OsString {
    let folder = Path::new(env!("CARGO_BIN_EXE_shape")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&path))).unwrap()
}

/// A folder with a model without findings, one with an error, and what is no model.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.model("m/good.onnx", &one());
    folder.model("m/with space.onnx", &one());
    folder.model("m/bad.onnx", &one_at(999));
    folder.write("m/notes.txt", "no model");
    folder
}

/// Runs the hook on the files that it is for, as pre-commit does.
fn hook(folder: &Folder, changed: &[&str]) -> Option<Run> {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hook = hooks.as_sequence().unwrap().iter().find(|hook| hook["id"] == "shape-check").unwrap();
    let files = Regex::new(hook["files"].as_str().unwrap()).unwrap();
    let changed: Vec<&str> = changed.iter().copied().filter(|file| files.is_match(file)).collect();
    if changed.is_empty() {
        return None;
    }
    let mut words = hook["entry"].as_str().unwrap().split(' ');
    let mut command = Command::new(words.next().unwrap());
    let args = hook["args"].as_sequence().into_iter().flatten().map(|arg| arg.as_str().unwrap());
    command.args(words).args(args).args(changed);
    command.current_dir(folder.path()).env("PATH", search_path()).stdin(Stdio::null());
    Some(run(&mut command))
}

#[test]
fn the_hook_checks_what_changed() {
    let folder = folder();
    let good = hook(&folder, &["m/good.onnx", "m/notes.txt", "m/with space.onnx"]).unwrap();
    assert_eq!((good.code, &*good.notes), (0, "no findings in 2 models\n"), "{good:?}");
    let bad = hook(&folder, &["m/good.onnx", "m/bad.onnx"]).unwrap();
    assert_eq!(bad.code, 1, "{bad:?}");
    assert!(bad.out.contains("m/bad.onnx"), "{bad:?}");
    assert!(hook(&folder, &["m/notes.txt", "m/onnx", "m/model.onnx.py"]).is_none());
}

/// What a run of the action left.
struct Done {
    succeeded: bool,
    /// The names of the steps that ran, or would run.
    steps: Vec<String>,
    log: String,
    outputs: HashMap<String, String>,
}

/// The contexts that expressions of the action read.
struct Contexts {
    values: HashMap<String, String>,
    failed: bool,
}

impl Contexts {
    /// Replaces each `${{ name }}` by its value.
    fn text(&self, text: &str) -> String {
        let expression = Regex::new(r"\$\{\{ ([a-z_.]+) \}\}").unwrap();
        expression.replace_all(text, |found: &regex::Captures<'_>| self.value(&found[1])).into_owned()
    }

    fn value(&self, name: &str) -> String {
        // An output that was not set is empty; an input must be declared.
        assert!(!name.starts_with("inputs.") || self.values.contains_key(name), "{name} is not declared");
        self.values.get(name).cloned().unwrap_or_default()
    }

    /// Whether a step runs.
    fn holds(&self, condition: Option<&str>) -> bool {
        let parts: Vec<&str> = condition.unwrap_or("success()").split(" && ").collect();
        let part = |part: &&str| match part.split_once(" == ") {
            Some((name, text)) => self.value(name) == text.trim_matches('\''),
            None if *part == "always()" => true,
            None => *part == "success()" && !self.failed,
        };
        // Without `always()`, a step runs only if none before it failed.
        parts.iter().all(part) && (!self.failed || parts.contains(&"always()"))
    }
}

/// Runs the steps of the action as GitHub does, but for those that use another action.
fn act(folder: &Folder, inputs: &[(&str, &str)]) -> Done {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    let mut contexts = Contexts { values: HashMap::new(), failed: false };
    for (name, input) in action["inputs"].as_mapping().unwrap() {
        let default = input["default"].as_str().unwrap();
        contexts.values.insert(format!("inputs.{}", name.as_str().unwrap()), default.to_owned());
    }
    for (name, value) in inputs {
        let known = contexts.values.insert(format!("inputs.{name}"), (*value).to_owned());
        assert!(known.is_some(), "the action has no input {name}");
    }
    contexts.values.insert("github.action_path".into(), root().to_str().unwrap().to_owned());
    let (mut steps, mut log) = (Vec::new(), String::new());
    for step in action["runs"]["steps"].as_sequence().unwrap() {
        if !contexts.holds(step["if"].as_str()) {
            continue;
        }
        steps.push(step["name"].as_str().unwrap().to_owned());
        let Some(lines) = step["run"].as_str() else {
            let file = contexts.text(step["with"]["sarif_file"].as_str().unwrap());
            assert!(folder.path().join(file).is_file());
            continue;
        };
        assert_eq!(step["shell"], "bash");
        // An expression in a script would let an input be a command.
        assert!(!lines.contains("${{"), "{lines}");
        let script = folder.write("step.sh", lines);
        let output = folder.write("output", "");
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(script).current_dir(folder.path());
        command.env("PATH", search_path()).env("GITHUB_OUTPUT", &output).stdin(Stdio::null());
        for (name, value) in step["env"].as_mapping().into_iter().flatten() {
            command.env(name.as_str().unwrap(), contexts.text(value.as_str().unwrap()));
        }
        let done = run(&mut command);
        contexts.failed |= done.code != 0;
        log += &done.out;
        log += &done.notes;
        let id = step["id"].as_str().unwrap_or_default();
        for line in fs::read_to_string(output).unwrap().lines() {
            let (name, value) = line.split_once('=').unwrap();
            contexts.values.insert(format!("steps.{id}.outputs.{name}"), value.to_owned());
        }
    }
    let outputs = action["outputs"].as_mapping().unwrap().iter();
    let outputs = outputs
        .map(|(name, output)| (name.as_str().unwrap().to_owned(), contexts.text(output["value"].as_str().unwrap())));
    Done { succeeded: !contexts.failed, steps, log, outputs: outputs.collect() }
}

/// The models of the results in a SARIF log.
fn results(folder: &Folder, file: &str) -> Vec<String> {
    let log: Json = serde_json::from_slice(&fs::read(folder.path().join(file)).unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().unwrap().iter();
    results.map(|result| result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].to_string()).collect()
}

#[cfg(unix)]
#[test]
fn the_action_checks_and_uploads() {
    let folder = folder();
    let done = act(&folder, &[("models", "m/good.onnx\n  m/with space.onnx\n"), ("install", "false")]);
    assert!(done.succeeded, "{}", done.log);
    assert_eq!((&*done.outputs["status"], &*done.outputs["sarif"]), ("0", "shape.sarif"));
    assert_eq!(done.steps, ["Check", "Upload"]);
    assert_eq!(results(&folder, "shape.sarif"), [""; 0]);

    // All below the folder, a log of another name.
    let done = act(&folder, &[("install", "false"), ("sarif", "log.sarif")]);
    assert!(!done.succeeded);
    assert_eq!((&*done.outputs["status"], &*done.outputs["sarif"]), ("1", "log.sarif"));
    assert_eq!(done.steps, ["Check", "Upload"]);
    assert_eq!(results(&folder, "log.sarif"), ["\"m/bad.onnx\""]);
    // The findings are in the log too, behind the matcher, whose file is there.
    let matcher = done.log.lines().find_map(|line| line.strip_prefix("::add-matcher::")).unwrap();
    assert!(Path::new(matcher).is_file(), "{matcher}");
    assert!(done.log.contains("error[opset-too-new]"), "{}", done.log);

    // Without the upload; a model that cannot be read is in the log, too.
    let done = act(&folder, &[("models", "m/*.onnx\nmissing.onnx"), ("install", "false"), ("upload", "false")]);
    assert_eq!((done.succeeded, &*done.outputs["status"]), (false, "2"));
    assert_eq!(done.steps, ["Check"]);

    // Options, one a line; a wrong one leaves no log to upload.
    let options = [("models", "m/acme.onnx"), ("install", "false"), ("options", "--deny\nwarnings")];
    folder.model(
        "m/acme.onnx",
        &with_acme(model(&["x: float[2]"], vec![acme("Blur", &["x"], &["y"])], &["y: float[2]"])),
    );
    assert!(act(&folder, &options[..2]).succeeded);
    assert!(!act(&folder, &options).succeeded);
    let done = act(&folder, &[("install", "false"), ("options", "--no-such-option; touch stolen")]);
    assert_eq!((done.succeeded, &*done.outputs["status"]), (false, "2"));
    assert_eq!(done.steps, ["Check"]);
    assert!(!folder.path().join("stolen").exists());
}

#[test]
fn the_action_installs_this_command() {
    let action = yaml("action.yml");
    let install = &action["runs"]["steps"][0];
    assert_eq!((&install["name"], &install["if"]), (&Yaml::from("Install"), &Yaml::from("inputs.install == 'true'")));
    let path = install["run"].as_str().unwrap().rsplit_once("--path \"$ACTION/").unwrap().1.trim_end_matches('"');
    let manifest = fs::read_to_string(root().join(path).join("Cargo.toml")).unwrap();
    assert!(manifest.contains("name = \"onnxspec-cli\""), "{manifest}");
}

/// A finding as GitHub reads it from the log: severity, code, message, file, line.
type Issue = [String; 5];

/// What the matchers find in a log.
fn matched(log: &str) -> Vec<Issue> {
    let matchers: Json =
        serde_json::from_slice(&fs::read(root().join(".github/shape-problem-matcher.json")).unwrap()).unwrap();
    let matchers = matchers["problemMatcher"].as_array().unwrap();
    let lines: Vec<&str> = log.lines().collect();
    let mut issues = Vec::new();
    for start in 0..lines.len() {
        // The last matcher that is added decides; each line matches one of these at most.
        let found: Vec<Issue> = matchers.iter().filter_map(|matcher| matches(matcher, &lines[start..])).collect();
        assert!(found.len() < 2, "{found:?}");
        issues.extend(found);
    }
    issues
}

fn matches(matcher: &Json, lines: &[&str]) -> Option<Issue> {
    let mut issue: Issue = Default::default();
    issue[0] = matcher["severity"].as_str().unwrap_or_default().to_owned();
    let patterns = matcher["pattern"].as_array().unwrap();
    for (pattern, line) in patterns.iter().zip(lines.iter().copied().chain(std::iter::repeat(""))) {
        let found = Regex::new(pattern["regexp"].as_str().unwrap()).unwrap().captures(line)?;
        for (index, property) in ["severity", "code", "message", "file", "line"].into_iter().enumerate() {
            if let Some(group) = pattern[property].as_u64() {
                issue[index] = found[usize::try_from(group).unwrap()].to_owned();
            }
        }
    }
    // These are what GitHub knows.
    assert!(["error", "warning", "notice"].contains(&&*issue[0]), "{issue:?}");
    Some(issue)
}

#[test]
fn the_matcher_reads_each_finding() {
    let folder = folder();
    folder.model("m/acme.onnx", &with_acme(model(&["x: float[2]"], vec![acme("Blur", &["x"], &["y"])], &["y"])));
    folder.model(
        "m/attribute.onnx",
        &one_with(|node| {
            node.name = "a: b --> c".into();
            node.attribute = vec![crate::model::int("startt", 1)];
        }),
    );
    let bad_function = function(vec![node("Shapes", &["a"], &["b"])], 17);
    folder.model("m/function.onnx", &one().with(|model| model.functions = vec![bad_function]));
    folder.model("m/graph.onnx", &in_graph(one(), |graph| graph.name.clear()));
    let findings = folder.shape(["check", "m", "--format", "json"]).json();
    let expected: Vec<Issue> = findings["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let text = |field: &str| finding[field].as_str().unwrap().to_owned();
            let severity = if text("severity") == "info" { "notice".to_owned() } else { text("severity") };
            [severity, text("code"), text("message"), text("model"), String::new()]
        })
        .collect();
    for severity in ["error", "warning", "notice"] {
        assert!(expected.iter().any(|issue| issue[0] == severity), "{severity}: {expected:?}");
    }
    assert_eq!(matched(&folder.shape(["check", "m"]).out), expected);
    // Errors in descriptors have a line.
    let descriptor = "operator: Gelu\ndomain: com.acme\nsumary: Nothing.\n";
    folder.write("specs/com.acme/Gelu.yaml", descriptor);
    let run = folder.shape(["specs", "lint", "specs"]);
    let log = format!("{}{}", run.out, run.notes);
    let issues = matched(&log);
    let found = issues.iter().find(|issue| issue[1] == "unknown-field").unwrap_or_else(|| panic!("{log}"));
    assert_eq!((&*found[0], &*found[4]), ("error", "3"), "{found:?}");
    assert!(found[3].ends_with("com.acme/Gelu.yaml"), "{found:?}");
}
