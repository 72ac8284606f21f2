//! Turns errors of descriptors into errors of the compiler.

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::{SpecError, SpecErrors};

/// An error as a `compile_error!`; the compiler lists all that it is given.
pub(crate) fn compile_error(error: &SpecError) -> TokenStream {
    let message = error.to_string();
    quote!(::core::compile_error!(#message);)
}

/// A `compile_error!` for each error.
pub(crate) fn compile_errors(errors: &SpecErrors) -> TokenStream {
    errors.0.iter().map(compile_error).collect()
}
