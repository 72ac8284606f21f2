//! An element type that a version does not allow does not compile, and the compiler says which ones it allows.

#[test]
fn element_types() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/allowed.rs");
    cases.compile_fail("tests/ui/not_allowed.rs");
    cases.compile_fail("tests/ui/sealed.rs");
}
