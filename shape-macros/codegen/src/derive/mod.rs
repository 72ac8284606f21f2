//! The derives `Operator` and `AttributeEnum`.
//!
//! A struct is read into the same `Document` as a descriptor, with tokens in place of positions. So the checks of
//! descriptors and their messages hold for it too, and the same code generates its tables.

mod attribute_enum;
mod errors;
mod expand;
mod field;
mod items;
mod parameters;
mod read;

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::Tables;
use syn::DeriveInput;

use crate::paths::with_core;
use errors::Errors;

pub use attribute_enum::derive_attribute_enum;
pub(crate) use items::split;

/// The `Operator` of a struct, and its schema with the rules that it names.
///
/// Each error becomes a `compile_error!` at its token, all of them at once; the struct is an operator all the same, so
/// that what uses it is not told as well.
#[must_use]
pub fn derive_operator(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let tables = match Tables::builtin() {
        Ok(tables) => tables,
        Err(errors) => return crate::compile_errors(errors),
    };
    let mut errors = Errors::default();
    let read = read::Read::of(&input, &mut errors);
    let described = shape_specs::resolve_document("derive", &read.document, errors.words(), tables);
    let core = read.core.clone();
    let code = match described {
        Ok(operator) if errors.none() => expand::operator(&input.ident, &read, &operator, tables),
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
