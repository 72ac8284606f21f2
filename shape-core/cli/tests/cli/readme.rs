//! The README shows what the command prints.

use std::path::Path;
use std::process::Command;

#[test]
fn the_first_command_prints_what_the_readme_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let command = readme.lines().find_map(|line| line.strip_prefix("cargo run --release -p shape-cli -- ")).unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_shape")).args(command.split(' ')).current_dir(&root).output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let mut rest = printed.lines();
    let (_, shown) = readme.split_once("```text\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    for line in shown.lines().filter(|line| *line != "...") {
        assert!(rest.any(|printed| printed.trim_end() == line), "not printed, or not in this order: {line}");
    }
}
