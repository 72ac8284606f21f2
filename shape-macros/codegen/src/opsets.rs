//! What each opset resolves to, and the table of all versions.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use shape_specs::{Operator, Tables};

use crate::names::{ident, snake};

/// A module an opset of `ai.onnx`, which re-exports each operator's version in force under the operator's plain name.
#[must_use]
pub fn opset_modules(operators: &[Operator], tables: &Tables) -> TokenStream {
    let newest = tables.newest_opset("ai.onnx").unwrap_or_default();
    let modules = (1..=newest).map(|opset| {
        let module = format_ident!("opset{opset}");
        let release = tables.releases.iter().find(|release| release.opset >= opset);
        let doc = match release {
            Some(release) => {
                format!(
                    "Opset {opset} of `ai.onnx`, known from ONNX {} (IR version {}) on.",
                    release.release, release.ir
                )
            }
            None => format!("Opset {opset} of `ai.onnx`."),
        };
        let exports = operators.iter().filter(|operator| operator.domain == "ai.onnx").filter_map(|operator| {
            let version = operator.in_force(opset)?;
            let (module, name) = (ident(&snake(&operator.name)), ident(&operator.name));
            let versioned = format_ident!("{}{}", operator.name, version.since);
            Some(quote!(pub use super::operators::#module::#versioned as #name;))
        });
        quote! {
            #[doc = #doc]
            pub mod #module {
                #(#exports)*
            }
        }
    });
    quote!(#(#modules)*)
}

/// The versions of each operator, sorted by domain and name, for the registry.
#[must_use]
pub fn table(operators: &[Operator]) -> TokenStream {
    let modules = operators.iter().map(|operator| ident(&snake(&operator.name)));
    quote!(static OPERATORS: &[&[&::shape_core::schema::Schema]] = &[#(operators::#modules::VERSIONS),*];)
}
