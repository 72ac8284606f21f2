//! Files that are no models, and streams that end early.

use std::fs;
use std::process::Stdio;

use shape_model::file::Message as _;

use crate::model::{model, node, one};
use crate::run::{Folder, run};

#[test]
fn what_is_no_model() {
    let folder = Folder::new();
    let whole = one().encode_to_vec();
    folder.write("empty.onnx", []);
    folder.write("text.onnx", "hello\n");
    folder.write("pointer.onnx", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
    folder.write("page.onnx", "<!DOCTYPE html><html></html>");
    folder.write("cut.onnx", &whole[..whole.len() - 8]);
    folder.write("random.onnx", (0..=255_u8).rev().collect::<Vec<u8>>());
    folder.write("no_graph.onnx", [8, 8]);
    let cases = [
        ("missing.onnx", "cannot read missing.onnx: "),
        ("empty.onnx", "empty.onnx is empty"),
        ("text.onnx", "text.onnx is text"),
        ("pointer.onnx", "git lfs pull"),
        ("page.onnx", "page.onnx is a web page"),
        ("cut.onnx", "cut.onnx is cut short"),
        ("random.onnx", "random.onnx is not"),
        ("no_graph.onnx", "no_graph.onnx has no graph"),
    ];
    for (name, message) in cases {
        for command in ["check", "infer"] {
            let run = folder.shape([command, name]);
            assert_eq!((run.code, &*run.out), (2, ""), "{name}: {run:?}");
            assert!(run.notes.starts_with("error: ") && run.notes.contains(message), "{name}: {run:?}");
        }
    }
}

#[test]
fn a_folder_is_no_model_to_fold() {
    let folder = Folder::new();
    folder.model("folder/model.onnx", &one());
    let run = folder.shape(["fold", "folder", "-o", "folded.onnx"]);
    assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
    assert!(run.notes.contains("folder is a directory; name the model file in it"), "{run:?}");
    assert_eq!(folder.shape(["check", "folder"]).notes, "no findings in 1 model\n");
}

/// Whichever byte a file ends at, the command ends well.
#[test]
fn cut_anywhere() {
    let folder = Folder::new();
    let whole = one().encode_to_vec();
    let names: Vec<String> = (0..whole.len())
        .map(|length| {
            let name = format!("{length}.onnx");
            folder.write(&name, &whole[..length]);
            name
        })
        .collect();
    let run = folder.shape(["check"].into_iter().chain(names.iter().map(String::as_str)));
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.notes.lines().count() > names.len() / 2, "{run:?}");
}

#[test]
fn the_models_around_an_unreadable_one_are_checked() {
    let folder = Folder::new();
    folder.model("a.onnx", &one());
    folder.model("c.onnx", &crate::model::one_at(999));
    let run = folder.shape(["check", "a.onnx", "b.onnx", "c.onnx", "--format", "json"]);
    assert_eq!(run.findings(), ["opset-too-new"]);
    assert_eq!(run.code, 2);
    assert!(run.notes.contains("cannot read b.onnx") && run.notes.ends_with("1 error in 2 models, 1 not read\n"));
}

#[cfg(unix)]
#[test]
fn a_path_that_is_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = Folder::new();
    let name = OsStr::from_bytes(b"m\xff.onnx");
    folder.model(name, &one());
    let run = folder.shape([OsStr::new("check"), name]);
    assert_eq!((run.code, &*run.notes), (0, "no findings in 1 model\n"));
    let out = OsStr::from_bytes(b"out\xfe.onnx");
    let run = folder.shape([OsStr::new("infer"), name, OsStr::new("-o"), out]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(folder.path().join(out).exists());
    let missing = folder.shape([OsStr::new("check"), OsStr::from_bytes(b"n\xff.onnx")]);
    assert!(missing.notes.contains("cannot read n\u{fffd}.onnx"), "{missing:?}");
}

#[test]
fn a_reader_that_leaves() {
    let folder = Folder::new();
    let nodes = (0..20_000).map(|index| node("Shape", &["x"], &[&format!("value_{index}")])).collect();
    folder.model("model.onnx", &model(&["x: float[N]"], nodes, &["value_0"]));
    for args in [&["infer", "model.onnx"][..], &["infer", "model.onnx", "--format", "json"], &["show", "Shape"]] {
        let mut child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let notes = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {notes}");
        assert!(!notes.contains("error") && !notes.contains("panicked"), "{args:?}: {notes}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full() {
    let folder = Folder::new();
    folder.model("model.onnx", &one());
    for args in [&["infer", "model.onnx"][..], &["infer", "model.onnx", "--format", "json"], &["show", "Shape"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = folder.command(args).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        let notes = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {notes}");
        assert!(notes.contains("cannot write to standard output"), "{args:?}: {notes}");
    }
}

#[test]
fn a_model_from_a_pipe() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = Folder::new();
    let path = folder.model("model.onnx", &one());
    let mut command = folder.command(["check", "/dev/stdin"]);
    let run = run(command.stdin(fs::File::open(path).unwrap()));
    assert_eq!((run.code, &*run.notes), (0, "no findings in 1 model\n"));
}
