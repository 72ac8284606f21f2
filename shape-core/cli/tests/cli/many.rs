//! `shape check` on many models: which they are, in which order their findings are told, and the bar on a terminal.

use std::fs;

use crate::model::{model, node, one, one_at};
use crate::run::{Folder, Run};

/// The models of the findings, in their order.
fn models(run: &Run) -> Vec<String> {
    let json = run.json();
    let findings = json["findings"].as_array().unwrap().iter();
    findings.map(|finding| finding["model"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn folders() {
    let folder = Folder::new();
    let wrong = one_at(999);
    for name in
        ["m/b.onnx", "m/a.onnx", "m/a/z.onnx", "m/a/b/c/d.onnx", "m/.hidden/h.onnx", "m/f.onnx/g.onnx", "z.onnx"]
    {
        folder.model(name, &wrong);
    }
    folder.model("m/a/model.pb", &wrong);
    folder.write("m/a/weights.onnx.data", "no model");
    folder.write("empty/sub/.keep", "");
    let m = ["m/.hidden/h.onnx", "m/a/b/c/d.onnx", "m/a/z.onnx", "m/a.onnx", "m/b.onnx", "m/f.onnx/g.onnx"];
    let cases: &[(&[&str], i32, Vec<&str>, &str)] = &[
        (&["m"], 1, m.to_vec(), "6 errors in 6 models\n"),
        // The arguments stay in their order, and one that is named is no less a model for what it is called.
        (&["z.onnx", "m/a", "m/a/model.pb"], 1, vec!["z.onnx", "m/a/b/c/d.onnx", "m/a/z.onnx", "m/a/model.pb"], ""),
        (&["m/a", "z.onnx"], 1, vec!["m/a/b/c/d.onnx", "m/a/z.onnx", "z.onnx"], "3 errors in 3 models\n"),
        (&["empty"], 2, vec![], "error: there is no model (`*.onnx`) in empty\nno findings in 0 models, 1 not read\n"),
        (&["empty", "z.onnx"], 2, vec!["z.onnx"], "1 error in 1 model, 1 not read\n"),
    ];
    for (args, code, expected, notes) in cases {
        let run = folder.shape(["check", "--format", "json"].iter().chain(*args));
        assert_eq!((run.code, models(&run)), (*code, expected.iter().map(ToString::to_string).collect()), "{args:?}");
        assert!(run.notes.ends_with(notes), "{run:?}");
    }
}

#[cfg(unix)]
#[test]
fn links() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    folder.model("blobs/0123", &one_at(999));
    folder.model("other/b.onnx", &one_at(999));
    fs::create_dir(folder.path().join("m")).unwrap();
    let link = |to: &str, name: &str| symlink(to, folder.path().join(name)).unwrap();
    link("../blobs/0123", "m/a.onnx");
    link(".", "m/loop");
    link("../other", "m/other");
    link("../other", "m/other.onnx");
    let run = folder.shape(["check", "m", "--format", "json"]);
    assert_eq!((run.code, models(&run)), (1, vec!["m/a.onnx".to_owned()]), "{run:?}");
    // What is named itself is looked into.
    let run = folder.shape(["check", "m/other", "--format", "json"]);
    assert_eq!((run.code, models(&run)), (1, vec!["m/other/b.onnx".to_owned()]), "{run:?}");
    link("nowhere", "m/z.onnx");
    let run = folder.shape(["check", "m", "--format", "json"]);
    assert_eq!((run.code, models(&run)), (2, vec!["m/a.onnx".to_owned()]), "{run:?}");
    assert!(run.notes.starts_with("error: cannot read m/z.onnx: "), "{run:?}");
}

/// Whatever takes how long, what is told is told in the order of the arguments, in every form.
#[test]
fn order() {
    let folder = Folder::new();
    // The first and each tenth take longer than the others, so that these are finished before.
    let slow = (0..3_000).map(|index| node("Shape", &["x"], &[&format!("value_{index}")])).collect();
    let slow = model(&["x: float[N]"], slow, &["none: float[N]"]);
    let mut names = Vec::new();
    for index in 0..60 {
        let name = format!("{:02}.onnx", (index * 7) % 60);
        match index % 10 {
            0 => _ = folder.model(&name, &slow),
            3 => _ = folder.model(&name, &one()),
            5 => _ = folder.write(&name, "text"),
            _ => _ = folder.model(&name, &one_at(999)),
        }
        names.push(name);
    }
    let found: Vec<&String> =
        names.iter().enumerate().filter(|(index, _)| !matches!(index % 10, 3 | 5)).map(|(_, name)| name).collect();
    let unread: Vec<&String> = names.iter().skip(5).step_by(10).collect();
    for format in ["json", "text", "github", "sarif"] {
        let args = ["check", "--format", format].into_iter().chain(names.iter().map(String::as_str));
        let run = folder.shape(args);
        // Each finding names its model once.
        let told = run.out.replace("ai.onnx", "");
        let mut rest = &*told;
        for name in &found {
            let place = rest.find(&**name).unwrap_or_else(|| panic!("{format}: {name} is not in its place"));
            rest = &rest[place + name.len()..];
        }
        assert!(!rest.contains(".onnx"), "{format}: {rest}");
        let notes: Vec<&str> = run.notes.lines().collect();
        let (summary, troubles) = notes.split_last().unwrap();
        assert_eq!((run.code, *summary), (2, "48 errors in 54 models, 6 not read"), "{format}");
        assert_eq!(troubles.len(), unread.len(), "{format}");
        assert!(
            troubles.iter().zip(&unread).all(|(line, name)| line.starts_with(&format!("error: {name} is text"))),
            "{format}: {troubles:?}"
        );
    }
}

/// Standard error is a terminal here, and the second model comes only when the bar has been seen.
#[cfg(target_os = "linux")]
#[test]
fn progress_on_a_terminal() {
    use std::fs::{File, OpenOptions};
    use std::io::{Read as _, Write as _};
    use std::process::Stdio;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use shape_model::file::Message as _;

    let folder = Folder::new();
    folder.model("a.onnx", &one_at(999));
    folder.model("c.onnx", &one());
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let terminal = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut command = folder.command(["check", "a.onnx", "/dev/stdin", "c.onnx", "missing.onnx"]);
    command.env("TERM", "xterm").stdin(Stdio::piped()).stdout(terminal.try_clone().unwrap()).stderr(terminal);
    let mut child = command.spawn().unwrap();
    // The child alone holds the terminal now, so that reading ends with it.
    drop(command);
    let mut master = File::from(master);
    let mut seen = Vec::new();
    let mut read = |seen: &mut Vec<u8>| {
        let mut bytes = [0; 4096];
        let length = master.read(&mut bytes).unwrap_or(0);
        seen.extend_from_slice(&bytes[..length]);
        length
    };
    while !String::from_utf8_lossy(&seen).contains(" of 4 models") {
        assert!(read(&mut seen) > 0, "{}", String::from_utf8_lossy(&seen));
    }
    child.stdin.take().unwrap().write_all(&one_at(999).encode_to_vec()).unwrap();
    while read(&mut seen) > 0 {}
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let seen = String::from_utf8(seen).unwrap();
    let (_, after) = seen.rsplit_once(" of 4 models").unwrap();
    // The bar is wiped out; what is told comes below, the summary last.
    assert!(after.contains("\u{1b}[2K") && after.ends_with("2 errors in 3 models, 1 not read\r\n"), "{seen:?}");
    let told: Vec<&str> = seen.lines().filter(|line| line.contains("-->")).collect();
    assert!(told.len() == 2 && told[0].ends_with(" a.onnx") && told[1].ends_with(" /dev/stdin"), "{seen:?}");
    // What is told while the bar is there stands in lines of its own.
    let beside =
        |line: &&str| ["error", "-->", " = "].iter().any(|word| line.contains(word)) && line.contains("models");
    let beside = seen.lines().map(|line| line.rsplit("\u{1b}[2K").next().unwrap()).find(beside);
    assert_eq!(beside, Some("2 errors in 3 models, 1 not read"), "{seen:?}");
}
