//! Generates tests from the examples of descriptors: a module for each operator, with a test for each version.
//!
//! They come from a separate macro, which only test builds expand, so that other builds do not pay for them.

use std::path::Path;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use shape_specs::lower::{self, Constant};
use shape_specs::{Operator, Scope, Tables};

use crate::constant::Printer;
use crate::errors::compile_errors;
use crate::files::{Domain, Input, read};
use crate::names::module;
use crate::paths::with_core;

/// The tests of the built-in descriptors of one domain, for a submodule of its operators.
#[must_use]
pub fn builtin_examples(domain: TokenStream) -> TokenStream {
    let Domain { operators, tables, errors, .. } = match Domain::named_by(domain, Scope::Whole) {
        Ok(domain) => domain,
        Err(errors) => return errors,
    };
    let tests = operators.iter().map(|operator| tests(operator, tables));
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

/// The tests of a user crate's descriptors, for a submodule of their operators.
#[must_use]
pub fn custom_examples(input: TokenStream, root: &Path) -> TokenStream {
    let (Input { core, files }, tables) = match (syn::parse2(input), Tables::builtin()) {
        (Ok(input), Ok(tables)) => (input, tables),
        (Err(error), _) => return error.into_compile_error(),
        (_, Err(errors)) => return compile_errors(errors),
    };
    let (operators, errors) = read(files, root, tables, Scope::Whole);
    let tests = operators.iter().map(|operator| tests(operator, tables));
    with_core(quote!(#errors #(#tests)*), &core)
}

/// The module of an operator: its examples, and a test for each version.
pub(crate) fn tests(operator: &Operator, tables: &Tables) -> TokenStream {
    if operator.examples.is_empty() {
        return TokenStream::new();
    }
    let (module, file) = (module(operator), &operator.file);
    let examples = Constant::List(operator.examples.iter().filter_map(lower::example).collect());
    // Only these names are in scope in the module of the tests.
    let examples = Printer { short: true, ..Printer::new(tables) }.print(&examples);
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

            pub(super) static EXAMPLES: &[Example] = #examples;

            #(#tests)*
        }
    }
}
