//! The traceability matrix of the SONNX profile: from each rule to its line, code, proof and tests, all of which are there.
//!
//! After a change of the profile, `cargo bless profile` writes the pages anew.

use std::path::{Path, PathBuf};
use std::{env, fs};

use shape_model::profile::{Check, Proof, SONNX};
use shape_specs::profile::builtin;

use crate::run::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Holds a committed page to what a command prints, or writes it.
pub(crate) fn held(path: &Path, args: &[&str]) {
    let run = Folder::new().shape(args);
    assert_eq!(run.code, 0, "{run:?}");
    shape_bless::expect(path, &run.out);
}

#[test]
fn the_matrix_is_the_committed_one() {
    held(&root().join("specs/profiles/sonnx/MATRIX.md"), &["profile", "matrix", "sonnx"]);
}

/// The cells of the matrix as CSV, which is read here by hand: each in quotes.
fn cells() -> Vec<Vec<String>> {
    let run = Folder::new().shape(["profile", "matrix", "sonnx", "--format", "csv"]);
    assert_eq!(run.code, 0, "{run:?}");
    let rows = run.out.split("\r\n").filter(|row| !row.is_empty());
    rows.map(|row| {
        let inner = row.strip_prefix('"').and_then(|row| row.strip_suffix('"')).unwrap();
        inner.split("\",\"").map(|cell| cell.replace("\"\"", "\"")).collect()
    })
    .collect()
}

/// Whether a file of the repository has a function, or a descriptor an example, of a name.
fn is_there(path: &str) -> bool {
    let Some((file, name)) = path.split_once("::") else { return root().join(path).is_file() };
    let Ok(text) = fs::read_to_string(root().join(file)) else { return false };
    if file.ends_with(".yaml") {
        return text.lines().any(|line| line.trim_start().strip_prefix("- name: ") == Some(name));
    }
    text.match_indices(&format!("fn {name}(")).count() == 1
}

#[test]
fn no_cell_is_empty_and_all_that_it_names_is_there() {
    let cells = cells();
    assert_eq!(cells[0], ["Rule", "Title", "Defined in", "Code", "Proof", "Tests"]);
    assert_eq!(cells.len(), 1 + SONNX.rules.len());
    for (row, rule) in cells[1..].iter().zip(SONNX.rules) {
        assert!(row.len() == 6 && row.iter().all(|cell| !cell.trim().is_empty()), "{row:?}");
        assert_eq!((&*row[0], &*row[1]), (rule.id, rule.title));
        let (file, line) = row[2].rsplit_once(':').unwrap();
        let text = fs::read_to_string(root().join(file)).unwrap();
        let line = text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap();
        assert_eq!(line.trim(), format!("- id: {}", rule.id), "{row:?}");
        for named in row[3].lines().chain(row[5].lines()) {
            assert!(is_there(named), "{}: {named} is not there", rule.id);
        }
        match rule.proof {
            Proof::Goals(goals) => assert_eq!(row[4].lines().collect::<Vec<_>>(), goals),
            Proof::None(why) => assert_eq!(row[4], format!("none, because {why}")),
        }
        assert!(row[5].lines().any(|test| test.ends_with("::each_rule_is_violated_alone")), "{row:?}");
        let rules = row[3].lines().any(|code| code.starts_with("shape-core/src/rules/"));
        assert_eq!(rules, rule.operator.is_some(), "{row:?}");
    }
    assert!(
        !is_there("shape-core/cli/tests/cli/matrix.rs::none_such") && !is_there("specs/ai.onnx/Shape.yaml::none_such")
    );
}

#[test]
fn every_check_is_used_and_there() {
    for check in Check::all() {
        assert!(SONNX.rules.iter().any(|rule| rule.check == check), "{}", check.name());
        assert!(is_there(&format!("{}::{}", check.file(), check.name())), "{}", check.name());
    }
}

#[test]
fn what_shows_an_erratum_is_there() {
    let profile = builtin("sonnx").unwrap().unwrap();
    assert!(profile.errata.len() > 20);
    for erratum in &profile.errata {
        for test in &erratum.tests {
            assert!(is_there(test), "{}: {test} is not there", erratum.id);
        }
        let text = format!("{} {} {} {}", erratum.says, erratum.ruling, erratum.why, erratum.asks);
        for id in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| word.starts_with("SONNX-"))
        {
            let known = SONNX.rule(id).is_some() || profile.errata.iter().any(|other| other.id == id);
            assert!(known, "{} names {id}, which there is not", erratum.id);
        }
    }
}

#[test]
fn a_rule_is_explained() {
    let folder = Folder::new();
    for rule in SONNX.rules {
        let run = folder.shape(["explain", rule.id]);
        assert_eq!(run.code, 0, "{run:?}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        let page = words(&run.out);
        for part in [rule.title, rule.says, rule.why, rule.check.name(), rule.tests[0]] {
            assert!(page.contains(&words(part)), "{}: {part}: {run:?}", rule.id);
        }
        let json = folder.shape(["explain", &rule.id.to_lowercase(), "--format", "json"]).json();
        assert_eq!(json["rules"][0]["id"], rule.id);
        assert_eq!(json["rules"][0]["yaml"], format!("specs/{}:{}", rule.file, rule.line));
    }
    let run = folder.shape(["explain", "SONNX-SHAPE-01"]);
    assert!(run.code == 2 && run.notes.contains("did you mean `SONNX-SHAPE-010`?"), "{run:?}");
}
