//! `shape check --watch`: it checks again when something changes that it reads, and ends by a signal.

use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStderr, Stdio};

use crate::model::{one, one_at};
use crate::outputs::with_data;
use crate::run::Folder;

/// A command that watches.
struct Watch {
    child: Child,
    notes: Lines<BufReader<ChildStderr>>,
}

impl Watch {
    fn new(folder: &Folder, args: &[&str]) -> Self {
        let mut command = folder.command(["check", "--watch"].iter().chain(args));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let notes = BufReader::new(child.stderr.take().unwrap()).lines();
        Self { child, notes }
    }

    /// The lines of standard error up to that which tells that it waits for the next change.
    fn told(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        for line in self.notes.by_ref() {
            let line = line.unwrap();
            if line.starts_with("watching ") {
                return told;
            }
            told.push(line);
        }
        panic!("it ended: {told:?}")
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn changes() {
    let folder = Folder::new();
    folder.model("m/a.onnx", &one());
    let mut watch = Watch::new(&folder, &["m"]);
    assert_eq!(watch.told(), ["no findings in 1 model"]);
    folder.model("m/a.onnx", &one_at(999));
    assert_eq!(watch.told(), ["--- m/a.onnx changed ---", "1 error in 1 model"]);
    folder.model("m/b.onnx", &one_at(999));
    assert_eq!(watch.told(), ["--- m/b.onnx changed ---", "2 errors in 2 models"]);
    // One above the folder, which was not there.
    let settings = folder.write("shape.toml", "ignore = ['opset-too-new']");
    let told = watch.told();
    let full = std::fs::canonicalize(settings).unwrap();
    assert_eq!(told, [format!("--- {} changed ---", full.display()), "no findings in 2 models, 2 ignored".to_owned()]);
    // A mistake does not end it.
    folder.write("shape.toml", "ignore = ['opset-too-ne']");
    assert!(watch.told().iter().any(|line| line.contains("error[unknown-code]")));
    std::fs::remove_file(folder.path().join("shape.toml")).unwrap();
    assert_eq!(watch.told()[1..], ["2 errors in 2 models"]);
    std::fs::remove_file(folder.path().join("m/b.onnx")).unwrap();
    assert_eq!(watch.told(), ["--- m/b.onnx changed ---", "1 error in 1 model"]);
}

#[test]
fn data_and_baselines() {
    let folder = Folder::new();
    let (model, data) = with_data("data.bin");
    folder.model("a.onnx", &model);
    folder.write("data.bin", &data);
    folder.write("known.json", r#"{"schema_version": 1, "findings": []}"#);
    let mut watch = Watch::new(&folder, &["a.onnx", "--baseline", "known.json"]);
    assert_eq!(watch.told(), ["no findings in 1 model"]);
    folder.write("data.bin", &data[1..]);
    let told = watch.told();
    assert!(told[0].ends_with("data.bin changed ---") && told[1] == "1 error in 1 model", "{told:?}");
    // It is looked for also while it is not there.
    std::fs::remove_file(folder.path().join("data.bin")).unwrap();
    assert_ne!(watch.told()[1], "no findings in 1 model");
    folder.write("data.bin", &data);
    assert_eq!(watch.told()[1], "no findings in 1 model");
    folder.write("known.json", "{");
    assert!(watch.told()[1].starts_with("error: known.json is no baseline"));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it() {
    use std::os::unix::process::ExitStatusExt as _;

    let folder = Folder::new();
    folder.model("a.onnx", &one());
    let mut watch = Watch::new(&folder, &["a.onnx"]);
    watch.told();
    let kill = std::process::Command::new("kill").arg("-INT").arg(watch.child.id().to_string()).status();
    assert!(kill.unwrap().success());
    // A shell makes 130 of it.
    assert_eq!(watch.child.wait().unwrap().signal(), Some(2));
}

#[test]
fn what_cannot_be_watched() {
    let folder = Folder::new();
    folder.model("a.onnx", &one());
    for args in [&["-"][..], &["--files-from", "-"], &["a.onnx", "--write-baseline", "b.json"]] {
        let run = folder.shape(["check", "--watch"].iter().chain(args));
        assert_eq!(run.code, 2, "{run:?}");
    }
}
