#![doc = include_str!("../README.md")]

use proc_macro::TokenStream;

/// Writes the operators of the built-in descriptors, their opset modules and the table of all versions.
#[proc_macro]
pub fn builtin_operators(_: TokenStream) -> TokenStream {
    shape_codegen::builtin_operators().into()
}

/// Writes the operators of a crate's own descriptors; `shape_core::operators!` calls it, with the path of shape-core.
#[proc_macro]
pub fn operators(input: TokenStream) -> TokenStream {
    // Cargo sets it; without it paths go from where the compiler runs.
    let root = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    shape_codegen::own_operators(input.into(), root.as_ref()).into()
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

/// Writes the releases of `opsets.yaml`.
#[proc_macro]
pub fn releases(_: TokenStream) -> TokenStream {
    shape_codegen::releases().into()
}
