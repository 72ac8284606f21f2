//! Generates a module for each opset, which re-exports its versions, and the table of all versions.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use shape_specs::tables::Release;
use shape_specs::{Operator, Tables};

use crate::docs::doc;
use crate::names::{ident, module, versioned};
use crate::operator::{any_lifetime, patterns};

/// A module for each opset of a domain, which re-exports each operator's version under the operator's plain name. They
/// are in a module `opsets`, so that all can be re-exported together.
pub(crate) fn opset_modules(domain: &str, operators: &[Operator], tables: &Tables) -> TokenStream {
    // A domain without opsets in the releases has the opsets that introduced versions.
    let newest = tables.newest_opset(domain);
    let last = operators.iter().filter_map(|operator| operator.versions.last()).map(|version| version.since).max();
    let modules = (1..=newest.or(last).unwrap_or_default()).map(|opset| {
        let opset_module = format_ident!("opset{opset}");
        let since = tables.releases.iter().find(|release| release.newest(domain) >= Some(opset));
        let since =
            since.map(|Release { release, ir, .. }| format!(", known from ONNX {release} (IR version {ir}) on"));
        let doc = format!("Opset {opset} of `{domain}`{}.", since.unwrap_or_default());
        let exports = operators.iter().filter_map(|operator| {
            let version = operator.in_force(opset)?;
            let (module, name, versioned) = (module(operator), ident(&operator.name), versioned(operator, version));
            Some(quote!(pub use super::super::#module::#versioned as #name;))
        });
        quote! {
            #[doc = #doc]
            pub mod #opset_module {
                #(#exports)*
            }
        }
    });
    let doc = format!("The opsets of `{domain}`: each has the operators that are in force, under their plain names.");
    quote! {
        #[doc = #doc]
        pub mod opsets {
            #(#modules)*
        }

        #[doc(no_inline)]
        pub use opsets::*;
    }
}

/// The enum over operators, which are sorted by domain and name; nothing if there are none. `of` says which they are.
pub(crate) fn any_operator(of: &str, operators: &[Operator]) -> TokenStream {
    if operators.is_empty() {
        return TokenStream::new();
    }
    let variants = operators.iter().zip(patterns(operators.len())).map(|(operator, index)| {
        let (module, name, lifetime) = (module(operator), ident(&operator.name), any_lifetime(operator));
        let docs = doc([operator.summary.clone()]);
        quote!(#index => #docs #name(#module::#name #lifetime))
    });
    let docs = doc([format!("An operator of {of}, in any of its versions.")]);
    let lifetime = operators.iter().map(any_lifetime).find(|lifetime| !lifetime.is_empty()).unwrap_or_default();
    let read_generics = if lifetime.is_empty() { quote!(<'a>) } else { TokenStream::new() };
    quote!(::shape_core::any_operator! { #docs [#lifetime] [#read_generics] ['a] OPERATORS { #(#variants)* } })
}

/// The versions of each operator, for the registry.
pub(crate) fn table(operators: &[Operator]) -> TokenStream {
    let modules = operators.iter().map(module);
    quote! {
        /// The versions of each operator, sorted by domain and name: for `Registry::of`, or with the built-in ones
        /// `Registry::builtin().with(OPERATORS.concat())`.
        pub static OPERATORS: &[&[&::shape_core::schema::Schema]] = &[#(#modules::VERSIONS),*];
    }
}
