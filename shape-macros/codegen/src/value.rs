//! Values of attributes as Rust.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use shape_specs::Operator;
use shape_specs::document::{self, AttributeKind};
use shape_specs::operator::Attribute;

use crate::names::camel;
use crate::operator::{enum_value, is_closed};

/// The value of the field of an attribute that a node does not give, and need not.
pub(crate) fn default_value(operator: &Operator, attribute: &Attribute) -> TokenStream {
    match &attribute.default {
        Some(document::Literal::Text(text)) if is_closed(attribute) => enum_value(operator, &attribute.name, text),
        Some(default) => plain_value(attribute.kind, default),
        None => quote!(::core::option::Option::None),
    }
}

/// The value of a field.
pub(crate) fn plain_value(kind: AttributeKind, value: &document::Literal) -> TokenStream {
    match (kind, value) {
        (_, document::Literal::Int(value)) => {
            let value = Literal::i64_unsuffixed(*value);
            quote!(#value)
        }
        (_, document::Literal::Float(value)) => float(*value),
        (_, document::Literal::Text(text)) => {
            let bytes = Literal::byte_string(text.as_bytes());
            quote!(#bytes)
        }
        (AttributeKind::Ints | AttributeKind::Floats, document::Literal::List(list)) => {
            let values = list.iter().map(|value| plain_value(kind, value));
            quote!(&[#(#values),*])
        }
        (AttributeKind::Strings, document::Literal::List(list)) => {
            let values = list.iter().map(|value| plain_value(kind, value));
            quote!(::shape_core::node::StringsView::new(&[#(#values),*]))
        }
        // The descriptor's rules leave nothing else.
        _ => quote!(::core::compile_error!("a default of an unknown kind")),
    }
}

/// A FLOAT has 32 bits; infinities and NaN have no literal.
fn float(value: f64) -> TokenStream {
    #[expect(clippy::cast_possible_truncation, reason = "rounding to 32 bits is what ONNX does with the default")]
    let value = value as f32;
    if value.is_finite() {
        let literal = Literal::f32_unsuffixed(value);
        quote!(#literal)
    } else if value.is_nan() {
        quote!(::core::primitive::f32::NAN)
    } else if value > 0.0 {
        quote!(::core::primitive::f32::INFINITY)
    } else {
        quote!(::core::primitive::f32::NEG_INFINITY)
    }
}

/// The value of an attribute as the core's `AttributeValue`.
pub(crate) fn attribute_value(kind: AttributeKind, value: &document::Literal) -> TokenStream {
    let variant = camel(&kind.name().to_lowercase());
    let value = plain_value(kind, value);
    quote!(::shape_core::node::AttributeValue::#variant(#value))
}

/// The kind that a literal has when a node is written with it.
pub(crate) fn literal_kind(value: &document::Literal) -> AttributeKind {
    match value {
        document::Literal::Float(_) => AttributeKind::Float,
        document::Literal::Text(_) => AttributeKind::String,
        document::Literal::List(list) => match list.first() {
            Some(document::Literal::Float(_)) => AttributeKind::Floats,
            Some(document::Literal::Text(_)) => AttributeKind::Strings,
            _ => AttributeKind::Ints,
        },
        _ => AttributeKind::Int,
    }
}
