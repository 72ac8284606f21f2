//! Which models `shape check` takes: lists of them, parts of them, and how many at a time.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value as Json;

use crate::model::{one, one_at};
use crate::run::{Folder, Run};

/// The models of a run, by its JSON lines.
fn models(run: &Run) -> Vec<String> {
    let lines = run.out.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let models = lines.filter(|line| line["type"] == "model");
    models.map(|line| line["model"].as_str().unwrap().to_owned()).collect()
}

/// Runs the command with a text as standard input.
fn with_input(folder: &Folder, args: &[&str], input: &[u8]) -> Run {
    let file = folder.write("stdin.txt", input);
    let mut command = folder.command(["check", "--format", "jsonl"].iter().chain(args));
    crate::run::run(command.stdin(Stdio::from(std::fs::File::open(file).unwrap())))
}

#[test]
fn lists() {
    let folder = Folder::new();
    for name in ["a.onnx", "b c.onnx", "d\ne.onnx", "m/f.onnx", "m/g.onnx"] {
        folder.model(name, &one());
    }
    folder.write("list.txt", "b c.onnx\n\nm\r\na.onnx");
    type Case<'c> = (&'c [&'c str], &'c [u8], i32, &'c [&'c str]);
    let cases: &[Case<'_>] = &[
        (&["--files-from", "-"], b"a.onnx\nb c.onnx\n", 0, &["a.onnx", "b c.onnx"]),
        (&["--files-from", "-"], b"", 0, &[]),
        (&["--files-from", "-", "--null"], b"d\ne.onnx\0a.onnx\0", 0, &["d\ne.onnx", "a.onnx"]),
        (&["--files-from", "list.txt"], b"", 0, &["b c.onnx", "m/f.onnx", "m/g.onnx", "a.onnx"]),
        // Beside models that are named.
        (&["m/g.onnx", "--files-from", "-"], b"a.onnx", 0, &["m/g.onnx", "a.onnx"]),
        (&["m/*.onnx", "--files-from", "-"], b"a.onnx", 0, &["m/f.onnx", "m/g.onnx", "a.onnx"]),
        // What cannot be read loses nothing of the others. A list has paths, and no patterns.
        (&["m/*.pb", "a.onnx"], b"", 2, &["m/*.pb", "a.onnx"]),
        (&["--files-from", "-"], b"m/*.onnx\na.onnx\n", 2, &["m/*.onnx", "a.onnx"]),
        (&["--files-from", "-"], b"none.onnx\na.onnx\n", 2, &["none.onnx", "a.onnx"]),
        #[cfg(unix)]
        (&["--files-from", "/dev/stdin"], b"a.onnx", 0, &["a.onnx"]),
    ];
    for (args, input, code, expected) in cases {
        let run = with_input(&folder, args, input);
        assert_eq!(
            (run.code, models(&run)),
            (*code, expected.iter().map(ToString::to_string).collect()),
            "{args:?} {run:?}"
        );
    }
    let wrong: &[(&[&str], &str)] = &[
        (&["-", "--files-from", "-"], "standard input cannot be a model and a list of models"),
        (&["--files-from", "none.txt"], "cannot read none.txt: "),
        (&["--null", "a.onnx"], "--files-from"),
        (&[], "<MODEL>..."),
        (&["a.onnx", "--shard", "3/2"], "it is written as K/N"),
        (&["a.onnx", "--jobs", "0"], "--jobs"),
    ];
    for (args, expected) in wrong {
        let run = with_input(&folder, args, b"a.onnx");
        assert!(run.code == 2 && run.out.is_empty() && run.notes.contains(expected), "{run:?}");
    }
}

/// All parts have each model once, and a model stays in its part when others come.
#[test]
fn parts() {
    let folder = Folder::new();
    let part = |args: &[&str], part: usize| {
        models(&folder.shape(["check", "--format", "jsonl", "--shard", &format!("{part}/4")].iter().chain(args)))
    };
    let parts = |args: &[&str]| -> BTreeMap<String, usize> {
        let all = (1..=4).flat_map(|of| part(args, of).into_iter().map(move |model| (model, of)));
        let all: Vec<_> = all.collect();
        let unique: BTreeMap<String, usize> = all.iter().cloned().collect();
        assert_eq!(all.len(), unique.len());
        unique
    };
    for index in 0..20 {
        folder.model(format!("m/{index}.onnx"), &one());
    }
    let before = parts(&["m"]);
    assert_eq!(before.len(), 20);
    for of in 1..=4 {
        let count = before.values().filter(|part| **part == of).count();
        assert!((1..20).contains(&count), "{of}: {before:?}");
    }
    folder.model("m/0a.onnx", &one());
    folder.write("m/sub/cut.onnx", "text");
    let mut after = parts(&["./m"]);
    assert_eq!(after.len(), 22);
    after.retain(|model, _| !model.contains("0a") && !model.contains("cut"));
    let after: BTreeMap<String, usize> =
        after.into_iter().map(|(model, part)| (model.trim_start_matches("./").to_owned(), part)).collect();
    assert_eq!(before, after);
}

/// However many are checked at a time, the results are the same.
#[test]
fn jobs() {
    let folder = Folder::new();
    for index in 0..12 {
        let name = format!("{index:02}.onnx");
        match index % 3 {
            0 => _ = folder.model(&name, &one_at(999)),
            1 => _ = folder.model(&name, &one()),
            _ => _ = folder.write(&name, "text"),
        }
    }
    let run = |jobs: &[&str]| folder.shape(["check", ".", "--format", "jsonl"].iter().chain(jobs)).page();
    let expected = run(&[]);
    assert_eq!(expected.lines().filter(|line| line.contains(r#""type":"model""#)).count(), 12);
    for jobs in ["1", "2", "7"] {
        assert_eq!(run(&["--jobs", jobs]), expected, "{jobs}");
    }
}

/// What is done is told at once: the line of a model comes while the next one is awaited.
#[cfg(unix)]
#[test]
fn lines_come_at_once() {
    use std::io::{BufRead as _, BufReader};

    use shape_model::file::Message as _;

    let folder = Folder::new();
    folder.model("a.onnx", &one_at(999));
    let mut command = folder.command(["check", "a.onnx", "/dev/stdin", "--format", "jsonl"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().contains("opset-too-new"));
    assert!(lines.next().unwrap().contains(r#""type":"model","model":"a.onnx""#));
    child.stdin.take().unwrap().write_all(&one().encode_to_vec()).unwrap();
    assert_eq!(lines.count(), 2);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
