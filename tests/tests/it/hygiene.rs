//! What is generated compiles in the crate `hygiene`, which makes it hard, and its pages say what there is.

use std::fs;
use std::path::Path;

use shape_tests::{output, root};

/// Runs cargo on a copy of the crate that knows where onnxspec-core is.
fn cargo(arguments: &[&str]) {
    let here = root().join("tests/hygiene");
    let there = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hygiene");
    fs::create_dir_all(there.join("src")).unwrap();
    for file in ["src/lib.rs", "Odd.yaml", "Option.yaml"] {
        fs::copy(here.join(file), there.join(file)).unwrap();
    }
    fs::copy(root().join("Cargo.lock"), there.join("Cargo.lock")).unwrap();
    let manifest = fs::read_to_string(here.join("Cargo.toml")).unwrap();
    let core = root().join("shape-core").to_string_lossy().replace('\\', "/");
    fs::write(there.join("Cargo.toml"), manifest.replace("SHAPE-CORE", &core)).unwrap();
    let mut cargo = shape_tests::cargo(&there).unwrap();
    output(cargo.args(arguments).arg("--quiet").env("RUSTDOCFLAGS", "-D warnings"))
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn it_compiles_and_every_item_has_a_page() {
    // The tests have symbols, for the examples of descriptors; what is built does not.
    cargo(&["build"]);
    cargo(&["test"]);
    cargo(&["doc", "--no-deps"]);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let pages = target.join("doc/hygiene/described");
    for (page, links) in [
        ("odd/index.html", &["type.Odd1.html", "type.Odd2.html", "type.Odd4.html"][..]),
        ("odd/enum.Odd.html", &["type.Odd1.html", "type.Odd2.html", "type.Odd4.html"]),
        ("odd/struct.OddFrom1.html", &["type.Odd1.html", "type.Odd2.html"]),
        ("odd/type.Odd1.html", &["enum.Odd.html"]),
        ("odd/type.Odd2.html", &["enum.Odd.html", "type.Odd1.html"]),
        ("odd/type.Odd4.html", &["enum.Odd.html", "type.Odd2.html"]),
        ("option/type.Option3.html", &["enum.Option.html", "type.Option1.html"]),
    ] {
        let text = fs::read_to_string(pages.join(page)).unwrap();
        for link in links {
            assert!(text.contains(&format!("href=\"{link}\"")), "{page} has no link to {link}");
        }
    }
    let mut seen = 0;
    for folder in [pages.clone(), pages.join("odd"), pages.join("option")] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "html") && !path.ends_with("all.html") {
                let text = fs::read_to_string(&path).unwrap();
                assert!(text.contains("top-doc"), "{} says nothing", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 15, "{seen} pages");
}
