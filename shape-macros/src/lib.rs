// Only rustdoc reads the page, so that an edit of it builds nothing anew.
#![cfg_attr(doc, doc = include_str!("../README.md"))]
#![cfg_attr(not(doc), doc = env!("CARGO_PKG_DESCRIPTION"))]

use std::path::PathBuf;

use proc_macro::TokenStream;

/// Generates the operators of descriptors, given the path of onnxspec-core and the files. onnxspec-core calls it with a
/// folder of onnxspec-descriptors, `operators!(::shape_core; specs "ai.onnx")`; for the files of another crate
/// `shape_core::operators!` does.
#[proc_macro]
pub fn operators(input: TokenStream) -> TokenStream {
    shape_codegen::operators(input.into(), &root()).into()
}

/// Generates the tests for the examples of the same descriptors; the code from `operators` calls it in test builds.
#[proc_macro]
pub fn examples(input: TokenStream) -> TokenStream {
    shape_codegen::examples(input.into(), &root()).into()
}

/// The folder that paths are relative to: the one that Cargo sets, or else the compiler's working directory.
fn root() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default().into()
}

/// Generates a table that all descriptors share, `tables!(codes)`.
#[proc_macro]
pub fn tables(name: TokenStream) -> TokenStream {
    shape_codegen::tables(name.into()).into()
}

/// Generates a profile, `profile!("sonnx")`.
#[proc_macro]
pub fn profile(name: TokenStream) -> TokenStream {
    shape_codegen::profile(name.into()).into()
}

/// Derives an operator from a struct; documented at `shape_core::Operator`.
#[proc_macro_derive(Operator, attributes(operator, attribute))]
pub fn derive_operator(input: TokenStream) -> TokenStream {
    shape_codegen::derive_operator(input.into()).into()
}

/// Derives an enum over the derived versions of an operator; documented at `shape_core::OperatorVersions`.
#[proc_macro_derive(OperatorVersions, attributes(operator))]
pub fn derive_operator_versions(input: TokenStream) -> TokenStream {
    shape_codegen::derive_operator_versions(input.into()).into()
}

/// Derives the type of a STRING attribute with a few allowed values from an enum; documented at
/// `shape_core::AttributeEnum`.
#[proc_macro_derive(AttributeEnum, attributes(attribute))]
pub fn derive_attribute_enum(input: TokenStream) -> TokenStream {
    shape_codegen::derive_attribute_enum(input.into()).into()
}
