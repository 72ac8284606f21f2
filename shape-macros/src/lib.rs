#![doc = include_str!("../README.md")]

use std::path::PathBuf;

use proc_macro::TokenStream;

/// Writes the operators of the built-in descriptors of a domain, `builtin_operators!("ai.onnx")`: their modules, the
/// opset modules and the table of all versions.
#[proc_macro]
pub fn builtin_operators(domain: TokenStream) -> TokenStream {
    shape_codegen::builtin_operators(domain.into()).into()
}

/// Writes the sets of element types of `types.yaml`.
#[proc_macro]
pub fn type_sets(_: TokenStream) -> TokenStream {
    shape_codegen::type_sets().into()
}

/// Writes the operators of a crate's own descriptors; `shape_core::operators!` calls it, with the path of shape-core.
#[proc_macro]
pub fn operators(input: TokenStream) -> TokenStream {
    shape_codegen::custom_operators(input.into(), &root()).into()
}

/// Writes the tests of the examples of a crate's own descriptors; what `operators` writes calls it in a test build.
#[proc_macro]
pub fn examples(input: TokenStream) -> TokenStream {
    shape_codegen::custom_examples(input.into(), &root()).into()
}

/// The folder that paths go from. Cargo sets it; without it that is where the compiler runs.
fn root() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default().into()
}

/// Writes the tests of the examples of the built-in descriptors of a domain, `builtin_examples!("ai.onnx")`.
#[proc_macro]
pub fn builtin_examples(domain: TokenStream) -> TokenStream {
    shape_codegen::builtin_examples(domain.into()).into()
}

/// Writes the element types of `types.yaml`.
#[proc_macro]
pub fn data_types(_: TokenStream) -> TokenStream {
    shape_codegen::data_types().into()
}

/// Writes the finding codes of `codes.yaml`.
#[proc_macro]
pub fn codes(_: TokenStream) -> TokenStream {
    shape_codegen::codes().into()
}

/// Writes the checks of `checks.yaml`.
#[proc_macro]
pub fn checks(_: TokenStream) -> TokenStream {
    shape_codegen::checks().into()
}

/// Writes a profile, `profile!("sonnx")`.
#[proc_macro]
pub fn profile(name: TokenStream) -> TokenStream {
    shape_codegen::profile(name.into()).into()
}

/// Writes a struct for each rule of `rules.yaml`, with its arguments under the names of its parameters.
#[proc_macro]
pub fn rule_parameters(_: TokenStream) -> TokenStream {
    shape_codegen::rule_parameters().into()
}

/// Writes a constant for each rule of `rules.yaml`, and the list of them.
#[proc_macro]
pub fn rules(_: TokenStream) -> TokenStream {
    shape_codegen::rules().into()
}

/// Writes the releases of `opsets.yaml`.
#[proc_macro]
pub fn releases(_: TokenStream) -> TokenStream {
    shape_codegen::releases().into()
}

/// Makes a struct an operator; `shape_core::Operator` has the page.
#[proc_macro_derive(Operator, attributes(operator, attribute))]
pub fn derive_operator(input: TokenStream) -> TokenStream {
    shape_codegen::derive_operator(input.into()).into()
}

/// Makes an enum the type of a STRING with a closed set of values; `shape_core::AttributeEnum` has the page.
#[proc_macro_derive(AttributeEnum, attributes(attribute))]
pub fn derive_attribute_enum(input: TokenStream) -> TokenStream {
    shape_codegen::derive_attribute_enum(input.into()).into()
}
