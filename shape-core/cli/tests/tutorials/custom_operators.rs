//! The walk of shape-core's README from `cargo new` to operators of one's own, taken with the lines of the page.

use std::fs;
use std::path::PathBuf;

use shape_tests::page::{self, Part};
use shape_tests::{cargo, output, root};

use crate::shape;

/// Where the walk is, outside of the workspace.
struct Walk {
    folder: tempfile::TempDir,
    /// What the last command printed.
    printed: String,
}

impl Walk {
    fn acme(&self) -> PathBuf {
        self.folder.path().join("acme")
    }

    fn step(&mut self, line: &str) {
        // The clone is where this test is.
        let line = line.replace("../shape/", &format!("{}/", root().display()));
        let words: Vec<&str> = line.split(' ').collect();
        let (acme, clone) = (self.acme(), root().to_owned());
        self.printed = match &*words {
            ["cd", "../acme"] => String::new(),
            ["shape", arguments @ ..] => shape(&acme, arguments),
            // `shape` is built already, for these tests.
            ["cargo", "install", "--path", path] if clone.join(path).join("Cargo.toml").is_file() => String::new(),
            ["cargo", "new", "../acme"] => {
                let printed = output(cargo(self.folder.path()).unwrap().args(["new", "--vcs", "none", "acme"]));
                // The versions that are there, so that nothing is asked of a registry.
                fs::copy(root().join("Cargo.lock"), acme.join("Cargo.lock")).unwrap();
                printed.unwrap()
            }
            ["cargo", "add" | "run", ..] => output(cargo(&acme).unwrap().args(&words[1..])).unwrap(),
            _ => panic!("not a command that this test knows: {line}"),
        };
    }
}

#[test]
fn from_cargo_new_to_operators_of_ones_own() {
    let text = fs::read_to_string(root().join("shape-core/README.md")).unwrap();
    let (_, parts, _) = page::section(&text, "## From `cargo new` to operators of your own").unwrap();
    let mut walk = Walk { folder: tempfile::tempdir().unwrap(), printed: String::new() };
    let mut compared = 0;
    for part in parts {
        let Part::Block { language, text } = part else { continue };
        match language {
            "sh" => text.lines().for_each(|command| walk.step(command)),
            "yaml" => fs::write(walk.acme().join("specs/com.acme/Extent.yaml"), text).unwrap(),
            "rust,ignore" => fs::write(walk.acme().join("src/main.rs"), text).unwrap(),
            "text" => {
                let printed = walk.printed.replace(&root().display().to_string(), "../shape");
                let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
                assert_eq!(lines, text.lines().collect::<Vec<_>>());
                compared += 1;
            }
            language => panic!("a block of an unknown language: {language}"),
        }
    }
    assert_eq!(compared, 2);
}
