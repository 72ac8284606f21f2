//! `shape specs`: what it takes for descriptors, how it tells their mistakes, and how it ends.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use shape_specs::{DESCRIPTOR_SCHEMA, DESCRIPTORS, Tables, resolve};

use crate::run::{Folder, Run};

const GELU: &str = "\
operator: Gelu
domain: com.acme
summary: Weighs each element by the chance of a smaller one.
versions:
  - since: 1
    inputs: [{ name: x, type: T }]
    outputs: [{ name: y, type: T }]
    types: [{ name: T, allow: [float, double] }]
";

/// Examples with symbols and with what is unknown, in dimensions and in elements.
const EXAMPLES: &str = "    rules: [{ output: y, dims: same(x) }]
  - since: 2
    inputs: [{ name: n, type: tensor(int64), option: optional }, { name: m, type: tensor(int64), option: optional }]
    rules: [{ output: y, dims: \"[...x, n, m[0], rank(x)]\" }]
examples:
  - name: expression
    since: 2
    inputs: [{ type: float, dims: [2] }, { dims: [], values: [M + 1] }, { values: [N, N] }]
    outputs: [{ type: float, dims: [2, M + 1, 2, 1] }]
  - name: unknown
    since: 2
    inputs: [{ type: double, dims: [N, '?'] }, { dims: [], values: ['?'] }, { dims: [T] }]
    outputs: [{ type: double, dims: [N, '?', '?', T, 2] }]
  - name: absent
    since: 2
    inputs: [{ type: double, dims: '?' }, ~, { dims: [0] }]
    outputs: [{ type: double, dims: '?' }]
";

/// The same with two mistakes.
fn wrong() -> String {
    GELU.replace("inputs", "inptus").replace("double", "dubble")
}

fn findings(run: &Run) -> Vec<String> {
    let json = run.json();
    let text = |finding: &Json, key: &str| finding[key].as_str().unwrap().to_owned();
    let findings = json["findings"].as_array().unwrap().iter();
    findings.map(|finding| format!("{} {}", text(finding, "file"), text(finding, "code"))).collect()
}

#[test]
fn nothing_is_wrong() {
    let folder = Folder::new();
    folder.write("specs/com.acme/Gelu.yaml", GELU);
    folder.write("specs/flat.yaml", GELU.replace("Gelu", "Blur") + EXAMPLES);
    // What is no descriptor, and what lies too deep to be one.
    folder.write("specs/README.md", "operator");
    folder.write("specs/com.acme/old/Gelu.yaml", wrong());
    let run = folder.shape(["specs", "lint", "specs"]);
    assert_eq!((run.code, &*run.out, &*run.notes), (0, "", "no findings in 2 files\n"));
    let run = folder.shape(["specs", "lint", "specs", "--format", "json"]);
    assert_eq!((run.code, run.json()), (0, json!({"schema_version": 1, "findings": []})));
    // A file that is named twice is one file.
    let run = folder.shape(["specs", "lint", "specs", "specs/flat.yaml", "./specs"]);
    assert_eq!((run.code, &*run.notes), (0, "no findings in 2 files\n"));
}

#[test]
fn the_descriptors_and_tables_of_this_repository() {
    let folder = Folder::new();
    for (file, bytes) in DESCRIPTORS.iter().chain(&Tables::FILES) {
        folder.write(file, bytes);
    }
    let run = folder.shape(["specs", "lint", "."]);
    let files = DESCRIPTORS.len() + Tables::FILES.len();
    assert_eq!((run.code, run.notes), (0, format!("no findings in {files} files\n")));
    folder.write("codes.yaml", "codes: {}\n");
    let run = folder.shape(["specs", "lint", ".", "--format", "json"]);
    assert_eq!((run.code, findings(&run)), (1, vec!["./codes.yaml wrong-form".to_owned()]));
}

#[test]
fn the_messages_of_the_compiler() {
    let folder = Folder::new();
    folder.write("Gelu.yaml", wrong());
    let run = folder.shape(["specs", "lint", "Gelu.yaml"]);
    let told = resolve("Gelu.yaml", wrong().as_bytes(), Tables::builtin().unwrap()).unwrap_err();
    assert_eq!((run.code, run.out, &*run.notes), (1, format!("{told}\n\n"), "2 errors in 1 file\n"));
}

/// Examples that the schema or the rules of their operator contradict, relations that none breaks, and versions of which no
/// node is valid: `contradicted/NAME.yaml`, each beside what is told of it. After a change of the messages: `cargo bless lint`,
/// and read the diff.
#[test]
fn examples_that_are_contradicted() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/contradicted");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&cases).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let folder = Folder::new();
        folder.write("com.acme/Demo.yaml", fs::read(&path).unwrap());
        let run = folder.shape(["specs", "lint", "com.acme/Demo.yaml"]);
        let told = run.out.lines().filter(|line| line.contains(": error[")).collect::<Vec<_>>();
        assert!(run.code == 1 && !told.is_empty(), "{}: {run:?}", path.display());
        let codes = [": error[example-mismatch]: ", ": error[relation-unbroken]: ", ": error[no-valid-node]: "];
        assert!(told.iter().all(|line| codes.iter().any(|code| line.contains(code))), "{told:?}");
        let expected = path.with_extension("expected");
        wrong.extend(shape_bless::difference(&expected, &run.out));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn json_in_full() {
    let folder = Folder::new();
    folder.write("Gelu.yaml", GELU.replace("double", "dubble"));
    let run = folder.shape(["specs", "lint", "Gelu.yaml", "--format", "json"]);
    let expected = json!({
        "schema_version": 1,
        "findings": [{
            "file": "Gelu.yaml",
            "line": 8,
            "column": 39,
            "code": "unknown-type",
            "severity": "error",
            "message": "there is no element type and no group `dubble`",
            "help": "did you mean `double`?",
        }],
    });
    assert_eq!((run.code, run.json()), (1, expected));
}

#[test]
fn annotations() {
    let folder = Folder::new();
    folder.write("a,b: 100%.yaml", GELU.replace("double", "dubble"));
    let run = folder.shape(["specs", "lint", ".", "--format", "github", "--color", "always"]);
    let expected = "::error file=./a%2Cb%3A 100%25.yaml,line=8,col=39,title=unknown-type::\
                    there is no element type and no group `dubble`%0Ahelp: did you mean `double`?\n";
    assert_eq!((run.code, &*run.out, &*run.notes), (1, expected, "1 error in 1 file\n"));
}

#[test]
fn all_files_at_once() {
    let folder = Folder::new();
    folder.write("specs/a.yaml", GELU);
    folder.write("specs/b.yaml", wrong());
    folder.write("specs/c.yaml", [b"operator: \xff\n".as_slice(), GELU.as_bytes()].concat());
    folder.write("specs/d.yaml", "");
    folder.write("specs/e.yaml", GELU.replace("Gelu", "Ge lu"));
    folder.write("specs/f.yaml", GELU.replace("Gelu", "Ge lu"));
    folder.write("specs/com.acme/Blur.yaml", GELU);
    let run = folder.shape(["specs", "lint", "specs", "--format", "json"]);
    let expected = [
        "specs/b.yaml duplicate-name",
        "specs/b.yaml unknown-field",
        "specs/b.yaml unknown-type",
        "specs/c.yaml syntax",
        // Nothing that is wrong with the name by itself is called a twin.
        "specs/com.acme/Blur.yaml file-name",
        "specs/d.yaml wrong-form",
        "specs/e.yaml name-form",
        "specs/f.yaml name-form",
    ];
    let mut found = findings(&run);
    found.sort();
    assert_eq!((run.code, found), (1, expected.map(str::to_owned).to_vec()));
    assert!(run.out.contains("specs/a.yaml describes `com.acme::Gelu` already"), "{run:?}");
}

#[test]
fn what_cannot_be_read() {
    let folder = Folder::new();
    folder.write("empty/.keep", "");
    folder.write("specs/Gelu.yaml", wrong());
    let cases = [
        ("missing", "cannot read missing: "),
        ("missing.yaml", "cannot read missing.yaml: "),
        ("empty", "there is no descriptor (`*.yaml`) in empty"),
    ];
    for (path, message) in cases {
        let run = folder.shape(["specs", "lint", path]);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.starts_with(&format!("error: {message}")), "{run:?}");
        // The others are read all the same.
        let run = folder.shape(["specs", "lint", path, "specs", "--format", "json"]);
        assert_eq!((run.code, findings(&run).len()), (2, 2), "{run:?}");
        assert!(run.notes.ends_with("2 errors in 1 file, 1 not read\n"), "{run:?}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", folder.path().join("specs/link.yaml")).unwrap();
        let run = folder.shape(["specs", "lint", "specs", "--format", "json"]);
        assert_eq!((run.code, findings(&run).len()), (2, 2), "{run:?}");
        assert!(run.notes.contains("cannot read specs/link.yaml: "), "{run:?}");
    }
}

#[test]
fn texts_do_not_steer_the_terminal() {
    let folder = Folder::new();
    folder.write("Gelu.yaml", GELU.replace("com.acme", "\u{202e}acme"));
    let run = folder.shape(["specs", "lint", "Gelu.yaml"]);
    assert!(run.code == 1 && !run.out.contains('\u{202e}') && run.out.contains(r"\u{202e}acme"), "{run:?}");
}

#[test]
fn schema() {
    let run = Folder::new().shape(["specs", "schema"]);
    assert_eq!((run.code, &*run.out, &*run.notes), (0, DESCRIPTOR_SCHEMA, ""));
}
