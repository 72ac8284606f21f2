//! What does not compile, and what the compiler says of it.
//!
//! Each message beside a case in `ui/derive` and `ui/yaml` is one of this project's, at the token or the line that it is
//! about; `TRYBUILD=overwrite cargo test -p shape-tests --test ui` writes them anew.

use std::fs;
use std::path::Path;

/// An element type that a version does not allow, and the ones that it does.
#[test]
fn element_types() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/allowed.rs");
    cases.compile_fail("tests/ui/not_allowed.rs");
    cases.compile_fail("tests/ui/sealed.rs");
}

/// Every mistake in structs and enums, all of them at once and without any that only follow from another.
#[test]
fn derives() {
    trybuild::TestCases::new().compile_fail("tests/ui/derive/*.rs");
}

/// The same for descriptors behind `operators!`.
#[test]
fn descriptors() {
    // Paths go from the crate that names them, which is the one that trybuild makes in the target directory.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let folder = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME")).join("yaml");
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir("tests/ui/yaml").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
    }
    trybuild::TestCases::new().compile_fail("tests/ui/yaml/*.rs");
}
