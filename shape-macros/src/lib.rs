#![doc = include_str!("../README.md")]

use std::path::PathBuf;

use proc_macro::TokenStream;

/// Generates the operators of the built-in descriptors of a domain, `builtin_operators!("ai.onnx")`: their modules, the
/// opset modules and the table of all versions.
#[proc_macro]
pub fn builtin_operators(domain: TokenStream) -> TokenStream {
    shape_codegen::builtin_operators(domain.into()).into()
}

/// Generates the sets of element types of `types.yaml`.
#[proc_macro]
pub fn type_sets(_: TokenStream) -> TokenStream {
    shape_codegen::type_sets().into()
}

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

/// Generates the element types of `types.yaml`.
#[proc_macro]
pub fn data_types(_: TokenStream) -> TokenStream {
    shape_codegen::data_types().into()
}

/// Generates the finding codes of `codes.yaml`.
#[proc_macro]
pub fn codes(_: TokenStream) -> TokenStream {
    shape_codegen::codes().into()
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

/// Generates a struct for each rule of `rules.yaml`, with its arguments named like its parameters.
#[proc_macro]
pub fn rule_parameters(_: TokenStream) -> TokenStream {
    shape_codegen::rule_parameters().into()
}

/// Generates a constant for each rule of `rules.yaml`, and the list of them.
#[proc_macro]
pub fn rules(_: TokenStream) -> TokenStream {
    shape_codegen::rules().into()
}

/// Generates the releases of `opsets.yaml`.
#[proc_macro]
pub fn releases(_: TokenStream) -> TokenStream {
    shape_codegen::releases().into()
}

/// Generates the runtimes of `runtimes.yaml`.
#[proc_macro]
pub fn runtimes(_: TokenStream) -> TokenStream {
    shape_codegen::runtimes().into()
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
