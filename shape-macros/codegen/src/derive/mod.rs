//! `#[derive(Operator)]` and `#[derive(AttributeEnum)]`: Rust in, and the same tables out as of a descriptor.
//!
//! A struct is read into the `Document` that its descriptor would be, with tokens for places, so that the rules of
//! descriptors and their messages hold for it, and the generator of their tables writes its own.

mod attribute_enum;
mod expand;
mod field;
mod items;
mod mistakes;
mod parameters;
mod read;

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::Tables;
use syn::DeriveInput;

use crate::paths::with_core;
use mistakes::Mistakes;

pub use attribute_enum::derive_attribute_enum;
pub(crate) use items::split;

/// The `Operator` of a struct, and its schema with the rules that it names.
///
/// Each mistake becomes a `compile_error!` at its token, all of them at once; the struct is an operator all the same, so
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
    let mut mistakes = Mistakes::default();
    let read = read::Read::of(&input, &mut mistakes);
    let described = shape_specs::resolve_document("derive", &read.document, mistakes.words(), tables);
    let core = read.core.clone();
    let code = match described {
        Ok(operator) if mistakes.none() => expand::operator(&input.ident, &read, &operator, tables),
        described => {
            mistakes.of_document(described.err().unwrap_or_default());
            let (errors, stub) = (mistakes.into_compile_errors(), expand::stub(&input));
            quote!(#errors #stub)
        }
    };
    match core {
        Some(core) => with_core(code, &core),
        None => code,
    }
}
