//! What does not compile, and how rustc says so: `TRYBUILD=overwrite` writes the expected messages anew.

#![expect(clippy::unwrap_used, reason = "clippy takes for tests only the functions with `#[test]`")]

use std::fs;
use std::path::Path;

use shape_core::element::Int2;
use shape_core::elements::Scalar;
use shape_core::facts::Typed;
use shape_core::facts::{Dims, EachElement, Outputs, UnknownCause};
use shape_core::opset25::Shape;

struct Elements(Vec<Scalar<u64>>);

impl Outputs<u64> for Elements {
    fn dims(&mut self, _: usize, _: Dims<'_, u64>) {}

    fn elements(&mut self, _: usize, elements: Result<EachElement<'_, u64>, UnknownCause>) {
        let (count, each) = elements.unwrap();
        self.0 = (0..count).map(each).collect();
    }

    fn elements_of(&mut self, _: usize, _: usize) {}
}

/// What the cases of `not_allowed.rs` lack: an element type that the version allows.
#[test]
fn an_allowed_element_type_compiles() {
    let mut found = Elements(Vec::new());
    let data: Typed<'_, Int2> = Typed::new(&[2, 3, 4]);
    Shape { start: 1, end: None }.infer_typed(data, &mut found).unwrap();
    assert_eq!(found.0, [Scalar::Int(3), Scalar::Int(4)]);
}

/// Element types that a version does not allow, and every mistake in structs, enums and descriptors: all of them at once,
/// and none that only follows from another. It is one run, so that what the cases depend on is checked once.
#[test]
fn error_messages() {
    // The paths of descriptors go from the crate that names them, which is the one that trybuild makes in the target
    // directory.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let folder = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME")).join("yaml");
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir("tests/ui/yaml").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.compile_fail("tests/ui/derive/*.rs");
    cases.compile_fail("tests/ui/yaml/*.rs");
}
