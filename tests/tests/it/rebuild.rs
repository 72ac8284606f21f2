//! A descriptor that is edited or added is noticed by the next build, with no `cargo clean`, and a mistake in one stops
//! it with the place of the mistake.

use std::fs;
use std::path::{Path, PathBuf};

use shape_tests::{NextRelease, cargo, copy, next_release, output, root};

/// Says which version of an operator holds at an opset.
const PROBE: &str = r#"//! See the test `rebuild`.

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (name, opset) = (arguments.next().unwrap(), arguments.next().unwrap().parse().unwrap());
    let (domain, name) = name.split_once("::").unwrap_or(("", &name));
    let found = shape_core::Registry::builtin().resolve(domain, name, opset);
    println!("{:?}", found.map(|schema| schema.since_version));
}
"#;

/// A copy of the crates that a build of `onnxspec-core` needs, with fewer operators, in a folder of its own. It is the
/// same folder in each run, so that no run leaves builds of crates that are gone.
struct Tree(PathBuf);

impl Tree {
    fn new() -> Self {
        let tree = Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join("rebuild"));
        if tree.0.exists() {
            fs::remove_dir_all(&tree.0).unwrap();
        }
        for path in ["specs", "shape-macros", "shape-core", "tests/bless"] {
            copy(&root().join(path), &tree.path(path)).unwrap();
        }
        // Two operators are noticed as all are; the others are there since each domain must have one.
        let kept = [
            "ai.onnx/Shape.yaml",
            "ai.onnx/Reshape.yaml",
            "ai.onnx.ml/Binarizer.yaml",
            "ai.onnx.preview/FlexAttention.yaml",
            "ai.onnx.preview.training/Gradient.yaml",
        ];
        for (file, _) in shape_specs::DESCRIPTORS.iter().filter(|(file, _)| !kept.contains(file)) {
            fs::remove_file(tree.path("specs").join(file)).unwrap();
        }
        fs::copy(root().join("Cargo.lock"), tree.path("Cargo.lock")).unwrap();
        let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let manifest = manifest.replace("    \"shape-core/cli\",\n    \"tests\",\n    \"tests/error-messages\",\n", "");
        // Of the same version cargo takes these crates for those of this workspace, which share the target directory, and
        // would look for changes of the latter here.
        let version = concat!("\nversion = \"", env!("CARGO_PKG_VERSION"));
        assert!(manifest.contains(version), "{manifest}");
        fs::write(tree.path("Cargo.toml"), manifest.replace(version, &format!("{version}+rebuild"))).unwrap();
        // What only benchmarks and the tests of files need would double the time.
        let manifest = fs::read_to_string(tree.path("shape-core/Cargo.toml")).unwrap();
        let (head, _) = manifest.split_once("[dev-dependencies]").unwrap();
        fs::write(tree.path("shape-core/Cargo.toml"), head).unwrap();
        fs::create_dir_all(tree.path("shape-core/examples")).unwrap();
        fs::write(tree.path("shape-core/examples/probe.rs"), PROBE).unwrap();
        tree
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// Runs cargo on `onnxspec-core` there; its standard output, or its standard error where it fails.
    fn cargo(&self, command: &[&str], arguments: &[&str]) -> Result<String, String> {
        let mut cargo = cargo(&self.0).unwrap();
        cargo.args(command).args(["--package", "onnxspec-core", "--no-default-features", "--quiet"]);
        cargo.args(["--features", "alloc,every-domain", "--"]).args(arguments);
        output(&mut cargo).map(|text| text.trim().to_owned()).map_err(|error| error.to_string())
    }

    /// The version of an operator at an opset, by a program built there.
    fn probe(&self, operator: &str, opset: &str) -> String {
        self.cargo(&["run", "--example", "probe"], &[operator, opset]).unwrap_or_else(|error| panic!("{error}"))
    }
}

#[test]
fn a_descriptor_that_changes_is_noticed() {
    let tree = Tree::new();
    let NextRelease { row, opset, .. } = next_release().unwrap();
    let releases = tree.path("specs/opsets.yaml");
    fs::write(&releases, fs::read_to_string(&releases).unwrap() + &row + "\n").unwrap();
    let (next, newest) = (opset.to_string(), shape_core::Registry::builtin().operator("ai.onnx", "Shape"));
    let newest = format!("Ok({})", newest.last().unwrap().since_version);
    assert_eq!(tree.probe("Shape", &next), newest);
    assert_eq!(tree.probe("Gauge", &next), "Err(NoDescriptor)");

    let shape = tree.path("specs/ai.onnx/Shape.yaml");
    let text = fs::read_to_string(&shape).unwrap();
    let version = format!("  - since: {next}\n    sources: [own]\n    types: [{{ name: T, remove: [complex128] }}]\n");
    let edited = text.replace("errata:", &format!("{version}\nerrata:"));
    fs::write(&shape, &edited).unwrap();
    assert_eq!(tree.probe("Shape", &next), format!("Ok({next})"), "an edit");

    // The examples of every version before it run against the new one.
    let tests = tree.cargo(&["test", "--lib"], &["examples"]).unwrap();
    assert!(tests.contains("passed") && !tests.contains(" 0 passed"), "{tests}");

    let added = text.replace("operator: Shape", "operator: Gauge");
    fs::write(tree.path("specs/ai.onnx/Gauge.yaml"), added).unwrap();
    assert_eq!(tree.probe("Gauge", &next), newest, "a new file");

    let preview =
        text.replace("operator: Shape", "operator: Meter").replace("domain: ai.onnx", "domain: ai.onnx.preview");
    let (preview, _) = preview.split_once("\n  - since: 13").unwrap();
    fs::write(tree.path("specs/ai.onnx.preview/Meter.yaml"), preview).unwrap();
    assert_eq!(tree.probe("ai.onnx.preview::Meter", "5"), "Ok(1)", "a new file of another domain");

    // One bad descriptor is told with its place, and the other operators are still there.
    fs::write(&shape, edited.replace("complex128] }]", "complex182] }]")).unwrap();
    let error = tree.cargo(&["run", "--example", "probe"], &[]).unwrap_err();
    let mistakes = error.matches("error: ai.onnx/Shape.yaml:").count();
    assert!(mistakes == 1 && error.contains("did you mean `complex128`?"), "{error}");

    // So it is in tests, for which the examples are read too; a mistake in these is told as well.
    let bad = edited.replace("complex128] }]", "complex182] }]").replace("name: symbols\n", "nam: symbols\n");
    fs::write(&shape, bad).unwrap();
    let error = tree.cargo(&["test", "--lib", "--no-run"], &[]).unwrap_err();
    assert_eq!(error.matches("error: ai.onnx/Shape.yaml:").count(), 2, "{error}");

    fs::remove_file(tree.path("specs/ai.onnx/Gauge.yaml")).unwrap();
    fs::write(&shape, text).unwrap();
    assert_eq!(tree.probe("Gauge", &next), "Err(NoDescriptor)", "a file that is gone");
    assert_eq!(tree.probe("Shape", &next), newest);
}
