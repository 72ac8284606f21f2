//! What the command writes: nothing half, nothing in place of what it reads, nothing that others may read who may not.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use shape_model::file::Message as _;
use shape_model::file::proto::{DataLocation, ModelProto, StringStringEntryProto, TensorProto};
use shape_tests::ending;

use crate::model::{model, node, one};
use crate::run::Folder;

/// A model whose initializer is in another file, and the bytes of that file.
pub(crate) fn with_data(location: &str) -> (ModelProto, Vec<u8>) {
    let entry = StringStringEntryProto { key: "location".into(), value: location.into() };
    let tensor = TensorProto {
        name: "w".into(),
        dims: vec![2, 4],
        data_type: Some(1),
        data_location: Some(DataLocation::External.number()),
        external_data: vec![entry],
        ..TensorProto::default()
    };
    let mut model = model(&["x: float[2, 4]"], vec![node("Add", &["x", "w"], &["y"])], &["y: float[2, 4]"]);
    model.graph.as_mut().unwrap().initializer.push(tensor);
    (model, (0..32).collect())
}

/// A model file with an initializer of so many zeros, most of which take no space on the disk.
#[cfg(unix)]
fn large(folder: &Folder, name: &str, zeros: u64) {
    fn field(number: u64, before: &[u8], zeros: u64) -> Vec<u8> {
        let mut bytes = vec![];
        for mut rest in [number << 3 | 2, before.len() as u64 + zeros] {
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        bytes.extend(before);
        bytes
    }
    let tensor = TensorProto {
        name: "w".into(),
        dims: vec![zeros.try_into().unwrap()],
        data_type: Some(2),
        ..TensorProto::default()
    };
    let mut proto = one();
    let graph = proto.graph.take().unwrap();
    let tensor = [tensor.encode_to_vec(), field(9, &[], zeros)].concat();
    let graph = [graph.encode_to_vec(), field(5, &tensor, zeros)].concat();
    let start = [proto.encode_to_vec(), field(7, &graph, zeros)].concat();
    let path = folder.write(name, &start);
    fs::OpenOptions::new().write(true).open(path).unwrap().set_len(start.len() as u64 + zeros).unwrap();
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn profile<'a>(model: &'a str, report: &'a str) -> [&'a str; 6] {
    ["check", model, "--profile", "sonnx", "--report", report]
}

#[test]
fn an_output_never_replaces_an_input() {
    let folder = Folder::new();
    let (proto, data) = with_data("data.bin");
    folder.model("model.onnx", &proto);
    folder.write("data.bin", &data);
    folder.model("folder/other.onnx", &one());
    assert_eq!(folder.shape(["new", "com.acme::Gelu", "--specs", "specs"]).code, 0);
    fs::hard_link(folder.path().join("model.onnx"), folder.path().join("hard.onnx")).unwrap();
    let mut reports = vec!["model.onnx", "./folder/../model.onnx", "data.bin", "specs/com.acme/Gelu.yaml"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("hard.onnx", folder.path().join("soft.onnx")).unwrap();
        reports.extend(["hard.onnx", "soft.onnx"]);
    }
    let before = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let old: Vec<Vec<u8>> = reports.iter().map(|name| before(name)).collect();
    let mut commands: Vec<Vec<&str>> =
        reports.iter().map(|report| [&profile("model.onnx", report)[..], &["--specs", "specs"]].concat()).collect();
    commands.push(profile("folder", "folder/other.onnx").to_vec());
    for output in ["data.bin", "specs/com.acme/Gelu.yaml"] {
        commands.push(vec!["infer", "model.onnx", "--specs", "specs", "-o", output]);
        commands.push(vec!["fold", "model.onnx", "--specs", "specs", "-o", output]);
        commands.push(vec!["convert", "model.onnx", "--opset", "20", "--specs", "specs", "-o", output]);
    }
    for command in commands {
        let run = folder.shape(&command);
        assert_eq!(run.code, 2, "{command:?}: {run:?}");
        assert!(run.notes.contains("which this command reads; no file was written"), "{command:?}: {run:?}");
        for (name, old) in reports.iter().zip(&old) {
            assert!(before(name) == *old, "{command:?} changed {name}");
        }
    }
    assert_eq!(folder.shape(profile("model.onnx", "report.html")).code, 0);
    assert!(String::from_utf8(before("report.html")).unwrap().ends_with("</html>\n"));
}

/// The device is always full, and so is what a link to it leads to.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device() {
    let folder = Folder::new();
    folder.model("model.onnx", &one());
    std::os::unix::fs::symlink("/dev/full", folder.path().join("full")).unwrap();
    let before = names(folder.path());
    for full in ["/dev/full", "full"] {
        for command in [&profile("model.onnx", full)[..], &["infer", "model.onnx", "-o", full]] {
            let run = folder.shape(command);
            assert!(run.code == 2 && run.notes.contains(&format!("cannot write {full}: ")), "{command:?}: {run:?}");
        }
    }
    assert_eq!(names(folder.path()), before);
}

/// A limit of the length of files is as good as a full disk: what is there stays, and nothing else does.
#[cfg(unix)]
#[test]
fn a_report_is_whole_or_not_there() {
    let folder = Folder::new();
    folder.model("model.onnx", &one());
    folder.write("report.html", "old");
    let before = names(folder.path());
    let shape = env!("CARGO_BIN_EXE_shape");
    // Without the trap, the signal of the limit would end the command.
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {shape} {}", profile("model.onnx", "report.html").join(" "));
    let mut command = std::process::Command::new("bash");
    let run = crate::run::run(command.current_dir(folder.path()).arg("-c").arg(script));
    assert!(run.code == 2 && run.notes.contains("cannot write report.html: "), "{run:?}");
    assert_eq!(fs::read(folder.path().join("report.html")).unwrap(), b"old");
    assert_eq!(names(folder.path()), before);
}

/// While a file is written, and afterwards, nobody may read it who may not read the one that it replaces.
#[cfg(target_os = "linux")]
#[test]
fn permissions_are_never_wider() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    let folder = Folder::new();
    large(&folder, "model.onnx", 1 << 25);
    folder.model("small.onnx", &one());
    folder.write("out/target", "old");
    symlink("out/target", folder.path().join("link")).unwrap();
    let mode = |path: &Path| fs::metadata(path).map(|metadata| metadata.permissions().mode() & 0o777);
    let target = folder.path().join("out/target");
    for wanted in [0o600, 0o640, 0o444, 0o604] {
        fs::set_permissions(&target, fs::Permissions::from_mode(wanted)).unwrap();
        let widest = std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for command in [&["infer", "model.onnx", "-o", "link"][..], &profile("small.onnx", "link")] {
                    let run = folder.shape(command);
                    assert!(run.code < 2, "{command:?}: {:?}", run.notes);
                    assert_eq!(mode(&target).unwrap(), wanted, "{command:?}");
                }
            });
            let mut widest = 0;
            while !writer.is_finished() {
                for entry in fs::read_dir(folder.path().join("out")).unwrap() {
                    widest |= mode(&entry.unwrap().path()).unwrap_or_default();
                }
            }
            writer.join().unwrap();
            widest
        });
        // The owner may write what it has not finished.
        assert_eq!(widest & !wanted & 0o177, 0, "{widest:o} while {wanted:o} is replaced");
        assert!(folder.path().join("link").is_symlink());
    }
    // Only the superuser may give files to others.
    let user = fs::metadata(folder.path()).unwrap().uid();
    if user == 0 && std::os::unix::fs::chown(&target, Some(1234), Some(5678)).is_ok() {
        assert_eq!(folder.shape(["infer", "model.onnx", "-o", "link"]).code, 0);
        let new = fs::metadata(&target).unwrap();
        assert_eq!((new.uid(), new.gid(), new.mode() & 0o7777), (1234, 5678, 0o604));
    }
}

/// Each of these signals ends the command as it ends others, and no temporary file stays.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_no_file() {
    use std::os::unix::process::ExitStatusExt as _;

    let folder = Folder::new();
    fs::create_dir(folder.path().join("out")).unwrap();
    for (signal, ignored) in [("TERM", false), ("INT", false), ("HUP", false), ("HUP", true)] {
        // So large that writing it takes a while.
        large(&folder, "large.onnx", if ignored { 1 << 26 } else { 1 << 30 });
        let trap = if ignored { format!("trap '' {signal}; ") } else { String::new() };
        let shape = env!("CARGO_BIN_EXE_shape");
        let script = format!("{trap}exec {shape} infer large.onnx -o out/new.onnx");
        let mut command = std::process::Command::new("bash");
        ending(&mut command).current_dir(folder.path()).arg("-c").arg(script);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let temporary = || names(&folder.path().join("out")).iter().any(|name| name.starts_with(".shape-"));
        while !temporary() && child.try_wait().unwrap().is_none() {}
        let kill = std::process::Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
        assert!(kill.unwrap().success());
        let status = child.wait().unwrap();
        let number = match signal {
            "TERM" => 15,
            "INT" => 2,
            _ => 1,
        };
        let expected = if ignored { (Some(0), None) } else { (None, Some(number)) };
        assert_eq!((status.code(), status.signal()), expected, "{signal}");
        let left: &[&str] = if ignored { &["new.onnx"] } else { &[] };
        assert_eq!(names(&folder.path().join("out")), left, "{signal}");
    }
}

/// Each command that writes a model, from `model.onnx` to an output.
fn writers(output: &str) -> [Vec<&str>; 3] {
    [
        vec!["infer", "model.onnx", "-o", output],
        vec!["fold", "model.onnx", "-o", output],
        vec!["convert", "model.onnx", "--opset", "18", "-o", output],
    ]
}

#[test]
fn data_in_other_files() {
    for (index, location) in ["data.bin", "deep/data.bin", "./data.bin"].into_iter().enumerate() {
        let folder = Folder::new();
        let (proto, data) = with_data(location);
        folder.model("model.onnx", &proto);
        folder.write(location, &data);
        fs::create_dir(folder.path().join("out")).unwrap();
        let at = |name: &str| folder.path().join(name);
        for command in writers("out/new.onnx") {
            // It would not find its data there.
            let run = folder.shape(&command);
            assert!(run.code == 2 && run.notes.contains("`--external copy` copies the data"), "{command:?}: {run:?}");
            assert_eq!(names(&at("out")), [""; 0], "{command:?}");

            let run = folder.shape(command.iter().chain(&["--external", "keep"]));
            assert_eq!(run.code, 0, "{command:?}: {run:?}");
            assert_eq!(names(&at("out")), ["new.onnx"], "{command:?}");
            let run = folder.shape(["check", "out/new.onnx", "--format", "json"]);
            assert_eq!(run.findings(), ["external-data-absent graph"], "{command:?}");
            fs::remove_file(at("out/new.onnx")).unwrap();

            // A second time, the data is there.
            for _ in 0..2 {
                let run = folder.shape(command.iter().chain(&["--external", "copy"]));
                assert_eq!(run.code, 0, "{command:?}: {run:?}");
                assert_eq!(fs::read(at("out").join(location)).unwrap(), data, "{command:?}");
            }
            assert_eq!(names(&at("out")).len(), 2, "{command:?}");
            assert_eq!(folder.shape(["check", "out/new.onnx", "--deny", "warnings"]).code, 0, "{command:?}");
            // And nothing has to be copied.
            assert_eq!(folder.shape(&command).code, 0, "{command:?}");

            // Another file has its place, and stays.
            fs::remove_file(at("out/new.onnx")).unwrap();
            fs::write(at("out").join(location), [0; 32]).unwrap();
            for more in [&[][..], &["--external", "copy"]] {
                let run = folder.shape(command.iter().chain(more));
                assert_eq!(run.code, 2, "{command:?} {more:?}: {run:?}");
                assert_eq!(fs::read(at("out").join(location)).unwrap(), [0; 32], "{command:?} {more:?}");
                assert!(!at("out/new.onnx").exists(), "{command:?} {more:?}");
            }
            fs::remove_dir_all(at("out")).unwrap();
            fs::create_dir(at("out")).unwrap();
        }
        if index == 0 {
            // The same folder, under whatever path: the data is where it was.
            for output in ["new.onnx", "out/../new.onnx", "model.onnx", "/dev/null"] {
                if cfg!(unix) || output != "/dev/null" {
                    assert_eq!(folder.shape(["infer", "model.onnx", "-o", output]).code, 0, "{output}");
                }
            }
            let run = folder.shape(["infer", "model.onnx", "-o", "-"]);
            assert!(run.code == 2 && run.out.is_empty(), "{run:?}");
            assert!(run.notes.contains("has no place beside standard output"), "{run:?}");
            let run = folder.shape(["infer", "model.onnx", "-o", "out/data.bin", "--external", "copy"]);
            assert!(run.code == 2 && run.notes.contains("out/data.bin"), "{run:?}");
        }
    }
}

/// What the reader refuses is not copied, and not written as if it were there.
#[test]
fn data_that_is_refused() {
    let folder = Folder::new();
    folder.write("secret", [7; 32]);
    let secret = folder.path().join("secret").to_string_lossy().into_owned();
    for location in ["../secret", &*secret, "a/../../secret"] {
        let (proto, _) = with_data(location);
        folder.model("in/model.onnx", &proto);
        fs::create_dir_all(folder.path().join("out/deep")).unwrap();
        for more in [&[][..], &["--external", "copy"]] {
            let run = folder.shape(["infer", "in/model.onnx", "-o", "out/deep/new.onnx"].iter().chain(more));
            assert!(run.code == 2 && run.notes.contains("is refused"), "{location} {more:?}: {run:?}");
            assert_eq!(names(&folder.path().join("out/deep")), [""; 0], "{location}");
        }
        let args = ["infer", "in/model.onnx", "-o", "out/deep/new.onnx", "--external", "keep"];
        assert_eq!(folder.shape(args).code, 0, "{location}");
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}

/// Data that is missing is missing in both places; but nothing else may take its place.
#[test]
fn data_that_is_missing() {
    let folder = Folder::new();
    let (proto, _) = with_data("data.bin");
    folder.model("model.onnx", &proto);
    fs::create_dir(folder.path().join("out")).unwrap();
    assert_eq!(folder.shape(["infer", "model.onnx", "-o", "out/new.onnx"]).code, 0);
    let run = folder.shape(["infer", "model.onnx", "-o", "out/new.onnx", "--external", "copy"]);
    assert!(run.code == 2 && run.notes.contains("there is no file"), "{run:?}");
    folder.write("out/data.bin", [1; 32]);
    let run = folder.shape(["infer", "model.onnx", "-o", "out/new.onnx"]);
    assert!(run.code == 2 && run.notes.contains("out/data.bin exists"), "{run:?}");
}

/// A copy goes into the folder of the model, also where a link in it leads elsewhere; and it keeps its permissions.
#[cfg(unix)]
#[test]
fn copies_stay_in_the_folder() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let folder = Folder::new();
    let (proto, data) = with_data("deep/data.bin");
    folder.model("model.onnx", &proto);
    let path = folder.write("deep/data.bin", &data);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    for name in ["out", "elsewhere", "other"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    symlink("../elsewhere", folder.path().join("out/deep")).unwrap();
    let run = folder.shape(["infer", "model.onnx", "-o", "out/new.onnx", "--external", "copy"]);
    assert!(run.code == 2 && run.notes.contains("out/deep/data.bin leads out of the folder"), "{run:?}");
    assert_eq!(names(&folder.path().join("elsewhere")), [""; 0]);
    assert_eq!(names(&folder.path().join("out")), ["deep"]);
    assert_eq!(folder.shape(["infer", "model.onnx", "-o", "other/new.onnx", "--external", "copy"]).code, 0);
    let copy = fs::metadata(folder.path().join("other/deep/data.bin")).unwrap();
    assert_eq!(copy.permissions().mode() & 0o777, 0o600);
}

/// A tensor may name its data from anywhere in the model.
#[test]
fn data_of_every_tensor_is_copied() {
    use crate::model::{Change as _, function, subgraph};

    let folder = Folder::new();
    let tensor = |location: &str| with_data(location).0.graph.unwrap().initializer.remove(0);
    let constant = |location: &str, output: &str| {
        let mut node = node("Constant", &[], &[output]);
        let value = shape_model::file::proto::AttributeProto {
            name: "value".into(),
            r#type: Some(4),
            t: Some(Box::new(tensor(location))),
            ..Default::default()
        };
        node.attribute.push(value);
        node
    };
    let mut branch = crate::model::graph(&[], vec![constant("b", "branch")], &["branch: float[2, 4]"]);
    branch.initializer.push(TensorProto { name: "inner".into(), ..tensor("c") });
    let mut choice = node("If", &["condition"], &["z"]);
    choice.attribute.extend([subgraph("then_branch", branch.clone()), subgraph("else_branch", branch)]);
    let proto = with_data("a").0.with(|model| {
        let graph = model.graph.as_mut().unwrap();
        graph.node.extend([constant("d", "constant"), choice]);
        graph.input.push(crate::model::value("condition: bool"));
        model.functions = vec![function(vec![constant("e", "b")], 17)];
    });
    folder.model("model.onnx", &proto);
    for name in ["a", "b", "c", "d", "e", "f"] {
        folder.write(name, [1; 32]);
    }
    fs::create_dir(folder.path().join("out")).unwrap();
    let run = folder.shape(["infer", "model.onnx", "-o", "out/new.onnx", "--external", "copy"]);
    assert!(folder.path().join("out/new.onnx").exists(), "{run:?}");
    assert_eq!(names(&folder.path().join("out")), ["a", "b", "c", "d", "e", "new.onnx"]);
}
