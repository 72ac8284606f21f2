//! The Rust types of the fields that hold attributes.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use shape_specs::document::AttributeKind;

use crate::names::camel;

/// The field type for an attribute's kind: a number, or a view that borrows for a lifetime.
pub(crate) fn field_type(kind: AttributeKind, life: &syn::Lifetime) -> TokenStream {
    match kind {
        AttributeKind::Int => quote!(::core::primitive::i64),
        AttributeKind::Float => quote!(::core::primitive::f32),
        AttributeKind::String => quote!(&#life [::core::primitive::u8]),
        AttributeKind::Ints => quote!(&#life [::core::primitive::i64]),
        AttributeKind::Floats => quote!(&#life [::core::primitive::f32]),
        other => {
            let view = format_ident!("{}View", camel(&other.name().to_lowercase()));
            quote!(::shape_core::node::#view<#life>)
        }
    }
}
