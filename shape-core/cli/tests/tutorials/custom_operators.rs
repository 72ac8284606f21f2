//! The walk of onnxspec-core's README from `cargo new` to operators of one's own, taken with the lines of the page.

use std::fs;
use std::path::{Path, PathBuf};

use shape_tests::page::{self, Part};
use shape_tests::{cargo, output, root};

use crate::shape;

/// Where the walk is, outside of the workspace.
struct Walk {
    folder: tempfile::TempDir,
    /// What the last command printed.
    printed: String,
    /// The files before the last edit, which is taken back where it is a mistake.
    before: Vec<(PathBuf, String)>,
    /// Whether a test failed.
    failed: bool,
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
            ["cargo", "test"] => {
                let printed = output(cargo(&acme).unwrap().args(["test", "--quiet"]));
                self.failed = printed.is_err();
                let told = |text: String| {
                    text.lines().filter(|line| line.starts_with("src/")).map(|line| format!("{line}\n")).collect()
                };
                printed.map_or_else(|error| told(error.to_string()), |_| String::new())
            }
            ["cargo", "add" | "run", ..] => output(cargo(&acme).unwrap().args(&words[1..])).unwrap(),
            _ => panic!("not a command that this test knows: {line}"),
        };
    }
}

/// Changes the line behind `-` to that behind `+`, in the file that has it.
fn edit(files: &[(PathBuf, String)], edit: &str) {
    let line = |sign: char| edit.lines().find_map(|line| line.strip_prefix(sign)).unwrap();
    let mut edited = files.iter().filter(|(_, text)| text.lines().any(|of| of == line('-')));
    let (file, text) = edited.next().unwrap_or_else(|| panic!("no file has this line: {edit}"));
    fs::write(file, text.replace(line('-'), line('+'))).unwrap();
}

/// The Rust files of the walk.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let files = fs::read_dir(folder.join("src")).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.clone(), fs::read_to_string(&path).unwrap())).collect()
}

#[test]
fn from_cargo_new_to_operators_of_ones_own() {
    let text = fs::read_to_string(root().join("shape-core/README.md")).unwrap();
    let (_, parts, _) = page::section(&text, "## From `cargo new` to operators of your own").unwrap();
    let mut walk =
        Walk { folder: tempfile::tempdir().unwrap(), printed: String::new(), before: Vec::new(), failed: false };
    let (mut compared, mut written) = (0, Vec::new());
    for part in parts {
        let Part::Block { language, text } = part else { continue };
        match language {
            "sh" => text.lines().for_each(|command| walk.step(command)),
            "yaml" => fs::write(walk.acme().join("specs/com.acme/Extent.yaml"), text).unwrap(),
            "rust,ignore" => {
                let (file, _) = text.split_once('\n').unwrap();
                let file = walk.acme().join(file.strip_prefix("// ").unwrap());
                // What comes later to a file is added to it.
                let before = written.contains(&file).then(|| fs::read_to_string(&file).unwrap() + "\n");
                fs::write(&file, before.unwrap_or_default() + text).unwrap();
                written.push(file);
            }
            "diff" => {
                walk.before = sources(&walk.acme());
                edit(&walk.before, text);
            }
            "text" => {
                let printed = walk.printed.replace(&root().display().to_string(), "../shape");
                let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
                assert_eq!(lines, text.lines().collect::<Vec<_>>());
                compared += 1;
                if std::mem::take(&mut walk.failed) {
                    walk.before.drain(..).for_each(|(file, text)| fs::write(file, text).unwrap());
                }
            }
            language => panic!("a block of an unknown language: {language}"),
        }
    }
    assert!(!walk.failed, "{}", walk.printed);
    assert_eq!(compared, 4);
}
