//! An operator's name stands in its descriptor, in its rule and in no other place: what the rest of the sources know of an
//! operator, they read from its schema.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use shape_core::Registry;
use shape_tests::root;

const FOLDERS: [&str; 7] = [
    "shape-core/src",
    "shape-core/model/src",
    "shape-core/cli/src",
    "specs/src",
    "specs/changes/src",
    "shape-macros/src",
    "shape-macros/codegen/src",
];

/// The files of a folder and of those below it, but for rules and tests.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_rules = path == root().join("shape-core/src/rules");
        if path.is_dir() && name != "tests" && !is_rules {
            sources(&path, files);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            files.push(path);
        }
    }
}

/// The lines of a file that are neither comments nor parts for tests, with their numbers.
fn code(text: &str) -> Vec<(usize, &str)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = (1..).zip(text.lines());
    let mut code = Vec::new();
    while let Some((number, line)) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("#[cfg(") && trimmed.contains("test") {
            let item = lines.find(|(_, other)| !other.trim_start().starts_with("#["));
            if item.is_some_and(|(_, other)| !other.ends_with(';')) {
                // Its brace closes as far to the left as it begins.
                lines.find(|(_, other)| indent(other) == indent(line) && other.trim_start().starts_with('}'));
            }
        } else if !trimmed.starts_with("//") {
            code.push((number, line));
        }
    }
    code
}

/// The parts of a line that stand between quotes.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

#[test]
fn names_stand_in_no_other_place() {
    let names: BTreeSet<&str> = Registry::builtin().operators().flatten().map(|schema| schema.name).collect();
    assert!(names.len() > 200, "{} operators", names.len());
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| sources(&root().join(folder), &mut files));
    let mut found = Vec::new();
    let mut lines = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in code(&text) {
            lines += 1;
            for name in literals(line).filter(|literal| names.contains(literal)) {
                let file = file.strip_prefix(root()).unwrap_or(&file).display();
                found.push(format!("{file}:{number}: `{name}`"));
            }
        }
    }
    assert!(lines > 20_000, "{lines} lines of code were read");
    assert!(found.is_empty(), "names of operators:\n{}", found.join("\n"));
}

#[test]
fn what_is_read_is_code() {
    let text = r#"
let name = "Shape";
// "Reshape"
#[cfg(test)]
mod tests {
    const NAME: &str = "Cast
";
    const OTHER: &str = "Gelu";
}
#[cfg(test)]
use super::name;
    /// "Loop"
    fn behind() -> &'static str { "If" }
"#;
    let found: Vec<(usize, &str)> =
        code(text).into_iter().flat_map(|(number, line)| literals(line).map(move |name| (number, name))).collect();
    assert_eq!(found, [(2, "Shape"), (13, "If")]);
}
