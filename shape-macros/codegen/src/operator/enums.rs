//! Generates the enums of STRING attributes that allow only a few values.
//!
//! An attribute has one enum for all versions of its operator, with every value that some version allows. The schema of
//! a version says which of them it allows, and a node is checked against that.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use shape_specs::Operator;
use shape_specs::document::{self, AttributeKind};
use shape_specs::operator::Attribute;

use crate::docs::doc;
use crate::names::camel;

/// Whether the field of an attribute is an enum.
pub(crate) fn is_closed(attribute: &Attribute) -> bool {
    attribute.kind == AttributeKind::String && !attribute.values.is_empty()
}

/// The name of the enum of an attribute.
pub(crate) fn enum_name(operator: &str, attribute: &str) -> syn::Ident {
    let name = camel(attribute);
    // The module has types called after the operator.
    if name.to_string().starts_with(operator) { format_ident!("{name}Value") } else { name }
}

/// The variant for a value: `SAME_UPPER` to `SameUpper`.
pub(crate) fn variant(value: &str) -> syn::Ident {
    let shouted = value.chars().all(|c| !c.is_lowercase());
    let value = if shouted { value.to_lowercase() } else { value.to_owned() };
    let words: String = value.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match words.chars().find(|c| *c != '_') {
        Some(first) if first.is_ascii_alphabetic() => camel(words.trim_matches('_')),
        _ => camel(&format!("value_{words}")),
    }
}

/// The texts that an attribute may have in some version, each with its variant.
fn variants(operator: &Operator, attribute: &str) -> Vec<(syn::Ident, String)> {
    let mut variants: Vec<(syn::Ident, String)> = Vec::new();
    let attributes = operator.versions.iter().flat_map(|version| &version.attributes);
    let texts = attributes.filter(|other| other.name == attribute && is_closed(other)).flat_map(|other| &other.values);
    for text in texts {
        let document::Literal::Text(text) = text else { continue };
        if variants.iter().any(|(_, known)| known == text) {
            continue;
        }
        let mut variant = variant(text);
        // `A` and `a` are two values.
        while variants.iter().any(|(known, _)| *known == variant) {
            variant = format_ident!("{variant}_");
        }
        variants.push((variant, text.clone()));
    }
    variants
}

/// The enums of an operator.
pub(super) fn enums(operator: &Operator) -> TokenStream {
    let mut names: Vec<&str> = Vec::new();
    let attributes = operator.versions.iter().flat_map(|version| &version.attributes);
    for attribute in attributes.filter(|attribute| is_closed(attribute)) {
        if !names.contains(&&*attribute.name) {
            names.push(&attribute.name);
        }
    }
    let enums = names.into_iter().map(|attribute| {
        let name = enum_name(&operator.name, attribute);
        let docs = doc([format!("The attribute `{attribute}` of `{}`.", operator.name)]);
        let variants = variants(operator, attribute).into_iter().map(|(variant, text)| {
            let docs = doc([format!("`{text}`")]);
            let bytes = Literal::byte_string(text.as_bytes());
            quote!(#docs #variant = #bytes)
        });
        quote!(::shape_core::closed! { #docs #name { #(#variants),* } })
    });
    quote!(#(#enums)*)
}
