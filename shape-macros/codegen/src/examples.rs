//! Generates tests from the examples of descriptors: a module for each operator, with a test for each version.
//!
//! They come from a separate macro, which only test builds expand, so that other builds do not pay for them.

use std::path::Path;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use shape_specs::lower;
use shape_specs::operator::Version;
use shape_specs::{Operator, Scope, Tables};

use crate::files::{Descriptors, Files, Input};
use crate::names::module;
use crate::paths::with_core;

/// The tests of the descriptors that `operators!` was called with, for a submodule of their operators; those of a folder of
/// onnxspec-descriptors also as a table.
#[must_use]
pub fn examples(input: TokenStream, root: &Path) -> TokenStream {
    let (Input { core, files }, tables) = match (syn::parse2(input), Tables::builtin()) {
        (Ok(input), Ok(tables)) => (input, tables),
        // `operators!` tells it.
        _ => return TokenStream::new(),
    };
    let Descriptors { operators, code } = files.read(root, tables, Scope::Whole);
    let tests = operators.iter().map(tests);
    let all = matches!(files, Files::Folder(_)).then(|| all(&operators));
    with_core(quote!(#code #(#tests)* #all), &core)
}

/// The table of all examples, for tests of the tests.
fn all(operators: &[Operator]) -> TokenStream {
    let rows = operators.iter().filter(|operator| !operator.examples.is_empty()).map(|operator| {
        let (module, file) = (module(operator), &operator.file);
        quote!((#file, super::#module::VERSIONS, #module::EXAMPLES))
    });
    quote! {
        /// The file, the versions and the text of the examples of each operator.
        pub(crate) static ALL: &[(&str, &[&::shape_core::schema::Schema], &str)] = &[#(#rows),*];
    }
}

/// The module of an operator: its examples, and a test for each version.
pub(crate) fn tests(operator: &Operator) -> TokenStream {
    if operator.examples.is_empty() {
        return TokenStream::new();
    }
    let (module, file) = (module(operator), &operator.file);
    let examples = lower::examples(operator, &mut |position| position);
    let tried = |version: &Version| operator.examples.iter().any(|example| example.holds_in(version));
    let versions = operator.versions.iter().enumerate().flat_map(|(index, version)| {
        let earlier = version.earlier.iter().enumerate().map(move |(at, earlier)| (index, Some(at), earlier));
        earlier.chain([(index, None, version)])
    });
    let tests = versions.filter(|(.., version)| tried(version)).map(|(index, earlier, version)| {
        let name = match earlier {
            None => format_ident!("since_{}", version.since),
            Some(at) => format_ident!("since_{}_earlier_{at}", version.since),
        };
        let index = Literal::usize_unsuffixed(index);
        let call = match earlier.map(Literal::usize_unsuffixed) {
            None => quote!(assert(#file, VERSIONS[#index], EXAMPLES, &[])),
            Some(at) => quote!(::shape_core::example::assert_earlier(#file, VERSIONS[#index].earlier[#at], EXAMPLES)),
        };
        quote! {
            #[::core::prelude::v1::test]
            fn #name() {
                #call;
            }
        }
    });
    quote! {
        mod #module {
            use super::super::#module::VERSIONS;
            use ::shape_core::example::assert;

            pub(super) static EXAMPLES: &::core::primitive::str = #examples;

            #(#tests)*
        }
    }
}
