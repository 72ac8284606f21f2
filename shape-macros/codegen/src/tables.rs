//! Generates Rust from the tables that all descriptors share: element types, sets of types, finding codes, releases.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use shape_specs::lower::{self, Constant};
use shape_specs::tables::{Element, Severity, Tables};

use crate::constant::Printer;
use crate::element::{data_type, element_type};
use crate::names::{camel, constant};

pub(crate) fn data_types(tables: &Tables) -> TokenStream {
    let variants = tables.elements.iter().map(|element| {
        let variant = data_type(element);
        let number = Literal::u8_unsuffixed(element.number);
        let width = element.bits.map_or("of no fixed width".to_owned(), |bits| format!("{bits} bits wide"));
        let doc = format!("`{}`: {width}, since opset {}.", element.name, element.since);
        quote!(#[doc = #doc] #variant = #number)
    });
    let rows = tables.elements.iter().map(|element| {
        let variant = data_type(element);
        let Element { name, since, .. } = element;
        let bits = option(element.bits.map(Literal::u8_unsuffixed));
        quote!(Row { data_type: DataType::#variant, name: #name, bits: #bits, since: #since })
    });
    quote! {
        /// The type of the elements of a tensor. A new opset may bring more.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum DataType {
            #(#variants),*
        }

        static ROWS: &[Row] = &[#(#rows),*];
    }
}

pub(crate) fn codes(tables: &Tables) -> TokenStream {
    let variants = tables.codes.iter().map(|entry| {
        let variant = camel(&entry.code);
        let doc = format!("`{}`: {}.", entry.code, entry.title);
        quote!(#[doc = #doc] #variant)
    });
    let rows = tables.codes.iter().map(|entry| {
        let variant = camel(&entry.code);
        let severity = match entry.severity {
            Severity::Error => quote!(Error),
            Severity::Warning => quote!(Warning),
            Severity::Info => quote!(Info),
        };
        let (name, title, explanation) = (&entry.code, &entry.title, entry.explain.trim_end());
        quote!(Row {
            code: Code::#variant,
            name: #name,
            severity: Severity::#severity,
            title: #title,
            explanation: #explanation,
        })
    });
    quote! {
        /// What can be found in a model. A code is stable: it is neither renamed nor given another meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            #(#variants),*
        }

        static ROWS: &[Row] = &[#(#rows),*];
    }
}

pub(crate) fn releases(tables: &Tables) -> TokenStream {
    let rows = Constant::List(tables.releases.iter().map(lower::release).collect());
    let rows = Printer::new(tables).print(&rows);
    let experimental = &tables.experimental;
    quote! {
        static RELEASES: &[Release] = #rows;
        static EXPERIMENTAL: &[&str] = &[#(#experimental),*];
    }
}

pub(crate) fn runtimes(tables: &Tables) -> TokenStream {
    let rows = Constant::List(tables.runtimes.iter().map(lower::runtime).collect());
    let rows = Printer::new(tables).print(&rows);
    quote!(static RUNTIMES: &[Runtime] = #rows;)
}

/// A constant and a marker trait for each group of `types.yaml`.
pub(crate) fn type_sets(tables: &Tables) -> TokenStream {
    let sets = tables.groups.iter().map(|(name, elements)| {
        let (constant, marker) = (constant(name), camel(name));
        let members = elements.iter().map(data_type);
        let (doc, trait_doc) =
            (format!("The group `{name}` of `types.yaml`."), format!("An element type of the group `{name}`."));
        let note = elements.iter().map(|element| &*element.name).collect::<Vec<_>>().join(", ");
        let marker_trait = marker_trait(&marker, &trait_doc, &note, elements);
        quote! {
            #[doc = #doc]
            pub const #constant: ::shape_core::types::TypeSet = ::shape_core::types::TypeSet::new(
                &[#(::shape_core::data_type::DataType::#members),*],
            );

            #marker_trait
        }
    });
    quote!(#(#sets)*)
}

/// A trait that exactly these element types implement.
pub(crate) fn marker_trait(name: &syn::Ident, doc: &str, note: &str, elements: &[Element]) -> TokenStream {
    let message = format!("`{{Self}}` is not an element type that is allowed here ({name})");
    let note = format!("allowed are the Rust types of {note}");
    let doc = format!(" {doc}");
    let elements = elements.iter().map(element_type);
    quote! {
        #[doc = #doc]
        #[diagnostic::on_unimplemented(message = #message, note = #note)]
        pub trait #name: ::shape_core::element::Element {}

        #(impl #name for #elements {})*
    }
}

/// The tokens of an `Option`.
pub(crate) fn option(value: Option<impl quote::ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
