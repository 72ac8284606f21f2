//! What people expect of a command: completions, manual pages, how much it tells, streams, folders and patterns.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use shape_model::file::Message as _;

use crate::model::{Change as _, in_graph, int64s, model, node, one, one_at};
use crate::run::{Folder, Run};

/// The first words of the lines of a help page below a heading: the commands, or the options.
fn listed(help: &str, heading: &str) -> Vec<String> {
    let (_, below) = help.split_once(heading).unwrap();
    let lines = below.lines().skip(1).take_while(|line| !line.is_empty());
    let entries = lines.filter(|line| line.starts_with("  ") && !line.starts_with("       "));
    entries.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

fn commands() -> Vec<String> {
    let help = Folder::new().shape(["--help"]).out;
    let mut commands = listed(&help, "Commands:");
    commands.retain(|command| command != "help");
    assert!(commands.contains(&"check".to_owned()) && commands.len() > 10, "{commands:?}");
    commands
}

/// The long options of a help page.
fn options(help: &str) -> BTreeSet<String> {
    let words = help.lines().filter(|line| line.trim_start().starts_with('-')).flat_map(str::split_whitespace);
    let options = words.filter(|word| word.starts_with("--") && word.len() > 2);
    options.map(|word| word.trim_end_matches([',', ')', '.']).to_owned()).collect()
}

#[test]
fn completions_have_each_command() {
    let commands = commands();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = Folder::new().shape(["completions", shell]);
        assert_eq!((run.code, &*run.notes), (0, ""), "{shell}");
        let missing: Vec<&String> = commands.iter().filter(|command| !run.out.contains(command.as_str())).collect();
        assert!(missing.is_empty(), "{shell}: {missing:?}");
    }
    let run = Folder::new().shape(["completions", "csh"]);
    assert_eq!(run.code, 2, "{run:?}");
}

/// What bash completes with the script.
#[cfg(unix)]
#[test]
fn bash_completes() {
    let folder = Folder::new();
    let script = folder.write("completion", folder.shape(["completions", "bash"]).out);
    let cases = [
        (&["inf"][..], &["infer", "info"][..]),
        (&["check", "--form"], &["--format"]),
        (&["check", "--format", "sar"], &["sarif"]),
        (&["specs", "li"], &["lint"]),
        (&["completions", "po"], &["powershell"]),
    ];
    for (words, expected) in cases {
        let call = format!(
            "set -e; source {}; COMP_WORDS=(shape {}); COMP_CWORD={}; _shape shape {:?} {:?}; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script.display(),
            words.join(" "),
            words.len(),
            words.last().unwrap(),
            words.len().checked_sub(2).map_or("shape", |before| words[before]),
        );
        let mut bash = Command::new("bash");
        let output = shape_tests::ending(&mut bash).args(["--norc", "-c", &call]).output().unwrap();
        let mut found: Vec<&str> = str::from_utf8(&output.stdout).unwrap().lines().collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn manual_pages_have_each_option() {
    let folder = Folder::new();
    let run = folder.shape(["man", "-o", "pages/man1"]);
    assert_eq!((run.code, &*run.out), (0, ""), "{run:?}");
    let pages = std::fs::read_dir(folder.path().join("pages/man1")).unwrap();
    let pages: BTreeSet<String> = pages.map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(run.notes, format!("wrote {} pages to pages/man1\n", pages.len()));
    let within = [
        "specs lint",
        "specs import",
        "specs schema",
        "profile matrix",
        "profile errata",
        "suite expect",
        "suite judge",
    ];
    let commands = commands();
    let all = commands.iter().map(String::as_str).chain(within);
    let expected: BTreeSet<String> = all
        .clone()
        .map(|command| format!("shape-{}.1", command.replace(' ', "-")))
        .chain(["shape.1".to_owned()])
        .collect();
    assert_eq!(pages, expected);
    for command in all {
        let words: Vec<&str> = command.split(' ').collect();
        let page = folder.shape(["man"].iter().chain(&words)).out;
        let file = format!("pages/man1/shape-{}.1", words.join("-"));
        assert_eq!(std::fs::read_to_string(folder.path().join(file)).unwrap(), page);
        let help = folder.shape(words.iter().chain(&["--help"])).out;
        let text = page.replace('\\', "");
        let missing: Vec<String> = options(&help).into_iter().filter(|option| !text.contains(option)).collect();
        assert!(missing.is_empty(), "{command}: {missing:?}");
    }
    let run = folder.shape(["man", "lint"]);
    assert_eq!((run.code, &*run.notes), (2, "error: there is no command `lint`; `shape help` lists them\n"));
}

/// A folder with two models, one of which has an error.
fn two_models() -> Folder {
    let folder = Folder::new();
    folder.model("m/a.onnx", &one());
    folder.model("m/b.onnx", &one_at(999));
    folder
}

#[test]
fn quiet_and_verbose() {
    let folder = two_models();
    let folded = in_graph(
        model(
            &["x: float[2]"],
            vec![node("Identity", &["c"], &["k"]), node("Add", &["x", "x"], &["y"])],
            &["y: float[2]"],
        ),
        |graph| {
            graph.initializer = vec![int64s("c", &[1], &[1])];
        },
    );
    folder.model("f.onnx", &folded);
    let cases: [(&[&str], &str); 8] = [
        (&["check", "m"], "m/b.onnx: read in "),
        (&["infer", "m/a.onnx"], "m/a.onnx: read in "),
        (&["info", "m/a.onnx"], "m/a.onnx: read in "),
        (&["ops", "--model", "m"], "m/b.onnx: read in "),
        (&["simplify", "f.onnx", "-o", "out.onnx"], "f.onnx: read in "),
        (&["simplify", "f.onnx", "--dry-run"], "f.onnx: read in "),
        (&["fold", "f.onnx", "-o", "out.onnx"], "f.onnx: read in "),
        (&["convert", "f.onnx", "--opset", "21", "-o", "out.onnx"], "f.onnx: read in "),
    ];
    for (args, told) in cases {
        let usual = folder.shape(args);
        let [quiet, both, verbose] =
            [&["-q"][..], &["--quiet", "--verbose"], &["-v"]].map(|more| folder.shape(args.iter().chain(more)));
        assert_eq!((&*quiet.notes, &quiet.out, quiet.code), ("", &usual.out, usual.code), "{args:?}");
        assert_eq!((&*both.notes, &both.out), ("", &usual.out), "{args:?}");
        assert_eq!((&verbose.out, verbose.code), (&usual.out, usual.code), "{args:?}");
        let (steps, notes): (Vec<&str>, Vec<&str>) = verbose.notes.lines().partition(|line| line.ends_with(" ms"));
        assert_eq!(notes, usual.notes.lines().collect::<Vec<_>>(), "{args:?}");
        assert!(steps.iter().any(|line| line.starts_with(told)), "{args:?}: {steps:?}");
        // Before the command too.
        assert_eq!(folder.shape(["-q"].iter().chain(args)).notes, "", "{args:?}");
    }
    // An error is told all the same.
    let run = folder.shape(["-q", "check", "missing.onnx"]);
    assert_eq!(run.code, 2);
    assert!(run.notes.starts_with("error: cannot read missing.onnx"), "{run:?}");
}

/// Runs with a model on standard input.
fn piped(folder: &Folder, args: &[&str], bytes: &[u8]) -> Run {
    let mut child =
        folder.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        notes: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn streams() {
    let folder = Folder::new();
    let model = one().with(|model| model.producer_name = "p".into());
    folder.model("model.onnx", &model);
    let bytes = model.encode_to_vec();
    for args in [&["check", "@"][..], &["infer", "@"], &["info", "@"], &["ops", "--model", "@"]] {
        let with = |name: &'static str| args.iter().map(|arg| if *arg == "@" { name } else { arg }).collect::<Vec<_>>();
        let file = folder.shape(with("model.onnx"));
        let stream = piped(&folder, &with("-"), &bytes);
        assert_eq!((stream.code, stream.out.replace("<stdin>", "model.onnx")), (file.code, file.out), "{args:?}");
    }
    for args in [
        &["infer", "-", "-o", "-"][..],
        &["simplify", "-", "-o", "-"],
        &["fold", "-", "-o", "-"],
        &["convert", "-", "--opset", "21", "-o", "-"],
    ] {
        let run = piped(&folder, args, &bytes);
        assert_eq!(run.code, 0, "{run:?}");
        let read = piped(&folder, &["check", "-"], run.out.as_bytes());
        assert_eq!((read.code, &*read.out), (0, ""), "{args:?}");
    }
}

#[test]
fn folders_and_patterns() {
    let folder = two_models();
    folder.model("m/deep/c.onnx", &one());
    folder.model("odd[1].onnx", &one());
    folder.write("empty/.keep", "");
    let names = |run: &Run| {
        let seen = |name: &&str| run.out.contains(*name);
        ["m/a.onnx", "m/b.onnx", "m/deep/c.onnx", "odd[1].onnx"].into_iter().filter(seen).collect::<Vec<_>>()
    };
    let commands: [&[&str]; 3] = [&["info"], &["infer"], &["ops", "--model"]];
    for command in commands {
        for (argument, expected) in [
            ("m", &["m/a.onnx", "m/b.onnx", "m/deep/c.onnx"][..]),
            ("m/*.onnx", &["m/a.onnx", "m/b.onnx"]),
            ("m/**/*.onnx", &["m/a.onnx", "m/b.onnx", "m/deep/c.onnx"]),
            ("m/[bx].onnx", &["m/b.onnx"]),
            // A folder that a pattern matches.
            ("m/d*", &["m/deep/c.onnx"]),
            // What exists is no pattern.
            ("odd[1].onnx", &["odd[1].onnx"]),
        ] {
            let json = ["--format", "json"];
            // A single model is not named by `infer`: its name is that of the argument.
            let format = if command == ["infer"] && expected.len() == 1 { &[][..] } else { &json[..] };
            let run = folder.shape(command.iter().chain(&[argument]).chain(format));
            assert_ne!(run.code, 2, "{command:?} {argument}: {run:?}");
            if !format.is_empty() {
                assert_eq!(names(&run), expected, "{command:?} {argument}");
            }
        }
        for (argument, why) in [
            ("m/*.pb", "no file matches `m/*.pb`"),
            ("empty", "there is no model (`*.onnx`) in empty"),
            ("m/***", "`m/***` is neither a file nor a pattern: "),
        ] {
            // The others are read all the same.
            let run = folder.shape(
                command
                    .iter()
                    .chain(&[argument])
                    .chain(if command.len() == 1 { &[][..] } else { &["--model"] })
                    .chain(&["m/a.onnx"]),
            );
            assert_eq!(run.code, 2, "{run:?}");
            assert!(run.notes.contains(&format!("error: {why}")) && run.out.contains('x'), "{run:?}");
        }
    }
    let run = folder.shape(["check", "m/*.onnx", "--format", "json"]);
    assert_eq!((run.code, names(&run)), (1, vec!["m/b.onnx"]));
    // An object for each model.
    let run = folder.shape(["infer", "m", "--format", "json"]);
    let models = run.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["model"].clone());
    assert_eq!(models.collect::<Vec<_>>(), ["m/a.onnx", "m/b.onnx", "m/deep/c.onnx"]);
    for (option, name) in [(&["-o", "out.onnx"][..], "-o"), (&["--why", "y"], "--why"), (&["--dot"], "--dot")] {
        let run = folder.shape(["infer", "m"].iter().chain(option));
        let expected = format!("error: {name} is for a single model; these are 3\n");
        assert_eq!((run.code, &*run.notes, &*run.out), (2, &*expected, ""), "{option:?}");
    }
}

#[test]
fn patterns_of_test_cases() {
    let folder = Folder::new();
    for name in ["test_a_1", "test_a_2", "test_b_1"] {
        folder.model(format!("node/{name}/model.onnx"), &one());
    }
    let run = folder.shape(["test", "node/test_a_*", "--format", "json"]);
    let json = run.json();
    let names: Vec<&str> =
        json["cases"].as_array().unwrap().iter().map(|case| case["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["test_a_1", "test_a_2"]);
    let run = folder.shape(["test", "node/test_c_*"]);
    assert_eq!((run.code, run.notes.lines().next()), (2, Some("error: no file matches `node/test_c_*`")));
}
