//! The table of targets has every test that compares with a file, and every such file has one.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use shape_bless::targets::{TARGETS, name_in_repository, of_file};
use shape_bless::{lines_that_differ, root};

/// What a test calls that holds a file: of this crate, of insta, and of trybuild.
const CALLS: [&str; 5] =
    ["shape_bless::", "insta::assert_", "assert_snapshot!(", "insta::with_settings!", "trybuild::TestCases"];

fn collect(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = name_in_repository(&path);
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with("node_modules") && file != "tests/bless" {
                collect(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            if CALLS.iter().any(|call| text.contains(call)) {
                found.insert(file);
            }
        }
    }
}

#[test]
fn each_test_that_holds_a_file_has_a_target() {
    let mut found = BTreeSet::new();
    for folder in ["specs", "shape-macros", "shape-core", "tests"] {
        collect(&root().join(folder), &mut found);
    }
    let listed: BTreeSet<String> =
        TARGETS.iter().flat_map(|target| target.tests).map(|test| (*test).to_owned()).collect();
    assert_eq!(found, listed);
}

#[test]
fn each_file_of_a_target_is_there() {
    for file in TARGETS.iter().flat_map(|target| target.files) {
        let (before, after) = file.split_once('*').unwrap_or((file, ""));
        let folder = before.rsplit_once('/').map_or(before, |(folder, _)| folder);
        let entries = fs::read_dir(root().join(folder)).unwrap();
        let mut names = entries.map(|entry| name_in_repository(&entry.unwrap().path()));
        assert!(names.any(|name| name.starts_with(before) && name.ends_with(after)), "{file}");
    }
    let of = |file: &str| of_file(file).map(|target| target.name).collect::<Vec<_>>();
    assert_eq!(of("specs/opsets.schema.json"), ["schemas"]);
    assert_eq!(of("specs/tests/malformed/opsets.expected"), ["descriptor-errors"]);
    assert_eq!(of("specs/README.md"), ["terms", "walks"]);
    assert_eq!(of("specs/opsets.yaml"), [""; 0]);
}

#[test]
fn a_difference_is_short_and_says_where_it_is() {
    let old: String = (1..100).map(|line| format!("{line}\n")).collect();
    assert_eq!(lines_that_differ(&old, &old.replace("\n50\n", "\nfifty\n")), "-50: 50\n+50: fifty\n");
    assert_eq!(lines_that_differ("", "x\n"), "+1: x\n");
    assert_eq!(lines_that_differ("x", "x\n"), "-1: x\n+1: x\n");
    let cut = lines_that_differ("", &"é".repeat(200));
    assert_eq!(cut, format!("+1: {} ...\n", "é".repeat(160)));
    let long = lines_that_differ("", &old);
    assert_eq!((long.lines().count(), long.lines().last()), (21, Some("and 79 lines more")));
}
