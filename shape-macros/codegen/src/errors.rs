//! Turns errors of descriptors into errors of the compiler.

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::SpecErrors;

/// A `compile_error!` for each error, so that the compiler lists them all.
pub(crate) fn compile_errors(errors: &SpecErrors) -> TokenStream {
    errors
        .0
        .iter()
        .map(|error| {
            let message = error.to_string();
            quote!(::core::compile_error!(#message);)
        })
        .collect()
}
