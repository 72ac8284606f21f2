//! The walks of `specs/README.md`, taken on a copy of the tree with the lines of the page: each command is run, each YAML
//! is put where the command before it wrote, and each diff that follows a review is what that review shows.
//!
//! After a change of the generator, `cargo bless walks` writes the diffs anew.

use std::path::{Path, PathBuf};
use std::{env, fs, mem};

use shape_tests::page::{self, Part};
use shape_tests::{NextRelease, cargo, copy, next_release, output, root};
use similar::{ChangeTag, TextDiff};

use crate::shape;

/// The changed lines of a snapshot file, with the Rust in it, that a version of three lines may cause.
const MOST_LINES: usize = 50;

/// A copy of the crates that the snapshots need, and where the walk is.
struct Walk {
    tree: PathBuf,
    /// The file that the last command wrote, and what stood there before.
    written: (PathBuf, String),
    /// What the last review showed; empty once the page has told it.
    review: String,
    /// The most lines that a review has changed in a file.
    most: usize,
}

impl Walk {
    /// The copy stands where the one of the run before stood, so that only what changed is built.
    fn new() -> Self {
        let tree = Path::new(env!("CARGO_TARGET_TMPDIR")).join("workflow/tree");
        if tree.exists() {
            fs::remove_dir_all(&tree).unwrap();
        }
        for path in ["specs", "shape-macros", "tests/bless"] {
            copy(&root().join(path), &tree.join(path)).unwrap();
        }
        fs::copy(root().join("Cargo.lock"), tree.join("Cargo.lock")).unwrap();
        let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let (head, rest) = manifest.split_once("members = [").unwrap();
        let (_, rest) = rest.split_once(']').unwrap();
        let members = "members = [\"specs\", \"shape-macros/codegen\", \"tests/bless\"]";
        fs::write(tree.join("Cargo.toml"), format!("{head}{members}{rest}")).unwrap();
        Self { tree, written: Default::default(), review: String::new(), most: 0 }
    }

    fn step(&mut self, command: &str) {
        let words: Vec<&str> = command.split(' ').collect();
        match &*words {
            ["shape", arguments @ ..] => {
                let before = self.descriptors();
                shape(&self.tree, arguments);
                let after = self.descriptors();
                if let Some((path, _)) = after.iter().find(|file| !before.contains(file)) {
                    let text = before.into_iter().find(|(before, _)| before == path).map(|(_, text)| text);
                    self.written = (path.clone(), text.unwrap_or_default());
                }
            }
            ["cargo", "insta", "test", "-p", package, "--review"] => self.review(package),
            _ => panic!("not a command that this test knows: {command}"),
        }
    }

    /// Runs the tests as `cargo insta` does, which need not be there, and accepts what they write.
    fn review(&mut self, package: &str) {
        let mut cargo = cargo(&self.tree).unwrap();
        // Two tests have no snapshots that a walk changes, and take most of the time.
        cargo.args(["test", "--quiet", "--lib", "--package", package, "--", "--skip", "edits"]);
        cargo.args(["--skip", "a_version_is_a_part_of_the_whole"]);
        output(cargo.env("INSTA_UPDATE", "new").env("INSTA_FORCE_PASS", "1")).unwrap();
        for new in files(&self.tree.join("shape-macros"), "new") {
            let snapshot = new.with_extension("");
            let (before, after) =
                (fs::read_to_string(&snapshot).unwrap_or_default(), fs::read_to_string(&new).unwrap());
            let diff = TextDiff::from_lines(&before, &after);
            let changed = diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal).count();
            self.most = self.most.max(changed);
            let diff = TextDiff::from_lines(contents(&before), contents(&after));
            for hunk in diff.unified_diff().context_radius(0).iter_hunks() {
                // Line numbers move with every change of the generator.
                self.review += "@@\n";
                for change in hunk.iter_changes() {
                    self.review += &format!("{}{}", change.tag(), change.value());
                }
            }
            fs::rename(new, snapshot).unwrap();
        }
        assert!(!self.review.is_empty(), "nothing to review");
    }

    fn descriptors(&self) -> Vec<(PathBuf, String)> {
        let read = |path: PathBuf| {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            (path, text)
        };
        files(&self.tree.join("specs"), "yaml").into_iter().map(read).collect()
    }

    /// Puts the YAML of the page where the command before it wrote.
    fn edit(&self, yaml: &str) {
        let (path, before) = &self.written;
        let written = fs::read_to_string(path).unwrap();
        let diff = TextDiff::from_lines(before.as_str(), written.as_str());
        let mut text = String::new();
        let mut yaml = Some(yaml);
        for change in diff.iter_all_changes() {
            match change.tag() {
                ChangeTag::Equal => text += change.value(),
                // A blank line between versions is the writer's.
                ChangeTag::Insert if change.value() == "\n" && yaml.is_some() && !before.is_empty() => text += "\n",
                ChangeTag::Insert => text += yaml.take().unwrap_or_default(),
                ChangeTag::Delete => panic!("{}: a line is gone: {}", path.display(), change.value()),
            }
        }
        fs::write(path, text).unwrap();
    }

    /// Changes the file that the diff names, or the one that the last command wrote.
    fn patch(&self, diff: &str) {
        let named = diff.strip_prefix("--- ").and_then(|named| named.split_once("\n+++ "));
        let (path, diff) = match named.and_then(|(path, rest)| Some((path, rest.split_once('\n')?.1))) {
            Some((path, diff)) => (self.tree.join(path), diff),
            None => (self.written.0.clone(), diff),
        };
        let (before, after) = shape_bless::sides(diff);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(&before).count(), 1, "{} does not have this once:\n{before}", path.display());
        fs::write(&path, text.replace(&before, &after)).unwrap();
    }
}

/// What stands behind the header of a snapshot.
fn contents(snapshot: &str) -> &str {
    snapshot.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).map_or("", |(_, contents)| contents)
}

/// The files of a folder with this extension, in the order of their names.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The page with a walk that adds the opset behind the newest one that is known, whichever it was written for.
fn to_the_next_opset(page: &str) -> String {
    let NextRelease { last, row, opset } = next_release().unwrap();
    let (before, rest) = page.split_once("+++ specs/opsets.yaml\n").unwrap();
    let (_, rest) = rest.split_once("```").unwrap();
    let (walk, rest) = rest.split_once("### Add an operator").unwrap();
    let (_, adds) = walk.split_once("shape new-version Shape ").unwrap();
    let written_for = adds.lines().next().unwrap();
    let walk = walk.replace(written_for, &opset.to_string());
    format!("{before}+++ specs/opsets.yaml\n {last}\n+{row}\n```{walk}### Add an operator{rest}")
}

#[test]
fn the_walks_of_the_page() {
    let page = root().join("specs/README.md");
    let text = fs::read_to_string(&page).unwrap();
    let next = to_the_next_opset(&text);
    let (before, parts, after) = page::section(&next, "## Three walks").unwrap();
    let mut walk = Walk::new();
    let (mut blessed, mut reviews) = (before.to_owned(), 0);
    for part in parts {
        let (language, block) = match part {
            Part::Prose(prose) => {
                blessed += prose;
                continue;
            }
            Part::Block { language, text } => (language, text),
        };
        let mut shown = block.to_owned();
        match language {
            "sh" => block.lines().for_each(|command| walk.step(command)),
            "yaml" => walk.edit(block),
            "diff" if walk.review.is_empty() => walk.patch(block),
            "diff" => {
                shown = mem::take(&mut walk.review);
                reviews += 1;
                assert!(reviews > 1 || walk.most < MOST_LINES, "{} lines:\n{shown}", walk.most);
            }
            language => panic!("a block of an unknown language: {language}"),
        }
        blessed += &format!("```{language}\n{shown}```");
    }
    assert_eq!((reviews, &*walk.review), (3, ""), "each review is shown");
    blessed += after;
    shape_bless::expect(&page, &blessed);
}
