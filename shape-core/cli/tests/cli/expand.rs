//! `shape expand`: the Rust that is generated.

use std::path::Path;

use crate::run::{Folder, Run};

const GELU: &str = "\
operator: Gelu
domain: com.acme
summary: Weighs each element by the chance of a smaller one.
versions:
  - since: 1
    inputs: [{ name: x, type: T }]
    outputs: [{ name: y, type: T }]
    types: [{ name: T, allow: [float, double] }]
  - since: 3
    types: [{ name: T, add: [float16] }]
";

fn expand(operator: &str) -> Run {
    Folder::new().shape(["expand", operator])
}

#[test]
fn the_rust_of_the_snapshot() {
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shape-macros/codegen/snapshots");
    let snapshot = std::fs::read_to_string(snapshots.join("ai.onnx/Shape.snap")).unwrap();
    // Behind the page of the versions.
    let (_, snapshot) = snapshot.split_once("\n\npub mod ").unwrap();
    let snapshot = format!("pub mod {snapshot}");
    let run = expand("Shape");
    assert_eq!((run.code, &*run.notes), (0, ""));
    assert_eq!(shape_bless::snapshot::rust(&run.out).trim_end(), snapshot.trim_end());
    assert_eq!(expand("ai.onnx::Shape").out, run.out);
}

/// Of all descriptors the test is onnxspec-codegen's.
#[test]
fn a_version_is_a_part_of_the_whole() {
    for (operator, versions) in [("Shape", [1, 28]), ("If", [1, 16]), ("ai.onnx.ml::Normalizer", [1, 5])] {
        // The module stands one level deeper.
        let whole = expand(operator).out;
        let whole: Vec<&str> = whole.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
        for version in versions {
            let run = expand(&format!("{operator}@{version}"));
            assert_eq!(run.code, 0, "{run:?}");
            let items = run.out.lines().filter(|line| line.starts_with("pub ") || line.starts_with("static "));
            // Long lines break elsewhere at another depth.
            for item in items.filter(|item| item.ends_with(['{', ';'])) {
                assert!(whole.contains(&item), "{operator}@{version}: {item}");
            }
            assert_eq!(run.out.matches("static SCHEMA_").count(), 1, "{operator}@{version}: {run:?}");
        }
    }
    assert_eq!(expand("Shape@14").out, expand("Shape@13").out);
}

#[test]
fn a_descriptor_of_ones_own() {
    let folder = Folder::new();
    folder.write("specs@home/Gelu.yaml", GELU);
    let run = folder.shape(["expand", "specs@home/Gelu.yaml"]);
    assert_eq!((run.code, &*run.notes), (0, ""));
    assert!(run.out.contains("pub mod gelu {") && run.out.contains("(`specs@home/Gelu.yaml:9`)"), "{run:?}");
    let run = folder.shape(["expand", "specs@home/Gelu.yaml@2"]);
    assert!(run.out.contains("pub type Gelu1 =") && !run.out.contains("pub type Gelu3"), "{run:?}");
    folder.write("Gelu.yaml", GELU.replace("double", "dubble"));
    let run = folder.shape(["expand", "Gelu.yaml"]);
    assert_eq!((run.code, &*run.notes), (1, "1 error in Gelu.yaml\n"));
    assert!(run.out.starts_with("Gelu.yaml:8:39: error[unknown-type]"), "{run:?}");
}

#[test]
fn texts_do_not_steer_the_terminal() {
    let folder = Folder::new();
    folder.write("Gelu.yaml", GELU.replace("chance", "\u{202e}chance"));
    let run = folder.shape(["expand", "Gelu.yaml"]);
    assert!(run.code == 0 && !run.out.contains('\u{202e}') && run.out.contains(r"\u{202e}chance"), "{run:?}");
}

#[test]
fn what_is_not_there() {
    let cases = [
        ("Shap", "there is no descriptor of `Shap`; did you mean `Shape`?"),
        ("com.acme::Gelu", "there is no descriptor of `com.acme::Gelu`"),
        ("Shape@0", "`0` is not an opset"),
        ("Shape@", "`` is not an opset"),
        ("Shape@999", "opset 999 of ai.onnx is unknown"),
        ("missing.yaml", "cannot read missing.yaml: "),
        ("missing.yaml@x", "`x` is not an opset"),
    ];
    for (operator, message) in cases {
        let run = expand(operator);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.starts_with(&format!("error: {message}")), "{run:?}");
    }
}
