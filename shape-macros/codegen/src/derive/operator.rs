//! The derive `Operator`.

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::Tables;
use syn::DeriveInput;

use super::errors::Errors;
use super::{expand, read};
use crate::errors::compile_errors;
use crate::paths::with_core;

/// The `Operator` implementation of a struct, and its schema with the rules that it names.
///
/// Each error becomes a `compile_error!` at its tokens, all at once; the struct implements `Operator` nevertheless, so
/// that its uses are not reported as well.
#[must_use]
pub fn derive_operator(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let tables = match Tables::builtin() {
        Ok(tables) => tables,
        Err(errors) => return compile_errors(errors),
    };
    let mut errors = Errors::default();
    let (read, draft) = read::Read::of(&input, &mut errors);
    let described = draft.and_then(|draft| draft.resolve("derive", errors.words(), tables));
    let core = read.core.clone();
    let code = match described {
        Ok(operator) if errors.none() => expand::operator(&input.ident, &read, &operator, errors.tokens(), tables),
        described => {
            errors.of_document(described.err().unwrap_or_default());
            let (errors, stub) = (errors.into_compile_errors(), expand::stub(&input));
            quote!(#errors #stub)
        }
    };
    match core {
        Some(core) => with_core(code, &core),
        None => code,
    }
}
