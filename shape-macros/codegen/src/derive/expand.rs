//! Generates the code of a derived operator: its static schema and its `Operator` implementation.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use shape_specs::lower::{self, Constant, SchemaName, Struct};
use shape_specs::operator::Attribute;
use shape_specs::tables::Tables;
use shape_specs::yaml::Position;
use syn::DeriveInput;

use super::read::{Field, Read};
use crate::constant::schema_name;
use crate::names::snake;
use crate::operator::{operator_impl, schema_of};

/// The static tables and the `Operator` implementation.
pub(super) fn operator(
    name: &syn::Ident,
    read: &Read,
    operator: &shape_specs::Operator,
    places: &[TokenStream],
    tables: &Tables,
) -> TokenStream {
    let Some(version) = operator.versions.first() else { return TokenStream::new() };
    let borrows = |lifetime: TokenStream| read.lifetime.as_ref().map(|_| lifetime).unwrap_or_default();
    // Avoids conflicts with the names of the struct.
    let (generics, of, fixed) = (borrows(quote!(<'a>)), borrows(quote!(<'of>)), borrows(quote!(<'static>)));
    let (this, name) = (quote!(#name #generics), quote!(#name));
    let mut schema = lower::schema(operator, version, None);
    let mut code = Vec::new();
    let rows = version.attributes.iter().zip(&read.fields);
    let rows = rows.map(|(attribute, field)| Constant::Struct(row(attribute, field, &mut code)));
    schema.set("attributes", Constant::List(rows.collect()));
    // The outputs come from the rules that the struct names, or from its `Infer`, if it has one.
    if version.rules.is_empty() {
        schema.set("rules", Constant::Code(code.len()));
        code.push(quote!({
            use ::shape_core::operator::probe::NoRule as _;
            ::shape_core::operator::probe::Probe::<#name #fixed>::RULES
        }));
    }
    let items = schema_of(operator, version, &schema, tables, &code);
    let schema = schema_name(SchemaName::newest(version));
    let fields = read.fields.iter().enumerate().map(|(index, field)| {
        let path = match &field.closed {
            // A type that does not fit a field is reported once, at its values.
            Some((ty, _)) => quote!(::shape_core::operator::probe::Of::<'_, #ty>),
            None => quote!(::shape_core::operator),
        };
        (field.name.clone(), index, field.plain, path)
    });
    let implementation = operator_impl(&generics, &this, &name, &of, &quote!(&#schema), fields);
    let closed = read.fields.iter().any(|field| field.closed.is_some());
    let closed = closed.then(|| {
        quote!(
            use ::shape_core::operator::probe::NoField as _;
        )
    });
    let only = only(operator, version.since, &read.since);
    let examples = (!operator.examples.is_empty()).then(|| {
        let test = format_ident!("{}_since_{}", snake(&name.to_string().replace("r#", "")), version.since);
        examples(&test, &quote!(#name #fixed), operator, places)
    });
    quote! {
        #only
        #examples

        const _: () = {
            #closed
            #items
            #implementation
        };
    }
}

/// The test of the examples, beside the struct so that it is found.
///
/// The compiler alone knows where tokens stand, so the text of the examples has rows of a table that it fills.
fn examples(
    test: &syn::Ident,
    this: &TokenStream,
    operator: &shape_specs::Operator,
    places: &[TokenStream],
) -> TokenStream {
    let mut rows: Vec<usize> = Vec::new();
    let text = lower::examples(operator, &mut |Position { line: node, .. }| {
        let row = rows.iter().position(|row| *row == node).unwrap_or(rows.len());
        if row == rows.len() {
            rows.push(node);
        }
        Position { line: row, column: 0 }
    });
    let rows = rows.into_iter().map(|node| {
        let token = places.get(node).and_then(|tokens| tokens.clone().into_iter().next());
        let span = token.map_or_else(Span::call_site, |token| token.span());
        quote_spanned!(span=> (::core::line!(), ::core::column!()))
    });
    quote! {
        ::shape_core::derived_examples! {
            #[cfg(test)]
            #[::core::prelude::v1::test]
            fn #test() {
                const SCHEMA: &::shape_core::schema::Schema = <#this as ::shape_core::operator::Operator>::SCHEMA;
                ::shape_core::example::assert(::core::file!(), SCHEMA, #text, &[#(#rows),*]);
            }
        }
    }
}

/// The row of a field. If its type knows the allowed values, they and the default are expressions.
fn row<'d>(attribute: &'d Attribute, field: &Field, code: &mut Vec<TokenStream>) -> Struct<'d> {
    let mut row = lower::attribute(attribute);
    if let Some((ty, default)) = &field.closed {
        let values = quote!(<#ty as ::shape_core::node::Field<'static>>::VALUES);
        row.set("values", Constant::Code(code.len()));
        code.push(values.clone());
        if let Some(default) = default {
            row.set("default", Constant::Some(Box::new(Constant::Code(code.len()))));
            code.push(quote!(#values[#default as ::core::primitive::usize]));
        }
    }
    row
}

/// An item that can only exist once in a module. The compiler reports its name if a second struct is the same version,
/// so the name is the message.
fn only(operator: &shape_specs::Operator, since: u32, at: &TokenStream) -> TokenStream {
    let span = at.clone().into_iter().next().map_or_else(Span::call_site, |token: TokenTree| token.span());
    let domain: String = operator.domain.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let name = format!("two_structs_in_this_module_are_{domain}_{}_since_opset_{since}", snake(&operator.name));
    let name = format_ident!("{}", crate::names::camel(&name), span = span);
    quote_spanned! {span=>
        #[doc(hidden)]
        #[allow(dead_code)]
        enum #name {}
    }
}

/// An operator that replaces one with errors, so that only these errors are reported.
pub(super) fn stub(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    quote! {
        const _: () = {
            static SCHEMA: ::shape_core::schema::Schema = ::shape_core::schema::Schema::EMPTY;

            impl #generics ::shape_core::operator::Operator for #name #arguments #conditions {
                const SCHEMA: &'static ::shape_core::schema::Schema = &SCHEMA;
                type Of<'of_a_node> = Self;

                fn read<'of_a_node>(
                    _: &[::shape_core::node::NodeAttribute<'of_a_node>],
                ) -> ::core::result::Result<Self, ::shape_core::problem::Problem<'of_a_node>> {
                    loop {}
                }

                fn attributes<'s>(&'s self, _: &mut dyn ::core::ops::FnMut(::shape_core::node::NodeAttribute<'s>)) {}
            }
        };
    }
}
