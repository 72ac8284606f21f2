//! Descriptors with errors in them, each beside the whole message that it must give.
//!
//! `tests/malformed/NAME.yaml` is named by what is wrong in it. A first line `# file: PATH` says under which name it is
//! read; without one it is `ai.onnx/Demo.yaml`. A name of a shared table has it read as that, `runtime.yaml` as a
//! manifest, one in `profiles/demo` as a file of a profile, of which the others are right. A first line `# documented:
//! PATH` has a descriptor of ONNX read as `shape specs lint` does, which wants to know what everything means.
//!
//! After a change of the messages: `cargo bless descriptor-errors`, and read the diff.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

use shape_specs::{CODES, Scope, SpecErrors, Tables};

#[test]
fn each_error_is_told_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed");
    let mut cases: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let case = cases.entry(name).or_default();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("yaml") => *case = Some(fs::read(&path).unwrap()),
            Some("expected") => {}
            _ => panic!("{} is neither a case nor what one expects", path.display()),
        }
    }

    // Which opset is the newest one changes with each release.
    let newest = ["ai.onnx", "ai.onnx.ml"].map(|domain| {
        let newest = Tables::builtin().unwrap().newest_opset(domain).unwrap();
        let says = |newest: &str| format!("of {domain} is not known, the newest is {newest}");
        (says(&newest.to_string()), says("NEWEST"))
    });
    let mut wrong = Vec::new();
    let mut covered = BTreeSet::new();
    for (name, yaml) in &cases {
        let expected_file = folder.join(format!("{name}.expected"));
        let Some(yaml) = yaml else {
            if shape_bless::blessing() {
                fs::remove_file(expected_file).unwrap();
            } else {
                wrong.push(format!("{name}.expected belongs to no {name}.yaml"));
            }
            continue;
        };
        let Err(errors) = read(yaml) else {
            wrong.push(format!("{name}.yaml has no error"));
            continue;
        };
        covered.extend(errors.0.iter().map(|error| error.code));
        let found = newest.iter().fold(format!("{errors}\n"), |text, (newest, name)| text.replace(newest, name));
        wrong.extend(shape_bless::difference(&expected_file, &found));
    }
    for (code, meaning) in CODES {
        // What contradicts an example, what none breaks, and what no node meets takes the rules of onnxspec-core: the
        // tests of `shape specs lint` have the cases.
        if !covered.contains(code) && !["example-mismatch", "relation-unbroken", "no-valid-node"].contains(code) {
            wrong.push(format!("no case gives {code} ({meaning})"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases differ\n\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn read(yaml: &[u8]) -> Result<(), SpecErrors> {
    let first = String::from_utf8_lossy(yaml.split(|&byte| byte == b'\n').next().unwrap_or_default());
    let documented = first.trim_end().strip_prefix("# documented: ");
    let file = documented.or(first.trim_end().strip_prefix("# file: ")).unwrap_or("ai.onnx/Demo.yaml");
    let scope = if documented.is_some() { Scope::Documented } else { Scope::Whole };
    let mut tables = Tables::FILES;
    match tables.iter_mut().find(|(table, _)| *table == file) {
        Some((_, bytes)) => {
            *bytes = yaml;
            Tables::read(tables).map(drop)
        }
        None if file.starts_with("profiles/demo/") => profile(file, yaml),
        None if file == "runtime.yaml" => {
            let known = shape_specs::builtin().unwrap();
            shape_specs::manifest::read(file, yaml, &known, Tables::builtin().unwrap()).map(drop)
        }
        None => shape_specs::resolve_scope(file, yaml, Tables::builtin().unwrap(), scope).map(drop),
    }
}

const PROFILE: &str = "profile: demo\ntitle: T\nversion: '1'\nsummary: S.\nsources: [{ id: page, title: A page }]
options: [{ name: strict, says: More. }]\nrules:
  - { id: DEMO-010, title: t, says: s, why: w, references: [{ source: page, at: top }], check: { name: onnx },
      proof: { none: none }, tests: ['a.rs::b'] }\n";

/// Reads a file of a profile beside a right `profile.yaml`, or in its place.
fn profile(file: &str, yaml: &[u8]) -> Result<(), SpecErrors> {
    const PROOFS: &[u8] =
        br#"{"goals": [{"goal": "demo.A.b", "status": "proved"}, {"goal": "demo.A.c", "status": "open"}]}"#;
    let tables = Tables::builtin().unwrap();
    let known = shape_specs::profile::described(["Shape.yaml"], tables).unwrap();
    let mut files: Vec<(&str, &[u8])> = vec![(file, yaml)];
    if file != "profiles/demo/profile.yaml" {
        files.insert(0, ("profiles/demo/profile.yaml", PROFILE.as_bytes()));
    }
    shape_specs::profile::read(&files, &known, tables, Some(PROOFS)).map(drop)
}
