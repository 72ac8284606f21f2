//! The examples of descriptors as tests: a module an operator, in it a test a version.
//!
//! They are written by a macro of their own, which only a test build expands, so that nobody else pays for them.

use std::path::Path;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use shape_specs::operator::{Argument, Entry, Example, Expectation, Graph, Operator, Tensor};
use shape_specs::yaml::Position;
use shape_specs::{Scope, Tables};
use syn::LitStr;

use crate::compile_errors;
use crate::custom::{Input, read};
use crate::names::{camel, ident, snake};
use crate::operator::type_value;
use crate::paths::with_core;
use crate::value::{literal_kind, plain_value};

/// The tests of the built-in descriptors of one domain, for a module in that of its operators.
#[must_use]
pub fn builtin_examples(domain: TokenStream) -> TokenStream {
    let domain = match syn::parse2::<LitStr>(domain) {
        Ok(domain) => domain.value(),
        Err(error) => return error.into_compile_error(),
    };
    let tables = match Tables::builtin() {
        Ok(tables) => tables,
        Err(errors) => return compile_errors(errors),
    };
    let files = shape_specs::DESCRIPTORS.iter().copied();
    let files = files.filter(|(file, _)| file.rsplit_once('/').is_some_and(|(folder, _)| folder == domain));
    let (operators, errors) = match shape_specs::resolve_all(files, tables, Scope::Whole) {
        Ok(operators) => (operators, TokenStream::new()),
        Err((operators, mistakes)) => (operators, compile_errors(&mistakes)),
    };
    let tests = operators.iter().map(tests);
    let rows = operators.iter().filter(|operator| !operator.examples.is_empty()).map(|operator| {
        let (module, file) = (module(operator), &operator.file);
        quote!((#file, super::#module::VERSIONS, #module::EXAMPLES))
    });
    quote! {
        #errors
        #(#tests)*

        /// The file, the versions and the examples of each operator.
        pub(crate) static ALL: &[(&str, &[&crate::schema::Schema], &[crate::example::Example])] = &[#(#rows),*];
    }
}

/// The tests of descriptors of the user's own crate, for a module in that of their operators.
#[must_use]
pub fn custom_examples(input: TokenStream, root: &Path) -> TokenStream {
    let (Input { core, files }, tables) = match (syn::parse2(input), Tables::builtin()) {
        (Ok(input), Ok(tables)) => (input, tables),
        (Err(error), _) => return error.into_compile_error(),
        (_, Err(errors)) => return compile_errors(errors),
    };
    let (operators, errors) = read(files, root, tables, Scope::Whole);
    let tests = operators.iter().map(tests);
    with_core(quote!(#errors #(#tests)*), &core)
}

/// The module of an operator: its examples, and a test for each version.
pub(crate) fn tests(operator: &Operator) -> TokenStream {
    if operator.examples.is_empty() {
        return TokenStream::new();
    }
    let (module, file) = (module(operator), &operator.file);
    let examples = operator.examples.iter().map(example);
    let tried = |since: u32| operator.examples.iter().any(|example| example.holds_for(since));
    let versions = operator.versions.iter().enumerate().filter(|(_, version)| tried(version.since));
    let tests = versions.map(|(index, version)| {
        let (name, index) = (format_ident!("since_{}", version.since), Literal::usize_unsuffixed(index));
        quote! {
            #[::core::prelude::v1::test]
            fn #name() {
                assert(#file, super::super::#module::VERSIONS[#index], EXAMPLES);
            }
        }
    });
    quote! {
        mod #module {
            use ::shape_core::example::names::*;

            pub(super) static EXAMPLES: &[Example] = &[#(#examples),*];

            #(#tests)*
        }
    }
}

/// An example in the names that `shape_core::example::names` brings: in the module of the tests there are no others.
fn example(example: &Example) -> TokenStream {
    let Example { name, place, since, until, inputs, attributes, expect, .. } = example;
    let (place, since) = (at(*place), Literal::u32_unsuffixed(*since));
    let until = match until {
        Some(until) => {
            let until = Literal::u32_unsuffixed(*until);
            quote!(Some(#until))
        }
        None => quote!(None),
    };
    let inputs = inputs.iter().map(optional);
    let attributes = attributes.iter().map(|(name, argument)| {
        let argument = self::argument(argument);
        quote!((#name, #argument))
    });
    let expect = match expect {
        Expectation::Outputs(outputs) => {
            let outputs = outputs.iter().map(optional);
            quote!(Expectation::Outputs(&[#(#outputs),*]))
        }
        Expectation::Error(code) => {
            let code = camel(code);
            quote!(Expectation::Error(Code::#code))
        }
    };
    quote!(Example {
        name: #name,
        place: #place,
        since: #since,
        until: #until,
        inputs: &[#(#inputs),*],
        attributes: &[#(#attributes),*],
        expect: #expect,
    })
}

fn optional(value: &Option<Tensor>) -> TokenStream {
    match value {
        Some(value) => {
            let value = self::value(value);
            quote!(Some(#value))
        }
        None => quote!(None),
    }
}

fn argument(argument: &Argument) -> TokenStream {
    match argument {
        Argument::Value(value) => {
            let kind = literal_kind(value);
            let (variant, value) = (camel(&kind.name().to_lowercase()), plain_value(kind, value));
            quote!(Argument::Value(AttributeValue::#variant(#value)))
        }
        Argument::Tensor(tensor) => {
            let tensor = value(tensor);
            quote!(Argument::Tensor(#tensor))
        }
        Argument::Graph(Graph { inputs, outputs }) => {
            let (inputs, outputs) = (inputs.iter().map(value), outputs.iter().map(value));
            quote!(Argument::Graph(Graph { inputs: &[#(#inputs),*], outputs: &[#(#outputs),*] }))
        }
        Argument::Type(ty) => {
            let ty = type_value(ty);
            quote!(Argument::Type(#ty))
        }
    }
}

fn value(tensor: &Tensor) -> TokenStream {
    let Tensor { ty, place, dims, values, unchecked } = tensor;
    let (ty, place) = (type_value(ty), at(*place));
    let list = |entries: &Option<Vec<Entry>>| match entries {
        Some(entries) => {
            let entries = entries.iter().map(|Entry { text, place }| {
                let (line, column) = numbers(*place);
                quote!(e(#text, #line, #column))
            });
            quote!(Some(&[#(#entries),*]))
        }
        None => quote!(None),
    };
    let (dims, elements) = (list(dims), list(values));
    let unchecked = match unchecked {
        Some(why) => quote!(Some(#why)),
        None => quote!(None),
    };
    quote!(Value { ty: #ty, place: #place, dims: #dims, elements: #elements, unchecked: #unchecked })
}

fn at(position: Position) -> TokenStream {
    let (line, column) = numbers(position);
    quote!(at(#line, #column))
}

fn numbers(Position { line, column }: Position) -> (Literal, Literal) {
    (Literal::usize_unsuffixed(line), Literal::usize_unsuffixed(column))
}

/// The name of the module that an operator becomes.
pub(crate) fn module(operator: &Operator) -> Ident {
    ident(&snake(&operator.name))
}
