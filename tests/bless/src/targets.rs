//! What `cargo bless` writes: a row a kind of file.

use std::path::{Component, Path, PathBuf};

/// Files that one test writes.
#[derive(Debug)]
pub struct Target {
    /// What it is called on the command line.
    pub name: &'static str,
    /// The files: a path from the root of the repository, or a folder with `/` at its end. One `*` stands for any text.
    pub files: &'static [&'static str],
    /// The sources of the tests that compare with them.
    pub tests: &'static [&'static str],
    /// The package of these tests.
    pub package: &'static str,
    /// The feature of it without which they do not write all.
    pub feature: Option<&'static str>,
    /// What else `cargo test` is told: the test program, and what the names of the tests contain.
    pub arguments: &'static [&'static str],
}

/// All targets, in the order in which they are written: what shows other files comes behind them.
pub const TARGETS: &[Target] = &[
    Target {
        name: "schemas",
        files: &["specs/*.schema.json"],
        tests: &["specs/src/schema.rs"],
        package: "onnxspec-descriptors",
        feature: None,
        arguments: &["--lib", "schema"],
    },
    Target {
        name: "terms",
        files: &["specs/README.md"],
        tests: &["specs/tests/readme.rs"],
        package: "onnxspec-descriptors",
        feature: None,
        arguments: &["--test", "readme"],
    },
    Target {
        name: "descriptor-errors",
        files: &["specs/tests/malformed/"],
        tests: &["specs/tests/malformed.rs"],
        package: "onnxspec-descriptors",
        feature: None,
        arguments: &["--test", "malformed"],
    },
    Target {
        name: "snapshots",
        files: &["shape-macros/codegen/snapshots/"],
        tests: &["shape-macros/codegen/src/tests/mod.rs", "shape-core/cli/tests/cli/expand.rs"],
        package: "onnxspec-codegen",
        feature: None,
        arguments: &[
            "--lib",
            "--",
            "tests::builtin",
            "tests::every_form",
            "tests::rules",
            "tests::derived",
            "tests::errors",
        ],
    },
    Target {
        name: "codes",
        files: &["shape-core/README.md"],
        tests: &["shape-core/tests/it/codes.rs"],
        package: "onnxspec-core",
        feature: None,
        arguments: &["--test", "it", "codes"],
    },
    Target {
        name: "unread",
        files: &["shape-core/tests/it/unread*.txt"],
        tests: &["shape-core/tests/it/changed.rs"],
        package: "onnxspec-core",
        feature: Some("onnxruntime"),
        arguments: &["--test", "it", "one_thing_changed"],
    },
    Target {
        name: "refused",
        files: &["shape-core/tests/it/refused.txt"],
        tests: &["shape-core/tests/it/lifted.rs"],
        package: "onnxspec-core",
        feature: None,
        arguments: &["--test", "it", "every_version_is_lifted"],
    },
    Target {
        name: "compile-errors",
        files: &["tests/error-messages/tests/"],
        tests: &["tests/error-messages/tests/ui.rs"],
        package: "onnxspec-error-messages",
        feature: None,
        arguments: &["--test", "ui"],
    },
    Target {
        name: "settings",
        files: &["shape-core/cli/shape.schema.json"],
        tests: &["shape-core/cli/src/config/tests.rs"],
        package: "onnxspec-cli",
        feature: None,
        arguments: &["--bin", "shape", "schema"],
    },
    Target {
        name: "lint",
        files: &["shape-core/cli/tests/cli/contradicted/"],
        tests: &["shape-core/cli/tests/cli/lint.rs"],
        package: "onnxspec-cli",
        feature: None,
        arguments: &["--test", "cli", "examples_that_are_contradicted"],
    },
    Target {
        name: "coverage",
        files: &["shape-core/COVERAGE.md"],
        tests: &["shape-core/cli/tests/cli/coverage.rs"],
        package: "onnxspec-cli",
        feature: None,
        arguments: &["--test", "cli", "coverage"],
    },
    Target {
        name: "profile",
        files: &["specs/profiles/sonnx/MATRIX.md", "specs/profiles/sonnx/ERRATA.md"],
        tests: &["shape-core/cli/tests/cli/matrix.rs"],
        package: "onnxspec-cli",
        feature: None,
        arguments: &["--test", "cli", "committed"],
    },
    Target {
        name: "output",
        files: &["shape-core/cli/tests/cli/snapshots/", "shape-core/cli/tests/cli/docs/snapshots/"],
        tests: &[
            "shape-core/cli/tests/cli/causes.rs",
            "shape-core/cli/tests/cli/check.rs",
            "shape-core/cli/tests/cli/config.rs",
            "shape-core/cli/tests/cli/convert.rs",
            "shape-core/cli/tests/cli/declared.rs",
            "shape-core/cli/tests/cli/docs/pages.rs",
            "shape-core/cli/tests/cli/fix.rs",
            "shape-core/cli/tests/cli/fold.rs",
            "shape-core/cli/tests/cli/infer.rs",
            "shape-core/cli/tests/cli/info.rs",
            "shape-core/cli/tests/cli/opsets.rs",
            "shape-core/cli/tests/cli/pages.rs",
            "shape-core/cli/tests/cli/runtimes.rs",
            "shape-core/cli/tests/cli/simplify.rs",
            "shape-core/cli/tests/cli/test_case.rs",
            "shape-core/cli/tests/cli/unknown.rs",
            "shape-core/cli/tests/cli/usage.rs",
            "shape-core/cli/tests/cli/why.rs",
        ],
        package: "onnxspec-cli",
        feature: None,
        arguments: &[
            "--test",
            "cli",
            "--",
            "causes::",
            "check::",
            "config::",
            "convert::",
            "declared::",
            "fix::",
            "fold::",
            "infer::text",
            "info::",
            "opsets::",
            "pages::",
            "runtimes::",
            "simplify::",
            "test_case::",
            "unknown::",
            "usage::pages",
            "why::",
        ],
    },
    Target {
        name: "walks",
        files: &["specs/README.md"],
        tests: &["shape-core/cli/tests/tutorials/new_opset.rs"],
        package: "onnxspec-cli",
        feature: None,
        arguments: &["--test", "tutorials", "the_walks_of_the_page"],
    },
];

/// The targets that write a file, which is named from the root of the repository.
pub fn of_file(file: &str) -> impl Iterator<Item = &'static Target> {
    TARGETS.iter().filter(move |target| target.files.iter().any(|pattern| matches(pattern, file)))
}

fn matches(pattern: &str, file: &str) -> bool {
    match pattern.split_once('*') {
        Some((before, after)) => file.strip_prefix(before).is_some_and(|rest| rest.ends_with(after)),
        None => file == pattern || pattern.ends_with('/') && file.starts_with(pattern),
    }
}

/// The name of a file from the root of the repository, with `..` resolved and `/` between its parts.
pub fn name_in_repository(path: &Path) -> String {
    let absolute = resolved(path);
    let inside = absolute.strip_prefix(resolved(&crate::root()));
    inside
        .unwrap_or(&absolute)
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}

/// Without `.` and `..`, whether or not the path is there.
fn resolved(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts
}
