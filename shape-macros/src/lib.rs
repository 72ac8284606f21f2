#![doc = include_str!("../README.md")]

use std::path::PathBuf;

use proc_macro::TokenStream;

/// Generates the operators of a user crate's descriptors; `shape_core::operators!` calls it with the path of
/// shape-core.
#[proc_macro]
pub fn operators(input: TokenStream) -> TokenStream {
    shape_codegen::custom_operators(input.into(), &root()).into()
}

/// Generates the tests for the examples of a user crate's descriptors; the code from `operators` calls it in test
/// builds.
#[proc_macro]
pub fn examples(input: TokenStream) -> TokenStream {
    shape_codegen::custom_examples(input.into(), &root()).into()
}

/// The folder that paths are relative to: the one that Cargo sets, or else the compiler's working directory.
fn root() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default().into()
}

/// Generates the tests for the examples of the built-in descriptors of a domain, `builtin_examples!("ai.onnx")`.
#[proc_macro]
pub fn builtin_examples(domain: TokenStream) -> TokenStream {
    shape_codegen::builtin_examples(domain.into()).into()
}

/// Generates the checks of `checks.yaml`.
#[proc_macro]
pub fn checks(_: TokenStream) -> TokenStream {
    shape_codegen::checks().into()
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

/// Derives the type of a STRING attribute with a few allowed values from an enum; documented at
/// `shape_core::AttributeEnum`.
#[proc_macro_derive(AttributeEnum, attributes(attribute))]
pub fn derive_attribute_enum(input: TokenStream) -> TokenStream {
    shape_codegen::derive_attribute_enum(input.into()).into()
}
