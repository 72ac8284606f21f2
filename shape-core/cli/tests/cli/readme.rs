//! The README shows what the command prints.

use std::path::Path;
use std::process::Command;

#[test]
fn commands_print_what_the_readme_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut shown = 0;
    for part in readme.split("```sh\n").skip(1) {
        let (command, rest) = part.split_once("\n```\n\n").unwrap();
        // What is printed is shown right behind the command.
        let Some(text) = rest.strip_prefix("```text\n").and_then(|text| text.split_once("```")) else { continue };
        let arguments =
            ["cargo run --release -p onnxspec-cli -- ", "shape "].iter().find_map(|call| command.strip_prefix(call));
        prints(&root, arguments.unwrap(), text.0);
        shown += 1;
    }
    assert_eq!(shown, 2);
}

#[test]
fn commands_print_what_their_page_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("shape-core/cli/README.md")).unwrap();
    let blocks = readme.split("```console\n$ shape ").skip(1).map(|part| part.split_once("```").unwrap().0);
    let mut shown = 0;
    // The others are about a model that a reader has.
    for (arguments, text) in
        blocks.filter_map(|block| block.split_once('\n')).filter(|(of, _)| of.contains("tests/models"))
    {
        prints(&root, arguments, text);
        shown += 1;
    }
    assert_eq!(shown, 1);
}

/// Whether a command prints these lines in this order; `...` stands for others.
fn prints(root: &Path, arguments: &str, text: &str) {
    let mut shape = Command::new(env!("CARGO_BIN_EXE_shape"));
    let output = shape_tests::ending(&mut shape).args(arguments.split(' ')).current_dir(root).output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let mut lines = printed.lines();
    for line in text.lines().filter(|line| *line != "...") {
        let is_there = lines.any(|printed| printed.trim_end() == line);
        assert!(is_there, "`{arguments}` does not print this, or not in this order: {line}");
    }
}
