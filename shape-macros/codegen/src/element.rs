//! The names of element types in generated code.

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::tables::Element;

use crate::names::camel;

/// The variant of `DataType`: ONNX's name with a capital letter.
pub(crate) fn data_type(element: &Element) -> syn::Ident {
    camel(&element.name)
}

/// The Rust type for an element type.
pub(crate) fn element_type(element: &Element) -> TokenStream {
    let name = data_type(element);
    quote!(::shape_core::element::of::#name)
}
