//! What the command reads: standard input, and what is no regular file.

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use shape_model::file::Message as _;
use shape_model::file::proto::ModelProto;

use crate::model::{one, one_at};
use crate::outputs::with_data;
use crate::run::{Folder, Run};

/// Runs the command with bytes on standard input, through a pipe.
fn piped(command: &mut Command, bytes: Vec<u8>) -> (Run, Vec<u8>) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The command may end before it has read all.
    let writer = thread::spawn(move || drop(stdin.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(!notes.contains("panicked"), "{notes}");
    (Run { code: output.status.code().unwrap(), out, notes }, output.stdout)
}

/// Runs the command, which must end soon.
#[cfg(unix)]
fn soon(command: &mut Command) -> Run {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{command:?} does not end");
        }
        thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().unwrap(), out: text(output.stdout), notes: text(output.stderr) }
}

#[test]
fn a_dash_is_standard_input() {
    let folder = Folder::new();
    let bytes = one_at(999).encode_to_vec();
    let (run, _) = piped(&mut folder.command(["check", "-", "--format", "json"]), bytes.clone());
    assert_eq!((run.code, run.findings()), (1, vec!["opset-too-new".to_owned()]), "{run:?}");
    assert_eq!(run.json()["findings"][0]["model"], "<stdin>");

    let (run, _) = piped(&mut folder.command(["infer", "-", "--format", "json"]), one().encode_to_vec());
    assert_eq!((run.code, &*run.dims("y")), (0, "[3]"), "{run:?}");
    let (run, _) = piped(&mut folder.command(["ops", "--model", "-"]), one().encode_to_vec());
    assert!(run.code == 0 && run.out.contains("Shape-15"), "{run:?}");

    let (run, _) = piped(&mut folder.command(["check", "-"]), b"hello".to_vec());
    assert!(run.code == 2 && run.notes.contains("error: <stdin> is text"), "{run:?}");
    // Whoever has a file of this name can still say so.
    folder.model("-", &one());
    assert_eq!(folder.shape(["check", "./-"]).code, 0);
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new();
    folder.model("model.onnx", &one());
    let commands: [&[&str]; 3] =
        [&["infer", "-", "-o", "-"], &["fold", "-", "-o", "-"], &["convert", "-", "--opset", "20", "-o", "-"]];
    for command in commands {
        let (run, bytes) = piped(&mut folder.command(command), one().encode_to_vec());
        assert_eq!(run.code, 0, "{command:?}: {run:?}");
        let written = ModelProto::decode(bytes.clone()).unwrap();
        assert_eq!(written.graph.unwrap().name, "g", "{command:?}");
        assert!(run.notes.contains("wrote <stdout>"), "{command:?}: {run:?}");
        // The same bytes as in a file.
        let mut to_file: Vec<&str> = command.iter().map(|arg| if *arg == "-" { "model.onnx" } else { arg }).collect();
        *to_file.last_mut().unwrap() = "out.onnx";
        let run = folder.shape(to_file);
        assert_eq!((run.code, std::fs::read(folder.path().join("out.onnx")).unwrap()), (0, bytes), "{command:?}");
        assert!(!folder.path().join("-").exists());
    }
    let (run, _) = piped(&mut folder.command(["infer", "-", "-o", "-", "--why", "y"]), one().encode_to_vec());
    assert!(run.notes.contains("Shape"), "the steps go to standard error: {run:?}");
    let report = ["check", "model.onnx", "--profile", "sonnx", "--report"];
    let run = folder.shape(report.iter().chain(&["-"]));
    assert_eq!(folder.shape(report.iter().chain(&["page.html"])).code, run.code, "{run:?}");
    assert_eq!(run.out, std::fs::read_to_string(folder.path().join("page.html")).unwrap());
    assert!(run.notes.contains("SONNX-"), "the verdicts go to standard error: {run:?}");
    assert!(!folder.path().join("-").exists());
}

#[test]
fn standard_output_has_one_use() {
    let folder = Folder::new();
    folder.model("model.onnx", &one());
    let run = folder.shape(["infer", "model.onnx", "--html", "-", "--format", "json"]);
    assert!(run.code == 2 && run.notes.contains("`--html -` writes the page to standard output"), "{run:?}");
    let commands: [&[&str]; 4] = [
        &["infer", "model.onnx", "-o", "-", "--format", "json"],
        &["infer", "model.onnx", "-o", "-", "--dot"],
        &["fold", "model.onnx", "-o", "-", "--format", "json"],
        &["convert", "model.onnx", "--opset", "20", "-o", "-", "--format", "json"],
    ];
    for command in commands {
        let run = folder.shape(command);
        assert_eq!((run.code, &*run.out), (2, ""), "{command:?}: {run:?}");
        assert!(run.notes.contains("`-o -` writes the model to standard output"), "{command:?}: {run:?}");
    }
    for format in ["json", "sarif", "github"] {
        let report = ["check", "model.onnx", "--profile", "sonnx", "--report", "-", "--format", format];
        let run = folder.shape(report);
        assert_eq!((run.code, &*run.out), (2, ""), "{format}: {run:?}");
        assert!(run.notes.contains("`--report -` writes the page to standard output"), "{format}: {run:?}");
    }
}

/// On the terminal of a user, the bytes of a model do harm.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_no_model() {
    use std::fs::OpenOptions;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let folder = Folder::new();
    folder.model("model.onnx", &one());
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let terminal = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut command = folder.command(["infer", "model.onnx", "-o", "-"]);
    let output = command.stdout(terminal).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
    let notes = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{notes}");
    assert!(notes.contains("not for a terminal"), "{notes}");
}

/// A pipe without a writer, links to devices without an end, and links that lead nowhere and in circles.
#[cfg(unix)]
fn hostile(folder: &Folder, extension: &str) {
    use std::os::unix::fs::symlink;

    let at = |name: &str| folder.path().join(format!("{name}.{extension}"));
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    symlink("/dev/zero", at("zero")).unwrap();
    symlink(at("pipe"), at("link")).unwrap();
    let _ = std::fs::create_dir(folder.path().join("folder"));
    let _ = symlink("..", folder.path().join("folder/up"));
    let _ = symlink(".", folder.path().join("here"));
}

#[cfg(unix)]
#[test]
fn a_folder_has_more_than_models() {
    let folder = Folder::new();
    hostile(&folder, "onnx");
    folder.model("model.onnx", &one());
    let run = soon(&mut folder.command(["check", "."]));
    assert_eq!((run.code, &*run.out), (0, ""), "{run:?}");
    for name in ["pipe", "socket", "zero", "link"] {
        assert!(run.notes.contains(&format!("{name}.onnx is skipped: it is not a regular file\n")), "{run:?}");
    }
    assert!(run.notes.ends_with("no findings in 1 model\n"), "{run:?}");
    let run = soon(&mut folder.command(["test", "."]));
    assert_eq!((run.code, &*run.notes), (1, "1 case: 1 invalid\n"), "{run:?}");
    // What nobody can read is an error, as ever.
    std::os::unix::fs::symlink("circle.onnx", folder.path().join("circle.onnx")).unwrap();
    let run = soon(&mut folder.command(["check", "."]));
    assert!(run.code == 2 && run.notes.contains("cannot read ./circle.onnx"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_folder_has_more_than_descriptors() {
    let folder = Folder::new();
    hostile(&folder, "yaml");
    folder.model("model.onnx", &one());
    assert_eq!(folder.shape(["new", "com.acme::Gelu", "--specs", "."]).code, 0);
    let commands: [&[&str]; 3] = [
        &["specs", "lint", "."],
        &["check", "model.onnx", "--specs", "."],
        &["show", "com.acme::Gelu", "--specs", "."],
    ];
    for command in commands {
        let run = soon(&mut folder.command(command));
        assert_eq!(run.code, 0, "{command:?}: {run:?}");
        assert!(run.notes.contains("pipe.yaml is skipped: it is not a regular file\n"), "{command:?}: {run:?}");
        assert!(run.notes.contains("zero.yaml is skipped"), "{command:?}: {run:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_does_not_end_is_refused_by_name() {
    let folder = Folder::new();
    hostile(&folder, "onnx");
    hostile(&Folder::new(), "yaml");
    for (name, kind) in [("pipe", "a pipe"), ("zero", "a device"), ("link", "a pipe"), ("socket", "a socket")] {
        let name = format!("{name}.onnx");
        let said = format!("cannot read {name}: it is {kind}, not a regular file");
        let commands: [&[&str]; 8] = [
            &["check", &name],
            &["infer", &name],
            &["fold", &name, "-o", "out.onnx"],
            &["convert", &name, "--opset", "20", "-o", "out.onnx"],
            &["ops", "--model", &name],
            &["specs", "lint", &name],
            &["show", "Shape", "--specs", &name],
            &["specs", "import", &name],
        ];
        for command in commands {
            let run = soon(&mut folder.command(command));
            assert!(run.code == 2 && run.notes.contains(&said), "{command:?}: {run:?}");
        }
        assert!(!folder.path().join("out.onnx").exists());
    }
    // A test case whose model or whose input is a pipe.
    std::fs::create_dir_all(folder.path().join("case/test_data_set_0")).unwrap();
    folder.model("case/model.onnx", &one());
    std::fs::rename(folder.path().join("pipe.onnx"), folder.path().join("case/test_data_set_0/input_0.pb")).unwrap();
    let run = soon(&mut folder.command(["test", "case"]));
    assert!(run.code == 1 && run.out.contains("it is a pipe, not a regular file"), "{run:?}");
}

/// A file of the system that says that it is empty, and is not.
#[cfg(target_os = "linux")]
#[test]
fn a_stream_that_is_a_file() {
    let folder = Folder::new();
    let path = folder.model("model.onnx", &one());
    for name in ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        let run = soon(folder.command(["check", name]).stdin(File::open(&path).unwrap()));
        assert_eq!((run.code, &*run.notes), (0, "no findings in 1 model\n"), "{name}: {run:?}");
        let (run, _) = piped(&mut folder.command(["check", name]), one().encode_to_vec());
        assert_eq!((run.code, &*run.notes), (0, "no findings in 1 model\n"), "{name}: {run:?}");
    }
    let run = soon(&mut folder.command(["check", "/proc/self/cmdline"]));
    assert!(run.code == 2 && run.notes.contains("is not"), "{run:?}");
}

/// A stream has no folder in which data could be.
#[test]
fn data_beside_a_stream() {
    let folder = Folder::new();
    let (model, data) = with_data("data.bin");
    folder.write("data.bin", data);
    let (run, _) = piped(&mut folder.command(["check", "-", "--format", "json"]), model.encode_to_vec());
    assert_eq!(run.findings(), ["external-data-unread graph"], "{run:?}");
    let (run, _) = piped(&mut folder.command(["infer", "-", "-o", "out.onnx"]), model.encode_to_vec());
    assert!(run.code == 2 && run.notes.contains("`--external keep` writes the model"), "{run:?}");
    assert!(!folder.path().join("out.onnx").exists());
    let args = ["infer", "-", "-o", "out.onnx", "--external", "keep"];
    let (run, _) = piped(&mut folder.command(args), model.encode_to_vec());
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(folder.shape(["check", "out.onnx", "--deny", "warnings"]).code, 0);
}
